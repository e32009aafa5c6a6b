/* Regular expressions. PCRE2 matches them, in the syntax of functions/text/regex_syntax.h.
 * PostgreSQL returns the longest match, or the shortest if the first quantifier is lazy. PCRE2
 * returns the first one that its backtracking search finds. If these can differ, PCRE2's DFA
 * matcher finds the end of PostgreSQL's match. Then the groups are found by a backtracking search
 * that is made to end at the same position, by a callout at the end of the pattern. */
#include "base/cancel.h"
#include "base/memory.h"
#include "base/pcre.h"
#include "functions/text/pattern.h"
#include "functions/core/rows.h"
#include "functions/core/row.h"
#include "functions/text/regex_syntax.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define FINDS_PER_POLL 1024
/* The maximum number of steps of the search for the best groups, and of PCRE2's search before its
 * DFA matcher is used instead. */
#define MAX_CHOICES 1000000

/* ---- compiled patterns ---- */

typedef struct Regex {
   char pattern[256];
   size_t n;
   MtRegexFlags flags;
   bool shortest, first; /* first: PCRE2's first match is taken */
   bool choice;          /* the alternatives decide which groups are best */
   MtPcre pcre;
   MtRegexText text;       /* with its groups */
   uint32_t groups;        /* the user's groups, and the match */
   PCRE2_SIZE *spans;      /* start and end of the match and of each of the user's groups */
   PCRE2_SIZE *now, *best; /* of PCRE2's groups */
   size_t wanted_end;
   bool found;   /* `best` is set */
   bool checked; /* the text of this call is valid UTF-8 */
   /* Number of searches so far. Every FINDS_PER_POLL searches, the cancel flag is checked. */
   unsigned finds;
} Regex;

/* Returns whether the group spans v are better than those in r->best: the first group that differs
 * should be longer (or for a lazy group, shorter). */
static bool is_better (const Regex *r, const PCRE2_SIZE *v)
{
   for (size_t i = 0; i < mt_regex_groups (&r->text); i++) {
      const MtRegexGroup *g = mt_regex_group (&r->text, i);
      const PCRE2_SIZE *a = v + 2 * i + 2, *b = r->best + 2 * i + 2;
      if (g->repeated || (a[0] == b[0] && a[1] == b[1]))
         continue;
      return a[0] == b[0] && (a[1] > b[1]) != g->shortest;
   }
   return false;
}

/* Callout of PCRE2 at the end of each match. If the match ends at r->wanted_end, keeps its groups
 * if they are the best so far. Returns whether PCRE2 must search on. */
static int ends_there (pcre2_callout_block *b, void *ctx)
{
   Regex *r = ctx;
   size_t all = 2 * mt_regex_groups (&r->text) + 2, known = 2 * (size_t) b->capture_top;
   if (b->current_position != r->wanted_end)
      return 1;
   memcpy (r->now, b->offset_vector, known * sizeof *r->now);
   for (size_t i = known; i < all; i++)
      r->now[i] = PCRE2_UNSET;
   if (!r->found || is_better (r, r->now))
      memcpy (r->best, r->now, all * sizeof *r->best);
   r->found = true;
   return r->choice;
}

static bool refused (MtEval *ev, int code)
{
   unsigned char why[200];
   if (code == PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH) {
      mt_error (ev->err, MT_E_FEATURE, "a lookbehind of variable length is not supported");
      return mt_error_hint (ev->err, "Give each of its alternatives a fixed length.");
   }
   if (code == PCRE2_ERROR_CLASS_RANGE_ORDER)
      return mt_error (ev->err, MT_E_REGULAR_EXPRESSION,
                       "invalid regular expression: invalid character range");
   pcre2_get_error_message (code, why, sizeof why);
   return mt_error (ev->err, MT_E_REGULAR_EXPRESSION, "invalid regular expression: %s",
                    (char *) why);
}

/* Sets the number of groups, and allocates memory for their spans (start and end in the text). */
static void take_groups (Regex *r)
{
   r->groups = 1;
   for (size_t i = 0; i < mt_regex_groups (&r->text); i++) {
      const MtRegexGroup *g = mt_regex_group (&r->text, i);
      r->groups += g->number > 0;
      r->choice |= g->choice && !g->repeated;
   }
   size_t all = 2 * mt_regex_groups (&r->text) + 2;
   r->spans = mt_malloc ("a regular expression", (2 * r->groups + 2 * all) * sizeof *r->spans);
   r->now = r->spans + 2 * r->groups;
   r->best = r->now + all;
}

