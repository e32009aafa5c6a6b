/* Finds the part of a block that a condition on one field can match, if the block's documents
 * ascend in that field. Documents of a time series mostly come in the order of time, so a short
 * range of times reads a few KiB of a block.
 *
 * The places come from marks: the field's value in a document every few KiB. The second request for
 * a block makes its marks, in any thread. For a single request a scan is cheaper. */
#include "base/memory.h"
#include "engine/local/store/coll_int.h"

#include <stdlib.h>

/* The distance between two marks in bytes. Larger documents make the distance longer. */
#define STRIDE 4096u

typedef struct Mark {
   int64_t value;
   uint32_t offset, ordinal;
} Mark;

typedef struct Marks {
   MtFinder base; /* must be the first member */
   uint32_t count;
   /* of all values: MT_DATE or MT_INT64; MT_MISSING: there are others, or they do not ascend */
   uint8_t type;
   Mark at[];
} Marks;

/* Returns the type by which a value is compared with marks, or MT_MISSING. */
static uint8_t type_of (MtVal v)
{
   switch (v.type) {
   case MT_INT32:
   case MT_INT64: return MT_INT64;
   case MT_DATE: return MT_DATE;
   default: return MT_MISSING;
   }
}

/* Reads the documents of a block into *m. Its type stays missing if they do not ascend. */
static bool read_marks (MtBlockWalk *walk, const char *field, Marks *m)
{
   const uint8_t *doc;
   size_t len;
   int64_t before = INT64_MIN;
   for (uint32_t i = 0;; i++) {
      uint32_t at = (uint32_t) walk->offset;
      if (!mt_block_next (walk, &doc, &len, NULL))
         return false;
      if (!doc)
         return true;
      MtVal v = mt_bson_field (doc, len, field);
      uint8_t type = type_of (v);
      if (type == MT_MISSING || (i && type != m->type) || v.i < before)
         break;
      m->type = type;
      before = v.i;
      if (m->count == 0 || at - m->at[m->count - 1].offset >= STRIDE)
         m->at[m->count++] = (Mark) {v.i, at, i};
   }
   m->type = MT_MISSING;
   return true;
}

/* Reads the block. Returns NULL if it is damaged; the scan reports the damage. */
static Marks *make (const MtSource *s, const MtSourceBlock *b, uint32_t field)
{
   MtBlockWalk walk;
   MtRebuilt *rebuilt = NULL;
   Marks *m = mt_calloc ("marks", 1, sizeof *m + (b->size / STRIDE + 1) * sizeof (Mark));
   m->base.field = field;
   if (!mt_block_walk (&walk, s->name, b->block, b->data, &rebuilt, NULL) ||
       !read_marks (&walk, s->fields[field], m)) {
      free (m);
      m = NULL;
   }
   mt_rebuilt_free (rebuilt);
   return m;
}

static const Marks *marks_of (const MtSource *s, const MtSourceBlock *b, uint32_t field)
{
   const Marks *made = (const Marks *) mt_finder_of (&b->block->marks, field);
   if (made || !atomic_exchange_explicit (&b->block->narrowed, 1, memory_order_relaxed))
      return made;
   Marks *m = make (s, b, field);
   if (m)
      mt_finder_add (s->coll, &b->block->marks, &m->base);
   return m;
}

/* Returns the number of the first mark whose value is at least (or above) `value`. */
static uint32_t first_mark (const Marks *m, int64_t value, bool above)
{
   uint32_t lo = 0, hi = m->count;
   while (lo < hi) {
      uint32_t mid = lo + (hi - lo) / 2;
      if (m->at[mid].value < value || (above && m->at[mid].value == value))
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo;
}

bool mt_block_part (const MtSource *s, size_t index, const MtFieldSpan *span, MtBlockPart *out)
{
   const MtSourceBlock *b = &s->blocks[index];
   uint32_t field = 0;
   while (field < s->field_count && strcmp (s->fields[field], span->field) != 0)
      field++;
   if (!b->block || field >= s->field_count || field >= b->range_count)
      return false;
   const MtBlockRange *r = &b->ranges[field];
   if (!r->kept || type_of (r->min) != span->type || type_of (r->max) != span->type ||
       (r->min.i >= span->low && r->max.i <= span->high))
      return false;
   const Marks *m = marks_of (s, b, field);
   if (!m || m->type != span->type || m->count == 0)
      return false;
   /* Documents before the first mark from `low` on, but behind the mark before it, may be in the
    * span. */
   uint32_t from = first_mark (m, span->low, false), to = first_mark (m, span->high, true);
   from -= from > 0;
   *out = (MtBlockPart) {m->at[from].offset, to < m->count ? m->at[to].offset : b->size,
                         m->at[from].ordinal};
   return true;
}
