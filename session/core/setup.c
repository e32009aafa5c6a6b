/* Setting up a statement: what the binder asks of the session, and planning with its settings. */
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/core/undeclared.h"

#include "layouts/partition.h"

#include <string.h>

/* ---- what the binder asks for ---- */

/* One listing of the collections, for all tables. */
static bool look_at_partitions (MtSession *s, const MtTable *const *met, MtError *err)
{
   if (!s->partitions_due || !mt_has_partitions (met, 1))
      return true;
   s->partitions_due = false;
   return mt_catalog_look (s->catalog, err);
}

/* What a row to be written is computed from is read by what is known of it. */
static bool is_sure (MtSession *s, MtError *err)
{
   bool same;
   if (!s->trusts || s->looks == MT_LOOKS_ITSELF)
      return true;
   if (!mt_catalog_unchanged (s->catalog, &same, err))
      return false;
   s->trusts = !same;
   return same || mt_error (err, MT_E_SERIALIZATION, "tables were changed meanwhile");
}

static bool env_table (void *ctx, const MtName *schema, const MtName *name, const MtTable **out,
                       MtError *err)
{
   MtSession *s = ctx;
   if (!is_sure (s, err))
      return false;
   MtUndeclared *u;
   const char *collection = name->text;
   *out = NULL;
   if (schema && schema->text &&
       (mt_ieq (schema->text, "pg_catalog") || mt_ieq (schema->text, "information_schema")))
      return true;
   if (mt_is_temporary_schema (schema)) {
      bool ok = mt_catalog_find_among (s->catalog, MT_TEMPORARY_TABLES, name->text,
                                       mt_name_is_exact (name), out, err);
      s->met_temporary |= ok && *out;
      return ok;
   }
   if (schema && schema->text &&
       !mt_ieq (schema->text, "public")) /* a collection's name may have dots */
      collection = mt_printf (s->arena, "%s.%s", schema->text, name->text);
   else if (!mt_catalog_find_among (s->catalog, MT_PERMANENT_TABLES, name->text,
                                    mt_name_is_exact (name), out, err))
      return false;
   if (*out)
      return look_at_partitions (s, out, err) && mt_matview_readable (s, (*out)->name, err);
   if (!mt_undeclared_find (s, collection, mt_name_is_exact (name), false, &u, err))
      return false;
   bool attached = false;
   if (u && mt_collection_owner (s, mt_undeclared_table (u)->name, &attached) && !attached)
      u = NULL; /* a table's own documents are read through the table */
   if (u)
      *out = mt_undeclared_table (u);
   return u || collection == name->text ||
          mt_error_at (err, schema->span, "3F000", "schema \"%s\" does not exist", schema->text);
}

/* Tables and collections, for hints; borrowed until the next call. */
static const char *const *table_names (MtSession *s, size_t *count)
{
   size_t n, more = 0;
   const MtTable *const *tables = mt_catalog_tables (s->catalog, &n);
   const char **collections;
   MtError ignored;
   if (!s->hints)
      s->hints = mt_arena_new ("hints", s->arena);
   mt_arena_reset (s->hints);
   if (!mt_engine_collections (s->engine, s->hints, &collections, &more, &ignored))
      more = 0;
   size_t system;
   const char *const *system_names = mt_system_names (&system);
   const char **names = MT_NEW_N (s->hints, const char *, n + more + system + 1);
   for (size_t i = 0; i < n; i++)
      names[i] = tables[i]->name;
   size_t kept = n;
   bool attached;
   for (size_t i = 0; i < more; i++)
      if (!mt_is_temporary (collections[i]) &&
          (!mt_collection_owner (s, collections[i], &attached) || attached))
         names[kept++] = collections[i];
   for (size_t i = 0; i < system; i++)
      names[kept++] = system_names[i];
   *count = kept;
   return names;
}

static const char *const *env_tables (void *ctx, size_t *count) { return table_names (ctx, count); }

