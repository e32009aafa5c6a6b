/* Regular expressions, by PCRE2. A long match checks for cancel and for statement_timeout. PCRE2
 * allocates memory as base/memory.h describes: if an expression needs too much, the call fails and
 * the shortage is recorded. */
#ifndef MT_PCRE_H
#define MT_PCRE_H

#include "base/str.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <stdbool.h>

struct MtCancel;
struct MtError;

/* A compiled regular expression. One thread at a time may use it. The owner frees it:
 * mt_pcre_free. */
typedef struct MtPcre {
   pcre2_code *code;
   /* Like `code`, with a callout before each item of the pattern, to check for cancel. Compiled
    * when it is first needed. */
   pcre2_code *watched;
   /* Like `watched`, but only for texts that are valid UTF-8. Compiled when it is first needed, by
    * a DFA search. */
   pcre2_code *exact;
   pcre2_match_data *match; /* the positions of the last match and of its groups */
   char *pattern;
   size_t pattern_len;
   uint32_t options;
   /* Set by the owner if the pattern matches a text or not whatever the order in which alternatives
    * are tried. Then a DFA may repeat a search that takes too long. */
   bool any_order;
} MtPcre;

/* Settings of a search: when it ends early, and a callback. If at_callout isn't NULL, it is called
 * for callouts in the pattern, such as (?C1). */
typedef struct MtPcreWatch {
   const struct MtCancel *cancel; /* may be NULL */
   struct MtError *err;           /* set when the match was cancelled; borrowed, not NULL */
   int (*at_callout) (pcre2_callout_block *block, void *ctx);
   void *ctx;
   uint32_t most_steps; /* the limit of steps at one position of the text; 0: PCRE2's own limit */
   unsigned polls;      /* counts calls of the callout; only the callout uses it */
} MtPcreWatch;

/* Compiles a pattern. Returns 0, or PCRE2's error code. On error, *at is the offset of the error in
 * the pattern, and *p is all zeros. */
int mt_pcre_new (MtPcre *p, MtStr pattern, uint32_t options, size_t *at);
void mt_pcre_free (MtPcre *p); /* zeros are allowed */

/* Finds the first match from byte `from` on. Returns the result of pcre2_match; p->match then
 * contains the positions of the match and its groups. PCRE2_ERROR_CALLOUT: the search was
 * cancelled, and w->err is set. */
int mt_pcre_match (MtPcre *p, MtStr text, size_t from, uint32_t options, MtPcreWatch *w);
/* Returns whether the text matches: 0 or more, PCRE2_ERROR_NOMATCH, or an error of mt_pcre_match.
 * If a search backtracks too often and p->any_order is set, a DFA repeats it, which needs no limit
 * of steps. */
int mt_pcre_test (MtPcre *p, MtStr text, MtPcreWatch *w);
/* Like mt_pcre_match, by means of pcre2_dfa_match. A DFA never backtracks, but it finds no groups
 * and can't handle back-references. */
int mt_pcre_dfa_match (MtPcre *p, MtStr text, size_t from, uint32_t options, MtPcreWatch *w);

#endif
