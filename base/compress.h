/* Files compressed with gzip (RFC 1952) or Zstandard (RFC 8878): read and written as streams, of
 * any length in bounded memory.
 *
 * Several members or frames in a row are one file, as in gzip and zstd. A file that ends early or
 * fails a checksum is an error that names the file. */
#ifndef MT_COMPRESS_H
#define MT_COMPRESS_H

#include "base/error.h"
#include "base/str.h"

typedef enum MtCompression { MT_NOT_COMPRESSED, MT_GZIP, MT_ZSTD } MtCompression;

/* Returns the compression that a file name ends with: ".gz" or ".zst". *ending receives the length
 * of that ending; `ending` may be NULL. */
MtCompression mt_compression_of_name (MtStr name, size_t *ending);
/* Returns the compression of a file by its first bytes. Four bytes are enough. */
MtCompression mt_compression_of_bytes (const void *p, size_t n);

/* A function that reads up to n bytes. It returns 0 at the end, or -1 on error. It stores its error
 * in ctx. */
typedef long (*MtReadFn) (void *ctx, char *buf, size_t n);
typedef bool (*MtWriteFn) (void *ctx, const char *buf, size_t n);

typedef struct MtUnpack MtUnpack;
/* Opens a reader that calls `read`, and decompresses the bytes if the first ones are those of a
 * compressed file. name (borrowed): the file's name; if it ends in .gz or .zst, the bytes must
 * agree. damaged: the SQLSTATE for bytes that can't be decompressed. Owned by the caller:
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
/* Writes the end of the compressed file. */
bool mt_pack_finish (MtPack *p);
void mt_pack_close (MtPack *p); /* NULL is allowed */

#endif
