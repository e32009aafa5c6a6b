/* LIKE and ILIKE: matching in this process, and conversion to regular expressions for servers. */
#include "functions/text/pattern.h"
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include <ctype.h>

/* ---- LIKE ---- */

static uint8_t fold (uint8_t c, bool ignore)
{
   return ignore && c >= 'A' && c <= 'Z' ? (uint8_t) (c + 32) : c;
}

static size_t char_len (const uint8_t *p, const uint8_t *end)
{
   size_t n = 1;
   while (p + n < end && (p[n] & 0xC0) == 0x80)
      n++;
   return n;
}

/* Matches a LIKE pattern as PostgreSQL's MatchText does, but without recursion: only the last %
 * seen must be retried. Returns 1 or 0; -1 if the pattern ends with its escape character before the
 * text has ended. */
static int like (MtStr text, MtStr pat, int escape, bool ignore, bool bytes)
{
   const uint8_t *s = (const uint8_t *) text.p, *se = s + text.n, *p = (const uint8_t *) pat.p,
                 *pe = p + pat.n, *star = NULL, *from = NULL;
   while (s < se || p < pe) {
      if (p < pe && escape >= 0 && *p == escape) {
         if (p + 1 >= pe)
            return s < se ? -1 : 0;
         if (s < se && fold (p[1], ignore) == fold (*s, ignore)) {
            p += 2;
            s++;
            continue;
         }
      } else if (p < pe && *p == '%') {
         star = ++p;
         from = s;
         continue;
      } else if (p < pe && s < se && *p == '_') {
         s += bytes ? 1 : char_len (s, se);
         p++;
         continue;
      } else if (p < pe && s < se && fold (*p, ignore) == fold (*s, ignore)) {
         p++;
         s++;
         continue;
      }
      if (!star || from >= se)
         return 0;
      from += bytes ? 1 : char_len (from, se);
      s = from;
      p = star;
   }
   return 1;
}

/* Computes LIKE. a[2] is the escape character; empty: none. Bits of MT_USER (ev): 1 ILIKE, 2 NOT
 * LIKE, 4 bytea. */
static bool fn_like (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int escape = '\\';
   if (n > 2) {
      if (a[2].len > 1)
         return mt_utf8_length ((const char *) a[2].p, a[2].len) > 1
                   ? mt_error (ev->err, MT_E_BAD_ESCAPE, "invalid escape string")
                   : mt_error (ev->err, MT_E_FEATURE,
                               "a non-ASCII escape character is not supported");
      escape = a[2].len ? a[2].p[0] : -1;
   }
   int r = like (mt_v_text (a[0]), mt_v_text (a[1]), escape, MT_USER (ev) & 1, MT_USER (ev) & 4);
   if (r < 0)
      return mt_error (ev->err, MT_E_BAD_ESCAPE, "LIKE pattern must not end with escape character");
   *out = mt_v_bool ((r != 0) != ((MT_USER (ev) & 2) != 0));
   return true;
}

static void regex_char (MtBuf *b, char c, bool ignore)
{
   if (ignore && isalpha ((unsigned char) c) && !((unsigned char) c & 0x80))
      mt_buf_printf (b, "[%c%c]", toupper (c), tolower (c));
   else {
      if (strchr ("\\^$.[]|()?*+{}-/#", c) && c)
         mt_buf_addc (b, '\\');
      mt_buf_addc (b, c);
   }
}

bool mt_like_regex (MtArena *a, MtStr pattern, MtStr escape, bool ignore_case, const char **out,
                    bool *exact)
{
   MtBuf re = {0}, plain = {0};
   size_t end = pattern.n, i;
   bool wild = false, open_end = false, ok = true;
   mt_buf_addc (&re, '^');
   for (i = 0; i < end; i++) {
      char c = pattern.p[i];
      if (escape.n && c == escape.p[0]) {
         if (++i == end) {
            ok = false;
            break;
         }
         c = pattern.p[i];
      } else if (c == '%' || c == '_') {
         wild = true;
         if (c == '%' && i + 1 == end)
            open_end = true;
         else
            mt_buf_adds (&re, c == '%' ? ".*" : ".");
         continue;
      }
      regex_char (&re, c, ignore_case);
      mt_buf_addc (&plain, c);
   }
   if (!open_end)
      mt_buf_adds (&re, "\\z");
   *exact = !wild && !ignore_case;
   *out = *exact ? mt_strndup (a, plain.p ? plain.p : "", plain.n) : mt_strndup (a, re.p, re.n);
   mt_buf_free (&re);
   mt_buf_free (&plain);
   return ok;
}

const MtFunc mt_fn_pattern[] = {
   MT_ROW_KIND (LIKE, "~~", "text, text -> bool", MT_F_OPERATOR | MT_NN, NULL,
                MT_OPN ("like", like, 0), "LIKE", "SELECT 'abc' ~~ 'a%' => t"),
   MT_ROW ("!~~", "text, text -> bool", MT_F_OPERATOR | MT_NN, NULL, MT_OPN ("not_like", like, 2),
           "NOT LIKE", "SELECT 'abc' !~~ 'a%' => f"),
   MT_ROW_KIND (ILIKE, "~~*", "text, text -> bool", MT_F_OPERATOR | MT_NN, NULL,
                MT_OPN ("ilike", like, 1), "ILIKE", "SELECT 'ABC' ~~* 'a%' => t"),
   MT_ROW ("!~~*", "text, text -> bool", MT_F_OPERATOR | MT_NN, NULL, MT_OPN ("not_ilike", like, 3),
           "NOT ILIKE", "SELECT 'ABC' !~~* 'a%' => f"),
   MT_ROW ("~~", "bytea, bytea -> bool", MT_F_OPERATOR | MT_NN, NULL,
           MT_OPN ("like_bytes", like, 4), "LIKE of bytes", "SELECT 'abc'::bytea ~~ 'a%' => t"),
   MT_ROW ("!~~", "bytea, bytea -> bool", MT_F_OPERATOR | MT_NN, NULL,
           MT_OPN ("not_like_bytes", like, 6), "NOT LIKE of bytes",
           "SELECT 'abc'::bytea !~~ 'a%' => f"),
   MT_ROW ("$like_bytes_escape", "bytea, bytea, bytea -> bool", MT_NN, NULL,
           MT_OPN ("like_bytes", like, 4), "LIKE of bytes with ESCAPE",
           "SELECT 'a%'::bytea LIKE 'a!%' ESCAPE '!' => t"),
   MT_ROW_KIND (LIKE, "$like_escape", "text, text, text -> bool", MT_NN, NULL,
                MT_OPN ("like", like, 0), "LIKE with ESCAPE",
                "SELECT 'a%' LIKE 'a!%' ESCAPE '!' => t"),
   MT_ROW_KIND (ILIKE, "$ilike_escape", "text, text, text -> bool", MT_NN, NULL,
                MT_OPN ("ilike", like, 1), "ILIKE with ESCAPE",
                "SELECT 'A%' ILIKE 'a!%' ESCAPE '!' => t"),
   {.name = NULL},
};
