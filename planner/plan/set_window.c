#include "planner/plan/set_window.h"

#include "planner/plan/split.h"
#include "query/x.h"

#include <string.h>

/* ---- partitions and order ---- */

static bool is_float (MtTypeId id)
{
   return mt_type_is_number (id) && !mt_type_is_integer (id) && id != MT_T_NUMERIC;
}

/* Returns whether values of a type are equal in MongoDB if and only if they are equal in SQL. */
static bool is_scalar (MtTypeId id)
{
   return mt_type_is_number (id) || mt_type_is_datetime (id) || id == MT_T_BOOL || id == MT_T_TEXT;
}

static bool can_partition (const MtSetWindow *s)
{
   for (int i = 0; i < s->def->partition_count; i++) {
      MtTypeId id = s->def->partition[i]->type.id;
      if (!is_scalar (id) || (id == MT_T_NUMERIC && mt_caps_lack (s->caps, MT_GROUP_OF_DECIMALS)))
         return false;
   }
   return true;
}

/* Returns whether a row's peers are the rows with the same value of a single stored field. */
static bool has_one_key (const MtSetWindow *s)
{
   const MtWindowDef *d = s->def;
   return d->order_count == 1 && bson_count_keys (s->order) == 1 && !d->order[0].expr->nullable;
}

/* ---- frames ---- */

/* Appends the frame bound b, in rows. Returns its distance from the current row, for comparing two
 * bounds. */
static int64_t row_bound (const MtBoundX *b, bson_t *list, const char *key)
{
   switch (b->kind) {
   case MT_BOUND_UNBOUNDED_PRECEDING: mt_doc_add_text (list, key, "unbounded"); return INT64_MIN;
   case MT_BOUND_UNBOUNDED_FOLLOWING: mt_doc_add_text (list, key, "unbounded"); return INT64_MAX;
   case MT_BOUND_PRECEDING: mt_doc_add_int (list, key, -b->offset); return -b->offset;
   case MT_BOUND_FOLLOWING: mt_doc_add_int (list, key, b->offset); return b->offset;
   case MT_BOUND_CURRENT_ROW: mt_doc_add_int (list, key, 0); break;
   }
   return 0;
}

static bool is_whole (const MtWindowDef *d)
{
   return d->start.kind == MT_BOUND_UNBOUNDED_PRECEDING &&
          d->end.kind == MT_BOUND_UNBOUNDED_FOLLOWING;
}

/* Returns the option `window` of $setWindowFields, {range: bounds, unit}, for a RANGE frame that
 * ends or begins at the current row's peers. NULL: not possible; the sort key must be a single
 * integer or time. */
static const bson_t *range_window (const MtSetWindow *s, const MtWindowDef *d, const bson_t *bounds)
{
   const MtSortX *key = s->def->order;
   bool times = has_one_key (s) && mt_type_is_datetime (key->expr->type.id);
   if (d->start.kind == MT_BOUND_PRECEDING || d->start.kind == MT_BOUND_FOLLOWING ||
       d->end.kind == MT_BOUND_PRECEDING || d->end.kind == MT_BOUND_FOLLOWING || !has_one_key (s) ||
       key->descending || !(times || mt_type_is_integer (key->expr->type.id)))
      return NULL;
   bson_t *window = mt_doc_new (s->a);
   mt_doc_add_array (window, "range", bounds);
   if (times)
      mt_doc_add_text (window, "unit", "millisecond");
   return window;
}

/* Returns the option `window` of $setWindowFields, {documents: …} or {range: …}, for a frame. NULL:
 * there is none with the same rows. */
