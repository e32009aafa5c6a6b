/* The COPY formats arrow (Arrow's IPC file) and arrows (Arrow's IPC stream). Only for COPY TO. See
 * arrow/. */
#include "arrow/arrow.h"
#include "copy/copy_int.h"

const MtCopyOptionRow mt_arrow_options[] = {{0}};

static void close_table (void *table) { mt_arrow_close (table); }

static bool finish (MtCopyOut *out, MtError *err)
{
   mt_arrow_put_end (out->state, &out->text);
   return mt_memory_check (err);
}

static bool open_out (MtCopyOut *out, MtArrowForm form)
{
   MtArrowArgs args = {out->x.names, out->x.types, out->x.column_count, out->x.style};
   out->state = mt_arrow_open (&args);
   out->finish = finish;
   mt_arena_defer (out->a, close_table, out->state);
   mt_arrow_put_start (out->state, form, &out->text);
   return true;
}

bool mt_arrow_open_file (MtCopyOut *out, MtError *err) { return open_out (out, MT_ARROW_FILE); }
bool mt_arrow_open_stream (MtCopyOut *out, MtError *err) { return open_out (out, MT_ARROW_STREAM); }

bool mt_arrow_row (MtCopyOut *out, const MtVal *row, MtError *err)
{
   if (!mt_arrow_add (out->state, row, err))
      return false;
   if (mt_arrow_is_full (out->state))
      mt_arrow_put_batch (out->state, &out->text);
   return true;
}
