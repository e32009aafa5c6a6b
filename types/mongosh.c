/* Parses text in mongosh's syntax into BSON values. */
#include "types/mongosh_int.h"

#include "base/bson.h"
#include "base/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool expression (MtMongosh *m, MtMongoshValue *out);

/* ---- objects and arrays ---- */

static int by_key (const void *a, const void *b)
{
   const MtMongoshMember *x = *(MtMongoshMember *const *) a, *y = *(MtMongoshMember *const *) b;
   size_t n = x->key.n < y->key.n ? x->key.n : y->key.n;
   int c = n ? memcmp (x->key.p, y->key.p, n) : 0;
   if (!c)
      c = (x->key.n > y->key.n) - (x->key.n < y->key.n);
   return c ? c : (x->key_span.start > y->key_span.start) - (x->key_span.start < y->key_span.start);
}

/* Checks that no field name occurs twice. (mongosh would silently keep the last of two equal
 * names.) */
static bool all_differ (MtMongosh *m, MtMongoshMember *members, size_t n)
{
   const MtMongoshMember **sorted = MT_NEW_N (m->a, const MtMongoshMember *, n + 1);
   for (size_t i = 0; i < n; i++)
      sorted[i] = &members[i];
   if (n > 1)
      qsort (sorted, n, sizeof *sorted, by_key);
   for (size_t i = 1; i < n; i++)
      if (mt_str_eq (sorted[i - 1]->key, sorted[i]->key)) {
         MtStr key = sorted[i]->key;
         mt_error_at (m->err, sorted[i]->key_span, MT_E_SYNTAX, "field \"%.*s\" is given twice",
                      (int) key.n, key.p);
         return mt_error_hint (m->err,
                               "Give each field once; $and combines conditions on one field.");
      }
   return true;
}

static bool is_digits (MtStr s)
{
   size_t n = 0;
   while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
      n++;
   return n == s.n;
}

static bool key (MtMongosh *m, MtMongoshMember *to)
{
   const MtMongoshToken *t = &m->t;
   to->key_span = mt_sh_span (m, t->raw);
   if (t->kind == MT_SH_STRING)
      to->key = t->text;
   else if ((t->kind == MT_SH_WORD && !memchr (t->raw.p, '.', t->raw.n)) ||
            (t->kind == MT_SH_NUMBER && is_digits (t->raw)))
      to->key = t->raw;
   else if (t->kind == MT_SH_WORD) {
      mt_sh_unexpected (m, NULL);
      return mt_error_hint (m->err, "Put quotes around a field's name that has a dot.");
   } else
      return mt_sh_unexpected (m, "a field's name or \"}\"");
   if (memchr (to->key.p, 0, to->key.n))
      return mt_error_at (m->err, to->key_span, MT_E_TEXT_REPRESENTATION,
                          "a field's name has a zero byte");
   return mt_sh_next (m) && mt_sh_take (m, ':', "\":\"");
}

static bool object (MtMongosh *m, MtVal *out)
{
   size_t n = 0, cap = 0;
   MtMongoshMember *members = NULL;
   bool done = false;
   if (!mt_sh_next (m))
      return false;
   while (!mt_sh_is (m, '}')) {
      MT_GROW_IN (m->a, members, n, cap, 4);
      if (!key (m, &members[n]) || !expression (m, &members[n].value))
         return false;
      n++;
      if (!mt_sh_is (m, '}') && !mt_sh_take (m, ',', "\",\" or \"}\""))
         return false;
   }
   if (!all_differ (m, members, n) || !mt_sh_extended (m, members, n, &done, out))
      return false;
   MtStr *keys = MT_NEW_N (m->a, MtStr, n + 1);
   MtVal *vals = MT_NEW_N (m->a, MtVal, n + 1);
   for (size_t i = 0; i < n; i++) {
      keys[i] = members[i].key;
      vals[i] = members[i].value.v;
   }
   return done || mt_v_make_doc (m->a, keys, vals, n, out, m->err);
}

