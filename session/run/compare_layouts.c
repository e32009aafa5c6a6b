/* \compare: runs a query over each layout of its tables, and compares the costs. */
#include "layouts/presets/preset.h"
#include "engine/shell_text.h"
#include "functions/signature.h"
#include "query/window.h"
#include "layouts/expire.h"
#include "layouts/collections/partition.h"
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/run/run.h"
#include "session/state/plan_text.h"
#include "session/state/session.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_COMPARED 16

typedef struct Compare {
   MtStatement *st;
   const MtQuery *query;
   MtComparison *out;
   size_t count;
   /* there are several tables: one layout is compared at a time, and the other tables are read
    * in the cheapest way */
   bool several;
} Compare;

/* Adds the tables that a query reads to a list, each once. */
static void list_tables (const MtQuery *q, const MtTable **list, size_t *n, size_t most);

static void list_relation_tables (const MtRel *rel, const MtTable **list, size_t *n, size_t most)
{
   MtQuery alone = {.rel = *rel};
   list_tables (&alone, list, n, most);
}

static void list_tables (const MtQuery *q, const MtTable **list, size_t *n, size_t most)
{
   for (int i = 0; i < q->arm_count; i++)
      list_tables (q->arms[i], list, n, most);
   if (q->arm_count)
      return;
   if (q->rel.kind == MT_REL_JOIN) {
      list_relation_tables (q->rel.join->left, list, n, most);
      list_relation_tables (q->rel.join->right, list, n, most);
   }
   if (q->rel.kind == MT_REL_UNNEST)
      list_relation_tables (q->rel.unnest->input, list, n, most);
   if (q->rel.kind == MT_REL_SHARED && !q->rel.shared->listed) {
      q->rel.shared->listed = true;
      list_tables (q->rel.shared->query, list, n, most);
   }
   if (q->rel.kind == MT_REL_QUERY)
      list_tables (q->rel.query, list, n, most);
   if (q->rel.kind != MT_REL_TABLE)
      return;
   for (size_t i = 0; i < *n; i++)
      if (list[i] == q->rel.table)
         return;
   if (*n < most)
      list[(*n)++] = q->rel.table;
}

static bool stored_size (Compare *c, const MtLayout *l, MtComparison *row, MtError *err)
{
   for (size_t i = 0; i < l->store_count; i++) {
      size_t n;
      const char *const *names = mt_store_collections_of (c->st->arena, &l->stores[i], &n);
      for (size_t k = 0; k < n; k++) {
         MtCollStats s;
         if (!mt_engine_stats (c->st->session->engine, names[k], &s, err))
            return false;
         row->documents += (double) s.documents;
         row->bytes_stored += (double) s.bytes;
      }
   }
   return true;
}

static bool run_once (Compare *c, MtPlan *plan, bool stats, MtComparison *row, MtError *err)
{
   MtResult *r = mt_result_new (c->st->session, mt_arena_new ("compare", NULL));
   r->style = c->st->env.style;
   int64_t start = mt_now_us ();
   bool more = true, ok = mt_result_run (r, plan, stats, err);
   while (ok && (ok = mt_result_next (r, &more, err)) && more)
      ;
   if (ok && stats) {
      MtRunStats s;
      mt_result_stats (r, &s);
      row->bytes_touched = (double) s.bytes_read;
      row->rows = r->rows;
   } else if (ok) {
      row->milliseconds = (double) (mt_now_us () - start) / 1000.0;
   }
   mt_result_free (r);
   return ok;
}

static bool compare_layout (Compare *c, const MtTable *t, const MtLayout *l, MtError *err)
{
   MtComparison *row = &c->out[c->count++];
   MtPlanSettings settings = mt_plan_settings (c->st->session, &c->st->env.style);
   MtPlan *plan;
   MtError why;
   *row = (MtComparison) {.layout = c->several ? mt_printf (c->st->arena, "%s.%s", t->name, l->name)
                                               : l->name,
                          .cut = "",
                          .reason = ""};
   settings.layout = l->name;
   settings.layout_of = t;
   settings.cut = NULL;
   settings.skip_malformed = c->st->malformed;
   if (!stored_size (c, l, row, err))
      return false;
   if (!mt_plan_query (c->st->arena, c->query, &settings, &plan, &why)) {
      row->reason = mt_strdup (c->st->arena, *why.detail ? why.detail : why.message);
      return true;
   }
   row->answers = true;
   for (int i = 0; i < plan->candidate_count; i++)
      if (plan->candidates[i].chosen && strcmp (plan->candidates[i].table, t->name) == 0)
         row->cut = plan->candidates[i].cut;
   MtBuf text = {0};
   mt_plan_text (c->st->session->engine, plan, true, &text);
   row->pipeline = mt_strndup (c->st->arena, text.p, text.n - 1); /* without the last newline */
   mt_buf_free (&text);
   return run_once (c, plan, true, row, err) && run_once (c, plan, false, row, err);
}

bool mt_compare (MtSession *s, MtArena *a, const char *sql, long len, MtComparison **out,
                 size_t *count, MtError *err)
{
   MT_BEGIN_CALL (s, err);
   MtStatement st;
   MtQuery *q;
   if (!mt_statement_begin (s, a, sql, len, &st, err))
      return false;
   if (!st.stmt || st.stmt->kind != MT_STMT_SELECT)
      return mt_error (err, MT_E_SYNTAX, "\\compare takes a SELECT");
   if (!mt_bind_select (a, &st.env, st.stmt->select, &q, err))
      return false;
   const MtTable *tables[MOST_COMPARED];
   size_t n = 0, rows = 0;
   list_tables (q, tables, &n, MOST_COMPARED);
   if (n == 0 || n == MOST_COMPARED)
      return mt_error (err, MT_E_FEATURE,
                       n ? "\\compare requires a query over fewer tables"
                         : "\\compare requires a query over tables");
   for (size_t t = 0; t < n; t++)
      rows += tables[t]->layout_count;
   Compare c = {&st, q, MT_NEW_N (a, MtComparison, rows + 1), 0, n > 1};
   for (size_t t = 0; t < n; t++) {
      if (!mt_check_shapes (&st, tables[t], NULL, err))
         return false;
      for (size_t i = 0; i < tables[t]->layout_count; i++)
         if (!compare_layout (&c, tables[t], &tables[t]->layouts[i], err))
            return false;
   }
   *out = c.out;
   *count = c.count;
   return mt_memory_check (err);
}
