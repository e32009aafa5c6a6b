/* Windows in a plan. A block with windows is split in two: below, what gives the rows; above, what is computed of them and of the windows'
 * results. Between them: a $sort for each order of rows that is needed, and $_mtWindow. */
#include "planner/window.h"

#include "planner/bind_int.h"
#include "planner/group.h"
#include "planner/plan_int.h"

#include <string.h>

/* ---- splitting a block ---- */

typedef struct Below {
   MtBinder *b;
   MtQuery *inner;
   int cap;
   int calls;            /* columns before the sub-select's */
   bool waits;           /* window calls stay what they are */
} Below;

/* The column that has the value of x, an expression over what the sub-select has. */
static MtX *column_of (Below *below, MtX *x)
{
   MtQuery *q = below->inner;
   MtArena *a = below->b->a;
   int i = 0;
   while (i < q->target_count && (x->is_volatile || !mt_x_equal (q->targets[i].expr, x)))
      i++;
   MT_GROW_IN (a, q->targets, i, below->cap, 8);
   if (i == q->target_count)
      q->targets[q->target_count++] = (MtTargetX){mt_printf (a, "column%d", i + 1), x};
   MtX *c = mt_x_new (a, MT_X_COLUMN, x->type, x->span);
   c->column = below->calls + i;
   mt_x_refers (c, x);
   return c;
}

static bool whole_below (void *ctx, MtX **x)
{
   *x = column_of (ctx, *x);
   return true;
}

/* x with columns of the sub-select in place of what the block had, and of window calls. Nothing is changed in place. */
static bool leaves_below (void *ctx, MtX **x)
{
   Below *below = ctx;
   MtX *o = *x;
   if ((o->kind == MT_X_COLUMN && o->column >= MT_PENDING_COLUMN) || (o->kind == MT_X_WINDOW && below->waits))
      return true;
   if (o->kind == MT_X_COLUMN || o->kind == MT_X_KEY || o->kind == MT_X_AGG) {
      *x = column_of (below, o);
      return true;
   }
   if (o->kind == MT_X_WINDOW) {
      *x = mt_x_new (below->b->a, MT_X_COLUMN, o->type, o->span);
      (*x)->column = o->index;
      mt_x_refers (*x, o);
      return true;
   }
   return mt_x_map_children (below->b, x, leaves_below, below);
}

static bool split_windows (Below *below, MtWindows *w)
{
   MtWindows calls = *w, defs = *w;
   calls.def_count = defs.call_count = 0;
   return mt_windows_each (&defs, whole_below, below) && mt_windows_each (&calls, leaves_below, below);
}

static void window_columns (MtArena *a, const MtWindows *w, const MtQuery *inner, MtRel *rel)
{
   *rel = (MtRel){.kind = MT_REL_QUERY, .alias = "unnamed", .query = (MtQuery *) inner};
   rel->column_count = w->call_count + inner->target_count;
   rel->columns = MT_NEW_N (a, MtRelColumn, (size_t) rel->column_count + 1);
   rel->targets = MT_NEW_N (a, int, (size_t) rel->column_count + 1);
   for (int i = 0; i < rel->column_count; i++)
      rel->targets[i] = i < w->call_count ? -1 : i - w->call_count;
   for (int i = 0; i < w->call_count; i++)
      rel->columns[i] = (MtRelColumn){mt_printf (a, "window%d", i + 1), w->calls[i].type, true, false};
   for (int i = 0; i < inner->target_count; i++)
      rel->columns[w->call_count + i] = mt_rel_column_of (inner->targets[i].name, inner->targets[i].expr);
}

static bool above_below (Below *below, MtQuery *q)
{
   for (int i = 0; i < q->target_count; i++)
      if (!leaves_below (below, &q->targets[i].expr))
         return false;
   for (int i = 0; i < q->sort_count; i++)
      if (!leaves_below (below, &q->sort[i].expr))
         return false;
   return true;
}

