/* Functions that quote, encode and format text: format, quote_ident, encode, decode …. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "base/base64.h"
#include "parser/parser.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- quoting ---- */

/* Appends s as an SQL string literal; as E'…' if it contains a backslash. */
static void add_literal (MtBuf *b, MtStr s)
{
   bool escapes = memchr (s.p, '\\', s.n) != NULL;
   mt_buf_adds (b, escapes ? "E'" : "'");
   for (size_t i = 0; i < s.n; i++) {
      if (s.p[i] == '\'' || s.p[i] == '\\')
         mt_buf_addc (b, s.p[i]);
      mt_buf_addc (b, s.p[i]);
   }
   mt_buf_addc (b, '\'');
}

static void add_ident (MtBuf *b, MtStr s)
{
   bool plain = s.n && (islower ((unsigned char) s.p[0]) || s.p[0] == '_');
   for (size_t i = 0; i < s.n && plain; i++)
      plain = (s.p[i] >= 'a' && s.p[i] <= 'z') || isdigit ((unsigned char) s.p[i]) || s.p[i] == '_';
   if (plain && !mt_keyword_restricted (s.p, s.n)) {
      mt_buf_add (b, s.p, s.n);
      return;
   }
   mt_buf_quoted (b, '"', s);
}

static bool fn_quote_ident (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuf b = {0};
   add_ident (&b, mt_v_text (a[0]));
   *out = mt_text_result (ev, &b);
   return true;
}

static bool fn_quote_literal (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuf b = {0};
   if (mt_is_nullish (a[0]))
      mt_buf_adds (&b, "NULL");
   else
      add_literal (&b, mt_v_text (a[0]));
   *out = mt_text_result (ev, &b);
   return true;
}

/* ---- format ---- */

typedef struct Format {
   MtEval *ev;
   const char *p, *end;
   const MtVal *args; /* the arguments after the template */
   int count, next;   /* next: the argument for a specifier without a number */
   MtBuf b;
} Format;

static bool unterminated (Format *f)
{
   mt_error (f->ev->err, MT_E_PARAMETER, "unterminated format() type specifier");
   return mt_error_hint (f->ev->err, "For a single \"%%\" use \"%%%%\".");
}

/* Reads an integer from the template of format. *out is -1 if there are no digits. */
static bool read_number (Format *f, int *out)
{
   int64_t v = 0;
   const char *from = f->p;
   for (; f->p < f->end && isdigit ((unsigned char) *f->p); f->p++) {
      v = v * 10 + (*f->p - '0');
      if (v > INT32_MAX)
         return mt_error (f->ev->err, MT_E_NUMERIC_RANGE, "number is out of range");
   }
   *out = f->p > from ? (int) v : -1;
   return f->p < f->end || unterminated (f);
}

static bool argument (Format *f, int place, MtVal *out)
{
   if (place == 0)
      return mt_error (f->ev->err, MT_E_PARAMETER,
                       "format specifies argument 0, but arguments are numbered from 1");
   int i = place > 0 ? place - 1 : f->next;
   if (i >= f->count)
      return mt_error (f->ev->err, MT_E_PARAMETER, "too few arguments for format()");
   f->next = i + 1;
   *out = f->args[i];
   return true;
}

/* Reads "*" or "*2$" in the template of format: the width is given by the next argument, or by
 * argument 2. A negative width aligns to the left. */
static bool width_argument (Format *f, int *width, bool *left)
{
   MtVal v;
   int place;
   MtError ignored = {0};
   MtVal n = mt_v_int32 (0);
   f->p++;
   if (!read_number (f, &place))
      return false;
   if (place >= 0 && *f->p++ != '$')
      return mt_error (f->ev->err, MT_E_PARAMETER,
                       "width argument position must be ended by \"$\"");
   if (!argument (f, place, &v) ||
       (!mt_is_nullish (v) &&
        !mt_value_parse (f->ev->arena, mt_type (MT_T_INT4), mt_v_text (v), NULL, &n, &ignored)))
      return mt_error_is_set (f->ev->err) ? false : (*f->ev->err = ignored, false);
   *left |= n.i < 0;
   *width = (int) (n.i < 0 ? -n.i : n.i);
   return true;
}

static void add_padded (Format *f, MtStr s, int width, bool left)
{
   size_t chars = mt_utf8_length (s.p, s.n),
          blanks = width > 0 && (size_t) width > chars ? (size_t) width - chars : 0;
   if (!left)
      mt_buf_fill (&f->b, ' ', blanks);
   mt_buf_add (&f->b, s.p, s.n);
   if (left)
      mt_buf_fill (&f->b, ' ', blanks);
}

