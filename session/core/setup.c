/* Initializes statements with the binder's environment, and plans queries with the session's
 * settings. */
#include "session/core/core.h"
#include "session/core/domains.h"
#include "session/core/types.h"
#include "session/core/objects.h"
#include "session/core/schemas.h"
#include "session/core/undeclared.h"
#include "session/files/files.h"

#include "layouts/collections/partition.h"

#include <string.h>

/* ---- the binder's environment ---- */

static void env_warn (void *ctx, const char *text) { mt_notice (ctx, "WARNING", NULL, "%s", text); }

/* ---- initializing and planning statements ---- */

static const MtOpRow *session_op (void *ctx, const char *name)
{
   const MtSession *s = ctx;
   for (const MtOpRow *op = s->ops; op && op->name; op++)
      if (strcmp (op->name, name) == 0)
         return op;
   return NULL;
}

static bool indexed (void *ctx, const char *collection, const char *field)
{
   return mt_field_indexed (ctx, collection, field);
}

static bool opened (void *ctx, const char *collection, const bson_t *stages, MtOpenedBlocks *out)
{
   return mt_engine_opened (((MtSession *) ctx)->engine, collection, stages, out);
}

static bool columns (void *ctx, const char *collection, const char *const *fields, size_t count)
{
   return mt_engine_keeps_columns (((MtSession *) ctx)->engine, collection, fields, count);
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
                            .temporary = s->met_temporary || s->met_file,
                            .indexed = indexed,
                            .indexed_ctx = s,
                            .opened = opened,
                            .columns = columns,
                            .opened_ctx = s,
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
   int64_t start = mt_now_us ();
   bool ok = mt_bind_select (st->arena, &st->env, select, &q, err);
   st->session->planning_us += mt_now_us () - start;
   return ok && mt_plan_bound (st, q, out, err);
}

bool mt_plan_bound (MtStatement *st, const MtQuery *q, MtPlan **out, MtError *err)
{
   if (!check_tables (st, q, true, err))
      return false;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.skip_malformed = st->malformed;
   if (st->hypothetical)
      settings.opened = NULL;
   settings.pushdown_off = st->session->settings.pushdown_off;
   settings.outline = st->outline || settings.require_full_pushdown; /* its error names a step */
   int64_t start = mt_now_us ();
   bool ok = mt_plan_query (st->arena, q, &settings, out, err);
   st->session->planning_us += mt_now_us () - start;
   return ok;
}

/* Runs a sub-select (MtBindEnv.run). The settings layout and cut are not used for it, because they
 * are for the outer query. */
static bool env_run (void *ctx, MtArena *a, const MtQuery *q, size_t most, MtVals *out,
                     MtError *err)
{
   MtSession *s = ctx;
   MtStatement st;
   MtPlan *plan;
   bool more = true;
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
   *out = (MtVals) {0};
   while (ok && out->n < most && (ok = mt_result_next (r, &more, err)) && more) {
      MtVal v = mt_result_value (r, 0);
      ok = mt_value_normalize (a, mt_result_type (r, 0), v, &v, err);
      if (ok)
         mt_vals_add (out, a, mt_v_copy (a, v));
   }
   mt_result_free (r);
   return ok;
}

/* Estimates the cost of a query (MtBindEnv.cost). It is the sum, over all tables of the query, of
 * the cost of the chosen layout and cut (the level at which a plan stops reading). */
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
                         .env = {.table = mt_binder_table,
                                 .place = mt_place_relation,
                                 .view = mt_find_view,
                                 .tables = mt_binder_tables,
                                 .type = mt_own_type_named,
                                 .domain = mt_domain_named,
                                 .run = env_run,
                                 .cost = env_cost,
                                 .warn = env_warn,
                                 .op = session_op,
                                 .ctx = s,
                                 .seeded = s->seeded}};
   out->env.cancel = &s->cancel;
   out->env.file = mt_file_bind;
   out->env.sharing = MT_NEW (a, MtSharing);
   out->env.system = mt_system_table;
   out->env.lookup = mt_system_lookup;
   int64_t now = s->txn.state == MT_TRANSACTION_NONE ? s->statement_ms : s->txn.started_ms;
   out->env.style = (MtTextStyle) {s->settings.zone, now,       s->settings.extra_float_digits,
                                   s->statement_ms,  &s->names, false,
                                   MT_ORDER_MDY};
   mt_set_routines (s, &out->env);
   mt_own_types_define (s);
}
