/* Finds where tokens begin and end, by the rules of PostgreSQL's scan.l. */
#include "parser/lexer_int.h"

#include <string.h>

typedef struct Cursor {
   const char *t;
   uint32_t len;
} Cursor;

static int at (Cursor c, uint32_t i) { return i < c.len ? (unsigned char) c.t[i] : -1; }
static bool is_space (int c)
{
   return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}
static bool is_digit (int c) { return c >= '0' && c <= '9'; }
static bool is_start (int c)
{
   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}
static bool is_cont (int c) { return is_start (c) || is_digit (c) || c == '$'; }
static bool is_op (int c) { return c > 0 && strchr ("~!@#^&|`?+-*/%<>=", c) != NULL; }

static uint32_t skip_line (Cursor c, uint32_t i)
{
   while (i < c.len && c.t[i] != '\n' && c.t[i] != '\r')
      i++;
   return i;
}

/* Returns the offset after the comment that begins at i; 0 if the comment is not closed. Comments
 * can be nested. */
static uint32_t skip_comment (Cursor c, uint32_t i)
{
   uint32_t depth = 0;
   while (i < c.len) {
      if (at (c, i) == '/' && at (c, i + 1) == '*') {
         depth++;
         i += 2;
      } else if (at (c, i) == '*' && at (c, i + 1) == '/') {
         i += 2;
         if (--depth == 0)
            return i;
      } else {
         i++;
      }
   }
   return 0;
}

/* Returns the offset of the next opening quote, if the string literal that ended before i continues
 * on another line ('a'\n'b'); else 0. Only white space with a newline, and line comments, may be
 * between the two parts. */
static uint32_t continued (Cursor c, uint32_t i)
{
   bool newline = false;
   for (;;) {
      if (is_space (at (c, i))) {
         if (at (c, i) == '\n' || at (c, i) == '\r')
            newline = true;
         i++;
      } else if (at (c, i) == '-' && at (c, i + 1) == '-') {
         i = skip_line (c, i);
      } else {
         return newline && at (c, i) == '\'' ? i : 0;
      }
   }
}

/* Reads a quoted token. Its first quote is at the offset start + prefix. */
static MtRawToken quoted (Cursor c, uint32_t start, uint32_t prefix, MtRawKind kind)
{
   MtRawToken r = {kind, true, start, c.len, prefix + 1};
   char q = c.t[start + prefix];
   uint32_t i = start + prefix + 1;
   while (i < c.len) {
      if (kind == MT_RAW_ESTRING && c.t[i] == '\\') {
         i += 2;
      } else if (c.t[i] != q) {
         i++;
      } else if (at (c, i + 1) == q) {
         i += 2;
      } else {
         uint32_t next = q == '\'' ? continued (c, i + 1) : 0;
         if (!next) {
            r.end = i + 1;
            r.open = false;
            return r;
         }
         i = next + 1;
      }
   }
   return r;
}

/* Returns the length of the $tag$ that begins at i; 0 if there is none. */
static uint32_t dollar_tag (Cursor c, uint32_t i)
{
   uint32_t j = i + 1;
   if (is_start (at (c, j)))
      while (is_start (at (c, j)) || is_digit (at (c, j)))
         j++;
   return at (c, j) == '$' ? j + 1 - i : 0;
}

static MtRawToken dollar (Cursor c, uint32_t start, uint32_t tag)
{
   MtRawToken r = {MT_RAW_DOLLAR, true, start, c.len, tag};
   for (uint32_t i = start + tag; i + tag <= c.len; i++) {
      const char *p = memchr (c.t + i, '$', c.len - i);
      if (!p)
         return r;
      i = (uint32_t) (p - c.t);
      if (i + tag <= c.len && memcmp (p, c.t + start, tag) == 0) {
         r.end = i + tag;
         r.open = false;
         return r;
      }
   }
   return r;
}

/* If letters directly follow the number or parameter r, changes it to an invalid token with the
 * first of these letters, which the error message shows. */
static MtRawToken junk (Cursor c, MtRawToken r)
{
   if (!is_start (at (c, r.end)))
      return r;
   r.kind = MT_RAW_JUNK;
   r.end++;
   while (at (c, r.end) >= 0x80 && at (c, r.end) < 0xC0)
      r.end++;
   return r;
}

