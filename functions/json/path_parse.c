/* Parses the text of a jsonpath: a lexer, and a recursive-descent parser of limited depth. */
#include "functions/text/pattern.h"
#include "functions/json/path.h"

#include "types/jsonb.h"
#include "base/limits.h"
#include "types/numeric.h"
#include "functions/core/row.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef enum Token { T_END, T_WORD, T_STRING, T_NUMBER, T_VARIABLE, T_SIGN } Token;

typedef struct Reader {
   MtArena *a;
   const char *p, *end;
   Token token;
   MtStr text;  /* the token's text as written */
   MtStr value; /* of a word, string or variable */
   MtVal number;
   int depth, filters, subscripts;
   bool bad;
   /* The message of the first semantic error. It is reported only if the path has no syntax
    * error. */
   const char *misplaced;
   MtError *err;
} Reader;

/* ---- tokens ---- */

static bool syntax (Reader *r)
{
   if (!r->bad) {
      if (r->token == T_END)
         mt_error (r->err, MT_E_SYNTAX, "syntax error at end of jsonpath input");
      else
         mt_error (r->err, MT_E_SYNTAX, "syntax error at or near \"%.*s\" of jsonpath input",
                   (int) r->text.n, r->text.p);
   }
   r->bad = true;
   return false;
}

static bool refuse (Reader *r, const char *what)
{
   r->bad = true;
   return mt_error (r->err, MT_E_FEATURE, "%s is not supported", what);
}

/* Reports a lexical error of the text from `from` up to r->p. Returns false. */
static bool lexical (Reader *r, const char *from, const char *message)
{
   r->bad = true;
   if (from >= r->end)
      return mt_error (r->err, MT_E_SYNTAX, "%s at end of jsonpath input", message);
   return mt_error (r->err, MT_E_SYNTAX, "%s at or near \"%.*s\" of jsonpath input", message,
                    (int) (r->p - from), from);
}

static bool is_word (char c) { return !strchr (" \t\n\r\f?%$.[]{}()|&!=<>@#,*:-+/\\\"", c); }

static bool skip_space (Reader *r)
{
   while (r->p < r->end) {
      if (strchr (" \t\n\r\f", *r->p))
         r->p++;
      else if (r->end - r->p > 1 && r->p[0] == '/' && r->p[1] == '*') {
         const char *close = memmem (r->p + 2, (size_t) (r->end - r->p - 2), "*/", 2);
         r->p = close ? close + 2 : r->end;
         if (!close)
            return lexical (r, r->p, "unexpected end of comment");
      } else
         return true;
   }
   return true;
}

/* Reads up to `most` hexadecimal digits into *out. Returns their number. */
static int hex (Reader *r, int most, uint32_t *out)
{
   int n = 0;
   for (*out = 0; n < most && r->p < r->end && mt_hex_digit (*r->p) >= 0; n++)
      *out = *out * 16 + (uint32_t) mt_hex_digit (*r->p++);
   return n;
}

static bool unicode_digits (Reader *r, uint32_t *out)
{
   if (r->p >= r->end || *r->p != '{')
      return hex (r, 4, out) == 4;
   r->p++;
   return hex (r, 6, out) > 0 && r->p < r->end && *r->p++ == '}';
}

static bool bad_surrogate (Reader *r, const char *detail)
{
   r->bad = true;
   mt_error (r->err, MT_E_TEXT_REPRESENTATION, "invalid input syntax for type jsonpath");
   return mt_error_detail (r->err, "%s", detail);
}

/* Reads the digits behind \u into *c; if they are the first half of a surrogate pair, the second
 * half, too. */
