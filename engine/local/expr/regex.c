/* Regular expressions as in mongod: options, errors, and the choice of the search algorithm. */
#include "engine/local/expr/regex.h"
#include "base/error.h"

#include <string.h>

static bool flags_of (const char *name, MtStr options, uint32_t *flags, MtError *err)
{
   *flags = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
   for (size_t i = 0; i < options.n; i++)
      switch (options.p[i]) {
      case 'i': *flags |= PCRE2_CASELESS; break;
      case 'm': *flags |= PCRE2_MULTILINE; break;
      case 's': *flags |= PCRE2_DOTALL; break;
      case 'x': *flags |= PCRE2_EXTENDED; break;
      case 'u': break;
      default:
         return mt_error_coded (err, MT_E_PARAMETER, 51108, "%s: invalid flag in regex options: %c",
                                name, options.p[i]);
      }
   return true;
}

static bool is_one_of (char c, const char *set) { return c && strchr (set, c); }

/* Returns whether the group at p[i], which begins with "(?", is simple: it only groups, looks ahead
 * or behind, or sets the flags i, m and s. */
static bool is_plain_group (MtStr p, size_t i)
{
   while (i < p.n && is_one_of (p.p[i], "ims-"))
      i++;
   return i < p.n && is_one_of (p.p[i], ":=!<)");
}

/* Returns whether a DFA search finds a match for exactly the same texts as backtracking. This is
 * not so for atomic groups, possessive quantifiers and verbs, which depend on the order of the
 * search. Also returns false if the pattern only has a literal text that looks like one of them. */
static bool any_order (MtStr p, uint32_t flags)
{
   /* The loop below can't handle patterns in which spaces are ignored. */
   if (flags & PCRE2_EXTENDED)
      return false;
   for (size_t i = 0; i + 1 < p.n; i++) {
      if (p.p[i] == '(' && (p.p[i + 1] == '*' || (p.p[i + 1] == '?' && !is_plain_group (p, i + 2))))
         return false;
      if (p.p[i + 1] == '+' && is_one_of (p.p[i], "*+?}"))
         return false;
   }
   return true;
}

bool mt_regex_new (MtPcre *out, const char *name, MtStr pattern, MtStr options, MtError *err)
{
   uint32_t flags;
   size_t at;
   PCRE2_UCHAR text[160];
   if (!flags_of (name, options, &flags, err))
      return false;
   int code = mt_pcre_new (out, pattern, flags, &at);
   if (code == PCRE2_ERROR_NOMEMORY)
      return mt_error (err, MT_E_OUT_OF_MEMORY, "out of memory");
   if (code) {
      pcre2_get_error_message (code, text, sizeof text);
      return mt_error_coded (err, MT_E_REGULAR_EXPRESSION,
                             strcmp (name, "$regex") == 0 ? 51091 : 51111,
                             "%s: invalid regular expression: %s at offset %zu", name,
                             (const char *) text, at);
   }
   out->any_order = any_order (pattern, flags);
   pcre2_jit_compile (out->code, PCRE2_JIT_COMPLETE); /* if this fails, matching still works */
   return true;
}

bool mt_regex_ended (int rc, const char *name, bool *found, MtError *err)
{
   *found = rc >= 0;
   if (rc >= 0 || rc == PCRE2_ERROR_NOMATCH)
      return true;
   if (rc == PCRE2_ERROR_CALLOUT) /* the statement was cancelled; *err is set */
      return false;
   if (rc == PCRE2_ERROR_NOMEMORY)
      return mt_error (err, MT_E_OUT_OF_MEMORY, "out of memory");
   if (rc == PCRE2_ERROR_MATCHLIMIT)
      return mt_error (err, MT_E_TOO_COMPLEX, "%s: the regular expression backtracks too much",
                       name);
   return mt_error (err, MT_E_LIMIT, "%s: matching the regular expression failed with error %d",
                    name, rc);
}

bool mt_regex_test (MtPcre *p, const char *name, MtStr text, MtEval *ev, bool *found)
{
   MtPcreWatch watch = {.cancel = ev->cancel, .err = ev->err};
   return mt_regex_ended (mt_pcre_test (p, text, &watch), name, found, ev->err);
}
