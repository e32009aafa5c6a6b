/* Translates filters to $match conditions on paths, where they mean exactly the same as in SQL.
 * Such a comparison is true only for values of the constant's type, so not for NULL or a missing
 * field. It can use an index, and the embedded store can skip documents by it. All other filters
 * become $expr.
 *
 * A filter is first converted to a tree of parts (read_part), which are then appended. */
#include "planner/emit/emit_int.h"
#include "planner/emit/eval.h"

#include "types/datetime.h"
#include "query/comparison.h"
#include "functions/text/pattern.h"
#include "query/x.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum PartKind {
   PART_EXPR,     /* any expression, which becomes $expr */
   PART_ALWAYS,   /* true for all rows */
   PART_AND,      /* the AND of `parts` */
   PART_OR,       /* the OR of `parts` */
   PART_IN,       /* a column IN a list of constants */
   PART_IS_NULL,  /* a column IS NULL */
   PART_FLAG,     /* a boolean column that is `want` */
   PART_NOT_FLAG, /* a boolean column that is not `want`: the opposite, NULL or missing */
   PART_LIKE,     /* a column LIKE a constant pattern */
   PART_COMPARE,  /* a comparison of a column with a constant */
   PART_ELEMENT,  /* constant = ANY (array column) */
   PART_ARRAY,    /* an array column @>, <@ or && a constant array */
   PART_JSON      /* a condition on a value inside a jsonb or document column */
} PartKind;

/* A part of a filter: x must be TRUE if `want`, otherwise FALSE. */
typedef struct Part {
   PartKind kind;
   const MtX *x;
   bool want;
   bool by_path; /* this part, or a part nested in it, can use a path instead of $expr */
   const MtPlace *place;
   const MtX *column;
   MtCmp op;          /* PART_COMPARE: the operator */
   MtVal value;       /* PART_COMPARE, PART_ELEMENT: the constant */
   const char *regex; /* PART_LIKE: the pattern as a regular expression */
   bool exact;        /* PART_LIKE: `regex` is not a pattern, but the only text that matches */
   /* PART_LIKE: all texts that match, in place of a regular expression. NULL: use `regex`. */
   const MtVal *texts;
   int text_count;
   /* PART_LIKE, PART_EXPR: a prefix of all texts for which the part is true. NULL: none is
    * known. */
   const char *prefix;
   bool is_prefix; /* PART_LIKE: a text matches if and only if it has this prefix */
   MtJsonMatch json;
   MtArrayMatch array;
   struct Part *parts;
   int count;
} Part;

/* ---- converting expressions to parts ---- */

/* Returns whether a cast keeps the exact value. It can then be omitted in comparisons, because BSON
 * compares numbers of different types exactly. */
static bool lossless (MtTypeId from, MtTypeId to)
{
   if (mt_type_is_integer (from))
      return to == MT_T_NUMERIC || (mt_type_is_integer (to) && to > from) ||
             (from != MT_T_INT8 && to == MT_T_FLOAT8);
   return (from == MT_T_FLOAT4 && to == MT_T_FLOAT8) ||
          ((from == MT_T_VARCHAR || from == MT_T_BPCHAR || mt_type_is_enum (from)) &&
           to == MT_T_TEXT);
}

/* Sets p->column and p->place to the column in x, without casts that don't change comparisons.
 * False: x is not a column, or $match would search the elements of its arrays. */
static bool find_column (const MtEmit *e, const MtX *x, Part *p)
{
   while (x->kind == MT_X_CALL && (x->call.fn->flags & MT_F_CAST) && x->call.argc == 1 &&
          lossless (x->call.args[0]->type.id, x->type.id))
      x = x->call.args[0];
   p->column = x;
   p->place = mt_emit_place (e, x);
   return p->place && p->place->can_match && p->place->path && !mt_type_is_array (x->type.id) &&
          !mt_is_json (x->type.id);
}

static bool all_const (const MtX *x, int from)
{
   for (int i = from; i < x->count; i++)
      if (x->list[i]->kind != MT_X_CONST)
         return false;
   return true;
}

static bool is_text (const MtX *x) { return x->type.id == MT_T_TEXT || x->type.id == MT_T_VARCHAR; }

/* Returns whether the pattern of x, a call of ~, is a valid regular expression. */
static bool is_valid_regex (const MtEmit *e, const MtX *x)
{
   MtX **args = MT_NEW_N (e->a, MtX *, 2);
   MtBindEnv env = {.style = *e->style};
   MtError ignored;
   MtVal v;
   mt_error_clear (&ignored);
   args[0] = mt_x_text (e->a, "", x->span);
   args[1] = x->call.args[1];
   return mt_eval_const (e->a, mt_x_call (e->a, x->call.fn, x->type, args, 2, x->span), &env, &v,
                         &ignored);
}

