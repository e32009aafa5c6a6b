/* The function $minMaxScaler of $setWindowFields. It is rewritten: the input becomes a hidden
 * field, $min and $max are computed over that field in the window, and $addFields computes the
 * scaled value from the three. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/op.h"
#include "engine/local/expr/shape.h"
#include "engine/local/stage/stage_int.h"

#define HIDDEN "_mtScaler"

/* Computes (value - least) / (greatest - least) * (max - min) + min. args[] are value, least,
 * greatest, min and max, in this order. Returns min if least equals greatest. */
static bool scale (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   MtVal part, range, size;
   for (int i = 0; i < argc; i++)
      if (!mt_is_number (args[i]))
         return mt_error_coded (ev->err, MT_E_PARAMETER, MT_CODE_TYPE_MISMATCH,
                                "$minMaxScaler only supports numeric types, not %s",
                                mt_v_type_name (args[i]));
   *out = args[3];
   return mt_v_compare_numbers (args[1], args[2]) == 0 ||
          (mt_op_arith (ev, "$subtract", args[0], args[1], &part) &&
           mt_op_arith (ev, "$subtract", args[2], args[1], &range) &&
           mt_op_arith (ev, "$subtract", args[4], args[3], &size) &&
           mt_op_arith (ev, "$divide", part, range, &part) &&
           mt_op_arith (ev, "$multiply", part, size, &part) &&
           mt_op_arith (ev, "$add", part, args[3], out));
}

static const MtOpRow scale_row = {
   "$_mtScale", 5, 5, NULL, 0, scale, "a number, scaled from one range to another", NULL, NULL};

/* Reads the argument of $minMaxScaler, which is an expression or {input, min, max}. Sets *input,
 * and the range s->min and s->max, which is 0 to 1 by default. */
static bool read_argument (MtCompile *c, MtVal arg, MtVal *input, MtScaled *s)
{
   static const char *const names[] = {"input", "min", "max"};
   MtVal bounds[] = {mt_v_int32 (0), mt_v_int32 (1)};
   *input = arg;
   if (arg.type == MT_DOC && mt_doc_field (arg, "input").type != MT_MISSING) {
      *input = mt_doc_field (arg, "input");
      for (int i = 0; i < 2; i++) {
         MtVal v = mt_doc_field (arg, names[i + 1]);
         MtExecExpr *e = v.type == MT_MISSING ? NULL : mt_expr_parse (c, v);
         if (!e && mt_error_is_set (c->err))
            return false;
         if (e && (e->kind != MT_EX_CONST || !mt_is_number (e->value)))
            return mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                           "'%s' of $minMaxScaler must be a constant number", names[i + 1]);
         bounds[i] = e ? e->value : bounds[i];
      }
      size_t known = 1;
      for (int i = 1; i < 3; i++)
         known += mt_doc_field (arg, names[i]).type != MT_MISSING;
      if (mt_doc_count (arg) != known)
         return mt_bad (c, MT_CODE_FAILED_TO_PARSE, "$minMaxScaler got an unexpected argument");
   }
   if (mt_v_compare_numbers (bounds[0], bounds[1]) >= 0)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                     "'min' of $minMaxScaler must be less than its 'max'");
   s->min = mt_v_copy (c->arena, bounds[0]);
   s->max = mt_v_copy (c->arena, bounds[1]);
   return true;
}

/* Appends {name: {op: "$_mtScaler.x<i>", window: …}} to b. That is $min or $max (op) over hidden
 * field number i. */
static void put_extreme (MtCompile *c, MtBson *b, const char *name, const char *op, uint32_t i,
                         MtVal window)
{
   size_t start = mt_bson_doc (b, name);
   mt_bson_put (b, op, mt_v_cstr (mt_printf (c->arena, "$" HIDDEN ".x%u", i)));
   if (window.type != MT_MISSING)
      mt_bson_put (b, "window", window);
   mt_bson_end (b, start);
}

bool mt_scaler_begin (MtCompile *c, MtVal *output, MtScaler *s)
{
   MtBson windows = {.arena = c->arena}, before = windows;
   size_t start = mt_bson_begin (&windows), fields = mt_bson_begin (&before);
   MtStr key;
   MtVal spec, input;
   s->at = MT_NEW_N (c->arena, MtScaled, mt_doc_count (*output) + 1);
   for (MtDocIter it = mt_doc_iter (*output); mt_doc_next (&it, &key, &spec);) {
      MtVal arg = spec.type == MT_DOC ? mt_doc_field (spec, "$minMaxScaler") : mt_v_missing ();
      if (arg.type == MT_MISSING) {
         mt_bson_add (&windows, key.p, key.n, spec);
         continue;
      }
      MtScaled *one = &s->at[s->n];
      MtVal window = mt_doc_field (spec, "window");
      one->field = mt_strndup (c->arena, key.p, key.n);
      if (!read_argument (c, arg, &input, one))
         return false;
      mt_bson_put (&before, mt_printf (c->arena, HIDDEN ".x%u", s->n), input);
      put_extreme (c, &windows, one->field, "$min", s->n, window);
      put_extreme (c, &windows, mt_printf (c->arena, HIDDEN ".m%u", s->n), "$max", s->n, window);
      s->n++;
   }
   mt_bson_end (&windows, start);
   mt_bson_end (&before, fields);
   if (!mt_memory_check (c->err))
      return false;
   if (!s->n)
      return true;
   *output = mt_bson_part (&windows, start, MT_DOC);
   return mt_stage_add_fields (c, mt_bson_part (&before, fields, MT_DOC));
}

bool mt_scaler_end (MtCompile *c, const MtScaler *s)
{
   MtBson after = {.arena = c->arena};
   size_t start = mt_bson_begin (&after);
   MtExecScope *scope;
   for (uint32_t i = 0; i < s->n; i++) {
      const MtScaled *one = &s->at[i];
      MtExecExpr *e = mt_expr_new (c, MT_EX_OP, mt_ev_op, 5);
      e->row = &scale_row;
      e->args[0] = mt_expr_field (c, mt_printf (c->arena, HIDDEN ".x%u", i));
      e->args[1] = mt_expr_field (c, one->field);
      e->args[2] = mt_expr_field (c, mt_printf (c->arena, HIDDEN ".m%u", i));
      e->args[3] = mt_expr_const (c, one->min);
      e->args[4] = mt_expr_const (c, one->max);
      if (!e->args[0] || !e->args[1] || !e->args[2])
         return false;
      scope = MT_NEW (c->arena, MtExecScope);
      const char *name = mt_printf (c->arena, "_mts%u_%u", c->at, i);
      *scope = (MtExecScope) {name, mt_shape_expr (c, e, c->root), c->scope};
      c->scope = scope;
      mt_bson_put (&after, one->field, mt_v_cstr (mt_printf (c->arena, "$$%s", name)));
   }
   mt_bson_end (&after, start);
   return !s->n || (mt_memory_check (c->err) &&
                    mt_stage_add_fields (c, mt_bson_part (&after, start, MT_DOC)) &&
                    mt_stage_unset (c, mt_v_cstr (HIDDEN)));
}
