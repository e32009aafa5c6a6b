/* Scans a block by its columns (../documents/column.h), instead of its documents.
 *
 * Rows are read in chunks. If the first nodes are $match, their conditions are tested for all rows
 * of a chunk, one column after the other. The rows that are left get the values of the other
 * columns and are pushed. */
#include "engine/local/exec/columns_int.h"
#include "engine/local/exec/top.h"
#include "engine/local/expr/expr.h"
#include "engine/local/group/columns.h"

#define FIRST_CHUNK 64u

static void begin (MtWork *w)
{
   const MtColumnPlan *plan = w->exec->by_columns;
   uint32_t leaves = 0;
   w->scan = mt_arena_new ("columns", NULL);
   MtColumnScan *s = w->columns = MT_NEW (w->scan, MtColumnScan);
   s->chunk = FIRST_CHUNK;
   for (uint32_t i = 0; i < plan->match_count; i++)
      leaves += plan->matches[i].leaves;
   s->tests = MT_NEW_N (w->scan, MtColumnTest, leaves + 1u);
}

/* Returns the node that gets the picked rows. */
static const MtExecNode *first_node (const MtWork *w)
{
   return w->exec->nodes[w->exec->by_columns->first];
}

bool mt_columns_open (MtWork *w, const MtBlockScan *hits, bool *yes)
{
   const MtColumnPlan *plan = w->exec->by_columns;
   const MtBlock *b = &w->reader.block;
   uint32_t last = plan->levels - 1;
   if (!w->columns)
      begin (w);
   MtColumnScan *s = w->columns;
   *yes = last > 0 || !hits;
   if (*yes && !mt_column_find (w, yes))
      return false;
   if (!*yes)
      return true;
   s->row = s->at = s->count = s->test_count = 0;
   s->run_ends = NULL;
   s->run_open = false;
   s->pick = MT_PICK_ALL;
   s->bounds = 0;
   if (last && !mt_column_descend (w, hits ? hits->hits : NULL, hits ? hits->hit_count : 0))
      return false;
   s->rows = s->levels[last].level.rows;
   s->row_size = s->rows ? b->size / s->rows : 0;
   bool ok = mt_column_prepare (w, last);
   if (ok && !last)
      mt_column_narrow (w);
   s->grouped = ok && s->rows &&
                mt_group_begin_columns (first_node (w), w, plan->fields, s->columns, &ok);
   return ok;
}

/* Reads the next rows of the block as a chunk, and picks those that may match. */
static bool next_chunk (MtWork *w)
{
   MtColumnScan *s = w->columns;
   const MtBlock *b = &w->reader.block;
   uint32_t last = w->exec->by_columns->levels - 1;
   uint32_t n = s->rows - s->row < s->chunk ? s->rows - s->row : s->chunk;
   s->chunk = s->chunk < MT_COLUMN_CHUNK ? 2 * s->chunk : MT_COLUMN_CHUNK;
   uint8_t passes[MT_COLUMN_CHUNK] = {0};
   s->base = s->row;
   s->row += n;
   s->at = s->count = 0;
   if (last)
      memcpy (passes, s->levels[last].passes + s->base, n);
   else
      memset (passes, 1, n);
   for (uint32_t i = 0; !last && b->deleted && i < n; i++)
      passes[i] = !mt_block_is_deleted (b, s->base + i);
   uint32_t live = mt_column_sum (passes, n);
   if (!mt_column_test (w, last, n, passes) ||
       (w->exec->top && !mt_top_pick (w->exec->top, w, n, passes)))
      return false;
   for (uint32_t i = 0; i < n; i++) {
      s->picked[s->count] = (uint16_t) i;
      s->count += passes[i];
   }
   MtCount *count = &w->count[w->exec->all_nodes];
   if (!last) {
      count->in += live;
      count->stored += live * s->row_size;
   }
   count->bytes += n * s->row_bytes;
   atomic_fetch_add_explicit (&((MtExec *) w->exec)->bytes_done, n * s->row_size,
                              memory_order_relaxed);
   return true;
}

/* ---- pushing rows ---- */

/* Fills the slots of the fields that later nodes need. */
static void fill (MtWork *w, uint32_t row)
{
   const MtColumnPlan *plan = w->exec->by_columns;
   const MtExtract *e = plan->fields;
   for (uint32_t i = 0; i < e->count; i++) {
      const MtExtractField *f = &e->fields[i];
      if (plan->field[i].until + 1 < plan->levels)
         continue;
      MtVal v = mt_stored_at (&w->columns->columns[i], row);
      if (f->value != MT_NO_SLOT)
         w->slots[f->value] = v;
      if (f->match != MT_NO_SLOT)
         w->slots[f->match] = v;
   }
}

/* Begins a new run if the row is of another array than the row before. */
static void set_run (MtWork *w, uint32_t row)
{
   MtColumnScan *s = w->columns;
   if (row < s->run_ends[s->run] && s->run_open)
      return;
   while (s->run_ends[s->run] <= row)
      s->run++;
   s->run_open = true;
   w->run++;
}

/* Adds the picked rows of the chunk to the groups of the first node. */
static bool add_to_groups (MtWork *w, const MtExecNode *group)
{
   MtColumnScan *s = w->columns;
   MtColumnRows rows = {s->columns, s->base, s->count, s->picked};
   uint32_t was = w->timed;
   s->at = s->count;
   if (w->timing)
      mt_time_goes_to (w, group->id);
   bool ok = mt_group_add_columns (group, w, &rows);
   if (w->timing)
      mt_time_goes_to (w, was);
   return ok;
}

MtFlow mt_columns_push (MtWork *w, size_t most, bool *over)
{
   MtColumnScan *s = w->columns;
   const MtExec *x = w->exec;
   const MtExecNode *first = first_node (w);
   MtExecNode start = {.next = (MtExecNode *) first, .id = x->all_nodes};
   if (s->at == s->count && s->row < s->rows && !next_chunk (w))
      return MT_FAIL;
   if (s->grouped && s->at < s->count && !add_to_groups (w, first))
      return MT_FAIL;
   uint64_t seq = w->seq >> 32 << 32;
   for (size_t n = 0; n < most && s->at < s->count; n++) {
      uint32_t row = s->base + s->picked[s->at++];
      fill (w, row);
      if (s->run_ends)
         set_run (w, row);
      w->seq = seq + row + 1;
      MtFlow flow = mt_next (&start, w);
      if (flow != MT_GO)
         return flow;
   }
   *over = s->at == s->count && s->row == s->rows;
   return MT_GO;
}
