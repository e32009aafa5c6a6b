/* Estimates the cost of reading a layout at one of its levels, from statistics. */
#include "query/comparison.h"
#include "query/x.h"
#include "planner/cut/parts.h"
#include "planner/cut/scan_id.h"

#include <math.h>
#include <string.h>

/* The unit of cost is the time for reading a byte, about 0.125 ns. The other constants were fitted
 * to measured times of the queries and layouts of `make bench-advise`, in process; for
 * PARTITION_BYTES and FIND_BYTES there are too few such queries. The benchmark shows, for each data
 * set, how often two layouts are compared correctly with other values of CELL_BYTES. */
#define PARTITION_BYTES 16384.0 /* cost of reading one more collection */
#define DOCUMENT_BYTES 50.0     /* cost of reading the next document of a collection */
#define FIND_BYTES 300.0        /* cost of finding a document by its _id, besides reading it */
#define CELL_BYTES 125.0        /* cost of visiting one entry of a nested level, or one record */
#define COUNTED_BYTES 30.0      /* cost of counting a record without reading its fields */
#define ELEMENT_BYTES 80.0      /* cost of counting an element of an array that is not read */
#define CHECK_BYTES 100.0       /* cost of checking a condition for one entry or record */
#define KEY_BYTES 240.0         /* cost of computing a GROUP BY key, and finding its group */
#define COLUMN_ROW_BYTES 20.0   /* cost of visiting a record in column storage */
#define COLUMN_BYTES 8.0        /* cost of reading or checking a field in column storage */
#define COLUMN_KEY_BYTES 40.0   /* like KEY_BYTES, for a record in column storage */
#define PASSED_SHARE 0.8        /* cost of skipping a byte of nested levels */
#define PASSED_MOST 1024.0      /* greatest number of skipped bytes to charge for one entry */
/* size of a block of the embedded store; a block knows the ranges of its fields */
#define BLOCK_BYTES 1048576.0
/* each thread that searches for the first rows finds as many as are needed */
#define FIRST_THREADS 2.0

static bool knows_times (const MtStoreStats *s)
{
   return s && s->present && s->has_time && s->max_ms > s->min_ms;
}

/* Returns which share of the time between `from` and `to` is in units (hours, days …) that overlap
 * the ranges. */
static double share_between (MtRangeSet ranges, MtUnit unit, int64_t from, int64_t to)
{
   int64_t in = 0, last = from;
   for (int i = 0; i < ranges.count; i++) {
      MtRange r = ranges.ranges[i];
      int64_t lo = r.lo <= from ? from : mt_unit_floor (r.lo, unit), hi = to;
      if (r.hi < to)
         hi = mt_on_unit (r.hi, unit) ? r.hi : mt_unit_next (r.hi, unit);
      hi = hi < to ? hi : to;
      lo = lo < last ? last : lo; /* skip the unit in which the preceding range ended */
      in += hi > lo ? hi - lo : 0;
      last = hi > last ? hi : last;
   }
   return (double) in / (double) (to - from);
}

double mt_time_share (const MtWay *w, MtRangeSet ranges, MtUnit unit)
{
   const MtStoreStats *s = w->stats;
   if (!knows_times (s))
      return mt_ranges_is_all (ranges) ? 1.0 : 0.1;
   return share_between (ranges, unit, mt_unit_floor (s->min_ms, unit),
                         mt_unit_next (s->max_ms, unit));
}

/* Estimates the share of records in units (hours, days …) that overlap the ranges. The records'
 * time may begin or end within a unit. */
static double record_share (const MtWay *w, MtRangeSet ranges, MtUnit unit)
{
   const MtStoreStats *s = w->stats;
   return knows_times (s) ? share_between (ranges, unit, s->min_ms, s->max_ms + 1)
                          : mt_time_share (w, ranges, unit);
}

/* Estimates the share of records for which a filter is true. */
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

/* Sets *unit to the finest unit of time (hour, day …) that the levels above `level` store. False:
 * they store none. */
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

/* Estimates the share of documents whose time range overlaps `ranges`. Documents with a long time
 * range overlap more often than those with a short one. */
static double overlap_share (const MtWay *w, MtRangeSet ranges)
{
   const MtStoreStats *s = w->stats;
   double share = mt_time_share (w, ranges, MT_UNIT_MS);
   if (!knows_times (s) || s->documents < 1 || share <= 0)
      return share;
   share += s->spans_ms / s->documents / (double) (s->max_ms - s->min_ms);
   return share < 1 ? share : 1;
}

