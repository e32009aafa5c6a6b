/* Private structures of read-only files. */
#ifndef MT_FILES_INT_H
#define MT_FILES_INT_H

#include "base/compress.h"
#include "engine/local/store/store_int.h"

typedef enum MtFileKind { MT_FILE_BSON, MT_FILE_JSON } MtFileKind;

/* The mapped documents of a file. Snapshots share it. */
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
   const char *database; /* name of the folder in mongodump's layout; NULL: none */
   const char *name;     /* of the collection */
   MtFileKind kind;
   bool packed;      /* compressed, by its ending */
   MtFileData *data; /* NULL: not read yet */
} MtFile;

/* An open file for MtUnpack. *err is set on failure. */
typedef struct MtFileRead {
   int fd;
   const char *path;
   MtError *err;
} MtFileRead;

long mt_file_read (void *file, char *buf, size_t n);

/* Takes an MtFileData, or NULL. */
void mt_file_data_unref (void *data);

/* Reads extended JSON, compressed or not: documents one after the other, or one array of them.
 * Writes BSON to `out`. Memory is bounded by the largest document. 22P02 with file and line if the
 * text is not JSON, 54000 for a document over 16 MiB or too deep. */
bool mt_json_to_bson (int in, const char *path, int out, const MtCancel *cancel, MtError *err);

#endif
