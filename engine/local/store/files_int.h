/* Private structures of read-only files. */
#ifndef MT_FILES_INT_H
#define MT_FILES_INT_H

#include "base/compress.h"
#include "engine/local/store/store_int.h"

typedef enum MtFileKind { MT_FILE_BSON, MT_FILE_JSON } MtFileKind;

/* The mapped BSON documents of one file. Snapshots share this struct. */
typedef struct MtFileData {
   atomic_uint refs;
   MtMapped *map; /* the mapping of the file; NULL: the file is empty */
   const uint8_t *base;
   size_t size;
   MtSourceBlock *blocks;
   size_t count;
   uint64_t documents;
} MtFileData;

typedef struct MtFile {
   const char *path;
   const char *database; /* name of the folder in mongodump's layout; NULL: none */
   const char *name;     /* name of the collection */
   MtFileKind kind;
   bool packed;      /* the file name ends like that of a compressed file */
   MtFileData *data; /* the mapped documents; NULL: the file was not read yet */
} MtFile;

/* The input of MtUnpack: an open file. *err is set on failure. */
typedef struct MtFileRead {
   int fd;
   const char *path;
   MtError *err;
} MtFileRead;

long mt_file_read (void *file, char *buf, size_t n);

/* Releases a reference to an MtFileData. Does nothing if `data` is NULL. */
void mt_file_data_unref (void *data);

/* Converts extended JSON from the file `in` into BSON in the file `out`. The input may be
 * compressed. It contains documents one after the other, or one array of documents. Memory is
 * bounded by the largest document. Fails with 22P02 if the text is not JSON, with 0A000 if
 * libbson would misread it, and with 54000 for a document over 16 MiB or nested too deeply. */
bool mt_json_to_bson (int in, const char *path, int out, const MtCancel *cancel, MtError *err);

#endif
