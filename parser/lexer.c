/* Reads tokens with their values: names, strings with their escapes replaced, and grammar codes. */
#include "base/limits.h"
#include "parser/grammar.h"
#include "parser/lexer_int.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool mt_lex_error (const char *text, size_t len, MtSpan span, const char *what, MtError *err)
{
   if (span.start < 0 || (size_t) span.start >= len)
      return mt_error_at (err, (MtSpan) {(int32_t) len, 0}, MT_E_SYNTAX, "%s at end of input",
                          what);
   return mt_error_at (err, span, MT_E_SYNTAX, "%s at or near \"%.*s\"", what, span.len,
                       text + span.start);
}

static MtSpan span_of (MtRawToken r)
{
   return (MtSpan) {(int32_t) r.start, (int32_t) (r.end - r.start)};
}

static bool fail (const MtLexer *lx, MtRawToken r, const char *what)
{
   return mt_lex_error (lx->text, lx->len, span_of (r), what, lx->err);
}

static bool unterminated (const MtLexer *lx, MtRawToken r)
{
   switch (r.kind) {
   case MT_RAW_COMMENT: return fail (lx, r, "unterminated /* comment");
   case MT_RAW_QUOTED: return fail (lx, r, "unterminated quoted identifier");
   case MT_RAW_DOLLAR: return fail (lx, r, "unterminated dollar-quoted string");
   case MT_RAW_BITS:
      return fail (lx, r,
                   (lx->text[r.start] | 0x20) == 'b' ? "unterminated bit string literal"
                                                     : "unterminated hexadecimal string literal");
   case MT_RAW_STRING:
   case MT_RAW_ESTRING:
   case MT_RAW_UNICODE:
   case MT_RAW_END:
   case MT_RAW_IDENT:
   case MT_RAW_INTEGER:
   case MT_RAW_DECIMAL:
   case MT_RAW_PARAM:
   case MT_RAW_OPERATOR:
   case MT_RAW_PUNCT:
   case MT_RAW_JUNK: break;
   }
   return fail (lx, r, "unterminated quoted string");
}

/* ---- strings ---- */

/* The state of decoding a quoted token. The decoded value is never longer than its source text,
 * even with \u escapes. */
typedef struct Cook {
   const MtLexer *lx;
   MtRawToken raw;
   uint32_t i; /* read position */
   char *out;
   uint32_t n;
} Cook;

static MtSpan here (const Cook *k, uint32_t len)
{
   return (MtSpan) {(int32_t) k->i, (int32_t) len};
}

/* Returns the number of bytes before the digits of a Unicode escape, and sets *digits to the
 * number of digits: \uXXXX and \UXXXXXXXX in E'', \XXXX and \+XXXXXX in U&''. */
static uint32_t before_digits (const Cook *k, uint32_t *digits)
{
   char c = k->lx->text[k->i + 1];
   bool plus = c == '+';
   if (k->raw.kind == MT_RAW_UNICODE) {
      *digits = plus ? 6 : 4;
      return plus ? 2 : 1;
   }
   *digits = c == 'u' ? 4 : 8;
   return 2;
}

static uint32_t escape_bytes (const Cook *k)
{
   uint32_t digits, before = before_digits (k, &digits);
   return before + digits;
}

/* Returns the code point of the Unicode escape whose backslash is at k->i; -1 if it is
 * malformed. */
static int64_t unicode_escape (const Cook *k)
{
   uint32_t digits, before = before_digits (k, &digits);
   int64_t cp = 0;
   for (uint32_t d = 0; d < digits; d++) {
      uint32_t at = k->i + before + d;
      int h = at < k->raw.end ? mt_hex_digit (k->lx->text[at]) : -1;
      if (h < 0)
         return -1;
      cp = cp << 4 | h;
   }
   return cp;
}

static bool bad_unicode (Cook *k)
{
   mt_error_at (k->lx->err, here (k, 2), MT_E_BAD_ESCAPE, "invalid Unicode escape");
   return mt_error_hint (k->lx->err, k->raw.kind == MT_RAW_UNICODE
                                        ? "Unicode escapes must be \\XXXX or \\+XXXXXX."
                                        : "Unicode escapes must be \\uXXXX or \\UXXXXXXXX.");
}