static bool add_value (Format *f, char type, MtVal v, int width, bool left)
{
   MtBuf b = {0};
   bool null = mt_is_nullish (v);
   if (type != 's' && type != 'I' && type != 'L') {
      mt_error (f->ev->err, MT_E_PARAMETER, "unrecognized format() type specifier \"%c\"", type);
      return mt_error_hint (f->ev->err, "For a single \"%%\" use \"%%%%\".");
   }
   if (null && type == 'I')
      return mt_error (f->ev->err, MT_E_NULL_NOT_ALLOWED,
                       "null values cannot be formatted as an SQL identifier");
   if (null)
      mt_buf_adds (&b, type == 'L' ? "NULL" : "");
   else if (type == 'I')
      add_ident (&b, mt_v_text (v));
   else if (type == 'L')
      add_literal (&b, mt_v_text (v));
   else
      mt_buf_add (&b, (const char *) v.p, v.len);
   add_padded (f, (MtStr) {b.p ? b.p : "", b.n}, width, left);
   mt_buf_free (&b);
   return true;
}

/* Reads what follows a "%" in the template of format, [position$][-][width]type, and appends the
 * formatted argument. */
static bool specifier (Format *f)
{
   int place = -1, width = -1, number;
   bool left = false;
   MtVal v;
   if (!read_number (f, &number))
      return false;
   if (number >= 0 && *f->p == '$') {
      place = number;
      f->p++;
      if (place == 0)
         return argument (f, 0, &v);
   } else if (number >= 0)
      width = number;
   if (width < 0) {
      for (; f->p < f->end && *f->p == '-'; f->p++)
         left = true;
      if (f->p == f->end)
         return unterminated (f);
      if (*f->p == '*' ? !width_argument (f, &width, &left) : !read_number (f, &width))
         return false;
   }
   if (f->p == f->end)
      return unterminated (f);
   char type = *f->p++;
   if (strchr ("sIL", type) && !argument (f, place, &v))
      return false;
   return add_value (f, type, strchr ("sIL", type) ? v : mt_v_null (), width, left);
}

/* Computes format (template, …). Analysis has cast all arguments to text. */
static bool fn_format (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Format f = {.ev = ev, .args = a + 1, .count = n - 1};
   bool ok = true;
   *out = mt_v_null ();
   if (mt_is_nullish (a[0]))
      return true;
   f.p = (const char *) a[0].p;
   f.end = f.p + a[0].len;
   while (f.p < f.end && ok) {
      if (*f.p != '%')
         mt_buf_addc (&f.b, *f.p++);
      else if (++f.p == f.end)
         ok = unterminated (&f);
      else if (*f.p == '%')
         mt_buf_addc (&f.b, *f.p++);
      else
         ok = specifier (&f);
   }
   *out = mt_text_result (ev, &f.b);
   return ok;
}

/* ---- encode, decode ---- */

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Appends n bytes in base64, in lines of 76 characters as in MIME. */
static void to_base64 (MtBuf *b, const uint8_t *p, size_t n)
{
   for (size_t i = 0; i < n; i += 57) {
      mt_base64_put (p + i, n - i < 57 ? n - i : 57, MT_BASE64, b);
      if (n - i >= 57)
         mt_buf_addc (b, '\n');
   }
}

static int char_len (MtStr s, size_t at)
{
   size_t n = 1;
   while (at + n < s.n && ((unsigned char) s.p[at + n] & 0xC0) == 0x80)
      n++;
   return (int) n;
}

static bool from_base64 (MtEval *ev, MtBuf *b, MtStr s)
{
   uint32_t v = 0;
   int have = 0, pads = 0;
   for (size_t i = 0; i < s.n; i++) {
      const char *at = s.p[i] ? strchr (base64, s.p[i]) : NULL;
      if (s.p[i] && strchr (" \t\n\r", s.p[i]))
         continue;
      if (s.p[i] == '=' && (pads > 0 || have == 2 || have == 3))
         pads++;
      else if (s.p[i] == '=')
         return mt_error (ev->err, MT_E_PARAMETER,
                          "unexpected \"=\" while decoding base64 sequence");
      else if (!at || pads)
         return mt_error (ev->err, MT_E_PARAMETER,
                          "invalid symbol \"%.*s\" found while decoding base64 sequence",
                          char_len (s, i), s.p + i);
      v = v << 6 | (uint32_t) (at ? at - base64 : 0);
      if (++have == 4) {
         for (int k = 0; k < 3 - pads; k++)
            mt_buf_addc (b, (char) (v >> (16 - 8 * k)));
         have = 0;
         v = 0;
      }
   }
   if (have == 0)
      return true;
   mt_error (ev->err, MT_E_PARAMETER, "invalid base64 end sequence");
   return mt_error_hint (ev->err,
                         "Input data is missing padding, is truncated, or is otherwise corrupted.");
}

