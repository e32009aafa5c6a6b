/* Parses the specification of the private stage $_mtWindow (window functions of SQL):
 *
 *    {partitionBy: [expression, …], sortBy: [expression, …],
 *     windows: [{frame: …, output: {field: {function: argument}, …}}, …]}
 *
 * The input must be sorted by partitionBy and sortBy. Rows with equal values of sortBy are peers.
 *
 *    frame   {mode: "rows" | "range" | "groups", from: bound, to: bound,
 *             exclude: "current row" | "group" | "ties"}
 *    bound   "unbounded", "current", {preceding: n}, {following: n},
 *            {at: value}: for range; the limit with which the ORDER BY value `by` is compared
 *            {fail: [SQLSTATE, message]}: raises an error, even without rows
 *            {failAtRow: [SQLSTATE, message]}: raises an error if there are rows
 *
 * A frame has `descending: true` if the sort order descends. If `by` can be NULL or NaN, the frame
 * has a sort key `rank`, which comes before `by` and is 0 for all other values. */
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"
#include "engine/local/window/window.h"
#include "engine/local/window/window_int.h"

static bool parse_list (MtCompile *c, MtVal v, MtExecExpr ***out, uint32_t *count)
{
   size_t n;
   MtVal *list = mt_v_elements (c->arena, v, &n);
   if (v.type != MT_ARRAY && v.type != MT_MISSING)
      return mt_bad (c, 0, "partitionBy and sortBy of $_mtWindow must be arrays");
   *out = MT_NEW_N (c->arena, MtExecExpr *, n + 1);
   for (size_t i = 0; i < n; i++)
      if (!((*out)[(*count)++] = mt_expr_parse (c, list[i])))
         return false;
   return true;
}

static bool optional (MtCompile *c, MtVal doc, const char *name, MtExecExpr **out)
{
   MtVal v = mt_doc_field (doc, name);
   return v.type == MT_MISSING || (*out = mt_expr_parse (c, v)) != NULL;
}

/* ---- frames ---- */

static bool parse_failure (MtCompile *c, MtVal v, MtWinBound *b)
{
   MtVal state = mt_doc_at (v, 0), message = mt_doc_at (v, 1);
   if (state.type != MT_STRING || state.len != 5 || message.type != MT_STRING)
      return mt_bad (c, 0, "fail takes a SQLSTATE and a message");
   memcpy (b->state, state.p, 5);
   b->message = mt_strndup (c->arena, (const char *) message.p, message.len);
   return true;
}

static bool parse_bound (MtCompile *c, MtVal v, MtWinBound *b)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal arg;
   if (mt_v_is_text (v, "unbounded") || mt_v_is_text (v, "current")) {
      b->kind = v.len == 7 ? MT_WB_CURRENT : MT_WB_UNBOUNDED;
      return true;
   }
   if (v.type != MT_DOC || !mt_doc_next (&it, &key, &arg))
      return mt_bad (c, 0, "a frame of $_mtWindow has no such bound");
   b->fails_always = mt_str_is (key, "fail");
   if (b->fails_always || mt_str_is (key, "failAtRow"))
      return parse_failure (c, arg, b);
   if (mt_str_is (key, "at")) {
      b->kind = MT_WB_VALUE;
      return (b->limit = mt_expr_parse (c, arg)) != NULL;
   }
   b->kind = mt_str_is (key, "following") ? MT_WB_FOLLOWING : MT_WB_PRECEDING;
   if ((arg.type != MT_INT32 && arg.type != MT_INT64) || arg.i < 0)
      return mt_bad (c, 0, "a frame's offset must be a whole number that isn't negative");
   b->offset = (uint64_t) arg.i;
   return true;
}

/* Returns the index of the text v in the list `words`, which ends with NULL; `otherwise` if it is
 * not there. */
static int word (MtVal v, const char *const *words, int otherwise)
{
   for (int i = 0; words[i]; i++)
      if (mt_v_is_text (v, words[i]))
         return i;
   return otherwise;
}

static const char *const modes[] = {
   [MT_WF_ROWS] = "rows", [MT_WF_RANGE] = "range", [MT_WF_GROUPS] = "groups", NULL};
static const char *const excludes[] = {[MT_WX_NOTHING] = "nothing",
                                       [MT_WX_CURRENT] = "current row",
                                       [MT_WX_GROUP] = "group",
                                       [MT_WX_TIES] = "ties",
                                       NULL};

