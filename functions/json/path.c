/* Evaluates SQL/JSON paths. In lax mode, an array is replaced by its elements where a single item
 * is needed, other values count as arrays of one element, and missing members are ignored. In
 * strict mode each of these is a failure. */
#include "functions/json/path.h"

#include "types/jsonb.h"
#include "types/numeric.h"
#include "functions/text/pattern.h"
#include "functions/core/row.h"

#include <string.h>

typedef struct Run {
   MtEval *ev;
   MtVal root, current, vars;
   int64_t last; /* the last index of the innermost array */
   bool lax;
   bool ignore; /* a missing member is no failure */
   bool quiet;  /* a failure needs no message */
   bool enough; /* out is NULL and an item was found: the search ends */
   /* Evaluation failed in a way that the argument `silent` of SQL suppresses. (If a function
    * returns false and `failed` is not set, ev->err is set, or `enough`.) */
   bool failed;
} Run;

typedef enum Truth { FALSE_, TRUE_, UNKNOWN_ } Truth;

/* Evaluates path p on `item`, and appends the found items to `out`. If `out` is NULL, stops at the
 * first item, and sets r->enough. Returns false if r->failed or r->enough is set, or on an
 * error. */
static bool run (Run *r, const MtJsonPath *p, MtVal item, bool unwrap, MtVals *out);
static bool test (Run *r, const MtJsonPath *p, MtVal item, Truth *out);

#define FAIL(r, ...) ((r)->failed = true, !(r)->quiet && mt_error ((r)->ev->err, __VA_ARGS__))

static bool is_container (MtVal v) { return v.type == MT_DOC || v.type == MT_ARRAY; }

static bool put (Run *r, MtVals *out, MtVal v)
{
   if (out)
      mt_vals_add (out, r->ev->arena, v);
   else
      r->enough = true;
   return out != NULL;
}

/* Evaluates the steps behind step p on v, the result of p. If there are none, v is a result of the
 * whole path. */
static bool go_on (Run *r, const MtJsonPath *p, MtVal v, MtVals *out)
{
   return p->next ? run (r, p->next, v, r->lax, out) : put (r, out, v);
}

/* Evaluates path p on each element of an array, and appends the items to *out. */
static bool of_elements (Run *r, const MtJsonPath *p, MtVal array, MtVals *out)
{
   MtDocIter it = mt_doc_iter (array);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      if (!run (r, p, v, false, out))
         return false;
   return true;
}

/* Evaluates an operand p, and appends its items to `out`. With `unwrap`, in lax mode, arrays among
 * them are replaced by their elements. */
static bool operands (Run *r, const MtJsonPath *p, MtVal item, bool unwrap, MtVals *out)
{
   MtVals found = {0};
   if (!unwrap || !r->lax)
      return run (r, p, item, r->lax, out);
   if (!run (r, p, item, true, &found))
      return false;
   for (size_t i = 0; i < found.n; i++) {
      MtDocIter it = mt_doc_iter (found.v[i]);
      MtStr key;
      MtVal v;
      if (found.v[i].type != MT_ARRAY)
         put (r, out, found.v[i]);
      else
         while (mt_doc_next (&it, &key, &v))
            put (r, out, v);
   }
   return true;
}

/* ---- members and elements ---- */

static bool member (Run *r, const MtJsonPath *p, MtVal v, bool unwrap, MtVals *out)
{
   MtVal found = mt_jsonb_field (v, p->name);
   if (v.type == MT_ARRAY && unwrap)
      return of_elements (r, p, v, out);
   if (found.type != MT_MISSING)
      return go_on (r, p, found, out);
   if (r->ignore)
      return true;
   return v.type == MT_DOC ? FAIL (r, MT_E_JSON_MEMBER, "JSON object does not contain key \"%.*s\"",
                                   (int) p->name.n, p->name.p)
                           : FAIL (r, MT_E_JSON_MEMBER,
                                   "jsonpath member accessor can only be applied to an object");
}

