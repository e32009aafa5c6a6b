/* Going down the levels of a block's columns (../documents/column.h).
 *
 * The rows of the last $unwind are read as if they were documents with the fields of all levels:
 * the numbers of a column of a level above are repeated as often as its rows have rows below.
 * Conditions of a $match are tested at its level, so rows that fail repeat nothing. */
#include "engine/local/exec/columns_int.h"
#include "engine/local/expr/expr.h"

#include <stdlib.h>

static void free_memory (void *p) { free (((MtColumnScan *) p)->memory); }

/* ---- finding the columns ---- */

static bool find_fields (MtWork *w, uint32_t level, bool *yes)
{
   MtColumnScan *s = w->columns;
   const MtColumnPlan *plan = w->exec->by_columns;
   for (uint32_t i = 0; *yes && i < plan->fields->count; i++) {
      MtStoredColumn *c = &s->columns[i];
      if (plan->field[i].level != level)
         continue;
      if (!mt_reader_column (&w->reader, s->levels[level].level, plan->fields->fields[i].name, c,
                             yes))
         return false;
      *yes = *yes && (plan->field[i].sized || c->form != MT_COLUMN_LIST);
      s->row_bytes += level + 1 == plan->levels ? c->width + (c->tags != NULL) : 0;
   }
   return true;
}

bool mt_column_find (MtWork *w, bool *yes)
{
   MtColumnScan *s = w->columns;
   const MtColumnPlan *plan = w->exec->by_columns;
   *yes = true;
   s->row_bytes = 0;
   s->levels[0].level = mt_reader_level (&w->reader);
   for (uint32_t i = 0;; i++) {
      MtStoredColumn *list = i + 1 < plan->levels ? &s->levels[i + 1].list : NULL;
      if (!find_fields (w, i, yes))
         return false;
      if (!*yes || !list)
         return true;
      if (!mt_reader_column (&w->reader, s->levels[i].level, plan->list[i + 1], list, yes))
         return false;
      *yes = *yes && list->form == MT_COLUMN_LIST;
      s->levels[i + 1].level = list->below;
   }
}

/* ---- memory ---- */

static size_t padded (size_t n) { return (n + 7) & ~(size_t) 7; }

/* Returns the bytes of what is made for a level. */
static size_t level_bytes (const MtWork *w, uint32_t level)
{
   const MtColumnScan *s = w->columns;
   const MtColumnPlan *plan = w->exec->by_columns;
   size_t rows = s->levels[level].level.rows, n = padded (rows + MT_COLUMN_CHUNK);
   if (level == 0)
      return n;
   size_t above = s->levels[level - 1].level.rows + 1u;
   n += padded (above * sizeof (uint32_t)) * (level == plan->runs ? 2 : 1);
   for (uint32_t i = 0; i < plan->fields->count; i++)
      if (plan->field[i].level < level && plan->field[i].until >= level)
         n += padded (rows * s->columns[i].width) + padded (rows);
   return n;
}

static bool make_memory (MtWork *w)
{
   MtColumnScan *s = w->columns;
   size_t n = 0;
   for (uint32_t i = 0; i < w->exec->by_columns->levels; i++)
      n += level_bytes (w, i);
   if (n > s->room) {
      if (!s->memory)
         mt_arena_defer (w->scan, free_memory, s);
      free (s->memory);
      s->memory = mt_try_malloc ("columns", n);
      s->room = s->memory ? n : 0;
      if (!s->memory)
         return mt_memory_check (&w->err);
   }
   s->used = 0;
   return true;
}

static void *take (MtColumnScan *s, size_t n)
{
   void *p = s->memory + s->used;
   s->used += padded (n);
   return p;
}

/* ---- going down ---- */

/* Sets the first row of each row's list, and the end. Returns false if the lists don't fill the
 * level, since the file is damaged. */
static bool set_starts (MtColumnScan *s, uint32_t level)
{
   MtScanLevel *l = &s->levels[level];
   uint32_t above = s->levels[level - 1].level.rows;
   uint64_t sum = 0;
   l->starts = take (s, (above + 1u) * sizeof *l->starts);
   for (uint32_t i = 0; i < above && sum <= l->level.rows; i++) {
      l->starts[i] = (uint32_t) sum;
      sum += mt_stored_length (&l->list, i);
   }
   l->starts[above] = (uint32_t) sum;
   return sum == l->level.rows;
}

static void repeat_bytes (uint8_t *to, const uint8_t *from, const uint32_t *starts,
                          const uint8_t *passes, uint32_t above)
{
   for (uint32_t i = 0; i < above; i++)
      memset (to + starts[i], passes[i] ? from[i] : 0, starts[i + 1] - starts[i]);
}

#define REPEAT(type) \
   for (uint32_t i = 0; i < above; i++) { \
      type number = 0; \
      if (l[-1].passes[i]) \
         memcpy (&number, from + i * sizeof number, sizeof number); \
      for (uint32_t k = l->starts[i]; k < l->starts[i + 1]; k++) \
         memcpy (to + k * sizeof number, &number, sizeof number); \
   }

