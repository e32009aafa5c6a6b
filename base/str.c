#include "base/str.h"
#include "base/limits.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEAREST_MAX_BYTES 255 /* names longer than this aren't offered */

MtStr mt_str (const char *s) { return (MtStr) {s, s ? strlen (s) : 0}; }

bool mt_str_eq (MtStr a, MtStr b)
{
   return a.n == b.n && (a.n == 0 || memcmp (a.p, b.p, a.n) == 0);
}

static unsigned char lower (char c) { return (unsigned char) (c >= 'A' && c <= 'Z' ? c + 32 : c); }

bool mt_str_ieq (MtStr a, MtStr b)
{
   if (a.n != b.n)
      return false;
   for (size_t i = 0; i < a.n; i++)
      if (lower (a.p[i]) != lower (b.p[i]))
         return false;
   return true;
}

/* mt_str_is and mt_str_is_nocase stop at the first difference, because the program compares many
 * names when it starts. `a` may contain a NUL; the end of `s` is then a difference. */

bool mt_str_is (MtStr a, const char *s)
{
   for (size_t i = 0; i < a.n; i++)
      if (!s[i] || a.p[i] != s[i])
         return false;
   return s[a.n] == 0;
}

bool mt_str_is_nocase (MtStr a, const char *s)
{
   for (size_t i = 0; i < a.n; i++)
      if (!s[i] || lower (a.p[i]) != lower (s[i]))
         return false;
   return s[a.n] == 0;
}

static bool is_one_of (char c, const char *list) { return c && strchr (list, c); }

MtStr mt_str_trim (MtStr s, const char *blanks)
{
   for (; s.n && is_one_of (*s.p, blanks); s.n--)
      s.p++;
   while (s.n && is_one_of (s.p[s.n - 1], blanks))
      s.n--;
   return s;
}
bool mt_ieq (const char *a, const char *b) { return mt_str_ieq (mt_str (a), mt_str (b)); }
bool mt_same (const char *a, const char *b) { return a && b ? strcmp (a, b) == 0 : a == b; }

#define SLACK_BYTES \
   16 /* behind the capacity: what was begun can be completed, though there was no room for what \
         follows */

bool mt_buf_grow (MtBuf *b, size_t more)
{
   size_t need, cap = b->cap;
   if (__builtin_add_overflow (b->n, more, &need))
      need = SIZE_MAX;
   char *p = NULL;
   if (mt_value_fits (need)) {
      cap = mt_room ("text", cap, need + 1, 64, 1, sizeof cap);
      cap = cap > MT_MAX_VALUE_BYTES ? (size_t) MT_MAX_VALUE_BYTES + 1 : cap;
      p = mt_try_realloc ("text", b->p, cap + SLACK_BYTES);
   }
   if (p || !b->p) {
      b->p = p ? p : mt_calloc ("text", 1, SLACK_BYTES + 1);
      b->cap = p ? cap : 1;
   }
   return p != NULL;
}

bool mt_buf_add (MtBuf *b, const void *p, size_t n)
{
   if (!mt_buf_reserve (b, n))
      return false;
   if (n)
      memcpy (b->p + b->n, p, n);
   b->n += n;
   b->p[b->n] = 0;
   return true;
}

void mt_buf_fill (MtBuf *b, char c, size_t n)
{
   if (!mt_buf_reserve (b, n))
      return;
   memset (b->p + b->n, c, n);
   b->n += n;
   b->p[b->n] = 0;
}

void mt_buf_adds (MtBuf *b, const char *s) { mt_buf_add (b, s, strlen (s)); }

void mt_buf_quoted (MtBuf *b, char quote, MtStr text)
{
   mt_buf_addc (b, quote);
   for (size_t i = 0; i < text.n; i++) {
      if (text.p[i] == quote)
         mt_buf_addc (b, quote);
      mt_buf_addc (b, text.p[i]);
   }
   mt_buf_addc (b, quote);
}

