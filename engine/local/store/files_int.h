/* Private structures of read-only files. */
#ifndef MT_FILES_INT_H
#define MT_FILES_INT_H

#include "base/compress.h"
#include "engine/local/store/files.h"
#include "engine/local/store/store_int.h"

/* The kind of a file. MT_FILE_TEXT (CSV) is only listed here; the session reads its rows. */
typedef enum MtFileKind { MT_FILE_BSON, MT_FILE_JSON, MT_FILE_TEXT } MtFileKind;

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

/* The context of an MtUnpack that reads an open file. *err is set if reading fails. */
typedef struct MtFileRead {
   int fd;
   const char *path;
   MtError *err;
} MtFileRead;

long mt_file_read (void *file, char *buf, size_t n);

/* Check a document at offset `at` of a BSON file. The first checks its length n, where the file has
 * `left` bytes left; the second checks its n bytes. Fail with XX001, or with 22021 if a text is not
 * UTF-8. */
bool mt_file_check_length (const char *path, uint64_t at, uint32_t n, uint64_t left, MtError *err);
bool mt_file_check_document (const char *path, uint64_t at, const uint8_t *p, uint32_t n,
                             MtError *err);

/* Converts extended JSON from the file `in` into BSON in the file `out`. The input may be
 * compressed. It contains documents one after the other, or one array of documents. Memory is
 * bounded by the largest document. Fails with 22P02 if the text is not JSON, with 0A000 if
 * libbson would misread it, and with 54000 for a document over 16 MiB or nested too deeply. */
bool mt_json_to_bson (int in, const char *path, int out, const MtCancel *cancel, MtError *err);

#endif