static const bson_t *window_of (const MtSetWindow *s, const MtWindowDef *d)
{
   bson_t *bounds = mt_doc_new (s->a), *window = mt_doc_new (s->a);
   if (d->exclude || d->start.state || d->end.state || d->start.limit || d->end.limit ||
       d->mode == MT_FRAME_GROUPS || d->start.offset > INT32_MAX || d->end.offset > INT32_MAX)
      return NULL;
   /* Without ORDER BY, all rows of a partition are peers. */
   if (is_whole (d) || (d->mode == MT_FRAME_RANGE && !d->order_count)) {
      mt_doc_add_text (bounds, "0", "unbounded");
      mt_doc_add_text (bounds, "1", "unbounded");
      mt_doc_add_array (window, "documents", bounds);
      return window;
   }
   int64_t lower = row_bound (&d->start, bounds, "0"), upper = row_bound (&d->end, bounds, "1");
   if (lower > upper || !d->order_count)
      return NULL;
   if (d->mode == MT_FRAME_RANGE)
      return range_window (s, d, bounds);
   mt_doc_add_array (window, "documents", bounds);
   return window;
}

/* ---- window function calls ---- */

static MtVal null_for_missing (MtArena *a, MtVal v)
{
   const bson_t *null = mt_doc_of (a, mt_v_null ());
   return mt_doc_value (mt_mql_op (a, "$ifNull", mt_doc_of (a, v), null, NULL));
}

/* Sets *out to a constant without $literal, because not every server evaluates an expression here.
 * False if the constant would be read as an expression. */
static bool plain_constant (MtVal v, MtVal *out)
{
   MtVal literal = v.type == MT_DOC ? mt_doc_field (v, "$literal") : mt_v_missing ();
   *out = literal.type == MT_MISSING ? v : literal;
   return out->type != MT_DOC && out->type != MT_ARRAY &&
          !(out->type == MT_STRING && out->len && out->p[0] == '$');
}

/* Appends {$shift: …} for the arguments {value, n, default?}. */
static bool add_shift (MtSetWindow *s, MtVal arg, bson_t *call)
{
   bson_t *shift = mt_doc_new (s->a);
   MtVal n = mt_doc_field (arg, "n"), otherwise = mt_doc_field (arg, "default");
   if (n.type != MT_INT64 || n.i > INT32_MAX || n.i < -INT32_MAX)
      return false;
   mt_doc_add (shift, "output", null_for_missing (s->a, mt_doc_field (arg, "value")));
   mt_doc_add_int (shift, "by", n.i);
   if (otherwise.type != MT_MISSING) {
      if (!plain_constant (otherwise, &otherwise))
         return false;
      mt_doc_add (shift, "default", otherwise);
   }
   mt_doc_add_doc (call, "$shift", shift);
   return s->def->order_count > 0;
}

/* Appends row_number as a count of the rows from the partition's first to the current row, because
 * servers allow only one sort key for $documentNumber. */
static bool add_number (MtSetWindow *s, bson_t *call)
{
   bson_t *window = mt_doc_new (s->a), *bounds = mt_doc_new (s->a);
   mt_doc_add_text (bounds, "0", "unbounded");
   mt_doc_add_int (bounds, "1", 0);
   mt_doc_add_array (window, "documents", bounds);
   mt_doc_add_int (call, "$sum", 1);
   mt_doc_add_doc (call, "window", window);
   return s->def->order_count > 0;
}

static bool is_accumulator (const char *op)
{
   return strcmp (op, "$sum") == 0 || strcmp (op, "$min") == 0 || strcmp (op, "$max") == 0;
}

/* Appends the call {op: arg} of $_mtWindow in the form of $setWindowFields. window: its frame;
 * NULL: the function has no frame. False: not possible. */
static bool add_call (MtSetWindow *s, const char *op, MtVal arg, const bson_t *window, bson_t *call)
{
   bool first = strcmp (op, "$firstValue") == 0;
   if (strcmp (op, "$rowNumber") == 0)
      return add_number (s, call);
   if (strcmp (op, "$rank") == 0 || strcmp (op, "$denseRank") == 0) {
      mt_doc_add_doc (call, op, mt_doc_new (s->a));
      return has_one_key (s);
   }
   if (strcmp (op, "$shift") == 0)
      return add_shift (s, arg, call);
   if (!window)
      return false;
   if (first || strcmp (op, "$lastValue") == 0)
      mt_doc_add (call, first ? "$first" : "$last", null_for_missing (s->a, arg));
   else if (is_accumulator (op))
      mt_doc_add (call, op, arg);
   else
      return false;
   mt_doc_add_doc (call, "window", window);
   return true;
}

