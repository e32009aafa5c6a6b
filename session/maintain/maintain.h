/* CHECK, REPAIR, VACUUM. */
#ifndef MT_SESSION_MAINTAIN_H
#define MT_SESSION_MAINTAIN_H

#include "session/core/core.h"

/* Of a document of a partition: *strays, whether it has rows of another one's time, *time. No
 * condition on the time finds them there. */
typedef struct MtStray {
   bool strays;
   int64_t time;
} MtStray;

bool mt_document_strays (MtArena *a, const MtTable *t, const MtLeafWay *w, const MtPartition *p,
                         const bson_t *doc, MtStray *out, MtError *err);

/* Whether REPAIR brings them to where they belong: it makes the store again, of the one that is
 * right (NULL: there is none). Others' documents stay, and, in process, rows of which everything is
 * made. */
bool mt_strays_move (const MtSession *s, const MtLeafWay *right, const MtLeafWay *w);

/* The way to a store's leaves; NULL: it has none. */
const MtLeafWay *mt_way_of_store (const MtLeafWay *ways, size_t count, size_t layout, size_t store);

/* How many leaves differ between two ways, of which the first is right; each is given to `found`
 * (NULL: not). stored and expected: text, NULL where nothing is. */
typedef struct MtDifference {
   const MtLeafWay *way;
   MtVal document; /* _id of a document that has it; MT_MISSING: there is none */
   const char *cell, *what, *stored, *expected;
} MtDifference;

typedef void (*MtFoundDifference) (void *ctx, const MtDifference *d);

bool mt_compare_leaves (MtStatement *st, const MtTable *t, const MtLeafWay *right,
                        const MtLeafWay *other, MtFoundDifference found, void *ctx, uint64_t *count,
                        MtError *err);

/* Whether two ways have enough in common to be compared. */
bool mt_comparable (const MtLeafWay *right, const MtLeafWay *other);

bool mt_run_preallocate (MtStatement *st, MtError *err); /* session/maintain/preallocate.c */
bool mt_run_check (MtStatement *st, MtError *err);       /* session/maintain/check.c */
bool mt_run_repair (MtStatement *st, MtError *err);      /* session/maintain/repair.c */
bool mt_run_vacuum (MtStatement *st, MtError *err);      /* session/maintain/vacuum.c */

#endif
