/* Estimates which blocks of its source a pipeline will read. */
#include "engine/local/exec/exec.h"
#include "engine/local/exec/run.h"
#include "engine/local/expr/expr.h"

/* The maximum number of blocks whose ranges are checked. Of a larger source, only every second,
 * third … block is checked. */
#define MOST_CHECKED 128u
/* If an index finds the documents, and the documents without index entries have fewer bytes than
 * this, the index is used in place of the blocks' ranges. */
#define LITTLE_BYTES 1u

bool mt_exec_opened (const MtCursor *cursor, MtOpenedBlocks *out)
{
   const MtExec *x = (const MtExec *) cursor;
   *out = (MtOpenedBlocks) {.bytes = 0};
   if (x->from != MT_FROM_SOURCE || !x->prune)
      return false;
   size_t blocks = mt_source_blocks (x->source);
   out->step = 1 + blocks / MOST_CHECKED;
   for (size_t i = 0; i < blocks; i += out->step) {
      MtBlock b;
      mt_source_block (x->source, i, &b);
      out->blocks++;
      out->bytes += b.size;
      if ((x->lookup && mt_lookup_none (x->lookup, i)) ||
          !mt_match_block (x->prune, x->source, i, x->root))
         continue;
      out->opened++;
      out->opened_bytes += b.size;
   }
   out->finds = x->lookup && mt_lookup_unknown (x->lookup, LITTLE_BYTES) < LITTLE_BYTES;
   return out->blocks > 0;
}
