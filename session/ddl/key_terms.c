/* Translates the conditions of partial unique indexes into conditions that a server's index can
 * have. */
#include "query/comparison.h"
#include "query/x.h"
#include "session/core/checks.h"
#include "session/ddl/key_int.h"

#include <string.h>

static bool is_inexact (MtTypeId t)
{
   return t == MT_T_FLOAT4 || t == MT_T_FLOAT8 || t == MT_T_NUMERIC;
}

/* Returns the column if x is a column, or a column in casts that keep its value; else NULL. */
static const MtX *column_of (const MtX *x)
{
   while (x->kind == MT_X_CALL && (x->call.fn->flags & MT_F_CAST) && x->call.argc == 1 &&
          ((mt_type_is_integer (x->call.args[0]->type.id) && mt_type_is_integer (x->type.id)) ||
           (x->call.args[0]->type.id == MT_T_VARCHAR && x->type.id == MT_T_TEXT)))
      x = x->call.args[0];
   return x->kind == MT_X_COLUMN ? x : NULL;
}

static bool comparison (MtArena *a, const MtX *x, MtKeyTerm *out)
{
   static const int tests[] = {
      [MT_CMP_NONE] = -1,      [MT_CMP_EQ] = MT_KEY_EQ, [MT_CMP_NE] = -1,
      [MT_CMP_LT] = MT_KEY_LT, [MT_CMP_LE] = MT_KEY_LE, [MT_CMP_GT] = MT_KEY_GT,
      [MT_CMP_GE] = MT_KEY_GE};
   MtAgainst is;
   const MtX *c;
   if (!mt_x_against (x, &is) || tests[is.op] < 0 || !(c = column_of (is.x)) ||
       mt_is_nullish (is.constant->value) || mt_v_is_nan (is.constant->value) ||
       (mt_cmp_is_less (is.op) && is_inexact (c->type.id))) /* MongoDB's NaN is the least number */
      return false;
   *out = (MtKeyTerm) {c->column, (MtKeyTest) tests[is.op], mt_v_copy (a, is.constant->value)};
   return true;
}

/* Translates x, a condition other than an AND, into *out. want: whether x must be true or false.
 * Returns false if it has no such form. */
static bool one_term (MtArena *a, const MtX *x, bool want, MtKeyTerm *out)
{
   if (x->kind == MT_X_NOT)
      return one_term (a, x->list[0], !want, out);
   if (x->kind == MT_X_COLUMN && x->type.id == MT_T_BOOL) {
      *out = (MtKeyTerm) {x->column, MT_KEY_EQ, mt_v_bool (want)};
      return true;
   }
   if (x->kind == MT_X_IS_NULL && x->list[0]->kind == MT_X_COLUMN) {
      *out = (MtKeyTerm) {x->list[0]->column, want ? MT_KEY_IS_NULL : MT_KEY_NOT_NULL,
                          mt_v_null ()};
      return true;
   }
   return want && comparison (a, x, out);
}

static bool is_true (const MtX *x)
{
   return x->kind == MT_X_CONST && x->value.type == MT_BOOL && x->value.i;
}

void mt_key_read_terms (MtArena *a, const MtX *x, MtTableKey *k)
{
   const MtX *only[] = {x};
   const MtX *const *list = x->kind == MT_X_AND ? (const MtX *const *) x->list : only;
   size_t n = x->kind == MT_X_AND ? (size_t) x->count : 1;
   MtKeyTerm *terms = MT_NEW_N (a, MtKeyTerm, n + 1);
   k->terms = NULL;
   k->term_count = 0;
   for (size_t i = 0; i < n; i++) {
      if (is_true (list[i]))
         continue;
      if (!one_term (a, list[i], true, &terms[k->term_count])) {
         k->term_count = 0;
         return;
      }
      k->term_count++;
   }
   k->terms = terms;
}
