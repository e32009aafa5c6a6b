#include "planner/cut/choose.h"

#include "layouts/expire.h"
#include "planner/cut/opened.h"
#include "query/function.h"

/* If the cheapest cut costs at least this much (the unit is in cost.c), which is about 0.5 ms, the
 * engine is asked which blocks would be read. The answer takes 0.1 to 0.3 ms. */
#define WORTH_ASKING 4e6

typedef struct Ways {
   const MtLayout *layout;
   const MtWay *list;
   int count;
} Ways;

typedef struct Choosing {
   MtArena *a;
   const MtNeed *need;
   /* A copy of `need` (the filters, times and columns of the query) that always has time ranges. */
   const MtNeed *timed;
   const MtPlanSettings *settings;
   MtOpenings openings;
   MtCandidates *out;
   MtChoice best;
   int best_at;     /* index in out->list of the cheapest candidate; -1: none yet */
   const Ways *all; /* for each layout: its levels; set when layouts are combined */
   int all_count;
   bool layout_seen, cut_seen;
   /* A layout lacks rows that the query needs, because they have expired. Other layouts may still
    * have them. */
   bool lacked;
} Choosing;

static MtCandidate *new_candidate (Choosing *c, const char *layout, const char *cut)
{
   MtCandidates *s = c->out;
   MT_GROW_IN (c->a, s->list, s->count, s->capacity, 16);
   MtCandidate *x = &s->list[s->count++];
   *x = (MtCandidate) {.table = c->need->table->name, .layout = layout, .cut = cut, .reason = ""};
   return x;
}

static bool wanted_cut (Choosing *c, const char *name)
{
   if (!c->settings->cut)
      return true;
   bool same = mt_ieq (name, c->settings->cut);
   c->cut_seen |= same;
   return same;
}

static MtCost plus (MtCost x, MtCost y)
{
   return (MtCost) {x.cells + y.cells, x.bytes + y.bytes, x.total + y.total, x.rows + y.rows};
}

static MtCost cost_of (Choosing *c, const MtPiece *piece)
{
   return mt_cut_cost (piece, c->need, mt_opened_of (&c->openings, c->need, piece));
}

static void offer (Choosing *c, const char *layout, const char *cut, const MtChoice *choice,
                   MtCost cost)
{
   MtCandidate *x = new_candidate (c, layout, cut);
   x->legal = true;
   x->cost = cost.total;
   x->cells = cost.cells;
   x->rows = cost.rows;
   x->bytes = cost.bytes;
   if (!wanted_cut (c, cut)) {
      x->reason = "another cut is forced";
      return;
   }
   if (c->best_at < 0 || cost.total < c->out->list[c->best_at].cost) {
      c->best = *choice;
      c->best_at = (int) (x - c->out->list);
   }
}

static void decline (Choosing *c, const MtWay *w, const char *reason)
{
   const int64_t month = 31 * mt_unit_ms (MT_UNIT_DAY);
   MtCandidate *x = new_candidate (c, w->layout->name, w->name);
   x->reason = reason;
   if (w->time_exact)
      x->grain_ms = 0;
   else if (w->time_at < 0)
      x->grain_ms = INT64_MAX;
   else
      x->grain_ms = mt_unit_ms (w->grain) ? mt_unit_ms (w->grain) : month;
   wanted_cut (c, w->name);
}

/* ---- hybrid cuts ---- */

/* Returns those parts of the ranges that consist of whole units, such as hours or days. */
static MtRangeSet inner_ranges (MtArena *a, MtRangeSet s, MtUnit unit)
{
   MtRangeSet out = {MT_NEW_N (a, MtRange, (size_t) s.count + 1), 0};
   for (int i = 0; i < s.count; i++) {
      int64_t lo = s.ranges[i].lo, hi = mt_unit_floor (s.ranges[i].hi, unit);
      if (!mt_on_unit (lo, unit))
         lo = mt_unit_next (lo, unit);
      if (lo < hi)
         out.ranges[out.count++] = (MtRange) {lo, hi};
   }
   return out;
}

/* Returns the cheapest level of w that can answer the query for the time ranges, and sets *cost.
 * store: only levels of this store; NULL: any. docs: which documents are read. NULL: no level can
 * answer. */