/* PostgreSQL changes the table below a view that is simple enough. */
static bool no_table (const MtStmt *s, const MtName *name, MtError *err)
{
   const char *what = s->kind == MT_STMT_INSERT   ? "insert into"
                      : s->kind == MT_STMT_UPDATE ? "update"
                      : s->kind == MT_STMT_DELETE ? "delete from"
                                                  : NULL;
   if (!what)
      return mt_error_at (err, name->span, "42809", "\"%s\" is a view, not a table", name->text);
   mt_error_at (err, name->span, MT_E_FEATURE, "cannot %s view \"%s\"", what, name->text);
   return mt_error_hint (err, "Change the table that it reads.");
}

bool mt_need_table (MtStatement *st, const MtName *name, const MtTable **out, MtError *err)
{
   if (!mt_catalog_find (st->session->catalog, name->text, mt_name_is_exact (name), out, err))
      return false;
   st->session->met_temporary |= *out && (*out)->temporary;
   if (*out)
      return look_at_partitions (st->session, out, err);
   size_t count;
   const char *const *names = table_names (st->session, &count);
   const char *near = mt_nearest (name->text, names, count);
   MtUndeclared *u;
   if (mt_is_view (st->session, name->text))
      return no_table (st->stmt, name, err);
   if (!mt_undeclared_find (st->session, name->text, mt_name_is_exact (name), false, &u, err))
      return false;
   if (u) {
      mt_error_at (err, name->span, MT_E_UNDEFINED_TABLE,
                   "collection \"%s\" is not declared as a table", name->text);
      return mt_error_hint (err, "It can be queried as it is; \\infer %s proposes a CREATE TABLE.",
                            name->text);
   }
   mt_error_at (err, name->span, MT_E_UNDEFINED_TABLE, "relation \"%s\" does not exist",
                name->text);
   return near ? mt_error_hint (err, "Perhaps you meant \"%s\".", near) : false;
}

static void env_warn (void *ctx, const char *text) { mt_notice (ctx, "WARNING", NULL, "%s", text); }

/* ---- statements ---- */

static bool indexed (void *ctx, const char *collection, const char *field)
{
   return mt_field_indexed (ctx, collection, field);
}

MtPlanSettings mt_plan_settings (MtSession *s, const MtTextStyle *style)
{
   const MtSettings *v = &s->settings;
   return (MtPlanSettings) {.layout = v->layout,
                            .cut = v->cut,
                            .optimize = v->optimize,
                            .require_full_pushdown = v->require_full_pushdown,
                            .style = *style,
                            .caps = mt_engine_target_caps (s->engine),
                            .temporary = s->met_temporary,
                            .indexed = indexed,
                            .indexed_ctx = s,
                            .cancel = &s->cancel};
}

static bool check_tables (MtStatement *st, const MtQuery *q, bool outermost, MtError *err);

static bool check_side (MtStatement *st, const MtRel *rel, MtError *err)
{
   MtQuery alone = {.rel = *rel, .limit = -1};
   return check_tables (st, &alone, false, err);
}

static bool check_tables (MtStatement *st, const MtQuery *q, bool outermost, MtError *err)
{
   if (q->arm_count == 0 && q->rel.kind == MT_REL_JOIN)
      return check_side (st, q->rel.join->left, err) && check_side (st, q->rel.join->right, err);
   if (q->arm_count == 0 && q->rel.kind == MT_REL_UNNEST)
      return check_side (st, q->rel.unnest->input, err);
   for (int i = 0; i < q->arm_count; i++)
      if (!check_tables (st, q->arms[i], false, err))
         return false;
   if (q->arm_count == 0 && q->rel.kind == MT_REL_QUERY)
      return check_tables (st, q->rel.query, false, err);
   if (q->arm_count == 0 && q->rel.kind == MT_REL_SHARED && !q->rel.shared->checked) {
      q->rel.shared->checked = true;
      return check_tables (st, q->rel.shared->query, false, err);
   }
   if (q->arm_count || q->rel.kind != MT_REL_TABLE)
      return true;
   return mt_is_undeclared (st->session, q->rel.table) ? mt_undeclared_check (st, q, outermost, err)
                                                       : mt_check_shapes (st, q->rel.table, q, err);
}