/* Recognizes x as a call of `kind` on a column that is stored as text, with a constant pattern.
 * Sets *pattern and p->column. */
static bool find_pattern (const MtEmit *e, const MtX *x, MtFuncKind kind, Part *p, MtStr *pattern)
{
   if (!mt_is_call (x, kind, 2) || !is_text (x->call.args[0]) ||
       x->call.args[1]->kind != MT_X_CONST || mt_is_nullish (x->call.args[1]->value) ||
       !find_column (e, x->call.args[0], p) || p->place->encode)
      return false;
   *pattern = mt_v_text (x->call.args[1]->value);
   return true;
}

static bool take_like (const MtEmit *e, MtStr like, Part *p)
{
   if (!mt_like_regex (e->a, like, MT_STR ("\\"), false, &p->regex, &p->exact))
      return false;
   const char *prefix = mt_like_prefix (e->a, like, &p->is_prefix);
   p->prefix = *prefix ? prefix : NULL;
   return true;
}

static bool find_like (const MtEmit *e, const MtX *x, Part *p)
{
   MtStr like;
   return find_pattern (e, x, MT_FN_LIKE, p, &like) && take_like (e, like, p);
}

/* Recognizes x as a call of ~ whose regular expression is simple. For another regular expression
 * returns false, but sets p->prefix if all matching texts have a common prefix. */
static bool find_regex (const MtEmit *e, const MtX *x, Part *p)
{
   MtStr pattern;
   bool exact;
   if (!find_pattern (e, x, MT_FN_REGEX, p, &pattern))
      return false;
   if ((p->texts = mt_regex_as_texts (e->a, pattern, &p->text_count)))
      return true;
   const char *like = mt_regex_as_like (e->a, pattern, &exact);
   /* an invalid pattern must be an error, even if no text has the prefix */
   return like && (exact || is_valid_regex (e, x)) && take_like (e, mt_str (like), p) && exact;
}

static bool find_compare (const MtEmit *e, const MtX *x, Part *p)
{
   MtAgainst is;
   if (!mt_x_against (x, &is) || !x->call.fn->mql)
      return false;
   p->op = is.op;
   p->value = is.constant->value;
   return !mt_is_nullish (p->value) && find_column (e, is.x, p) &&
          (!p->place->encode || p->column == is.x);
}

static bool find_in (const MtEmit *e, const MtX *x, Part *p)
{
   return all_const (x, 1) && find_column (e, x->list[0], p) && !p->place->several &&
          (!p->place->encode || p->column == x->list[0]);
}

/* Recognizes x as constant = ANY (array column) with a one-dimensional array. It becomes {path:
 * value}, which can use an index. */
static bool find_element (const MtEmit *e, const MtX *x, Part *p)
{
   if (!mt_is_call (x, MT_FN_IN_ARRAY, 2) || x->call.args[0]->kind != MT_X_CONST ||
       mt_is_nullish (x->call.args[0]->value))
      return false;
   p->place = mt_emit_place (e, x->call.args[1]);
   p->value = x->call.args[0]->value;
   return p->place && p->place->can_match && p->place->path && !p->place->encode;
}

static PartKind kind_of_leaf (MtEmit *e, const MtX *x, Part *p)
{
   if (x->kind == MT_X_IN && find_in (e, x, p))
      return PART_IN;
   if (x->kind == MT_X_IS_NULL)
      return find_column (e, x->list[0], p) ? PART_IS_NULL : PART_EXPR;
   if (x->type.id == MT_T_BOOL && mt_emit_place (e, x))
      return find_column (e, x, p) && !p->place->encode ? PART_FLAG : PART_EXPR;
   if (find_like (e, x, p) || find_regex (e, x, p))
      return PART_LIKE;
   if (find_compare (e, x, p))
      return PART_COMPARE;
   if (find_element (e, x, p))
      return PART_ELEMENT;
   if (mt_array_match (e, x, &p->array))
      return PART_ARRAY;
   return mt_json_match (e, x, &p->json) ? PART_JSON : PART_EXPR;
}

static Part read_part (MtEmit *e, const MtX *x, bool want);