static const MtWay *cheapest (Choosing *c, const Ways *w, MtRangeSet ranges, MtDocMode docs,
                              const MtStoreDesc *store, MtCost *cost)
{
   const MtWay *best = NULL;
   const char *reason;
   for (int i = 0; i < w->count; i++) {
      if (store && w->list[i].store != store)
         continue;
      if (!mt_cut_answers (c->a, &w->list[i], c->timed, ranges, docs, &reason))
         continue;
      MtPiece piece = {&w->list[i], ranges, docs};
      MtCost x = mt_cut_cost (&piece, c->timed, mt_opened_of (&c->openings, c->timed, &piece));
      if (!best || x.total < cost->total) {
         best = &w->list[i];
         *cost = x;
      }
   }
   return best;
}

/* Estimates the share of documents that contain a start or end of the queried time ranges, so that
 * only a part of the document is needed. */
static double across_ends (const Choosing *c, const MtWay *upper)
{
   const MtStoreStats *s = upper->stats;
   const MtTable *t = c->need->table;
   if (!s || !s->present || !s->has_time || !s->nodes || s->documents < 1)
      return 0.5;
   double ends = 0, span = (double) (s->max_ms - s->min_ms) + 1, cells = 0;
   for (int i = 0; i < c->need->ranges.count; i++) {
      const MtRange *r = &c->need->ranges.ranges[i];
      ends += (r->lo > s->min_ms && r->lo <= s->max_ms) + (r->hi > s->min_ms && r->hi <= s->max_ms);
   }
   for (size_t i = 0; i < upper->store->node_count; i++)
      for (size_t b = 0; b < upper->store->nodes[i]->bind_count; b++)
         if (upper->store->nodes[i]->binds[b].column == t->time_column)
            cells = s->nodes[upper->store->nodes[i]->id].cells;
   double period = (double) t->columns[t->time_column].period_ms;
   double one = period > 0 && cells > 0 ? cells / s->documents * period / span : 0.5;
   return ends * one < 1 ? ends * one : 1;
}

/* Gives each range of time a piece of its own, so that no two pieces overlap in time, if the query
 * needs that. False: there are too many, or a piece is of some documents only. */
static bool part_times (Choosing *c, MtChoice *choice)
{
   MtChoice out = {.count = 0};
   for (int i = 0; i < choice->count && c->need->apart; i++) {
      const MtPiece *p = &choice->pieces[i];
      if (p->docs != MT_DOCS_ALL || out.count + p->ranges.count > MT_MAX_PIECES)
         return false;
      for (int k = 0; k < p->ranges.count; k++)
         out.pieces[out.count++] = (MtPiece) {
            p->way, mt_ranges_one (c->a, p->ranges.ranges[k].lo, p->ranges.ranges[k].hi), p->docs};
   }
   if (c->need->apart)
      *choice = out;
   return true;
}

static void try_hybrid (Choosing *c, const Ways *ways, const MtWay *upper)
{
   const char *reason;
   bool by_document = upper->time_at < 0 && upper->levels[0]->range.present && upper->count == 1;
   MtPiece top = {upper, c->need->ranges, by_document ? MT_DOCS_INSIDE : MT_DOCS_ALL};
   MtPiece edge = {NULL, c->need->ranges, by_document ? MT_DOCS_EDGE : MT_DOCS_ALL};
   if (!by_document) {
      if (upper->time_at < 0 || upper->time_exact)
         return;
      top.ranges = inner_ranges (c->a, c->need->ranges, upper->grain);
      edge.ranges = mt_ranges_without (c->a, c->need->ranges, top.ranges);
      if (top.ranges.count == 0 || edge.ranges.count == 0)
         return;
   }
   if (!mt_cut_answers (c->a, upper, c->need, top.ranges, top.docs, &reason))
      return;
   MtCost below = {0}, above = cost_of (c, &top);
   edge.way = cheapest (c, ways, edge.ranges, edge.docs, by_document ? upper->store : NULL, &below);
   if (!edge.way || edge.way == upper)
      return;
   if (by_document) {
      double share = across_ends (c, upper);
      below.cells *= share;
      below.rows *= share;
      below.bytes *= share;
      below.total *= share;
   }
   MtChoice both = {.pieces = {top, edge}, .count = 2};
   MtCost sum = plus (above, below);
   if (part_times (c, &both))
      offer (c, ways->layout->name, mt_printf (c->a, "%s + %s", upper->name, edge.way->name), &both,
             sum);
}

/* ---- combining layouts that keep their rows for different times ---- */

/* Returns the earliest time in a set of ranges. MT_TIME_MAX: the set is empty. */
static int64_t first_of (MtRangeSet s) { return s.count ? s.ranges[0].lo : MT_TIME_MAX; }

