/* CREATE MATERIALIZED VIEW … WITH (continuous): creates the view without rows, and refreshes it. */
#include "session/upkeep/upkeep.h"

#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/ddl/ddl.h"

#include <string.h>

/* Reads a boolean option. */
static bool read_option (const MtOption *o, bool *out, MtError *err)
{
   static const struct {
      const char *text;
      bool value;
   } words[] = {{"true", true},   {"on", true},   {"1", true},
                {"false", false}, {"off", false}, {"0", false}};
   *out = o->kind == MT_OPT_NONE;
   if (*out)
      return true;
   for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (o->value.n == strlen (words[i].text) &&
          strncasecmp (o->value.p, words[i].text, o->value.n) == 0) {
         *out = words[i].value;
         return true;
      }
   return mt_error_at (err, o->span, MT_E_PARAMETER, "%s requires a Boolean value", o->name.text);
}

/* Reads the options into v; *is: the view is continuous. */
static bool read_options (const MtStmt *s, bool *is, bool *materialized_only, MtError *err)
{
   const MtOption *only = NULL;
   *is = *materialized_only = false;
   for (const MtOption *o = s->create_table.continuous; o; o = o->next) {
      bool continuous = !strcasestr (o->name.text, "materialized_only");
      only = continuous ? only : o;
      if (!read_option (o, continuous ? is : materialized_only, err))
         return false;
   }
   if (*is || !only)
      return true;
   mt_error_at (err, only->span, MT_E_PARAMETER,
                "materialized_only is an option of continuous views");
   return mt_error_hint (err, "Add the option continuous.");
}

bool mt_creates_continuous (const MtStmt *s)
{
   return s->create_table.materialized && s->create_table.continuous;
}

/* Creates an index on the bucket, if each row is a document: a refresh deletes rows by it. */
static bool make_index (MtStatement *st, const MtContinuous *v, MtError *err)
{
   MtSession *s = st->session;
   const MtTable *t;
   MtStmt *stmt;
   MtStatement index;
   if (!mt_catalog_find_among (s->catalog, MT_PERMANENT_TABLES, v->name, true, &t, err))
      return false;
   if (!t || !mt_store_is_rows (&t->layouts[0].stores[0]))
      return true;
   const char *sql = mt_printf (st->arena, "CREATE INDEX ON %s (%s)",
                                mt_quoted (st->arena, v->name), mt_quoted (st->arena, v->column));
   MtArena *a = mt_arena_new ("index", NULL);
   MtResult *r = mt_result_new (s, a);
   bool ok = mt_parse (a, sql, strlen (sql), &stmt, err);
   if (ok) {
      mt_statement_init (s, a, stmt, &index);
      index.result = r;
      ok = mt_run_create_index (&index, err);
   }
   mt_result_free (r);
   return ok;
}

bool mt_run_create_continuous (MtStatement *st, MtError *err)
{
   MtContinuous v = {0}, *made;
   MtStmt stmt = *st->stmt;
   MtStatement inner = *st;
   bool is, empty = stmt.create_table.no_data, only;
   uint64_t count;
   if (!read_options (&stmt, &is, &only, err))
      return false;
   if (!is)
      return mt_run_create_table_as (st, err);
   if (!mt_continuous_describe (st, &v, err))
      return false;
   v.materialized_only = only;
   stmt.create_table.no_data = true;
   inner.stmt = &stmt;
   inner.continuous = mt_continuous_body (st->arena, &v);
   if (!mt_run_create_table_as (&inner, err) ||
       !mt_continuous_find (st->session, st->arena, v.name, &made, err))
      return false;
   if (!made || strcmp (made->id, v.id) != 0) /* IF NOT EXISTS met another view */
      return true;
   if (!make_index (st, &v, err))
      return false;
   return empty || mt_refresh_continuous (st, v.name, (MtRange) {MT_TIME_MIN, MT_TIME_MAX}, false,
                                          &count, err);
}
