/* The statement ADVISE: compares layouts for the tables that a workload reads, and proposes a set
 * of layouts. */
#include "session/advise/advise.h"
#include "session/core/undeclared.h"
#include "session/ddl/ddl.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LAYOUTS = 16 };

/* A list of different tables. */
typedef struct TableList {
   MtArena *arena;
   const MtTable **v;
   size_t count, cap;
} TableList;

/* A query of the workload, and its weight: how often it runs relative to the other queries. */
typedef struct Query {
   const char *sql; /* the query's text, on one line */
   double weight;
   MtQuery *q;
   TableList tables; /* the tables that it reads */
} Query;

typedef struct Advice {
   MtStatement *st;
   double max_bytes; /* greatest size of all proposed layouts together; INFINITY: no limit */
   size_t max_layouts;
   Query *queries;
   size_t query_count, query_cap;
   TableList tables;   /* all tables that the queries read */
   MtAdvisedList list; /* the existing layouts, followed by the candidates */
   size_t existing;
   size_t chosen[MOST_LAYOUTS]; /* the proposed layouts, as indexes into `list` */
   size_t chosen_count;
} Advice;

/* ---- options ---- */

static bool read_options (Advice *x, MtError *err)
{
   x->max_bytes = INFINITY;
   x->max_layouts = 3;
   for (const MtOption *o = x->st->stmt->advise.options; o; o = o->next) {
      const char *text = mt_strndup (x->st->arena, o->value.p ? o->value.p : "", o->value.n);
      for (const MtOption *other = o->next; other; other = other->next)
         if (mt_ieq (other->name.text, o->name.text))
            return mt_error_at (err, other->name.span, MT_E_SYNTAX,
                                "option \"%s\" specified more than once", o->name.text);
      if (mt_ieq (o->name.text, "max_bytes")) {
         int64_t bytes;
         if (!mt_read_bytes ("max_bytes", text, &bytes, err)) {
            err->span = o->span;
            return false;
         }
         x->max_bytes = (double) bytes;
      } else if (mt_ieq (o->name.text, "max_layouts")) {
         char *end;
         long n = strtol (text, &end, 10);
         if (!*text || *end || n < 1 || n > MOST_LAYOUTS)
            return mt_error_at (err, o->span, MT_E_PARAMETER,
                                "max_layouts must be a whole number from 1 to %d", MOST_LAYOUTS);
         x->max_layouts = (size_t) n;
      } else {
         mt_error_at (err, o->name.span, MT_E_SYNTAX, "unrecognized ADVISE option \"%s\"",
                      o->name.text);
         return mt_error_hint (err, "The options are max_bytes and max_layouts.");
      }
   }
   return true;
}

/* ---- the workload ---- */

/* Returns a statement's text on one line, without the final ';'. */
static const char *on_one_line (MtArena *a, const char *text, size_t n)
{
   char *out = mt_alloc (a, n + 1), *p = out;
   for (size_t i = 0; i < n; i++) {
      char c = isspace ((unsigned char) text[i]) ? ' ' : text[i];
      if (c != ' ' || (p > out && p[-1] != ' '))
         *p++ = c;
   }
   while (p > out && (p[-1] == ' ' || p[-1] == ';'))
      p--;
   *p = '\0';
   return out;
}

/* Reads `weight: 5` from the comments before a statement, which are the first n bytes of `text`.
 * Without it, *weight is 1. 22023 if the weight is not a number above 0; the error's span is
 * relative to `text`. */
static bool weight_in (MtArena *a, const char *text, size_t n, double *weight, MtError *err)
{
   static const char word[] = "weight:";
   const char *comments = mt_strndup (a, text, n), *said = strstr (comments, word);
   char *end;
   *weight = 1;
   if (!said)
      return true;
   *weight = strtod (said + strlen (word), &end);
   if (end > said + strlen (word) && *weight > 0 && isfinite (*weight))
      return true;
   MtSpan span = {(int) (said - comments), (int) strlen (word)};
   mt_error_at (err, span, MT_E_PARAMETER, "a query's weight must be a number above 0");
   return mt_error_hint (err, "For example: -- weight: 5");
}

static bool has_table (const TableList *l, const MtTable *t)
{
   for (size_t i = 0; i < l->count; i++)
      if (l->v[i] == t)
         return true;
   return false;
}

static bool add_table (void *ctx, const MtTable **t)
{
   TableList *l = ctx;
   if (has_table (l, *t))
      return true;
   MT_GROW_IN (l->arena, l->v, l->count, l->cap, 8);
   l->v[l->count++] = *t;
   return true;
}

