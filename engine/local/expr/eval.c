/* Evaluates expressions: one function for each kind of expression. The functions of operators are
 * in the tables of op_*.c. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

#define FEW_ARGS 8

bool mt_truthy (MtVal v)
{
   switch (v.type) {
   case MT_MISSING:
   case MT_NULL:
   case MT_UNDEFINED: return false;
   case MT_BOOL:
   case MT_INT32:
   case MT_INT64: return v.i != 0;
   case MT_DOUBLE: return v.d != 0;
   case MT_DECIMAL: return mt_v_compare_numbers (v, mt_v_int32 (0)) != 0;
   default: return true;
   }
}

bool mt_ev_const (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   *out = e->value;
   return true;
}

bool mt_ev_slot (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   *out = w->slots[e->slot];
   return true;
}

bool mt_ev_walk (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   return mt_x_walk (w, w->slots[e->slot], &e->path, 0, out);
}

bool mt_ev_build (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   return mt_build_here (w, e->shape, out);
}

/* ---- strict operators ---- */

static bool call (const MtExecExpr *e, MtWork *w, const MtVal *args, MtVal *out)
{
   w->ev.user = e->row->user;
   return e->row->fn (&w->ev, args, e->argc, out);
}

bool mt_ev_op (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   MtVal few[FEW_ARGS], *args = e->argc <= FEW_ARGS ? few : MT_NEW_N (w->arena, MtVal, e->argc);
   for (uint32_t i = 0; i < e->argc; i++)
      if (!mt_eval (e->args[i], w, &args[i]))
         return false;
   return call (e, w, args, out);
}

bool mt_ev_op1 (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   MtVal arg;
   return mt_eval (e->args[0], w, &arg) && call (e, w, &arg, out);
}

bool mt_ev_op2 (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   MtVal args[2];
   return mt_eval (e->args[0], w, &args[0]) && mt_eval (e->args[1], w, &args[1]) &&
          call (e, w, args, out);
}

/* ---- conditions and variables ---- */

static bool any (const MtExecExpr *e, MtWork *w, bool stop_at, MtVal *out)
{
   MtVal v;
   for (uint32_t i = 0; i < e->argc; i++) {
      if (!mt_eval (e->args[i], w, &v))
         return false;
      if (mt_truthy (v) == stop_at) {
         *out = mt_v_bool (stop_at);
         return true;
      }
   }
   *out = mt_v_bool (!stop_at);
   return true;
}

bool mt_ev_and (const MtExecExpr *e, MtWork *w, MtVal *out) { return any (e, w, false, out); }

bool mt_ev_or (const MtExecExpr *e, MtWork *w, MtVal *out) { return any (e, w, true, out); }

bool mt_ev_not (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   MtVal v;
   if (!mt_eval (e->args[0], w, &v))
      return false;
   *out = mt_v_bool (!mt_truthy (v));
   return true;
}

bool mt_ev_cond (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   MtVal v;
   return mt_eval (e->args[0], w, &v) && mt_eval (e->args[mt_truthy (v) ? 1 : 2], w, out);
}

bool mt_ev_ifnull (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   for (uint32_t i = 0; i < e->argc; i++) {
      if (!mt_eval (e->args[i], w, out))
         return false;
      if (!mt_is_nullish (*out))
         return true;
   }
   return true;
}

bool mt_ev_switch (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   MtVal v;
   for (uint32_t i = 0; i + 1 < e->argc; i += 2) {
      if (!mt_eval (e->args[i], w, &v))
         return false;
      if (mt_truthy (v))
         return mt_eval (e->args[i + 1], w, out);
   }
   if (e->argc & 1)
      return mt_eval (e->args[e->argc - 1], w, out);
   return mt_error_coded (
      &w->err, MT_E_PARAMETER, 40066,
      "$switch could not find a matching branch for an input, and no default was specified");
}

bool mt_ev_let (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   uint32_t n = e->argc - 1u;
   for (uint32_t i = 0; i < n;
        /* Variables of the same $let can't use each other, and their slots belong only to this
         * $let. So they can be set one by one. */
        i++)
      if (!mt_eval (e->args[i], w, &w->slots[e->slot + i]))
         return false;
   return mt_eval (e->args[n], w, out);
}

/* Evaluates the input of $map or a similar operator, which must be an array. Sets *null if the
 * input is null or missing; then the result is null, too. op: the operator's name for errors. */
static bool array_input (const MtExecExpr *e, MtWork *w, const char *op, MtVal *in, bool *null)
{
   if (!mt_eval (e->args[0], w, in))
      return false;
   *null = mt_is_nullish (*in);
   if (!*null && in->type != MT_ARRAY)
      return mt_error_coded (&w->err, MT_E_PARAMETER, mt_code_type (op, 0),
                             "input to %s must be an array not %s", op, mt_v_type_name (*in));
   return true;
}