static Part read_list (MtEmit *e, const MtX *x, bool want)
{
   Part p = {.kind = (x->kind == MT_X_AND) == want ? PART_AND : PART_OR, .x = x, .want = want};
   p.parts = MT_NEW_N (e->a, Part, (size_t) x->count + 1);
   for (p.count = 0; p.count < x->count; p.count++) {
      p.parts[p.count] = read_part (e, x->list[p.count], want);
      p.by_path |= p.parts[p.count].by_path;
   }
   if (!p.by_path) /* no operand can use a path, so a single $expr suffices */
      p.kind = PART_EXPR;
   return p;
}

/* Converts COALESCE (x, constant), which the binder makes from IS [NOT] TRUE and IS [NOT] FALSE. */
static Part read_is (MtEmit *e, const MtX *x, bool want)
{
   Part p = {.kind = PART_EXPR, .x = x, .want = want};
   bool otherwise = x->list[1]->value.i != 0;
   if (otherwise != want) {
      p = read_part (e, x->list[0], want);
      p.by_path = false;
   } else if (mt_emit_place (e, x->list[0]) && find_column (e, x->list[0], &p) && !p.place->encode)
      p.kind = PART_NOT_FLAG;
   return p;
}

static Part read_part (MtEmit *e, const MtX *x, bool want)
{
   Part p = {.kind = PART_EXPR, .x = x, .want = want};
   if (x->kind == MT_X_NOT)
      return read_part (e, x->list[0], !want);
   if (x->kind == MT_X_AND || x->kind == MT_X_OR)
      return read_list (e, x, want);
   if (x->kind == MT_X_COALESCE && x->count == 2 && x->list[1]->kind == MT_X_CONST &&
       x->list[1]->value.type == MT_BOOL)
      return read_is (e, x, want);
   if (x->kind == MT_X_CONST && x->value.type == MT_BOOL && (x->value.i != 0) == want) {
      p.kind = PART_ALWAYS;
      return p;
   }
   p.kind = kind_of_leaf (e, x, &p);
   p.by_path = p.kind != PART_EXPR || (p.prefix && want);
   if (!want && (p.kind == PART_ELEMENT || p.kind == PART_JSON || p.kind == PART_ARRAY))
      p.kind = PART_EXPR;
   return p;
}

/* ---- appending parts ---- */

static void field_op (bson_t *out, const char *path, const char *op, MtVal v)
{
   bson_t doc;
   mt_doc_begin (out, path, &doc);
   mt_doc_add (&doc, op, v); /* appended in place, because v may be large */
   mt_doc_end (out, &doc);
}

static void field_list (bson_t *out, const char *path, const char *op, const MtVal *v, int n)
{
   bson_t doc, list;
   char index[16];
   mt_doc_begin (out, path, &doc);
   mt_array_begin (&doc, op, &list);
   for (int i = 0; i < n; i++) {
      snprintf (index, sizeof index, "%d", i);
      mt_doc_add (&list, index, v[i]);
   }
   mt_array_end (&doc, &list);
   mt_doc_end (out, &doc);
}

static void nothing (bson_t *out, const char *path) { field_list (out, path, "$in", NULL, 0); }

static void not_null (bson_t *out, const char *path) { field_op (out, path, "$ne", mt_v_null ()); }

static void equals (bson_t *out, const char *path, MtVal v)
{
   if (v.type == MT_DOC || v.type == MT_ARRAY || v.type == MT_REGEX)
      field_op (out, path, "$eq", v);
   else
      mt_doc_add (out, path, v);
}

/* Appends the condition that the field's value is not v, and (if it is nullable) not NULL. */
static void differs (bson_t *out, const char *path, MtVal v, bool nullable)
{
   const MtVal both[] = {v, mt_v_null ()};
   field_list (out, path, "$nin", both, nullable ? 2 : 1);
}

/* Appends the condition {path: {op: v}}, where op is > or >=, or that the value is NaN, which is
 * greater than all numbers in SQL. */
static void or_nan (bson_t *out, const char *path, const char *op, MtVal v)
{
   MtVal nan = mt_v_double (NAN);
   mt_doc_printf (out, "$or: [{%s: {%s: %p}}, {%s: %p}]", path, op, (void *) &v, path,
                  (void *) &nan);
}

static bool holds_nan (const Part *p)
{
   MtTypeId t = p->column->type.id;
   return t == MT_T_FLOAT4 || t == MT_T_FLOAT8 || t == MT_T_NUMERIC;
}

/* Appends a comparison with NaN, which is greater than all other numbers in SQL. */
static void write_nan (const char *path, MtCmp op, MtVal nan, bson_t *out)
{
   switch (op) {
   case MT_CMP_NONE:
   case MT_CMP_GT: nothing (out, path); break;
   case MT_CMP_EQ:
   case MT_CMP_GE: equals (out, path, nan); break;
   case MT_CMP_LE: not_null (out, path); break;
   case MT_CMP_NE:
   case MT_CMP_LT: differs (out, path, nan, true); break;
   }
}