static bool add_query (Advice *x, const MtSelect *select, const char *sql, double weight,
                       MtError *err)
{
   Query q = {.sql = sql, .weight = weight, .tables = {.arena = x->st->arena}};
   if (!mt_bind_select (x->st->arena, &x->st->env, select, &q.q, err))
      return false;
   mt_tables_each (x->st->arena, q.q, add_table, &q.tables);
   for (size_t i = 0; i < q.tables.count; i++)
      add_table (&x->tables, &q.tables.v[i]);
   MT_GROW_IN (x->st->arena, x->queries, x->query_count, x->query_cap, 16);
   x->queries[x->query_count++] = q;
   return true;
}

/* Adds a statement of n bytes to the workload. A statement that is not a query is skipped, with a
 * notice. */
static bool add_statement (Advice *x, const char *text, size_t n, MtError *err)
{
   MtStmt *s;
   MtArena *a = x->st->arena;
   if (!mt_parse (a, text, n, &s, err))
      return false;
   size_t at = s->span.start > 0 ? (size_t) s->span.start : 0;
   if (s->kind != MT_STMT_SELECT) {
      mt_notice (x->st->session, "NOTICE", NULL, "%s is no query, skipping",
                 on_one_line (a, text + at, n - at));
      return true;
   }
   double weight;
   return weight_in (a, text, at, &weight, err) &&
          add_query (x, s->select, on_one_line (a, text + at, n - at), weight, err);
}

/* Returns the offset, in the text of ADVISE, at which the value of its string literal begins. The
 * literal contains the queries to advise on. -1: the literal's text differs from its value, as when
 * it has doubled quotes. */
static int value_begins (const Advice *x, MtStr text)
{
   MtSpan literal = x->st->stmt->advise.text_span;
   const char *p = x->st->sql + literal.start;
   const char *tag = literal.start >= 0 && *p == '$' ? strchr (p + 1, '$') : p;
   size_t skip = tag ? (size_t) (tag - p) + 1 : 0;
   if (literal.start < 0 || !tag || literal.len < 0 || skip + text.n > (size_t) literal.len ||
       memcmp (p + skip, text.p, text.n) != 0)
      return -1;
   return literal.start + (int) skip;
}

static bool add_text (Advice *x, MtStr text, MtError *err)
{
   size_t at, end = 0;
   while (mt_scan_next (text.p, text.n, &at, &end)) {
      size_t n = end - at;
      if (!add_statement (x, text.p + at, n, err)) {
         int begin = value_begins (x, text);
         if (begin >= 0 && err->span.start >= 0)
            err->span.start += begin + (int) at;
         else
            err->span = x->st->stmt->advise.text_span;
         return mt_error_context (err, "query: %s", on_one_line (x->st->arena, text.p + at, n));
      }
   }
   return true;
}

static bool read_workload (Advice *x, MtError *err)
{
   const MtStmt *s = x->st->stmt;
   if (s->advise.text.p && !add_text (x, s->advise.text, err))
      return false;
   if (s->advise.select &&
       !add_query (x, s->advise.select,
                   on_one_line (x->st->arena, x->st->sql + s->advise.select->span.start,
                                (size_t) s->advise.select->span.len),
                   1, err))
      return false;
   if (!x->tables.count) {
      mt_error (err, MT_E_FEATURE, "ADVISE requires queries over tables");
      return mt_error_hint (err, "Give a query that reads a table, or several, separated by ';'.");
   }
   for (size_t i = 0; i < x->tables.count; i++)
      if (mt_is_undeclared (x->st->session, x->tables.v[i]))
         return mt_error (err, MT_E_FEATURE, "collection \"%s\" is not declared as a table",
                          x->tables.v[i]->name);
   return true;
}

/* ---- costs ---- */

typedef struct Swap {
   const MtTable *from, *to;
} Swap;

static bool swap_table (void *ctx, const MtTable **t)
{
   const Swap *s = ctx;
   if (*t == s->from)
      *t = s->to;
   return true;
}

typedef struct Cost {
   double cost;     /* cost of reading the table; INFINITY: the layout can't answer */
   const char *cut; /* the chosen cut, which is the level at which reading stops */
} Cost;

/* Plans query q with only layout c for the table c->real, and sets *out to the cost. Temporary
 * memory is in arena a. */