bool mt_ev_map (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   MtVal in, v;
   bool null;
   if (!array_input (e, w, "$map", &in, &null))
      return false;
   *out = mt_v_null ();
   if (null)
      return true;
   MtBson b = {.arena = w->arena};
   size_t start = mt_bson_begin (&b);
   MtDocIter it = mt_doc_iter (in);
   MtStr key;
   uint32_t i = 0;
   while (mt_doc_next (&it, &key, &w->slots[e->slot])) {
      w->slots[e->slot + 1] = mt_v_int32 ((int32_t) i);
      if (!mt_tick (w) || !mt_eval (e->args[1], w, &v))
         return false;
      mt_bson_put_at (&b, i++, v);
   }
   mt_bson_end (&b, start);
   *out = mt_bson_part (&b, start, MT_ARRAY);
   return true;
}

static bool filter_limit (const MtExecExpr *e, MtWork *w, int64_t *limit)
{
   MtVal v;
   *limit = INT64_MAX;
   if (e->argc < 3)
      return true;
   if (!mt_eval (e->args[2], w, &v))
      return false;
   if (mt_is_nullish (v))
      return true;
   *limit = v.i;
   if (v.type == MT_DOUBLE)
      *limit = (int64_t) (v.d > 1e9 ? 1e9 : v.d);
   bool is_whole = v.type == MT_INT32 || v.type == MT_INT64 ||
                   (v.type == MT_DOUBLE && v.d == (double) *limit);
   if (!is_whole || *limit < 1)
      return mt_error_coded (&w->err, MT_E_PARAMETER, is_whole ? 327392 : 327391,
                             "$filter: limit must be a positive integer");
   return true;
}

bool mt_ev_filter (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   MtVal in, v;
   bool null;
   int64_t limit;
   if (!array_input (e, w, "$filter", &in, &null) || !filter_limit (e, w, &limit))
      return false;
   *out = mt_v_null ();
   if (null)
      return true;
   MtBson b = {.arena = w->arena};
   size_t start = mt_bson_begin (&b);
   MtDocIter it = mt_doc_iter (in);
   MtStr key;
   MtVal item;
   uint32_t i = 0;
   for (int32_t at = 0; i < limit && mt_doc_next (&it, &key, &item); at++) {
      w->slots[e->slot] = item;
      w->slots[e->slot + 1] = mt_v_int32 (at);
      if (!mt_tick (w) || !mt_eval (e->args[1], w, &v))
         return false;
      if (mt_truthy (v))
         mt_bson_put_at (&b, i++, item);
   }
   mt_bson_end (&b, start);
   *out = mt_bson_part (&b, start, MT_ARRAY);
   return true;
}

bool mt_ev_reduce (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   MtVal in, value, next;
   bool null;
   if (!array_input (e, w, "$reduce", &in, &null) || !mt_eval (e->args[1], w, &value))
      return false;
   *out = mt_v_null ();
   if (null)
      return true;
   MtDocIter it = mt_doc_iter (in);
   MtStr key;
   MtVal item;
   for (int32_t at = 0; mt_doc_next (&it, &key, &item); at++) {
      w->slots[e->slot] = item;
      w->slots[e->slot + 1] = mt_v_int32 (at);
      w->slots[e->slot + 2] = value;
      if (!mt_tick (w) || !mt_eval (e->args[2], w, &next))
         return false;
      value = next;
   }
   *out = value;
   return true;
}

/* ---- literals with expressions in them ---- */

bool mt_ev_literal (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   MtBson b = {.arena = w->arena};
   size_t start = mt_bson_begin (&b);
   MtVal v;
   for (uint32_t i = 0; i < e->argc; i++) {
      if (!mt_eval (e->args[i], w, &v))
         return false;
      if (e->kind == MT_EX_DOC)
         mt_bson_put (&b, e->names[i], v);
      else
         mt_bson_put_at (&b, i, v);
   }
   mt_bson_end (&b, start);
   *out = mt_bson_part (&b, start, e->kind == MT_EX_DOC ? MT_DOC : MT_ARRAY);
   return true;
}

bool mt_ev_getfield (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   MtVal name, in;
   if (!mt_eval (e->args[0], w, &name) || !mt_eval (e->args[1], w, &in))
      return false;
   if (name.type != MT_STRING)
      return mt_error_coded (&w->err, MT_E_PARAMETER, 3041704,
                             "$getField requires 'field' to evaluate to a string, not %s",
                             mt_v_type_name (name));
   if (in.type == MT_DOC)
      *out = mt_doc_get (in, (const char *) name.p, name.len);
   else
      *out = in.type == MT_NULL ? in : mt_v_missing ();
   return true;
}

bool mt_ev_setfield (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   MtVal name = e->args[0]->value, in, value, v;
   if (!mt_eval (e->args[1], w, &in) || !mt_eval (e->args[2], w, &value))
      return false;
   *out = mt_v_null ();
   if (mt_is_nullish (in))
      return true;
   if (in.type != MT_DOC)
      return mt_error_coded (&w->err, MT_E_PARAMETER, 4161105,
                             "$setField requires 'input' to evaluate to an object, not %s",
                             mt_v_type_name (in));
   MtBson b = {.arena = w->arena};
   size_t start = mt_bson_begin (&b);
   MtDocIter it = mt_doc_iter (in);
   MtStr key;
   bool put = false;
   while (mt_doc_next (&it, &key, &v)) {
      bool same = key.n == name.len && memcmp (key.p, name.p, key.n) == 0;
      mt_bson_add (&b, key.p, key.n, same ? value : v);
      put |= same;
   }
   if (!put)
      mt_bson_add (&b, (const char *) name.p, name.len, value);
   mt_bson_end (&b, start);
   *out = mt_bson_part (&b, start, MT_DOC);
   return true;
}