static bool compile (MtEval *ev, MtStr p, MtRegexFlags flags, Regex *out)
{
   size_t at;
   MtRegexText *t = &out->text;
   mt_buf_adds (&t->pattern, "(?:");
   bool ok = mt_regex_translate (p, &flags, t, ev->err);
   mt_buf_adds (&t->pattern, ")(?C1)");
   /* PCRE2's DFA matcher would apply PCRE2_DOLLAR_ENDONLY at the end of each line, too. */
   uint32_t ends = flags.options & PCRE2_MULTILINE ? 0 : PCRE2_DOLLAR_ENDONLY;
   uint32_t options = (flags.options & ~PCRE2_EXTENDED) | PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C |
                      PCRE2_ALT_CIRCUMFLEX | PCRE2_NO_AUTO_POSSESS | ends;
   int code = ok ? mt_pcre_new (&out->pcre, (MtStr) {t->pattern.p, t->pattern.n}, options, &at) : 0;
   mt_buf_free (&t->pattern);
   if (code)
      return refused (ev, code);
   out->shortest = t->taste == MT_TASTE_SHORT;
   out->pcre.any_order = !t->back_references;
   out->first = t->back_references || !t->tricky; /* the DFA has no back references */
   take_groups (out);
   return ok;
}

static bool same (const Regex *r, MtVal pattern, MtRegexFlags f)
{
   return r->pcre.code && r->n == pattern.len && r->flags.options == f.options &&
          r->flags.literal == f.literal && r->flags.plain == f.plain &&
          pattern.len < sizeof r->pattern && memcmp (r->pattern, pattern.p, r->n) == 0;
}

static void drop (Regex *r)
{
   mt_pcre_free (&r->pcre);
   mt_regex_text_free (&r->text);
   free (r->spans);
}

/* Returns the compiled pattern, NULL on error. Each thread keeps the last one, because a pattern is
 * almost always a constant. */
static Regex *get_regex (MtEval *ev, MtVal pattern, MtRegexFlags flags)
{
   static _Thread_local Regex last;
   last.checked = false;
   if (same (&last, pattern, flags))
      return &last;
   drop (&last);
   last = (Regex) {.flags = flags, .n = SIZE_MAX};
   if (!compile (ev, mt_v_text (pattern), flags, &last))
      return NULL;
   if (pattern.len < sizeof last.pattern) {
      memcpy (last.pattern, pattern.p, pattern.len);
      last.n = pattern.len;
   }
   return &last;
}

/* Converts PCRE2's return code rc: sets *found, or returns false with an error. */
static bool ended (MtEval *ev, int rc, bool *found)
{
   *found = rc >= 0;
   if (rc >= 0 || rc == PCRE2_ERROR_NOMATCH)
      return true;
   if (rc == PCRE2_ERROR_CALLOUT) /* cancelled; ev->err says so */
      return false;
   return mt_error (ev->err, MT_E_TOO_COMPLEX, "regular expression failed: it backtracks too much");
}

static bool is_there (MtEval *ev, Regex *r, MtVal text, bool *found)
{
   MtPcreWatch watch = {.cancel = ev->cancel, .err = ev->err};
   return ended (ev, mt_pcre_test (&r->pcre, mt_v_text (text), &watch), found);
}

/* Copies the spans of the groups in the user's pattern from v, the spans of all of PCRE2's groups,
 * to r->spans. */
static void take_spans (Regex *r, const PCRE2_SIZE *v)
{
   r->spans[0] = v[0];
   r->spans[1] = v[1];
   for (size_t i = 0; i < mt_regex_groups (&r->text); i++) {
      unsigned number = mt_regex_group (&r->text, i)->number;
      if (number)
         memcpy (r->spans + 2 * number, v + 2 * i + 2, 2 * sizeof *v);
   }
}

/* Finds the groups of the match that begins at `start` and ends at r->wanted_end. After too many
 * steps the best groups so far are taken. */