static int hex_digit (char c)
{
   if (isdigit ((unsigned char) c))
      return c - '0';
   return isxdigit ((unsigned char) c) ? tolower ((unsigned char) c) - 'a' + 10 : -1;
}

static bool from_hex (MtEval *ev, MtBuf *b, MtStr s)
{
   for (size_t i = 0; i < s.n; i++) {
      if (strchr (" \t\n\r", s.p[i]) && s.p[i])
         continue;
      if (hex_digit (s.p[i]) < 0)
         return mt_error (ev->err, MT_E_PARAMETER, "invalid hexadecimal digit: \"%c\"", s.p[i]);
      if (i + 1 == s.n)
         return mt_error (ev->err, MT_E_PARAMETER,
                          "invalid hexadecimal data: odd number of digits");
      if (hex_digit (s.p[i + 1]) < 0)
         return mt_error (ev->err, MT_E_PARAMETER, "invalid hexadecimal digit: \"%c\"", s.p[i + 1]);
      mt_buf_addc (b, (char) (hex_digit (s.p[i]) << 4 | hex_digit (s.p[i + 1])));
      i++;
   }
   return true;
}

static void to_escape (MtBuf *b, const uint8_t *p, size_t n)
{
   for (size_t i = 0; i < n; i++)
      if (p[i] == 0 || p[i] & 0x80)
         mt_buf_printf (b, "\\%03o", p[i]);
      else {
         if (p[i] == '\\')
            mt_buf_addc (b, '\\');
         mt_buf_addc (b, (char) p[i]);
      }
}

