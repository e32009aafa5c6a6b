/* A jsonpath's text to its tree: a lexer and recursive descent, whose depth is bounded. */
#include "planner/json_path.h"

#include "base/jsonb.h"
#include "base/limits.h"
#include "base/numeric.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef enum Token { T_END, T_WORD, T_STRING, T_NUMBER, T_VARIABLE, T_SIGN } Token;

typedef struct Reader {
   MtArena *a;
   const char *p, *end;
   Token token;
   MtStr text;       /* of the token as it stands there */
   MtStr value;      /* of a word, string or variable */
   MtVal number;
   int depth, filters, subscripts;
   bool bad;
   MtError *err;
} Reader;

/* ---- tokens ---- */

static bool syntax (Reader *r)
{
   if (!r->bad) {
      if (r->token == T_END)
         mt_error (r->err, MT_E_SYNTAX, "syntax error at end of jsonpath input");
      else
         mt_error (r->err, MT_E_SYNTAX, "syntax error at or near \"%.*s\" of jsonpath input", (int) r->text.n, r->text.p);
   }
   r->bad = true;
   return false;
}

static bool refuse (Reader *r, const char *what)
{
   r->bad = true;
   return mt_error (r->err, MT_E_FEATURE, "%s is not supported", what);
}

static bool is_word (char c) { return ((unsigned char) c & 0x80) || c == '_' || isalnum ((unsigned char) c); }

static void skip_space (Reader *r)
{
   while (r->p < r->end) {
      if (strchr (" \t\n\r\f", *r->p))
         r->p++;
      else if (r->end - r->p > 1 && r->p[0] == '/' && r->p[1] == '*') {
         const char *close = memmem (r->p + 2, (size_t) (r->end - r->p - 2), "*/", 2);
         r->p = close ? close + 2 : r->end;
      } else
         return;
   }
}

/* A string as JSON has it. */
static bool read_string (Reader *r)
{
   const char *q = r->p + 1;
   MtVal v;
   while (q < r->end && *q != '"')
      q += *q == '\\' && q + 1 < r->end ? 2 : 1;
   r->text = (MtStr){r->p, (size_t) ((q < r->end ? q + 1 : q) - r->p)};
   if (q >= r->end || !mt_json_parse (r->a, r->text, &v, NULL))
      return syntax (r);
   r->value = (MtStr){(const char *) v.p, v.len};
   r->p = q + 1;
   return true;
}

static bool read_number (Reader *r)
{
   const char *q = r->p;
   MtNum n;
   while (q < r->end && (isdigit ((unsigned char) *q) || *q == '.' || ((*q == 'e' || *q == 'E') && q > r->p) || ((*q == '-' || *q == '+') && (q[-1] == 'e' || q[-1] == 'E')))) {
      if (*q == '.' && q + 1 < r->end && !isdigit ((unsigned char) q[1])) /* 1.type() isn't a number and a method */
         break;
      q++;
   }
   r->text = (MtStr){r->p, (size_t) (q - r->p)};
   if (q < r->end && is_word (*q)) {
      r->text.n++;
      return syntax (r);
   }
   if (!mt_num_in (r->text.p, r->text.n, &n, NULL))
      return syntax (r);
   r->number = mt_num_to_val (r->a, n);
   r->p = q;
   return true;
}

static MtStr read_word (Reader *r)
{
   const char *q = r->p;
   while (q < r->end && is_word (*q))
      q++;
   MtStr s = {r->p, (size_t) (q - r->p)};
   r->p = q;
   return s;
}

static size_t sign_length (const Reader *r)
{
   static const char *const longer[] = {"==", "!=", "<>", "<=", ">=", "&&", "||", "**"};
   for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
      if (r->end - r->p > 1 && memcmp (r->p, longer[i], 2) == 0)
         return 2;
   return 1;
}

static bool advance (Reader *r)
{
   skip_space (r);
   r->text = (MtStr){r->p, 0};
   r->token = T_END;
   if (r->p >= r->end)
      return true;
   char c = *r->p, d = r->p + 1 < r->end ? r->p[1] : 0;
   if (c == '"') {
      r->token = T_STRING;
      return read_string (r);
   }
   if (isdigit ((unsigned char) c) || (c == '.' && isdigit ((unsigned char) d))) {
      r->token = T_NUMBER;
      return read_number (r);
   }
   if (c == '$' && (d == '"' || is_word (d))) {
      const char *start = r->p++;
      r->token = T_VARIABLE;
      if (d == '"')
         return read_string (r);
      r->value = read_word (r);
      r->text = (MtStr){start, (size_t) (r->p - start)};
      return true;
   }
   if (is_word (c)) {
      r->token = T_WORD;
      r->text = r->value = read_word (r);
      return true;
   }
   r->token = T_SIGN;
   r->text = (MtStr){r->p, sign_length (r)};
   r->p += r->text.n;
   return true;
}