static bool unicode (Reader *r, uint32_t *c)
{
   static const char alone[] = "Unicode low surrogate must follow a high surrogate.";
   const char *from = r->p - 2;
   uint32_t low;
   if (!unicode_digits (r, c))
      return lexical (r, from, "invalid unicode sequence");
   if (*c >= 0xdc00 && *c <= 0xdfff)
      return bad_surrogate (r, alone);
   if (*c >= 0xd800 && *c <= 0xdbff) {
      if (r->end - r->p < 2 || r->p[0] != '\\' || r->p[1] != 'u')
         return bad_surrogate (r, alone);
      r->p += 2;
      if (!unicode_digits (r, &low))
         return lexical (r, from, "invalid unicode sequence");
      if (low >= 0xd800 && low <= 0xdbff)
         return bad_surrogate (r, "Unicode high surrogate must not follow a high surrogate.");
      if (low < 0xdc00 || low > 0xdfff)
         return bad_surrogate (r, alone);
      *c = 0x10000 + ((*c & 0x3ff) << 10) + (low & 0x3ff);
   }
   if (*c <= 0x10ffff)
      return true;
   r->bad = true;
   return mt_error (r->err, MT_E_SYNTAX, "invalid Unicode code point");
}

static bool no_zero (Reader *r)
{
   r->bad = true;
   mt_error (r->err, MT_E_UNTRANSLATABLE, "unsupported Unicode escape sequence");
   return mt_error_detail (r->err, "\\u0000 cannot be converted to text.");
}

/* Reads an escape sequence behind the backslash, and appends its character to b. */
static bool escape (Reader *r, MtBuf *b)
{
   static const char from[] = "bfnrtv", to[] = "\b\f\n\r\t\v";
   const char *start = r->p - 1;
   char utf8[4];
   uint32_t c;
   if (r->p >= r->end)
      return lexical (r, start, "unexpected end after backslash");
   const char *known = strchr (from, *r->p);
   char letter = *r->p++;
   if (letter == 'u') {
      if (!unicode (r, &c))
         return false;
   } else if (letter == 'x') {
      if (hex (r, 2, &c) != 2)
         return lexical (r, start, "invalid hex character sequence");
   } else {
      mt_buf_addc (b, known ? to[known - from] : letter);
      return true;
   }
   mt_buf_add (b, utf8, mt_utf8_put (utf8, c));
   return c != 0 || no_zero (r);
}

/* Reads the characters and escape sequences of a string, up to the closing quote, or of a word. The
 * token's text and value are set. */
static bool read_text (Reader *r, bool quoted)
{
   const char *start = r->p;
   MtBuf b = {0};
   bool ok = true;
   r->p += quoted;
   while (ok && r->p < r->end && (quoted ? *r->p != '"' : *r->p == '\\' || is_word (*r->p))) {
      if (*r->p != '\\')
         mt_buf_addc (&b, *r->p++);
      else {
         r->p++;
         ok = escape (r, &b);
      }
   }
   if (ok && quoted && r->p >= r->end)
      ok = lexical (r, r->p, "unexpected end of quoted string");
   r->p += ok && quoted;
   r->text = (MtStr) {start, (size_t) (r->p - start)};
   r->value = (MtStr) {mt_strndup (r->a, b.p ? b.p : "", b.n), b.n};
   mt_buf_free (&b);
   return ok;
}

/* Returns the number of bytes of the UTF-8 character at q. */
static int width (const char *q, const char *end)
{
   int n = 1;
   while (q + n < end && ((unsigned char) q[n] & 0xc0) == 0x80)
      n++;
   return n;
}

static const char *digits (const Reader *r, const char *q)
{
   while (q < r->end && isdigit ((unsigned char) *q))
      q++;
   return q;
}

/* Reads a number. An integer must not have leading zeros. A decimal point needs digits on at least
 * one side. */
