/* Finds a document by _id in a block that is sorted by _id, which is usual for ObjectIds and
 * counters. The block is found by its range of _ids. In the block, marks (the places of some
 * documents, one every few KiB) limit the search. So sorted blocks need no keys on disk. Marks take
 * 0.1 % of the size of the blocks that were searched. */
#include "engine/local/store/ids.h"
#include "engine/local/store/coll_int.h"

/* The minimum distance between two marks (places of some documents) of a block, in bytes. */
#define STRIDE 8192u

struct MtIdMarks {
   uint32_t count;
   struct {
      uint32_t offset, ordinal;
   } at[];
};

bool mt_order_walk (MtColl *c, const MtStoreBlock *b, MtBlockWalk *walk, MtError *err)
{
   if (b == c->making.block && !mt_coll_settle (c, err))
      return false;
   uint64_t end = mt_block_end (b);
   if (b->logged)
      return mt_block_walk (walk, c->name, b, b->logged->bytes, &c->rebuilt, err);
   if (!mt_mapped_check (c->map, err) ||
       ((!c->map || end > c->map->size || end > c->map_seen) && !mt_coll_map (c, end, err)))
      return false;
   return mt_block_walk (walk, c->name, b, c->map->base + b->offset + b->data_at, &c->rebuilt, err);
}

/* Reads the whole block once, sets b->id_order (whether it is sorted by _id), and makes its marks
 * (places of some documents). */
static bool look_through (MtColl *c, MtStoreBlock *b, MtError *err)
{
   MtBlockWalk walk;
   const uint8_t *doc;
   size_t len;
   uint32_t n = 0;
   MtVal before = mt_v_missing ();
   bool ascends = true;
   if (!mt_order_walk (c, b, &walk, err))
      return false;
   MtIdMarks *m = mt_alloc (c->arena, sizeof *m + (b->size / STRIDE + 1) * sizeof *m->at);
   m->count = 0;
   for (;; n++) {
      uint32_t at = (uint32_t) walk.offset;
      if (!mt_block_next (&walk, &doc, &len, err))
         return false;
      if (!doc)
         break;
      MtVal id = mt_bson_field (doc, len, "_id");
      ascends &= n == 0 || mt_v_compare (before, id) <= 0;
      before = id;
      if (m->count == 0 || at - m->at[m->count - 1].offset >= STRIDE) {
         m->at[m->count].offset = at;
         m->at[m->count++].ordinal = n;
      }
   }
   b->id_order = ascends ? MT_IDS_ASCEND : MT_IDS_MIXED;
   b->id_marks = m;
   return true;
}

bool mt_order_ascends (MtColl *c, MtStoreBlock *b)
{
   MtError ignored;
   mt_error_clear (&ignored);
   return (b->id_order != MT_IDS_UNKNOWN || look_through (c, b, &ignored)) &&
          b->id_order == MT_IDS_ASCEND;
}

/* Sets *mark to the number of the last mark (place of a document of the block) whose document has
 * an _id less than `id`, so that the search can start there. *mark is 0 if the block is not
 * sorted. */
static bool find_mark (MtBlockWalk walk, MtVal id, uint32_t *mark, MtError *err)
{
   const MtStoreBlock *b = walk.block;
   const MtIdMarks *m = b->id_marks;
   uint32_t lo = 0, hi = b->id_order == MT_IDS_ASCEND ? m->count : 0;
   while (lo < hi) {
      uint32_t mid = lo + (hi - lo) / 2;
      size_t len;
      const uint8_t *doc;
      walk.offset = m->at[mid].offset;
      if (!mt_block_next (&walk, &doc, &len, err))
         return false;
      if (doc && mt_v_compare (mt_bson_field (doc, len, "_id"), id) < 0)
         lo = mid + 1;
      else
         hi = mid;
   }
   *mark = lo ? lo - 1 : 0;
   return true;
}

bool mt_order_find (MtColl *c, MtStoreBlock *b, MtVal id, MtFoundDoc *found, MtError *err)
{
   MtBlockWalk walk;
   uint32_t mark;
   if (!b->id_marks && !look_through (c, b, err))
      return false;
   if (!mt_order_walk (c, b, &walk, err) || !find_mark (walk, id, &mark, err))
      return false;
   walk.offset = b->id_marks->count ? b->id_marks->at[mark].offset : 0;
   for (uint32_t i = b->id_marks->count ? b->id_marks->at[mark].ordinal : 0;; i++) {
      uint32_t at = (uint32_t) walk.offset;
      if (!mt_block_next (&walk, &found->doc, &found->len, err))
         return false;
      if (!found->doc)
         return true;
      int order = mt_v_compare (mt_bson_field (found->doc, found->len, "_id"), id);
      if (order == 0 && !mt_coll_is_gone (b, i)) {
         found->at = (MtIdEntry) {mt_key_hash (id), b->serial, at, i};
         return true;
      }
      if (order > 0 && b->id_order == MT_IDS_ASCEND)
         break;
   }
   found->doc = NULL;
   return true;
}
