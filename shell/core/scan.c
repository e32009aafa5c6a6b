#include "shell/core/input.h"
#include "shell/core/scan.h"

#include "mtsql.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { MAX_REPLACEMENTS = 10000 }; /* in a line; a variable that contains itself would never end */

static bool word (char c)
{
   return isalnum ((unsigned char) c) || c == '_' || (unsigned char) c >= 0x80;
}

/* ---- variables ---- */

static void quoted (MtBuf *out, const char *s, char q)
{
   /* as in libpq, the literal is E'…' if the value has a backslash */
   bool escape = q == '\'' && strchr (s, '\\');
   if (escape)
      mt_buf_adds (out, " E");
   mt_buf_addc (out, q);
   for (; *s; s++) {
      if (*s == q || (escape && *s == '\\'))
         mt_buf_addc (out, *s);
      mt_buf_addc (out, *s);
   }
   mt_buf_addc (out, q);
}

static void put_instead (MtBuf *line, size_t pos, size_t n, const char *with, size_t with_n)
{
   MtBuf b = {0};
   mt_buf_add (&b, line->p, pos);
   mt_buf_add (&b, with, with_n);
   mt_buf_add (&b, line->p + pos + n, line->n - pos - n);
   mt_buf_free (line);
   *line = b;
}

/* If p begins with a reference to a variable that is set (:name), sets *len to its length, and
 * appends the text that replaces it to `text`. Returns false otherwise. */
static bool reference (const MtVars *vars, const char *p, size_t n, size_t *len, MtBuf *text)
{
   char q = n > 1 && (p[1] == '\'' || p[1] == '"') ? p[1] : 0;
   bool ask = n > 3 && p[1] == '{' && p[2] == '?';
   size_t start = ask ? 3 : 1 + (q != 0), i = start;
   while (i < n && word (p[i]))
      i++;
   if (i == start || ((q || ask) && (i == n || p[i] != (ask ? '}' : q))))
      return false;
   const char *value = mt_var_get_n (vars, p + start, i - start);
   *len = i + (q || ask);
   if (ask)
      mt_buf_adds (text, value ? "TRUE" : "FALSE");
   else if (value && q)
      quoted (text, value, q);
   else if (value)
      mt_buf_adds (text, value);
   return ask || value;
}

bool mt_scan_variable (const MtVars *vars, MtBuf *line, size_t pos, size_t *replaced_n)
{
   MtBuf text = {0};
   size_t len;
   bool found = reference (vars, line->p + pos, line->n - pos, &len, &text);
   if (found) {
      put_instead (line, pos, len, text.n ? text.p : "", text.n);
      *replaced_n = text.n;
   }
   mt_buf_free (&text);
   return found;
}

/* ---- quotes and comments ---- */

/* Scans within a quote or comment. Returns the number of bytes up to its end, or to the end of the
 * line. */
static size_t inside (MtTextScan *s, const char *p, size_t n)
{
   size_t i = 0;
   while (i < n) {
      if (s->quote == '*') {
         if (n - i > 1 && p[i] == '*' && p[i + 1] == '/') {
            i += 2;
            if (--s->comments == 0) {
               s->quote = 0;
               return i;
            }
         } else if (n - i > 1 && p[i] == '/' && p[i + 1] == '*') {
            i += 2;
            s->comments++;
         } else {
            i++;
         }
      } else if (s->quote == '$') {
         size_t t = strlen (s->tag);
         if (n - i >= t && memcmp (p + i, s->tag, t) == 0) {
            s->quote = 0;
            return i + t;
         }
         i++;
      } else if (s->quote == 'e' && p[i] == '\\' && i + 1 < n) {
         i += 2;
      } else {
         char q = s->quote == 'e' ? '\'' : s->quote;
         bool doubled = p[i] == q && i + 1 < n && p[i + 1] == q;
         if (p[i] == q && !doubled) {
            s->quote = 0;
            return i + 1;
         }
         i += doubled ? 2 : 1;
      }
   }
   return n;
}

static bool after_word (const MtBuf *q) { return q->n && word (q->p[q->n - 1]); }

static bool after_lone_e (const MtBuf *q)
{
   return q->n && (q->p[q->n - 1] | 0x20) == 'e' && (q->n < 2 || !word (q->p[q->n - 2]));
}

/* If p begins with the opening tag of a dollar quote, returns its length with both dollars; else
 * 0. */
static size_t dollar (const char *p, size_t n)
{
   size_t i = 1;
   if (n < 2 || isdigit ((unsigned char) p[1]))
      return 0;
   while (i < n && word (p[i]))
      i++;
   return i < n && p[i] == '$' && i + 1 < sizeof ((MtTextScan *) 0)->tag ? i + 1 : 0;
}

/* If a quote or comment begins at p, sets s->quote, and returns the length of its opening: 2
 * for a comment in C's form, for example. Otherwise it returns 0. */
