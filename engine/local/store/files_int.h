/* Read-only files: private structures. */
#ifndef MT_FILES_INT_H
#define MT_FILES_INT_H

#include "base/compress.h"
#include "engine/local/store/store_int.h"

typedef enum MtFileKind { MT_FILE_BSON, MT_FILE_JSON } MtFileKind;

/* A file's documents, mapped; shared with the snapshots taken of it. */
typedef struct MtFileData {
   atomic_uint refs;
   MtMapped *map; /* NULL: the file is empty */
   const uint8_t *base;
   size_t size;
   MtSourceBlock *blocks;
   size_t count;
   uint64_t documents;
} MtFileData;

typedef struct MtFile {
   const char *path;
   const char *database; /* the folder's name, in mongodump's layout; NULL: none */
   const char *name;     /* of the collection */
   MtFileKind kind;
   bool packed;      /* its ending says that it is compressed */
   MtFileData *data; /* NULL: not read yet */
} MtFile;

/* An open file for MtUnpack; `err` is set when it can't be read. */
typedef struct MtFileRead {
   int fd;
   const char *path;
   MtError *err;
} MtFileRead;

long mt_file_read (void *file, char *buf, size_t n);

void mt_file_data_unref (void *data); /* an MtFileData; NULL is allowed */

/* Reads extended JSON, compressed or not, one document after the other or one array of them, and
 * writes BSON to `out`. Memory is bounded by the largest document. 22P02 with file and line for
 * what isn't JSON, 54000 for a document over 16 MiB or too deep. */
bool mt_json_to_bson (int in, const char *path, int out, const MtCancel *cancel, MtError *err);

#endif