static bool cost_of (Advice *x, MtArena *a, const MtAdvised *c, const Query *q, Cost *out,
                     MtError *err)
{
   MtPlan *plan;
   MtError why = {0};
   MtPlanSettings settings = mt_plan_settings (x->st->session, &x->st->env.style);
   settings.layout = settings.cut = NULL;
   settings.opened = NULL; /* the engine can't answer for layouts that do not exist */
   settings.require_full_pushdown = false;
   *out = (Cost) {INFINITY, ""};
   mt_tables_each (a, q->q, swap_table, &(Swap) {c->real, c->with});
   bool ok = mt_plan_query (a, q->q, &settings, &plan, &why);
   mt_tables_each (a, q->q, swap_table, &(Swap) {c->with, c->real});
   if (!ok && strcmp (why.sqlstate, MT_E_FEATURE) != 0) {
      *err = why;
      return false;
   }
   for (int i = 0; ok && i < plan->candidate_count; i++) {
      const MtCandidate *found = &plan->candidates[i];
      if (!found->chosen || strcmp (found->table, c->real->name) != 0)
         continue;
      out->cost = isfinite (out->cost) ? out->cost + found->cost : found->cost;
      out->cut = found->cut;
   }
   return true;
}

/* Computes the costs of each query with each layout from index `from` on. If a query does not read
 * the layout's table, its cost is 0. */
static bool compute_costs (Advice *x, size_t from, MtError *err)
{
   MtArena *a = mt_arena_new ("advise", NULL);
   bool ok = true;
   for (size_t i = from; ok && i < x->list.count; i++) {
      MtAdvised *c = &x->list.items[i];
      c->costs = MT_NEW_N (x->st->arena, double, x->query_count);
      for (size_t k = 0; ok && k < x->query_count; k++) {
         Cost cost = {0};
         ok = !has_table (&x->queries[k].tables, c->real) ||
              cost_of (x, a, c, &x->queries[k], &cost, err);
         c->costs[k] = cost.cost;
         mt_arena_reset (a);
      }
      ok = ok && mt_cancel_check (&x->st->session->cancel, err);
   }
   mt_arena_free (a);
   return ok;
}

/* ---- choosing layouts ---- */

/* Returns the cost of query k, if the existing layouts and the first `count` chosen ones exist. If
 * by is not NULL, by[t] is set to the layout by which table t would be read. */
static double query_cost (const Advice *x, const size_t *chosen, size_t count, size_t k, size_t *by)
{
   double sum = 0;
   for (size_t t = 0; t < x->tables.count; t++) {
      double best = INFINITY;
      for (size_t i = 0; i < x->existing + count; i++) {
         size_t item = i < x->existing ? i : chosen[i - x->existing];
         const MtAdvised *c = &x->list.items[item];
         if (c->real != x->tables.v[t] || !(c->costs[k] < best))
            continue;
         best = c->costs[k];
         if (by)
            by[t] = item;
      }
      sum += best;
   }
   return sum;
}

static double total_cost (const Advice *x, const size_t *chosen, size_t count)
{
   double sum = 0;
   for (size_t k = 0; k < x->query_count; k++)
      sum += x->queries[k].weight * query_cost (x, chosen, count, k, NULL);
   return sum;
}

static double bytes_of (const Advice *x, const size_t *chosen, size_t count)
{
   double sum = 0;
   for (size_t i = 0; i < count; i++)
      sum += x->list.items[chosen[i]].bytes;
   return sum;
}

/* Sets chosen[at] to the candidate that makes the total cost lowest; of equal candidates, to the
 * smallest. Returns false if none makes it lower than *most; otherwise *most is set to the new
 * cost. */
static bool best_at (const Advice *x, size_t *chosen, size_t count, size_t at, double *most)
{
   size_t best = 0, before = at < count ? chosen[at] : 0;
   size_t n = at < count ? count : count + 1;
   double best_bytes = INFINITY;
   bool found = false;
   for (size_t i = x->existing; i < x->list.count; i++) {
      chosen[at] = i;
      double cost = total_cost (x, chosen, n), bytes = x->list.items[i].bytes;
      if (bytes_of (x, chosen, n) > x->max_bytes || cost > *most ||
          (cost == *most && bytes >= best_bytes))
         continue;
      found = found || cost < *most;
      *most = cost;
      best = i;
      best_bytes = bytes;
   }
   chosen[at] = found ? best : before;
   return found;
}

