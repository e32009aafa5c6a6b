/* Estimates the cost of reading a layout at one of its levels, from statistics. */
#include "query/comparison.h"
#include "planner/cut/parts.h"
#include "planner/cut/scan_id.h"

#include <string.h>

#define PARTITION_BYTES 16384.0 /* the cost of reading one more collection, in bytes */
#define CELL_BYTES 24.0         /* the cost of visiting one entry of a level, in bytes */

double mt_time_share (const MtWay *w, MtRangeSet ranges, MtUnit unit)
{
   const MtStoreStats *s = w->stats;
   if (!s || !s->present || !s->has_time || s->max_ms <= s->min_ms)
      return mt_ranges_is_all (ranges) ? 1.0 : 0.1;
   int64_t from = mt_unit_floor (s->min_ms, unit), to = mt_unit_next (s->max_ms, unit), in = 0,
           last = from;
   for (int i = 0; i < ranges.count; i++) {
      MtRange r = ranges.ranges[i];
      int64_t lo = r.lo <= from ? from : mt_unit_floor (r.lo, unit), hi = to;
      if (r.hi < to)
         hi = mt_on_unit (r.hi, unit) ? r.hi : mt_unit_next (r.hi, unit);
      lo = lo < last ? last : lo; /* the unit in which the range before ends */
      in += hi > lo ? hi - lo : 0;
      last = hi > last ? hi : last;
   }
   return (double) in / (double) (to - from);
}

/* Estimates the share of records that a filter accepts. */
static double filter_share (const MtX *x)
{
   MtCmp op = mt_x_cmp (x);
   switch (op != MT_CMP_NONE && x->call.argc == 2 ? op : MT_CMP_NONE) {
   case MT_CMP_NONE: break;
   case MT_CMP_EQ: return 0.05;
   case MT_CMP_NE: return 0.95;
   case MT_CMP_LT:
   case MT_CMP_LE:
   case MT_CMP_GT:
   case MT_CMP_GE: return 0.33;
   }
   if (x->kind == MT_X_IN)
      return 0.05 * (x->count - 1) < 0.5 ? 0.05 * (x->count - 1) : 0.5;
   return x->kind == MT_X_NOT || x->kind == MT_X_OR ? 0.8 : 0.3;
}

/* Finds the finest unit of time (hour, day …) that levels above `level` store. False: none does. */
static bool unit_above (const MtWay *w, int level, MtUnit *unit)
{
   bool known = false;
   for (int i = 0; i < level && i < w->count; i++)
      for (size_t k = 0; k < w->levels[i]->bind_count; k++) {
         const MtBinding *b = &w->levels[i]->binds[k];
         if (w->table->time_column < 0 || b->column != w->table->time_column ||
             b->unit == MT_UNIT_EPOCH)
            continue;
         *unit = b->kind == MT_BIND_COLUMN ? MT_UNIT_MS : b->unit;
         known = true;
      }
   return known;
}

/* An estimate of the documents to read, as a share (0 to 1) of all documents. */
typedef struct Found {
   double share;
   /* The query lists complete _ids, so `share` also holds for the entries in the documents. */
   bool named;
} Found;

/* Estimates the share of documents in the partitions to read that conditions on _id select. */
static Found documents_read (const MtWay *w, const MtNeed *need, MtRangeSet ranges)
{
   const MtPartitions *all = w->store->parts;
   Found f = {.named = false};
   f.share = mt_id_share (w, need, ranges, &f.named);
   double here = all && all->count
                    ? (double) mt_parts_count (w->store, ranges) / (double) all->count
                    : 1;
   if (need->has_ranges && w->levels[0]->range.present)
      f.share *= mt_time_share (w, ranges, MT_UNIT_MS);
   f.share = f.share < here ? f.share : here;
   return f;
}

/* Estimates the share (0 to 1) of a level's entries that satisfy the filters that can be checked at
 * this level or above. */
static double selectivity (const MtWay *w, const MtNeed *need, MtRangeSet ranges, const Found *f,
                           int level)
{
   double s = f->named ? f->share : 1;
   MtUnit unit = MT_UNIT_MS, of_documents = MT_UNIT_MS;
   for (int i = 0; i < need->filter_count; i++) {
      int known_at = mt_level_of (w, need->filters[i]);
      if (known_at < level && !(f->named && known_at == 0))
         s *= filter_share (need->filters[i]);
   }
   bool known = unit_above (w, level, &unit), above = unit_above (w, 1, &of_documents);
   if (need->has_ranges && (known || w->levels[0]->range.present))
      s *= mt_time_share (w, ranges, unit);
   double whole = need->has_ranges && f->named && above ? mt_time_share (w, ranges, of_documents)
                                                        : 1;
   return whole > 0 ? s / whole
                    : s; /* `share` already contains the times of documents that are found by _id */
}

/* Returns the estimated share of partitions that is read when reading stops early: one partition at
 * each end of the time. */
static double share_at_ends (const MtNeed *need, size_t partitions)
{
   double ends = need->ends & (need->ends - 1) ? 2 : 1;
   return need->ends && (double) partitions > ends ? ends / (double) partitions : 1;
}

MtCost mt_cut_cost (const MtWay *w, const MtNeed *need, MtRangeSet ranges)
{
   MtCost cost = {0, 0, 0};
   size_t partitions = mt_parts_count (w->store, ranges);
   double guess = w->layout->keeps == MT_KEEPS_LATEST ? 100 : 1000; /* a key has several records */
   Found found = documents_read (w, need, ranges);
   bool stats = w->stats && w->stats->present && w->stats->nodes;
   for (int i = 0; i < w->count; i++, guess *= 50) {
      double cells = stats ? w->stats->nodes[w->levels[i]->id].cells : guess;
      double bytes = stats ? w->stats->nodes[w->levels[i]->id].bytes : guess * 50;
      const MtNode *n = w->levels[i];
      bool records_here = i == w->count - 1 && w->mode == MT_CUT_RECORDS;
      double share = i ? selectivity (w, need, ranges, &found, i) : found.share;
      /* The statistics of a level's bytes include its records, which are not read here. */
      if (n->raw.present && n->raw.many && !records_here)
         bytes *= 0.2;
      if (records_here && n->raw.many)
         cells += stats ? w->stats->records : guess;
      cost.cells += cells * share;
      cost.bytes += bytes * share;
   }
   double share = share_at_ends (need, partitions);
   cost.cells *= share;
   cost.bytes *= share;
   cost.total = cost.bytes + cost.cells * CELL_BYTES +
                PARTITION_BYTES * (double) partitions * share;
   return cost;
}