static bool find_groups (MtEval *ev, Regex *r, MtVal text, size_t start)
{
   MtPcreWatch watch = {.cancel = ev->cancel,
                        .err = ev->err,
                        .at_callout = ends_there,
                        .ctx = r,
                        .most_steps = r->choice ? MAX_CHOICES : 0};
   bool ignored;
   r->found = false;
   int rc = mt_pcre_match (&r->pcre, mt_v_text (text), start, PCRE2_ANCHORED, &watch);
   if (!r->found || rc == PCRE2_ERROR_CALLOUT)
      return ended (ev, rc < PCRE2_ERROR_NOMATCH ? rc : PCRE2_ERROR_MATCHLIMIT, &ignored);
   r->best[0] = start;
   r->best[1] = r->wanted_end;
   take_spans (r, r->best);
   return true;
}

/* Finds the first match from byte `from` on by PostgreSQL's rules, and sets r->spans. Returns false
 * on error or cancellation. */
static bool find (MtEval *ev, Regex *r, MtVal text, size_t from, bool *found)
{
   if (++r->finds % FINDS_PER_POLL == 0 && !mt_cancel_check (ev->cancel, ev->err))
      return false;
   MtPcreWatch watch = {.cancel = ev->cancel,
                        .err = ev->err,
                        .most_steps = r->text.back_references ? 0 : MAX_CHOICES};
   const PCRE2_SIZE *v = pcre2_get_ovector_pointer (r->pcre.match);
   uint32_t options = r->checked ? PCRE2_NO_UTF_CHECK
                                 : 0; /* checking the whole text at each match would be quadratic */
   int rc = r->first ? mt_pcre_match (&r->pcre, mt_v_text (text), from, options, &watch)
                     : PCRE2_ERROR_MATCHLIMIT;
   r->checked |= rc >= PCRE2_ERROR_NOMATCH;
   if (rc != PCRE2_ERROR_MATCHLIMIT || r->text.back_references) {
      if (rc >= 0)
         take_spans (r, v);
      return ended (ev, rc, found);
   }
   rc = mt_pcre_dfa_match (&r->pcre, mt_v_text (text), from,
                           options | (r->shortest ? PCRE2_DFA_SHORTEST : 0), &watch);
   r->checked |= rc >= PCRE2_ERROR_NOMATCH;
   if (!ended (ev, rc, found) || !*found)
      return rc == PCRE2_ERROR_NOMATCH;
   r->wanted_end = r->spans[1] = v[1];
   r->spans[0] = v[0];
   return r->groups == 1 || find_groups (ev, r, text, v[0]);
}

static size_t char_len (const uint8_t *p, const uint8_t *end)
{
   size_t n = 1;
   while (p + n < end && (p[n] & 0xC0) == 0x80)
      n++;
   return n;
}

/* Returns the offset where the search for the next match begins: behind the match, or one character
 * later if it is empty. */
static size_t behind (const Regex *r, MtVal text)
{
   const PCRE2_SIZE *v = r->spans;
   if (v[1] > v[0])
      return v[1];
   return v[1] + (v[1] < text.len ? char_len (text.p + v[1], text.p + text.len) : 1);
}

/* Returns the byte offset of character `number`, counted from 1; text.len + 1 if the text is
 * shorter. */
static size_t byte_of (MtVal text, int64_t number)
{
   size_t at = 0;
   for (; number > 1 && at < text.len; number--)
      at += char_len (text.p + at, text.p + text.len);
   return number > 1 ? text.len + 1u : at;
}

static bool parameter (MtEval *ev, MtVal v, const char *name, int64_t least, int64_t *out)
{
   *out = v.i;
   return v.i >= least || mt_error (ev->err, MT_E_PARAMETER,
                                    "invalid value for parameter \"%s\": %d", name, (int) v.i);
}

/* ---- the functions ---- */

static const MtRegexFlags plain = {.options = PCRE2_DOTALL};

static bool read_flags (MtEval *ev, MtVal v, MtRegexFlags *f)
{
   return mt_regex_flags (mt_v_text (v), f, ev->err);
}

/* Computes the operator ~. Bits of MT_USER (ev): 1 ignores case (~*), 2 negates (!~). */
static bool fn_regex (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtRegexFlags f = plain;
   bool found;
   if (MT_USER (ev) & 1)
      f.options |= PCRE2_CASELESS;
   Regex *r = get_regex (ev, a[1], f);
   if (!r || !is_there (ev, r, a[0], &found))
      return false;
   *out = mt_v_bool (found != ((MT_USER (ev) & 2) != 0));
   return true;
}

