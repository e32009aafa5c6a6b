/* Views: named queries, stored in the catalog as {sql, columns, own}. The binder replaces the
 * view's name in a query by the view's query. */
#include "engine/pipe.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/core/schemas.h"
#include "session/core/sequence.h"
#include "session/continuous/continuous.h"
#include "session/state/session.h"

#include <ctype.h>
#include <string.h>

const MtCatalogObject *mt_view_object (MtSession *s, const char *name)
{
   const MtCatalogObject *o;
   mt_catalog_find_object (s->catalog, "view", name, &o);
   return o;
}

bool mt_is_view (MtSession *s, const char *name) { return mt_view_object (s, name) != NULL; }

bool mt_not_a_view (MtSession *s, const MtName *name, MtError *err)
{
   return !mt_is_view (s, name->text) || mt_error_at (err, name->span, MT_E_DUPLICATE_TABLE,
                                                      "relation \"%s\" already exists", name->text);
}

static bool is_word_char (char c)
{
   return isalnum ((unsigned char) c) || c == '_' || (unsigned char) c >= 0x80;
}

const char *mt_find_word (const char *text, const char *word)
{
   size_t n = strlen (word);
   for (const char *p = text; (p = strcasestr (p, word)); p++)
      if ((p == text || !is_word_char (p[-1])) && !is_word_char (p[n]))
         return p;
   return NULL;
}

/* ---- from the catalog ---- */

static bool damaged (const MtCatalogObject *o, MtError *err)
{
   return mt_error (err, MT_E_CORRUPT, "view \"%s\" in the catalog is damaged", o->name);
}

static const char **text_list (MtArena *a, const bson_t *body, const char *field, int *count)
{
   bson_iter_t it, each;
   const char **list = NULL;
   *count = 0;
   if (!bson_iter_init_find (&it, body, field) || !BSON_ITER_HOLDS_ARRAY (&it) ||
       !bson_iter_recurse (&it, &each))
      return NULL;
   MtVal array = mt_v_from_iter (&it);
   list = MT_NEW_N (a, const char *, mt_doc_count (array) + 1);
   while (bson_iter_next (&each))
      if (BSON_ITER_HOLDS_UTF8 (&each))
         list[(*count)++] = mt_strdup (a, bson_iter_utf8 (&each, NULL));
   return list;
}

bool mt_view_of_object (MtArena *a, const MtCatalogObject *o, MtView *out, MtError *err)
{
   bson_iter_t it;
   uint32_t n;
   int own;
   MtStmt *stmt;
   *out = (MtView) {.name = mt_strdup (a, o->name)};
   out->columns = text_list (a, o->body, "columns", &out->count);
   out->own = text_list (a, o->body, "own", &own);
   if (!bson_iter_init_find (&it, o->body, "sql") || !BSON_ITER_HOLDS_UTF8 (&it) || !out->columns ||
       !out->own || own != out->count)
      return damaged (o, err);
   const char *sql = bson_iter_utf8 (&it, &n);
   if (!mt_parse (a, sql, n, &stmt, err) || !stmt || stmt->kind != MT_STMT_SELECT)
      return damaged (o, err);
   out->query = stmt->select;
   return true;
}

/* Finds a continuous view by name. All other materialized views are found as tables. */
static bool find_continuous (MtSession *s, MtArena *a, const MtName *name, MtView *out,
                             MtError *err)
{
   const MtTable *t;
   if (!mt_has_continuous (s) || mt_temporary_named (s, NULL, name))
      return true;
   if (!mt_catalog_find_among (s->catalog, MT_PERMANENT_TABLES, name->text, mt_name_is_exact (name),
                               &t, err))
      return false;
   const char *sql = t ? mt_matview_definition (s, a, t->name) : NULL;
   return !sql || mt_continuous_view (s, a, t, sql, out, err);
}