void mt_buf_vprintf (MtBuf *b, const char *fmt, va_list ap)
{
   va_list again;
   if (!mt_buf_reserve (b, 63))
      return;
   va_copy (again, ap);
   int n = vsnprintf (b->p + b->n, b->cap - b->n, fmt, again);
   va_end (again);
   if (n >= 0 && (size_t) n >= b->cap - b->n) { /* too long for b, but now the length is known */
      n = mt_buf_reserve (b, (size_t) n) ? n : -1;
      if (n >= 0)
         vsnprintf (b->p + b->n, (size_t) n + 1, fmt, ap);
   }
   b->n += n < 0 ? 0 : (size_t) n;
   b->p[b->n] = 0;
}

void mt_buf_markup (MtBuf *b, MtStr text)
{
   for (size_t i = 0; i < text.n; i++) {
      unsigned char c = (unsigned char) text.p[i];
      if (strchr ("<>&\"'", c) && c)
         mt_buf_printf (b, "&#%d;", c);
      else if ((c >= ' ' && c != 0x7F) || c == '\n' || c == '\t')
         mt_buf_addc (b, (char) c);
   }
}

void mt_buf_digits (MtBuf *b, uint64_t n, int width)
{
   char text[20]; /* enough for all digits of 64 bits */
   size_t at = sizeof text;
   for (; width > (int) sizeof text; width--)
      mt_buf_addc (b, '0');
   for (; width > 0 || n > 0; width--, n /= 10)
      text[--at] = (char) ('0' + n % 10);
   mt_buf_add (b, text + at, sizeof text - at);
}

void mt_buf_printf (MtBuf *b, const char *fmt, ...)
{
   va_list ap;
   va_start (ap, fmt);
   mt_buf_vprintf (b, fmt, ap);
   va_end (ap);
}

void mt_buf_clear (MtBuf *b)
{
   b->n = 0;
   if (b->p)
      b->p[0] = 0;
}

void mt_buf_free (MtBuf *b)
{
   free (b->p);
   *b = (MtBuf) {0};
}

/* Returns the length of the valid UTF-8 sequence at s; 0 if it is invalid. */
static size_t sequence (const unsigned char *s, size_t n)
{
   unsigned char c = s[0];
   if (c < 0x80)
      return 1;
   if (c < 0xC2 || c > 0xF4)
      return 0;
   size_t len = 2 + (c >= 0xE0) + (c >= 0xF0);
   if (n < len)
      return 0;
   for (size_t i = 1; i < len; i++)
      if ((s[i] & 0xC0) != 0x80)
         return 0;
   if ((c == 0xE0 && s[1] < 0xA0) || (c == 0xED && s[1] > 0x9F) || (c == 0xF0 && s[1] < 0x90) ||
       (c == 0xF4 && s[1] > 0x8F))
      return 0;
   return len;
}

static uint64_t eight_bytes (const unsigned char *p)
{
   uint64_t v;
   memcpy (&v, p, sizeof v);
   return v;
}

/* Returns whether a text is ASCII. Most texts are, and this test is faster than checking UTF-8. */
static bool is_ascii (const unsigned char *s, size_t n)
{
   uint64_t all = 0;
   if (n >= 8) {
      for (size_t i = 0; i + 8 < n; i += 8)
         all |= eight_bytes (s + i);
      all |= eight_bytes (s + n - 8); /* the last 8 bytes, some perhaps for the second time */
   } else if (n >= 4) {
      uint32_t first, last;
      memcpy (&first, s, sizeof first);
      memcpy (&last, s + n - sizeof last, sizeof last);
      all = first | last;
   } else if (n)
      all = s[0] | s[n / 2] | s[n - 1];
   return !(all & 0x8080808080808080);
}

bool mt_utf8_valid (const char *p, size_t n)
{
   const unsigned char *s = (const unsigned char *) p;
   if (is_ascii (s, n))
      return true;
   for (size_t i = 0; i < n;) {
      size_t len = sequence (s + i, n - i);
      if (!len)
         return false;
      i += len;
   }
   return true;
}