static void add_outputs (MtSetWindow *s, MtVal spec, const MtWindowDef *d)
{
   bool framed = mt_doc_field (spec, "frame").type != MT_MISSING;
   const bson_t *window = framed ? window_of (s, d) : NULL;
   MtDocIter it = mt_doc_iter (mt_doc_field (spec, "output"));
   MtStr field, op;
   MtVal v, arg;
   while (s->can && mt_doc_next (&it, &field, &v)) {
      MtDocIter one = mt_doc_iter (v);
      bson_t *call = mt_doc_new (s->a);
      s->can = mt_doc_next (&one, &op, &arg) &&
               add_call (s, mt_strndup (s->a, op.p, op.n), arg, window, call);
      mt_doc_add_doc (s->output, mt_strndup (s->a, field.p, field.n), call);
   }
}

/* Returns whether a server computes the call exactly. When a frame moves, a server may subtract the
 * values that leave it from a sum. Then floats lose digits, and numerics keep the scale of values
 * that have left. */
static bool is_exact (const MtWindowCall *c, const MtWindowDef *d)
{
   bool moves = d->start.kind != MT_BOUND_UNBOUNDED_PRECEDING;
   const char *name = c->fn ? NULL : c->agg.agg->name;
   const MtX *arg = c->fn ? NULL : c->agg.arg;
   if (c->fn)
      return c->argc < 3 || c->args[2]->kind == MT_X_CONST;
   if (c->agg.distinct || c->agg.order_count)
      return false;
   bool extreme = strcmp (name, "min") == 0 || strcmp (name, "max") == 0;
   if (!extreme)
      return !arg || (is_scalar (arg->type.id) && !is_float (arg->type.id) &&
                      !(moves && arg->type.id == MT_T_NUMERIC));
   return is_scalar (arg->type.id) && arg->type.id != MT_T_NUMERIC;
}

/* ---- building $setWindowFields ---- */

MtSetWindow *mt_set_window_begin (MtArena *a, const MtCaps *caps, const MtWindows *w,
                                  const MtWindowDef *def, const bson_t *order)
{
   if (caps->local_operators || mt_caps_lack (caps, "$setWindowFields") || !order ||
       (def->order_count && bson_empty (order)))
      return NULL;
   MtSetWindow *s = MT_NEW (a, MtSetWindow);
   *s = (MtSetWindow) {.a = a, .caps = caps, .w = w, .def = def, .order = order};
   s->output = mt_doc_new (a);
   s->can = can_partition (s);
   return s;
}

void mt_set_window_add (MtSetWindow *s, int def, const bson_t *windows, uint32_t from)
{
   MtDocIter it = mt_doc_iter (mt_v_doc (windows));
   MtStr key;
   MtVal v;
   for (int i = 0; s && i < s->w->call_count; i++)
      if (s->w->calls[i].def == def)
         s->can = s->can && is_exact (&s->w->calls[i], &s->w->defs[def]);
   for (uint32_t i = 0; s && mt_doc_next (&it, &key, &v); i++)
      if (i >= from)
         add_outputs (s, v, &s->w->defs[def]);
}

const bson_t *mt_set_window_end (MtSetWindow *s, const bson_t *partition)
{
   if (!s || !s->can || bson_empty (s->output))
      return NULL;
   bson_t *stage = mt_doc_new (s->a), *by = mt_doc_new (s->a);
   MtDocIter it = mt_doc_iter (mt_v_doc (partition));
   MtStr key;
   MtVal v;
   /* The partition is a document of its keys, as in $group, so that a missing value is NULL. */
   while (mt_doc_next (&it, &key, &v))
      mt_doc_add (by, mt_printf (s->a, "p%.*s", (int) key.n, key.p), null_for_missing (s->a, v));
   if (!bson_empty (by))
      mt_doc_add_doc (stage, "partitionBy", by);
   if (!bson_empty (s->order))
      mt_doc_add_doc (stage, "sortBy", s->order);
   mt_doc_add_doc (stage, "output", s->output);
   return mt_server_has (s->a, s->caps, mt_v_doc (stage)) ? stage : NULL;
}
