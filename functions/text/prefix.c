/* Derives from a pattern the prefix of the texts that can match, so that an index can find them. */
#include "functions/text/pattern.h"

#include "base/str.h"

#include <string.h>

static const char *taken (MtArena *a, MtBuf *text)
{
   const char *s = mt_strndup (a, text->p ? text->p : "", text->n);
   mt_buf_free (text);
   return s;
}

const char *mt_like_prefix (MtArena *a, MtStr pattern, bool *whole)
{
   MtBuf text = {0};
   size_t i = 0;
   for (; i < pattern.n && pattern.p[i] != '%' && pattern.p[i] != '_'; i++) {
      if (pattern.p[i] == '\\' && i + 1 < pattern.n)
         i++;
      mt_buf_addc (&text, pattern.p[i]);
   }
   *whole = i + 1 == pattern.n && pattern.p[i] == '%';
   return taken (a, &text);
}

/* Returns the code point of the valid UTF-8 character with n bytes at p. */
static uint32_t code_point (const char *p, size_t n)
{
   uint32_t cp = n == 1 ? (unsigned char) *p : (unsigned char) *p & (0x7fu >> n);
   for (size_t i = 1; i < n; i++)
      cp = cp << 6 | ((unsigned char) p[i] & 0x3fu);
   return cp;
}

const char *mt_prefix_end (MtArena *a, const char *prefix)
{
   size_t n = strlen (prefix);
   while (n) {
      size_t at = n - 1;
      while (at && ((unsigned char) prefix[at] & 0xc0) == 0x80)
         at--;
      uint32_t next = code_point (prefix + at, n - at) + 1;
      if (next >= 0xd800 && next < 0xe000) /* no characters */
         next = 0xe000;
      if (next <= 0x10ffff) {
         char *out = mt_alloc (a, at + 5);
         memcpy (out, prefix, at);
         out[at + mt_utf8_put (out + at, next)] = 0;
         return out;
      }
      n = at;
   }
   return NULL;
}

/* ---- regular expressions ---- */

/* Reads one literal character of a regular expression at *at. Returns false if there is anything
 * else. */
static bool literal (MtStr p, size_t *at, char *out)
{
   char c = p.p[*at];
   if (c == '\\') {
      if (*at + 1 == p.n || strchr ("\\^.[$()|*+?{}/-_%,:;=\"'# &@!<>~", p.p[*at + 1]) == NULL)
         return false;
      c = p.p[++*at];
   } else if (strchr ("^.[$()|*+?{", c))
      return false;
   ++*at;
   *out = c;
   return true;
}

static bool is_quantifier (MtStr p, size_t at) { return at < p.n && strchr ("*+?{", p.p[at]); }

static void like_char (MtBuf *like, char c)
{
   if (c == '%' || c == '_' || c == '\\')
      mt_buf_addc (like, '\\');
   mt_buf_addc (like, c);
}

/* Converts the next element of the regular expression p at *at (a literal, . or .*) to a LIKE
 * pattern, and appends it to `like`. Returns false if there is any other element. */
static bool simple_part (MtStr p, size_t *at, MtBuf *like)
{
   char c;
   if (literal (p, at, &c)) {
      like_char (like, c);
      while ((unsigned char) c >= 0x80 && *at < p.n && ((unsigned char) p.p[*at] & 0xc0) == 0x80)
         mt_buf_addc (like, p.p[(*at)++]);
   } else if (p.p[*at] == '.') {
      bool many = *at + 1 < p.n && p.p[*at + 1] == '*';
      mt_buf_addc (like, many ? '%' : '_');
      *at += many ? 2 : 1;
   } else {
      return false;
   }
   return !is_quantifier (p, *at);
}

const char *mt_regex_as_like (MtArena *a, MtStr p, bool *exact)
{
   bool anchored = p.n && p.p[0] == '^', ended = false;
   MtBuf like = {0};
   size_t at = anchored;
   *exact = true;
   if (p.n >= 3 && memcmp (p.p, "***", 3) == 0)
      return NULL;
   if (!anchored)
      mt_buf_addc (&like, '%');
   while (at < p.n && *exact && !ended) {
      size_t before = like.n;
      ended = p.p[at] == '$' && at + 1 == p.n;
      *exact = ended || simple_part (p, &at, &like);
      if (!*exact) /* a quantifier may leave out the part before it */
         like.n = before;
   }
   if (!ended)
      mt_buf_addc (&like, '%');
   if (*exact || (anchored && !memchr (p.p, '|', p.n))) /* another branch may begin differently */
      return taken (a, &like);
   mt_buf_free (&like);
   return NULL;
}

/* Returns the literal characters of p from *at up to the next | or ), allocated in arena a. NULL:
 * there is anything else. */
static const char *literals (MtArena *a, MtStr p, size_t *at)
{
   MtBuf text = {0};
   char c;
   bool ok = true;
   while (ok && *at < p.n && p.p[*at] != '|' && p.p[*at] != ')') {
      ok = literal (p, at, &c) && !is_quantifier (p, *at);
      mt_buf_addc (&text, c);
   }
   if (ok && text.n)
      return taken (a, &text);
   mt_buf_free (&text);
   return NULL;
}

const MtVal *mt_regex_as_texts (MtArena *a, MtStr p, int *count)
{
   MtVal *texts = MT_NEW_N (a, MtVal, p.n + 1);
   size_t at = p.n > 4 && memcmp (p.p, "^(?:", 4) == 0 ? 4 : 2;
   if (p.n < 4 || memcmp (p.p, "^(", 2) != 0)
      return NULL;
   for (*count = 0;; at++) {
      const char *text = literals (a, p, &at);
      if (!text || at == p.n)
         return NULL;
      texts[(*count)++] = mt_v_cstr (text);
      if (p.p[at] == ')')
         return at + 2 == p.n && p.p[at + 1] == '$' ? texts : NULL;
   }
}
