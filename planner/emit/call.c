/* Translates function calls: inserts the arguments into the function's template, which is an
 * aggregation expression, or calls an operator of the local executor. */
#include "types/mongosh.h"
#include "planner/emit/emit_int.h"
#include "functions/template.h"

#include <ctype.h>
#include <stdio.h>

typedef struct Fill {
   MtEmit *e;
   const MtX *x;
   /* For each argument: the $let variable that has its value, such as "$$a1". NULL: the argument is
    * written into the template itself. */
   const char *vars[MT_SIG_MAX_ARGS];
   /* a NULL check encloses the template, so arguments in it are not NULL */
   bool guarded;
   bool known[MT_SIG_MAX_ARGS]; /* for each argument: it is a constant; its value is in `values` */
   MtVal values[MT_SIG_MAX_ARGS];
   bool any_known;
   /* Nesting depth in the template. At depth 0, a constant 1 or true in $project would mean
    * "include the field". */
   int depth;
} Fill;

/* Returns the index of the argument for which the template's text s stands: 2 for "$3". -1: s
 * stands for no argument. */
static int hole (const char *s, uint32_t n)
{
   if (n < 2 || n > 3 || s[0] != '$')
      return -1;
   int v = 0;
   for (uint32_t i = 1; i < n; i++) {
      if (!isdigit ((unsigned char) s[i]))
         return -1;
      v = v * 10 + (s[i] - '0');
   }
   return v - 1;
}

/* Returns whether the element is a $literal, whose value must be copied unchanged. */
static bool is_literal (const bson_iter_t *it)
{
   return strcmp (bson_iter_key (it), "$literal") == 0;
}

static void count_holes (const bson_iter_t *at, int *uses)
{
   bson_iter_t it = *at, child;
   uint32_t n;
   while (bson_iter_next (&it)) {
      if (is_literal (&it))
         continue;
      if (BSON_ITER_HOLDS_UTF8 (&it)) {
         const char *s = bson_iter_utf8 (&it, &n);
         int h = hole (s, n);
         if (h >= 0 && h < MT_SIG_MAX_ARGS)
            uses[h]++;
      } else if (bson_iter_recurse (&it, &child))
         count_holes (&child, uses);
   }
}

static bool emit_arg (Fill *f, int i, bson_t *out, const char *key)
{
   const MtX *arg = f->x->call.args[i];
   if (i < MT_SIG_MAX_ARGS && f->vars[i]) {
      mt_doc_add_text (out, key, f->vars[i]);
      return true;
   }
   bool raw = f->guarded || (f->x->call.fn->flags & MT_F_NULL_SAFE);
   return raw ? mt_emit_raw (f->e, arg, out, key) : mt_emit_x (f->e, arg, out, key);
}

/* Computes a part of the template now, if it depends only on constant arguments. So left (x, 2)
 * needs no branch for negative lengths. False: an argument is not constant. */
static bool known_value (Fill *f, MtVal part, MtVal *out)
{
   int argc = f->x->call.argc < MT_SIG_MAX_ARGS ? f->x->call.argc : MT_SIG_MAX_ARGS;
   MtError ignored;
   const MtTemplate *t = f->any_known && f->depth ? mt_template_part (f->e->a, part) : NULL;
   return t && mt_template_known (t, f->known, argc) &&
          mt_template_run (f->e->a, t, f->values, argc, out, &ignored) && out->type != MT_MISSING;
}

static void find_known (Fill *f)
{
   for (int i = 0; i < f->x->call.argc && i < MT_SIG_MAX_ARGS; i++) {
      const MtX *arg = f->x->call.args[i];
      f->known[i] = arg->kind == MT_X_CONST && !mt_is_nullish (arg->value);
      f->values[i] = arg->kind == MT_X_CONST ? arg->value : mt_v_null ();
      f->any_known |= f->known[i];
   }
}

/* If the test of {$cond: [test, then, else]} is constant, moves *branch to the branch that is used.
 * False: the test is not constant. */
static bool known_branch (Fill *f, const bson_iter_t *it, bson_iter_t *branch)
{
   bson_iter_t doc, list;
   MtVal test;
   if (!f->any_known || !f->depth || !BSON_ITER_HOLDS_DOCUMENT (it) ||
       !bson_iter_recurse (it, &doc) || !bson_iter_next (&doc) ||
       strcmp (bson_iter_key (&doc), "$cond") || !BSON_ITER_HOLDS_ARRAY (&doc) ||
       !bson_iter_recurse (&doc, &list) || !bson_iter_next (&list))
      return false;
   if (!known_value (f, mt_v_from_iter (&list), &test) || test.type != MT_BOOL)
      return false;
   *branch = list;
   return bson_iter_next (branch) && (test.i || bson_iter_next (branch));
}

