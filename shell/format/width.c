#include "shell/format/width.h"

#include "base/shown.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

enum { ZWJ = 0x200D, TAB_STOP = 8 };

static int cp_width (int32_t cp)
{
   if (mt_is_hidden (cp))
      return -1;
   if (cp == 0xAD) /* glibc and psql count a soft hyphen as one column */
      return 1;
   if (cp >= 0x1160 &&
       cp <= 0x11FF) /* vowels and finals of decomposed Hangul join their syllable */
      return 0;
   return utf8proc_charwidth (cp);
}

size_t mt_text_step (const char *p, size_t n, uint32_t *cp, int *width)
{
   utf8proc_int32_t c;
   utf8proc_ssize_t len = utf8proc_iterate ((const utf8proc_uint8_t *) p, (utf8proc_ssize_t) n, &c);
   if (len <= 0) {
      if (cp)
         *cp = 0xFFFD;
      *width = 1;
      return 1;
   }
   if (cp)
      *cp = (uint32_t) c;
   *width = cp_width (c);
   return (size_t) len;
}

/* How one code point is displayed. */
typedef struct Shown {
   char text[16];
   size_t n; /* the length of `text`; 0: the code point shows itself */
   int width;
} Shown;

/* Sets *out to how the code point at p is displayed, and returns its number of bytes. column: where
 * it is displayed. *joined: a zero-width joiner comes before it; is set for the next code point. */
static size_t show (const char *p, size_t n, int column, bool *joined, Shown *out)
{
   uint32_t cp;
   size_t len = mt_text_step (p, n, &cp, &out->width);
   out->n = 0;
   if (cp == '\t') {
      out->n = (size_t) (TAB_STOP - column % TAB_STOP);
      memset (out->text, ' ', out->n);
   } else if (cp == '\r') {
      memcpy (out->text, "\\r", 2);
      out->n = 2;
   } else if (out->width < 0) {
      out->n = (size_t) snprintf (out->text, sizeof out->text, len == 1 ? "\\x%02X" : "\\u%04X",
                                  cp);
   }
   if (out->n)
      out->width = (int) out->n;
   else if (*joined)
      out->width = 0;
   *joined = cp == ZWJ;
   return len;
}

size_t mt_text_add_visible (MtBuf *out, const char *p, size_t n, int *width)
{
   uint32_t cp;
   size_t len = mt_text_step (p, n, &cp, width);
   if (*width >= 0 || cp == '\t' || cp == '\n') {
      mt_buf_add (out, p, len);
      if (*width < 0)
         *width = 1;
      return len;
   }
   char shown[16];
   *width = cp == '\r' ? snprintf (shown, sizeof shown, "\\r")
                       : snprintf (shown, sizeof shown, len == 1 ? "\\x%02X" : "\\u%04X", cp);
   mt_buf_adds (out, shown);
   return len;
}

int mt_text_add_all_visible (MtBuf *out, const char *p, size_t n)
{
   int width = 0, w;
   for (size_t i = 0; i < n; width += w)
      i += mt_text_add_visible (out, p + i, n - i, &w);
   return width;
}

/* Returns whether all bytes are printable ASCII. Tests eight bytes at once: each other byte sets a
 * high bit. */
static bool plain (MtStr s)
{
   const uint64_t high = 0x8080808080808080u;
   size_t i = 0;
   for (uint64_t x; i + sizeof x <= s.n; i += sizeof x) {
      memcpy (&x, s.p + i, sizeof x);
      if ((x | (x - 0x2020202020202020u) | (x + 0x0101010101010101u)) & high)
         return false;
   }
   for (; i < s.n; i++)
      if ((unsigned char) s.p[i] < 0x20 || (unsigned char) s.p[i] >= 0x7F)
         return false;
   return true;
}

void mt_text_size (MtStr s, int *width, int *lines)
{
   if (plain (s)) {
      *width = (int) s.n;
      *lines = 1;
      return;
   }
   int column = 0;
   bool joined = false;
   Shown shown;
   *width = 0;
   *lines = 1;
   for (size_t i = 0; i < s.n;) {
      unsigned char c = (unsigned char) s.p[i];
      if (c >= 0x20 && c < 0x7F && !joined) {
         column++;
         i++;
      } else if (c == '\n') {
         if (column > *width)
            *width = column;
         column = 0;
         joined = false;
         ++*lines;
         i++;
      } else {
         i += show (s.p + i, s.n - i, column, &joined, &shown);
         column += shown.width;
      }
   }
   if (column > *width)
      *width = column;
}

size_t mt_text_lines (MtArena *a, MtStr s, MtLine **out)
{
   int width, count;
   if (plain (s)) {
      *out = MT_NEW (a, MtLine);
      **out = (MtLine) {s.p ? s.p : "", s.n, (int) s.n};
      return 1;
   }
   mt_text_size (s, &width, &count);
   MtLine *lines = MT_NEW_N (a, MtLine, (size_t) count);
   *out = lines;
   MtBuf buf = {0};
   size_t k = 0, start = 0;
   int column = 0;
   bool joined = false;
   for (size_t i = 0; i <= s.n;) {
      if (i == s.n || s.p[i] == '\n') {
         lines[k++] = (MtLine) {(const char *) start, buf.n - start, column};
         start = buf.n;
         column = 0;
         joined = false;
         i++;
         continue;
      }
      Shown shown;
      size_t len = show (s.p + i, s.n - i, column, &joined, &shown);
      mt_buf_add (&buf, shown.n ? shown.text : s.p + i, shown.n ? shown.n : len);
      column += shown.width;
      i += len;
   }
   char *text = mt_strndup (a, buf.n ? buf.p : "", buf.n);
   mt_buf_free (&buf);
   for (size_t i = 0; i < k; i++)
      lines[i].p = text + (size_t) lines[i].p;
   return k;
}

size_t mt_text_fit (const char *p, size_t n, int *columns)
{
   size_t i = 0;
   int used = 0;
   bool joined = false;
   while (i < n) {
      uint32_t cp;
      int w;
      size_t len = mt_text_step (p + i, n - i, &cp, &w);
      if (w < 0 || joined)
         w = 0;
      if (i > 0 && used + w > *columns)
         break;
      joined = cp == ZWJ;
      used += w;
      i += len;
   }
   *columns = used;
   return i;
}

int mt_text_width (const char *p, size_t n)
{
   int columns = 0x7FFFFFFF;
   mt_text_fit (p, n, &columns);
   return columns;
}

size_t mt_text_color (const char *p, size_t n)
{
   size_t i = 2;
   if (n < 3 || p[0] != '\033' || p[1] != '[')
      return 0;
   while (i < n && (isdigit ((unsigned char) p[i]) || p[i] == ';'))
      i++;
   return i < n && p[i] == 'm' ? i + 1 : 0;
}