static int64_t horizon_of (const Choosing *c, const MtLayout *l)
{
   return mt_layout_horizon (c->need->table, l, c->need->style.now_ms);
}

/* Returns whether a layout still has all rows of the time ranges that the query needs. Rows that
 * have expired in the table are not needed. */
static bool keeps (const Choosing *c, const MtLayout *l, MtRangeSet ranges)
{
   return !l->expiry ||
          horizon_of (c, l) <= first_of (mt_ranges_intersect (c->a, ranges, c->need->within));
}

static const char *lost_reason (Choosing *c, const MtLayout *l)
{
   MtBuf text = {0};
   mt_buf_adds (&text, "rows before ");
   mt_timestamptz_out (horizon_of (c, l), c->need->style.zone, &text);
   mt_buf_adds (&text, " have expired there");
   const char *reason = mt_strndup (c->a, text.p, text.n);
   mt_buf_free (&text);
   return reason;
}

/* A set of pieces of a plan, each from one layout, that together cover some time ranges. Older
 * times are read from layouts that still have them. */
typedef struct Cover {
   MtChoice choice;
   MtCost cost;
   bool found;
} Cover;

/* Returns the cheapest nesting level of one layout that can answer for the time ranges. NULL: the
 * layout lacks expired rows, or no level can answer. */
static const MtWay *cheapest_of (Choosing *c, const Ways *w, MtRangeSet ranges, MtCost *cost)
{
   return keeps (c, w->layout, ranges) ? cheapest (c, w, ranges, MT_DOCS_ALL, NULL, cost) : NULL;
}

/* Sets *best to *more if that is cheaper. Reading the times of one layout by two parts of a plan
 * costs as much as by one, apart from rounding. So *more must be cheaper by more than rounding, and
 * covers with fewer parts are to be offered first. */
static void take_cheaper (Cover *best, const Cover *more)
{
   const double rounding = 1e-9;
   if (more->found && (!best->found || more->cost.total < best->cost.total * (1 - rounding)))
      *best = *more;
}

static Cover joined (const Cover *rest, const MtWay *way, MtRangeSet ranges, MtCost cost)
{
   Cover out = *rest;
   out.choice.pieces[out.choice.count++] = (MtPiece) {way, ranges, MT_DOCS_ALL};
   out.cost = plus (cost, rest->cost);
   return out;
}

static Cover cover (Choosing *c, MtRangeSet ranges, int deep);

/* Returns a cover of the time ranges. In it the layout `older` is read for the whole units (hours,
 * days …) before time `to`, and other layouts for all other times. `found` is false if there is
 * none. */
static Cover cover_from (Choosing *c, const Ways *older, MtUnit unit, MtRangeSet ranges, int64_t to,
                         int deep)
{
   Cover none = {.found = false}, rest;
   MtCost cost;
   MtRangeSet top = mt_ranges_intersect (c->a, inner_ranges (c->a, ranges, unit),
                                         mt_ranges_one (c->a, MT_TIME_MIN, to)),
              others = mt_ranges_without (c->a, ranges, top);
   if (top.count == 0 || others.count == 0)
      return none;
   const MtWay *way = cheapest_of (c, older, top, &cost);
   rest = way ? cover (c, others, deep + 1) : none;
   return rest.found ? joined (&rest, way, top, cost) : none;
}

/* Returns the start of the next unit (hour, day …), or ms itself if a unit starts there. */
static int64_t unit_end (int64_t ms, MtUnit unit)
{
   return mt_on_unit (ms, unit) ? ms : mt_unit_next (ms, unit);
}

/* Tries the times at which a plan can switch from the layout `older`, which has the oldest rows, to
 * another layout: the horizon of each layout (before which its rows have expired), and the end of
 * the last whole unit. Updates *best. */
static void split_at_horizons (Choosing *c, const Ways *older, MtUnit unit, MtRangeSet ranges,
                               int deep, Cover *best)
{
   Cover whole = cover_from (c, older, unit, ranges, MT_TIME_MAX, deep);
   take_cheaper (best, &whole);
   for (int i = 0; i < c->all_count; i++) {
      int64_t horizon = horizon_of (c, c->all[i].layout);
      if (horizon <= first_of (ranges))
         continue;
      Cover some = cover_from (c, older, unit, ranges, unit_end (horizon, unit), deep);
      take_cheaper (best, &some);
   }
}