static bool cook_unicode (Cook *k)
{
   int64_t cp = unicode_escape (k);
   if (cp < 0)
      return bad_unicode (k);
   uint32_t used = escape_bytes (k);
   if (cp >= 0xD800 && cp < 0xDC00) {
      Cook low = *k;
      low.i += used;
      const char *t = k->lx->text + low.i;
      bool escape = low.i + 2 < k->raw.end && t[0] == '\\' &&
                    (k->raw.kind == MT_RAW_UNICODE || t[1] == 'u' || t[1] == 'U');
      int64_t second = escape ? unicode_escape (&low) : -1;
      if (second < 0xDC00 || second > 0xDFFF)
         return mt_error_at (k->lx->err, here (k, used), MT_E_SYNTAX,
                             "invalid Unicode surrogate pair");
      used += escape_bytes (&low);
      cp = 0x10000 + ((cp - 0xD800) << 10) + (second - 0xDC00);
   } else if (cp >= 0xDC00 && cp <= 0xDFFF) {
      return mt_error_at (k->lx->err, here (k, used), MT_E_SYNTAX,
                          "invalid Unicode surrogate pair");
   }
   if (cp == 0 || cp > 0x10FFFF)
      return mt_error_at (k->lx->err, here (k, used), MT_E_SYNTAX, "invalid Unicode escape value");
   k->n += (uint32_t) mt_utf8_put (k->out + k->n, (uint32_t) cp);
   k->i += used;
   return true;
}

/* Decodes the backslash escape at k->i of an E'' string. */
static bool cook_escape (Cook *k)
{
   const char *t = k->lx->text;
   char c = t[k->i + 1];
   if (c == 'u' || c == 'U')
      return cook_unicode (k);
   uint32_t i = k->i + 2, v = 0;
   if (c >= '0' && c <= '7') {
      v = (uint32_t) (c - '0');
      for (int d = 0; d < 2 && t[i] >= '0' && t[i] <= '7'; d++)
         v = v * 8 + (uint32_t) (t[i++] - '0');
   } else if (c == 'x' && mt_hex_digit (t[i]) >= 0) {
      for (int d = 0; d < 2 && mt_hex_digit (t[i]) >= 0; d++)
         v = v * 16 + (uint32_t) mt_hex_digit (t[i++]);
   } else {
      static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
      const char *f = strchr (from, c);
      v = f && c ? (unsigned char) to[f - from] : (unsigned char) c;
   }
   if ((v & 0xFF) == 0)
      return mt_error_at (k->lx->err, here (k, i - k->i), MT_E_ENCODING,
                          "invalid byte sequence for encoding \"UTF8\": 0x00");
   k->out[k->n++] = (char) v;
   k->i = i;
   return true;
}

/* Decodes the text of a literal between its quotes q: replaces doubled quotes and escapes, and
 * joins the parts of a literal that continues on another line. */
static bool cook (Cook *k, char q)
{
   const char *t = k->lx->text;
   uint32_t end = k->raw.end - 1;
   k->i = k->raw.start + k->raw.delimiter;
   while (k->i < end) {
      if (t[k->i] == '\\' && k->raw.kind == MT_RAW_ESTRING) {
         if (!cook_escape (k))
            return false;
      } else if (t[k->i] == '\\' && k->raw.kind == MT_RAW_UNICODE && t[k->i + 1] != '\\') {
         if (!cook_unicode (k))
            return false;
      } else if (t[k->i] == '\\' && k->raw.kind == MT_RAW_UNICODE) {
         k->out[k->n++] = '\\';
         k->i += 2;
      } else if (t[k->i] != q) {
         k->out[k->n++] = t[k->i++];
      } else if (t[k->i + 1] == q) {
         k->out[k->n++] = q;
         k->i += 2;
      } else {
         while (k->i + 1 < end && t[k->i + 1] != q) {
            if (t[k->i + 1] == '-')
               while (t[k->i + 1] != '\n' && t[k->i + 1] != '\r')
                  k->i++;
            k->i++;
         }
         k->i += 2;
      }
   }
   return true;
}