/* Estimates the share of a level's entries that are in documents, and in units (hours, days …),
 * that overlap `ranges`. unit: the finest unit above the level; NULL: none is stored. */
static double time_share_at (const MtWay *w, MtRangeSet ranges, const MtUnit *unit)
{
   double by_unit = unit ? record_share (w, ranges, *unit) : 1;
   double by_document = w->levels[0]->range.present ? overlap_share (w, ranges) : 1;
   return by_unit < by_document ? by_unit : by_document;
}

/* An estimate of how many documents are read, as a share (0 to 1) of all documents. */
typedef struct Found {
   double share;
   /* The query lists complete _ids; so `share` already includes all conditions on times and
    * documents. */
   bool named;
} Found;

/* Estimates which share of the documents is read, after partitions and conditions on the _id have
 * been considered. */
static Found documents_read (const MtPiece *piece, const MtNeed *need, MtOpened opened)
{
   const MtWay *w = piece->way;
   MtRangeSet ranges = piece->ranges;
   const MtPartitions *all = w->store->parts;
   Found f = {.named = false};
   f.share = mt_id_share (w, need, ranges, &f.named);
   double here = all && all->count
                    ? (double) mt_parts_count (w->store, ranges) / (double) all->count
                    : 1;
   MtUnit unit;
   /* Documents without key _ids are assumed to be stored in the order of their times. */
   bool in_order = need->has_ranges && !w->store->id_count;
   if (in_order && w->levels[0]->range.present)
      f.share *= overlap_share (w, ranges);
   else if (in_order && unit_above (w, 1, &unit))
      f.share *= mt_time_share (w, ranges, unit);
   f.share = fmax (fmin (f.share, opened.most * here), opened.least * here);
   return f;
}

/* Intermediate results while the cost of a read is computed. */
typedef struct Reading {
   const MtWay *w;
   const MtNeed *need;
   MtRangeSet ranges;
   const MtStoreStats *stats; /* statistics of the store; NULL: none */
   Found found;
   /* If the records are read from column storage: the number of columns that the query needs; else
    * 0. */
   size_t columns;
   /* Factor that corrects the estimated share of documents for which the filters are true, if the
    * engine would read fewer. */
   double fewer;
   /* For each level: the number of entries that are visited. At index w->count: the number of
    * records, or of the last level's entries if their sums answer. */
   double visits[MT_MAX_LEVELS + 2];
   MtCost cost;
} Reading;

/* Estimates the share (0 to 1) of a level's entries for which the filters on upper levels are
 * true. */
static double selectivity (const Reading *r, int level)
{
   const MtWay *w = r->w;
   const MtNeed *need = r->need;
   bool named = r->found.named;
   double s = named ? r->found.share : r->fewer;
   MtUnit unit = MT_UNIT_MS, of_documents = MT_UNIT_MS;
   for (int i = 0; i < need->filter_count; i++) {
      int known_at = mt_level_of (w, need->filters[i]);
      if (known_at < level && !(named && known_at == 0))
         s *= filter_share (need->filters[i]);
   }
   bool known = unit_above (w, level, &unit), above = unit_above (w, 1, &of_documents);
   if (need->has_ranges)
      s *= time_share_at (w, r->ranges, known ? &unit : NULL);
   double whole = need->has_ranges && named && above ? mt_time_share (w, r->ranges, of_documents)
                                                     : 1;
   return whole > 0 ? s / whole
                    : s; /* `share` already includes the times of documents that are found by _id */
}

/* Returns the factor by which fewer documents meet their filters than estimated. At most the share
 * `most` of documents is in the blocks that would be read. */
static double fewer_documents (const MtPiece *piece, const MtNeed *need, double most)
{
   const MtWay *w = piece->way;
   double filters = 1, times = 1;
   MtUnit unit;
   for (int i = 0; i < need->filter_count; i++)
      if (mt_level_of (w, need->filters[i]) == 0)
         filters *= filter_share (need->filters[i]);
   if (need->has_ranges && w->levels[0]->range.present)
      times = overlap_share (w, piece->ranges);
   else if (need->has_ranges && unit_above (w, 1, &unit))
      times = mt_time_share (w, piece->ranges, unit);
   return filters < 1 && most < filters * times ? most / (filters * times) : 1;
}

/* Returns the estimated share of partitions that is read if reading stops early: one partition at
 * each end of the time that the query needs. */
static double share_at_ends (const MtNeed *need, size_t partitions)
{
   double ends = need->ends & (need->ends - 1) ? 2 : 1;
   return need->ends && (double) partitions > ends ? ends / (double) partitions : 1;
}

