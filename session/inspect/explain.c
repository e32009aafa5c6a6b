#include "session/advise/advise.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/ddl/ddl.h"
#include "session/dml/dml.h"
#include "session/inspect/inspect.h"
#include "session/state/plan_text.h"
#include "types/datetime.h"
#include "engine/shell_text.h"
#include "session/state/session.h"

#include <stdlib.h>
#include <string.h>

typedef struct Explain {
   MtStatement *st;
   bool analyze, json;
   bool verbose, costs, timing, summary;
   MtHypothetical *hypothetical; /* layouts that the plan may use although they do not exist */
   /* the plan of the query; NULL: the statement writes and has no query */
   const MtPlan *plan;
   const MtWritePlan *write; /* the plan of a statement that writes; NULL: a query */
   MtRunStats stats;
   /* the statistics of the stages that ran in this process; without stages if all ran on the
    * server */
   MtRunStats here;
   uint64_t rows;
   double planning_ms, execution_ms;
} Explain;

/* An option of EXPLAIN that is on or off; its value is stored in *to. runs: the option requires
 * ANALYZE. */
typedef struct Switch {
   const char *name;
   bool *to;
   bool runs;
} Switch;

/* Reads the options. With ANALYZE, TIMING is on by default. */
static bool read_options (Explain *x, MtError *err)
{
   bool ignored = false, wal = false, timing = false;
   const Switch switches[] = {{"analyze", &x->analyze, false},
                              {"verbose", &x->verbose, false},
                              {"costs", &x->costs, false},
                              {"settings", &ignored, false},
                              {"buffers", &ignored, false},
                              {"summary", &x->summary, false},
                              {"timing", &timing, true},
                              {"wal", &wal, true},
                              {NULL, NULL, false}};
   for (const MtOption *o = x->st->stmt->explain.options; o; o = o->next) {
      const Switch *w = switches;
      while (w->name && !mt_ieq (w->name, o->name.text))
         w++;
      bool off = mt_str_ieq (o->value, MT_STR ("off")) || mt_str_ieq (o->value, MT_STR ("false")) ||
                 mt_str_is (o->value, "0");
      bool on = mt_str_ieq (o->value, MT_STR ("on")) || mt_str_ieq (o->value, MT_STR ("true")) ||
                mt_str_is (o->value, "1");
      if (w->to && o->kind != MT_OPT_NONE && !on && !off) {
         return mt_error_at (err, o->span, MT_E_SYNTAX, "%s requires a Boolean value",
                             o->name.text);
      } else if (w->to) {
         *w->to = o->kind == MT_OPT_NONE || on;
         if (w->to == &timing)
            x->timing = timing;
      } else if (mt_ieq (o->name.text, "hypothetical")) {
         if (!mt_hypothetical_read (x->st, o->value, o->span, &x->hypothetical, err))
            return false;
      } else if (mt_ieq (o->name.text, "format")) {
         x->json = mt_str_ieq (o->value, MT_STR ("json"));
         if (!x->json && !mt_str_ieq (o->value, MT_STR ("text")))
            return mt_error_at (err, o->span, MT_E_PARAMETER,
                                "unrecognized value for EXPLAIN option \"format\": \"%.*s\"",
                                (int) o->value.n, o->value.p);
      } else {
         mt_error_at (err, o->name.span, MT_E_SYNTAX, "unrecognized EXPLAIN option \"%s\"",
                      o->name.text);
         const char *near = mt_nearest_of_rows (o->name.text, &switches->name, sizeof *switches);
         return near && mt_error_hint (err, "Perhaps you meant \"%s\".", near);
      }
   }
   if (x->analyze && x->hypothetical)
      return mt_error (err, MT_E_PARAMETER,
                       "EXPLAIN option HYPOTHETICAL cannot be used with ANALYZE");
   for (const Switch *w = switches; w->name && !x->analyze; w++)
      if (w->runs && *w->to)
         return mt_error (err, MT_E_PARAMETER, "EXPLAIN option %s requires ANALYZE",
                          w->to == &wal ? "WAL" : "TIMING");
   return true;
}

static void free_result (void *result) { mt_result_free (result); }