static MtQuery *inner_of (MtArena *a, const MtQuery *q)
{
   MtQuery *inner = MT_NEW (a, MtQuery);
   *inner = (MtQuery){.arms = q->arms, .arm_count = q->arm_count, .times = q->times, .rel = q->rel, .where = q->where, .grouped = q->grouped, .keys = q->keys, .key_count = q->key_count,
                      .aggs = q->aggs, .agg_count = q->agg_count, .having = q->having, .gapfill = q->gapfill, .limit = -1};
   return inner;
}

/* What the inner one has now. */
static void clear_lower (MtQuery *q)
{
   q->arms = NULL;
   q->arm_count = 0;
   q->times = NULL;
   q->where = q->having = NULL;
   q->grouped = false;
   q->gapfill = NULL;
   q->keys = NULL;
   q->aggs = NULL;
   q->key_count = q->agg_count = 0;
}

bool mt_window_query (MtBinder *b, MtQuery *q)
{
   MtWindows *w = q->windows;
   if (!w)
      return true;
   MtQuery *inner = inner_of (b->a, q);
   Below below = {.b = b, .inner = inner, .calls = w->call_count};
   if (!split_windows (&below, w) || !above_below (&below, q))
      return false;
   inner->visible_count = inner->target_count;
   clear_lower (q);
   window_columns (b->a, w, inner, &q->rel);
   return true;
}

bool mt_lower_query (MtBinder *b, MtQuery *q, MtX **list, int count)
{
   MtWindows none = {.call_count = 0};
   MtQuery *inner = inner_of (b->a, q);
   Below below = {.b = b, .inner = inner, .waits = true};
   for (int i = 0; i < count; i++)
      if (!leaves_below (&below, &list[i]))
         return false;
   if (!above_below (&below, q) || (q->windows && !mt_windows_each (q->windows, leaves_below, &below)))
      return false;
   inner->visible_count = inner->target_count;
   clear_lower (q);
   window_columns (b->a, &none, inner, &q->rel);
   return true;
}

/* ---- conditions from above ---- */

typedef struct Partitioned {
   const MtWindows *w;
   bool all;
} Partitioned;

/* Equal values of these types are the same in every respect, so that a condition holds for all rows of a partition or for none. */
static bool is_exact (MtTypeId id)
{
   return mt_type_is_integer (id) || id == MT_T_TEXT || id == MT_T_VARCHAR || id == MT_T_BOOL || id == MT_T_DATE || id == MT_T_TIMESTAMP ||
          id == MT_T_TIMESTAMPTZ || id == MT_T_TIME || id == MT_T_UUID || id == MT_T_OBJECTID;
}

static void check_partitioned (void *ctx, int column)
{
   Partitioned *p = ctx;
   for (int d = 0; d < p->w->def_count; d++) {
      const MtWindowDef *def = &p->w->defs[d];
      bool found = false;
      for (int i = 0; i < def->partition_count && !found; i++)
         found = def->partition[i]->column == column && is_exact (def->partition[i]->type.id);
      p->all = p->all && found;
   }
}

bool mt_windows_let_pass (const MtWindows *w, const MtX *condition)
{
   Partitioned p = {w, true};
   mt_x_each_column (condition, check_partitioned, &p);
   return p.all && !condition->is_volatile;
}

/* ---- stages ---- */

typedef struct Emitting {
   MtArena *a;
   const MtQuery *q;
   const MtWindows *w;
   MtEmit *emit;
   MtPipe *pipe;
   MtPlace *places;      /* by column of q->rel */
   MtGrouping g;         /* its aggregates are those of the calls, by call, from first_agg on */
   int first_agg;        /* beyond the sub-select's columns: fields of aggregates are numbered with them, and may be called c<i>, too */
   int sorted;           /* the window that the rows were last sorted for */
   MtError *err;
} Emitting;

static const char *field_of (Emitting *e, const MtX *column)
{
   return mt_target_field (e->a, column->column - e->w->call_count);
}

static const char *rank_name (Emitting *e, int i)
{
   return mt_printf (e->a, "r%d_%d", e->sorted, i);
}

static const bson_t *rank_of (Emitting *e, const MtSortX *s)
{
   return mt_sort_rank (e->a, s, mt_mql_path (e->a, field_of (e, s->expr)));
}

