#include "functions/timeseries/spacesaving.h"

#include <stdlib.h>
#include <string.h>

/* ---- the order of counters ---- */

/* Compares counters: the one with the greater count comes first, then the one with the lesser
 * value. Of all counters, the one that comes last is the next to be reused for another value. */
static int compare (const MtCounter *a, const MtCounter *b)
{
   return a->count != b->count ? (a->count < b->count) - (a->count > b->count)
                               : mt_kept_compare (a->value.v, b->value.v);
}

static int by_rank (const void *a, const void *b)
{
   const MtCounter *const *x = a, *const *y = b;
   return compare (*x, *y);
}

const MtCounter **mt_saving_sorted (MtArena *a, const MtSpaceSaving *s)
{
   const MtCounter **list = MT_NEW_N (a, const MtCounter *, s->count + 1);
   for (size_t i = 0; i < s->count; i++)
      list[i] = &s->counters[i];
   qsort (list, s->count, sizeof *list, by_rank);
   return list;
}

/* ---- the heap ---- */

static bool before (const MtSpaceSaving *s, size_t i, size_t j)
{
   return compare (&s->counters[s->heap[i]], &s->counters[s->heap[j]]) > 0;
}

static void put (MtSpaceSaving *s, size_t place, uint32_t counter)
{
   s->heap[place] = counter;
   s->counters[counter].place = (uint32_t) place;
}

static void swap (MtSpaceSaving *s, size_t i, size_t j)
{
   uint32_t counter = s->heap[i];
   put (s, i, s->heap[j]);
   put (s, j, counter);
}

static void move_up (MtSpaceSaving *s, size_t i)
{
   for (; i && before (s, i, (i - 1) / 2); i = (i - 1) / 2)
      swap (s, i, (i - 1) / 2);
}

static void move_down (MtSpaceSaving *s, size_t i)
{
   for (size_t child; (child = 2 * i + 1) < s->count; i = child) {
      child += child + 1 < s->count && before (s, child + 1, child);
      if (!before (s, child, i))
         return;
      swap (s, i, child);
   }
}

/* ---- counters by value ---- */

static uint64_t hash_of (MtVal v) { return mt_v_hash (v, 0); }

static MtCounter *find (const MtSpaceSaving *s, MtVal v, uint64_t hash)
{
   if (!s->count)
      return NULL;
   for (uint32_t at = s->buckets[hash & s->mask]; at; at = s->counters[at - 1].next) {
      MtCounter *c = &s->counters[at - 1];
      if (c->hash == hash && mt_v_compare (c->value.v, v) == 0)
         return c;
   }
   return NULL;
}

const MtCounter *mt_saving_find (const MtSpaceSaving *s, MtVal v)
{
   return find (s, v, hash_of (v));
}

static void link_counter (MtSpaceSaving *s, uint32_t counter)
{
   uint32_t *bucket = &s->buckets[s->counters[counter].hash & s->mask];
   s->counters[counter].next = *bucket;
   *bucket = counter + 1;
}

static void unlink_counter (MtSpaceSaving *s, uint32_t counter)
{
   uint32_t *at = &s->buckets[s->counters[counter].hash & s->mask];
   while (*at != counter + 1)
      at = &s->counters[*at - 1].next;
   *at = s->counters[counter].next;
}

/* Makes room for one more counter. Returns false if memory is exhausted, which makes the statement
 * fail later. */
static bool grow (MtArena *a, MtSpaceSaving *s)
{
   if (!MT_TRY_GROW_IN (a, s->counters, s->count, s->cap, 8) ||
       !MT_TRY_GROW_IN (a, s->heap, s->count, s->heap_cap, 8))
      return false;
   if (s->buckets && s->count <= s->mask)
      return true;
   size_t n = s->buckets ? 2 * ((size_t) s->mask + 1) : 8;
   uint32_t *buckets = MT_TRY_NEW_N (a, uint32_t, n);
   if (!buckets)
      return false;
   s->buckets = buckets;
   s->mask = (uint32_t) n - 1;
   for (uint32_t i = 0; i < s->count; i++)
      link_counter (s, i);
   return true;
}

/* Adds a counter for the value v, which must not have one. */
static void append (MtArena *a, MtSpaceSaving *s, MtVal v, uint64_t hash, int64_t count,
                    int64_t over)
{
   if (!grow (a, s))
      return;
   MtCounter *c = &s->counters[s->count];
   *c = (MtCounter) {.hash = hash, .count = count, .over = over};
   mt_keep (a, &c->value, v);
   link_counter (s, (uint32_t) s->count);
   put (s, s->count, (uint32_t) s->count);
   s->count++;
   move_up (s, s->count - 1);
}

