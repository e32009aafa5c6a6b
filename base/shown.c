#include "base/shown.h"

#include "base/str.h"

#include <string.h>
#include <utf8proc.h>

/* Characters that Unicode calls formats, but that are drawn, or that scripts and emoji need: joiners, a soft hyphen, signs before Arabic numbers. */
static bool is_needed (int32_t cp)
{
   static const int32_t ranges[][2] = {{0xAD, 0xAD},     {0x600, 0x605},     {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},
                                       {0x8E2, 0x8E2},   {0x200C, 0x200D},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F}};
   for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
      if (cp >= ranges[i][0] && cp <= ranges[i][1])
         return true;
   return false;
}

/* Direction overrides and other characters that nobody sees: text could hide in them, or stand where it isn't. */
static bool is_invisible (int32_t cp)
{
   utf8proc_category_t c = utf8proc_category (cp);
   return c == UTF8PROC_CATEGORY_ZL || c == UTF8PROC_CATEGORY_ZP || (c == UTF8PROC_CATEGORY_CF && !is_needed (cp));
}

bool mt_is_hidden (int32_t cp) { return cp < 0x20 || (cp >= 0x7F && (cp < 0xA0 || is_invisible (cp))); }

/* The bytes of the code point at p; one that is no UTF-8 is 0xFFFD. */
static size_t step (const char *p, int32_t *cp)
{
   utf8proc_ssize_t n = utf8proc_iterate ((const utf8proc_uint8_t *) p, -1, cp);
   if (n > 0)
      return (size_t) n;
   *cp = 0xFFFD;
   return 1;
}

bool mt_has_hidden (const char *text)
{
   int32_t cp;
   for (const char *p = text; *p;) {
      p += step (p, &cp);
      if (mt_is_hidden (cp))
         return true;
   }
   return false;
}

static const char *taken (MtArena *a, MtBuf *b)
{
   const char *text = mt_strndup (a, b->n ? b->p : "", b->n);
   mt_buf_free (b);
   return text;
}

const char *mt_shown (MtArena *a, const char *text)
{
   MtBuf b = {0};
   int32_t cp;
   size_t n;
   for (const char *p = text; *p; p += n) {
      n = step (p, &cp);
      if (mt_is_hidden (cp))
         mt_buf_printf (&b, "\\u%04X", (unsigned) cp);
      else
         mt_buf_add (&b, p, n);
   }
   return taken (a, &b);
}

const char *mt_shown_sql (MtArena *a, char quote, const char *text)
{
   MtBuf b = {0};
   bool escapes = mt_has_hidden (text);
   int32_t cp;
   size_t n;
   mt_buf_adds (&b, escapes ? "U&" : "");
   mt_buf_addc (&b, quote);
   for (const char *p = text; *p; p += n) {
      n = step (p, &cp);
      if (mt_is_hidden (cp)) {
         mt_buf_printf (&b, cp > 0xFFFF ? "\\+%06X" : "\\%04X", (unsigned) cp);
         continue;
      }
      if (*p == quote || (escapes && *p == '\\'))
         mt_buf_addc (&b, *p);
      mt_buf_add (&b, p, n);
   }
   mt_buf_addc (&b, quote);
   return taken (a, &b);
}

const char *mt_shown_json (MtArena *a, const char *json)
{
   MtBuf b = {0};
   int32_t cp;
   size_t n;
   for (const char *p = json; *p; p += n) {
      n = step (p, &cp);
      if (cp > 0xFFFF && mt_is_hidden (cp))
         mt_buf_printf (&b, "\\u%04x\\u%04x", (unsigned) (0xD7C0 + (cp >> 10)), (unsigned) (0xDC00 + (cp & 0x3FF)));
      else if ((cp != '\n' && mt_is_hidden (cp)) || (*p == '$' && p[1] == '$'))
         mt_buf_printf (&b, "\\u%04x", (unsigned) cp);
      else
         mt_buf_add (&b, p, n);
   }
   return taken (a, &b);
}