static void add_item (bson_t *list, MtVal v)
{
   char key[MT_INDEX_SIZE];
   mt_doc_add (list, mt_index_key (bson_count_keys (list), key), v);
}

/* Sorts the rows for a window; its ranks stay as fields. */
static void sort_for (Emitting *e, int def)
{
   const MtWindowDef *d = &e->w->defs[def];
   bson_t *ranks = mt_doc_new (e->a), *sort = mt_doc_new (e->a);
   for (int i = 0; i < d->partition_count; i++)
      mt_doc_add_int (sort, field_of (e, d->partition[i]), 1);
   for (int i = 0; i < d->order_count; i++) {
      const char *f = field_of (e, d->order[i].expr);
      const bson_t *rank = rank_of (e, &d->order[i]);
      if (bson_has_field (sort, f)) /* decided before */
         continue;
      if (rank) {
         mt_doc_add (ranks, rank_name (e, i), mt_doc_value (rank));
         mt_doc_add_int (sort, rank_name (e, i), mt_rank_direction (&d->order[i]));
      }
      mt_doc_add_int (sort, f, d->order[i].descending ? -1 : 1);
   }
   if (!bson_empty (ranks))
      mt_pipe_add (e->pipe, "$addFields", ranks);
   if (!bson_empty (sort))
      mt_pipe_add (e->pipe, "$sort", sort);
}

static MtVal bound_value (Emitting *e, const MtBoundX *b)
{
   bson_t *d = mt_doc_new (e->a);
   if (b->state) {
      bson_t *fail = mt_doc_new (e->a);
      add_item (fail, mt_v_str (b->state, strlen (b->state)));
      add_item (fail, mt_v_str (b->message, strlen (b->message)));
      mt_doc_add_array (d, b->by_row ? "failAtRow" : "fail", fail);
      return mt_v_doc (d);
   }
   switch (b->kind) {
   case MT_BOUND_UNBOUNDED_PRECEDING:
   case MT_BOUND_UNBOUNDED_FOLLOWING:
      return mt_v_str ("unbounded", 9);
   case MT_BOUND_CURRENT_ROW:
      return mt_v_str ("current", 7);
   case MT_BOUND_PRECEDING:
   case MT_BOUND_FOLLOWING:
      break;
   }
   if (b->limit)
      mt_doc_add_path (e->a, d, "at", field_of (e, b->limit));
   else
      mt_doc_add_int (d, b->kind == MT_BOUND_PRECEDING ? "preceding" : "following", b->offset);
   return mt_v_doc (d);
}

static bson_t *frame_of (Emitting *e, int def)
{
   static const char *const modes[] = {[MT_FRAME_ROWS] = "rows", [MT_FRAME_RANGE] = "range", [MT_FRAME_GROUPS] = "groups"};
   const MtWindowDef *d = &e->w->defs[def];
   bson_t *f = mt_doc_new (e->a);
   mt_doc_add (f, "mode", mt_v_str (modes[d->mode], strlen (modes[d->mode])));
   mt_doc_add (f, "from", bound_value (e, &d->start));
   mt_doc_add (f, "to", bound_value (e, &d->end));
   if (d->exclude)
      mt_doc_add (f, "exclude", mt_v_str (d->exclude, strlen (d->exclude)));
   if (d->start.limit || d->end.limit) {
      mt_doc_add_path (e->a, f, "by", field_of (e, d->range_key));
      if (rank_of (e, &d->order[0])) /* a key of the order that the rows are sorted by, not of its partition */
         mt_doc_add_path (e->a, f, "rank", rank_name (e, d->partition_count - e->w->defs[e->sorted].partition_count));
      if (d->order[0].descending)
         mt_doc_add (f, "descending", mt_v_bool (true));
   }
   return f;
}