bool mt_sh_arguments (MtMongosh *m, char close, MtMongoshValue **out, size_t *count)
{
   size_t n = 0, cap = 0;
   MtMongoshValue *list = NULL;
   const char *wanted = close == ']' ? "\",\" or \"]\"" : "\",\" or \")\"";
   while (!mt_sh_is (m, close)) {
      MT_GROW_IN (m->a, list, n, cap, 4);
      if (!expression (m, &list[n++]) || (!mt_sh_is (m, close) && !mt_sh_take (m, ',', wanted)))
         return false;
   }
   *out = list;
   *count = n;
   return true;
}

static bool array (MtMongosh *m, MtVal *out)
{
   MtMongoshValue *list;
   size_t n;
   if (!mt_sh_next (m) || !mt_sh_arguments (m, ']', &list, &n))
      return false;
   MtVal *vals = MT_NEW_N (m->a, MtVal, n + 1);
   for (size_t i = 0; i < n; i++)
      vals[i] = list[i].v;
   return mt_v_make_array (m->a, vals, n, out, m->err);
}

/* ---- words ---- */

static const struct {
   const char *word;
   MtVal v;
} words[] = {
   {"true", {.type = MT_BOOL, .i = 1}},
   {"false", {.type = MT_BOOL}},
   {"null", {.type = MT_NULL}},
   {"undefined", {.type = MT_NULL}}, /* mongosh sends undefined as null */
   {"NaN", {.type = MT_DOUBLE, .d = NAN}},
   {"Infinity", {.type = MT_DOUBLE, .d = INFINITY}},
};

static bool word (MtMongosh *m, MtMongoshValue *out)
{
   for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (mt_sh_is_word (m, words[i].word)) {
         out->v = words[i].v;
         out->plain = out->v.type == MT_DOUBLE;
         return mt_sh_next (m);
      }
   if (!mt_sh_is_word (m, "new"))
      return mt_sh_construct (m, false, out);
   return mt_sh_next (m) && (m->t.kind == MT_SH_WORD ? mt_sh_construct (m, true, out)
                                                     : mt_sh_unexpected (m, "a constructor"));
}

/* ---- expressions ---- */

static bool too_deep (MtMongosh *m)
{
   return mt_error_at (m->err, mt_sh_span (m, m->t.raw), MT_E_LIMIT,
                       "a document may be nested %d levels deep", MT_MAX_BSON_DEPTH);
}

static bool primary (MtMongosh *m, bool negative, MtMongoshValue *out)
{
   bool ok;
   switch (m->t.kind) {
   case MT_SH_STRING: out->v = mt_v_str (m->t.text.p, m->t.text.n); return mt_sh_next (m);
   case MT_SH_NUMBER:
      out->v = mt_sh_number (m->t.raw, negative);
      out->plain = true;
      out->number = m->t.raw;
      return mt_sh_next (m);
   case MT_SH_REGEX:
      return mt_sh_regex (m, m->t.text, m->t.flags, mt_sh_span (m, m->t.raw), &out->v) &&
             mt_sh_next (m);
   case MT_SH_WORD: return word (m, out);
   case MT_SH_END:
   case MT_SH_SIGN: break;
   }
   if (mt_sh_is (m, '('))
      return mt_sh_next (m) && expression (m, out) && mt_sh_take (m, ')', "\")\"");
   if (!mt_sh_is (m, '{') && !mt_sh_is (m, '['))
      return mt_sh_unexpected (m, "a value");
   if (++m->depth > MT_MAX_BSON_DEPTH)
      return too_deep (m);
   ok = mt_sh_is (m, '{') ? object (m, &out->v) : array (m, &out->v);
   m->depth--;
   return ok && mt_sh_next (m);
}

static bool can_compute (MtMongosh *m, const MtMongoshValue *v)
{
   return v->plain ||
          mt_error_at (m->err, v->span, MT_E_SYNTAX, "only numbers can be computed with");
}

static MtVal negated (MtVal v)
{
   if (v.type == MT_DOUBLE)
      return mt_v_double (-v.d);
   return v.i ? mt_sh_whole (-v.i) : mt_v_double (-0.0);
}

/* Reads a value with the signs before it. A sign binds more tightly than the operators between
 * values. */