/* ---- projections of nested documents ---- */

typedef struct Projecting {
   MtWork *w;
   bool keep_rest;
} Projecting;

static bool project (const Projecting *pr, const MtProj *p, uint32_t n, MtVal base, int depth,
                     MtVal *out);

static bool has_set (const MtProj *p, uint32_t n)
{
   for (uint32_t i = 0; i < n; i++)
      if (p[i].action == MT_PROJ_SET ||
          (p[i].action == MT_PROJ_TREE && has_set (p[i].sub, p[i].count)))
         return true;
   return false;
}

static bool project_array (const Projecting *pr, const MtProj *p, uint32_t n, MtVal base, int depth,
                           MtVal *out)
{
   MtBson b = {.arena = pr->w->arena};
   size_t start = mt_bson_begin (&b);
   MtDocIter it = mt_doc_iter (base);
   MtStr key;
   MtVal v, r;
   uint32_t i = 0;
   while (mt_doc_next (&it, &key, &v)) {
      if (!mt_tick (pr->w) || !project (pr, p, n, v, depth + 1, &r))
         return false;
      if (r.type != MT_MISSING)
         mt_bson_put_at (&b, i++, r);
   }
   mt_bson_end (&b, start);
   *out = mt_bson_part (&b, start, MT_ARRAY);
   return true;
}

static const MtProj *proj_named (const MtProj *p, uint32_t n, MtStr key)
{
   for (uint32_t i = 0; i < n; i++)
      if (strncmp (p[i].name, key.p, key.n) == 0 && p[i].name[key.n] == 0)
         return &p[i];
   return NULL;
}

static bool project_new (const Projecting *pr, const MtProj *p, MtBson *b, int depth)
{
   MtVal v = mt_v_missing ();
   if (p->action == MT_PROJ_SET
          ? !mt_eval (p->expr, pr->w, &v)
          : p->action == MT_PROJ_TREE && has_set (p->sub, p->count) &&
               !project (pr, p->sub, p->count, mt_v_missing (), depth + 1, &v))
      return false;
   mt_bson_put (b, p->name, v);
   return true;
}

static bool project_old (const Projecting *pr, const MtProj *p, MtBson *b, MtStr key, MtVal v,
                         int depth)
{
   MtVal r = v;
   if (!p ? !pr->keep_rest : p->action == MT_PROJ_DROP)
      return true;
   if (p && p->action == MT_PROJ_TREE && !project (pr, p->sub, p->count, v, depth + 1, &r))
      return false;
   if (p && p->action == MT_PROJ_SET && !mt_eval (p->expr, pr->w, &r))
      return false;
   mt_bson_add (b, key.p, key.n, r);
   return true;
}

static bool project (const Projecting *pr, const MtProj *p, uint32_t n, MtVal base, int depth,
                     MtVal *out)
{
   if (depth > 2 * MT_MAX_BSON_DEPTH)
      return mt_error_coded (&pr->w->err, MT_E_TOO_COMPLEX, MT_CODE_OVERFLOW,
                             "document is nested too deeply");
   if (base.type == MT_ARRAY)
      return project_array (pr, p, n, base, depth, out);
   *out = pr->keep_rest ? base : mt_v_missing ();
   if (base.type != MT_DOC && !has_set (p, n))
      return true;
   uint64_t few[4] = {0}, *done = n <= 256 ? few : MT_NEW_N (pr->w->arena, uint64_t, n / 64 + 1);
   MtBson b = {.arena = pr->w->arena};
   size_t start = mt_bson_begin (&b);
   MtDocIter it = mt_doc_iter (base);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v)) {
      const MtProj *f = proj_named (p, n, key);
      if (f && f->action == MT_PROJ_SET && !pr->keep_rest)
         continue; /* $project appends computed fields at the end, below */
      if (f)
         done[(f - p) / 64] |= (uint64_t) 1 << ((f - p) % 64);
      if (!project_old (pr, f, &b, key, v, depth))
         return false;
   }
   for (uint32_t i = 0; i < n; i++)
      if (!(done[i / 64] >> (i % 64) & 1) && !project_new (pr, &p[i], &b, depth))
         return false;
   mt_bson_end (&b, start);
   *out = mt_bson_part (&b, start, MT_DOC);
   return true;
}

/* Applies the projection e to document `base`, and stores the new document in *out. */
static bool proj_apply (const MtExecExpr *e, MtWork *w, MtVal base, MtVal *out)
{
   Projecting pr = {w, e->keep_rest};
   return project (&pr, e->proj, e->proj_count, base, 0, out);
}

bool mt_ev_proj (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   MtVal base;
   return mt_eval (e->args[0], w, &base) && proj_apply (e, w, base, out);
}