static bool at_sign (const Reader *r, const char *s) { return r->token == T_SIGN && mt_str_is (r->text, s); }
static bool at_word (const Reader *r, const char *s) { return r->token == T_WORD && mt_str_is (r->text, s); }
static bool take_sign (Reader *r, const char *s) { return at_sign (r, s) && advance (r); }
static bool take_word (Reader *r, const char *s) { return at_word (r, s) && advance (r); }
static bool want_sign (Reader *r, const char *s) { return at_sign (r, s) ? advance (r) : syntax (r); }

/* ---- the tree ---- */

static MtJsonPath *node (Reader *r, MtJsonPathKind kind, MtJsonPath *left, MtJsonPath *right)
{
   MtJsonPath *p = MT_NEW (r->a, MtJsonPath);
   *p = (MtJsonPath){.kind = kind, .left = left, .right = right};
   return p;
}

static bool either (Reader *r, MtJsonPath **out);
static bool additive (Reader *r, MtJsonPath **out);

static bool deeper (Reader *r)
{
   if (++r->depth <= MT_MAX_EXPR_DEPTH)
      return true;
   r->bad = true;
   return mt_error (r->err, MT_E_TOO_COMPLEX, "stack depth limit exceeded");
}

static bool literal (Reader *r, MtVal v, MtJsonPath **out)
{
   *out = node (r, MT_PATH_LITERAL, NULL, NULL);
   (*out)->value = v;
   return advance (r);
}

static bool plain (Reader *r, MtJsonPathKind kind, MtJsonPath **out)
{
   *out = node (r, kind, NULL, NULL);
   (*out)->name = r->value;
   return advance (r);
}

static bool misplaced (Reader *r, const char *message)
{
   r->bad = true;
   return mt_error (r->err, MT_E_SYNTAX, "%s", message);
}

static bool parenthesised (Reader *r, MtJsonPath **out)
{
   bool ok = deeper (r) && advance (r) && either (r, out) && want_sign (r, ")");
   r->depth--;
   return ok;
}

static bool primary (Reader *r, MtJsonPath **out)
{
   if (r->token == T_STRING)
      return literal (r, mt_v_str (r->value.p, r->value.n), out);
   if (r->token == T_NUMBER)
      return literal (r, r->number, out);
   if (r->token == T_VARIABLE)
      return plain (r, MT_PATH_VARIABLE, out);
   if (at_word (r, "null"))
      return literal (r, mt_v_null (), out);
   if (at_word (r, "true") || at_word (r, "false"))
      return literal (r, mt_v_bool (at_word (r, "true")), out);
   if (at_word (r, "last"))
      return r->subscripts ? plain (r, MT_PATH_LAST, out) : misplaced (r, "LAST is allowed only in array subscripts");
   if (at_sign (r, "$"))
      return plain (r, MT_PATH_ROOT, out);
   if (at_sign (r, "@"))
      return r->filters ? plain (r, MT_PATH_CURRENT, out) : misplaced (r, "@ is not allowed in root expressions");
   return at_sign (r, "(") ? parenthesised (r, out) : syntax (r);
}

/* ---- what follows a value: members, elements, filters, methods ---- */

static bool level (Reader *r, int *out)
{
   *out = MT_PATH_END;
   if (take_word (r, "last"))
      return true;
   if (r->token != T_NUMBER || memchr (r->text.p, '.', r->text.n) || r->text.n > 9)
      return syntax (r);
   *out = atoi (mt_strndup (r->a, r->text.p, r->text.n));
   return advance (r);
}

static bool any_depth (Reader *r, MtJsonPath **out)
{
   MtJsonPath *p = *out = node (r, MT_PATH_ANY_DEPTH, NULL, NULL);
   p->last = MT_PATH_END;
   if (!advance (r))
      return false;
   if (!take_sign (r, "{"))
      return !r->bad;
   if (!level (r, &p->first))
      return false;
   p->last = p->first;
   return (!take_word (r, "to") || level (r, &p->last)) && !r->bad && want_sign (r, "}");
}

static bool method (Reader *r, MtStr name, MtJsonPath **out)
{
   static const char *const known[] = {"type", "size", "double", "ceiling", "floor", "abs"};
   *out = node (r, MT_PATH_METHOD, NULL, NULL);
   (*out)->name = name;
   for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      if (mt_str_is (name, known[i]))
         return advance (r) && want_sign (r, ")");
   if (mt_str_is (name, "datetime") || mt_str_is (name, "keyvalue"))
      return refuse (r, mt_printf (r->a, "jsonpath method .%.*s()", (int) name.n, name.p));
   return syntax (r);
}

