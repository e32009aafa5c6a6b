#include "layouts/collections/partition.h"
#include "base/memory.h"
#include "types/datetime.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Returns the name of the partition that begins at `start`: calls_2024_01 for a month,
 * calls_2024_01_31 for a day. Years have at least four digits. */
static const char *name_of (MtArena *a, const MtStoreDesc *s, int64_t start)
{
   int64_t y;
   int m, d;
   mt_civil_from_days (mt_floor_div (start, MT_DAY_MS), &y, &m, &d);
   const char *month = mt_printf (a, "%s_%s%04lld_%02d", s->collection, y < 0 ? "-" : "",
                                  (long long) (y < 0 ? -y : y), m);
   return s->parts->unit == MT_UNIT_MONTH ? month : mt_printf (a, "%s_%02d", month, d);
}

MtPartition mt_partition_of (MtArena *a, const MtStoreDesc *s, int64_t ms)
{
   int64_t start = mt_utc_floor (ms, s->parts->unit);
   return (MtPartition) {name_of (a, s, start), start, mt_utc_next (start, s->parts->unit)};
}

/* Reads '_' and a number of `least` to `most` digits at *p, and moves *p behind them. Returns false
 * if there is anything else. */
static bool take_number (const char **p, size_t least, size_t most, int64_t *out)
{
   if (**p != '_')
      return false;
   const char *digits = ++*p;
   bool minus = *digits == '-' && least == 4;
   digits += minus;
   size_t n = strspn (digits, "0123456789");
   *out = strtoll (digits, NULL, 10) * (minus ? -1 : 1);
   *p = digits + n;
   return n >= least && n <= most && (n == least || *digits != '0') &&
          !(minus && *out == 0); /* refuses a second form of a number, such as -0 */
}

/* Sets *start to the time at which a partition begins, as its collection's name says. Returns false
 * if the collection is not a partition of the store. */
static bool read_name (const MtStoreDesc *s, const char *collection, int64_t *start)
{
   size_t n = strlen (s->collection);
   const char *p = collection + n;
   int64_t y, m, d = 1;
   if (strncmp (collection, s->collection, n) != 0 || !take_number (&p, 4, 6, &y) ||
       !take_number (&p, 2, 2, &m) ||
       (s->parts->unit == MT_UNIT_DAY && !take_number (&p, 2, 2, &d)) || *p || m < 1 || m > 12 ||
       d < 1 || d > 31)
      return false;
   int64_t days = mt_days_from_civil (y, (int) m, (int) d), y2;
   int m2, d2;
   mt_civil_from_days (days, &y2, &m2, &d2);
   *start = days * MT_DAY_MS;
   return y2 == y && m2 == m && d2 == d; /* refuses dates that do not exist, such as February 30 */
}

bool mt_store_owns (const MtStoreDesc *s, const char *collection)
{
   int64_t start;
   return s->parts ? read_name (s, collection, &start) : strcmp (s->collection, collection) == 0;
}

bool mt_store_nearly_owns (const MtStoreDesc *s, const char *collection)
{
   size_t n = strlen (s->collection), digits = 0;
   const char *p = collection + n;
   if (!s->parts || strncmp (collection, s->collection, n) != 0)
      return false;
   for (; *p && strchr ("0123456789_-.", *p); p++)
      digits += *p >= '0' && *p <= '9';
   return !*p && digits >= 4 && !mt_store_owns (s, collection);
}

/* ---- the list of partitions ---- */

static int by_time (const void *a, const void *b)
{
   const MtPartition *x = a, *y = b;
   return (x->start_ms > y->start_ms) - (x->start_ms < y->start_ms);
}

static bool same (const MtPartitions *p, const MtPartition *list, size_t count)
{
   bool yes = p->count == count;
   for (size_t i = 0; i < count && yes; i++)
      yes = p->list[i].start_ms == list[i].start_ms;
   return yes;
}

static void look (const MtStoreDesc *s, const char **names, size_t count)
{
   MtPartitions *p = s->parts;
   MtPartition *list = mt_calloc ("partitions", count + 1, sizeof *list);
   size_t n = 0;
   int64_t start;
   for (size_t i = 0; i < count; i++)
      if (read_name (s, names[i], &start))
         list[n++] = (MtPartition) {names[i], start, mt_utc_next (start, p->unit)};
   qsort (list, n, sizeof *list, by_time);
   if (!same (p, list, n)) { /* a new list, because others may still use the old one */
      p->list = MT_NEW_N (p->arena, MtPartition, n + 1);
      p->count = n;
      for (size_t i = 0; i < n; i++)
         p->list[i] = (MtPartition) {mt_strdup (p->arena, list[i].collection), list[i].start_ms,
                                     list[i].end_ms};
   }
   free (list);
}

typedef void (*EachStore) (const MtStoreDesc *s, const char **names, size_t count);

static bool each_partitioned (const MtTable *const *tables, size_t count, EachStore what,
                              const char **names, size_t name_count)
{
   bool any = false;
   for (size_t i = 0; i < count; i++)
      for (size_t j = 0; j < tables[i]->layout_count; j++)
         for (size_t k = 0; k < tables[i]->layouts[j].store_count; k++) {
            const MtStoreDesc *s = &tables[i]->layouts[j].stores[k];
            any = any || s->parts;
            if (s->parts && what)
               what (s, names, name_count);
         }
   return any;
}

bool mt_has_partitions (const MtTable *const *tables, size_t count)
{
   return each_partitioned (tables, count, NULL, NULL, 0);
}

bool mt_partitions_look (MtEngine *e, const MtTable *const *tables, size_t count, MtError *err)
{
   const char **names;
   size_t n;
   if (!each_partitioned (tables, count, NULL, NULL, 0))
      return true;
   MtArena *a = mt_arena_new ("partitions", NULL);
   bool ok = mt_engine_collections (e, a, &names, &n, err);
   if (ok)
      each_partitioned (tables, count, look, names, n);
   mt_arena_free (a);
   return ok;
}

/* ---- a store's collections ---- */

const char *const *mt_store_collections_of (MtArena *a, const MtStoreDesc *s, size_t *count)
{
   *count = s->parts ? s->parts->count : 1;
   const char **out = MT_NEW_N (a, const char *, *count + 1);
   out[0] = s->collection;
   for (size_t i = 0; s->parts && i < *count; i++)
      out[i] = s->parts->list[i].collection;
   return out;
}

MtStoreDesc mt_store_alone (const MtStoreDesc *s, const char *collection)
{
   MtStoreDesc alone = *s;
   alone.collection = collection;
   alone.parts = NULL;
   return alone;
}