static bool children (Run *r, const MtJsonPath *p, MtVal v, MtVals *out)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   while (mt_doc_next (&it, &key, &e))
      if (!go_on (r, p, e, out))
         return false;
   return true;
}

static bool any_member (Run *r, const MtJsonPath *p, MtVal v, bool unwrap, MtVals *out)
{
   if (v.type == MT_DOC)
      return children (r, p, v, out);
   if (v.type == MT_ARRAY && unwrap)
      return of_elements (r, p, v, out);
   return r->ignore || FAIL (r, MT_E_JSON_OBJECT,
                             "jsonpath wildcard member accessor can only be applied to an object");
}

static bool elements (Run *r, const MtJsonPath *p, MtVal v, MtVals *out)
{
   if (v.type == MT_ARRAY)
      return children (r, p, v, out);
   if (r->lax)
      return go_on (r, p, v, out);
   return r->ignore || FAIL (r, MT_E_JSON_ARRAY,
                             "jsonpath wildcard array accessor can only be applied to an array");
}

/* Evaluates the accessor .** on the members of v, which are `level` levels below its start:
 * continues with each member whose level the accessor includes. */
static bool below (Run *r, const MtJsonPath *p, MtVal v, int level, MtVals *out)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   bool leaves = p->first == MT_PATH_END && p->last == MT_PATH_END;
   while (mt_doc_next (&it, &key, &e)) {
      bool wanted = leaves ? !is_container (e) : p->first != MT_PATH_END && level >= p->first;
      if (wanted && !go_on (r, p, e, out))
         return false;
      bool deeper = is_container (e) && (p->last == MT_PATH_END || level < p->last);
      if (deeper && !below (r, p, e, level + 1, out))
         return false;
   }
   return true;
}

/* Evaluates the accessor .** on v. As in PostgreSQL, a failure for v itself does not keep the
 * members of v from being evaluated. */
static bool any_depth (Run *r, const MtJsonPath *p, MtVal v, MtVals *out)
{
   bool was = r->ignore;
   r->ignore = true;
   bool ok = p->first != 0 || go_on (r, p, v, out);
   if (!ok && r->failed && r->quiet && is_container (v)) {
      r->failed = false;
      ok = true;
   }
   ok = ok && (p->last == 0 || below (r, p, v, 1, out));
   r->ignore = was;
   return ok;
}

static bool subscript (Run *r, const MtJsonPath *p, MtVal item, int64_t *out)
{
   MtVals found = {0};
   MtNum n;
   if (!run (r, p, item, r->lax, &found))
      return false;
   if (found.n != 1 || !mt_num_from_val (found.v[0], &n))
      return FAIL (r, MT_E_JSON_SUBSCRIPT,
                   "jsonpath array subscript is not a single numeric value");
   MtError ignored;
   if (!mt_num_to_int64 (mt_num_trunc (n, 0), out, &ignored) || *out > INT32_MAX ||
       *out < INT32_MIN)
      return FAIL (r, MT_E_JSON_SUBSCRIPT, "jsonpath array subscript is out of integer range");
   return true;
}

static bool subscripts (Run *r, const MtJsonPath *p, MtVal v, MtVals *out)
{
   int64_t was = r->last, size = v.type == MT_ARRAY ? (int64_t) mt_doc_count (v) : 1, from = 0,
           to = 0;
   bool ok = true;
   if (v.type != MT_ARRAY && !r->lax)
      return r->ignore ||
             FAIL (r, MT_E_JSON_ARRAY, "jsonpath array accessor can only be applied to an array");
   r->last = size - 1;
   for (const MtJsonPathRange *s = p->subs; ok && s; s = s->next) {
      ok = subscript (r, s->from, v, &from) && (!s->to || subscript (r, s->to, v, &to));
      to = ok && !s->to ? from : to;
      if (ok && !r->ignore && (from < 0 || from > to || to >= size))
         ok = FAIL (r, MT_E_JSON_SUBSCRIPT, "jsonpath array subscript is out of bounds");
      for (int64_t i = ok && from < 0 ? 0 : from; ok && i <= to && i < size; i++)
         ok = go_on (r, p, v.type == MT_ARRAY ? mt_doc_at (v, (size_t) i) : v, out);
   }
   r->last = was;
   return ok;
}