static bool signed_value (MtMongosh *m, MtMongoshValue *out)
{
   const char *from = m->t.raw.p;
   char sign = 0;
   bool ok = true, literal;
   *out = (MtMongoshValue) {0};
   if (++m->nested > 2 * MT_MAX_BSON_DEPTH)
      return too_deep (m);
   if (mt_sh_is (m, '-') || mt_sh_is (m, '+')) {
      sign = *m->t.raw.p;
      ok = mt_sh_next (m);
   }
   literal = m->t.kind == MT_SH_NUMBER;
   if (ok && (mt_sh_is (m, '-') || mt_sh_is (m, '+')))
      ok = signed_value (m, out);
   else
      ok = ok && primary (m, sign == '-', out);
   if (ok && sign && !literal) {
      ok = can_compute (m, out);
      out->v = ok && sign == '-' ? negated (out->v) : out->v;
   }
   m->nested--;
   MtStr all = {from, (size_t) (m->last - from)};
   out->span = mt_sh_span (m, all);
   out->number = out->number.n ? all : out->number;
   return ok;
}

static double as_double (MtVal v) { return v.type == MT_DOUBLE ? v.d : (double) v.i; }

/* Computes `a op b` as JavaScript does. The result for two integers is exact if it is an
 * integer. */
static MtVal computed (char op, MtVal a, MtVal b)
{
   double x = as_double (a), y = as_double (b), r;
   int64_t i;
   bool whole = a.type != MT_DOUBLE && b.type != MT_DOUBLE;
   if (whole && ((op == '+' && !__builtin_add_overflow (a.i, b.i, &i)) ||
                 (op == '-' && !__builtin_sub_overflow (a.i, b.i, &i)) ||
                 (op == '*' && !__builtin_mul_overflow (a.i, b.i, &i))))
      return mt_sh_whole (i);
   if (whole && b.i > 0 && (op == '%' || (op == '/' && a.i % b.i == 0)))
      return mt_sh_whole (op == '%' ? a.i % b.i : a.i / b.i);
   switch (op) {
   case '+': r = x + y; break;
   case '-': r = x - y; break;
   case '*': r = x * y; break;
   case '/': r = x / y; break;
   default: r = fmod (x, y); break;
   }
   return mt_v_double (r);
}

static bool join (MtMongosh *m, MtMongoshValue *left, const MtMongoshValue *right)
{
   size_t n = (size_t) left->v.len + right->v.len;
   if (n > MT_MAX_DOC_BYTES)
      return mt_error_at (m->err, right->span, MT_E_LIMIT, "the string is too long");
   char *text = mt_alloc (m->a, n + 1);
   memcpy (text, left->v.p, left->v.len);
   memcpy (text + left->v.len, right->v.p, right->v.len);
   left->v = mt_v_str (text, n);
   return true;
}

static bool apply (MtMongosh *m, char op, MtMongoshValue *left, const MtMongoshValue *right)
{
   left->number = (MtStr) {0};
   if (op == '+' && left->v.type == MT_STRING && right->v.type == MT_STRING)
      return join (m, left, right);
   if (!can_compute (m, left) || !can_compute (m, right))
      return false;
   left->v = computed (op, left->v, right->v);
   return true;
}

/* Reads values with operators between them: * / % (products), otherwise + and -. */
static bool operations (MtMongosh *m, bool products, MtMongoshValue *out)
{
   const char *ops = products ? "*/%" : "+-";
   if (!(products ? signed_value (m, out) : operations (m, true, out)))
      return false;
   while (m->t.kind == MT_SH_SIGN && *m->t.raw.p && strchr (ops, *m->t.raw.p)) {
      MtMongoshValue right;
      char op = *m->t.raw.p;
      if (!mt_sh_next (m) ||
          !(products ? signed_value (m, &right) : operations (m, true, &right)) ||
          !apply (m, op, out, &right))
         return false;
      out->span.len = right.span.start + right.span.len - out->span.start;
   }
   return true;
}

static bool expression (MtMongosh *m, MtMongoshValue *out)
{
   const char *from = m->t.raw.p;
   /* EXPLAIN shortens long lists with "..." */
   if (m->end - from >= 3 && memcmp (from, "...", 3) == 0) {
      mt_error_at (m->err, mt_sh_span (m, (MtStr) {from, 3}), MT_E_SYNTAX,
                   "the text is not complete");
      return mt_error_hint (m->err, "EXPLAIN (VERBOSE) shows long lists whole.");
   }
   return operations (m, false, out);
}

/* ---- whole texts ---- */