static bool from_escape (MtEval *ev, MtBuf *b, MtStr s)
{
   for (size_t i = 0; i < s.n; i++) {
      const char *p = s.p + i;
      size_t left = s.n - i;
      if (*p != '\\')
         mt_buf_addc (b, *p);
      else if (left > 3 && p[1] >= '0' && p[1] <= '3' && p[2] >= '0' && p[2] <= '7' &&
               p[3] >= '0' && p[3] <= '7') {
         mt_buf_addc (b, (char) ((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0')));
         i += 3;
      } else if (left > 1 && p[1] == '\\') {
         mt_buf_addc (b, '\\');
         i++;
      } else
         return mt_error (ev->err, MT_E_TEXT_REPRESENTATION, "invalid input syntax for type bytea");
   }
   return true;
}

static bool unknown_encoding (MtEval *ev, MtVal name)
{
   return mt_error (ev->err, MT_E_PARAMETER, "unrecognized encoding: \"%.*s\"", (int) name.len,
                    (const char *) name.p);
}

static bool is_format (MtVal v, const char *name)
{
   return mt_str_ieq (mt_v_text (v), mt_str (name));
}

static bool fn_encode (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuf b = {0};
   if (is_format (a[1], "hex"))
      for (uint32_t i = 0; i < a[0].len; i++)
         mt_buf_printf (&b, "%02x", a[0].p[i]);
   else if (is_format (a[1], "base64"))
      to_base64 (&b, a[0].p, a[0].len);
   else if (is_format (a[1], "escape"))
      to_escape (&b, a[0].p, a[0].len);
   else
      return unknown_encoding (ev, a[1]);
   *out = mt_text_result (ev, &b);
   return true;
}

static bool decode (MtEval *ev, MtVal format, MtStr text, MtBuf *out)
{
   if (is_format (format, "hex"))
      return from_hex (ev, out, text);
   if (is_format (format, "base64"))
      return from_base64 (ev, out, text);
   return is_format (format, "escape") ? from_escape (ev, out, text)
                                       : unknown_encoding (ev, format);
}

static bool fn_decode (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuf b = {0};
   bool ok = decode (ev, a[1], mt_v_text (a[0]), &b);
   *out = mt_text_result (ev, &b);
   out->type = MT_BINARY;
   out->sub = 0;
   return ok;
}

/* ---- unistr ---- */

static bool code_point (MtEval *ev, const char *p, size_t left, uint32_t *out, size_t *used)
{
   size_t prefix = left > 0 && strchr ("uU+", *p) ? 1 : 0, digits = 4;
   if (prefix && *p != 'u')
      digits = *p == 'U' ? 8 : 6;
   *out = 0;
   *used = prefix + digits;
   for (size_t i = prefix; i < *used; i++) {
      if (i >= left || hex_digit (p[i]) < 0) {
         mt_error (ev->err, MT_E_SYNTAX, "invalid Unicode escape");
         return mt_error_hint (
            ev->err, "Unicode escapes must be \\XXXX, \\+XXXXXX, \\uXXXX, or \\UXXXXXXXX.");
      }
      *out = *out << 4 | (uint32_t) hex_digit (p[i]);
   }
   return true;
}

static void add_utf8 (MtBuf *b, uint32_t c)
{
   char bytes[4];
   mt_buf_add (b, bytes, mt_utf8_put (bytes, c));
}

static bool fn_unistr (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const char *p = (const char *) a[0].p, *end = p + a[0].len;
   MtBuf b = {0};
   uint32_t high = 0, c;
   size_t used;
   while (p < end) {
      bool escape = *p == '\\' && !(p + 1 < end && p[1] == '\\');
      if (!escape) {
         if (high)
            break;
         mt_buf_addc (&b, *p);
         p += *p == '\\' ? 2 : 1;
         continue;
      }
      if (!code_point (ev, p + 1, (size_t) (end - p - 1), &c, &used))
         return mt_buf_free (&b), false;
      bool first = c >= 0xD800 && c < 0xDC00, second = c >= 0xDC00 && c < 0xE000;
      if (c == 0 || c > 0x10FFFF)
         return mt_buf_free (&b),
                mt_error (ev->err, MT_E_PARAMETER, "invalid Unicode code point: %04X", c);
      if (second != (high != 0))
         return mt_buf_free (&b), mt_error (ev->err, MT_E_SYNTAX, "invalid Unicode surrogate pair");
      if (!first)
         add_utf8 (&b, second ? 0x10000 + ((high & 0x3FF) << 10) + (c & 0x3FF) : c);
      high = first ? c : 0;
      p += 1 + used;
   }
   *out = mt_text_result (ev, &b);
   return !high || mt_error (ev->err, MT_E_SYNTAX, "invalid Unicode surrogate pair");
}

/* ---- counting NULLs ---- */

#define ANY (MT_F_NOT_STRICT | MT_F_NEVER_NULL | MT_F_VARIADIC)
#define COUNTED(op) \
   "{\"$size\": {\"$filter\": {\"input\": [\"$*\"], \"cond\": {\"" op "\": [\"$$this\", null]}}}}"

const MtFunc mt_fn_text_format[] = {
   MT_ROW ("format", "formatstr text -> text", 0, NULL, MT_OPN ("format", format, 0),
           "template with arguments inserted: %s, %I, %L", "SELECT format('100%%') => 100%"),
   MT_ROW ("format", "formatstr text, any -> text",
           MT_F_ANY_OUTPUT | MT_F_NOT_STRICT | MT_F_VARIADIC, NULL,
           MT_OPN ("format_any", format, 0), "template with arguments inserted: %s, %I, %L",
           "SELECT format('Hello %s, %1$s', 'World') => Hello World, World"),
   MT_ROW ("quote_ident", "text -> text", MT_NN, NULL, MT_OPN ("quote_ident", quote_ident, 0),
           "text quoted as an SQL identifier if needed",
           "SELECT quote_ident('Foo bar') => \"Foo bar\""),
   MT_ROW ("quote_literal", "any -> text", MT_NN | MT_F_ANY_CAST, NULL,
           MT_OPN ("quote_literal", quote_literal, 0), "text quoted as an SQL string literal",
           "SELECT quote_literal('O''Reilly') => 'O''Reilly'"),
   MT_ROW ("encode", "bytea, format text -> text", MT_NN, NULL, MT_OPN ("encode", encode, 0),
           "bytes as text, in hex, base64 or escape format",
           "SELECT encode('123'::bytea, 'base64') => MTIz"),
   MT_ROW ("decode", "text, format text -> bytea", MT_NN, NULL, MT_OPN ("decode", decode, 0),
           "text as bytes: hex, base64 or escape", "SELECT decode('MTIz', 'base64') => \\x313233"),
   MT_ROW ("unistr", "text -> text", MT_NN, NULL, MT_OPN ("unistr", unistr, 0),
           "replaces Unicode escapes by their characters",
           "SELECT unistr('d\\0061t\\+000061') => data"),
   MT_ROW ("num_nulls", "any -> int4", ANY, COUNTED ("$lte"), NULL,
           "number of arguments that are NULL", "SELECT num_nulls(1, NULL, 'x') => 1"),
   MT_ROW ("num_nonnulls", "any -> int4", ANY, COUNTED ("$gt"), NULL,
           "number of arguments that are not NULL", "SELECT num_nonnulls(1, NULL, 'x') => 2"),
   {.name = NULL},
};