/* Returns whether the plan reads the array of records at this level. */
static bool reads_array (const MtWay *w, int level)
{
   return level == w->count - 1 && w->mode == MT_CUT_RECORDS && w->levels[level]->raw.many;
}

/* Returns whether the entries of a level are records that are only counted, because the query needs
 * none of their fields. */
static bool only_counts (const MtWay *w, const MtNeed *need, int level)
{
   if (level < w->count - 1 || w->mode != MT_CUT_RECORDS || w->levels[level]->raw.many)
      return false;
   for (size_t i = 0; i < w->table->column_count; i++)
      if (need->used[i] && w->bound_at[i] >= level)
         return false;
   return !need->has_ranges || w->time_at < level;
}

/* Returns the cost of visiting one entry of a level (level 0: one document). */
static double visit (const Reading *r, int level)
{
   if (level == 0)
      return r->found.named ? DOCUMENT_BYTES + FIND_BYTES : DOCUMENT_BYTES;
   return only_counts (r->w, r->need, level) ? COUNTED_BYTES : CELL_BYTES;
}

/* Returns the mean number of bytes nested in one entry of a level, at most PASSED_MOST. unread:
 * further bytes of all entries of the level that are not read. */
static double bytes_below (const Reading *r, int level, double unread)
{
   const MtNodeStats *nodes = r->stats ? r->stats->nodes : NULL;
   if (!nodes || nodes[r->w->levels[level]->id].cells <= 0)
      return 0;
   double below = unread;
   for (size_t i = 0; i < r->w->store->node_count; i++)
      below += nodes[i].bytes;
   for (int i = 0; i <= level; i++)
      below -= nodes[r->w->levels[i]->id].bytes;
   double one = below / nodes[r->w->levels[level]->id].cells;
   if (one < 0)
      return 0;
   return one < PASSED_MOST ? one : PASSED_MOST;
}

/* Adds the cost of a level that has `cells` entries with `bytes` bytes, of which `share` is
 * visited. */
static void add_level (Reading *r, int level, double cells, double bytes, double share)
{
   const MtNode *n = r->w->levels[level];
   bool last = level == r->w->count - 1;
   double visited = cells * share, unread = 0, passed = 1;
   /* The level's bytes in the statistics include its records, even if these are not read. */
   if (n->raw.present && n->raw.many && !reads_array (r->w, level)) {
      unread = bytes * 0.8;
      bytes -= unread;
   }
   double entered = selectivity (r, level + 1);
   if (last && r->w->mode == MT_CUT_SIZE && r->stats)
      r->cost.total += r->stats->records * entered * ELEMENT_BYTES;
   if (!last || r->w->mode == MT_CUT_SIZE)
      passed = share > entered ? 1 - entered / share : 0;
   r->visits[level] = visited;
   r->cost.cells += visited;
   r->cost.bytes += bytes * share;
   if (r->columns) { /* filters are checked before other columns are read; see add_filters */
      r->cost.total += visited * COLUMN_ROW_BYTES + cells *
                                                       fmin (share, selectivity (r, level + 2)) *
                                                       (double) r->columns * COLUMN_BYTES;
      return;
   }
   r->cost.total += visited * visit (r, level) + bytes * share +
                    visited * passed * bytes_below (r, level, unread) * PASSED_SHARE;
}

/* Sets the number of visited records and of the rows that meet the filters. Adds the cost of
 * records in arrays. all: the number of records, or of the entries whose sums answer. */
static void add_records (Reading *r, double all)
{
   const MtWay *w = r->w;
   r->visits[w->count] = r->visits[w->count - 1];
   if (reads_array (w, w->count - 1)) {
      r->visits[w->count] = all * selectivity (r, w->count);
      r->cost.cells += r->visits[w->count];
      r->cost.total += r->visits[w->count] * CELL_BYTES;
   }
   r->cost.rows = all * selectivity (r, w->count + 1);
}

/* Adds the cost of checking the filters. Each is checked at the nesting level that has its
 * columns. */
static void add_filters (Reading *r)
{
   for (int i = 0; i < r->need->filter_count; i++) {
      int at = mt_level_of (r->w, r->need->filters[i]);
      if (at > 0 || !r->found.named)
         r->cost.total += r->visits[at] * (r->columns ? COLUMN_BYTES : CHECK_BYTES);
   }
}

/* Returns whether rows of the same group are adjacent: the time is the only key, and each document
 * is one row. Such documents are assumed to be stored in the order of their times. Sets *groups to
 * the number of groups. */
