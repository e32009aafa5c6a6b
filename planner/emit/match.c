/* Filters in the match language, where it says exactly what SQL says: it is type-bracketed (a
 * comparison with a number finds numbers only, so neither NULL nor missing), can use indexes, and
 * prunes. Everything else goes under $expr. */
#include "planner/emit/emit_int.h"

#include "types/datetime.h"
#include "types/numeric.h"
#include "query/comparison.h"
#include "functions/text/pattern.h"
#include "query/x.h"

#include <math.h>
#include <stdio.h>

/* A column against constants; the column may be under a cast that changes nothing for
 * comparisons. */
typedef struct Leaf {
   const MtPlace *place;
   const MtX *column;
} Leaf;

/* BSON compares numbers of all types exactly, so casts between them that lose nothing may be left
 * out. */
static bool lossless (MtTypeId from, MtTypeId to)
{
   if (mt_type_is_integer (from))
      return to == MT_T_NUMERIC || (mt_type_is_integer (to) && to > from) ||
             (from != MT_T_INT8 && to == MT_T_FLOAT8);
   return (from == MT_T_FLOAT4 && to == MT_T_FLOAT8) || (from == MT_T_VARCHAR && to == MT_T_TEXT);
}

static bool find_leaf (const MtEmit *e, const MtX *x, Leaf *out)
{
   while (x->kind == MT_X_CALL && (x->call.fn->flags & MT_F_CAST) && x->call.argc == 1 &&
          lossless (x->call.args[0]->type.id, x->type.id))
      x = x->call.args[0];
   out->column = x;
   out->place = mt_emit_place (e, x);
   return out->place && out->place->can_match && out->place->path &&
          !mt_type_is_array (x->type.id) &&
          !mt_is_json (x->type.id); /* it would look into arrays */
}

static bool all_const (const MtX *x, int from)
{
   for (int i = from; i < x->count; i++)
      if (x->list[i]->kind != MT_X_CONST)
         return false;
   return true;
}

static bool is_text (const MtX *x) { return x->type.id == MT_T_TEXT || x->type.id == MT_T_VARCHAR; }

typedef struct LikeLeaf {
   Leaf at;
   const char *regex;
   bool exact; /* regex is the text itself */
} LikeLeaf;

/* LIKE with a constant pattern that is in order, over a column that is stored as itself. */
static bool like_leaf (const MtEmit *e, const MtX *x, LikeLeaf *out)
{
   return mt_is_call (x, "~~", 2) && is_text (x->call.args[0]) &&
          x->call.args[1]->kind == MT_X_CONST && find_leaf (e, x->call.args[0], &out->at) &&
          !out->at.place->encode &&
          mt_like_regex (e->a, mt_v_text (x->call.args[1]->value), MT_STR ("\\"), false,
                         &out->regex, &out->exact);
}

static bool compare_leaf (const MtEmit *e, const MtX *x, Leaf *leaf, MtVal *v, const char **op)
{
   MtAgainst is;
   if (!mt_x_against (x, &is) || !x->call.fn->mql)
      return false;
   *op = is.op;
   *v = is.constant->value;
   return !mt_is_nullish (*v) && find_leaf (e, is.x, leaf) &&
          (!leaf->place->encode || leaf->column == is.x);
}

/* A constant that is an element of a column's array of one dimension: {path: value}, which an index
 * serves. */
static const MtPlace *element_place (const MtEmit *e, const MtX *x)
{
   if (!mt_is_call (x, "$in_array", 2) || x->call.args[0]->kind != MT_X_CONST ||
       mt_is_nullish (x->call.args[0]->value))
      return NULL;
   const MtPlace *p = mt_emit_place (e, x->call.args[1]);
   return p && p->can_match && p->path && !p->encode ? p : NULL;
}

static bool can_match (const MtEmit *e, const MtX *x)
{
   Leaf leaf;
   LikeLeaf like;
   MtVal v;
   const char *op;
   if (x->kind == MT_X_IN)
      return all_const (x, 1) && find_leaf (e, x->list[0], &leaf) && !leaf.place->several &&
             (!leaf.place->encode || leaf.column == x->list[0]);
   if (x->kind == MT_X_IS_NULL)
      return find_leaf (e, x->list[0], &leaf);
   if (x->type.id == MT_T_BOOL && mt_emit_place (e, x))
      return find_leaf (e, x, &leaf) && !leaf.place->encode;
   return like_leaf (e, x, &like) || compare_leaf (e, x, &leaf, &v, &op);
}

