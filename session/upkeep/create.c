/* CREATE MATERIALIZED VIEW … WITH (continuous): creates the view without rows, and refreshes it.
 * ALTER MATERIALIZED VIEW … SET: changes its options. */
#include "session/upkeep/upkeep.h"

#include "session/core/core.h"
#include "session/coordinate/coordinate.h"
#include "session/core/objects.h"
#include "session/ddl/ddl.h"

#include <string.h>

/* Parses the value of a boolean option; an option without value is true. */
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

/* Reads the options of CREATE MATERIALIZED VIEW: *is is whether the view is continuous. */
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

/* If each row of the view is a document, creates an index on the bucket column, because a refresh
 * deletes rows by it. */
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
   if (!made || strcmp (made->id, v.id) != 0) /* IF NOT EXISTS: a view existed */
      return true;
   if (!make_index (st, &v, err))
      return false;
   return empty || mt_refresh_continuous (st, v.name, (MtRange) {MT_TIME_MIN, MT_TIME_MAX}, false,
                                          &count, err);
}

/* ---- ALTER ---- */

/* Changes an option of the view as ALTER says. */
static bool set_option (MtContinuous *v, const MtOption *o, MtError *err)
{
   static const char *const only[] = {"materialized_only", "timescaledb.materialized_only"},
                            *const is[] = {"continuous", "timescaledb.continuous"};
   bool value;
   if (mt_ieq (o->name.text, only[0]) || mt_ieq (o->name.text, only[1]))
      return read_option (o, &v->materialized_only, err);
   if (!mt_ieq (o->name.text, is[0]) && !mt_ieq (o->name.text, is[1])) {
      mt_error_at (err, o->span, MT_E_PARAMETER, "unrecognized parameter \"%s\"", o->name.text);
      return mt_error_hint (err, "The option that can be changed is materialized_only.");
   }
   if (!read_option (o, &value, err))
      return false;
   if (value)
      return true;
   mt_error_at (err, o->span, MT_E_FEATURE, "a continuous view can't become an ordinary one");
   return mt_error_hint (err, "Drop the view, and create it without the option continuous.");
}

static bool save (MtStatement *st, const MtContinuous *v, MtError *err)
{
   MtSession *s = st->session;
   if (!mt_step_begin (s, err))
      return false;
   if (mt_continuous_save (s, st->arena, v, err) && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

bool mt_run_alter_continuous (MtStatement *st, MtError *err)
{
   const MtName *name = &st->stmt->alter_table.table;
   const MtTable *t;
   MtContinuous *v = NULL;
   mt_result_set_tag (st->result, "ALTER MATERIALIZED VIEW");
   if (!mt_catalog_find (st->session->catalog, name->text, mt_name_is_exact (name), &t, err))
      return false;
   if (!t && st->stmt->alter_table.if_exists) {
      mt_notice (st->session, "NOTICE", NULL, "relation \"%s\" does not exist, skipping",
                 name->text);
      return true;
   }
   if (!mt_matview_admits (st, err) || !mt_need_table (st, name, &t, err) ||
       !mt_continuous_find (st->session, st->arena, t->name, &v, err))
      return false;
   if (!v) {
      mt_error_at (err, name->span, MT_E_FEATURE,
                   "options of a materialized view that is not continuous can't be changed");
      return mt_error_hint (err, "Drop the view, and create it WITH (continuous).");
   }
   for (const MtOption *o = st->stmt->alter_table.options; o; o = o->next)
      if (!set_option (v, o, err))
         return false;
   return save (st, v, err);
}