static bool run_query (Explain *x, MtError *err)
{
   MtResult *r = mt_result_new (x->st->session, mt_arena_new ("explain", NULL));
   int64_t start = mt_now_us ();
   /* The result is freed with the arena, because its statistics are used until then. */
   mt_arena_defer (x->st->arena, free_result, r);
   bool more = true, ok = mt_result_run (r, (MtPlan *) x->plan, true, err);
   while (ok && more)
      ok = mt_result_next (r, &more, err);
   if (ok) {
      mt_result_stats (r, &x->stats);
      x->rows = r->rows;
      x->execution_ms = (double) (mt_now_us () - start) / 1000.0;
      mt_result_stats_here (r, &x->here);
   }
   return ok;
}

/* ---- text ---- */

static void add_lines (MtResult *r, MtBuf *text)
{
   char *save = NULL;
   for (char *line = strtok_r (text->p, "\n", &save); line; line = strtok_r (NULL, "\n", &save)) {
      const char *cell = mt_strdup (r->arena, line);
      mt_result_add_row (r, &cell);
   }
   mt_buf_free (text);
}

static void candidate_line (const Explain *x, const MtCandidate *c, MtBuf *out)
{
   bool exists = !mt_hypothetical_has (x->hypothetical, c->table, c->layout);
   mt_buf_printf (out, "%s%s%s on %s, cut at %s", c->chosen ? "-> " : "   ", c->layout,
                  exists ? "" : " (hypothetical)", c->table, c->cut);
   if (c->legal && x->costs)
      mt_buf_printf (out, "  (cost=%.0f cells=%.0f bytes=%.0f)", c->cost, c->cells, c->bytes);
   if (*c->reason)
      mt_buf_printf (out, ": %s%s", c->legal ? "" : "can't answer, because ", c->reason);
   mt_buf_addc (out, '\n');
   if (c->chosen && (c->partitions || c->partitions_read))
      mt_buf_printf (out, "   Partitions: %s%zu of %zu%s%s%s%s\n", c->stops ? "up to " : "",
                     c->partitions_read, c->partitions, c->order ? ", " : "",
                     c->order ? c->order : "", c->partition_names ? ": " : "",
                     c->partition_names ? c->partition_names : "");
   if (c->chosen && c->expires) {
      mt_buf_adds (out, "   Expired: rows before ");
      mt_timestamptz_out (c->expired_ms, x->st->env.style.zone, out);
      mt_buf_addc (out, '\n');
   }
}

/* For each use of a table in the query, prints the possible plans (layout and level), first the
 * chosen plan. */
static void candidate_lines (const Explain *x, MtBuf *out)
{
   const MtCandidate *c = x->plan->candidates;
   for (int from = 0, to; from < x->plan->candidate_count; from = to) {
      for (to = from; to < x->plan->candidate_count && c[to].table_use == c[from].table_use;)
         to++;
      for (int i = from; i < to; i++)
         if (c[i].chosen)
            candidate_line (x, &c[i], out);
      for (int i = from; i < to; i++)
         if (!c[i].chosen)
            candidate_line (x, &c[i], out);
   }
}

static void explained_text (const Explain *x, const MtPlan *p, MtBuf *out)
{
   mt_plan_text (x->st->session->engine, p, x->verbose, out);
}

/* Prints the estimated sizes of the hypothetical layouts, which the plan may use although they do
 * not exist. */
static void hypothetical_text (const Explain *x, MtBuf *out)
{
   for (const MtHypothetical *h = x->hypothetical; h; h = h->next)
      for (size_t i = h->first; i < h->with->layout_count; i++) {
         const MtLayout *l = &h->with->layouts[i];
         double documents = 0, bytes = 0;
         for (size_t k = 0; k < l->store_count; k++) {
            documents += l->stats[k].documents;
            bytes += l->stats[k].bytes;
         }
         mt_buf_printf (out, "Hypothetical: %s on %s, about %.0f documents, %.0f bytes\n", l->name,
                        h->with->name, documents, bytes);
      }
}

/* Returns whether the plan can stop before it has read all partitions, for example because of
 * LIMIT. */
static bool stops_early (const MtPlan *p)
{
   bool stops = false;
   for (int i = 0; i < p->candidate_count && !stops; i++)
      stops = p->candidates[i].chosen && p->candidates[i].stops;
   return stops;
}