/* ---- leaves ---- */

static void field_op (bson_t *out, const char *path, const char *op, MtVal v)
{
   bson_t doc;
   BSON_APPEND_DOCUMENT_BEGIN (out, path, &doc);
   mt_v_append (&doc, op, -1, v);
   bson_append_document_end (out, &doc);
}

static void field_list (bson_t *out, const char *path, const char *op, const MtVal *v, int n)
{
   bson_t doc, list;
   char index[16];
   BSON_APPEND_DOCUMENT_BEGIN (out, path, &doc);
   BSON_APPEND_ARRAY_BEGIN (&doc, op, &list);
   for (int i = 0; i < n; i++) {
      snprintf (index, sizeof index, "%d", i);
      mt_v_append (&list, index, -1, v[i]);
   }
   bson_append_array_end (&doc, &list);
   bson_append_document_end (out, &doc);
}

static void nothing (bson_t *out, const char *path) { field_list (out, path, "$in", NULL, 0); }

static void not_null (bson_t *out, const char *path) { field_op (out, path, "$ne", mt_v_null ()); }

static void equals (bson_t *out, const char *path, MtVal v)
{
   if (v.type == MT_DOC || v.type == MT_ARRAY || v.type == MT_REGEX)
      field_op (out, path, "$eq", v);
   else
      mt_v_append (out, path, -1, v);
}

/* x > 5 is TRUE for NaN, PostgreSQL's largest number. */
static void or_nan (bson_t *out, const char *path, const char *op, MtVal v)
{
   bson_t list, one;
   BSON_APPEND_ARRAY_BEGIN (out, "$or", &list);
   BSON_APPEND_DOCUMENT_BEGIN (&list, "0", &one);
   field_op (&one, path, op, v);
   bson_append_document_end (&list, &one);
   BSON_APPEND_DOCUMENT_BEGIN (&list, "1", &one);
   BSON_APPEND_DOUBLE (&one, path, NAN);
   bson_append_document_end (&list, &one);
   bson_append_array_end (out, &list);
}

static bool holds_nan (const Leaf *l)
{
   MtTypeId t = l->column->type.id;
   return t == MT_T_FLOAT4 || t == MT_T_FLOAT8 || t == MT_T_NUMERIC;
}

static bool is_nan (MtVal v)
{
   return (v.type == MT_DOUBLE && isnan (v.d)) ||
          (v.type == MT_DECIMAL && mt_num_is_nan (mt_num_load (v.p)));
}

/* Against NaN itself: nothing is above it, everything else is below. */
static void compare_nan (const Leaf *l, const char *op, MtVal v, bson_t *out)
{
   const MtVal both[] = {v, mt_v_null ()};
   const char *path = l->place->path;
   if (strcmp (op, ">") == 0)
      nothing (out, path);
   else if (strcmp (op, "=") == 0 || strcmp (op, ">=") == 0)
      equals (out, path, v);
   else if (strcmp (op, "<=") == 0)
      not_null (out, path);
   else
      field_list (out, path, "$nin", both, 2);
}

static bool stored_form (MtEmit *e, const Leaf *l, MtVal *v, bool *exact, MtError *err)
{
   *exact = true;
   if (!l->place->encode || l->place->encode (l->place, e->a, *v, v, exact))
      return true;
   return mt_error (err, MT_E_INTERNAL,
                    "a constant can't be compared with the stored values at \"%s\"",
                    l->place->path);
}

/* Between two stored forms there is no value: < and <= mean "up to the lower one", > and >= "above
 * it". */
static void compare_inexact (const Leaf *l, const char *op, MtVal lower, bson_t *out)
{
   const char *path = l->place->path;
   if (op[0] == '=')
      nothing (out, path);
   else if (strcmp (op, "<>") == 0)
      not_null (out, path);
   else
      field_op (out, path, op[0] == '<' ? "$lte" : "$gt", lower);
}