static MtRawToken number (Cursor c, uint32_t start)
{
   MtRawToken r = {MT_RAW_INTEGER, false, start, start, 0};
   uint32_t i = start;
   while (is_digit (at (c, i)))
      i++;
   if (at (c, i) == '.' && !(i > start && at (c, i + 1) == '.')) {
      r.kind = MT_RAW_DECIMAL;
      for (i++; is_digit (at (c, i)); i++)
         continue;
   }
   if ((at (c, i) | 0x20) == 'e') {
      uint32_t j = i + 1;
      bool sign = at (c, j) == '+' || at (c, j) == '-';
      if (sign)
         j++;
      if (is_digit (at (c, j))) {
         r.kind = MT_RAW_DECIMAL;
         for (i = j; is_digit (at (c, i)); i++)
            continue;
      } else if (sign) {
         return (MtRawToken) {MT_RAW_JUNK, false, start, j, 0};
      }
   }
   r.end = i;
   return junk (c, r);
}

/* Reads an operator. It ends before a comment. Trailing + and - are not part of it, unless it
 * contains a character that no operator of the SQL standard has. */
static MtRawToken operator_run (Cursor c, uint32_t start)
{
   uint32_t i = start;
   bool special = false;
   for (; is_op (at (c, i)); i++) {
      if (i > start && ((at (c, i) == '/' && at (c, i + 1) == '*') ||
                        (at (c, i) == '-' && at (c, i + 1) == '-')))
         break;
      if (strchr ("~!@#^&|`?%", c.t[i]))
         special = true;
   }
   if (!special)
      while (i > start + 1 && (c.t[i - 1] == '+' || c.t[i - 1] == '-'))
         i--;
   return (MtRawToken) {MT_RAW_OPERATOR, false, start, i, 0};
}

static MtRawToken word (Cursor c, uint32_t i)
{
   int first = at (c, i) | 0x20, second = at (c, i + 1);
   if (second == '\'') {
      if (first == 'e')
         return quoted (c, i, 1, MT_RAW_ESTRING);
      if (first == 'n')
         return quoted (c, i, 1, MT_RAW_STRING);
      if (first == 'b' || first == 'x')
         return quoted (c, i, 1, MT_RAW_BITS);
   }
   if (first == 'u' && second == '&' && (at (c, i + 2) == '\'' || at (c, i + 2) == '"'))
      return quoted (c, i, 2, MT_RAW_UNICODE);
   uint32_t j = i + 1;
   while (is_cont (at (c, j)))
      j++;
   return (MtRawToken) {MT_RAW_IDENT, false, i, j, 0};
}

static MtRawToken dollar_or_param (Cursor c, uint32_t i)
{
   if (is_digit (at (c, i + 1))) {
      MtRawToken r = {MT_RAW_PARAM, false, i, i + 1, 0};
      while (is_digit (at (c, r.end)))
         r.end++;
      return junk (c, r);
   }
   uint32_t tag = dollar_tag (c, i);
   if (tag)
      return dollar (c, i, tag);
   return (MtRawToken) {MT_RAW_PUNCT, false, i, i + 1, 0};
}

/* Moves *i to the end of white space and comments. Returns false if a comment is not closed; *i is
 * then its start. */
static bool skip_blank (Cursor c, uint32_t *i)
{
   for (;;) {
      if (is_space (at (c, *i))) {
         ++*i;
      } else if (at (c, *i) == '-' && at (c, *i + 1) == '-') {
         *i = skip_line (c, *i);
      } else if (at (c, *i) == '/' && at (c, *i + 1) == '*') {
         uint32_t end = skip_comment (c, *i);
         if (!end)
            return false;
         *i = end;
      } else {
         return true;
      }
   }
}

MtRawToken mt_lex_raw (const char *text, size_t len, size_t pos)
{
   Cursor c = {text, (uint32_t) len};
   uint32_t i = (uint32_t) pos;
   if (!skip_blank (c, &i))
      return (MtRawToken) {MT_RAW_COMMENT, true, i, c.len, 0};
   int ch = at (c, i), next = at (c, i + 1);
   if (ch < 0)
      return (MtRawToken) {MT_RAW_END, false, c.len, c.len, 0};
   if (is_start (ch))
      return word (c, i);
   if (is_digit (ch) || (ch == '.' && is_digit (next)))
      return number (c, i);
   if (ch == '\'')
      return quoted (c, i, 0, MT_RAW_STRING);
   if (ch == '"')
      return quoted (c, i, 0, MT_RAW_QUOTED);
   if (ch == '$')
      return dollar_or_param (c, i);
   if (is_op (ch))
      return operator_run (c, i);
   bool two = (ch == ':' && (next == ':' || next == '=')) || (ch == '.' && next == '.');
   return (MtRawToken) {MT_RAW_PUNCT, false, i, i + (two ? 2 : 1), 0};
}
