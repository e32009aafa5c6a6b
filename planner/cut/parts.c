#include "planner/cut/parts.h"

#include "engine/pipe.h"

#include <string.h>

#define RUNS_NAMED 5 /* EXPLAIN names at most this many groups of consecutive partitions */

/* Returns the number of partitions that overlap `ranges`, and copies them to `list` unless it is
 * NULL. Partitions and ranges are sorted by time. */
static size_t pick (const MtPartitions *all, MtRangeSet ranges, MtPartition *list)
{
   size_t count = 0;
   int r = 0;
   for (size_t i = 0; all && i < all->count; i++) {
      while (r < ranges.count && ranges.ranges[r].hi <= all->list[i].start_ms)
         r++;
      bool meets = r < ranges.count && ranges.ranges[r].lo < all->list[i].end_ms;
      if (meets && list)
         list[count] = all->list[i];
      count += meets;
   }
   return count;
}

size_t mt_parts_count (const MtStoreDesc *s, MtRangeSet ranges)
{
   return pick (s->parts, ranges, NULL);
}

MtParts mt_parts_of (MtArena *a, const MtStoreDesc *s, MtRangeSet ranges)
{
   MtPartition *list = MT_NEW_N (a, MtPartition, s->parts->count + 1);
   return (MtParts) {list, pick (s->parts, ranges, list), s->parts->count};
}

/* Appends the names of the partitions p to `text`, with consecutive ones abbreviated as "first to
 * last". After RUNS_NAMED such groups, only the last partition is named. */
static const char *names_of (MtArena *a, const MtStoreDesc *s, MtParts p, const char *text)
{
   const MtPartition *all = s->parts->list;
   size_t runs = 0;
   for (size_t i = 0, at = 0, end; i < p.count; i = end, runs++) {
      while (strcmp (all[at].collection, p.first[i].collection) != 0)
         at++;
      for (end = i + 1;
           end < p.count && strcmp (all[at + end - i].collection, p.first[end].collection) == 0;
           end++)
         ;
      if (runs == RUNS_NAMED)
         return mt_printf (a, "%s, …, %s", text, p.first[p.count - 1].collection);
      text = mt_printf (a, "%s%s%s%s%s", text ? text : "", text ? ", " : "", p.first[i].collection,
                        end - i > 1 ? " to " : "", end - i > 1 ? p.first[end - 1].collection : "");
   }
   return text;
}

void mt_parts_note (MtArena *a, const MtChoice *choice, const MtRangeSet *within,
                    MtCandidate *chosen)
{
   const char *text = NULL;
   for (int i = 0; i < choice->count; i++) {
      const MtStoreDesc *s = choice->pieces[i].way->store;
      bool noted = false;
      for (int k = 0; k < i && !noted; k++)
         noted = s == choice->pieces[k].way->store;
      if (!s->parts || noted)
         continue;
      MtRangeSet ranges = choice->pieces[i].ranges;
      for (int k = i + 1; k < choice->count; k++)
         if (s == choice->pieces[k].way->store)
            ranges = mt_ranges_union (a, ranges, choice->pieces[k].ranges);
      MtParts p = mt_parts_of (
         a, s, within ? mt_ranges_intersect (a, ranges, *within) : mt_ranges_all (a));
      chosen->partitions_read += p.count;
      chosen->partitions += p.of;
      text = names_of (a, s, p, text);
   }
   chosen->partition_names = text;
}

bool mt_parts_in_order (const MtQuery *q, bool *descending)
{
   const MtX *x = q->sort_count ? q->sort[0].expr : NULL;
   if (x && x->kind == MT_X_TARGET)
      x = q->targets[x->index].expr;
   if (!x || x->kind != MT_X_COLUMN || x->column != q->rel.table->time_column || q->grouped ||
       q->distinct || q->on_count || q->with_ties)
      return false;
   *descending = q->sort[0].descending;
   return true;
}