/* Chooses layouts: adds the best candidate again and again, as long as that makes the workload
 * at least 2% cheaper. Then replaces single chosen layouts by better ones, as long as there are
 * any. */
static void choose (Advice *x)
{
   const double worth = 0.98;
   double now = total_cost (x, x->chosen, 0);
   while (x->chosen_count < x->max_layouts) {
      double next = isfinite (now) ? now * worth : now;
      if (!best_at (x, x->chosen, x->chosen_count, x->chosen_count, &next))
         break;
      x->chosen_count++;
      now = next;
   }
   for (bool better = true; better;) {
      better = false;
      for (size_t i = 0; i < x->chosen_count; i++)
         better |= best_at (x, x->chosen, x->chosen_count, i, &now);
   }
}

/* ---- candidates ---- */

static bool add_existing (Advice *x, const MtTable *t, MtError *err)
{
   MtLayout *layouts = MT_NEW_N (x->st->arena, MtLayout, t->layout_count);
   memcpy (layouts, t->layouts, t->layout_count * sizeof *layouts);
   if (!mt_estimate_missing (x->st, t, layouts, t->layout_count, err))
      return false;
   for (size_t i = 0; i < t->layout_count; i++) {
      MtAdvised c = {.real = t, .with = MT_NEW (x->st->arena, MtTable)};
      *c.with = *t;
      c.with->layouts = &layouts[i];
      c.with->layout_count = 1;
      MT_GROW_IN (x->st->arena, x->list.items, x->list.count, x->list.cap, 64);
      x->list.items[x->list.count++] = c;
   }
   return true;
}

static size_t dimensions_of (const MtTable *t, int *out)
{
   size_t n = 0;
   for (size_t i = 0; i < t->column_count && i < MT_PROFILE_COLUMNS; i++)
      if (t->columns[i].role == MT_COL_DIMENSION)
         out[n++] = (int) i;
   return n;
}

typedef struct Ranked {
   int column;
   double cost;
} Ranked;

static int by_cost (const void *a, const void *b)
{
   double x = ((const Ranked *) a)->cost, y = ((const Ranked *) b)->cost;
   return (x > y) - (x < y);
}

/* Reduces the *n dimensions in `dims` to at most MT_ADVISED_DIMENSIONS: those whose probe layouts
 * make the workload cheapest. */
static bool rank_dimensions (Advice *x, const MtTable *t, int *dims, size_t *n, MtError *err)
{
   size_t from = x->list.count;
   Ranked ranked[MT_PROFILE_COLUMNS];
   if (*n <= MT_ADVISED_DIMENSIONS)
      return true;
   if (!mt_advise_probes (x->st, t, dims, *n, &x->list, err) || !compute_costs (x, from, err))
      return false;
   for (size_t i = 0; i < *n; i++) {
      size_t probes[MOST_LAYOUTS], count = 0;
      for (size_t k = from; k < x->list.count && count < MOST_LAYOUTS; k++)
         if (x->list.items[k].probes == dims[i])
            probes[count++] = k;
      ranked[i] = (Ranked) {dims[i], total_cost (x, probes, count)};
   }
   qsort (ranked, *n, sizeof *ranked, by_cost);
   for (*n = 0; *n < MT_ADVISED_DIMENSIONS; ++*n)
      dims[*n] = ranked[*n].column;
   return true;
}

static bool find_candidates (Advice *x, MtError *err)
{
   for (size_t i = 0; i < x->tables.count; i++)
      if (!add_existing (x, x->tables.v[i], err))
         return false;
   x->existing = x->list.count;
   if (!compute_costs (x, 0, err))
      return false;
   for (size_t i = 0; i < x->tables.count; i++) {
      const MtTable *t = x->tables.v[i];
      int dims[MT_PROFILE_COLUMNS];
      size_t n = dimensions_of (t, dims);
      if (t->time_column < 0)
         continue;
      if (!rank_dimensions (x, t, dims, &n, err))
         return false;
      size_t from = x->list.count;
      if (!mt_advise_candidates (x->st, t, dims, n, &x->list, err) || !compute_costs (x, from, err))
         return false;
   }
   return true;
}

/* Sets the names of the chosen layouts to names that are not in use. */
static void name_chosen (Advice *x)
{
   for (size_t i = 0; i < x->chosen_count; i++) {
      MtAdvised *c = &x->list.items[x->chosen[i]];
      const char *name = c->name;
      bool taken = true;
      for (int n = 2; taken; n++) {
         taken = mt_has_layout (c->real, name);
         for (size_t k = 0; k < i && !taken; k++) {
            const MtAdvised *other = &x->list.items[x->chosen[k]];
            taken = other->real == c->real && !strcmp (other->with->layouts[0].name, name);
         }
         name = taken ? mt_printf (x->st->arena, "%s_%d", c->name, n) : name;
      }
      c->with->layouts[0].name = name;
   }
}

