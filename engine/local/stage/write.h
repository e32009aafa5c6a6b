/* The stages $out and $merge. */
#ifndef MT_STAGE_WRITE_H
#define MT_STAGE_WRITE_H

#include "engine/local/expr/args.h"

/* Returns whether the last stage of a pipeline is $out or $merge. */
bool mt_pipeline_writes (const bson_t *pipeline);

/* Opens a pipeline that ends with $out or $merge over the store of `e`. The first mt_cursor_next
 * writes all documents in one commit, and returns no document. The caller frees *out by
 * mt_cursor_free. Fails as mt_exec_open does, with 25006 for a read-only target, and with 25001 in
 * a transaction. mt_cursor_next fails with 23505 for an _id that exists, and with 22023 for a
 * document that $merge may not write. */
bool mt_writing_open (MtEngine *e, const MtExecArgs *args, MtCursor **out, MtError *err);

#endif
