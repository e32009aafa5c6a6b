/* LIKE, ILIKE, and regular expressions (PCRE2, MongoDB's own engine: where PostgreSQL's syntax differs, this says 0A000 or PCRE's error). */
#include "planner/emit_int.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <ctype.h>
#include <pcre2.h>

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

/* PostgreSQL's MatchText without recursion: a later % replaces an earlier one. 1, 0, or -1: the pattern ends in its escape. */
static int like (MtStr text, MtStr pat, int escape, bool ignore)
{
   const uint8_t *s = (const uint8_t *) text.p, *se = s + text.n, *p = (const uint8_t *) pat.p, *pe = p + pat.n, *star = NULL, *from = NULL;
   while (s < se || p < pe) {
      if (p < pe && escape >= 0 && *p == escape) {
         if (p + 1 >= pe)
            return -1;
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
         s += char_len (s, se);
         p++;
         continue;
      } else if (p < pe && s < se && fold (*p, ignore) == fold (*s, ignore)) {
         p++;
         s++;
         continue;
      }
      if (!star || from >= se)
         return 0;
      from += char_len (from, se);
      s = from;
      p = star;
   }
   return 1;
}

/* a[2]: the escape character, empty for none. user: 1 ignore case, 2 negated. */
static bool fn_like (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int escape = '\\';
   if (n > 2) {
      if (a[2].len > 1)
         return mt_utf8_length ((const char *) a[2].p, a[2].len) > 1
                   ? mt_error (ev->err, MT_E_BAD_ESCAPE, "invalid escape string")
                   : mt_error (ev->err, MT_E_FEATURE, "an escape character beyond ASCII is not supported");
      escape = a[2].len ? a[2].p[0] : -1;
   }
   int r = like (mt_v_text (a[0]), mt_v_text (a[1]), escape, MT_USER (ev) & 1);
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

bool mt_like_regex (MtArena *a, MtStr pattern, MtStr escape, bool ignore_case, const char **out, bool *exact)
{
   MtBuf re = {0}, plain = {0};
   size_t end = pattern.n, i;
   bool wild = false, open_end = false;
   mt_buf_addc (&re, '^');
   for (i = 0; i < end; i++) {
      char c = pattern.p[i];
      if (escape.n && c == escape.p[0]) {
         if (++i >= end)
            break;
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
   bool ok = i == end;
   if (!open_end)
      mt_buf_adds (&re, "\\z");
   *exact = !wild && !ignore_case;
   *out = *exact ? mt_strndup (a, plain.p ? plain.p : "", plain.n) : mt_strndup (a, re.p, re.n);
   mt_buf_free (&re);
   mt_buf_free (&plain);
   return ok;
}

/* ---- regular expressions ---- */

typedef struct Regex {
   char pattern[256];
   size_t n;
   uint32_t options;
   pcre2_code *code;
   pcre2_match_data *match;
} Regex;

static pcre2_code *compile (MtEval *ev, MtStr p, uint32_t options)
{
   int code;
   PCRE2_SIZE at;
   unsigned char why[200];
   pcre2_code *c = pcre2_compile ((PCRE2_SPTR) p.p, p.n, options | PCRE2_UTF | PCRE2_DOTALL | PCRE2_NEVER_BACKSLASH_C, &code, &at, NULL);
   if (!c) {
      pcre2_get_error_message (code, why, sizeof why);
      mt_error (ev->err, "2201B", "invalid regular expression: %s", (char *) why);
   }
   return c;
}

/* The last one is kept: patterns are constants almost always. */
static Regex *get_regex (MtEval *ev, MtVal pattern, uint32_t options)
{
   static _Thread_local Regex last;
   if (last.code && last.n == pattern.len && last.options == options && pattern.len < sizeof last.pattern && memcmp (last.pattern, pattern.p, last.n) == 0)
      return &last;
   pcre2_code *c = compile (ev, mt_v_text (pattern), options);
   if (!c)
      return NULL;
   pcre2_match_data_free (last.match);
   pcre2_code_free (last.code);
   last.code = c;
   last.match = pcre2_match_data_create_from_pattern (c, NULL);
   last.n = pattern.len;
   last.options = options;
   if (pattern.len < sizeof last.pattern)
      memcpy (last.pattern, pattern.p, pattern.len);
   else
      last.n = SIZE_MAX;
   return &last;
}

static int match_at (MtEval *ev, Regex *r, MtVal text, size_t from)
{
   int rc = pcre2_match (r->code, (PCRE2_SPTR) text.p, text.len, from, 0, r->match, NULL);
   if (rc < 0 && rc != PCRE2_ERROR_NOMATCH)
      mt_error (ev->err, MT_E_TOO_COMPLEX, "regular expression failed: it backtracks too much");
   return rc;
}

/* user: 1 ignore case, 2 negated. */
static bool fn_regex (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Regex *r = get_regex (ev, a[1], MT_USER (ev) & 1 ? PCRE2_CASELESS : 0);
   int rc = r ? match_at (ev, r, a[0], 0) : 0;
   if (!r || (rc < 0 && rc != PCRE2_ERROR_NOMATCH))
      return false;
   *out = mt_v_bool ((rc >= 0) != ((MT_USER (ev) & 2) != 0));
   return true;
}

static bool regex_flags (MtEval *ev, MtVal flags, uint32_t *options, bool *global)
{
   *options = 0;
   *global = false;
   for (uint32_t i = 0; i < flags.len; i++)
      switch (flags.p[i]) {
      case 'g':
         *global = true;
         break;
      case 'i':
         *options |= PCRE2_CASELESS;
         break;
      case 'x':
         *options |= PCRE2_EXTENDED;
         break;
      case 'n':
      case 'm':
         *options |= PCRE2_MULTILINE;
         break;
      case 's':
         break;
      default:
         return mt_error (ev->err, MT_E_PARAMETER, "invalid regular expression option: \"%c\"", flags.p[i]);
      }
   return true;
}

static void add_group (MtBuf *b, const Regex *r, MtVal text, int group)
{
   PCRE2_SIZE *v = pcre2_get_ovector_pointer (r->match);
   if ((uint32_t) group < pcre2_get_ovector_count (r->match) && v[2 * group] != PCRE2_UNSET)
      mt_buf_add (b, text.p + v[2 * group], v[2 * group + 1] - v[2 * group]);
}

static void add_replacement (MtBuf *b, const Regex *r, MtVal text, MtVal with)
{
   for (uint32_t i = 0; i < with.len; i++) {
      char c = (char) with.p[i], d = i + 1 < with.len ? (char) with.p[i + 1] : 0;
      if (c != '\\' || !d) {
         mt_buf_addc (b, c);
         continue;
      }
      i++;
      if (d == '&')
         add_group (b, r, text, 0);
      else if (d >= '1' && d <= '9')
         add_group (b, r, text, d - '0');
      else {
         if (d != '\\')
            mt_buf_addc (b, '\\');
         mt_buf_addc (b, d);
      }
   }
}

static bool fn_regexp_replace (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   uint32_t options;
   bool global, ok = true;
   if (!regex_flags (ev, n > 3 ? a[3] : mt_v_str ("", 0), &options, &global))
      return false;
   Regex *r = get_regex (ev, a[1], options);
   if (!r)
      return false;
   MtBuf b = {0};
   size_t at = 0, copied = 0;
   while (at <= a[0].len) {
      int rc = match_at (ev, r, a[0], at);
      ok = rc >= 0 || rc == PCRE2_ERROR_NOMATCH;
      if (rc < 0)
         break;
      PCRE2_SIZE *v = pcre2_get_ovector_pointer (r->match);
      mt_buf_add (&b, a[0].p + copied, v[0] - copied);
      add_replacement (&b, r, a[0], a[2]);
      copied = v[1];
      at = v[1] > v[0] ? v[1] : v[1] + (v[1] < a[0].len ? char_len (a[0].p + v[1], a[0].p + a[0].len) : 1);
      if (!global)
         break;
   }
   mt_buf_add (&b, a[0].p + copied, a[0].len - copied);
   *out = mt_text_result (ev, &b);
   return ok;
}

/* substring(text from pattern): the first group, or the whole match; NULL for no match. */
static bool fn_regex_substring (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Regex *r = get_regex (ev, a[1], 0);
   int rc = r ? match_at (ev, r, a[0], 0) : 0;
   if (!r || (rc < 0 && rc != PCRE2_ERROR_NOMATCH))
      return false;
   *out = mt_v_null ();
   if (rc < 0)
      return true;
   PCRE2_SIZE *v = pcre2_get_ovector_pointer (r->match);
   int g = pcre2_get_ovector_count (r->match) > 1 ? 1 : 0;
   if (v[2 * g] != PCRE2_UNSET)
      *out = mt_v_copy (ev->arena, mt_v_str ((const char *) a[0].p + v[2 * g], v[2 * g + 1] - v[2 * g]));
   return true;
}

#define OP2(name, user, fn, opname, what, ex) MT_ROW (name, "text, text -> bool", MT_F_OPERATOR | MT_NN, NULL, MT_OPN (opname, fn, user), what, ex)

const MtFunc mt_fn_pattern[] = {
   OP2 ("~~", 0, like, "like", "LIKE", "SELECT 'abc' ~~ 'a%' => t"),
   OP2 ("!~~", 2, like, "not_like", "NOT LIKE", "SELECT 'abc' !~~ 'a%' => f"),
   OP2 ("~~*", 1, like, "ilike", "ILIKE", "SELECT 'ABC' ~~* 'a%' => t"),
   OP2 ("!~~*", 3, like, "not_ilike", "NOT ILIKE", "SELECT 'ABC' !~~* 'a%' => f"),
   MT_ROW ("$like_escape", "text, text, text -> bool", MT_NN, NULL, MT_OPN ("like", like, 0), "LIKE with ESCAPE", "SELECT 'a%' LIKE 'a!%' ESCAPE '!' => t"),
   MT_ROW ("$ilike_escape", "text, text, text -> bool", MT_NN, NULL, MT_OPN ("ilike", like, 1), "ILIKE with ESCAPE", "SELECT 'A%' ILIKE 'a!%' ESCAPE '!' => t"),
   OP2 ("~", 0, regex, "regex", "matches a regular expression", "SELECT 'thomas' ~ 't.*ma' => t"),
   OP2 ("!~", 2, regex, "not_regex", "doesn't match a regular expression", "SELECT 'thomas' !~ 't.*max' => t"),
   OP2 ("~*", 1, regex, "iregex", "matches a regular expression, without regard to case", "SELECT 'thomas' ~* 'T.*ma' => t"),
   OP2 ("!~*", 3, regex, "not_iregex", "doesn't match a regular expression, without regard to case", "SELECT 'thomas' !~* 'T.*ma' => f"),
   MT_ROW ("regexp_replace", "text, pattern text, replacement text -> text", MT_NN, NULL, MT_OPN ("regexp_replace", regexp_replace, 0), "the first match replaced", "SELECT regexp_replace('Thomas', '.[mN]a.', 'M') => ThM"),
   MT_ROW ("regexp_replace", "text, pattern text, replacement text, flags text -> text", MT_NN, NULL, MT_OPN ("regexp_replace", regexp_replace, 0), "matches replaced; g: all, i: without regard to case", "SELECT regexp_replace('foobar', 'o', 'x', 'g') => fxxbar"),
   MT_ROW ("regexp_like", "text, pattern text -> bool", MT_NN, NULL, MT_OPN ("regex", regex, 0), "matches a regular expression", "SELECT regexp_like('Hello', 'l+') => t"),
   MT_ROW ("substring", "text, pattern text -> text", 0, NULL, MT_OPN ("regex_substring", regex_substring, 0), "the part that matches a regular expression", "SELECT substring('Thomas' FROM '...$') => mas"),
   {.name = NULL},
};