static bool stored_form (MtEmit *e, const MtPlace *place, MtVal *v, bool *exact)
{
   *exact = true;
   if (!place->encode || place->encode (place, e->a, *v, v, exact))
      return true;
   return mt_error (e->err, MT_E_INTERNAL,
                    "a constant can't be compared with the stored values at \"%s\"", place->path);
}

/* Appends a comparison with a constant that is between two storable values, of which `lower` is the
 * lower one. < and <= become <= lower; > and >= become > lower. */
static void write_inexact (const char *path, MtCmp op, MtVal lower, bson_t *out)
{
   if (op == MT_CMP_EQ)
      nothing (out, path);
   else if (op == MT_CMP_NE)
      not_null (out, path);
   else
      field_op (out, path, mt_cmp_is_less (op) ? "$lte" : "$gt", lower);
}

/* Appends {path: {$gte: first, $lt: end}}. negated: appends its negation, without NULL. */
static void between (bson_t *out, const char *path, MtVal first, MtVal end, bool negated)
{
   if (negated)
      mt_doc_printf (out, "%s: {$ne: null, $not: {$gte: %p, $lt: %p}}", path, (void *) &first,
                     (void *) &end);
   else
      mt_doc_printf (out, "%s: {$gte: %p, $lt: %p}", path, (void *) &first, (void *) &end);
}

/* Appends a comparison with a time in milliseconds, for times stored as seconds with fractions.
 * There, a range of stored values means the same millisecond. */
static bool write_several (MtEmit *e, const Part *p, MtCmp op, bson_t *out)
{
   MtVal first = p->value, end = mt_v_date (p->value.i + 1);
   const char *path = p->place->path;
   bool exact;
   if (!stored_form (e, p->place, &first, &exact) || !stored_form (e, p->place, &end, &exact))
      return false;
   switch (op) {
   case MT_CMP_NONE: break;
   case MT_CMP_EQ: between (out, path, first, end, false); break;
   case MT_CMP_NE: between (out, path, first, end, true); break;
   case MT_CMP_LT: field_op (out, path, "$lt", first); break;
   case MT_CMP_LE: field_op (out, path, "$lt", end); break;
   case MT_CMP_GT: field_op (out, path, "$gte", end); break;
   case MT_CMP_GE: field_op (out, path, "$gte", first); break;
   }
   return true;
}

static bool write_compare (MtEmit *e, const Part *p, bson_t *out)
{
   MtVal v = p->value;
   MtCmp op = p->want ? p->op : mt_cmp_negated (p->op);
   const MtPlace *place = p->place;
   bool exact;
   if (mt_v_is_nan (v)) {
      write_nan (place->path, op, v, out);
      return true;
   }
   if (place->several && v.type == MT_DATE && mt_ts_is_finite (v.i))
      return write_several (e, p, op, out);
   if (!stored_form (e, place, &v, &exact))
      return false;
   if (!exact)
      write_inexact (place->path, op, v, out);
   else if (op == MT_CMP_EQ)
      equals (out, place->path, v);
   else if (op == MT_CMP_NE)
      differs (out, place->path, v, place->nullable || place->may_be_missing);
   else if (mt_cmp_is_greater (op) && holds_nan (p))
      or_nan (out, place->path, mt_cmp_mql (op), v);
   else
      field_op (out, place->path, mt_cmp_mql (op), v);
   return true;
}

static bool write_in (MtEmit *e, const Part *p, bson_t *out)
{
   const MtX *x = p->x;
   MtVal *v = MT_NEW_N (e->a, MtVal, (size_t) x->count + 1);
   int n = 0;
   for (int i = 1; i < x->count; i++) {
      MtVal one = x->list[i]->value;
      bool exact = true;
      if (mt_is_nullish (one)) {
         if (p->want)
            continue;
         nothing (out, p->place->path); /* x NOT IN (…, NULL) is never TRUE */
         return true;
      }
      if (!stored_form (e, p->place, &one, &exact))
         return false;
      if (exact)
         v[n++] = one;
   }
   if (!p->want)
      v[n++] = mt_v_null ();
   field_list (out, p->place->path, p->want ? "$in" : "$nin", v, n);
   return true;
}

/* Appends the range of texts that have the part's prefix. more: a regular expression that must
 * match, too; NULL: none. */