static bool is_in_order (const Reading *r, double *groups)
{
   const MtWay *w = r->w;
   const MtQuery *q = r->need->query;
   int64_t period = w->table->time_column >= 0 ? w->table->columns[w->table->time_column].period_ms
                                               : 0;
   if (w->count > 1 || w->store->id_count || period <= 0 || !knows_times (r->stats) ||
       q->key_count != 1 || q->keys[0]->kind != MT_X_COLUMN ||
       q->keys[0]->column != w->table->time_column)
      return false;
   *groups = ((double) (r->stats->max_ms - r->stats->min_ms) / (double) period + 1) *
             mt_time_share (w, r->ranges, MT_UNIT_MS);
   return true;
}

/* Adds the cost of finding groups. If an entry has all keys, all rows below it are in one group,
 * which is found once. A key that is not a column is computed for each row. */
static void add_keys (Reading *r)
{
   const MtQuery *q = r->need->query;
   int deepest = -1;
   for (int i = 0; i < q->key_count; i++) {
      int at = q->keys[i]->kind == MT_X_COLUMN ? mt_level_of (r->w, q->keys[i]) : r->w->count;
      deepest = at > deepest ? at : deepest;
   }
   double changes = r->cost.rows, groups;
   if (deepest < (reads_array (r->w, r->w->count - 1) ? r->w->count : r->w->count - 1))
      changes = deepest < 0 ? 0 : r->visits[deepest];
   if (is_in_order (r, &groups) && groups < changes)
      changes = groups;
   r->cost.total += (changes < r->cost.rows ? changes : r->cost.rows) * q->key_count *
                    (r->columns ? COLUMN_KEY_BYTES : KEY_BYTES);
}

/* ---- ORDER BY … LIMIT, read by an index or by blocks ---- */

/* Returns the path of the top-level field of a document that stores a column, and sets *encoding.
 * NULL: the column is not stored in such a field. */
static const char *top_field (const MtWay *w, int column, const MtEncoding **encoding)
{
   const MtBinding *b = w->bound[column];
   const MtRaw *raw = &w->levels[0]->raw;
   const char *at = NULL;
   if (b && w->bound_at[column] == 0 && b->kind == MT_BIND_COLUMN && b->from == MT_FROM_FIELD) {
      at = b->at;
      *encoding = &b->encoding;
   }
   for (size_t i = 0; i < raw->count && raw->present && !raw->many && !at; i++)
      if (raw->columns[i] == column) {
         at = raw->paths[i];
         *encoding = &raw->encodings[i];
      }
   return at && *at && !strchr (at, '.') ? at : NULL;
}

int mt_first_by (const MtWay *w, const MtNeed *need, const char **field)
{
   const MtQuery *q = need->query;
   const MtEncoding *e = NULL;
   if (w->count > 1 || w->mode != MT_CUT_RECORDS || reads_array (w, 0) || q->limit <= 0 ||
       !q->sort_count || q->grouped || q->distinct || q->on_count || q->with_ties)
      return -1;
   const MtX *x = mt_sort_expr (q, &q->sort[0]);
   *field = x->kind == MT_X_COLUMN ? top_field (w, x->column, &e) : NULL;
   if (!*field)
      return -1;
   MtTypeId type = w->table->columns[x->column].type.id;
   bool number = type != MT_T_NUMERIC && mt_type_is_number (type);
   bool kept = e->kind == MT_ENC_NATIVE ? number || mt_type_is_datetime (type)
                                        : e->kind != MT_ENC_TEXT && e->kind != MT_ENC_FORMAT;
   return kept ? x->column : -1;
}

bool mt_fields_needed (const MtWay *w, const MtNeed *need, const char **fields, size_t *count)
{
   const MtEncoding *e;
   *count = 0;
   const MtQuery *q = need->query;
   if (w->count > 1 || w->mode != MT_CUT_RECORDS || reads_array (w, 0) ||
       !(q->grouped || q->distinct || need->filter_count))
      return false;
   /* Aggregates of DISTINCT values process row by row, even from column storage. */
   for (int i = 0; i < q->agg_count; i++)
      if (q->aggs[i].distinct)
         return false;
   for (size_t i = 0; i < w->table->column_count; i++) {
      if (!need->used[i])
         continue;
      if (*count == MT_FIELDS_NEEDED || !(fields[*count] = top_field (w, (int) i, &e)))
         return false;
      ++*count;
   }
   return *count > 0;
}