/* ---- numbers ---- */

static const char *sign_of (const MtJsonPath *p)
{
   static const char *const signs[] = {
      [MT_PATH_ADD] = "+", [MT_PATH_SUB] = "-",  [MT_PATH_MUL] = "*",  [MT_PATH_DIV] = "/",
      [MT_PATH_MOD] = "%", [MT_PATH_PLUS] = "+", [MT_PATH_MINUS] = "-"};
   return signs[p->kind];
}

static bool single_number (Run *r, const MtJsonPath *p, const MtVals *found, const char *side,
                           MtNum *out)
{
   if (found->n == 1 && mt_num_from_val (found->v[0], out))
      return true;
   return FAIL (r, MT_E_JSON_SINGLETON,
                "%s operand of jsonpath operator %s is not a single numeric value", side,
                sign_of (p));
}

static bool binary (Run *r, const MtJsonPath *p, MtVal item, MtVals *out)
{
   static bool (*const fns[]) (MtNum, MtNum, MtNum *, MtError *) = {[MT_PATH_ADD] = mt_num_add,
                                                                    [MT_PATH_SUB] = mt_num_sub,
                                                                    [MT_PATH_MUL] = mt_num_mul,
                                                                    [MT_PATH_DIV] = mt_num_div,
                                                                    [MT_PATH_MOD] = mt_num_mod};
   MtVals left = {0}, right = {0};
   MtNum x, y, z;
   if (!operands (r, p->left, item, true, &left) || !operands (r, p->right, item, true, &right))
      return false;
   if (!single_number (r, p, &left, "left", &x) || !single_number (r, p, &right, "right", &y))
      return false;
   MtError own = {0};
   if (!fns[p->kind](x, y, &z, &own))
      return FAIL (r, own.sqlstate, "%s", own.message);
   return go_on (r, p, mt_num_to_val (r->ev->arena, z), out);
}

static bool sign (Run *r, const MtJsonPath *p, MtVal item, MtVals *out)
{
   MtVals found = {0};
   MtNum n;
   if (!operands (r, p->left, item, true, &found))
      return false;
   for (size_t i = 0; i < found.n; i++) {
      MtVal v = found.v[i];
      bool number = mt_num_from_val (v, &n);
      if (!number && !out && !p->next)
         continue;
      if (!number)
         return FAIL (r, MT_E_JSON_NUMBER,
                      "operand of unary jsonpath operator %s is not a numeric value", sign_of (p));
      if (!go_on (r, p, p->kind == MT_PATH_MINUS ? mt_num_to_val (r->ev->arena, mt_num_neg (n)) : v,
                  out))
         return false;
   }
   return true;
}

static bool to_double (Run *r, MtVal v, MtVal *out)
{
   MtBuf b = {0};
   MtNum n;
   double d;
   if (v.type == MT_STRING)
      mt_buf_add (&b, v.p, v.len);
   else
      mt_jsonb_print (v, &b);
   bool ok = mt_double_in (b.p ? b.p : "", b.n, &d, &(MtError) {0}) && d - d == 0;
   mt_buf_clear (&b);
   if (ok) {
      mt_double_out (d, &b);
      ok = mt_num_in (b.p, b.n, &n, &(MtError) {0});
   }
   mt_buf_free (&b);
   if (ok)
      *out = mt_num_to_val (r->ev->arena, n);
   return ok ||
          (v.type == MT_STRING
              ? FAIL (r, MT_E_JSON_NON_NUMERIC,
                      "string argument of jsonpath item method .double() is not a valid "
                      "representation of a double precision number")
              : FAIL (r, MT_E_JSON_NON_NUMERIC,
                      "numeric argument of jsonpath item method .double() is out of range for type "
                      "double precision"));
}