static bool read_number (Reader *r)
{
   const char *start = r->p, *q = *start == '0' ? start + 1 : digits (r, start);
   MtNum n;
   if (q < r->end && *q == '.')
      q = digits (r, q + 1);
   if (q < r->end && (*q == 'e' || *q == 'E')) {
      const char *e = q + 1;
      e += e < r->end && (*e == '-' || *e == '+');
      if (digits (r, e) > e)
         q = digits (r, e);
      else if (e > q + 1) {
         r->p = e;
         return lexical (r, start, "invalid numeric literal");
      }
   }
   r->p = q;
   if (q < r->end && is_word (*q)) {
      r->p += width (q, r->end);
      return lexical (r, start, "trailing junk after numeric literal");
   }
   r->text = (MtStr) {start, (size_t) (q - start)};
   if (!mt_num_in (start, r->text.n, &n, r->err)) {
      r->bad = true;
      return false;
   }
   r->number = mt_num_to_val (r->a, n);
   return true;
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
   if (!skip_space (r))
      return false;
   r->text = (MtStr) {r->p, 0};
   r->token = T_END;
   if (r->p >= r->end)
      return true;
   char c = *r->p, d = r->p + 1 < r->end ? r->p[1] : 0;
   if (c == '"') {
      r->token = T_STRING;
      return read_text (r, true);
   }
   if (isdigit ((unsigned char) c) || (c == '.' && isdigit ((unsigned char) d))) {
      r->token = T_NUMBER;
      return read_number (r);
   }
   if (c == '$' && (d == '"' || is_word (d))) {
      const char *start = r->p++;
      r->token = T_VARIABLE;
      if (d == '"')
         return read_text (r, true);
      while (r->p < r->end && is_word (*r->p))
         r->p++;
      r->value = (MtStr) {start + 1, (size_t) (r->p - start - 1)};
      r->text = (MtStr) {start, (size_t) (r->p - start)};
      return true;
   }
   if (is_word (c) || c == '\\') {
      r->token = T_WORD;
      return read_text (r, false);
   }
   r->token = T_SIGN;
   r->text = (MtStr) {r->p, sign_length (r)};
   r->p += r->text.n;
   return true;
}

static bool at_sign (const Reader *r, const char *s)
{
   return r->token == T_SIGN && mt_str_is (r->text, s);
}

/* Returns whether the current token is the word s, ignoring case. */
static bool at_word (const Reader *r, const char *s)
{
   return r->token == T_WORD && mt_str_ieq (r->value, mt_str (s));
}

static bool at_json_word (const Reader *r, const char *s)
{
   return r->token == T_WORD && mt_str_is (r->value, s);
}

static bool take_sign (Reader *r, const char *s) { return at_sign (r, s) && advance (r); }
static bool take_word (Reader *r, const char *s) { return at_word (r, s) && advance (r); }
static bool want_sign (Reader *r, const char *s)
{
   return at_sign (r, s) ? advance (r) : syntax (r);
}

/* ---- the tree ---- */