static size_t opening (MtTextScan *s, const char *p, size_t n, const MtBuf *query)
{
   size_t len;
   if (*p == '\'') {
      s->quote = after_lone_e (query) ? 'e' : '\'';
      return 1;
   }
   if (*p == '"') {
      s->quote = '"';
      return 1;
   }
   if (*p == '$' && !after_word (query) && (len = dollar (p, n))) {
      memcpy (s->tag, p, len);
      s->tag[len] = 0;
      s->quote = '$';
      return len;
   }
   if (n > 1 && p[0] == '/' && p[1] == '*') {
      s->quote = '*';
      s->comments = 1;
      return 2;
   }
   if (n > 1 && p[0] == '-' && p[1] == '-') {
      const char *end = memchr (p, '\n', n);
      return end ? (size_t) (end - p) : n;
   }
   return 0;
}

/* Returns whether the query is a CREATE FUNCTION whose body BEGIN ATOMIC … END is not complete
 * yet. */
static bool within_body (const MtBuf *query)
{
   size_t stop;
   MtInputState state;
   return query->n > 6 && strncasecmp (query->p, "create", 6) == 0 &&
          !mt_input_complete (query->p, query->n, &stop, &state);
}

/* Handles one character outside of quotes and comments. Returns true if the scan ends after it, for
 * the reason *end. */
static bool outside (MtTextScan *s, char c, MtBuf *query, MtScanEnd *end)
{
   if (c == '\\') {
      *end = MT_SCAN_BACKSLASH;
      return true;
   }
   if (c == ';' && s->parens <= 0) {
      mt_buf_addc (query, c);
      if (within_body (query))
         return false;
      s->parens = 0;
      *end = MT_SCAN_SEMICOLON;
      return true;
   }
   if (c == '(')
      s->parens++;
   else if (c == ')' && s->parens > 0)
      s->parens--;
   if (query->n || !isspace ((unsigned char) c))
      mt_buf_addc (query, c);
   return false;
}

MtScanEnd mt_scan_line (MtTextScan *s, const MtVars *vars, MtBuf *line, size_t *pos, MtBuf *query)
{
   MtScanEnd end;
   int replacements = 0;
   while (*pos < line->n) {
      const char *p = line->p + *pos;
      size_t n = line->n - *pos, replaced,
             len = s->quote ? inside (s, p, n) : opening (s, p, n, query);
      if (len) {
         /* A comment before a statement is dropped, so that LINE 1 in messages is the statement's
          * first line. */
         if (query->n || p[0] != '-' || s->quote)
            mt_buf_add (query, p, len);
         *pos += len;
         continue;
      }
      if (*p == ':' && n > 1 && (p[1] == ':' || p[1] == '=')) { /* a cast, an assignment */
         mt_buf_add (query, p, 2);
         *pos += 2;
         continue;
      }
      if (*p == ':' && replacements++ < MAX_REPLACEMENTS &&
          mt_scan_variable (vars, line, *pos, &replaced)) {
         /* quoted values, and TRUE or FALSE, are not scanned for variables again; the value of
          * :name is */
         continue;
      }
      ++*pos;
      if (outside (s, *p, query, &end))
         return end;
   }
   return MT_SCAN_LINE_ENDED;
}

char mt_scan_prompt (const MtTextScan *s, const MtBuf *query)
{
   if (s->quote)
      return s->quote == 'e' ? '\'' : s->quote;
   if (s->parens > 0)
      return '(';
   return query->n ? '-' : '=';
}

/* ---- words of a statement ---- */

/* Returns the offset after the blanks and comments that begin at offset i. */
static size_t behind_spaces (const char *sql, size_t n, size_t i)
{
   for (;;) {
      const char *end;
      if (i < n && isspace ((unsigned char) sql[i])) {
         i++;
      } else if (i + 1 < n && memcmp (sql + i, "--", 2) == 0) {
         end = memchr (sql + i, '\n', n - i);
         i = end ? (size_t) (end - sql) : n;
      } else if (i + 1 < n && memcmp (sql + i, "/*", 2) == 0) {
         end = memmem (sql + i + 2, n - i - 2, "*/", 2);
         i = end ? (size_t) (end - sql) + 2 : n;
      } else {
         return i;
      }
   }
}

bool mt_scan_piece (const char *sql, size_t n, size_t *at, MtStr *out)
{
   size_t i = behind_spaces (sql, n, *at);
   size_t start = i;
   if (i < n && (sql[i] == '\'' || sql[i] == '"')) {
      const char *end = memchr (sql + i + 1, sql[i], n - i - 1);
      i = end ? (size_t) (end - sql) + 1 : n;
   } else if (i < n && (isalnum ((unsigned char) sql[i]) || sql[i] == '_')) {
      while (i < n && (isalnum ((unsigned char) sql[i]) || sql[i] == '_'))
         i++;
   } else if (i < n)
      i++;
   *at = i;
   *out = (MtStr) {sql + start, i - start};
   return i > start;
}

size_t mt_scan_first_word (const char *sql, size_t n, const char **word)
{
   size_t start = behind_spaces (sql, n, 0), end = start;
   while (end < n && isalpha ((unsigned char) sql[end]))
      end++;
   *word = sql + start;
   return end - start;
}