static bool ends (MtMongosh *m)
{
   return m->t.kind == MT_SH_END || mt_sh_unexpected (m, "the end of the text");
}

bool mt_mongosh_read (MtArena *a, MtStr text, MtVal *out, MtError *err)
{
   MtMongosh m;
   MtMongoshValue v;
   if (!mt_sh_begin (&m, a, text, err) || !expression (&m, &v) || !ends (&m))
      return false;
   *out = v.v;
   return true;
}

bson_t *mt_mongosh_wrapped (MtStr text, MtError *err)
{
   MtArena *a = mt_arena_new ("mongosh", NULL);
   bson_t *doc = NULL;
   MtVal v;
   if (mt_mongosh_read (a, text, &v, err)) {
      doc = bson_new ();
      if (!mt_doc_append (doc, "", v)) {
         bson_destroy (doc);
         doc = NULL;
         mt_error (err, MT_E_LIMIT, "the document is too large");
      }
   }
   mt_arena_free (a);
   return doc;
}

/* Reads db.NAME, db["NAME"] or db.getCollection ("NAME"), then .aggregate and its opening
 * parenthesis. A name may contain dots. */
static bool command (MtMongosh *m, MtMongoshAggregate *out)
{
   static const char wanted[] = "db.COLLECTION.aggregate ([…])", get[] = "db.getCollection",
                     run[] = ".aggregate";
   MtStr w = m->t.raw;
   bool gets = mt_sh_is_word (m, get);
   const char *tail = w.n >= sizeof run + 1 ? w.p + w.n - (sizeof run - 1) : w.p;
   if (!gets && !mt_sh_is_word (m, "db")) {
      if (tail == w.p || memcmp (tail, run, sizeof run - 1))
         return mt_sh_unexpected (m, wanted);
      if (tail - w.p > 3) {
         out->collection = mt_strndup (m->a, w.p + 3, (size_t) (tail - w.p) - 3);
         out->collection_span = mt_sh_span (m, (MtStr) {w.p + 3, (size_t) (tail - w.p) - 3});
      }
      return mt_sh_next (m) && mt_sh_take (m, '(', "\"(\"");
   }
   if (!mt_sh_next (m) || !mt_sh_take (m, gets ? '(' : '[', wanted))
      return false;
   if (m->t.kind != MT_SH_STRING)
      return mt_sh_unexpected (m, "a collection's name");
   out->collection = mt_strndup (m->a, m->t.text.p, m->t.text.n);
   out->collection_span = mt_sh_span (m, m->t.raw);
   if (!mt_sh_next (m) || !mt_sh_take (m, gets ? ')' : ']', wanted) || !mt_sh_take (m, '.', wanted))
      return false;
   return (mt_sh_is_word (m, "aggregate") || mt_sh_unexpected (m, wanted)) && mt_sh_next (m) &&
          mt_sh_take (m, '(', "\"(\"");
}

bool mt_mongosh_aggregate (MtArena *a, MtStr text, MtMongoshAggregate *out, MtError *err)
{
   MtMongosh m;
   MtMongoshValue v, options = {0};
   *out = (MtMongoshAggregate) {.collection_span = MT_NO_SPAN, .options_span = MT_NO_SPAN};
   if (!mt_sh_begin (&m, a, text, err))
      return false;
   bool whole = m.t.kind == MT_SH_WORD &&
                (mt_sh_is_word (&m, "db") || (m.t.raw.n > 3 && memcmp (m.t.raw.p, "db.", 3) == 0));
   if ((whole && !command (&m, out)) || !expression (&m, &v))
      return false;
   if ((whole || v.v.type == MT_ARRAY) && mt_sh_is (&m, ',') &&
       (!mt_sh_next (&m) || (!(whole && mt_sh_is (&m, ')')) && !expression (&m, &options))))
      return false;
   if (whole && !mt_sh_take (&m, ')', "\")\""))
      return false;
   if (mt_sh_is (&m, ';') && !mt_sh_next (&m))
      return false;
   if (v.v.type != MT_ARRAY)
      return mt_error_at (err, v.span, MT_E_SYNTAX, "a pipeline is an array of stages");
   if (!ends (&m))
      return false;
   out->pipeline = v.v;
   out->options = options.v;
   out->options_span = options.span;
   return true;
}