static bool double_method (Run *r, const MtJsonPath *p, MtVal v, MtVals *out)
{
   if (v.type != MT_STRING && !mt_is_number (v))
      return FAIL (
         r, MT_E_JSON_NON_NUMERIC,
         "jsonpath item method .double() can only be applied to a string or numeric value");
   return to_double (r, v, &v) && go_on (r, p, v, out);
}

static bool numeric_method (Run *r, const MtJsonPath *p, MtNum (*fn) (MtNum), MtVal v, MtVals *out)
{
   MtNum n;
   if (!mt_num_from_val (v, &n))
      return FAIL (r, MT_E_JSON_NON_NUMERIC,
                   "jsonpath item method .%.*s() can only be applied to a numeric value",
                   (int) p->name.n, p->name.p);
   return go_on (r, p, mt_num_to_val (r->ev->arena, fn (n)), out);
}

static bool type_method (Run *r, const MtJsonPath *p, MtVal v, MtVals *out)
{
   const char *t = mt_jsonb_type (v);
   return go_on (r, p, mt_v_str (t, strlen (t)), out);
}

static bool size_method (Run *r, const MtJsonPath *p, MtVal v, MtVals *out)
{
   if (v.type != MT_ARRAY && !r->lax)
      return r->ignore || FAIL (r, MT_E_JSON_ARRAY,
                                "jsonpath item method .size() can only be applied to an array");
   return go_on (r, p, mt_v_int32 (v.type == MT_ARRAY ? (int32_t) mt_doc_count (v) : 1), out);
}

static bool method (Run *r, const MtJsonPath *p, MtVal v, bool unwrap, MtVals *out)
{
   bool of_array = p->method == MT_METHOD_TYPE || p->method == MT_METHOD_SIZE;
   if (!of_array && v.type == MT_ARRAY && unwrap)
      return of_elements (r, p, v, out);
   switch (p->method) {
   case MT_METHOD_TYPE: return type_method (r, p, v, out);
   case MT_METHOD_SIZE: return size_method (r, p, v, out);
   case MT_METHOD_DOUBLE: return double_method (r, p, v, out);
   case MT_METHOD_CEILING: return numeric_method (r, p, mt_num_ceil, v, out);
   case MT_METHOD_FLOOR: return numeric_method (r, p, mt_num_floor, v, out);
   case MT_METHOD_ABS: return numeric_method (r, p, mt_num_abs, v, out);
   }
   return false;
}

/* ---- predicates ---- */

typedef struct Attempt {
   bool any;    /* there is an item */
   bool failed; /* the predicate is unknown */
} Attempt;

/* Evaluates an operand of a predicate. Sets *is to whether it has items, and whether it failed,
 * which is no error here. `out` may be NULL. */
static bool attempt (Run *r, const MtJsonPath *p, MtVal item, bool unwrap, MtVals *out, Attempt *is)
{
   bool was = r->quiet;
   r->quiet = true;
   bool ok = operands (r, p, item, unwrap, out);
   r->quiet = was;
   *is = (Attempt) {.any = out ? out->n > 0 : r->enough, .failed = r->failed};
   ok = ok || r->failed || r->enough;
   r->failed = r->enough = false;
   return ok;
}

static Truth truth (bool b) { return b ? TRUE_ : FALSE_; }

static Truth compare_items (MtJsonPathKind op, MtVal x, MtVal y)
{
   bool numbers = mt_is_number (x) && mt_is_number (y);
   if (!numbers && x.type != y.type)
      return x.type == MT_NULL || y.type == MT_NULL ? truth (op == MT_PATH_NE) : UNKNOWN_;
   if (is_container (x))
      return UNKNOWN_;
   int c = mt_jsonb_compare (mt_jsonb_from_element (x), mt_jsonb_from_element (y));
   switch (op) {
   case MT_PATH_EQ: return truth (c == 0);
   case MT_PATH_NE: return truth (c != 0);
   case MT_PATH_LT: return truth (c < 0);
   case MT_PATH_LE: return truth (c <= 0);
   case MT_PATH_GT: return truth (c > 0);
   default: return truth (c >= 0);
   }
}

