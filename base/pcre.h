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
   /* the same with a callout before each of its items; made for the first match that needs it */
   pcre2_code *watched;
   /* watched, for texts of valid UTF-8 alone; made for the first DFA search, if that has to have
    * it */
   pcre2_code *exact;
   pcre2_match_data *match; /* where the last match and its groups lie */
   char *pattern;
   size_t pattern_len;
   uint32_t options;
   /* set by the owner: the order of the search doesn't decide whether there is a match */
   bool any_order;
} MtPcre;

/* What ends a match before its time. A callout of the pattern's own, such as (?C1), goes to
 * at_callout when that isn't NULL. */
typedef struct MtPcreWatch {
   const struct MtCancel *cancel; /* NULL: nobody cancels */
   struct MtError *err;           /* set when the match was cancelled; borrowed, not NULL */
   int (*at_callout) (pcre2_callout_block *block, void *ctx);
   void *ctx;
   uint32_t most_steps; /* of the search at one place of the text; 0: PCRE2's own limit */
   unsigned polls;      /* for the callout alone */
} MtPcreWatch;

/* 0, or PCRE2's error code, with the byte of the pattern in *at. *p is then all zeros. */
int mt_pcre_new (MtPcre *p, MtStr pattern, uint32_t options, size_t *at);
void mt_pcre_free (MtPcre *p); /* zeros are allowed */

/* The first match from byte `from` on, as pcre2_match gives it: p->match has the groups.
 * PCRE2_ERROR_CALLOUT: it was cancelled, and w->err is set. */
int mt_pcre_match (MtPcre *p, MtStr text, size_t from, uint32_t options, MtPcreWatch *w);
/* Whether there is a match: at least 0, PCRE2_ERROR_NOMATCH, or an error of mt_pcre_match. It needs
 * no limit where any_order is set: a search that backtracks much is made by a DFA. */
int mt_pcre_test (MtPcre *p, MtStr text, MtPcreWatch *w);
/* The same as mt_pcre_match by pcre2_dfa_match, which never backtracks. It finds no groups, and
 * refuses back-references. */
int mt_pcre_dfa_match (MtPcre *p, MtStr text, size_t from, uint32_t options, MtPcreWatch *w);

#endif
