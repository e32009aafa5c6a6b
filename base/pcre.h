/* Regular expressions by PCRE2. A match polls for cancel and for statement_timeout, however long it
 * takes. PCRE2's memory is served as base/memory.h says: an expression that needs much fails with
 * the shortage recorded. */
#ifndef MT_PCRE_H
#define MT_PCRE_H

#include "base/str.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <stdbool.h>

struct MtCancel;
struct MtError;

/* A compiled expression, for one thread at a time. Owned: mt_pcre_free. */
typedef struct MtPcre {
   pcre2_code *code;
   /* `code` with a callout before each item. Compiled at the first match that needs it. */
   pcre2_code *watched;
   /* Like `watched`, for valid UTF-8 only. Compiled at the first DFA search that needs it. */
   pcre2_code *exact;
   pcre2_match_data *match; /* the positions of the last match and of its groups */
   char *pattern;
   size_t pattern_len;
   uint32_t options;
   /* Set by the owner if the order of the search can't change whether the text matches. A DFA may
    * then repeat a long search. */
   bool any_order;
} MtPcre;

/* The conditions that end a match early. If at_callout isn't NULL, it is called for callouts in the
 * pattern, such as (?C1). */
typedef struct MtPcreWatch {
   const struct MtCancel *cancel; /* may be NULL */
   struct MtError *err;           /* set when the match was cancelled; borrowed, not NULL */
   int (*at_callout) (pcre2_callout_block *block, void *ctx);
   void *ctx;
   uint32_t most_steps; /* the limit of steps at one position of the text; 0: PCRE2's own limit */
   unsigned polls;      /* counts calls of the callout; only the callout uses it */
} MtPcreWatch;

/* Compiles a pattern. Returns 0, or PCRE2's error code; *at is then the offset of the error in the
 * pattern, and *p is all zeros. */
int mt_pcre_new (MtPcre *p, MtStr pattern, uint32_t options, size_t *at);
void mt_pcre_free (MtPcre *p); /* zeros are allowed */

/* Finds the first match from byte `from` on. The result is pcre2_match's, and p->match has the
 * groups. PCRE2_ERROR_CALLOUT: the search was cancelled, and w->err is set. */
int mt_pcre_match (MtPcre *p, MtStr text, size_t from, uint32_t options, MtPcreWatch *w);
/* Tests for a match. Returns 0 or more, PCRE2_ERROR_NOMATCH, or an error of mt_pcre_match. If
 * p->any_order is set, a DFA repeats a search that backtracks too much, so the search has no limit
 * of steps. */
int mt_pcre_test (MtPcre *p, MtStr text, MtPcreWatch *w);
/* Like mt_pcre_match, by pcre2_dfa_match. A DFA never backtracks, finds no groups, and refuses
 * back-references. */
int mt_pcre_dfa_match (MtPcre *p, MtStr text, size_t from, uint32_t options, MtPcreWatch *w);

#endif