static bool parse_frame (MtCompile *c, MtVal v, MtWinFrame *f)
{
   MtVal mode = mt_doc_field (v, "mode"), exclude = mt_doc_field (v, "exclude"),
         down = mt_doc_field (v, "descending");
   *f = (MtWinFrame) {.mode = (MtWinMode) word (mode, modes, MT_WF_RANGE),
                      .exclude = (MtWinExclude) word (exclude, excludes, MT_WX_NOTHING),
                      .descending = down.type == MT_BOOL && down.i};
   if (v.type != MT_DOC || !parse_bound (c, mt_doc_field (v, "from"), &f->start) ||
       !parse_bound (c, mt_doc_field (v, "to"), &f->end))
      return v.type == MT_DOC ? false : mt_bad (c, 0, "a frame of $_mtWindow must be an object");
   if (!optional (c, v, "by", &f->by) || !optional (c, v, "rank", &f->rank))
      return false;
   if ((f->start.limit || f->end.limit) && (!f->by || f->mode != MT_WF_RANGE))
      return mt_bad (c, 0,
                     "a frame with a bound {at: …} needs mode \"range\" and what is compared (by)");
   return true;
}

/* ---- functions ---- */

typedef struct Row {
   const char *name;
   MtWinKind kind;
   enum {
      NOTHING,
      ONE,
      NUMBER,
      /* how the argument is written: {} for none, an expression for the value or for the number n,
       * or an object {value, n, default?} */
      VALUE_N
   } takes;
   bool framed;
} Row;

static const Row rows[] = {
   {"$rowNumber", MT_WK_ROW_NUMBER, NOTHING, false},
   {"$rank", MT_WK_RANK, NOTHING, false},
   {"$denseRank", MT_WK_DENSE_RANK, NOTHING, false},
   {"$percentRank", MT_WK_PERCENT_RANK, NOTHING, false},
   {"$cumeDist", MT_WK_CUME_DIST, NOTHING, false},
   {"$ntile", MT_WK_NTILE, NUMBER, false},
   {"$shift", MT_WK_SHIFT, VALUE_N, false},
   {"$firstValue", MT_WK_FIRST, ONE, true},
   {"$lastValue", MT_WK_LAST, ONE, true},
   {"$nthValue", MT_WK_NTH, VALUE_N, true},
   {"$ema", MT_WK_EMA, VALUE_N, false},
   {"$holtWinters", MT_WK_HOLT_WINTERS, VALUE_N, false},
};

static bool parse_row (MtCompile *c, const Row *r, MtVal arg, MtWinFunc *f)
{
   f->kind = r->kind;
   switch (r->takes) {
   case NOTHING: return true;
   case ONE: return (f->arg = mt_expr_parse (c, arg)) != NULL;
   case NUMBER: return (f->n = mt_expr_parse (c, arg)) != NULL;
   case VALUE_N: break;
   }
   if (arg.type != MT_DOC || !optional (c, arg, "value", &f->arg) ||
       !optional (c, arg, "n", &f->n) || !optional (c, arg, "default", &f->otherwise))
      return mt_error_is_set (c->err) ? false : mt_bad (c, 0, "%s takes an object", r->name);
   return f->arg && f->n ? true : mt_bad (c, 0, "%s needs a value and n", r->name);
}

static bool parse_func (MtCompile *c, const char *op, MtVal arg, uint32_t frame, MtWinFunc *f)
{
   f->frame = frame;
   for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (strcmp (rows[i].name, op) == 0) {
         if (!rows[i].framed)
            f->frame = MT_NO_SLOT;
         else if (frame == MT_NO_SLOT)
            return mt_bad (c, 0, "%s needs a frame", op);
         return parse_row (c, &rows[i], arg, f);
      }
   f->kind = MT_WK_ACCUMULATE;
   if (!mt_acc_parse (c, &f->acc, op, arg))
      return false;
   f->acc.int_slot = MT_NO_SLOT;
   f->arg = f->acc.arg;
   if (f->acc.key_count)
      return mt_error (c->err, MT_E_FEATURE, "%s is not supported over a window", op);
   return frame != MT_NO_SLOT || mt_bad (c, 0, "%s needs a frame", op);
}

static bool parse_outputs (MtCompile *c, MtWindowNode *n, MtVal output, uint32_t frame,
                           const char **names)
{
   MtDocIter it = mt_doc_iter (output);
   MtStr key, op;
   MtVal v, arg;
   while (mt_doc_next (&it, &key, &v)) {
      MtDocIter one = mt_doc_iter (v);
      if (v.type != MT_DOC || !mt_doc_next (&one, &op, &arg))
         return mt_bad (c, 0, "an output of $_mtWindow must be an object with a function");
      names[n->func_count] = mt_strndup (c->arena, key.p, key.n);
      if (!parse_func (c, mt_strndup (c->arena, op.p, op.n), arg, frame,
                       &n->funcs[n->func_count++]))
         return false;
   }
   return true;
}