/* A time's stored forms go from its own to before that of the next millisecond. */
static bool match_several (MtEmit *e, const Leaf *l, const char *op, MtVal v, bson_t *out,
                           MtError *err)
{
   MtVal next = mt_v_date (v.i + 1);
   bool exact, above = strcmp (op, ">") == 0 || strcmp (op, "<=") == 0;
   bson_t doc, both;
   if (!stored_form (e, l, &v, &exact, err) || !stored_form (e, l, &next, &exact, err))
      return false;
   if (op[0] != '=' && strcmp (op, "<>") != 0) {
      field_op (out, l->place->path, op[0] == '<' ? "$lt" : "$gte", above ? next : v);
      return true;
   }
   BSON_APPEND_DOCUMENT_BEGIN (out, l->place->path, &doc);
   if (op[0] == '<') {
      BSON_APPEND_NULL (&doc, "$ne");
      BSON_APPEND_DOCUMENT_BEGIN (&doc, "$not", &both);
   }
   mt_v_append (op[0] == '<' ? &both : &doc, "$gte", -1, v);
   mt_v_append (op[0] == '<' ? &both : &doc, "$lt", -1, next);
   if (op[0] == '<')
      bson_append_document_end (&doc, &both);
   bson_append_document_end (out, &doc);
   return true;
}

static bool match_compare (MtEmit *e, const MtX *x, bool want, bson_t *out, MtError *err)
{
   Leaf l;
   MtVal v;
   const char *op;
   bool exact;
   compare_leaf (e, x, &l, &v, &op);
   if (!want)
      op = mt_cmp_negated (op);
   if (is_nan (v)) {
      compare_nan (&l, op, v, out);
      return true;
   }
   if (l.place->several && v.type == MT_DATE && mt_ts_is_finite (v.i))
      return match_several (e, &l, op, v, out, err);
   if (!stored_form (e, &l, &v, &exact, err))
      return false;
   const char *path = l.place->path;
   const MtVal both[] = {v, mt_v_null ()};
   if (!exact)
      compare_inexact (&l, op, v, out);
   else if (op[0] == '=')
      equals (out, path, v);
   else if (strcmp (op, "<>") == 0)
      field_list (out, path, "$nin", both, l.place->nullable || l.place->may_be_missing ? 2 : 1);
   else if (op[0] == '>' && holds_nan (&l))
      or_nan (out, path, mt_cmp_mql (op), v);
   else
      field_op (out, path, mt_cmp_mql (op), v);
   return true;
}

static bool match_in (MtEmit *e, const MtX *x, bool want, bson_t *out, MtError *err)
{
   Leaf l;
   find_leaf (e, x->list[0], &l);
   MtVal *v = MT_NEW_N (e->a, MtVal, (size_t) x->count + 1);
   int n = 0;
   for (int i = 1; i < x->count; i++) {
      MtVal one = x->list[i]->value;
      bool exact = true;
      if (mt_is_nullish (one)) {
         if (want)
            continue;
         nothing (out, l.place->path); /* NOT IN (…, NULL) is never TRUE */
         return true;
      }
      if (!stored_form (e, &l, &one, &exact, err))
         return false;
      if (exact)
         v[n++] = one;
   }
   if (!want)
      v[n++] = mt_v_null ();
   field_list (out, l.place->path, want ? "$in" : "$nin", v, n);
   return true;
}

static bool match_like (const LikeLeaf *l, bool want, bson_t *out)
{
   bson_t doc, inner;
   MtVal text = mt_v_str (l->regex, strlen (l->regex));
   if (l->exact && want) {
      equals (out, l->at.place->path, text);
      return true;
   }
   if (l->exact) {
      const MtVal both[] = {text, mt_v_null ()};
      field_list (out, l->at.place->path, "$nin", both, 2);
      return true;
   }
   BSON_APPEND_DOCUMENT_BEGIN (out, l->at.place->path, &doc);
   if (want) {
      BSON_APPEND_UTF8 (&doc, "$regex", l->regex);
      BSON_APPEND_UTF8 (&doc, "$options", "s");
   } else {
      BSON_APPEND_DOCUMENT_BEGIN (&doc, "$not", &inner);
      BSON_APPEND_UTF8 (&inner, "$regex", l->regex);
      BSON_APPEND_UTF8 (&inner, "$options", "s");
      bson_append_document_end (&doc, &inner);
      BSON_APPEND_NULL (&doc, "$ne");
   }
   bson_append_document_end (out, &doc);
   return true;
}

