/* A list of documents that is written once, and read in the same order. A few documents are kept in
 * memory; if there are more, they are written to a temporary file. */
#ifndef MT_SPOOL_H
#define MT_SPOOL_H

#include "base/arena.h"
#include "base/error.h"

#include <bson/bson.h>

typedef struct MtSpool MtSpool;

/* Makes an empty list, which lives as long as arena `a`. */
MtSpool *mt_spool_new (MtArena *a);
/* Adds a copy of the document to the list. Fails with 53100 (disk full) or 58030 if the file can't
 * be written. */
bool mt_spool_add (MtSpool *s, const bson_t *doc, MtError *err);
/* Starts reading at the first document. No document can be added afterwards. */
bool mt_spool_rewind (MtSpool *s, MtError *err);
/* Returns the next document in *doc, borrowed until the next call. *doc is NULL at the end. ctx is
 * the MtSpool; it has type void * so that the function can be used as an engine's MtNextDoc. */
bool mt_spool_next (void *ctx, const bson_t **doc, MtError *err);

/* An additional reader of a list, from its first document on. Documents may still be added to the
 * list; the reader returns them at the end. No other thread may add or read at the same time. The
 * caller owns it: mt_spool_reader_free. */
typedef struct MtSpoolReader MtSpoolReader;
MtSpoolReader *mt_spool_reader (const MtSpool *s);
bool mt_spool_read (MtSpoolReader *r, const bson_t **doc, MtError *err); /* like mt_spool_next */
void mt_spool_reader_free (MtSpoolReader *r);                            /* NULL is fine */

#endif
