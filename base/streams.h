/* Streams of bytes that share one temporary file, so that a statement needs few open files. A
 * stream is a chain of blocks. It is written first, and then read from its beginning. Only one
 * thread at a time may use the streams. Errors are those of base/temporary.h. */
#ifndef MT_STREAMS_H
#define MT_STREAMS_H

#include "base/error.h"

#include <stdint.h>

typedef struct MtStreams MtStreams;

/* Makes `count` empty streams. The temporary file is created when the first block is written. A
 * stream has a buffer of block_bytes while it is written or read. Returns NULL on error. Owned by
 * the caller: mt_streams_free. */
MtStreams *mt_streams_new (uint32_t count, uint32_t block_bytes, MtError *err);
void mt_streams_free (MtStreams *s); /* NULL is fine */
/* Adds an empty stream, and stores its number in *number. */
bool mt_streams_add (MtStreams *s, uint32_t *number, MtError *err);

bool mt_streams_write (MtStreams *s, uint32_t number, const void *p, size_t size_bytes,
                       MtError *err);
/* Writes the last block of the stream, and frees its buffer. No more bytes can be added. */
bool mt_streams_end (MtStreams *s, uint32_t number, MtError *err);

/* Ends the stream, and prepares reading from its beginning. last: this is the last time, so blocks
 * that were read may be overwritten by other streams. */
bool mt_streams_rewind (MtStreams *s, uint32_t number, bool last, MtError *err);
/* Reads the next size_bytes bytes of a stream. Fails if the stream has fewer. */
bool mt_streams_read (MtStreams *s, uint32_t number, void *p, size_t size_bytes, MtError *err);
/* Reads the length of the next record, which is stored in four bytes before each record, into
 * *head. Sets *end if there is no more record. */
bool mt_streams_next (MtStreams *s, uint32_t number, uint32_t *head, bool *end, MtError *err);
bool mt_streams_any (const MtStreams *s, uint32_t number); /* whether the stream has bytes */
uint64_t mt_streams_bytes (const MtStreams *s);            /* the size of the file */

#endif