static bool no_global (MtEval *ev, const MtRegexFlags *f, const char *name)
{
   return !f->global ||
          mt_error (ev->err, MT_E_PARAMETER, "%s does not support the \"global\" option", name);
}

static bool fn_regexp_like (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtRegexFlags f = plain;
   bool found;
   if (!read_flags (ev, a[2], &f) || !no_global (ev, &f, "regexp_like()"))
      return false;
   Regex *r = get_regex (ev, a[1], f);
   if (!r || !is_there (ev, r, a[0], &found))
      return false;
   *out = mt_v_bool (found);
   return true;
}

bool mt_regexp_like (MtEval *ev, const MtVal a[3], MtVal *out)
{
   return fn_regexp_like (ev, a, 3, out);
}

static void add_group (MtBuf *b, const Regex *r, MtVal text, int group)
{
   const PCRE2_SIZE *v = r->spans;
   if ((uint32_t) group < r->groups && v[2 * group] != PCRE2_UNSET)
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

/* Replaces match number `number` (from 1) behind byte offset `at`, or all matches if `number` is 0.
 * a[] is text, pattern, replacement. */
static bool replace (MtEval *ev, Regex *r, const MtVal *a, size_t at, int64_t number, MtVal *out)
{
   MtBuf b = {0};
   size_t copied = 0;
   bool found = false, ok = true;
   for (int64_t i = 1; at <= a[0].len && (ok = find (ev, r, a[0], at, &found)) && found; i++) {
      const PCRE2_SIZE *v = r->spans;
      at = behind (r, a[0]);
      if (number && i < number)
         continue;
      mt_buf_add (&b, a[0].p + copied, v[0] - copied);
      add_replacement (&b, r, a[0], a[2]);
      copied = v[1];
      if (number)
         break;
   }
   mt_buf_add (&b, a[0].p + copied, a[0].len - copied);
   *out = mt_text_result (ev, &b);
   return ok;
}

/* Computes regexp_replace. Arguments: text, pattern, replacement [, flags], or text, pattern,
 * replacement, start [, N [, flags]]. */
static bool fn_regexp_replace (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtRegexFlags f = plain;
   int64_t start = 1, number = 1;
   bool counted = n > 3 && a[3].type == MT_INT32;
   if (n > 3 && !counted && a[3].len && isdigit (a[3].p[0])) {
      mt_error (ev->err, MT_E_PARAMETER, "invalid regular expression option: \"%c\"", a[3].p[0]);
      return mt_error_hint (
         ev->err,
         "If you meant to use regexp_replace() with a start parameter, cast the fourth argument to "
         "integer explicitly.");
   }
   MtVal flags = n > 5 ? a[5] : mt_v_cstr ("");
   if (n == 4 && !counted)
      flags = a[3];
   if (!read_flags (ev, flags, &f) || (counted && !parameter (ev, a[3], "start", 1, &start)) ||
       (n > 4 && !parameter (ev, a[4], "n", 0, &number)))
      return false;
   if (n < 5)
      number = f.global ? 0 : 1;
   Regex *r = get_regex (ev, a[1], f);
   return r && replace (ev, r, a, byte_of (a[0], start), number, out);
}

/* Computes regexp_count. Arguments: text, pattern [, start [, flags]]. */
static bool fn_regexp_count (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtRegexFlags f = plain;
   int64_t start = 1, count = 0;
   bool found = false, ok = true;
   if ((n > 2 && !parameter (ev, a[2], "start", 1, &start)) ||
       (n > 3 && (!read_flags (ev, a[3], &f) || !no_global (ev, &f, "regexp_count()"))))
      return false;
   Regex *r = get_regex (ev, a[1], f);
   for (size_t at = byte_of (a[0], start);
        r && at <= a[0].len && (ok = find (ev, r, a[0], at, &found)) && found;
        at = behind (r, a[0]))
      count++;
   *out = mt_v_int32 ((int32_t) count);
   return r && ok;
}

typedef struct Nth {
   int64_t start, number; /* match number `number` from character `start` on */
   int64_t group;         /* 0: the whole match, and so is 1 without groups */
   size_t from, to;       /* out: the group's bytes */
   bool found;            /* out: there is such a match, and the group took part in it */
} Nth;

static bool find_nth (MtEval *ev, Regex *r, MtVal text, Nth *of)
{
   size_t at = byte_of (text, of->start);
   of->found = false;
   for (int64_t i = 1; at <= text.len; i++, at = behind (r, text)) {
      if (!find (ev, r, text, at, &of->found))
         return false;
      if (!of->found || i == of->number)
         break;
      of->found = false;
   }
   const PCRE2_SIZE *v = r->spans;
   int64_t group = r->groups == 1 && of->group == 1 ? 0 : of->group;
   of->found = of->found && group < r->groups && v[2 * group] != PCRE2_UNSET;
   if (of->found) {
      of->from = v[2 * group];
      of->to = v[2 * group + 1];
   }
   return true;
}

/* Computes regexp_instr. Arguments: text, pattern [, start [, N [, endoption [, flags [,
 * subexpr]]]]]. */
static bool fn_regexp_instr (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtRegexFlags f = plain;
   int64_t behind_it = 0;
   Nth of = {.start = 1, .number = 1};
   if ((n > 2 && !parameter (ev, a[2], "start", 1, &of.start)) ||
       (n > 3 && !parameter (ev, a[3], "n", 1, &of.number)) ||
       (n > 4 && !parameter (ev, a[4], "endoption", 0, &behind_it)) ||
       (n > 5 && (!read_flags (ev, a[5], &f) || !no_global (ev, &f, "regexp_instr()"))) ||
       (n > 6 && !parameter (ev, a[6], "subexpr", 0, &of.group)))
      return false;
   if (behind_it > 1)
      return mt_error (ev->err, MT_E_PARAMETER, "invalid value for parameter \"endoption\": %d",
                       (int) behind_it);
   Regex *r = get_regex (ev, a[1], f);
   if (!r || !find_nth (ev, r, a[0], &of))
      return false;
   *out = mt_v_int32 (
      of.found ? (int32_t) mt_utf8_length ((const char *) a[0].p, behind_it ? of.to : of.from) + 1
               : 0);
   return true;
}

/* Computes regexp_substr. Arguments: text, pattern [, start [, N [, flags [, subexpr]]]]. */
static bool fn_regexp_substr (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtRegexFlags f = plain;
   Nth of = {.start = 1, .number = 1};
   if ((n > 2 && !parameter (ev, a[2], "start", 1, &of.start)) ||
       (n > 3 && !parameter (ev, a[3], "n", 1, &of.number)) ||
       (n > 4 && (!read_flags (ev, a[4], &f) || !no_global (ev, &f, "regexp_substr()"))) ||
       (n > 5 && !parameter (ev, a[5], "subexpr", 0, &of.group)))
      return false;
   Regex *r = get_regex (ev, a[1], f);
   if (!r || !find_nth (ev, r, a[0], &of))
      return false;
   *out = of.found
             ? mt_v_copy (ev->arena, mt_v_str ((const char *) a[0].p + of.from, of.to - of.from))
             : mt_v_null ();
   return true;
}

static bool first_group (MtEval *ev, Regex *r, MtVal text, MtVal *out)
{
   bool found;
   if (!find (ev, r, text, 0, &found))
      return false;
   *out = mt_v_null ();
   if (!found)
      return true;
   const PCRE2_SIZE *v = r->spans;
   int g = r->groups > 1;
   if (v[2 * g] != PCRE2_UNSET)
      *out = mt_v_copy (ev->arena,
                        mt_v_str ((const char *) text.p + v[2 * g], v[2 * g + 1] - v[2 * g]));
   return true;
}

/* Computes substring (text from pattern): the first group, or the whole match if there are no
 * groups; NULL if there is no match. */
static bool fn_regex_substring (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Regex *r = get_regex (ev, a[1], plain);
   return r && first_group (ev, r, a[0], out);
}

/* ---- SIMILAR TO ---- */

/* Conversion of an SQL pattern (SIMILAR TO) to a regular expression. A separator is the escape
 * character followed by a double quote; substring returns the text between two separators. */
typedef struct Similar {
   MtBuf b;
   int parts; /* number of separators so far */
   bool in_brackets, first_in_brackets;
} Similar;

/* Converts one character. Before the first separator, quantifiers become lazy, because that part of
 * the pattern must match as little as possible. */
static void similar_char (Similar *s, char c)
{
   if (s->in_brackets) {
      if (c == '\\')
         mt_buf_addc (&s->b, '\\');
      mt_buf_addc (&s->b, c);
      s->in_brackets = c != ']' || s->first_in_brackets;
      s->first_in_brackets = s->first_in_brackets && c == '^';
      return;
   }
   switch (c) {
   case '[':
      s->in_brackets = s->first_in_brackets = true;
      mt_buf_addc (&s->b, c);
      break;
   case '%': mt_buf_adds (&s->b, s->parts ? ".*" : ".*?"); break;
   case '_': mt_buf_addc (&s->b, '.'); break;
   case '(': mt_buf_adds (&s->b, "(?:"); break;
   case '\\':
   case '.':
   case '^':
   case '$': mt_buf_printf (&s->b, "\\%c", c); break;
   default:
      mt_buf_addc (&s->b, c);
      if (!s->parts && strchr ("*+?}", c))
         mt_buf_addc (&s->b, '?');
      break;
   }
}

static bool similar_escaped (MtEval *ev, Similar *s, char c)
{
   if (c != '"' || s->in_brackets) {
      mt_buf_printf (&s->b, "\\%c", c);
      return true;
   }
   if (++s->parts > 2)
      return mt_error (
         ev->err, MT_E_ESCAPE_CHARACTER,
         "SQL regular expression may not contain more than two escape-double-quote separators");
   mt_buf_adds (&s->b, s->parts == 1 ? ")(" : ")(?:");
   return true;
}

/* Converts an SQL pattern (SIMILAR TO) to a regular expression in PostgreSQL's syntax. */
static bool similar_pattern (MtEval *ev, MtVal pattern, MtVal escape, MtVal *out)
{
   Similar s = {.parts = 0};
   bool ok = true;
   if (mt_utf8_length ((const char *) escape.p, escape.len) > 1) {
      mt_error (ev->err, MT_E_BAD_ESCAPE, "invalid escape string");
      return mt_error_hint (ev->err, "Escape string must be empty or one character.");
   }
   mt_buf_adds (&s.b, "^(?:");
   for (uint32_t i = 0; i < pattern.len && ok; i++) {
      bool escaped = escape.len && pattern.len - i >= escape.len &&
                     memcmp (pattern.p + i, escape.p, escape.len) == 0;
      if (!escaped)
         similar_char (&s, (char) pattern.p[i]);
      else if ((i += escape.len) < pattern.len)
         ok = similar_escaped (ev, &s, (char) pattern.p[i]);
   }
   mt_buf_adds (&s.b, ")$");
   *out = mt_text_result (ev, &s.b);
   return ok;
}

static bool fn_similar (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal pattern;
   bool found;
   if (!similar_pattern (ev, a[1], a[2], &pattern))
      return false;
   Regex *r = get_regex (ev, pattern, plain);
   if (!r || !is_there (ev, r, a[0], &found))
      return false;
   *out = mt_v_bool (found);
   return true;
}

static bool fn_similar_substring (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal pattern;
   if (!similar_pattern (ev, a[1], a[2], &pattern))
      return false;
   Regex *r = get_regex (ev, pattern, plain);
   return r && first_group (ev, r, a[0], out);
}

/* ---- arrays and sets ---- */

static void put_part (MtEval *ev, MtVals *parts, MtVal text, size_t from, size_t to)
{
   mt_vals_add (parts, ev->arena,
                mt_v_copy (ev->arena, mt_v_str ((const char *) text.p + from, to - from)));
}

/* Sets *out to the array of the match's groups, or of the whole match if the pattern has no
 * groups. */
static bool groups_of (MtEval *ev, const Regex *r, MtVal text, MtVal *out)
{
   MtVals f = {0};
   const PCRE2_SIZE *v = r->spans;
   for (uint32_t g = r->groups > 1; g < r->groups; g++)
      if (v[2 * g] == PCRE2_UNSET)
         mt_vals_add (&f, ev->arena, mt_v_null ());
      else
         put_part (ev, &f, text, v[2 * g], v[2 * g + 1]);
   return mt_v_make_array (ev->arena, f.v, f.n, out, ev->err);
}

/* Computes regexp_match: the groups of the first match. Arguments: text, pattern [, flags]. If
 * MT_USER (ev) is 1, regexp_matches: the groups of the first match as a set, or with flag g of all
 * matches. */
static bool fn_regexp_match (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtRegexFlags f = plain;
   MtVals all = {0};
   bool found = false, set = MT_USER (ev), ok = true;
   MtVal one;
   *out = mt_v_null ();
   if (n > 2 && !read_flags (ev, a[2], &f))
      return false;
   if (!set && f.global) {
      no_global (ev, &f, "regexp_match()");
      return mt_error_hint (ev->err, "Use the regexp_matches function instead.");
   }
   Regex *r = get_regex (ev, a[1], f);
   for (size_t at = 0; r && at <= a[0].len && (ok = find (ev, r, a[0], at, &found)) && found;
        at = behind (r, a[0])) {
      if (!groups_of (ev, r, a[0], &one))
         return false;
      if (!set)
         *out = one;
      mt_vals_add (&all, ev->arena, one);
      if (!f.global)
         break;
   }
   return r && ok && (!set || mt_v_make_array (ev->arena, all.v, all.n, out, ev->err));
}

/* Computes regexp_split_to_array, or if MT_USER (ev) is 1, regexp_split_to_table: splits a text at
 * the matches. Arguments: text, pattern [, flags]. Empty matches at the ends of the text, and
 * directly behind another match, are ignored. */
static bool fn_regexp_split (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtRegexFlags f = plain;
   MtVals parts = {0};
   size_t begin = 0, last = 0;
   bool found = false, ok = true;
   if (n > 2 &&
       (!read_flags (ev, a[2], &f) ||
        !no_global (ev, &f, MT_USER (ev) ? "regexp_split_to_table()" : "regexp_split_to_array()")))
      return false;
   Regex *r = get_regex (ev, a[1], f);
   for (size_t at = 0; r && at <= a[0].len && (ok = find (ev, r, a[0], at, &found)) && found;
        at = behind (r, a[0])) {
      const PCRE2_SIZE *v = r->spans;
      if (v[1] > 0 && v[0] < a[0].len && v[1] > last) {
         put_part (ev, &parts, a[0], begin, v[0]);
         begin = v[1];
      }
      last = v[1];
   }
   if (!r || !ok)
      return false;
   put_part (ev, &parts, a[0], begin, a[0].len);
   return mt_v_make_array (ev->arena, parts.v, parts.n, out, ev->err);
}

#define OP2(name, user, opname, what, ex) \
   MT_ROW (name, "text, text -> bool", MT_F_OPERATOR | MT_NN, NULL, MT_OPN (opname, regex, user), \
           what, ex)
#define REPLACE(sig, what, ex) \
   MT_ROW ("regexp_replace", "text, pattern text, replacement text" sig " -> text", MT_NN, NULL, \
           MT_OPN ("regexp_replace", regexp_replace, 0), what, ex)
#define COUNT(sig, ex) \
   MT_ROW ("regexp_count", "text, pattern text" sig " -> int4", MT_NN, NULL, \
           MT_OPN ("regexp_count", regexp_count, 0), "number of matches of a regular expression", \
           ex)
#define INSTR(sig, ex) \
   MT_ROW ("regexp_instr", "text, pattern text" sig " -> int4", MT_NN, NULL, \
           MT_OPN ("regexp_instr", regexp_instr, 0), \
           "position of the Nth match (endoption 1: after the match), or 0", ex)
#define SUBSTR(sig, ex) \
   MT_ROW ("regexp_substr", "text, pattern text" sig " -> text", 0, NULL, \
           MT_OPN ("regexp_substr", regexp_substr, 0), "Nth match, or one of its groups", ex)

#define MATCH(sig, ex, set_ex) \
   MT_ROW ("regexp_match", "text, pattern text" sig " -> text[]", MT_F_FLAT, NULL, \
           MT_OPN ("regexp_match", regexp_match, 0), "groups of the first match", ex), \
      MT_ROW_SET ("regexp_matches", "text, pattern text" sig " -> text[]", 0, NULL, NULL, \
                  MT_OPN ("regexp_matches", regexp_match, 1), \
                  "groups of the first match; flag g: of every match", set_ex)
#define SPLIT(sig, ex, set_ex) \
   MT_ROW ("regexp_split_to_array", "text, pattern text" sig " -> text[]", MT_NN | MT_F_FLAT, \
           NULL, MT_OPN ("regexp_split", regexp_split, 0), "parts of a text between matches", ex), \
      MT_ROW_SET ("regexp_split_to_table", "text, pattern text" sig " -> text", 0, NULL, NULL, \
                  MT_OPN ("regexp_split_rows", regexp_split, 1), \
                  "parts of a text between matches, as rows", set_ex)

const MtFunc mt_fn_regex[] = {
   MT_ROW_KIND (REGEX, "~", "text, text -> bool", MT_F_OPERATOR | MT_NN, NULL,
                MT_OPN ("regex", regex, 0), "whether the text matches a regular expression",
                "SELECT 'thomas' ~ 't.*ma' => t"),
   OP2 ("!~", 2, "not_regex", "whether the text does not match a regular expression",
        "SELECT 'thomas' !~ 't.*max' => t"),
   OP2 ("~*", 1, "iregex", "whether the text matches a regular expression, ignoring case",
        "SELECT 'thomas' ~* 'T.*ma' => t"),
   OP2 ("!~*", 3, "not_iregex",
        "whether the text does not match a regular expression, ignoring case",
        "SELECT 'thomas' !~* 'T.*ma' => f"),
   REPLACE (", flags text",
            "text with the first match replaced; flag g: all matches, i: ignore case",
            "SELECT regexp_replace('foobar', 'o', 'x', 'g') => fxxbar"),
   REPLACE (
      ", start int4, N int4, flags text", "text with the Nth match replaced; 0: all matches",
      "SELECT regexp_replace('A PostgreSQL function', 'a|e|i|o|u', 'X', 1, 0, 'i') => X PXstgrXSQL "
      "fXnctXXn"),
   MT_ROW ("regexp_like", "text, pattern text, flags text -> bool", MT_NN, NULL,
           MT_OPN ("regexp_like", regexp_like, 0), "whether the text matches a regular expression",
           "SELECT regexp_like('Hello World', 'world$', 'i') => t"),
   COUNT (", start int4, flags text", "SELECT regexp_count('ABCABC', 'b', 3, 'i') => 1"),
   INSTR (", start int4, N int4, endoption int4, flags text, subexpr int4",
          "SELECT regexp_instr('ABCDEFGHI', '(c..)(...)', 1, 1, 0, 'i', 2) => 6"),
   SUBSTR (", start int4, N int4, flags text, subexpr int4",
           "SELECT regexp_substr('ABCDEFGHI', '(c..)(...)', 1, 1, 'i', 2) => FGH"),
   MATCH ("", "SELECT regexp_match('foobarbequebaz', '(bar)(beque)') => {bar,beque}",
          "SELECT regexp_matches('foobarbequebaz', 'ba.') => {bar}"),
   MATCH (", flags text", "SELECT regexp_match('FooBar', 'o+b', 'i') => {ooB}",
          "SELECT regexp_matches('foobarbequebaz', 'ba.', 'g') => {bar}"),
   SPLIT ("", "SELECT regexp_split_to_array('hello world', '\\s+') => {hello,world}",
          "SELECT regexp_split_to_table('hello world', '\\s+') => hello"),
   SPLIT (", flags text", "SELECT regexp_split_to_array('1A2a3', 'a', 'i') => {1,2,3}",
          "SELECT regexp_split_to_table('1A2', 'a', 'i') => 1"),
   MT_ROW ("substring", "text, pattern text -> text", 0, NULL,
           MT_OPN ("regex_substring", regex_substring, 0), "part that matches a regular expression",
           "SELECT substring('Thomas' FROM '...$') => mas"),
   MT_ROW ("substring", "text, pattern text, escape text -> text", 0, NULL,
           MT_OPN ("similar_substring", similar_substring, 0),
           "part that matches an SQL regular expression between its separators",
           "SELECT substring('Thomas' SIMILAR '%#\"o_a#\"_' ESCAPE '#') => oma"),
   MT_ROW ("$similar", "text, text, text -> bool", MT_NN, NULL, MT_OPN ("similar", similar, 0),
           "SIMILAR TO", "SELECT 'abc' SIMILAR TO '%(b|d)%' => t"),
   {.name = NULL},
};