static bool fill (Fill *f, const bson_iter_t *at, bool array, bson_t *out);

static bool fill_value (Fill *f, bson_iter_t *it, bson_t *out, const char *key)
{
   bson_iter_t child, branch;
   MtVal v;
   bson_t sub;
   uint32_t n;
   bool ok;
   if (BSON_ITER_HOLDS_UTF8 (it) && !is_literal (it)) {
      const char *s = bson_iter_utf8 (it, &n);
      int h = hole (s, n);
      if (h >= 0)
         return h < f->x->call.argc
                   ? emit_arg (f, h, out, key)
                   : mt_error_at (f->e->err, f->x->span, MT_E_INVALID_DEFINITION,
                                  "template of function %s uses $%d, which is not a parameter",
                                  f->x->call.fn->name, h + 1);
   }
   if (is_literal (it) || (!BSON_ITER_HOLDS_DOCUMENT (it) && !BSON_ITER_HOLDS_ARRAY (it))) {
      mt_doc_add (out, key, mt_v_from_iter (it));
      return true;
   }
   if (known_branch (f, it, &branch))
      return fill_value (f, &branch, out, key);
   bool array = BSON_ITER_HOLDS_ARRAY (it);
   if (!array && known_value (f, mt_v_from_iter (it), &v)) {
      mt_emit_const (v, out, key);
      return true;
   }
   if (!bson_iter_recurse (it, &child))
      return false;
   f->depth++;
   if (array) {
      mt_array_begin (out, key, &sub);
      ok = fill (f, &child, true, &sub);
      mt_array_end (out, &sub);
   } else {
      mt_doc_begin (out, key, &sub);
      ok = fill (f, &child, false, &sub);
      mt_doc_end (out, &sub);
   }
   f->depth--;
   return ok;
}

static bool fill (Fill *f, const bson_iter_t *at, bool array, bson_t *out)
{
   bson_iter_t it = *at;
   char index[16];
   int n = 0;
   while (bson_iter_next (&it)) {
      if (array && BSON_ITER_HOLDS_UTF8 (&it) && strcmp (bson_iter_utf8 (&it, NULL), "$*") == 0) {
         for (int i = 0; i < f->x->call.argc; i++) {
            snprintf (index, sizeof index, "%d", n++);
            if (!emit_arg (f, i, out, index))
               return false;
         }
         continue;
      }
      snprintf (index, sizeof index, "%d", n++);
      if (!fill_value (f, &it, out, array ? index : bson_iter_key (&it)))
         return false;
   }
   return true;
}

/* ---- checks for NULL around the template ---- */

static bool needs_guard (const MtX *x)
{
   if (x->call.fn->flags & (MT_F_NOT_STRICT | MT_F_NULL_SAFE))
      return false;
   for (int i = 0; i < x->call.argc; i++)
      if (x->call.args[i]->nullable)
         return true;
   return false;
}

static bool emit_body (Fill *f, const bson_t *tmpl, bson_t *out, const char *key)
{
   bson_iter_t it;
   MtOpenOp cond, any;
   if (!bson_iter_init (&it, tmpl) || !bson_iter_next (&it))
      return false;
   if (!f->guarded)
      return fill_value (f, &it, out, key);
   mt_op_open (out, key, "$cond", &cond);
   mt_op_open (&cond.list, mt_op_next (&cond), "$or", &any);
   bool ok = true;
   for (int i = 0; i < f->x->call.argc && ok; i++) {
      if (!f->x->call.args[i]->nullable)
         continue;
      MtOpenOp le;
      mt_op_open (&any.list, mt_op_next (&any), "$lte", &le);
      ok = emit_arg (f, i, &le.list, mt_op_next (&le));
      mt_doc_add (&le.list, mt_op_next (&le), mt_v_null ());
      mt_op_close (&any.list, &le);
   }
   mt_op_close (&cond.list, &any);
   mt_doc_add (&cond.list, mt_op_next (&cond), mt_v_null ());
   ok = ok && fill_value (f, &it, &cond.list, mt_op_next (&cond));
   mt_op_close (out, &cond);
   return ok;
}

static bool cheap (const MtEmit *e, const MtX *x)
{
   const MtPlace *p = mt_emit_place (e, x);
   return x->kind == MT_X_CONST || (p && !p->expr);
}

/* Appends the template in a $let, with a variable for each argument that is used more than once
 * (`bind`). */
