/* Reads and writes files compressed with gzip (RFC 1952) or Zstandard (RFC 8878), as streams.
 * Memory is bounded, whatever the length of the file.
 *
 * A file may consist of several members (gzip) or frames (Zstandard), as with the programs gzip and
 * zstd. A file that ends too early or fails a checksum is an error. The message names the file. */
#ifndef MT_COMPRESS_H
#define MT_COMPRESS_H

#include "base/error.h"
#include "base/str.h"

typedef enum MtCompression { MT_NOT_COMPRESSED, MT_GZIP, MT_ZSTD } MtCompression;

/* Returns the compression for the ending of a file name, ".gz" or ".zst". Stores the length of the
 * ending in *ending, unless `ending` is NULL. */
MtCompression mt_compression_of_name (MtStr name, size_t *ending);
/* Returns the compression of a file from its first n bytes. Four bytes are enough. */
MtCompression mt_compression_of_bytes (const void *p, size_t n);

/* A function that reads up to n bytes into `buf`. Returns their number, 0 at the end, or -1 on
 * error. It keeps its own error in ctx. */
typedef long (*MtReadFn) (void *ctx, char *buf, size_t n);
typedef bool (*MtWriteFn) (void *ctx, const char *buf, size_t n);

typedef struct MtUnpack MtUnpack;
/* Opens a reader that gets bytes from `read`, and decompresses them if they begin like a compressed
 * file. name (borrowed): the file's name; if it ends with .gz or .zst, the bytes must have this
 * format. damaged: the SQLSTATE of the error if decompressing fails. The caller owns the result:
 * mt_unpack_close. */
MtUnpack *mt_unpack_open (MtReadFn read, void *ctx, const char *name, const char *damaged);
/* Reads up to n decompressed bytes. Returns 0 at the end. Returns -1 with *err set if decompressing
 * failed, or -1 with *err unchanged if `read` failed. */
long mt_unpack_read (MtUnpack *u, char *buf, size_t n, MtError *err);
void mt_unpack_close (MtUnpack *u); /* NULL is allowed */

typedef struct MtPack MtPack;
/* Opens a writer that compresses bytes and passes them to `write`. MT_NOT_COMPRESSED passes them
 * unchanged. Owned by the caller: mt_pack_close. */
MtPack *mt_pack_open (MtCompression how, MtWriteFn write, void *ctx);
bool mt_pack_write (MtPack *p, const char *buf, size_t n); /* false: `write` failed */
/* Writes the remaining bytes and the end of the compressed file. Returns false if `write`
 * failed. */
bool mt_pack_finish (MtPack *p);
void mt_pack_close (MtPack *p); /* NULL is allowed */

#endif