static bool lex_quoted (MtLexer *lx, MtRawToken r, MtToken *out)
{
   Cook k = {lx, r, 0, NULL, 0};
   bool bits = r.kind == MT_RAW_BITS;
   /* A value is no longer than its source: \XXXX has 5 bytes for at most 3, and \+XXXXXX has 8
    * bytes for at most 4. */
   k.out = mt_alloc (lx->a, r.end - r.start + 2u);
   if (bits)
      k.out[k.n++] = (char) (lx->text[r.start] & ~0x20);
   if (!cook (&k, lx->text[r.start + r.delimiter - 1]))
      return false;
   if (r.kind == MT_RAW_ESTRING && !mt_utf8_valid (k.out, k.n))
      return mt_error_at (lx->err, span_of (r), MT_E_ENCODING,
                          "invalid byte sequence for encoding \"UTF8\" after escapes");
   out->text = k.out;
   out->n = k.n;
   out->code = (int16_t) (bits ? MT_TK_BCONST : MT_TK_SCONST);
   return true;
}

static bool check_identifier (MtLexer *lx, MtRawToken r, const MtToken *t)
{
   if (t->n > MT_MAX_IDENTIFIER_BYTES) {
      mt_error_at (lx->err, span_of (r), MT_E_NAME_TOO_LONG, "identifier is too long");
      return mt_error_detail (lx->err, "A name can have at most %d bytes.",
                              MT_MAX_IDENTIFIER_BYTES);
   }
   return true;
}

static bool lex_quoted_name (MtLexer *lx, MtRawToken r, MtToken *out)
{
   if (!lex_quoted (lx, r, out))
      return false;
   if (out->n == 0)
      return fail (lx, r, "zero-length delimited identifier");
   out->code = MT_TK_ID;
   out->quoted = true;
   return check_identifier (lx, r, out);
}

/* Sets an error if UESCAPE follows the U&'' literal r, because only the backslash is supported as
 * escape character. */
static bool refuse_uescape (MtLexer *lx, MtRawToken r)
{
   MtRawToken behind = mt_lex_raw (lx->text, lx->len, r.end);
   if (behind.kind != MT_RAW_IDENT || behind.end - behind.start != 7 ||
       strncasecmp (lx->text + behind.start, "uescape", 7) != 0)
      return true;
   mt_error_at (lx->err, span_of (behind), MT_E_FEATURE, "UESCAPE is not supported");
   return mt_error_hint (lx->err, "Write the escapes with a backslash, and leave UESCAPE out.");
}

/* ---- other tokens ---- */

static bool is_extended_word (int code)
{
   return code == MT_TK_QUALIFY || code == MT_TK_SUMMARIZE || code == MT_TK_DESCRIBE ||
          code == MT_TK_TOLERANCE;
}

static bool lex_word (MtLexer *lx, MtRawToken r, MtToken *out)
{
   const MtKeyword *k = mt_keyword_find (lx->text + r.start, r.end - r.start);
   out->n = r.end - r.start;
   out->text = mt_strndup (lx->a, lx->text + r.start, out->n);
   bool known = k && (lx->extended || !is_extended_word (k->code));
   out->code = (int16_t) (known ? k->code : MT_TK_ID);
   return check_identifier (lx, r, out);
}

static bool lex_copy (MtLexer *lx, MtRawToken r, MtToken *out, int code)
{
   out->n = r.end - r.start;
   out->text = mt_strndup (lx->a, lx->text + r.start, out->n);
   out->code = (int16_t) code;
   return true;
}

static bool lex_param (MtLexer *lx, MtRawToken r, MtToken *out)
{
   lex_copy (lx, r, out, MT_TK_PARAM);
   if (out->n > 10 || atoll (out->text + 1) > 65535)
      return fail (lx, r, "parameter number too large");
   return true;
}

