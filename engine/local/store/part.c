/* Narrows a scan of a block: if the block's documents ascend in a field, finds the part of the
 * block that a range condition on this field can match. Documents of a time series mostly come in
 * the order of time, so a query for a short time reads only a few KiB of a block.
 *
 * The part is found by marks: the field's value in one document every few KiB. The marks of a block
 * are made at the second request, because for a single request a scan is cheaper. Any thread may
 * make them. */
#include "base/memory.h"
#include "engine/local/store/coll_int.h"

#include <stdlib.h>

/* The minimum distance between two marks (places of some documents) of a block, in bytes. */
#define STRIDE 4096u

typedef struct Mark {
   int64_t value;
   uint32_t offset, ordinal;
} Mark;

typedef struct Marks {
   MtFinder base; /* must be the first member */
   uint32_t count;
   /* MT_DATE or MT_INT64: all values of the block are dates, or integers. MT_MISSING: there are
    * other values, or the values do not ascend, so the marks are useless. */
   uint8_t type;
   Mark at[];
} Marks;

/* Returns MT_INT64 for an integer and MT_DATE for a date: values of one such type can be compared
 * as int64. MT_MISSING for any other value. */
static uint8_t type_of (MtVal v)
{
   switch (v.type) {
   case MT_INT32:
   case MT_INT64: return MT_INT64;
   case MT_DATE: return MT_DATE;
   default: return MT_MISSING;
   }
}

/* Reads the documents of a block and makes their marks (places of some documents) in *m. m->type
 * stays MT_MISSING if the values of `field` do not ascend or have unsuitable types. Returns false
 * if the block is damaged. */
static bool read_marks (MtFieldWalk *f, Marks *m)
{
   int64_t before = INT64_MIN;
   for (bool end;;) {
      if (!mt_field_next (f, &end, NULL))
         return false;
      if (end)
         return true;
      uint8_t type = type_of (f->value);
      if (type == MT_MISSING || (f->ordinal && type != m->type) || f->value.i < before)
         break;
      m->type = type;
      before = f->value.i;
      if (m->count == 0 || f->offset - m->at[m->count - 1].offset >= STRIDE)
         m->at[m->count++] = (Mark) {before, f->offset, f->ordinal};
   }
   m->type = MT_MISSING;
   return true;
}

/* Makes the marks (places of some documents) of a block for a field. Returns NULL if the block is
 * damaged; the scan that follows reports the damage. */
static Marks *make (const MtSource *s, const MtSourceBlock *b, uint32_t field)
{
   MtBlockWalk walk;
   MtRebuilt *rebuilt = NULL;
   Marks *m = mt_calloc ("marks", 1, sizeof *m + (b->size / STRIDE + 1) * sizeof (Mark));
   m->base.field = field;
   bool ok = mt_block_walk (&walk, s->name, b->block, b->data, &rebuilt, NULL);
   if (ok) {
      MtFieldWalk f = mt_field_walk (&walk, s->fields[field]);
      ok = read_marks (&f, m);
   }
   if (!ok) {
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

/* Returns the index of the first mark (place of a document) whose value is at least `value`, or
 * with `above` greater than `value`; m->count if there is none. */
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
   /* Documents that match can also lie shortly before the first mark from `low` on, so begin at the
    * mark before that. */
   uint32_t from = first_mark (m, span->low, false), to = first_mark (m, span->high, true);
   from -= from > 0;
   *out = (MtBlockPart) {m->at[from].offset, to < m->count ? m->at[to].offset : b->size,
                         m->at[from].ordinal};
   return true;
}