static void write_prefix (MtEmit *e, const Part *p, const char *more, bson_t *out)
{
   const char *end = mt_prefix_end (e->a, p->prefix);
   bson_t doc;
   mt_doc_begin (out, p->place->path, &doc);
   mt_doc_add_text (&doc, "$gte", p->prefix);
   if (end)
      mt_doc_add_text (&doc, "$lt", end);
   if (more) {
      mt_doc_add_text (&doc, "$regex", more);
      mt_doc_add_text (&doc, "$options", "s");
   }
   mt_doc_end (out, &doc);
}

static void write_texts (MtEmit *e, const Part *p, bson_t *out)
{
   MtVal *list = MT_NEW_N (e->a, MtVal, (size_t) p->text_count + 1);
   memcpy (list, p->texts, (size_t) p->text_count * sizeof *list);
   list[p->text_count] = mt_v_null ();
   field_list (out, p->place->path, p->want ? "$in" : "$nin", list, p->text_count + !p->want);
}

static void write_like (MtEmit *e, const Part *p, bson_t *out)
{
   const char *path = p->place->path;
   if (p->texts) {
      write_texts (e, p, out);
      return;
   }
   MtVal text = mt_v_cstr (p->regex);
   if (p->exact) {
      if (p->want)
         equals (out, path, text);
      else
         differs (out, path, text, true);
      return;
   }
   if (p->want && p->prefix)
      write_prefix (e, p, p->is_prefix ? NULL : p->regex, out);
   else if (p->want)
      mt_doc_printf (out, "%s: {$regex: %s, $options: 's'}", path, p->regex);
   else
      mt_doc_printf (out, "%s: {$not: {$regex: %s, $options: 's'}, $ne: null}", path, p->regex);
}

static bool write_part (MtEmit *e, const Part *p, bson_t *out);

static bool write_list (MtEmit *e, const Part *p, bson_t *out)
{
   bson_t list, one;
   char index[16];
   bool ok = true;
   mt_array_begin (out, p->kind == PART_AND ? "$and" : "$or", &list);
   for (int i = 0; i < p->count && ok; i++) {
      snprintf (index, sizeof index, "%d", i);
      mt_doc_begin (&list, index, &one);
      ok = write_part (e, &p->parts[i], &one);
      mt_doc_end (&list, &one);
   }
   mt_array_end (out, &list);
   return ok;
}

/* Appends an expression as $expr. If its matching texts have a known prefix, their range is
 * appended before it, because the range can use an index, and a server can test it. */
static bool write_expr (MtEmit *e, const Part *p, bson_t *out)
{
   bson_t list, one;
   if (!p->prefix || !p->want)
      return mt_emit_truth (e, p->x, p->want, out, "$expr");
   mt_array_begin (out, "$and", &list);
   mt_doc_begin (&list, "0", &one);
   write_prefix (e, p, NULL, &one);
   mt_doc_end (&list, &one);
   mt_doc_begin (&list, "1", &one);
   bool ok = mt_emit_truth (e, p->x, true, &one, "$expr");
   mt_doc_end (&list, &one);
   mt_array_end (out, &list);
   return ok;
}

static bool write_part (MtEmit *e, const Part *p, bson_t *out)
{
   switch (p->kind) {
   case PART_EXPR: return write_expr (e, p, out);
   case PART_ALWAYS: break;
   case PART_AND:
   case PART_OR: return write_list (e, p, out);
   case PART_IN: return write_in (e, p, out);
   case PART_IS_NULL:
      if (p->want)
         mt_doc_add (out, p->place->path, mt_v_null ());
      else
         not_null (out, p->place->path);
      break;
   case PART_FLAG: equals (out, p->place->path, mt_v_bool (p->want)); break;
   case PART_NOT_FLAG: field_op (out, p->place->path, "$ne", mt_v_bool (!p->want)); break;
   case PART_LIKE: write_like (e, p, out); break;
   case PART_COMPARE: return write_compare (e, p, out);
   case PART_ELEMENT: equals (out, p->place->path, p->value); break;
   case PART_ARRAY: return mt_emit_array_match (e, p->x, &p->array, out);
   case PART_JSON: return mt_emit_json_match (e, p->x, &p->json, out);
   }
   return true;
}

bool mt_emit_match (MtEmit *e, const MtX *x, bson_t *match)
{
   if (x->depth > MT_MAX_EXPR_DEPTH)
      return mt_error_at (e->err, x->span, MT_E_TOO_COMPLEX, "stack depth limit exceeded");
   Part p = read_part (e, x, true);
   return write_part (e, &p, match);
}