/* Makes a view of one row with the state of a sequence: SELECT last_value, log_cnt, is_called. */
static bool sequence_row (MtSession *s, MtArena *a, const MtName *stored, MtView *out, MtError *err)
{
   MtSequence *q;
   MtStmt *stmt;
   int64_t last;
   bool called;
   if (!mt_sequence_find (s, a, mt_str (stored->text), true, &q, err) || !q)
      return q == NULL;
   if (!mt_sequence_read (s, q, &last, &called, err))
      return false;
   const char *sql = mt_printf (a,
                                "SELECT %lld::int8 AS last_value, 0::int8 AS log_cnt, %s AS "
                                "is_called",
                                (long long) last, called ? "true" : "false");
   if (!mt_parse (a, sql, strlen (sql), &stmt, err))
      return false;
   *out = (MtView) {.name = q->name, .query = stmt->select};
   return true;
}

bool mt_find_view (void *ctx, MtArena *a, const MtName *schema, const MtName *name, MtView *out,
                   MtError *err)
{
   MtName stored = *name;
   if (mt_system_view (a, schema, name, out))
      return true;
   if (schema && schema->text && !mt_ieq (schema->text, "public")) {
      const char *own = mt_schema_named (ctx, a, schema);
      if (!own)
         return true;
      stored.text = mt_printf (a, "%s.%s", own, name->text);
   }
   const MtCatalogObject *o = mt_view_object (ctx, stored.text);
   if (!o && mt_is_sequence (ctx, stored.text) && !mt_temporary_named (ctx, NULL, name))
      return sequence_row (ctx, a, &stored, out, err);
   if (!o)
      return find_continuous (ctx, a, &stored, out, err);
   if ((mt_name_is_exact (&stored) && strcmp (o->name, stored.text) != 0))
      return true;
   return mt_view_of_object (a, o, out, err);
}

/* Sets the column names of CREATE VIEW as aliases of the query's targets. Returns false, and
 * changes nothing, if another part of the query, such as ORDER BY, could refer to the old names. */
static bool rename_targets (MtArena *a, const MtView *v)
{
   MtSelect *s = (MtSelect *) (uintptr_t) v->query; /* was parsed only for this caller */
   int i = 0;
   if (s->kind != MT_SELECT_PLAIN || s->order || s->plain.group_by || s->plain.distinct_on)
      return false;
   for (const MtTarget *t = s->plain.targets; t; t = t->next, i++)
      if (t->expr->kind == MT_EXPR_STAR)
         return false;
   if (i != v->count)
      return false;
   i = 0;
   for (MtTarget *t = s->plain.targets; t; t = t->next, i++)
      if (strcmp (v->columns[i], v->own[i]) != 0)
         t->alias = (MtName) {v->columns[i], mt_quoted (a, v->columns[i]) != v->columns[i],
                              MT_NO_SPAN};
   return true;
}

/* Returns "w (a, b)", the view's name and columns, for SQL text. */
static const char *named_columns (MtArena *a, const MtView *v)
{
   const char *list = mt_printf (a, "%s (", mt_quoted (a, v->name));
   for (int i = 0; i < v->count; i++)
      list = mt_printf (a, "%s%s%s", list, i ? ", " : "", mt_quoted (a, v->columns[i]));
   return mt_printf (a, "%s)", list);
}

const char *mt_view_definition (MtSession *s, MtArena *a, const char *name)
{
   MtName n = {name, true, MT_NO_SPAN};
   MtView v = {0};
   MtError ignored;
   MtBuf sql = {0};
   bool same = true;
   if (!mt_find_view (s, a, NULL, &n, &v, &ignored) || !v.query)
      return "";
   for (int i = 0; i < v.count; i++)
      same = same && strcmp (v.columns[i], v.own[i]) == 0;
   bool renamed = same || rename_targets (a, &v);
   mt_print_select (v.query, &sql);
   const char *text = mt_strndup (a, sql.p, sql.n);
   mt_buf_free (&sql);
   return renamed ? text : mt_printf (a, "SELECT * FROM (%s) %s", text, named_columns (a, &v));
}