static bool match_leaf (MtEmit *e, const MtX *x, bool want, bson_t *out, MtError *err)
{
   Leaf l;
   LikeLeaf like;
   if (x->kind == MT_X_IN)
      return match_in (e, x, want, out, err);
   if (x->kind == MT_X_IS_NULL) {
      find_leaf (e, x->list[0], &l);
      if (want)
         mt_v_append (out, l.place->path, -1, mt_v_null ());
      else
         not_null (out, l.place->path);
      return true;
   }
   if (mt_emit_place (e, x)) {
      find_leaf (e, x, &l);
      equals (out, l.place->path, mt_v_bool (want));
      return true;
   }
   return like_leaf (e, x, &like) ? match_like (&like, want, out)
                                  : match_compare (e, x, want, out, err);
}

/* ---- AND, OR ---- */

static bool match_x (MtEmit *e, const MtX *x, bool want, bson_t *out, MtError *err);

static bool match_list (MtEmit *e, const MtX *x, bool want, const char *op, bson_t *out,
                        MtError *err)
{
   bson_t list, one;
   char index[16];
   bool ok = true;
   BSON_APPEND_ARRAY_BEGIN (out, op, &list);
   for (int i = 0; i < x->count && ok; i++) {
      snprintf (index, sizeof index, "%d", i);
      BSON_APPEND_DOCUMENT_BEGIN (&list, index, &one);
      ok = match_x (e, x->list[i], want, &one, err);
      bson_append_document_end (&list, &one);
   }
   bson_append_array_end (out, &list);
   return ok;
}

static bool json_can_match (MtEmit *e, const MtX *x)
{
   bson_t ignored = BSON_INITIALIZER;
   bool done = false;
   mt_emit_json_match (e, x, &ignored, &done, NULL);
   bson_destroy (&ignored);
   return done;
}

/* Something below can be said in the match language: then it is worth splitting an OR. */
static bool worth_splitting (MtEmit *e, const MtX *x)
{
   if (x->kind == MT_X_NOT)
      return worth_splitting (e, x->list[0]);
   if (x->kind != MT_X_AND && x->kind != MT_X_OR)
      return can_match (e, x) || element_place (e, x) || json_can_match (e, x);
   for (int i = 0; i < x->count; i++)
      if (worth_splitting (e, x->list[i]))
         return true;
   return false;
}

static bool match_x (MtEmit *e, const MtX *x, bool want, bson_t *out, MtError *err)
{
   if (x->kind == MT_X_NOT)
      return match_x (e, x->list[0], !want, out, err);
   if ((x->kind == MT_X_AND || x->kind == MT_X_OR) && worth_splitting (e, x))
      return match_list (e, x, want, (x->kind == MT_X_AND) == want ? "$and" : "$or", out, err);
   if (x->kind == MT_X_COALESCE && x->count == 2 && x->list[1]->kind == MT_X_CONST &&
       x->list[1]->value.type == MT_BOOL && (x->list[1]->value.i != 0) != want)
      return match_x (e, x->list[0], want, out, err); /* x IS TRUE */
   Leaf l; /* flag IS NOT TRUE: false, NULL and missing */
   if (x->kind == MT_X_COALESCE && x->count == 2 && x->list[1]->kind == MT_X_CONST &&
       x->list[1]->value.type == MT_BOOL && mt_emit_place (e, x->list[0]) &&
       find_leaf (e, x->list[0], &l) && !l.place->encode) {
      field_op (out, l.place->path, "$ne", mt_v_bool (!want));
      return true;
   }
   if (x->kind == MT_X_CONST && x->value.type == MT_BOOL && (x->value.i != 0) == want)
      return true; /* an empty filter */
   if (can_match (e, x))
      return match_leaf (e, x, want, out, err);
   const MtPlace *array = want ? element_place (e, x) : NULL;
   if (array) {
      equals (out, array->path, x->call.args[0]->value);
      return true;
   }
   bool done = false;
   if (want && !mt_emit_json_match (e, x, out, &done, err))
      return false;
   if (done)
      return true;
   return mt_emit_truth (e, x, want, out, "$expr", err);
}

bool mt_emit_match (MtEmit *e, const MtX *x, bson_t *match, MtError *err)
{
   if (x->depth > MT_MAX_EXPR_DEPTH)
      return mt_error_at (err, x->span, MT_E_TOO_COMPLEX, "stack depth limit exceeded");
   return match_x (e, x, true, match, err);
}