static void stats_text (const Explain *x, MtBuf *out)
{
   const MtRunStats *s = &x->stats;
   if (s->stage_count)
      mt_buf_adds (out, "Stages:\n");
   for (size_t i = 0; i < s->stage_count; i++) {
      const MtStageStats *g = &s->stages[i];
      mt_buf_printf (out, "   %-12s in=%llu out=%llu bytes=%llu", g->stage,
                     (unsigned long long) g->docs_in, (unsigned long long) g->docs_out,
                     (unsigned long long) g->bytes);
      if (x->timing)
         mt_buf_printf (out, " ms=%.3f", (double) g->us / 1000.0);
      mt_buf_addc (out, '\n');
   }
   if (s->bytes_total)
      mt_buf_printf (
         out,
         "Documents read: %llu   Bytes touched: %llu of %llu   Blocks: %llu read, %llu pruned\n",
         (unsigned long long) s->docs_read, (unsigned long long) s->bytes_read,
         (unsigned long long) s->bytes_total, (unsigned long long) s->blocks_read,
         (unsigned long long) s->blocks_pruned);
   if (stops_early (x->plan))
      mt_buf_printf (out, "Collections read: %llu\n", (unsigned long long) s->collections);
   mt_buf_printf (out, "Rows: %llu\n", (unsigned long long) x->rows);
}

/* Prints the indexes that the first stages of a pipeline can use. */
static void index_text (const Explain *x, const MtPlanArm *arm, MtBuf *out)
{
   for (int i = 0; i < arm->arm_count; i++)
      index_text (x, &arm->arms[i], out);
   if (arm->arm_count || !arm->collection)
      return;
   size_t n;
   const char **texts = mt_index_used (x->st->session, x->st->arena, arm->collection, arm->remote,
                                       &n);
   for (size_t i = 0; i < n; i++)
      mt_buf_printf (out, "Index: %s\n", texts[i]);
}

static bool same_fields (const MtFieldsOf *x, const MtFieldsOf *y)
{
   bool same = x->count == y->count;
   for (size_t i = 0; i < x->count && same; i++)
      same = strcmp (x->paths[i], y->paths[i]) == 0;
   return same;
}

/* Prints the stored fields that the pipelines read. Partitions of a store that read the same fields
 * share a line. */
static void fields_text (const Explain *x, MtBuf *out)
{
   MtFieldsRead read = mt_plan_fields (x->st->arena, x->plan);
   for (size_t i = 0, next; i < read.count; i = next) {
      const MtFieldsOf *f = &read.list[i];
      for (next = i + 1; next < read.count && same_fields (f, &read.list[next]);)
         next++;
      mt_buf_printf (out, "Fields read of %s", f->collection);
      if (next - i > 1)
         mt_buf_printf (out, " and %zu more", next - i - 1);
      for (size_t k = 0; k < f->count; k++)
         mt_buf_printf (out, "%s%s", k ? ", " : ": ", *f->paths[k] ? f->paths[k] : "all");
      mt_buf_adds (out, f->count ? "\n" : ": none\n");
   }
}

static void write_text (const Explain *x, MtBuf *out)
{
   const MtWritePlan *w = x->write;
   const char *preposition = strcmp (w->verb, "Delete") == 0 ? "from " : "";
   if (strcmp (w->verb, "Insert") == 0)
      preposition = "into ";
   mt_buf_printf (out, "%s %s%s\n", w->verb, preposition, w->table);
   for (size_t i = 0; i < w->store_count; i++) {
      const MtStorePlan *s = &w->stores[i];
      mt_buf_printf (out, "-> %s, collection \"%s\": %s\n", s->layout, s->collection, s->how);
      if (s->affected) {
         MtPlanArm whole = mt_whole_plan (s->affected);
         index_text (x, &whole, out);
         mt_buf_adds (out, "Documents: ");
         explained_text (x, s->affected, out);
      }
   }
   if (w->commit && x->costs)
      mt_buf_printf (out, "Commit: %s\n", w->commit);
   if (w->each)
      mt_stages_text (w->of_sums ? "For each of their finest sums, in process: "
                                 : "For each of their records, in process: ",
                      w->each, (MtShellStyle) {.whole = x->verbose}, "", out);
   if (x->plan)
      mt_buf_adds (out, "Rows:\n");
}

static MtOutlineStyle outline_style (const Explain *x)
{
   return (MtOutlineStyle) {.run = x->analyze && x->here.stages ? &x->here : NULL,
                            .costs = x->costs,
                            .timing = x->timing,
                            .server = !mt_engine_caps (x->st->session->engine)->local_operators};
}