/* ---- the statement's result ---- */

static const char *number (MtArena *a, double x)
{
   return isfinite (x) ? mt_printf (a, "%.0f", x) : NULL;
}

static void layout_row (const Advice *x, const MtAdvised *c)
{
   MtArena *a = x->st->result->arena;
   const MtLayout *l = &c->with->layouts[0];
   double rows = l->stats[0].records;
   const char *cells[] = {"layout",
                          l->name,
                          NULL,
                          number (a, c->documents),
                          number (a, c->bytes),
                          rows > 0 ? mt_printf (a, "%.1f", c->bytes / rows) : NULL,
                          NULL,
                          NULL,
                          mt_printf (a, "ALTER TABLE %s ADD LAYOUT %s USING %s",
                                     mt_quoted (a, c->real->name), mt_quoted (a, l->name),
                                     c->definition)};
   mt_result_add_row (x->st->result, cells);
}

/* Sets *layouts and *cuts to lists of the layouts and cuts (levels at which reading stops) by which
 * query k would read its tables. */
static bool used_by (Advice *x, size_t k, const char **layouts, const char **cuts, MtError *err)
{
   MtArena *a = x->st->result->arena;
   size_t *by = MT_NEW_N (x->st->arena, size_t, x->tables.count);
   *layouts = *cuts = "";
   query_cost (x, x->chosen, x->chosen_count, k, by);
   for (size_t t = 0; t < x->tables.count; t++) {
      const MtAdvised *c = &x->list.items[by[t]];
      Cost cost;
      if (c->real != x->tables.v[t] || !has_table (&x->queries[k].tables, c->real))
         continue;
      if (!cost_of (x, x->st->arena, c, &x->queries[k], &cost, err))
         return false;
      *layouts = mt_printf (a, "%s%s%s", *layouts, **layouts ? ", " : "", c->with->layouts[0].name);
      *cuts = mt_printf (a, "%s%s%s", *cuts, **cuts ? ", " : "", cost.cut);
   }
   return true;
}

static bool query_row (Advice *x, size_t k, MtError *err)
{
   MtArena *a = x->st->result->arena;
   const char *layouts, *cuts;
   if (!used_by (x, k, &layouts, &cuts, err))
      return false;
   const char *cells[] = {"query",
                          layouts,
                          cuts,
                          NULL,
                          NULL,
                          NULL,
                          number (a, query_cost (x, NULL, 0, k, NULL)),
                          number (a, query_cost (x, x->chosen, x->chosen_count, k, NULL)),
                          mt_strdup (a, x->queries[k].sql)};
   mt_result_add_row (x->st->result, cells);
   return true;
}

static bool add_rows (Advice *x, MtError *err)
{
   static const char *const titles[] = {"kind",      "layout",    "cut",
                                        "documents", "bytes",     "bytes_per_row",
                                        "cost_now",  "cost_then", "text"};
   MtArena *a = x->st->result->arena;
   mt_result_text_columns (x->st->result, 9, titles);
   for (size_t i = 0; i < x->chosen_count; i++)
      layout_row (x, &x->list.items[x->chosen[i]]);
   for (size_t k = 0; k < x->query_count; k++)
      if (!query_row (x, k, err))
         return false;
   const char *cells[] = {"total",
                          NULL,
                          NULL,
                          NULL,
                          number (a, bytes_of (x, x->chosen, x->chosen_count)),
                          NULL,
                          number (a, total_cost (x, NULL, 0)),
                          number (a, total_cost (x, x->chosen, x->chosen_count)),
                          mt_printf (a, "%zu of %zu layouts considered", x->chosen_count,
                                     x->list.count - x->existing)};
   mt_result_add_row (x->st->result, cells);
   return true;
}

bool mt_run_advise (MtStatement *st, MtError *err)
{
   Advice x = {.st = st, .tables = {.arena = st->arena}};
   if (!read_options (&x, err) || !read_workload (&x, err) || !find_candidates (&x, err))
      return false;
   choose (&x);
   name_chosen (&x);
   mt_result_set_tag (st->result, "ADVISE");
   return add_rows (&x, err);
}