/* Returns the cheapest set of pieces (parts of a plan), from one or several layouts, that together
 * cover the time ranges. deep: depth of the recursion. */
static Cover cover (Choosing *c, MtRangeSet ranges, int deep)
{
   Cover best = {.found = false};
   for (int i = 0; i < c->all_count; i++) {
      Cover one = {.choice = {.count = 0}};
      const MtWay *way = cheapest_of (c, &c->all[i], ranges, &one.cost);
      one.found = way;
      one.choice.pieces[one.choice.count++] = (MtPiece) {way, ranges, MT_DOCS_ALL};
      take_cheaper (&best, &one);
   }
   for (int i = 0; i < c->all_count && deep + 1 < MT_MAX_PIECES / 2; i++) {
      bool seen[MT_UNIT_EPOCH + 1] = {false};
      for (int k = 0; k < c->all[i].count && keeps (c, c->all[i].layout, ranges); k++) {
         const MtWay *w = &c->all[i].list[k];
         MtUnit unit = w->time_exact ? MT_UNIT_MS : w->grain;
         if (w->time_at < 0 || seen[unit])
            continue;
         seen[unit] = true;
         split_at_horizons (c, &c->all[i], unit, ranges, deep, &best);
      }
   }
   return best;
}

/* Sets *layouts and *cuts to the names of the layouts and levels of all pieces, the oldest first,
 * such as "months + rows". */
static void name_pieces (Choosing *c, const MtChoice *choice, const char **layouts,
                         const char **cuts)
{
   *layouts = *cuts = "";
   for (int i = choice->count - 1; i >= 0; i--) {
      const MtWay *w = choice->pieces[i].way;
      const char *plus = i < choice->count - 1 ? " + " : "";
      bool same = i < choice->count - 1 && w->layout == choice->pieces[i + 1].way->layout;
      *layouts = same ? *layouts : mt_printf (c->a, "%s%s%s", *layouts, plus, w->layout->name);
      *cuts = mt_printf (c->a, "%s%s%s", *cuts, plus, w->name);
   }
}

/* Tries to combine several layouts, if one alone can't answer: one has expired rows while another
 * has only coarse sums, or a roll-up has only whole buckets. */
static void try_several (Choosing *c, const MtLayout *const *layouts, int count)
{
   Ways *all = MT_NEW_N (c->a, Ways, (size_t) count + 1);
   int n = 0;
   for (int i = 0; i < count; i++)
      if (layouts[i]->keeps != MT_KEEPS_LATEST) {
         all[n].layout = layouts[i];
         all[n].list = mt_ways (c->a, c->need->table, layouts[i], &all[n].count);
         n++;
      }
   c->all = all;
   c->all_count = n;
   Cover best = cover (c, c->need->ranges, 0);
   if (!best.found || best.choice.count < 2)
      return;
   const char *names, *cuts;
   name_pieces (c, &best.choice, &names, &cuts);
   if (part_times (c, &best.choice))
      offer (c, names, cuts, &best.choice, best.cost);
}

/* ---- comparing all candidates ---- */

static void try_layout (Choosing *c, const MtLayout *l)
{
   int count;
   MtWay *ways = mt_ways (c->a, c->need->table, l, &count);
   bool lost = !keeps (c, l, c->need->ranges);
   c->lacked |= lost;
   for (int i = 0; i < count; i++) {
      const char *reason;
      if (!c->settings->optimize && (ways[i].mode != MT_CUT_RECORDS || l->keeps == MT_KEEPS_LATEST))
         continue;
      if (lost) {
         decline (c, &ways[i],
                  mt_cut_answers (c->a, &ways[i], c->need, c->need->ranges, MT_DOCS_ALL, &reason)
                     ? lost_reason (c, l)
                     : reason);
         continue;
      }
      if (mt_cut_answers (c->a, &ways[i], c->need, c->need->ranges, MT_DOCS_ALL, &reason)) {
         MtChoice one = {.pieces = {{&ways[i], c->need->ranges, MT_DOCS_ALL}}, .count = 1};
         offer (c, l->name, ways[i].name, &one, cost_of (c, &one.pieces[0]));
         continue;
      }
      decline (c, &ways[i], reason);
      if (c->need->mergeable && c->need->has_ranges && c->need->ranges.count &&
          ways[i].mode == MT_CUT_AGGREGATE && c->need->query->grouped)
         try_hybrid (c, &(Ways) {l, ways, count}, &ways[i]);
   }
}

