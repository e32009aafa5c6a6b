/* Documents that are put aside and read again in the same order: in memory while they are few, in a
 * file without a name beyond that. */
#ifndef MT_SPOOL_H
#define MT_SPOOL_H

#include "base/arena.h"
#include "base/error.h"

#include <bson/bson.h>

typedef struct MtSpool MtSpool;

/* Lives as long as arena `a`. */
MtSpool *mt_spool_new (MtArena *a);
/* Copies the document. 58030, 53100 when the file can't be written. */
bool mt_spool_add (MtSpool *s, const bson_t *doc, MtError *err);
/* From the first document again; nothing is added after that. */
bool mt_spool_rewind (MtSpool *s, MtError *err);
/* The next one, borrowed until the next call; *doc = NULL at the end. ctx is the MtSpool (an
 * engine's MtNextDoc). */
bool mt_spool_next (void *ctx, const bson_t **doc, MtError *err);

/* A reader of its own, from the first document on, also while documents are added: those that come
 * later are behind the others. The caller sees to it that no other thread adds or reads meanwhile.
 * Owned by the caller. */
typedef struct MtSpoolReader MtSpoolReader;
MtSpoolReader *mt_spool_reader (const MtSpool *s);
bool mt_spool_read (MtSpoolReader *r, const bson_t **doc, MtError *err); /* as mt_spool_next */
void mt_spool_reader_free (MtSpoolReader *r);                            /* NULL is fine */

#endif