static bool test_pair (Run *r, const MtJsonPath *p, MtVal x, MtVal y, Truth *out)
{
   MtVal args[3] = {x, p->value, mt_v_str (p->name.p, p->name.n)}, is;
   if (p->kind != MT_PATH_LIKE_REGEX && p->kind != MT_PATH_STARTS_WITH) {
      *out = compare_items (p->kind, x, y);
      return true;
   }
   *out = UNKNOWN_;
   if (x.type != MT_STRING || (p->kind == MT_PATH_STARTS_WITH && y.type != MT_STRING))
      return true;
   if (p->kind == MT_PATH_STARTS_WITH) {
      *out = truth (x.len >= y.len && memcmp (x.p, y.p, y.len) == 0);
      return true;
   }
   if (!mt_regexp_like (r->ev, args, &is))
      return false;
   *out = truth (is.i);
   return true;
}

/* Evaluates a predicate on each pair of items of its two operands. *out is true if it holds for one
 * pair. */
static bool test_pairs (Run *r, const MtJsonPath *p, MtVal item, Truth *out)
{
   MtVals left = {0}, right = {0};
   bool found = false, unknown = false, both = p->kind != MT_PATH_STARTS_WITH;
   Attempt is;
   Truth t;
   *out = UNKNOWN_;
   if (!attempt (r, p->left, item, true, &left, &is))
      return false;
   if (!is.failed && p->right && !attempt (r, p->right, item, both, &right, &is))
      return false;
   if (is.failed)
      return true;
   if (!p->right)
      put (r, &right, mt_v_null ());
   for (size_t i = 0; i < left.n; i++)
      for (size_t k = 0; k < right.n; k++) {
         if (!test_pair (r, p, left.v[i], right.v[k], &t))
            return false;
         if (t == UNKNOWN_ && !r->lax)
            return true;
         if (t == TRUE_ && r->lax) {
            *out = TRUE_;
            return true;
         }
         found |= t == TRUE_;
         unknown |= t == UNKNOWN_;
      }
   if (found)
      *out = TRUE_;
   else
      *out = unknown ? UNKNOWN_ : FALSE_;
   return true;
}

static bool test_exists (Run *r, const MtJsonPath *p, MtVal item, Truth *out)
{
   MtVals found = {0};
   Attempt is;
   if (!attempt (r, p->left, item, false, r->lax ? NULL : &found, &is))
      return false;
   *out = is.failed ? UNKNOWN_ : truth (is.any);
   return true;
}

static bool test_both (Run *r, const MtJsonPath *p, MtVal item, Truth decided, Truth *out)
{
   Truth second;
   if (!test (r, p->left, item, out))
      return false;
   if (*out == decided)
      return true;
   if (!test (r, p->right, item, &second))
      return false;
   if (second != (decided == TRUE_ ? FALSE_ : TRUE_))
      *out = second;
   return true;
}

static bool test (Run *r, const MtJsonPath *p, MtVal item, Truth *out)
{
   if (p->kind == MT_PATH_AND || p->kind == MT_PATH_OR)
      return test_both (r, p, item, truth (p->kind == MT_PATH_OR), out);
   if (p->kind == MT_PATH_EXISTS)
      return test_exists (r, p, item, out);
   if (p->kind != MT_PATH_NOT && p->kind != MT_PATH_IS_UNKNOWN)
      return test_pairs (r, p, item, out);
   if (!test (r, p->left, item, out))
      return false;
   if (p->kind == MT_PATH_IS_UNKNOWN)
      *out = truth (*out == UNKNOWN_);
   else if (*out != UNKNOWN_)
      *out = truth (*out == FALSE_);
   return true;
}

static bool filter (Run *r, const MtJsonPath *p, MtVal v, bool unwrap, MtVals *out)
{
   MtVal was = r->current;
   Truth t;
   if (v.type == MT_ARRAY && unwrap)
      return of_elements (r, p, v, out);
   r->current = v;
   bool ok = test (r, p->left, v, &t);
   r->current = was;
   return ok && (t != TRUE_ || go_on (r, p, v, out));
}

