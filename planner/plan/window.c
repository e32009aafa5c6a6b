/* Plans window functions: for each sort order that is needed a $sort, and the stage $_mtWindow. On
 * a server it is $setWindowFields, if that gives the same results. */
#include "query/window.h"

#include "planner/plan/group.h"
#include "planner/plan/plan_int.h"
#include "planner/plan/set_window.h"
#include "query/x.h"

#include <string.h>

/* ---- stages ---- */

typedef struct Emitting {
   MtArena *a;
   const MtQuery *q;
   const MtWindows *w;
   MtEmit *emit;
   MtPipe *pipe;
   const MtCaps *caps;
   MtPlace *places; /* for each column of q->rel: where it is */
   /* Aggregates that are used as window functions: window call k is aggregate number first_agg +
    * k. */
   MtGrouping g;
   /* The number of the sub-select's columns. So the fields of aggregates, numbered from first_agg
    * on, differ from the fields c<i> of columns. */
   int first_agg;
   int sorted; /* index of the window definition by which the rows are sorted now */
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

static bool is_partition_field (Emitting *e, const MtWindowDef *d, const char *field)
{
   for (int i = 0; i < d->partition_count; i++)
      if (strcmp (field_of (e, d->partition[i]), field) == 0)
         return true;
   return false;
}

/* Returns the sort keys of a window's ORDER BY, as in $sort. Sort ranks, for NULLs first or last,
 * precede their values, and their expressions are added to `ranks`. */
static bson_t *order_of (Emitting *e, const MtWindowDef *d, bson_t *ranks)
{
   bson_t *sort = mt_doc_new (e->a);
   for (int i = 0; i < d->order_count; i++) {
      const char *f = field_of (e, d->order[i].expr);
      const bson_t *rank = rank_of (e, &d->order[i]);
      /* an earlier sort key is the same */
      if (bson_has_field (sort, f) || is_partition_field (e, d, f))
         continue;
      if (rank) {
         mt_doc_add (ranks, rank_name (e, i), mt_doc_value (rank));
         mt_doc_add_int (sort, rank_name (e, i), mt_rank_direction (&d->order[i]));
      }
      mt_doc_add_int (sort, f, d->order[i].descending ? -1 : 1);
   }
   return sort;
}

/* Returns whether a partition key may be a JSON array. $sort compares an array by its least
 * element, so equal arrays might not become adjacent. */
static bool may_be_array (const MtX *x)
{
   return x->type.id == MT_T_JSONB || x->type.id == MT_T_DOCUMENT;
}

/* Returns the field by which $sort sorts partition key number i of window d. */
static const char *sorted_field (Emitting *e, const MtWindowDef *d, int i)
{
   return may_be_array (d->partition[i]) ? mt_printf (e->a, "q%d", i)
                                         : field_of (e, d->partition[i]);
}

/* Adds to `fields` the missing fields of sorted_field: arrays put into documents, because documents
 * are compared as a whole. */
static void wrap_keys (Emitting *e, const MtWindowDef *d, bson_t *fields)
{
   for (int i = 0; i < d->partition_count; i++) {
      bson_t *wrapped = mt_doc_new (e->a);
      if (!may_be_array (d->partition[i]))
         continue;
      mt_doc_add_path (e->a, wrapped, "v", field_of (e, d->partition[i]));
      mt_doc_add (fields, sorted_field (e, d, i), mt_v_doc (wrapped));
   }
}

/* Appends the $sort of a window: by its partition keys, and then by `order`. */
static void sort_by (Emitting *e, const MtWindowDef *d, const bson_t *order)
{
   bson_t *sort = mt_doc_new (e->a);
   MtDocIter it = mt_doc_iter (mt_v_doc (order));
   MtStr key;
   MtVal v;
   for (int i = 0; i < d->partition_count; i++)
      mt_doc_add_int (sort, sorted_field (e, d, i), 1);
   while (mt_doc_next (&it, &key, &v))
      mt_doc_add (sort, mt_strndup (e->a, key.p, key.n), v);
   if (!bson_empty (sort))
      mt_pipe_add (e->pipe, "$sort", sort);
}

static MtVal bound_value (Emitting *e, const MtBoundX *b)
{
   bson_t *d = mt_doc_new (e->a);
   if (b->state) {
      bson_t *fail = mt_doc_new (e->a);
      add_item (fail, mt_v_cstr (b->state));
      add_item (fail, mt_v_cstr (b->message));
      mt_doc_add_array (d, b->by_row ? "failAtRow" : "fail", fail);
      return mt_v_doc (d);
   }
   switch (b->kind) {
   case MT_BOUND_UNBOUNDED_PRECEDING:
   case MT_BOUND_UNBOUNDED_FOLLOWING: return mt_v_cstr ("unbounded");
   case MT_BOUND_CURRENT_ROW: return mt_v_cstr ("current");
   case MT_BOUND_PRECEDING:
   case MT_BOUND_FOLLOWING: break;
   }
   if (b->limit)
      mt_doc_add_path (e->a, d, "at", field_of (e, b->limit));
   else
      mt_doc_add_int (d, b->kind == MT_BOUND_PRECEDING ? "preceding" : "following", b->offset);
   return mt_v_doc (d);
}

static bson_t *frame_of (Emitting *e, int def)
{
   static const char *const modes[] = {
      [MT_FRAME_ROWS] = "rows", [MT_FRAME_RANGE] = "range", [MT_FRAME_GROUPS] = "groups"};
   const MtWindowDef *d = &e->w->defs[def];
   bson_t *f = mt_doc_new (e->a);
   mt_doc_add_text (f, "mode", modes[d->mode]);
   mt_doc_add (f, "from", bound_value (e, &d->start));
   mt_doc_add (f, "to", bound_value (e, &d->end));
   if (d->exclude)
      mt_doc_add_text (f, "exclude", d->exclude);
   if (d->start.limit || d->end.limit) {
      mt_doc_add_path (e->a, f, "by", field_of (e, d->range_key));
      /* The rank belongs to the window by which the rows are sorted. */
      if (rank_of (e, &d->order[0]))
         mt_doc_add_path (e->a, f, "rank",
                          rank_name (e,
                                     d->partition_count - e->w->defs[e->sorted].partition_count));
      if (d->order[0].descending)
         mt_doc_add (f, "descending", mt_v_bool (true));
   }
   return f;
}

/* Appends the offset of lag or lead as "n", with lag (x, n) as lead (x, -n). */
static bool distance (Emitting *e, const MtWindowCall *c, bson_t *arg)
{
   bool back = c->fn->kind == MT_WINDOW_LAG;
   const MtX *n = c->argc > 1 ? c->args[1] : NULL;
   if (!n || n->kind == MT_X_CONST) {
      int64_t by = n ? n->value.i : 1;
      bool null = n && mt_is_nullish (n->value);
      mt_doc_add (arg, "n", null ? mt_v_null () : mt_v_int64 (back ? -by : by));
      return true;
   }
   bson_t *value = mt_doc_new (e->a);
   if (!mt_emit_value (e->emit, n, value, ""))
      return false;
   const bson_t *by = back ? mt_mql_op (e->a, "$subtract", mt_mql_const (e->a, mt_v_int64 (0)),
                                        value, NULL)
                           : value;
   mt_doc_add (arg, "n", mt_doc_value (by));
   return true;
}

/* Appends the arguments of the function except the first as an array "n". */
static bool settings (Emitting *e, const MtWindowCall *c, bson_t *arg)
{
   bson_t *list = mt_doc_new (e->a);
   for (int i = 1; i < c->argc; i++)
      if (!mt_emit_value (e->emit, c->args[i], list, mt_printf (e->a, "%d", i - 1)))
         return false;
   mt_doc_add_array (arg, "n", list);
   return true;
}

static bool call_argument (Emitting *e, const MtWindowCall *c, bson_t *call)
{
   bson_t *arg = mt_doc_new (e->a);
   if (c->argc == 0) {
      mt_doc_add_doc (call, c->fn->op, arg);
      return true;
   }
   if (c->fn->kind == MT_WINDOW_VALUE)
      return mt_emit_value (e->emit, c->args[0], call, c->fn->op);
   bool ok = mt_emit_value (e->emit, c->args[0], arg, "value");
   switch (c->fn->kind) {
   case MT_WINDOW_VALUE: break;
   case MT_WINDOW_LAG:
   case MT_WINDOW_LEAD:
      ok = ok && distance (e, c, arg) &&
           (c->argc < 3 || mt_emit_value (e->emit, c->args[2], arg, "default"));
      break;
   case MT_WINDOW_NTH: ok = ok && mt_emit_value (e->emit, c->args[1], arg, "n"); break;
   case MT_WINDOW_LIST: ok = ok && settings (e, c, arg); break;
   }
   mt_doc_add_doc (call, c->fn->op, arg);
   return ok;
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
   e->places[i] = (MtPlace) {.path = field, .nullable = !c->fn->never_null, .can_match = true};
   return true;
}

/* Appends the outputs of window number `def` for the stage $_mtWindow to `list`. Calls that ignore
 * the frame are separate, because they need not wait until the frame is complete. */
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

static const MtX *sort_key (const MtWindowDef *d, int i)
{
   return i < d->partition_count ? d->partition[i] : d->order[i - d->partition_count].expr;
}

static bool same_place (Emitting *e, const MtWindowDef *have, int i, const MtSortX *want)
{
   if (i < have->partition_count) /* partition keys are sorted ascending, as MongoDB sorts */
      return mt_x_equal (have->partition[i], want->expr) && !want->descending && !rank_of (e, want);
   const MtSortX *s = &have->order[i - have->partition_count];
   return mt_x_equal (s->expr, want->expr) && s->descending == want->descending &&
          s->nulls_first == want->nulls_first;
}

/* Returns whether rows that are sorted for window `have` are also sorted for window `want`: first
 * by the partition keys of `want`, in any order, and then by its ORDER BY. */
static bool is_sorted (Emitting *e, const MtWindowDef *have, const MtWindowDef *want)
{
   bool same = have->partition_count + have->order_count >=
               want->partition_count + want->order_count;
   for (int i = 0; i < want->partition_count && same; i++) {
      same = false;
      for (int k = 0; k < want->partition_count && !same; k++)
         same = mt_x_equal (sort_key (have, k), want->partition[i]);
   }
   for (int i = 0; i < want->order_count && same; i++)
      same = same_place (e, have, want->partition_count + i, &want->order[i]);
   return same;
}

/* Appends one stage for all windows that have the same partitions and order as window number `def`.
 * If it is a $_mtWindow, it is added to `locals` instead. order: the sort keys; NULL: a server
 * can't sort so. */
static bool emit_stage (Emitting *e, int def, bool *done, const bson_t *order, bson_t *locals)
{
   const MtWindowDef *d = &e->w->defs[def];
   bson_t *stage = mt_doc_new (e->a), *partition = mt_doc_new (e->a), *keys = mt_doc_new (e->a),
          *windows = mt_doc_new (e->a);
   MtSetWindow *server = mt_set_window_begin (e->a, e->caps, e->w, d, order);
   for (int i = 0; i < d->partition_count; i++)
      add_item (partition, mt_doc_value (mt_mql_path (e->a, field_of (e, d->partition[i]))));
   for (int i = 0; i < d->order_count; i++)
      add_item (keys, mt_doc_value (mt_mql_path (e->a, field_of (e, d->order[i].expr))));
   for (int i = def; i < e->w->def_count; i++) {
      if (done[i] || !mt_window_same_rows (d, &e->w->defs[i]))
         continue;
      uint32_t from = bson_count_keys (windows);
      done[i] = true;
      if (!outputs_of (e, i, windows))
         return false;
      mt_set_window_add (server, i, windows, from);
   }
   if (bson_empty (windows))
      return true;
   const bson_t *spec = mt_set_window_end (server, partition);
   if (spec) {
      mt_pipe_add (e->pipe, "$setWindowFields", spec);
      return true;
   }
   mt_doc_add_array (stage, "partitionBy", partition);
   mt_doc_add_array (stage, "sortBy", keys);
   mt_doc_add_array (stage, "windows", windows);
   add_item (locals, mt_v_doc (stage));
   return true;
}

/* Appends the stages for window number `first`, and for all other windows that need no other sort
 * order; sets done[i] for each. Stages $setWindowFields, which sort by themselves, come before the
 * $sort and the stages $_mtWindow. */
static bool emit_group (Emitting *e, int first, bool *done)
{
   bson_t *ranks = mt_doc_new (e->a), *locals = mt_doc_new (e->a);
   const MtWindowDef *d = &e->w->defs[first];
   MtStr key;
   MtVal v;
   e->sorted = first;
   const bson_t *order = order_of (e, d, ranks);
   wrap_keys (e, d, ranks);
   if (!bson_empty (ranks))
      mt_pipe_add (e->pipe, "$addFields", ranks);
   if (!emit_stage (e, first, done, order, locals))
      return false;
   for (int i = 0; i < e->w->def_count; i++) {
      if (done[i] || !is_sorted (e, d, &e->w->defs[i]))
         continue;
      /* The documents have only the sort ranks of window `first`; a server needs them to sort. */
      bson_t *own = mt_doc_new (e->a), *keys = order_of (e, &e->w->defs[i], own);
      if (!emit_stage (e, i, done, bson_empty (own) ? keys : NULL, locals))
         return false;
   }
   if (!bson_empty (locals))
      sort_by (e, d, order);
   MtDocIter it = mt_doc_iter (mt_v_doc (locals));
   while (mt_doc_next (&it, &key, &v))
      mt_pipe_add_value (e->pipe, "$_mtWindow", v);
   return true;
}

/* Returns the index of the window with the most sort keys that is not done, because its order may
 * be right for other windows, too; -1: all are done. */
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
   for (int first = longest (e->w, done); first >= 0; first = longest (e->w, done))
      if (!emit_group (e, first, done))
         return false;
   return true;
}

bool mt_window_emit (MtArena *a, const MtQuery *q, const MtPlanSettings *settings, MtPipe *pipe,
                     MtPlace *places, MtError *err)
{
   MtWindows *w = q->windows;
   MtQuery *aggs = MT_NEW (a, MtQuery);
   for (int i = w->call_count; i < q->rel.column_count; i++)
      places[i] = (MtPlace) {.path = mt_target_field (a, i - w->call_count),
                             .nullable = q->rel.columns[i].nullable,
                             .can_match = true};
   int first = q->rel.column_count - w->call_count;
   aggs->agg_count = q->rel.column_count;
   aggs->aggs = MT_NEW_N (a, MtAggCall, (size_t) aggs->agg_count + 1);
   for (int i = 0; i < w->call_count; i++)
      aggs->aggs[first + i] = w->calls[i].agg;
   MtEmit emit = {.a = a, .err = err, .style = &settings->style, .columns = places};
   Emitting e = {.a = a,
                 .q = q,
                 .w = w,
                 .emit = &emit,
                 .pipe = pipe,
                 .caps = settings->caps,
                 .places = places,
                 .g = {.a = a, .q = aggs},
                 .first_agg = first,
                 .err = err};
   return emit_all (&e);
}