static void explain_text (Explain *x)
{
   static const char *const title[] = {"QUERY PLAN"};
   MtBuf out = {0};
   mt_result_text_columns (x->st->result, 1, title);
   if (x->write)
      write_text (x, &out);
   if (x->plan) {
      MtPlanArm whole = mt_whole_plan (x->plan);
      candidate_lines (x, &out);
      index_text (x, &whole, &out);
      MtOutlineStyle style = outline_style (x);
      mt_outline_text (x->plan->outline, &style, &out);
      if (x->verbose)
         fields_text (x, &out);
      mt_buf_adds (&out, "Pipeline: ");
      explained_text (x, x->plan, &out);
   }
   hypothetical_text (x, &out);
   if (x->analyze && x->write)
      mt_buf_printf (&out, "Rows: %llu\n", (unsigned long long) x->rows);
   else if (x->analyze)
      stats_text (x, &out);
   if (x->analyze && x->summary) {
      mt_buf_printf (&out, "Planning Time: %.3f ms\nExecution Time: %.3f ms\n", x->planning_ms,
                     x->execution_ms);
   }
   add_lines (x->st->result, &out);
}

/* ---- JSON ---- */

static void json_field (MtBuf *out, const char *name, const char *value)
{
   mt_buf_printf (out, "\"%s\": ", name);
   mt_json_string (out, value, strlen (value));
}

static void json_candidates (const Explain *x, MtBuf *out)
{
   mt_buf_adds (out, "    \"candidates\": [");
   for (int i = 0; i < x->plan->candidate_count; i++) {
      const MtCandidate *c = &x->plan->candidates[i];
      mt_buf_adds (out, i ? ",\n      {" : "\n      {");
      json_field (out, "table", c->table);
      mt_buf_adds (out, ", ");
      json_field (out, "layout", c->layout);
      if (x->hypothetical)
         mt_buf_printf (out, ", \"hypothetical\": %s",
                        mt_hypothetical_has (x->hypothetical, c->table, c->layout) ? "true"
                                                                                   : "false");
      mt_buf_adds (out, ", ");
      json_field (out, "cut", c->cut);
      mt_buf_printf (out, ", \"legal\": %s, \"chosen\": %s, ", c->legal ? "true" : "false",
                     c->chosen ? "true" : "false");
      if (x->costs)
         mt_buf_printf (out, "\"cost\": %.0f, \"cells\": %.0f, \"bytes\": %.0f, ", c->cost,
                        c->cells, c->bytes);
      json_field (out, "reason", c->reason);
      if (c->chosen && c->partitions)
         mt_buf_printf (out, ", \"partitions_read\": %zu, \"partitions\": %zu", c->partitions_read,
                        c->partitions);
      if (c->chosen && c->order)
         mt_buf_printf (out, ", \"partitions_in_order\": \"%s\", \"stops_early\": %s", c->order,
                        c->stops ? "true" : "false");
      if (c->chosen && c->expires) {
         mt_buf_adds (out, ", \"expired_before\": \"");
         mt_timestamptz_out (c->expired_ms, x->st->env.style.zone, out);
         mt_buf_addc (out, '"');
      }
      mt_buf_addc (out, '}');
   }
   mt_buf_adds (out, x->plan->candidate_count ? "\n    ],\n" : "],\n");
}

static void json_fields (const Explain *x, MtBuf *out)
{
   MtFieldsRead read = mt_plan_fields (x->st->arena, x->plan);
   mt_buf_adds (out, "    \"fields_read\": {");
   for (size_t i = 0; i < read.count; i++) {
      const MtFieldsOf *f = &read.list[i];
      mt_buf_adds (out, i ? ", " : "");
      mt_json_string (out, f->collection, strlen (f->collection));
      mt_buf_adds (out, ": [");
      for (size_t k = 0; k < f->count; k++) {
         mt_buf_adds (out, k ? ", " : "");
         mt_json_string (out, f->paths[k], strlen (f->paths[k]));
      }
      mt_buf_addc (out, ']');
   }
   mt_buf_adds (out, "},\n");
}