static bool member (Reader *r, MtJsonPath **out)
{
   if (!advance (r))
      return false;
   if (at_sign (r, "*"))
      return plain (r, MT_PATH_ANY_MEMBER, out);
   if (at_sign (r, "**"))
      return any_depth (r, out);
   if (r->token != T_WORD && r->token != T_STRING)
      return syntax (r);
   bool word = r->token == T_WORD;
   MtStr name = r->value;
   if (!advance (r))
      return false;
   if (word && at_sign (r, "("))
      return method (r, name, out);
   *out = node (r, MT_PATH_MEMBER, NULL, NULL);
   (*out)->name = name;
   return true;
}

static bool subscripts (Reader *r, MtJsonPath **out)
{
   if (!advance (r))
      return false;
   if (take_sign (r, "*")) {
      *out = node (r, MT_PATH_ELEMENTS, NULL, NULL);
      return want_sign (r, "]");
   }
   MtJsonPath *p = *out = node (r, MT_PATH_SUBSCRIPTS, NULL, NULL);
   MtJsonPathRange **at = &p->subs;
   r->subscripts++;
   do {
      MtJsonPathRange *s = *at = MT_NEW (r->a, MtJsonPathRange);
      *s = (MtJsonPathRange){0};
      at = &s->next;
      if (!additive (r, &s->from) || (take_word (r, "to") && !additive (r, &s->to)) || r->bad)
         return false;
   } while (take_sign (r, ","));
   r->subscripts--;
   return !r->bad && want_sign (r, "]");
}

static bool filter (Reader *r, MtJsonPath **out)
{
   MtJsonPath *predicate;
   if (!advance (r))
      return false;
   if (!at_sign (r, "("))
      return syntax (r);
   r->filters++;
   bool ok = parenthesised (r, &predicate);
   r->filters--;
   if (!ok)
      return false;
   if (!mt_path_is_predicate (predicate))
      return syntax (r);
   *out = node (r, MT_PATH_FILTER, predicate, NULL);
   return true;
}

static bool with_accessors (Reader *r, MtJsonPath **out)
{
   MtJsonPath *last;
   if (!primary (r, out))
      return false;
   for (last = *out; last->next; last = last->next)
      ;
   while (!r->bad) {
      bool ok = true;
      if (at_sign (r, "."))
         ok = member (r, &last->next);
      else if (at_sign (r, "["))
         ok = subscripts (r, &last->next);
      else if (at_sign (r, "?"))
         ok = filter (r, &last->next);
      else
         return true;
      if (!ok)
         return false;
      last = last->next;
   }
   return false;
}

/* ---- arithmetic ---- */

static bool unary (Reader *r, MtJsonPath **out)
{
   bool minus = at_sign (r, "-");
   if (!minus && !at_sign (r, "+"))
      return with_accessors (r, out);
   MtJsonPath *x;
   bool ok = deeper (r) && advance (r) && unary (r, &x);
   r->depth--;
   if (ok)
      *out = node (r, minus ? MT_PATH_MINUS : MT_PATH_PLUS, x, NULL);
   return ok;
}

static bool multiplicative (Reader *r, MtJsonPath **out)
{
   if (!unary (r, out))
      return false;
   for (;;) {
      MtJsonPathKind kind = at_sign (r, "*") ? MT_PATH_MUL : at_sign (r, "/") ? MT_PATH_DIV : MT_PATH_MOD;
      MtJsonPath *right;
      if (kind == MT_PATH_MOD && !at_sign (r, "%"))
         return true;
      if (!advance (r) || !unary (r, &right))
         return false;
      *out = node (r, kind, *out, right);
   }
}

static bool additive (Reader *r, MtJsonPath **out)
{
   if (!multiplicative (r, out))
      return false;
   while (at_sign (r, "+") || at_sign (r, "-")) {
      MtJsonPathKind kind = at_sign (r, "+") ? MT_PATH_ADD : MT_PATH_SUB;
      MtJsonPath *right;
      if (!advance (r) || !multiplicative (r, &right))
         return false;
      *out = node (r, kind, *out, right);
   }
   return true;
}

/* ---- predicates ---- */

static bool comparison_kind (const Reader *r, MtJsonPathKind *out)
{
   static const struct {
      const char *sign;
      MtJsonPathKind kind;
   } signs[] = {{"==", MT_PATH_EQ}, {"!=", MT_PATH_NE}, {"<>", MT_PATH_NE}, {"<=", MT_PATH_LE}, {">=", MT_PATH_GE}, {"<", MT_PATH_LT}, {">", MT_PATH_GT}};
   for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
      if (at_sign (r, signs[i].sign)) {
         *out = signs[i].kind;
         return true;
      }
   return false;
}