/* lag (x, n, d) looks n rows back: as far forward as -n. */
static bool distance (Emitting *e, const MtWindowCall *c, bson_t *arg)
{
   bool back = strcmp (c->fn->name, "lag") == 0;
   const MtX *n = c->argc > 1 ? c->args[1] : NULL;
   if (!n || n->kind == MT_X_CONST) {
      int64_t by = !n ? 1 : mt_is_nullish (n->value) ? 0 : n->value.i;
      mt_doc_add (arg, "n", n && mt_is_nullish (n->value) ? mt_v_null () : mt_v_int64 (back ? -by : by));
      return true;
   }
   bson_t *value = mt_doc_new (e->a);
   if (!mt_emit_value (e->emit, n, value, "", e->err))
      return false;
   const bson_t *by = back ? mt_mql_op (e->a, "$subtract", mt_mql_const (e->a, mt_v_int64 (0)), value, NULL) : value;
   mt_doc_add (arg, "n", mt_doc_value (by));
   return true;
}

static bool call_argument (Emitting *e, const MtWindowCall *c, bson_t *call)
{
   bson_t *arg = mt_doc_new (e->a);
   bool shift = strcmp (c->fn->op, "$shift") == 0, nth = strcmp (c->fn->op, "$nthValue") == 0;
   if (c->argc == 0) {
      mt_doc_add_doc (call, c->fn->op, arg);
      return true;
   }
   if (!shift && !nth)
      return mt_emit_value (e->emit, c->args[0], call, c->fn->op, e->err);
   if (!mt_emit_value (e->emit, c->args[0], arg, "value", e->err) || (shift && !distance (e, c, arg)) ||
       (nth && !mt_emit_value (e->emit, c->args[1], arg, "n", e->err)) ||
       (c->argc == 3 && !mt_emit_value (e->emit, c->args[2], arg, "default", e->err)))
      return false;
   mt_doc_add_doc (call, c->fn->op, arg);
   return true;
}

static bool emit_call (Emitting *e, int i, bson_t *output)
{
   const MtWindowCall *c = &e->w->calls[i];
   if (!c->fn) {
      MtSourcePlaces src = {.emit = e->emit};
      if (!mt_group_accumulate (&e->g, &src, e->first_agg + i, output, e->err))
         return false;
      e->places[i] = e->g.aggs[e->first_agg + i];
      return true;
   }
   const char *field = mt_printf (e->a, "w%d", i);
   bson_t *call = mt_doc_new (e->a);
   if (!call_argument (e, c, call))
      return false;
   mt_doc_add_doc (output, field, call);
   e->places[i] = (MtPlace){.path = field, .nullable = !c->fn->never_null, .can_match = true};
   return true;
}

/* Calls of one window; those that don't look at its frame apart, so that they needn't wait for it. */
static bool outputs_of (Emitting *e, int def, bson_t *list)
{
   for (int framed = 0; framed < 2; framed++) {
      bson_t *output = mt_doc_new (e->a), *window = mt_doc_new (e->a);
      for (int i = 0; i < e->w->call_count; i++) {
         const MtWindowCall *c = &e->w->calls[i];
         if (c->def == def && (!c->fn || c->fn->framed) == framed && !emit_call (e, i, output))
            return false;
      }
      if (bson_empty (output))
         continue;
      if (framed)
         mt_doc_add_doc (window, "frame", frame_of (e, def));
      mt_doc_add_doc (window, "output", output);
      add_item (list, mt_v_doc (window));
   }
   return true;
}

static bool same_rows (const MtWindowDef *a, const MtWindowDef *b)
{
   bool same = a->partition_count == b->partition_count && a->order_count == b->order_count;
   for (int i = 0; i < a->partition_count && same; i++)
      same = mt_x_equal (a->partition[i], b->partition[i]);
   for (int i = 0; i < a->order_count && same; i++)
      same = mt_x_equal (a->order[i].expr, b->order[i].expr) && a->order[i].descending == b->order[i].descending &&
             a->order[i].nulls_first == b->order[i].nulls_first;
   return same;
}

static const MtX *sort_key (const MtWindowDef *d, int i)
{
   return i < d->partition_count ? d->partition[i] : d->order[i - d->partition_count].expr;
}

static bool same_place (Emitting *e, const MtWindowDef *have, int i, const MtSortX *want)
{
   if (i < have->partition_count) /* ascending, as MongoDB sorts */
      return mt_x_equal (have->partition[i], want->expr) && !want->descending && !rank_of (e, want);
   const MtSortX *s = &have->order[i - have->partition_count];
   return mt_x_equal (s->expr, want->expr) && s->descending == want->descending && s->nulls_first == want->nulls_first;
}