static bool parse_windows (MtCompile *c, MtWindowNode *n, MtVal list, const char ***names)
{
   size_t count, outputs = 0;
   MtVal *windows = mt_v_elements (c->arena, list, &count);
   for (size_t i = 0; i < count; i++)
      outputs += mt_doc_count (mt_doc_field (windows[i], "output"));
   n->frames = MT_NEW_N (c->arena, MtWinFrame, count + 1);
   n->funcs = MT_NEW_N (c->arena, MtWinFunc, outputs + 1);
   *names = MT_NEW_N (c->arena, const char *, outputs + 1);
   for (size_t i = 0; i < count; i++) {
      MtVal frame = mt_doc_field (windows[i], "frame");
      uint32_t of = MT_NO_SLOT;
      if (frame.type != MT_MISSING) {
         of = n->frame_count++;
         if (!parse_frame (c, frame, &n->frames[of]))
            return false;
      }
      if (!parse_outputs (c, n, mt_doc_field (windows[i], "output"), of, *names))
         return false;
   }
   return n->func_count > 0 || mt_bad (c, 0, "$_mtWindow has no outputs");
}

/* ---- binding: paths become slots (positions in the row) ---- */

static bool bind (MtCompile *c, MtExecExpr *e, int pos)
{
   return !e || mt_expr_bind (c, e, c->root, c->scope, pos);
}

/* Binds the sort keys of $top, $bottom and similar accumulators, so that the accumulator reads them
 * from slots. */
static bool bind_keys (MtCompile *c, MtWinFunc *f, int pos)
{
   for (uint32_t i = 0; f->keys && i < f->acc.key_count; i++) {
      if (!bind (c, f->keys[i], pos))
         return false;
      f->acc.keys[i] = mt_expr_slot (c, mt_var_new (c, pos, false)->slot);
   }
   return true;
}

static bool bind_all (MtCompile *c, MtWindowNode *n)
{
   int pos = n->n.pos;
   bool ok = true;
   for (uint32_t i = 0; i < n->partition_count && ok; i++)
      ok = bind (c, n->partition[i], pos);
   for (uint32_t i = 0; i < n->order_count && ok; i++)
      ok = bind (c, n->order[i], pos);
   for (uint32_t i = 0; i < n->frame_count && ok; i++) {
      MtWinFrame *f = &n->frames[i];
      ok = bind (c, f->by, pos) && bind (c, f->rank, pos) && bind (c, f->start.limit, pos) &&
           bind (c, f->end.limit, pos);
   }
   for (uint32_t i = 0; i < n->func_count && ok; i++)
      ok = bind (c, n->funcs[i].arg, pos) && bind (c, n->funcs[i].n, pos) &&
           bind (c, n->funcs[i].otherwise, pos) && bind_keys (c, &n->funcs[i], pos);
   return ok;
}

MtWindowNode *mt_window_node_add (MtCompile *c, const MtWindowNode *plan)
{
   MtWindowNode *n = (MtWindowNode *) mt_node_new (c, sizeof *n, NULL, NULL);
   MtExecNode node = n->n;
   *n = *plan;
   n->n = node;
   mt_window_node_init (n);
   if (!bind_all (c, n))
      return NULL;
   for (uint32_t i = 0; i < n->func_count; i++)
      n->funcs[i].var = mt_var_new (c, n->n.pos, false);
   c->last_sink = n->n.pos;
   return n;
}

bool mt_stage_window (MtCompile *c, MtVal spec)
{
   MtWindowNode plan = {0};
   const char **names;
   if (spec.type != MT_DOC ||
       !parse_list (c, mt_doc_field (spec, "partitionBy"), &plan.partition,
                    &plan.partition_count) ||
       !parse_list (c, mt_doc_field (spec, "sortBy"), &plan.order, &plan.order_count) ||
       !parse_windows (c, &plan, mt_doc_field (spec, "windows"), &names))
      return spec.type == MT_DOC ? false
                                 : mt_bad (c, 0, "the $_mtWindow specification must be an object");
   /* Create the window node last, because its expressions are computed by nodes that must come
    * before it. */
   MtWindowNode *n = mt_window_node_add (c, &plan);
   for (uint32_t i = 0; n && i < n->func_count; i++) {
      MtPath path;
      if (!mt_path_parse (c, names[i], &path))
         return false;
      c->root = mt_shape_with (c, c->root, &path, 0, mt_shape_var (c, n->funcs[i].var), false);
   }
   return n != NULL;
}
