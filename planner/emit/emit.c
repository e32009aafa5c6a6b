/* Translates typed SQL expressions to aggregation expressions. */
#include "planner/emit/emit_int.h"

#include <stdio.h>

void mt_op_open (bson_t *out, const char *key, const char *op, MtOpenOp *o)
{
   o->n = 0;
   mt_doc_begin (out, key, &o->doc);
   mt_array_begin (&o->doc, op, &o->list);
}

const char *mt_op_next (MtOpenOp *o)
{
   snprintf (o->key, sizeof o->key, "%u", o->n++);
   return o->key;
}

void mt_op_close (bson_t *out, MtOpenOp *o)
{
   mt_array_end (&o->doc, &o->list);
   mt_doc_end (out, &o->doc);
}

/* ---- constants and column references ---- */

static void put_literal (bson_t *out, const char *key, MtVal v)
{
   bson_t doc;
   mt_doc_begin (out, key, &doc);
   mt_doc_add (&doc, "$literal", v); /* appended in place, because it may be large */
   mt_doc_end (out, &doc);
}

void mt_emit_const (MtVal v, bson_t *out, const char *key)
{
   bool literal = v.type == MT_DOC || v.type == MT_ARRAY || v.type == MT_REGEX ||
                  (v.type == MT_STRING && v.len && v.p[0] == '$');
   if (literal)
      put_literal (out, key, v);
   else
      mt_doc_add (out, key, v);
}

const MtPlace *mt_emit_place (const MtEmit *e, const MtX *x)
{
   switch (x->kind) {
   case MT_X_COLUMN: return e->columns ? &e->columns[x->column] : NULL;
   case MT_X_KEY: return e->keys ? &e->keys[x->index] : NULL;
   case MT_X_AGG: return e->aggs ? &e->aggs[x->index] : NULL;
   case MT_X_TARGET: return e->targets ? &e->targets[x->index] : NULL;
   case MT_X_CONST:
   case MT_X_CALL:
   case MT_X_AND:
   case MT_X_OR:
   case MT_X_NOT:
   case MT_X_IS_NULL:
   case MT_X_IN:
   case MT_X_CASE:
   case MT_X_COALESCE:
   case MT_X_WINDOW:
   case MT_X_OUTER: break;
   }
   return NULL;
}

static void emit_path (const MtEmit *e, const char *path, bson_t *out, const char *key)
{
   mt_doc_add_path (e->a, out, key, path);
}

static void append_expr (const bson_t *expr, bson_t *out, const char *key)
{
   bson_iter_t it;
   if (bson_iter_init (&it, expr) && bson_iter_next (&it))
      mt_doc_add (out, key, mt_v_from_iter (&it));
}

static void emit_place_raw (const MtEmit *e, const MtPlace *p, bson_t *out, const char *key)
{
   if (p->expr)
      append_expr (p->expr, out, key);
   else
      emit_path (e, p->path, out, key);
}

static void emit_place (const MtEmit *e, const MtPlace *p, bson_t *out, const char *key)
{
   MtOpenOp o;
   if (!p->may_be_missing) {
      emit_place_raw (e, p, out, key);
      return;
   }
   mt_op_open (out, key, "$ifNull", &o);
   emit_place_raw (e, p, &o.list, mt_op_next (&o));
   mt_doc_add (&o.list, mt_op_next (&o), mt_v_null ());
   mt_op_close (out, &o);
}

static bool no_place (const MtX *x, MtError *err)
{
   return mt_error_at (err, x->span, MT_E_FEATURE, "this expression is not supported here");
}

bool mt_emit_raw (MtEmit *e, const MtX *x, bson_t *out, const char *key)
{
   const MtPlace *p = mt_emit_place (e, x);
   if (!p)
      return mt_emit_x (e, x, out, key);
   emit_place_raw (e, p, out, key);
   return true;
}

/* ---- three-valued booleans as values ---- */

/* Appends an expression for a boolean that may be NULL: {$cond: [x is TRUE, true, {$cond: [x is
 * FALSE, false, null]}]}. */
static bool emit_three_valued (MtEmit *e, const MtX *x, bson_t *out, const char *key)
{
   MtOpenOp outer, inner;
   if (!x->nullable)
      return mt_emit_truth (e, x, true, out, key);
   mt_op_open (out, key, "$cond", &outer);
   bool ok = mt_emit_truth (e, x, true, &outer.list, mt_op_next (&outer));
   mt_doc_add (&outer.list, mt_op_next (&outer), mt_v_bool (true));
   mt_op_open (&outer.list, mt_op_next (&outer), "$cond", &inner);
   ok = ok && mt_emit_truth (e, x, false, &inner.list, mt_op_next (&inner));
   mt_doc_add (&inner.list, mt_op_next (&inner), mt_v_bool (false));
   mt_doc_add (&inner.list, mt_op_next (&inner), mt_v_null ());
   mt_op_close (&outer.list, &inner);
   mt_op_close (out, &outer);
   return ok;
}

