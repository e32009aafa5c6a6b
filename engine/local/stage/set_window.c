/* The stage $setWindowFields. It is compiled into a sort by partitionBy and sortBy, a window node
 * that computes the fields, and an $addFields that adds them to the documents. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"
#include "engine/local/stage/stage_int.h"

/* ---- values to sort and partition by ---- */

static bool partition_value (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   *out = args[0].type == MT_MISSING ? mt_v_null () : args[0];
   return args[0].type != MT_ARRAY ||
          mt_error_coded (ev->err, MT_E_PARAMETER, MT_CODE_TYPE_MISMATCH,
                          "an expression used to partition cannot evaluate to value of type array");
}

static bool key_value (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   MtVal v = mt_sort_key (args[0], ev->user ? -1 : 1);
   *out = v.type == MT_MISSING ? mt_v_null () : v;
   return true;
}

#define ROW(name, fn, user, summary, example) \
   {name, 1, 1, NULL, 0, fn, summary, example, (void *) (uintptr_t) user}

static const MtOpRow partition_row = ROW ("$_mtPartition", partition_value, 0, "null for missing",
                                          "{\"$_mtPartition\": 1} => 1"),
                     up_row = ROW ("$_mtKeyUp", key_value, 0, "the value to sort by, ascending",
                                   "{\"$_mtKeyUp\": 1} => 1"),
                     down_row = ROW ("$_mtKeyDown", key_value, 1,
                                     "the value to sort by, descending",
                                     "{\"$_mtKeyDown\": 1} => 1");

static MtExecExpr *call (MtCompile *c, const MtOpRow *row, MtExecExpr *arg)
{
   MtExecExpr *e = mt_expr_new (c, MT_EX_OP, mt_ev_op, 1);
   e->row = row;
   e->args[0] = arg;
   return e;
}

static MtExecExpr *of_shape (MtCompile *c, MtShape *s)
{
   MtExecExpr *e = mt_expr_new (c, MT_EX_FIELD, NULL, 0);
   e->shape = s;
   return e;
}

/* ---- the stage ---- */

static bool add_partition (MtCompile *c, MtVal v, MtSorting *s, MtWindowOrder *order)
{
   MtExecExpr *e = v.type == MT_MISSING ? NULL : mt_expr_parse (c, v);
   if (v.type == MT_MISSING || !e)
      return v.type == MT_MISSING;
   MtShape *shape = mt_shape_expr (c, call (c, &partition_row, e), c->root);
   order->partition = of_shape (c, shape);
   mt_sorting_add (c, s, "p", shape, mt_v_int32 (1));
   return true;
}

static bool add_keys (MtCompile *c, MtVal v, MtSorting *s, MtWindowOrder *order)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal direction;
   if (v.type == MT_MISSING)
      return true;
   if (v.type != MT_DOC || !mt_doc_count (v))
      return mt_bad (c, MT_CODE_TYPE_MISMATCH,
                     "sortBy of %s must be an object with at least one field", c->stage);
   order->keys = MT_NEW_N (c->arena, MtExecExpr *, mt_doc_count (v));
   while (mt_doc_next (&it, &key, &direction)) {
      MtPath path;
      const char *field = mt_strndup (c->arena, key.p, key.n);
      bool down = mt_is_number (direction) && mt_v_compare (direction, mt_v_int32 (0)) < 0;
      if (!mt_path_parse (c, field, &path))
         return false;
      if (!order->key_count) {
         order->field = field;
         order->descending = down;
      }
      mt_sorting_add (c, s, mt_printf (c->arena, "%u", order->key_count),
                      mt_shape_path (c, c->root, &path), direction);
      order->keys[order->key_count++] = call (c, down ? &down_row : &up_row,
                                              mt_expr_field (c, field));
   }
   return !c->failed;
}

/* Appends an $addFields that adds the results of the window node to the documents. Each result is a
 * variable _mtw…, which $addFields reads as $$_mtw…. */
static bool add_fields (MtCompile *c, const MtWindowOutput *out, uint32_t count)
{
   MtBson spec = {.arena = c->arena};
   mt_bson_begin (&spec);
   for (uint32_t i = 0; i < count; i++) {
      MtExecScope *s = MT_NEW (c->arena, MtExecScope);
      const char *name = mt_printf (c->arena, "_mtw%u_%u", c->at, i);
      *s = (MtExecScope) {name, mt_shape_var (c, out[i].var), c->scope};
      c->scope = s;
      mt_bson_put (&spec, out[i].path, mt_v_cstr (mt_printf (c->arena, "$$%s", name)));
   }
   mt_bson_end (&spec, 0);
   return mt_memory_check (c->err) &&
          (!count || mt_stage_add_fields (c, mt_bson_part (&spec, 0, MT_DOC)));
}

bool mt_stage_set_window_fields (MtCompile *c, MtVal spec)
{
   static const char *const names[] = {"partitionBy", "sortBy", "output", NULL};
   MtWindowOrder order = {0};
   MtWindowOutput *out;
   uint32_t count;
   if (!mt_stage_fields (c, spec, names, MT_CODE_FAILED_TO_PARSE, 40415))
      return false;
   if (mt_doc_field (spec, "output").type != MT_DOC)
      return mt_bad (
         c, mt_doc_field (spec, "output").type == MT_MISSING ? 40414 : MT_CODE_TYPE_MISMATCH,
         "%s needs an object 'output'", c->stage);
   MtVal output = mt_doc_field (spec, "output");
   MtScaler scaler = {0};
   if (!mt_scaler_begin (c, &output, &scaler))
      return false;
   MtSorting s = mt_sorting_begin (c);
   return add_partition (c, mt_doc_field (spec, "partitionBy"), &s, &order) &&
          add_keys (c, mt_doc_field (spec, "sortBy"), &s, &order) && mt_sorting_end (c, &s) &&
          mt_window_outputs (c, &order, output, &out, &count) && add_fields (c, out, count) &&
          mt_scaler_end (c, &scaler);
}
