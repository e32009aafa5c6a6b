/* Files compressed with gzip (RFC 1952) or Zstandard (RFC 8878): read and written as streams, of
 * any length in bounded memory.
 *
 * Members and frames that follow each other are one file, as for gzip and zstd themselves. What
 * ends early, or fails a checksum, is an error with the file's name, never a shorter file. */
#ifndef MT_COMPRESS_H
#define MT_COMPRESS_H

#include "base/error.h"
#include "base/str.h"

typedef enum MtCompression { MT_NOT_COMPRESSED, MT_GZIP, MT_ZSTD } MtCompression;

/* By a file's name: ".gz" or ".zst" at its end, whose length *ending gets (NULL is allowed). */
MtCompression mt_compression_of_name (MtStr name, size_t *ending);
/* By its first bytes, of which 4 are enough. */
MtCompression mt_compression_of_bytes (const void *p, size_t n);

/* Up to n bytes; 0 at the end, -1 on an error, which is the reader's own to report. */
typedef long (*MtReadFn) (void *ctx, char *buf, size_t n);
typedef bool (*MtWriteFn) (void *ctx, const char *buf, size_t n);

typedef struct MtUnpack MtUnpack;
/* Reads `read`, which is decompressed if its first bytes say so. name: of the file, whose ending
 * has to agree with its bytes if it is one of compression; borrowed. damaged: the SQLSTATE of what
 * can't be decompressed. To be closed. */
MtUnpack *mt_unpack_open (MtReadFn read, void *ctx, const char *name, const char *damaged);
/* As MtReadFn; -1 with *err set if decompressing failed, and untouched if `read` did. */
long mt_unpack_read (MtUnpack *u, char *buf, size_t n, MtError *err);
void mt_unpack_close (MtUnpack *u); /* NULL is allowed */

typedef struct MtPack MtPack;
/* Writes to `write` what is compressed; MT_NOT_COMPRESSED: as it is. To be closed. */
MtPack *mt_pack_open (MtCompression how, MtWriteFn write, void *ctx);
bool mt_pack_write (MtPack *p, const char *buf, size_t n); /* false: `write` said so */
bool mt_pack_finish (MtPack *p);                           /* the end of the file */
void mt_pack_close (MtPack *p);                            /* NULL is allowed */

#endif
