/* SpaceSaving: finds the most frequent values of a stream, with a limited number of counters.
 *
 * A value with a counter is counted. A value without a counter gets a free one. If none is free, it
 * takes over the counter with the least count; that count becomes the possible error of the new
 * value's count. With m counters and N values:
 * - The true count of a value with a counter is at least count - over, and at most count.
 * - The true count of any other value is at most the least count, and 0 while a counter is free.
 * - The sum of the counts is at most N, so the least count and each error are at most N / m.
 *
 * Sources: Metwally, Agrawal and El Abbadi, "Efficient computation of frequent and top-k elements
 * in data streams" (2005). Merging: Cafaro, Pulimeno and Tempesta, "A parallel space saving
 * algorithm for frequent items and the Hurwitz zeta distribution" (2016). Both keep the three
 * bounds. */
#ifndef MT_SPACESAVING_H
#define MT_SPACESAVING_H

#include "functions/timeseries/summary.h"

/* The maximum number of counters in a state: of values that are counted at the same time. */
#define MT_MAX_COUNTERS 200000

typedef struct MtCounter {
   MtKept value;
   uint64_t hash;
   int64_t count, over; /* over: the part of the count that may be other values */
   uint32_t place;      /* in the heap */
   uint32_t next;       /* in the chain of the bucket: the number of a counter, plus 1 */
} MtCounter;

/* The counters. All zeros: no values yet. Memory is allocated in the arena that is passed to the
 * functions below. */
typedef struct MtSpaceSaving {
   int64_t total; /* how many values were added */
   uint32_t room; /* how many counters there may be */
   MtCounter *counters;
   size_t count, cap;
   uint32_t *heap; /* numbers of counters; the first one is replaced next */
   size_t heap_cap;
   uint32_t *buckets; /* by hash: the number of a counter, plus 1; 0: none */
   uint32_t mask;
} MtSpaceSaving;

/* Adds a value, which must not be NULL. */
void mt_saving_add (MtArena *a, MtSpaceSaving *s, MtVal v);
/* Merges the counters of `from` into s. Both must have the same `room`. Fails with 22003 if there
 * are more than 2^63 values. */
bool mt_saving_merge (MtArena *a, MtSpaceSaving *s, const MtSpaceSaving *from, MtError *err);
/* Returns the counter of a value, or NULL if it has none. */
const MtCounter *mt_saving_find (const MtSpaceSaving *s, MtVal v);
/* Returns the greatest count that a value without a counter can have: the least of all counts, or 0
 * while a counter is free. */
int64_t mt_saving_least (const MtSpaceSaving *s);
/* Returns the counters sorted by descending count and then by value, in an array allocated in arena
 * a. */
const MtCounter **mt_saving_sorted (MtArena *a, const MtSpaceSaving *s);

/* Adds a counter from a stored state. Counters must be added in sorted order. Returns false if the
 * value already has one, or if there is no room. */
bool mt_saving_restore (MtArena *a, MtSpaceSaving *s, MtVal v, int64_t count, int64_t over);
/* Returns whether the counters satisfy the three bounds above. */
bool mt_saving_valid (const MtSpaceSaving *s);

#endif