static bool emit_with_vars (Fill *f, const bson_t *tmpl, const bool *bind, bson_t *out,
                            const char *key)
{
   static const char *const names[MT_SIG_MAX_ARGS] = {"a1", "a2", "a3", "a4",  "a5",  "a6",
                                                      "a7", "a8", "a9", "a10", "a11", "a12"};
   static const char *const refs[MT_SIG_MAX_ARGS] = {"$$a1", "$$a2",  "$$a3",  "$$a4",
                                                     "$$a5", "$$a6",  "$$a7",  "$$a8",
                                                     "$$a9", "$$a10", "$$a11", "$$a12"};
   bson_t doc, let, vars;
   bool ok = true;
   mt_doc_begin (out, key, &doc);
   mt_doc_begin (&doc, "$let", &let);
   mt_doc_begin (&let, "vars", &vars);
   for (int i = 0; i < f->x->call.argc && i < MT_SIG_MAX_ARGS && ok; i++)
      if (bind[i])
         ok = mt_emit_x (f->e, f->x->call.args[i], &vars, names[i]);
   mt_doc_end (&let, &vars);
   for (int i = 0; i < MT_SIG_MAX_ARGS; i++)
      f->vars[i] = bind[i] ? refs[i] : NULL;
   ok = ok && emit_body (f, tmpl, &let, "in");
   mt_doc_end (&doc, &let);
   mt_doc_end (out, &doc);
   return ok;
}

static bool emit_template (MtEmit *e, const MtX *x, bson_t *out, const char *key)
{
   Fill f = {.e = e, .x = x, .guarded = needs_guard (x)};
   int uses[MT_SIG_MAX_ARGS] = {0};
   bool bind[MT_SIG_MAX_ARGS] = {0}, any = false;
   MtError why;
   bson_iter_t it;
   bson_t *tmpl = mt_mongosh_wrapped (mt_str (x->call.fn->mql), &why);
   if (!tmpl)
      return mt_error_at (e->err, x->span, MT_E_INVALID_DEFINITION,
                          "template of function %s is not valid JSON: %s", x->call.fn->name,
                          why.message);
   find_known (&f);
   if (bson_iter_init (&it, tmpl))
      count_holes (&it, uses);
   for (int i = 0; i < x->call.argc && i < MT_SIG_MAX_ARGS; i++) {
      bind[i] = uses[i] + (f.guarded && x->call.args[i]->nullable) > 1 &&
                !cheap (e, x->call.args[i]);
      any |= bind[i];
   }
   bool ok = any ? emit_with_vars (&f, tmpl, bind, out, key) : emit_body (&f, tmpl, out, key);
   bson_destroy (tmpl);
   return ok;
}

static bool emit_op (MtEmit *e, const MtX *x, bson_t *out, const char *key)
{
   MtOpenOp o;
   bool ok = true;
   e->local_only = true;
   mt_op_open (out, key, x->call.fn->op->name, &o);
   for (int i = 0; i < x->call.argc && ok; i++)
      ok = mt_emit_x (e, x->call.args[i], &o.list, mt_op_next (&o));
   mt_op_close (out, &o);
   return ok;
}

bool mt_emit_call (MtEmit *e, const MtX *x, bson_t *out, const char *key)
{
   bool done = false;
   MtOpenOp cond;
   const MtFunc *f = x->call.fn;
   if (mt_only_by_operator (x))
      return emit_op (e, x, out, key);
   if (!mt_emit_special (e, x, out, key, &done))
      return false;
   if (done)
      return true;
   if (f->cmp != MT_CMP_NONE && f->mql) {
      if (!x->nullable)
         return mt_emit_compare (e, x, true, out, key);
      mt_op_open (out, key, "$cond", &cond);
      bool ok = mt_emit_compare (e, x, true, &cond.list, mt_op_next (&cond));
      mt_doc_add (&cond.list, mt_op_next (&cond), mt_v_bool (true));
      MtOpenOp inner;
      mt_op_open (&cond.list, mt_op_next (&cond), "$cond", &inner);
      ok = ok && mt_emit_compare (e, x, false, &inner.list, mt_op_next (&inner));
      mt_doc_add (&inner.list, mt_op_next (&inner), mt_v_bool (false));
      mt_doc_add (&inner.list, mt_op_next (&inner), mt_v_null ());
      mt_op_close (&cond.list, &inner);
      mt_op_close (out, &cond);
      return ok;
   }
   if (f->mql)
      return emit_template (e, x, out, key);
   if (f->op)
      return emit_op (e, x, out, key);
   return mt_error_at (e->err, x->span, MT_E_INTERNAL, "function %s has no definition to run",
                       f->name);
}