static void json_stats (const Explain *x, MtBuf *out)
{
   const MtRunStats *s = &x->stats;
   if (x->summary)
      mt_buf_printf (out, ",\n    \"planning_ms\": %.3f,\n    \"execution_ms\": %.3f",
                     x->planning_ms, x->execution_ms);
   mt_buf_printf (
      out,
      ",\n    \"rows\": %llu,\n    \"documents_read\": %llu,\n"
      "    \"bytes_touched\": %llu,\n    \"bytes_total\": %llu,\n    \"blocks_read\": %llu,\n    "
      "\"blocks_pruned\": %llu,\n    \"stages\": [",
      (unsigned long long) x->rows, (unsigned long long) s->docs_read,
      (unsigned long long) s->bytes_read, (unsigned long long) s->bytes_total,
      (unsigned long long) s->blocks_read, (unsigned long long) s->blocks_pruned);
   for (size_t i = 0; i < s->stage_count; i++) {
      const MtStageStats *g = &s->stages[i];
      mt_buf_adds (out, i ? ",\n      {" : "\n      {");
      json_field (out, "stage", g->stage);
      mt_buf_printf (out, ", \"in\": %llu, \"out\": %llu, \"bytes\": %llu",
                     (unsigned long long) g->docs_in, (unsigned long long) g->docs_out,
                     (unsigned long long) g->bytes);
      if (x->timing)
         mt_buf_printf (out, ", \"ms\": %.3f", (double) g->us / 1000.0);
      mt_buf_addc (out, '}');
   }
   mt_buf_adds (out, s->stage_count ? "\n    ]" : "]");
}

/* Prints an arm (a part of a plan that reads one source): its collection and pipeline, or a list of
 * arms and the pipeline over them. */
static void json_arm (const MtPlanArm *arm, int indent, MtBuf *out)
{
   if (arm->arm_count)
      mt_buf_printf (out, "%*s\"arms\": [", indent, "");
   for (int i = 0; i < arm->arm_count; i++) {
      mt_buf_printf (out, "%s\n%*s{\n", i ? "," : "", indent + 2, "");
      json_arm (&arm->arms[i], indent + 4, out);
      mt_buf_printf (out, "\n%*s}", indent + 2, "");
   }
   mt_buf_printf (out, arm->arm_count ? "\n%*s]" : "%*s", indent, "");
   if (!arm->arm_count) {
      if (arm->collection)
         json_field (out, "collection", arm->collection);
      else
         mt_buf_adds (out, "\"collection\": null");
      mt_buf_printf (out, ",\n%*s\"pipeline\": ", indent, "");
      mt_json_pipeline (arm->remote, out);
      size_t pastes = mt_shell_pastes (arm->remote);
      if (pastes < mt_doc_count (mt_v_array (arm->remote)))
         mt_buf_printf (out, ",\n%*s\"pasteable_stages\": %zu", indent, "", pastes);
   }
   if (arm->local) {
      mt_buf_printf (out, ",\n%*s\"local_pipeline\": ", indent, "");
      mt_json_pipeline (arm->local, out);
   }
}

static void json_write (const Explain *x, MtBuf *out)
{
   const MtWritePlan *w = x->write;
   mt_buf_adds (out, "    ");
   json_field (out, "statement", w->verb);
   mt_buf_adds (out, ",\n    ");
   json_field (out, "table", w->table);
   mt_buf_adds (out, ",\n    \"stores\": [");
   for (size_t i = 0; i < w->store_count; i++) {
      const MtStorePlan *s = &w->stores[i];
      mt_buf_adds (out, i ? ",\n      {" : "\n      {");
      json_field (out, "layout", s->layout);
      mt_buf_adds (out, ", ");
      if (!s->affected)
         json_field (out, "collection", s->collection);
      MtPlanArm whole = s->affected ? mt_whole_plan (s->affected) : (MtPlanArm) {0};
      if (s->affected)
         json_arm (&whole, 0, out);
      mt_buf_adds (out, ", ");
      json_field (out, "how", s->how);
      mt_buf_addc (out, '}');
   }
   mt_buf_adds (out, "\n    ]");
   if (w->commit && x->costs) {
      mt_buf_adds (out, ",\n    ");
      json_field (out, "commit", w->commit);
   }
   if (w->each) {
      mt_buf_adds (out, ",\n    \"each\": ");
      mt_json_pipeline (w->each, out);
   }
   mt_buf_adds (out, x->plan ? ",\n" : "");
}

static void explain_json (Explain *x)
{
   static const char *const title[] = {"QUERY PLAN"};
   MtBuf out = {0};
   mt_result_text_columns (x->st->result, 1, title);
   x->st->result->columns->type = mt_type (MT_T_JSON);
   mt_buf_adds (&out, "[\n  {\n");
   if (x->write)
      json_write (x, &out);
   if (x->plan) {
      json_candidates (x, &out);
      if (x->plan->outline) {
         MtOutlineStyle style = outline_style (x);
         mt_buf_adds (&out, "    \"plan\": ");
         mt_outline_json (x->plan->outline, &style, 4, &out);
         mt_buf_adds (&out, ",\n");
      }
      if (x->verbose)
         json_fields (x, &out);
      MtPlanArm whole = mt_whole_plan (x->plan);
      json_arm (&whole, 4, &out);
   }
   if (x->analyze && x->write)
      mt_buf_printf (&out, ",\n    \"rows\": %llu", (unsigned long long) x->rows);
   else if (x->analyze)
      json_stats (x, &out);
   mt_buf_adds (&out, "\n  }\n]");
   const char *cell = mt_strndup (x->st->arena, out.p, out.n);
   mt_buf_free (&out);
   mt_result_add_row (x->st->result, &cell);
}