static bool starts_with (Reader *r, MtJsonPath **out)
{
   MtJsonPath *prefix;
   if (!advance (r))
      return false;
   if (!take_word (r, "with") || (r->token != T_STRING && r->token != T_VARIABLE))
      return syntax (r);
   if (!primary (r, &prefix))
      return false;
   *out = node (r, MT_PATH_STARTS_WITH, *out, prefix);
   return true;
}

/* XQuery's flags as those of regexp_like: without "s" a dot matches no newline. */
static bool regex_flags (Reader *r, MtStr *out)
{
   bool s = false, m = false, q = false, i = false;
   for (size_t k = 0; k < r->value.n; k++) {
      char c = r->value.p[k];
      s |= c == 's';
      m |= c == 'm';
      q |= c == 'q';
      i |= c == 'i';
      if (c == 'x')
         return refuse (r, "XQuery \"x\" flag (expanded regular expressions)");
      if (!strchr ("smqi", c))
         return syntax (r);
   }
   const char *flags = mt_printf (r->a, "%s%s", i ? "i" : "", q ? "q" : s && m ? "w" : m ? "n" : s ? "" : "p");
   *out = mt_str (flags);
   return true;
}

static bool like_regex (Reader *r, MtJsonPath **out)
{
   MtJsonPath *p = *out = node (r, MT_PATH_LIKE_REGEX, *out, NULL);
   p->name = MT_STR ("p");
   if (!advance (r))
      return false;
   if (r->token != T_STRING)
      return syntax (r);
   p->value = mt_v_str (r->value.p, r->value.n);
   if (!advance (r))
      return false;
   if (!take_word (r, "flag"))
      return !r->bad;
   return (r->token == T_STRING || syntax (r)) && regex_flags (r, &p->name) && advance (r);
}

static bool comparison (Reader *r, MtJsonPath **out)
{
   MtJsonPathKind kind;
   if (!additive (r, out))
      return false;
   if (comparison_kind (r, &kind)) {
      MtJsonPath *right;
      if (!advance (r) || !additive (r, &right))
         return false;
      *out = node (r, kind, *out, right);
      return true;
   }
   if (at_word (r, "starts"))
      return starts_with (r, out);
   if (at_word (r, "like_regex"))
      return like_regex (r, out);
   if (at_word (r, "is") && mt_path_is_predicate (*out)) {
      *out = node (r, MT_PATH_IS_UNKNOWN, *out, NULL);
      return advance (r) && (at_word (r, "unknown") ? advance (r) : syntax (r));
   }
   return true;
}

static bool negation (Reader *r, MtJsonPath **out)
{
   MtJsonPath *x;
   if (at_word (r, "exists")) {
      if (!advance (r) || (!at_sign (r, "(") && !syntax (r)) || !parenthesised (r, &x))
         return false;
      *out = node (r, MT_PATH_EXISTS, x, NULL);
      return true;
   }
   if (!at_sign (r, "!"))
      return comparison (r, out);
   bool ok = deeper (r) && advance (r) && (at_sign (r, "(") || at_word (r, "exists") || syntax (r)) && negation (r, &x);
   r->depth--;
   if (ok && !mt_path_is_predicate (x))
      return syntax (r);
   if (ok)
      *out = node (r, MT_PATH_NOT, x, NULL);
   return ok;
}

static bool chain (Reader *r, const char *sign, MtJsonPathKind kind, bool (*part) (Reader *, MtJsonPath **), MtJsonPath **out)
{
   if (!part (r, out))
      return false;
   while (at_sign (r, sign)) {
      MtJsonPath *right;
      if (!mt_path_is_predicate (*out))
         return syntax (r);
      if (!advance (r) || !part (r, &right))
         return false;
      if (!mt_path_is_predicate (right))
         return syntax (r);
      *out = node (r, kind, *out, right);
   }
   return true;
}

static bool both (Reader *r, MtJsonPath **out) { return chain (r, "&&", MT_PATH_AND, negation, out); }
static bool either (Reader *r, MtJsonPath **out) { return chain (r, "||", MT_PATH_OR, both, out); }

bool mt_json_path_parse (MtArena *a, MtStr text, bool *lax, MtJsonPath **out, MtError *err)
{
   Reader r = {.a = a, .p = text.p, .end = text.p + text.n, .err = err};
   if (!advance (&r))
      return false;
   if (r.token == T_END)
      return mt_error (err, MT_E_TEXT_REPRESENTATION, "invalid input syntax for type jsonpath: \"%.*s\"", (int) text.n, text.p);
   *lax = !at_word (&r, "strict");
   if ((at_word (&r, "strict") || at_word (&r, "lax")) && !advance (&r))
      return false;
   return either (&r, out) && !r.bad && (r.token == T_END || syntax (&r));
}
