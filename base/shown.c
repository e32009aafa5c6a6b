#include "base/shown.h"

#include "base/str.h"

#include <string.h>
#include <utf8proc.h>

/* Returns whether a Unicode format character is visible, or needed by scripts and emoji: joiners,
 * the soft hyphen, and signs before Arabic numbers. */
static bool is_needed (int32_t cp)
{
   static const int32_t ranges[][2] = {{0xAD, 0xAD},      {0x600, 0x605},     {0x6DD, 0x6DD},
                                       {0x70F, 0x70F},    {0x890, 0x891},     {0x8E2, 0x8E2},
                                       {0x200C, 0x200D},  {0x110BD, 0x110BD}, {0x110CD, 0x110CD},
                                       {0x13430, 0x1343F}};
   for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
      if (cp >= ranges[i][0] && cp <= ranges[i][1])
         return true;
   return false;
}

/* Returns whether a terminal shows nothing for the character, or whether it changes the direction
 * of text. Such characters could hide text, or show text in another position. */
static bool is_invisible (int32_t cp)
{
   utf8proc_category_t c = utf8proc_category (cp);
   return c == UTF8PROC_CATEGORY_ZL || c == UTF8PROC_CATEGORY_ZP ||
          (c == UTF8PROC_CATEGORY_CF && !is_needed (cp));
}

bool mt_is_hidden (int32_t cp)
{
   return cp < 0x20 || (cp >= 0x7F && (cp < 0xA0 || is_invisible (cp)));
}

/* Reads the code point at p and returns its length in bytes. Invalid UTF-8 gives 0xFFFD. */
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

typedef struct Shown {
   MtBuf b;
   char quote;   /* the quote around the SQL text, " or '; 0: no quote */
   bool escapes; /* the SQL text has hidden characters, so it is written as U&'…' with escapes */
} Shown;

/* A callback that writes the code point cp, whose UTF-8 is at p, in escaped form. It returns false
 * if the caller must write it unchanged. */
typedef bool (*Rule) (Shown *s, const char *p, int32_t cp);

static void write_all (Shown *s, Rule rule, const char *text)
{
   int32_t cp;
   size_t n;
   for (const char *p = text; *p; p += n) {
      n = step (p, &cp);
      if (!rule (s, p, cp))
         mt_buf_add (&s->b, p, n);
   }
}

static const char *taken (MtArena *a, Shown *s)
{
   const char *text = mt_strndup (a, s->b.n ? s->b.p : "", s->b.n);
   mt_buf_free (&s->b);
   return text;
}

static bool for_comment (Shown *s, const char *p, int32_t cp)
{
   if (!mt_is_hidden (cp))
      return false;
   mt_buf_printf (&s->b, "\\u%04X", (unsigned) cp);
   return true;
}

static bool for_sql (Shown *s, const char *p, int32_t cp)
{
   bool hidden = mt_is_hidden (cp);
   if (hidden)
      mt_buf_printf (&s->b, cp > 0xFFFF ? "\\+%06X" : "\\%04X", (unsigned) cp);
   else if (*p == s->quote || (s->escapes && *p == '\\'))
      mt_buf_addc (&s->b, *p); /* a quote inside the text is written twice */
   return hidden;
}

static bool for_json (Shown *s, const char *p, int32_t cp)
{
   bool escaped = (cp != '\n' && mt_is_hidden (cp)) || (*p == '$' && p[1] == '$');
   if (escaped && cp > 0xFFFF)
      mt_buf_printf (&s->b, "\\u%04x\\u%04x", (unsigned) (0xD7C0 + (cp >> 10)),
                     (unsigned) (0xDC00 + (cp & 0x3FF)));
   else if (escaped)
      mt_buf_printf (&s->b, "\\u%04x", (unsigned) cp);
   return escaped;
}

const char *mt_shown (MtArena *a, const char *text)
{
   Shown s = {0};
   write_all (&s, for_comment, text);
   return taken (a, &s);
}

const char *mt_shown_sql (MtArena *a, char quote, const char *text)
{
   Shown s = {.quote = quote, .escapes = mt_has_hidden (text)};
   mt_buf_adds (&s.b, s.escapes ? "U&" : "");
   mt_buf_addc (&s.b, quote);
   write_all (&s, for_sql, text);
   mt_buf_addc (&s.b, quote);
   return taken (a, &s);
}

const char *mt_shown_json (MtArena *a, const char *json)
{
   Shown s = {0};
   write_all (&s, for_json, json);
   return taken (a, &s);
}