/* Repeats a column of the level above for the rows of level l. Rows whose row above fails get
 * zeros. */
static void repeat (MtColumnScan *s, const MtScanLevel *l, MtStoredColumn *c)
{
   uint32_t above = l[-1].level.rows, rows = l->level.rows;
   const uint8_t *from = c->numbers;
   uint8_t *to = take (s, (size_t) rows * c->width);
   switch (c->width) {
   case 1: repeat_bytes (to, from, l->starts, l[-1].passes, above); break;
   case 2: REPEAT (uint16_t) break;
   case 4: REPEAT (uint32_t) break;
   case 8: REPEAT (uint64_t) break;
   default: break;
   }
   c->numbers = to;
   c->rows = rows;
   if (c->tags) {
      uint8_t *tags = take (s, rows);
      repeat_bytes (tags, c->tags, l->starts, l[-1].passes, above);
      c->tags = tags;
   }
}

static void take_documents (MtWork *w, const MtHit *hits, size_t hit_count)
{
   MtColumnScan *s = w->columns;
   const MtBlock *b = &w->reader.block;
   uint8_t *passes = s->levels[0].passes = take (s, b->documents + MT_COLUMN_CHUNK);
   memset (passes, hits == NULL, b->documents);
   for (size_t i = 0; i < hit_count; i++)
      if (hits[i].ordinal < b->documents)
         passes[hits[i].ordinal] = true;
   for (uint32_t i = 0; b->deleted && i < b->documents; i++)
      passes[i] &= !mt_block_is_deleted (b, i);
}

/* Tests the conditions of a level for all of its rows. Returns how many pass. */
static bool test_level (MtWork *w, uint32_t level, uint32_t *passed)
{
   MtColumnScan *s = w->columns;
   MtScanLevel *l = &s->levels[level];
   *passed = 0;
   if (!mt_column_prepare (w, level))
      return false;
   for (s->base = 0; s->base < l->level.rows; s->base += MT_COLUMN_CHUNK) {
      uint32_t left = l->level.rows - s->base, n = left < MT_COLUMN_CHUNK ? left : MT_COLUMN_CHUNK;
      uint8_t passes[MT_COLUMN_CHUNK] = {0};
      memcpy (passes, l->passes + s->base, n);
      if (!mt_column_test (w, level, n, passes))
         return false;
      memcpy (l->passes + s->base, passes, n);
      *passed += mt_column_sum (passes, n);
   }
   return true;
}

/* Goes down to the rows of a level. */
static bool enter (MtWork *w, uint32_t level)
{
   MtColumnScan *s = w->columns;
   const MtColumnPlan *plan = w->exec->by_columns;
   MtScanLevel *l = &s->levels[level];
   if (!set_starts (s, level))
      return mt_error (&w->err, MT_E_CORRUPT,
                       "collection is damaged: lists in the columns of a block have no rows");
   l->passes = take (s, l->level.rows + MT_COLUMN_CHUNK);
   for (uint32_t i = 0; i < l[-1].level.rows; i++)
      memset (l->passes + l->starts[i], l[-1].passes[i], l->starts[i + 1] - l->starts[i]);
   for (uint32_t i = 0; i < plan->fields->count; i++)
      if (plan->field[i].level < level && plan->field[i].until >= level)
         repeat (s, l, &s->columns[i]);
   if (s->run_ends)
      for (uint32_t i = 0; i < s->levels[plan->runs - 1].level.rows; i++)
         s->run_ends[i] = l->starts[s->run_ends[i]];
   if (level == plan->runs) {
      s->run_ends = take (s, l[-1].level.rows * sizeof *s->run_ends);
      memcpy (s->run_ends, l->starts + 1, l[-1].level.rows * sizeof *s->run_ends);
   }
   return true;
}

bool mt_column_descend (MtWork *w, const MtHit *hits, size_t hit_count)
{
   MtColumnScan *s = w->columns;
   const MtColumnPlan *plan = w->exec->by_columns;
   const MtBlock *b = &w->reader.block;
   MtCount *source = &w->count[w->exec->all_nodes];
   if (!make_memory (w))
      return false;
   s->run = 0;
   s->run_ends = NULL;
   take_documents (w, hits, hit_count);
   uint32_t rows = mt_column_sum (s->levels[0].passes, b->documents);
   source->in += rows;
   source->stored += rows * (b->size / b->documents);
   for (uint32_t i = 0; i + 1 < plan->levels; i++) {
      if (!test_level (w, i, &rows))
         return false;
      w->count[plan->unwind[i + 1]->id].in += rows;
      if (!rows)
         s->levels[plan->levels - 1].level.rows = 0;
      if (!rows || !enter (w, i + 1))
         return !rows;
   }
   return true;
}