/* ---- CASE and COALESCE ---- */

static bool emit_if (MtEmit *e, const MtX *x, bson_t *out, const char *key)
{
   MtOpenOp o;
   mt_op_open (out, key, "$cond", &o);
   bool ok = mt_emit_truth (e, x->list[0], true, &o.list, mt_op_next (&o)) &&
             mt_emit_x (e, x->list[1], &o.list, mt_op_next (&o)) &&
             mt_emit_x (e, x->list[2], &o.list, mt_op_next (&o));
   mt_op_close (out, &o);
   return ok;
}

static bool emit_case (MtEmit *e, const MtX *x, bson_t *out, const char *key)
{
   bson_t doc, args, list, branch;
   bool ok = true;
   char index[16];
   if (x->count == 3)
      return emit_if (e, x, out, key);
   mt_doc_begin (out, key, &doc);
   mt_doc_begin (&doc, "$switch", &args);
   mt_array_begin (&args, "branches", &list);
   for (int i = 0; i + 1 < x->count && ok; i += 2) {
      snprintf (index, sizeof index, "%d", i / 2);
      mt_doc_begin (&list, index, &branch);
      ok = mt_emit_truth (e, x->list[i], true, &branch, "case") &&
           mt_emit_x (e, x->list[i + 1], &branch, "then");
      mt_doc_end (&list, &branch);
   }
   mt_array_end (&args, &list);
   ok = ok && mt_emit_x (e, x->list[x->count - 1], &args, "default");
   mt_doc_end (&doc, &args);
   mt_doc_end (out, &doc);
   return ok;
}

/* Appends COALESCE as nested $ifNull, since $ifNull takes only two arguments before MongoDB 5.0. */
static bool emit_coalesce (MtEmit *e, MtX *const *list, int n, bson_t *out, const char *key)
{
   MtOpenOp o;
   if (n == 1)
      return mt_emit_x (e, list[0], out, key);
   mt_op_open (out, key, "$ifNull", &o);
   bool ok = mt_emit_raw (e, list[0], &o.list, mt_op_next (&o)) &&
             emit_coalesce (e, list + 1, n - 1, &o.list, mt_op_next (&o));
   mt_op_close (out, &o);
   return ok;
}

/* ---- all kinds of expressions ---- */

static bool emit_kind (MtEmit *e, const MtX *x, bson_t *out, const char *key)
{
   const MtPlace *p;
   switch (x->kind) {
   case MT_X_CONST: mt_emit_const (x->value, out, key); return true;
   case MT_X_COLUMN:
   case MT_X_KEY:
   case MT_X_AGG:
   case MT_X_TARGET:
   case MT_X_WINDOW:
      p = mt_emit_place (e, x);
      if (!p)
         return no_place (x, e->err);
      emit_place (e, p, out, key);
      return true;
   case MT_X_OUTER:
      mt_doc_add_text (
         out, key, mt_printf (e->a, "$$%s", mt_outer_name (e->a, x->outer.scope, x->outer.column)));
      return true;
   case MT_X_CALL: return mt_emit_call (e, x, out, key);
   case MT_X_AND:
   case MT_X_OR:
   case MT_X_NOT:
   case MT_X_IN:
   case MT_X_IS_NULL: return emit_three_valued (e, x, out, key);
   case MT_X_CASE: return emit_case (e, x, out, key);
   case MT_X_COALESCE: return emit_coalesce (e, x->list, x->count, out, key);
   }
   return no_place (x, e->err);
}

/* Greatest depth of an SQL expression that is translated; a deeper one is an error. */
#define MAX_EMIT_DEPTH (MT_MAX_BSON_DEPTH * 4)

bool mt_emit_x (MtEmit *e, const MtX *x, bson_t *out, const char *key)
{
   if (x->depth > MAX_EMIT_DEPTH)
      return mt_error_at (e->err, x->span, MT_E_TOO_COMPLEX, "expression is nested too deeply");
   return emit_kind (e, x, out, key);
}

bool mt_emit_value (MtEmit *e, const MtX *x, bson_t *out, const char *key)
{
   if (x->kind != MT_X_CONST)
      return mt_emit_x (e, x, out, key);
   /* In $project a bare 1 or true would mean "include". */
   put_literal (out, key, x->value);
   return true;
}

bool mt_emit_condition (MtEmit *e, const MtX *x, bson_t *out, const char *key)
{
   if (x->depth > MAX_EMIT_DEPTH)
      return mt_error_at (e->err, x->span, MT_E_TOO_COMPLEX, "expression is nested too deeply");
   return mt_emit_truth (e, x, true, out, key);
}