/* Reuses the counter at the heap's root for the value v. */
static void replace (MtArena *a, MtSpaceSaving *s, MtVal v, uint64_t hash, int64_t count,
                     int64_t over)
{
   uint32_t counter = s->heap[0];
   MtCounter *c = &s->counters[counter];
   unlink_counter (s, counter);
   mt_keep (a, &c->value, v);
   c->hash = hash;
   c->count = count;
   c->over = over;
   link_counter (s, counter);
   move_down (s, 0);
}

/* ---- adding ---- */

static bool is_full (const MtSpaceSaving *s) { return s->count >= s->room; }

int64_t mt_saving_least (const MtSpaceSaving *s)
{
   return is_full (s) && s->count ? s->counters[s->heap[0]].count : 0;
}

/* Equal values can have different forms, such as 1.0 and 1.00. Keeps the lesser form in c, so that
 * the result does not depend on the order of rows. */
static void keep_form (MtArena *a, MtCounter *c, MtVal v)
{
   if (mt_kept_compare (v, c->value.v) < 0)
      mt_keep (a, &c->value, v);
}

void mt_saving_add (MtArena *a, MtSpaceSaving *s, MtVal v)
{
   uint64_t hash = hash_of (v);
   MtCounter *c = find (s, v, hash);
   s->total++;
   if (c) {
      c->count++;
      keep_form (a, c, v);
      move_down (s, c->place);
   } else if (is_full (s)) {
      int64_t least = mt_saving_least (s);
      replace (a, s, v, hash, least + 1, least);
   } else
      append (a, s, v, hash, 1, 0);
}

/* ---- merging ---- */

/* When merging: adds the counter c of the other state, or lets it replace the last counter of s if
 * it comes before that one. `least` is the count that its value can have in s. */
static void offer (MtArena *a, MtSpaceSaving *s, const MtCounter *c, int64_t least)
{
   MtCounter sum = *c;
   sum.count += least;
   sum.over += least;
   if (!is_full (s))
      append (a, s, c->value.v, c->hash, sum.count, sum.over);
   else if (compare (&sum, &s->counters[s->heap[0]]) < 0)
      replace (a, s, c->value.v, c->hash, sum.count, sum.over);
}

/* When merging: adds to each counter of s the count of its value in `from`; or if it has no counter
 * there, the greatest count that it can have. */
static void add_counts (MtArena *a, MtSpaceSaving *s, const MtSpaceSaving *from)
{
   int64_t least = mt_saving_least (from);
   for (size_t i = 0; i < s->count; i++) {
      MtCounter *c = &s->counters[i];
      const MtCounter *other = find (from, c->value.v, c->hash);
      c->count += other ? other->count : least;
      c->over += other ? other->over : least;
      if (other)
         keep_form (a, c, other->value.v);
   }
   for (size_t i = s->count; i-- > 0;)
      move_down (s, i);
}

bool mt_saving_merge (MtArena *a, MtSpaceSaving *s, const MtSpaceSaving *from, MtError *err)
{
   int64_t least = mt_saving_least (s);
   if (__builtin_add_overflow (s->total, from->total, &s->total))
      return mt_error (err, MT_E_NUMERIC_RANGE, "bigint out of range");
   MtArena *scratch = mt_arena_new ("merge", NULL);
   const MtCounter **others = MT_NEW_N (scratch, const MtCounter *, from->count + 1);
   size_t n = 0;
   for (size_t i = 0; i < from->count; i++)
      if (!find (s, from->counters[i].value.v, from->counters[i].hash))
         others[n++] = &from->counters[i];
   add_counts (a, s, from);
   for (size_t i = 0; i < n; i++)
      offer (a, s, others[i], least);
   mt_arena_free (scratch);
   return true;
}

/* ---- stored counters ---- */

bool mt_saving_restore (MtArena *a, MtSpaceSaving *s, MtVal v, int64_t count, int64_t over)
{
   uint64_t hash = hash_of (v);
   MtCounter next = {.value = {.v = v}, .count = count};
   if (is_full (s) || find (s, v, hash) ||
       (s->count && compare (&s->counters[s->count - 1], &next) >= 0))
      return false;
   append (a, s, v, hash, count, over);
   return true;
}

bool mt_saving_valid (const MtSpaceSaving *s)
{
   int64_t least = mt_saving_least (s), left = s->total;
   for (size_t i = 0; i < s->count; i++) {
      const MtCounter *c = &s->counters[i];
      if (c->count < 1 || c->count > left || c->over < 0 || c->over >= c->count || c->over > least)
         return false;
      left -= c->count;
   }
   return s->count && s->room && (is_full (s) || !left);
}
