/* Materialized views: tables that are filled by a query. The catalog has the table, with any
 * layout, and an object of the same name: {sql, populated}. */
#include "layouts/collections/partition.h"
#include "layouts/pack/writer.h"
#include "engine/pipe.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/core/schemas.h"
#include "session/continuous/continuous.h"

#include <string.h>

static const MtCatalogObject *matview_object (MtSession *s, const char *name)
{
   const MtCatalogObject *o;
   mt_catalog_find_object (s->catalog, "matview", name, &o);
   return o;
}

bool mt_is_matview (MtSession *s, const char *name) { return matview_object (s, name) != NULL; }

static bool bool_field (const bson_t *body, const char *name)
{
   bson_iter_t it;
   return bson_iter_init_find (&it, body, name) && BSON_ITER_HOLDS_BOOL (&it) &&
          bson_iter_bool (&it);
}

static const char *sql_of (const bson_t *body, uint32_t *n)
{
   bson_iter_t it;
   *n = 0;
   return bson_iter_init_find (&it, body, "sql") && BSON_ITER_HOLDS_UTF8 (&it)
             ? bson_iter_utf8 (&it, n)
             : NULL;
}

const char *mt_matview_definition (MtSession *s, MtArena *a, const char *name)
{
   const MtCatalogObject *o = matview_object (s, name);
   uint32_t n;
   const char *sql = o ? sql_of (o->body, &n) : NULL;
   return sql ? mt_strdup (a, sql) : NULL;
}

bool mt_matview_populated (MtSession *s, const char *name)
{
   const MtCatalogObject *o = matview_object (s, name);
   return !o || bool_field (o->body, "populated");
}

bool mt_matview_readable (MtSession *s, const char *name, MtError *err)
{
   if (s->unread || mt_matview_populated (s, name))
      return true;
   mt_error (err, MT_E_STATE, "materialized view \"%s\" has not been populated", name);
   return mt_error_hint (err, "Use the REFRESH MATERIALIZED VIEW command.");
}

bool mt_matview_save (MtStatement *st, const char *name, const char *sql, bool populated,
                      MtError *err)
{
   bson_t *body = mt_doc_new (st->arena);
   mt_doc_add_text (body, "sql", sql);
   mt_doc_add (body, "populated", mt_v_bool (populated));
   return mt_catalog_save_object (st->session->catalog, "matview", name, body, err);
}

bool mt_matview_made (MtStatement *st, MtError *err)
{
   MtBuf sql = {0};
   if (!mt_print_stored (st, st->stmt->create_table.as, &sql, err))
      return false;
   const char *name = st->stmt->create_table.name.text;
   bool ok = mt_matview_save (st, name, sql.p, st->continuous || !st->stmt->create_table.no_data,
                              err) &&
             (!st->continuous || mt_catalog_save_object (st->session->catalog, "continuous", name,
                                                         st->continuous, err));
   mt_buf_free (&sql);
   return ok;
}

bool mt_matview_forget (MtSession *s, const char *name, MtError *err)
{
   bool dropped;
   return mt_continuous_forget (s, name, err) &&
          mt_catalog_drop_object (s->catalog, "matview", name, &dropped, err);
}

bool mt_matview_rename (MtStatement *st, const char *name, const char *to, MtError *err)
{
   const MtCatalogObject *o = matview_object (st->session, name);
   if (!o)
      return true;
   const char *sql = mt_matview_definition (st->session, st->arena, name);
   bool populated = bool_field (o->body, "populated");
   return mt_continuous_rename (st->session, name, to, err) &&
          mt_matview_forget (st->session, name, err) &&
          mt_matview_save (st, to, sql, populated, err);
}