/* ---- all kinds ---- */

/* Evaluates $name, a variable: a member of the SQL function's argument `vars`. Without that
 * argument, each variable is null; with it, an unknown name is an error. */
static bool variable (Run *r, const MtJsonPath *p, MtVals *out)
{
   if (r->vars.type != MT_DOC)
      return go_on (r, p, mt_v_null (), out);
   MtVal v = mt_jsonb_field (r->vars, p->name);
   if (v.type == MT_MISSING)
      return mt_error (r->ev->err, MT_E_UNDEFINED_OBJECT,
                       "could not find jsonpath variable \"%.*s\"", (int) p->name.n, p->name.p);
   return go_on (r, p, v, out);
}

static bool run (Run *r, const MtJsonPath *p, MtVal item, bool unwrap, MtVals *out)
{
   Truth t;
   switch (p->kind) {
   case MT_PATH_ROOT: return go_on (r, p, r->root, out);
   case MT_PATH_CURRENT: return go_on (r, p, r->current, out);
   case MT_PATH_LAST: return go_on (r, p, mt_v_int64 (r->last), out);
   case MT_PATH_VARIABLE: return variable (r, p, out);
   case MT_PATH_LITERAL: return go_on (r, p, p->value, out);
   case MT_PATH_MEMBER: return member (r, p, item, unwrap, out);
   case MT_PATH_ANY_MEMBER: return any_member (r, p, item, unwrap, out);
   case MT_PATH_ANY_DEPTH: return any_depth (r, p, item, out);
   case MT_PATH_ELEMENTS: return elements (r, p, item, out);
   case MT_PATH_SUBSCRIPTS: return subscripts (r, p, item, out);
   case MT_PATH_FILTER: return filter (r, p, item, unwrap, out);
   case MT_PATH_METHOD: return method (r, p, item, unwrap, out);
   case MT_PATH_ADD:
   case MT_PATH_SUB:
   case MT_PATH_MUL:
   case MT_PATH_DIV:
   case MT_PATH_MOD: return binary (r, p, item, out);
   case MT_PATH_PLUS:
   case MT_PATH_MINUS: return sign (r, p, item, out);
   case MT_PATH_AND:
   case MT_PATH_OR:
   case MT_PATH_NOT:
   case MT_PATH_IS_UNKNOWN:
   case MT_PATH_EXISTS:
   case MT_PATH_EQ:
   case MT_PATH_NE:
   case MT_PATH_LT:
   case MT_PATH_LE:
   case MT_PATH_GT:
   case MT_PATH_GE:
   case MT_PATH_STARTS_WITH:
   case MT_PATH_LIKE_REGEX: break;
   }
   return test (r, p, item, &t) &&
          go_on (r, p, t == UNKNOWN_ ? mt_v_null () : mt_v_bool (t == TRUE_), out);
}

bool mt_json_path_query (MtEval *ev, MtVal target, MtStr path, MtVal vars, int how, MtJsonFound *f)
{
   Run r = {.ev = ev, .vars = vars, .quiet = how & MT_PATH_SILENT};
   MtJsonPath *p;
   MtVals found = {0};
   if (!mt_json_path_parse (ev->arena, path, &r.lax, &p, ev->err))
      return false;
   if (!mt_is_nullish (vars) && vars.type != MT_DOC) {
      mt_error (ev->err, MT_E_PARAMETER, "\"vars\" argument is not an object");
      return mt_error_detail (
         ev->err, "Jsonpath parameters should be encoded as key-value pairs of \"vars\" object.");
   }
   r.root = r.current = mt_jsonb_to_element (target);
   r.ignore = r.lax;
   bool ok = run (&r, p, r.root, r.lax, (how & MT_PATH_ANY) && r.lax ? NULL : &found);
   *f = (MtJsonFound) {
      .items = found.v, .count = found.n, .any = found.n || r.enough, .failed = r.failed};
   return ok || r.enough || (r.failed && r.quiet);
}