bool mt_plan_select (MtStatement *st, const MtSelect *select, MtPlan **out, MtError *err)
{
   MtQuery *q;
   return mt_bind_select (st->arena, &st->env, select, &q, err) && mt_plan_bound (st, q, out, err);
}

bool mt_plan_bound (MtStatement *st, const MtQuery *q, MtPlan **out, MtError *err)
{
   if (!check_tables (st, q, true, err))
      return false;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.skip_malformed = st->malformed;
   settings.outline = st->outline || settings.require_full_pushdown; /* its error names a step */
   return mt_plan_query (st->arena, q, &settings, out, err);
}

/* What the binder asks for a sub-select's rows. SET layout and SET cut are about the query around
 * it. */
static bool env_run (void *ctx, MtArena *a, const MtQuery *q, size_t most, MtVal **values,
                     size_t *count, MtError *err)
{
   MtSession *s = ctx;
   MtStatement st;
   MtPlan *plan;
   bool more = true;
   size_t capacity = 0;
   mt_statement_init (s, a, NULL, &st);
   if (!check_tables (&st, q, false, err))
      return false;
   MtPlanSettings settings = mt_plan_settings (s, &st.env.style);
   settings.layout = settings.cut = NULL;
   settings.skip_malformed = st.malformed;
   if (!mt_plan_query (a, q, &settings, &plan, err))
      return false;
   MtResult *r = mt_result_new (s, mt_arena_new ("sub-select", NULL));
   r->style = st.env.style;
   bool ok = mt_result_run (r, plan, false, err);
   *values = NULL;
   *count = 0;
   while (ok && *count < most && (ok = mt_result_next (r, &more, err)) && more) {
      MT_GROW_IN (a, *values, *count, capacity, 16);
      MtVal v = mt_result_value (r, 0);
      ok = mt_value_normalize (a, mt_result_type (r, 0), v, &(*values)[*count], err);
      if (ok)
         (*values)[*count] = mt_v_copy (a, (*values)[*count]);
      ++*count;
   }
   mt_result_free (r);
   return ok;
}

/* The bytes that its cuts touch. */
static bool env_cost (void *ctx, MtArena *a, const MtQuery *q, double *out, MtError *err)
{
   MtSession *s = ctx;
   MtStatement st;
   MtPlan *plan;
   mt_statement_init (s, a, NULL, &st);
   MtPlanSettings settings = mt_plan_settings (s, &st.env.style);
   *out = 0;
   if (!mt_plan_query (a, q, &settings, &plan, err))
      return false;
   for (int i = 0; i < plan->candidate_count; i++)
      *out += plan->candidates[i].chosen ? plan->candidates[i].cost : 0;
   return true;
}

void mt_statement_init (MtSession *s, MtArena *a, const MtStmt *stmt, MtStatement *out)
{
   *out = (MtStatement) {.session = s,
                         .arena = a,
                         .stmt = stmt,
                         .env = {.table = env_table,
                                 .view = mt_find_view,
                                 .tables = env_tables,
                                 .run = env_run,
                                 .cost = env_cost,
                                 .warn = env_warn,
                                 .ctx = s,
                                 .seeded = s->seeded}};
   out->env.cancel = &s->cancel;
   out->env.sharing = MT_NEW (a, MtSharing);
   out->env.system = mt_system_table;
   out->env.lookup = mt_system_lookup;
   int64_t now = s->txn.state == MT_TRANSACTION_NONE ? s->statement_ms : s->txn.started_ms;
   out->env.style = (MtTextStyle) {s->settings.zone, now,       s->settings.extra_float_digits,
                                   s->statement_ms,  &s->names, false};
   out->env.user_functions = mt_user_functions (s, &out->env.user_function_count);
}