/* Whether rows that are sorted for `have` are so for `want`, too: its partition is by the first keys, in any order, and its order is the next. */
static bool is_sorted (Emitting *e, const MtWindowDef *have, const MtWindowDef *want)
{
   bool same = have->partition_count + have->order_count >= want->partition_count + want->order_count;
   for (int i = 0; i < want->partition_count && same; i++) {
      same = false;
      for (int k = 0; k < want->partition_count && !same; k++)
         same = mt_x_equal (sort_key (have, k), want->partition[i]);
   }
   for (int i = 0; i < want->order_count && same; i++)
      same = same_place (e, have, want->partition_count + i, &want->order[i]);
   return same;
}

/* Windows with the same partitions and order are one stage. */
static bool emit_stage (Emitting *e, int def, bool *done)
{
   const MtWindowDef *d = &e->w->defs[def];
   bson_t *stage = mt_doc_new (e->a), *partition = mt_doc_new (e->a), *order = mt_doc_new (e->a), *windows = mt_doc_new (e->a);
   for (int i = 0; i < d->partition_count; i++)
      add_item (partition, mt_doc_value (mt_mql_path (e->a, field_of (e, d->partition[i]))));
   for (int i = 0; i < d->order_count; i++)
      add_item (order, mt_doc_value (mt_mql_path (e->a, field_of (e, d->order[i].expr))));
   for (int i = def; i < e->w->def_count; i++) {
      if (done[i] || !same_rows (d, &e->w->defs[i]))
         continue;
      done[i] = true;
      if (!outputs_of (e, i, windows))
         return false;
   }
   if (bson_empty (windows))
      return true;
   mt_doc_add_array (stage, "partitionBy", partition);
   mt_doc_add_array (stage, "sortBy", order);
   mt_doc_add_array (stage, "windows", windows);
   mt_pipe_add (e->pipe, "$_mtWindow", stage);
   return true;
}

/* The window with most sort keys of those that are left: others may find their rows sorted by it. */
static int longest (const MtWindows *w, const bool *done)
{
   int best = -1, keys = -1;
   for (int i = 0; i < w->def_count; i++)
      if (!done[i] && w->defs[i].partition_count + w->defs[i].order_count > keys) {
         best = i;
         keys = w->defs[i].partition_count + w->defs[i].order_count;
      }
   return best;
}

static bool emit_all (Emitting *e)
{
   bool *done = MT_NEW_N (e->a, bool, (size_t) e->w->def_count + 1);
   for (int first = longest (e->w, done); first >= 0; first = longest (e->w, done)) {
      e->sorted = first;
      sort_for (e, first);
      if (!emit_stage (e, first, done))
         return false;
      for (int i = 0; i < e->w->def_count; i++)
         if (!done[i] && is_sorted (e, &e->w->defs[first], &e->w->defs[i]) && !emit_stage (e, i, done))
            return false;
   }
   return true;
}

bool mt_window_emit (MtArena *a, const MtQuery *q, const MtTextStyle *style, MtPipe *pipe, MtPlace *places, MtError *err)
{
   MtWindows *w = q->windows;
   MtQuery *aggs = MT_NEW (a, MtQuery);
   for (int i = w->call_count; i < q->rel.column_count; i++)
      places[i] = (MtPlace){.path = mt_target_field (a, i - w->call_count), .nullable = q->rel.columns[i].nullable, .can_match = true};
   int first = q->rel.column_count - w->call_count;
   aggs->agg_count = q->rel.column_count;
   aggs->aggs = MT_NEW_N (a, MtAggCall, (size_t) aggs->agg_count + 1);
   for (int i = 0; i < w->call_count; i++)
      aggs->aggs[first + i] = w->calls[i].agg;
   MtEmit emit = {.a = a, .style = style, .columns = places};
   Emitting e = {.a = a, .q = q, .w = w, .emit = &emit, .pipe = pipe, .places = places, .g = {.a = a, .q = aggs}, .first_agg = first, .err = err};
   return emit_all (&e);
}