/* The operators that have a token of their own. All other operators have the token OP. */
static const struct {
   const char *text;
   int code;
} fixed[] = {
   {"(", MT_TK_LP},
   {")", MT_TK_RP},
   {",", MT_TK_COMMA},
   {".", MT_TK_DOT},
   {"[", MT_TK_LB},
   {"]", MT_TK_RB},
   {":", MT_TK_COLON},
   {"+", MT_TK_PLUS},
   {"-", MT_TK_MINUS},
   {"*", MT_TK_STAR},
   {"/", MT_TK_SLASH},
   {"%", MT_TK_PERCENT},
   {"^", MT_TK_CARET},
   {"<", MT_TK_LT},
   {">", MT_TK_GT},
   {"=", MT_TK_EQ},
   {"<=", MT_TK_LE},
   {">=", MT_TK_GE},
   {"<>", MT_TK_NE},
   {"::", MT_TK_TYPECAST},
   {":=", MT_TK_COLON_EQUALS},
   {"=>", MT_TK_EQUALS_GREATER},
   {";", MT_TK_SEMI},
};

static bool lex_symbol (MtLexer *lx, MtRawToken r, MtToken *out)
{
   uint32_t n = r.end - r.start;
   const char *p = lx->text + r.start;
   out->n = n;
   if (n == 2 && p[0] == '!' && p[1] == '=')
      p = "<>";
   for (size_t i = 0; i < sizeof (fixed) / sizeof (fixed[0]); i++) {
      if (strlen (fixed[i].text) == n && memcmp (fixed[i].text, p, n) == 0) {
         out->text = fixed[i].text;
         out->code = (int16_t) fixed[i].code;
         return true;
      }
   }
   if (r.kind == MT_RAW_OPERATOR && n >= 64)
      return fail (lx, r, "operator too long");
   return lex_copy (lx, r, out, r.kind == MT_RAW_OPERATOR ? MT_TK_OP : MT_TK_UNKNOWN_CHAR);
}

/* Returns whether a token is an integer followed by letters, such as 5m in SAMPLE BY 5m. */
static bool is_width (const MtLexer *lx, MtRawToken r)
{
   const char *c = lx->text + r.start, *end = lx->text + r.end;
   while (c < end && *c >= '0' && *c <= '9')
      c++;
   bool digits = c > lx->text + r.start && c < end;
   while (c < end && ((*c | 0x20) >= 'a' && (*c | 0x20) <= 'z'))
      c++;
   return digits && c == end;
}

static bool lex_value (MtLexer *lx, MtRawToken r, MtToken *out)
{
   switch (r.kind) {
   case MT_RAW_END: return true;
   case MT_RAW_IDENT: return lex_word (lx, r, out);
   case MT_RAW_QUOTED: return lex_quoted_name (lx, r, out);
   case MT_RAW_STRING:
   case MT_RAW_ESTRING:
   case MT_RAW_BITS: return lex_quoted (lx, r, out);
   case MT_RAW_UNICODE:
      return refuse_uescape (lx, r) && (lx->text[r.start + 2] == '"' ? lex_quoted_name (lx, r, out)
                                                                     : lex_quoted (lx, r, out));
   case MT_RAW_DOLLAR:
      out->n = r.end - r.start - 2 * r.delimiter;
      out->text = mt_strndup (lx->a, lx->text + r.start + r.delimiter, out->n);
      out->code = MT_TK_SCONST;
      return true;
   case MT_RAW_INTEGER: return lex_copy (lx, r, out, MT_TK_ICONST);
   case MT_RAW_DECIMAL: return lex_copy (lx, r, out, MT_TK_FCONST);
   case MT_RAW_PARAM: return lex_param (lx, r, out);
   case MT_RAW_OPERATOR:
   case MT_RAW_PUNCT: return lex_symbol (lx, r, out);
   case MT_RAW_JUNK:
      if (lx->extended && is_width (lx, r))
         return lex_copy (lx, r, out, MT_TK_WIDTH);
      return fail (lx, r,
                   lx->text[r.start] == '$' ? "trailing junk after parameter"
                                            : "trailing junk after numeric literal");
   case MT_RAW_COMMENT: break;
   }
   return unterminated (lx, r);
}

bool mt_lex (MtLexer *lx, MtToken *out)
{
   MtRawToken r = mt_lex_raw (lx->text, lx->len, lx->pos);
   *out = (MtToken) {.span = span_of (r)};
   if (r.open)
      return unterminated (lx, r);
   if (!lex_value (lx, r, out))
      return false;
   if (lx->swap_at == (int32_t) r.start)
      out->code = (int16_t) lx->swap_code;
   lx->pos = r.end;
   return true;
}