static bool explain_query (Explain *x, const MtSelect *query, MtError *err)
{
   MtPlan *plan;
   int64_t start = mt_now_us ();
   MtQuery *q;
   if (!mt_bind_select (x->st->arena, &x->st->env, query, &q, err))
      return false;
   mt_hypothetical_apply (x->st->arena, q, x->hypothetical);
   x->st->hypothetical = x->hypothetical != NULL;
   if (!mt_plan_bound (x->st, q, &plan, err))
      return false;
   x->plan = plan;
   x->planning_ms = (double) (mt_now_us () - start) / 1000.0;
   return !x->analyze || run_query (x, err);
}

/* Runs a statement that writes, for EXPLAIN ANALYZE. Sets x->rows and the time. */
static bool execute_write (Explain *x, MtStatement *st, MtError *err)
{
   MtStatement run = *st;
   int64_t start = mt_now_us ();
   run.result = mt_result_new (st->session, mt_arena_new ("explain", NULL));
   bool ok = run.session->upper->run (&run, err);
   const char *count = ok ? strrchr (mt_result_tag (run.result), ' ') : NULL;
   x->rows = count ? strtoull (count + 1, NULL, 10) : 0;
   x->execution_ms = (double) (mt_now_us () - start) / 1000.0;
   mt_result_free (run.result);
   return ok;
}

static bool plan_write (MtStatement *st, MtWritePlan *out, MtError *err)
{
   switch (st->stmt->kind) {
   case MT_STMT_INSERT: return mt_plan_insert (st, out, err);
   case MT_STMT_WITH:
      mt_error_at (err, st->stmt->span, MT_E_FEATURE,
                   "EXPLAIN of a WITH that changes rows is not supported");
      return mt_error_hint (err, "Explain its parts one by one.");
   case MT_STMT_MERGE:
      mt_error_at (err, st->stmt->span, MT_E_FEATURE, "EXPLAIN of MERGE is not supported");
      return mt_error_hint (err, "Explain a SELECT that joins the source and the table.");
   case MT_STMT_CREATE_TABLE: return mt_plan_create_table_as (st, out, err);
   default: return mt_plan_change (st, out, err);
   }
}

static bool explain_write (Explain *x, MtStatement *st, MtError *err)
{
   if (x->hypothetical)
      return mt_error (err, MT_E_PARAMETER, "EXPLAIN option HYPOTHETICAL requires a query");
   MtWritePlan *w = MT_NEW (st->arena, MtWritePlan);
   int64_t start = mt_now_us ();
   if (!plan_write (st, w, err))
      return false;
   x->write = w;
   x->plan = w->source;
   x->planning_ms = (double) (mt_now_us () - start) / 1000.0;
   return !x->analyze || execute_write (x, st, err);
}

bool mt_run_explain (MtStatement *st, MtError *err)
{
   Explain x = {.st = st, .costs = true, .timing = true, .summary = true};
   const MtStmt *inner = st->stmt->explain.stmt;
   MtStatement executed;
   if (!read_options (&x, err))
      return false;
   if (inner->kind == MT_STMT_EXECUTE) {
      if (!st->session->upper->execute (st, inner, &executed, err))
         return false;
      x.st = st = &executed;
      inner = executed.stmt;
   }
   st->outline = true;
   MtStatement explained = *st;
   explained.stmt = inner;
   const MtSelect *query = inner->kind == MT_STMT_SELECT ? inner->select : NULL;
   if (inner->kind == MT_STMT_DECLARE)
      query = inner->declare.query;
   if (!(query ? explain_query (&x, query, err) : explain_write (&x, &explained, err))) {
      if (st == &executed)
         err->span = MT_NO_SPAN; /* the span is a place in the text of PREPARE */
      return false;
   }
   mt_result_set_tag (st->result, "EXPLAIN");
   if (x.json)
      explain_json (&x);
   else
      explain_text (&x);
   return true;
}
