#include "planner/cut/opened.h"

#include "planner/cut/parts.h"
#include "planner/cut/scan.h"

#include <string.h>

/* at most so many partitions of a store are asked; the others are assumed to be like them */
#define MOST_PARTS 8u
/* Of the first and the last block of a time range perhaps only a part is read, so the lower
 * estimate does not count these two blocks. */
#define END_BLOCKS 2.0

typedef struct MtOpenedEntry {
   const char *collection;
   const bson_t *stages;
   MtOpenedBlocks opened;
   bool known;
   struct MtOpenedEntry *next;
} Entry;

/* Returns the $match stages with which a pipeline begins. */
static const bson_t *first_matches (MtArena *a, const MtPipe *pipe)
{
   bson_t *out = mt_doc_new (a);
   MtVal stage;
   MtStr key;
   for (MtDocIter it = mt_doc_iter (mt_v_array (pipe->stages));
        mt_doc_next (&it, &key, &stage) && mt_doc_field (stage, "$match").type == MT_DOC;)
      mt_doc_push (out, stage);
   return out;
}

static const Entry *ask (MtOpenings *o, const char *collection, const bson_t *stages)
{
   Entry *e = o->entries;
   while (e && (strcmp (e->collection, collection) != 0 || !bson_equal (e->stages, stages)))
      e = e->next;
   if (e)
      return e;
   e = MT_NEW (o->a, Entry);
   *e = (Entry) {.collection = collection, .stages = stages, .next = o->entries};
   e->known = o->settings->opened (o->settings->opened_ctx, collection, stages, &e->opened);
   return o->entries = e;
}

/* Samples the partitions that a piece (part) of a plan reads: adds up how many blocks (groups of
 * documents) they have, and how many of these the engine would read. False: the engine does not
 * know. */
static bool add_up (MtOpenings *o, const MtPiece *piece, const bson_t *stages, MtOpenedBlocks *sum)
{
   const MtStoreDesc *s = piece->way->store;
   MtParts parts = s->parts ? mt_parts_of (o->a, s, piece->ranges)
                            : (MtParts) {.first = NULL, .count = 1};
   size_t asked = parts.count < MOST_PARTS ? parts.count : MOST_PARTS;
   *sum = (MtOpenedBlocks) {.step = 1, .finds = true};
   for (size_t i = 0; i < asked; i++) {
      const Entry *e = ask (
         o, s->parts ? parts.first[i * parts.count / asked].collection : s->collection, stages);
      if (!e->known)
         return false;
      sum->blocks += e->opened.blocks;
      sum->opened += e->opened.opened;
      sum->bytes += e->opened.bytes;
      sum->opened_bytes += e->opened.opened_bytes;
      sum->step = e->opened.step > sum->step ? e->opened.step : sum->step;
      sum->finds = sum->finds && e->opened.finds;
   }
   return sum->bytes > 0;
}

/* Returns whether a server can find the first rows of ORDER BY … LIMIT by an index: there is one
 * sort key, and its values are never NULL or NaN, which MongoDB sorts differently. */
static bool is_indexed (const MtOpenings *o, const MtNeed *need, const MtWay *w)
{
   const MtPlanSettings *s = o->settings;
   const char *field;
   int column = need->query->sort_count == 1 && need->table->layout_count > 1
                   ? mt_first_by (w, need, &field)
                   : -1;
   if (need->skips || !s->optimize || !s->indexed || column < 0 || w->store->parts)
      return false;
   MtTypeId type = w->table->columns[column].type.id;
   return (mt_type_is_integer (type) || mt_type_is_datetime (type)) &&
          mt_has_no_nulls (w, column) && s->indexed (s->indexed_ctx, w->store->collection, field);
}

/* Returns the number of columns that the query needs, if the embedded store keeps all of them in
 * column storage; else 0. */
static size_t kept_columns (MtOpenings *o, const MtNeed *need, const MtWay *w)
{
   const char *fields[MT_FIELDS_NEEDED], *collection = w->store->collection;
   size_t count;
   if (!need->skips || need->table->layout_count < 2 || w->store->parts || !o->settings->columns ||
       !mt_fields_needed (w, need, fields, &count))
      return 0;
   if (!o->columns_of || strcmp (o->columns_of, collection) != 0) {
      o->columns = o->settings->columns (o->settings->opened_ctx, collection, fields, count);
      o->columns_of = collection;
   }
   return o->columns ? count : 0;
}

MtOpened mt_opened_of (MtOpenings *o, const MtNeed *need, const MtPiece *piece)
{
   const MtOpened all = {.least = 0,
                         .most = 1,
                         .indexed = is_indexed (o, need, piece->way),
                         .columns = kept_columns (o, need, piece->way)};
   MtScan scan;
   MtOpenedBlocks sum;
   MtError ignored = {0};
   if (!o->asks || !mt_scan_emit (o->a, piece, need, true, &scan, &ignored))
      return all;
   const bson_t *stages = first_matches (o->a, scan.pipe);
   if (bson_empty (stages) || !add_up (o, piece, stages, &sum))
      return all;
   double block = 1.0 / (double) sum.blocks;
   MtOpened out = {.most = (double) sum.opened_bytes / (double) sum.bytes, .columns = all.columns};
   if (!sum.finds)
      out.least = out.most - END_BLOCKS * block;
   out.least = out.least > 0 ? out.least : 0;
   if (sum.step > 1) /* only every n-th block was tested, so one more may be read */
      out.most = out.most + block < 1 ? out.most + block : 1;
   return out;
}