/* Estimates the share of blocks (groups of documents) that is read for ORDER BY … LIMIT. wanted:
 * the number of documents to read until the first rows are found. For n rows, at most the n blocks
 * with the greatest maxima are needed, if further sort keys only break ties. If rows are stored in
 * the order of time, as many blocks are needed as these rows fill. */
static double share_of_blocks (const Reading *r, double wanted, bool by_time)
{
   double blocks = r->cost.bytes / BLOCK_BYTES, opened = wanted * FIRST_THREADS;
   if (by_time && !r->w->store->id_count)
      opened = fmin (opened, 1 + wanted / r->visits[0] * blocks);
   return blocks > opened ? opened / blocks : 1;
}

/* Estimates the share of the cost that remains if reading stops after the first rows of ORDER BY …
 * LIMIT. */
static double share_of_first (const Reading *r, size_t partitions, bool indexed)
{
   const char *field;
   int column = mt_first_by (r->w, r->need, &field);
   double records = r->visits[0];
   bool by_time = column >= 0 && column == r->w->table->time_column;
   if (column < 0 || records <= 0 || r->cost.rows <= 0 || (partitions > 1 && !by_time))
      return 1;
   const MtQuery *q = r->need->query;
   double wanted = ((double) q->limit + (double) q->offset) * records / r->cost.rows;
   if (r->need->skips)
      return share_of_blocks (r, wanted, by_time);
   double found = wanted * (FIND_BYTES + DOCUMENT_BYTES + r->cost.bytes / records);
   return indexed && found < r->cost.total ? found / r->cost.total : 1;
}

/* ---- estimates without statistics ---- */

#define GUESSED_BYTES 50.0   /* size of an entry */
#define GUESSED_ENTRIES 50.0 /* entries of a level for each entry of the level above */

/* Returns the greatest number of levels, and arrays of records, nested below n. */
static int depth_of (const MtNode *n)
{
   int most = n->raw.present && n->raw.many;
   for (size_t i = 0; i < n->sub_count; i++) {
      int depth = 1 + depth_of (n->subs[i]); /* not deeper than MT_MAX_LEVELS */
      most = depth > most ? depth : most;
   }
   return most;
}

/* Estimates for a store without statistics: its number of documents, the entries of each level for
 * each entry above it, and the bytes of an entry. They are computed from the size of the
 * collection, if that is known. */
typedef struct Guess {
   double documents, entries, bytes;
} Guess;

static Guess guess_of (const MtWay *w)
{
   const MtStoreStats *s = w->stats;
   Guess g = {w->layout->keeps == MT_KEEPS_LATEST ? 100 : 1000, GUESSED_ENTRIES, GUESSED_BYTES};
   int depth = depth_of (w->store->root);
   if (!s || !s->seen)
      return g; /* an ordinary layout has several records of the same key */
   g.documents = s->seen_documents;
   if (g.documents < 1)
      return g;
   if (depth == 0)
      g.bytes = s->seen_bytes / s->seen_documents;
   else
      g.entries = pow (fmax (1, s->seen_bytes / s->seen_documents / GUESSED_BYTES), 1.0 / depth);
   return g;
}

MtCost mt_cut_cost (const MtPiece *piece, const MtNeed *need, MtOpened opened)
{
   const MtWay *w = piece->way;
   MtRangeSet ranges = piece->ranges;
   bool known = w->stats && w->stats->present && w->stats->nodes;
   Reading r = {.w = w,
                .need = need,
                .ranges = ranges,
                .stats = known ? w->stats : NULL,
                .found = documents_read (piece, need, opened),
                .columns = opened.columns,
                .fewer = fewer_documents (piece, need, opened.most)};
   Guess g = guess_of (w);
   double cells = 0;
   for (int i = 0; i < w->count; i++, g.documents *= g.entries) {
      cells = known ? w->stats->nodes[w->levels[i]->id].cells : g.documents;
      double bytes = known ? w->stats->nodes[w->levels[i]->id].bytes : cells * g.bytes;
      add_level (&r, i, cells, bytes, i ? selectivity (&r, i) : r.found.share);
   }
   if (reads_array (w, w->count - 1))
      cells = known ? w->stats->records : g.documents;
   add_records (&r, cells);
   add_filters (&r);
   add_keys (&r);
   size_t partitions = mt_parts_count (w->store, ranges);
   double share = fmin (share_at_ends (need, partitions),
                        share_of_first (&r, partitions, opened.indexed));
   r.cost.cells *= share;
   r.cost.rows *= share;
   r.cost.bytes *= share;
   r.cost.total = (r.cost.total + PARTITION_BYTES * (double) partitions) * share;
   return r.cost;
}