static MtJsonPath *node (Reader *r, MtJsonPathKind kind, MtJsonPath *left, MtJsonPath *right)
{
   MtJsonPath *p = MT_NEW (r->a, MtJsonPath);
   *p = (MtJsonPath) {.kind = kind, .left = left, .right = right};
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

/* Returns whether p is a predicate such as (a == 1), without accessors behind it. */
static bool is_predicate (const MtJsonPath *p) { return mt_path_is_predicate (p) && !p->next; }

static bool want_expression (Reader *r, const MtJsonPath *p)
{
   return !is_predicate (p) || syntax (r);
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

static bool placed (Reader *r, bool here, MtJsonPathKind kind, const char *message,
                    MtJsonPath **out)
{
   if (!here && !r->misplaced)
      r->misplaced = message;
   return plain (r, kind, out);
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
   if (at_json_word (r, "null"))
      return literal (r, mt_v_null (), out);
   if (at_json_word (r, "true") || at_json_word (r, "false"))
      return literal (r, mt_v_bool (at_json_word (r, "true")), out);
   if (at_word (r, "last"))
      return placed (r, r->subscripts, MT_PATH_LAST, "LAST is allowed only in array subscripts",
                     out);
   if (at_sign (r, "$"))
      return plain (r, MT_PATH_ROOT, out);
   if (at_sign (r, "@"))
      return placed (r, r->filters, MT_PATH_CURRENT, "@ is not allowed in root expressions", out);
   return at_sign (r, "(") ? parenthesised (r, out) : syntax (r);
}

/* ---- accessors: members, elements, filters, methods ---- */

static bool level (Reader *r, int *out)
{
   *out = MT_PATH_END;
   if (take_word (r, "last"))
      return true;
   if (r->token != T_NUMBER || digits (r, r->text.p) != r->text.p + r->text.n)
      return syntax (r);
   long n = strtol (mt_strndup (r->a, r->text.p, r->text.n), NULL, 10);
   if (n > INT_MAX) {
      r->bad = true;
      return mt_error (r->err, MT_E_NUMERIC_RANGE,
                       "value \"%.*s\" is out of range for type integer", (int) r->text.n,
                       r->text.p);
   }
   *out = (int) n;
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
   static const char *const names[] = {
      [MT_METHOD_TYPE] = "type",       [MT_METHOD_SIZE] = "size",   [MT_METHOD_DOUBLE] = "double",
      [MT_METHOD_CEILING] = "ceiling", [MT_METHOD_FLOOR] = "floor", [MT_METHOD_ABS] = "abs"};
   *out = node (r, MT_PATH_METHOD, NULL, NULL);
   (*out)->name = name;
   for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (mt_str_ieq (name, mt_str (names[i]))) {
         (*out)->name = mt_str (names[i]);
         (*out)->method = (MtPathMethod) i;
         return advance (r) && want_sign (r, ")");
      }
   if (mt_str_ieq (name, MT_STR ("datetime")) || mt_str_ieq (name, MT_STR ("keyvalue")))
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
      *s = (MtJsonPathRange) {0};
      at = &s->next;
      if (!additive (r, &s->from) || !want_expression (r, s->from))
         return false;
      if (take_word (r, "to") && (!additive (r, &s->to) || !want_expression (r, s->to)))
         return false;
      if (r->bad)
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
   if (!is_predicate (predicate))
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
   bool ok = deeper (r) && advance (r) && unary (r, &x) && want_expression (r, x);
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
      MtJsonPathKind kind;
      MtJsonPath *right;
      if (at_sign (r, "*"))
         kind = MT_PATH_MUL;
      else if (at_sign (r, "/"))
         kind = MT_PATH_DIV;
      else if (at_sign (r, "%"))
         kind = MT_PATH_MOD;
      else
         return true;
      if (!want_expression (r, *out) || !advance (r) || !unary (r, &right) ||
          !want_expression (r, right))
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
      if (!want_expression (r, *out) || !advance (r) || !multiplicative (r, &right) ||
          !want_expression (r, right))
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
   } signs[] = {{"==", MT_PATH_EQ}, {"!=", MT_PATH_NE}, {"<>", MT_PATH_NE}, {"<=", MT_PATH_LE},
                {">=", MT_PATH_GE}, {"<", MT_PATH_LT},  {">", MT_PATH_GT}};
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

/* Converts the flags of like_regex to those of regexp_like, in *out. Without "s" a dot does not
 * match a newline. "q" overrides all others except "i". */
static bool regex_flags (Reader *r, MtStr *out)
{
   bool s = false, m = false, q = false, i = false, x = false;
   for (size_t k = 0; k < r->value.n; k++) {
      char c = r->value.p[k];
      s |= c == 's';
      m |= c == 'm';
      q |= c == 'q';
      i |= c == 'i';
      x |= c == 'x';
      if (!strchr ("smqix", c)) {
         r->bad = true;
         mt_error (r->err, MT_E_SYNTAX, "invalid input syntax for type jsonpath");
         return mt_error_detail (r->err,
                                 "Unrecognized flag character \"%.*s\" in LIKE_REGEX predicate.",
                                 width (r->value.p + k, r->value.p + r->value.n), r->value.p + k);
      }
   }
   if (x && !q) {
      r->bad = true;
      return mt_error (r->err, MT_E_FEATURE,
                       "XQuery \"x\" flag (expanded regular expressions) is not implemented");
   }
   const char *kind = s ? "" : "p";
   if (q)
      kind = "q";
   else if (m)
      kind = s ? "w" : "n";
   *out = mt_str (mt_printf (r->a, "%s%s", i ? "i" : "", kind));
   return true;
}

/* Checks the pattern of like_regex: an invalid one is an error even if it is never used. */
static bool check_regex (Reader *r, const MtJsonPath *p)
{
   MtVal ignored, args[3] = {mt_v_cstr (""), p->value, mt_v_str (p->name.p, p->name.n)};
   r->bad |= !mt_regexp_like (&(MtEval) {.arena = r->a, .err = r->err}, args, &ignored);
   return !r->bad;
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
   if (take_word (r, "flag")) {
      if (r->token != T_STRING)
         return syntax (r);
      if (!regex_flags (r, &p->name) || !advance (r))
         return false;
   }
   return !r->bad && check_regex (r, p);
}

static bool comparison (Reader *r, MtJsonPath **out)
{
   MtJsonPathKind kind;
   if (!additive (r, out))
      return false;
   if (comparison_kind (r, &kind)) {
      MtJsonPath *right;
      if (!want_expression (r, *out) || !advance (r) || !additive (r, &right) ||
          !want_expression (r, right))
         return false;
      *out = node (r, kind, *out, right);
      return true;
   }
   if (at_word (r, "starts"))
      return want_expression (r, *out) && starts_with (r, out);
   if (at_word (r, "like_regex"))
      return want_expression (r, *out) && like_regex (r, out);
   if (at_word (r, "is") && is_predicate (*out)) {
      *out = node (r, MT_PATH_IS_UNKNOWN, *out, NULL);
      return advance (r) && (at_word (r, "unknown") ? advance (r) : syntax (r));
   }
   return true;
}

static bool exists (Reader *r, MtJsonPath **out)
{
   MtJsonPath *x;
   if (!advance (r) || (!at_sign (r, "(") && !syntax (r)) || !parenthesised (r, &x) ||
       !want_expression (r, x))
      return false;
   *out = node (r, MT_PATH_EXISTS, x, NULL);
   return true;
}

static bool negation (Reader *r, MtJsonPath **out)
{
   MtJsonPath *x;
   if (at_word (r, "exists"))
      return exists (r, out);
   if (!at_sign (r, "!"))
      return comparison (r, out);
   if (!advance (r))
      return false;
   bool ok;
   if (at_word (r, "exists"))
      ok = exists (r, &x);
   else
      ok = at_sign (r, "(") ? parenthesised (r, &x) : syntax (r);
   if (ok && !is_predicate (x))
      return syntax (r);
   if (ok)
      *out = node (r, MT_PATH_NOT, x, NULL);
   return ok;
}

static bool chain (Reader *r, const char *sign, MtJsonPathKind kind,
                   bool (*part) (Reader *, MtJsonPath **), MtJsonPath **out)
{
   if (!part (r, out))
      return false;
   while (at_sign (r, sign)) {
      MtJsonPath *right;
      if (!is_predicate (*out))
         return syntax (r);
      if (!advance (r) || !part (r, &right))
         return false;
      if (!is_predicate (right))
         return syntax (r);
      *out = node (r, kind, *out, right);
   }
   return true;
}

static bool both (Reader *r, MtJsonPath **out)
{
   return chain (r, "&&", MT_PATH_AND, negation, out);
}
static bool either (Reader *r, MtJsonPath **out) { return chain (r, "||", MT_PATH_OR, both, out); }

bool mt_json_path_parse (MtArena *a, MtStr text, bool *lax, MtJsonPath **out, MtError *err)
{
   Reader r = {.a = a, .p = text.p, .end = text.p + text.n, .err = err};
   if (!advance (&r))
      return false;
   if (r.token == T_END)
      return mt_error (err, MT_E_TEXT_REPRESENTATION,
                       "invalid input syntax for type jsonpath: \"%.*s\"", (int) text.n, text.p);
   *lax = !at_word (&r, "strict");
   if ((at_word (&r, "strict") || at_word (&r, "lax")) && !advance (&r))
      return false;
   if (!either (&r, out) || r.bad || (r.token != T_END && !syntax (&r)))
      return false;
   return !r.misplaced || mt_error (err, MT_E_SYNTAX, "%s", r.misplaced);
}