size_t mt_utf8_put (char *out, uint32_t cp)
{
   if (cp < 0x80) {
      out[0] = (char) cp;
      return 1;
   }
   size_t n = 2 + (cp >= 0x800) + (cp >= 0x10000);
   static const uint32_t heads[] = {0, 0, 0xC0, 0xE0, 0xF0};
   out[0] = (char) (heads[n] | cp >> 6 * (n - 1));
   for (size_t i = 1; i < n; i++)
      out[i] = (char) (0x80 | (cp >> 6 * (n - 1 - i) & 0x3F));
   return n;
}

int mt_hex_digit (char c)
{
   if (c >= '0' && c <= '9')
      return c - '0';
   if (c >= 'a' && c <= 'f')
      return c - 'a' + 10;
   return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

size_t mt_utf8_length (const char *p, size_t n)
{
   size_t count = 0;
   for (size_t i = 0; i < n; i++)
      count += ((unsigned char) p[i] & 0xC0) != 0x80;
   return count;
}

static int min2 (int a, int b) { return a < b ? a : b; }

static int min3 (int a, int b, int c) { return min2 (min2 (a, b), c); }

/* Returns the Damerau-Levenshtein distance of two names: the number of inserted, deleted, replaced
 * and swapped adjacent letters. Stores only three rows of the table: i-2, i-1 and i. */
static int distance (const char *a, int n, const char *b, int m)
{
   int rows[3][NEAREST_MAX_BYTES + 1];
   int *before = rows[0], *last = rows[1], *now = rows[2];
   for (int j = 0; j <= m; j++)
      last[j] = j;
   for (int i = 1; i <= n; i++) {
      now[0] = i;
      for (int j = 1; j <= m; j++) {
         unsigned char ca = lower (a[i - 1]), cb = lower (b[j - 1]);
         now[j] = min3 (last[j] + 1, now[j - 1] + 1, last[j - 1] + (ca != cb));
         if (i > 1 && j > 1 && ca == lower (b[j - 2]) && lower (a[i - 2]) == cb &&
             before[j - 2] + 1 < now[j])
            now[j] = before[j - 2] + 1;
      }
      int *t = before;
      before = last;
      last = now;
      now = t;
   }
   return last[m];
}

/* Returns whether a name of length m is a likelier correction than one of length `found` at the
 * same distance. n: the length of the mistyped name. People swap letters most often, then omit one,
 * then add one. */
static bool is_likelier (size_t n, size_t m, size_t found)
{
   size_t a = m > n ? m - n : n - m, b = found > n ? found - n : n - found;
   return a < b || (a == b && m > found);
}

void mt_near_try (MtNear *near, const char *other)
{
   size_t n = strlen (near->name), m = strlen (other);
   int limit = near->found ? near->distance : 2 + (int) n / 4;
   if (n == 0 || n > NEAREST_MAX_BYTES || m > NEAREST_MAX_BYTES ||
       (m > n ? m - n : n - m) > (size_t) limit)
      return;
   int d = distance (near->name, (int) n, other, (int) m);
   if (d < (int) (n > m ? n : m) &&
       (d < limit || (near->found && d == limit && is_likelier (n, m, strlen (near->found))))) {
      near->distance = d;
      near->found = other;
   }
}

const char *mt_nearest (const char *name, const char *const *names, size_t count)
{
   MtNear near = {.name = name};
   for (size_t i = 0; i < count && names[i]; i++)
      mt_near_try (&near, names[i]);
   return near.found;
}

const char *mt_nearest_of_rows (const char *name, const char *const *first, size_t stride)
{
   MtNear near = {.name = name};
   const char *at = (const char *) first, *one;
   for (; (one = *(const char *const *) at); at += stride)
      mt_near_try (&near, one);
   return near.found;
}
