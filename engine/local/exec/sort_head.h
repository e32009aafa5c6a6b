/* Heads of rows: a 128-bit number made of the first bits of a row's sort keys. Most comparisons of
 * rows need to compare only their heads. */
#ifndef MT_SORT_HEAD_H
#define MT_SORT_HEAD_H

#include "base/value.h"

typedef struct MtSortHead {
   uint64_t high, low;
} MtSortHead;

/* The form of the heads of some rows. It depends on the keys of all of them. */
typedef struct MtSortForm {
   /* How many of the leading keys are tiny in all rows: integers from -8 to 7. For example, the
    * rank of NULL, which SQL's sorting adds before a key, is tiny. */
   uint32_t tiny;
   /* How many of the leading keys are plain in all rows: 64 bits hold their values exactly. Tiny
    * keys are plain, too. */
   uint32_t plain;
   bool exact; /* rows with equal heads have equal keys */
} MtSortForm;

/* Returns the form for no rows, which have `count` keys. */
MtSortForm mt_sort_form (uint32_t count);
/* Changes the form so that a row with these keys may have a head of this form, too. Returns true if
 * that changed `tiny` or `plain`. The caller must then compute the heads of all rows again. */
bool mt_sort_admit (MtSortForm *form, const MtVal *keys);
/* Returns the head of a row. The form must have admitted its `count` keys. dirs: 1 (ascending) or
 * -1 for each key. Clears form->exact if the head does not determine the keys. The row with the
 * smaller head sorts first. If two heads are equal and not exact, all keys must be compared. */
MtSortHead mt_sort_head (MtSortForm *form, const MtVal *keys, const int8_t *dirs, uint32_t count);

#endif
