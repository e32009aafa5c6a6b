/* \compare: runs a query over each layout of its tables, and compares the costs. */
#include "layouts/presets/preset.h"
#include "engine/shell_text.h"
#include "functions/signature.h"
#include "query/window.h"
#include "layouts/expire.h"
#include "layouts/collections/partition.h"
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/run/compare_int.h"
#include "session/state/plan_text.h"
#include "session/state/session.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
   MOST_COMPARED = 16,
   RUNS = 5, /* how often a query is run that takes less than LONG_RUN_MS */
   LONG_RUN_MS = 1000,
   FIRST_ROWS = 10
};

typedef struct Compare {
   MtStatement *st;
   const MtQuery *query;
   MtComparison *out;
   size_t count;
   MtFirstRows first;
   /* the query reads several tables: the layouts of one table at a time are compared, while the
    * other tables are read with their cheapest layouts */
   bool several;
} Compare;

/* The tables that a query reads, each once. */
typedef struct TableList {
   const MtTable *tables[MOST_COMPARED];
   size_t count;
} TableList;

/* Adds table *t to the list, unless it is in the list or the list has MOST_COMPARED tables. Returns
 * true. */
static bool add_table (void *ctx, const MtTable **t)
{
   TableList *l = ctx;
   for (size_t i = 0; i < l->count; i++)
      if (l->tables[i] == *t)
         return true;
   if (l->count < MOST_COMPARED)
      l->tables[l->count++] = *t;
   return true;
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

/* Stores the names and types of the result's columns, and allocates memory for its first rows. */
static void begin_first (Compare *c, MtResult *r)
{
   MtArena *a = c->st->arena;
   MtFirstRows *f = &c->first;
   f->columns = mt_result_columns (r);
   f->names = MT_NEW_N (a, const char *, f->columns + 1);
   f->numbers = MT_NEW_N (a, bool, f->columns + 1);
   f->cells = MT_NEW_N (a, const char *, f->columns *FIRST_ROWS + 1);
   for (size_t i = 0; i < f->columns; i++) {
      f->names[i] = mt_strdup (a, mt_result_name (r, i));
      f->numbers[i] = mt_type_is_number (mt_result_type (r, i).id);
   }
}

static void add_first (Compare *c, MtResult *r)
{
   MtFirstRows *f = &c->first;
   if (f->count == FIRST_ROWS)
      return;
   const char **cells = f->cells + f->count++ * f->columns;
   for (size_t i = 0; i < f->columns; i++) {
      size_t n = 0;
      const char *text = mt_result_text (r, i, &n);
      cells[i] = text ? mt_strndup (c->st->arena, text, n) : NULL;
   }
}

/* Runs the plan once to the end. *ms is the time. stats: receives what the run cost; NULL: it is
 * not measured. */
static bool run_once (Compare *c, MtPlan *plan, MtComparison *stats, double *ms, MtError *err)
{
   MtResult *r = mt_result_new (c->st->session, mt_arena_new ("compare", NULL));
   r->style = c->st->env.style;
   int64_t start = mt_now_us ();
   bool more = true, ok = mt_result_run (r, plan, stats != NULL, err);
   bool first = ok && stats && !c->first.names;
   if (first)
      begin_first (c, r);
   while (ok && (ok = mt_result_next (r, &more, err)) && more)
      if (first)
         add_first (c, r);
   *ms = (double) (mt_now_us () - start) / 1000.0;
   if (ok && stats) {
      bool known = mt_engine_caps (c->st->session->engine)->bytes_touched;
      MtRunStats s;
      mt_result_stats (r, &s);
      stats->bytes_touched = known ? (double) s.bytes_read : -1;
      stats->documents_read = known ? (double) s.docs_read : -1;
      stats->rows = r->rows;
   }
   mt_result_free (r);
   return ok;
}

static int compare_times (const void *x, const void *y)
{
   double a = *(const double *) x, b = *(const double *) y;
   return (a > b) - (a < b);
}

/* Runs the plan once to measure what it reads, then for its time. A short run is repeated: the
 * first runs are slower, because the processor's caches are cold. */
static bool measure (Compare *c, MtPlan *plan, MtComparison *row, MtError *err)
{
   double ms[RUNS], ignored;
   unsigned n = 0;
   if (!run_once (c, plan, row, &ignored, err))
      return false;
   do {
      if (!run_once (c, plan, NULL, &ms[n], err))
         return false;
   } while (ms[n++] < LONG_RUN_MS && n < RUNS);
   qsort (ms, n, sizeof *ms, compare_times);
   row->milliseconds = n % 2 ? ms[n / 2] : (ms[n / 2 - 1] + ms[n / 2]) / 2;
   row->runs = n;
   return true;
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
      return mt_compare_samples (c->st, l, NULL, row, err);
   }
   row->answers = true;
   for (int i = 0; i < plan->candidate_count; i++)
      if (plan->candidates[i].chosen && strcmp (plan->candidates[i].table, t->name) == 0)
         row->cut = plan->candidates[i].cut;
   MtBuf text = {0};
   mt_plan_text (c->st->session->engine, plan, true, &text);
   row->pipeline = mt_strndup (c->st->arena, text.p, text.n - 1); /* without the last newline */
   mt_buf_free (&text);
   return measure (c, plan, row, err) && mt_compare_samples (c->st, l, plan, row, err);
}

static bool compare_tables (Compare *c, const MtTable *const *tables, size_t count, MtError *err)
{
   for (size_t t = 0; t < count; t++) {
      if (!mt_check_shapes (c->st, tables[t], NULL, err))
         return false;
      for (size_t i = 0; i < tables[t]->layout_count; i++)
         if (!compare_layout (c, tables[t], &tables[t]->layouts[i], err))
            return false;
   }
   return true;
}

bool mt_compare (MtSession *s, MtArena *a, const char *sql, long len, MtComparisons *out,
                 MtError *err)
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
   TableList list = {.count = 0};
   mt_tables_each (a, q, add_table, &list);
   const MtTable *const *tables = list.tables;
   size_t n = list.count, rows = 0;
   if (n == 0 || n == MOST_COMPARED)
      return mt_error (err, MT_E_FEATURE,
                       n ? "\\compare requires a query over fewer tables"
                         : "\\compare requires a query over tables");
   for (size_t t = 0; t < n; t++)
      rows += tables[t]->layout_count;
   Compare c = {
      .st = &st, .query = q, .out = MT_NEW_N (a, MtComparison, rows + 1), .several = n > 1};
   /* Reads only documents, not the columns that the embedded engine stores besides, so that layouts
    * are compared as a server reads them. */
   MtSettings before = s->settings, documents = before;
   documents.columns = false;
   mt_settings_restore (s, &documents);
   bool ok = compare_tables (&c, tables, n, err);
   mt_settings_restore (s, &before);
   if (!ok)
      return false;
   *out = (MtComparisons) {c.out, c.count, c.first};
   return mt_memory_check (err);
}