static const char *first_reason (const Choosing *c, int from, const char **layout)
{
   /* Report the reason of the candidate with the finest time, since it comes nearest to an
    * answer. */
   const MtCandidate *best = NULL;
   for (int i = c->out->count - 1; i >= from; i--) {
      const MtCandidate *x = &c->out->list[i];
      if (*x->reason && (!best || x->grain_ms < best->grain_ms))
         best = x;
   }
   *layout = best ? mt_printf (c->a, "%s, cut at %s", best->layout, best->cut) : "";
   return best ? best->reason : "";
}

/* Returns the layout that SET layout allows for the table. NULL: all layouts. */
static const char *given_layout (const Choosing *c)
{
   const MtTable *of = c->settings->layout_of;
   return !of || of == c->need->table ? c->settings->layout : NULL;
}

/* Returns whether some layout of the table stores the number of records in its entries. */
static bool counts_records (const MtTable *t)
{
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count; j++)
         for (size_t k = 0; k < t->layouts[i].stores[j].node_count; k++)
            if (t->layouts[i].stores[j].nodes[k]->agg.n)
               return true;
   return false;
}

/* Returns in words what layout l keeps, for a hint: "rows", "newest rows", "sums by month". */
static const char *what_is_kept (Choosing *c, const MtLayout *l)
{
   size_t count;
   const MtTable *t = c->need->table;
   const MtLeafWay *ways = mt_leaf_ways (c->a, t, &count),
                   *leaf = mt_leaf_trusted (t, ways, count, (int) (l - t->layouts));
   if (l->keeps == MT_KEEPS_ROLLUP)
      return "roll-ups";
   if (!leaf || leaf->records)
      return leaf ? "rows" : "newest rows";
   return leaf->timed && leaf->grain != MT_UNIT_MS
             ? mt_printf (c->a, "sums by %s", mt_unit_name (leaf->grain))
             : "sums";
}

static bool counts_distinct (const MtQuery *q)
{
   bool any = false;
   for (int i = 0; i < q->agg_count && !any; i++)
      any = q->aggs[i].distinct && q->aggs[i].agg->rule == MT_AGG_COUNT;
   return any;
}

/* Returns a hint that states what each layout keeps: Layout "rows" keeps rows from … on, layout
 * "months" sums by month. */
static const char *who_keeps_what (Choosing *c)
{
   const MtTable *t = c->need->table;
   MtBuf text = {0};
   for (size_t i = 0; i < t->layout_count; i++) {
      const MtLayout *l = &t->layouts[i];
      int64_t horizon = horizon_of (c, l);
      mt_buf_printf (&text, "%sayout \"%s\"%s %s", i ? ", l" : "L", l->name, i ? "" : " keeps",
                     what_is_kept (c, l));
      if (horizon == MT_NEVER_EXPIRES)
         continue;
      mt_buf_adds (&text, " from ");
      mt_timestamptz_out (horizon, c->need->style.zone, &text);
      mt_buf_adds (&text, " on");
   }
   mt_buf_printf (
      &text, ". Add WHERE %s >= ... to select only rows that are kept.%s",
      t->columns[t->time_column].name,
      counts_distinct (c->need->query)
         ? " Layouts can be combined below DISTINCT: SELECT count(*) FROM (SELECT DISTINCT ...)."
         : "");
   const char *out = mt_strndup (c->a, text.p, text.n);
   mt_buf_free (&text);
   return out;
}

/* Returns the hint " Perhaps you meant …" with a layout whose name is similar to that of SET
 * layout; "" if there is none. */
static const char *near_layout (const Choosing *c)
{
   const MtTable *t = c->need->table;
   const char **names = MT_NEW_N (c->a, const char *, t->layout_count + 1);
   for (size_t i = 0; i < t->layout_count; i++)
      names[i] = t->layouts[i].name;
   const char *near = mt_nearest (c->settings->layout, names, t->layout_count);
   return near ? mt_printf (c->a, " Perhaps you meant \"%s\".", near) : "";
}

static bool nothing_answers (Choosing *c, int from, MtError *err)
{
   const MtTable *t = c->need->table;
   const MtPlanSettings *s = c->settings;
   if (given_layout (c) && !c->layout_seen) {
      mt_error (err, MT_E_UNDEFINED_OBJECT, "table \"%s\" has no layout \"%s\"", t->name,
                s->layout);
      return mt_error_hint (err, "Use SET layout = DEFAULT to let the planner choose.%s",
                            near_layout (c));
   }
   if (s->cut && !c->cut_seen) {
      mt_error (err, MT_E_UNDEFINED_OBJECT,
                "no layout of table \"%s\" has a cut \"%s\" for this query", t->name, s->cut);
      return mt_error_hint (
         err, "Use EXPLAIN to list the cuts, or SET cut = DEFAULT to let the planner choose.");
   }
   const char *where, *why = first_reason (c, from, &where);
   mt_error (err, MT_E_FEATURE, "no layout of table \"%s\" can answer this query", t->name);
   if (*why)
      mt_error_detail (err, "Layout %s: %s.", where, why);
   if (c->lacked)
      return mt_error_hint (err, "%s", who_keeps_what (c));
   bool keeps[MT_KEEPS_ROLLUP + 1] = {false};
   for (size_t i = 0; i < t->layout_count; i++)
      keeps[t->layouts[i].keeps] = true;
   if (keeps[MT_KEEPS_RECORDS])
      return mt_error_hint (err, "Use EXPLAIN to see the reason of each layout.");
   if (keeps[MT_KEEPS_LATEST])
      return mt_error_hint (
         err, "The table keeps the newest record of each key. Select it with DISTINCT ON (key) ... "
              "ORDER BY key, time DESC, or with last (value, time) ... "
              "GROUP BY key, or add a layout that keeps records.");
   return mt_error_hint (
      err,
      "The table's layouts keep sums. Select %s grouped by its dimensions, or load the records "
      "into a table with a layout that keeps them.",
      counts_records (t) ? "sums, counts or averages" : "sums");
}

/* Returns whether some of the layouts is a roll-up. If a time range begins or ends within its
 * buckets, other layouts are read for these ends. */
static bool has_rollup (const MtLayout *const *layouts, int count)
{
   bool any = false;
   for (int i = 0; i < count; i++)
      any = any || layouts[i]->keeps == MT_KEEPS_ROLLUP;
   return any;
}

/* Adds the cuts of all layouts that may be read to the candidates, and combinations of layouts.
 * Returns the number of these layouts. */
static int try_all (Choosing *c)
{
   const MtNeed *need = c->need;
   const MtLayout **tried = MT_NEW_N (c->a, const MtLayout *, need->table->layout_count + 1);
   int count = 0;
   for (size_t i = 0; i < need->table->layout_count; i++) {
      const MtLayout *l = &need->table->layouts[i];
      if (given_layout (c) && !mt_ieq (given_layout (c), l->name))
         continue;
      c->layout_seen = true;
      tried[count++] = l;
      try_layout (c, l);
   }
   if ((c->lacked || (need->has_ranges && has_rollup (tried, count))) && count > 1 &&
       need->mergeable && need->query->grouped && need->ranges.count && c->settings->optimize)
      try_several (c, tried, count);
   return count;
}

/* Compares all cuts again, after asking the engine which blocks (groups of documents) the
 * conditions would read. Does so only if the query takes so long that asking pays off. from: number
 * of candidates before this table's. */
static void ask_and_retry (Choosing *c, int from)
{
   const MtNeed *need = c->need;
   if (c->best_at < 0 || !c->settings->opened || !need->skips ||
       !(need->has_ranges || need->filter_count) || c->out->list[c->best_at].cost < WORTH_ASKING)
      return;
   c->out->count = from;
   c->best_at = -1;
   c->openings.asks = true;
   try_all (c);
}

bool mt_choose (MtArena *a, const MtNeed *need, const MtPlanSettings *settings,
                MtCandidates *candidates, MtChoice *out, MtError *err)
{
   MtNeed timed = *need;
   timed.has_ranges = true;
   Choosing c = {.a = a,
                 .need = need,
                 .timed = &timed,
                 .settings = settings,
                 .openings = {.a = a, .settings = settings},
                 .out = candidates,
                 .best_at = -1};
   int from = candidates->count;
   candidates->table_uses++;
   if (try_all (&c) > 1)
      ask_and_retry (&c, from);
   if (c.best_at < 0)
      return nothing_answers (&c, from, err);
   candidates->list[c.best_at].chosen = true;
   for (int i = from; i < candidates->count; i++)
      candidates->list[i].table_use = candidates->table_uses;
   *out = c.best;
   return true;
}

MtCandidate *mt_chosen (const MtCandidates *c)
{
   for (int i = c->count - 1; i >= 0; i--)
      if (c->list[i].chosen && c->list[i].table_use == c->table_uses)
         return &c->list[i];
   return NULL;
}
