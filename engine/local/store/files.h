/* Read-only files as collections: a folder with .bson, .json and .jsonl files (including
 * mongodump's db/collection.bson), or one such file. */
#ifndef MT_STORE_FILES_H
#define MT_STORE_FILES_H

#include "engine/local/store/store.h"

typedef struct MtFiles MtFiles;
/* Returns true if the folder contains no file at all. */
bool mt_files_none (const char *path);
/* Opens a folder or a file for reading, without reading documents yet. Fails with 58P01 if the path
 * does not exist or has no documents, with 42P07 if two files have the same collection name, with
 * XX001 for a store that has lost its manifest, and with 0A000 for an unsupported file format. */
bool mt_files_open (const char *path, MtFiles **out, MtError *err);
void mt_files_close (MtFiles *f);
/* Returns a warning about ignored files whose names look like those of collections, or NULL if
 * there are none. */
const MtError *mt_files_warning (const MtFiles *f);
/* Sets the flag that another thread sets to cancel the reading of files. The flag is borrowed.
 * NULL: no flag. */
void mt_files_set_cancel (MtFiles *f, const MtCancel *cancel);
/* Returns in *out a source (a snapshot for readers) of the collection's documents. The first call
 * checks every document. Fails with XX001 for damaged BSON, 22021 for text that is not UTF-8, 22P02
 * for wrong JSON, 0A000 for JSON that cannot be converted, and 54000 for a document over the
 * limits. */
bool mt_files_source (MtFiles *f, const char *collection, MtSource **out, MtError *err);
/* Returns the path of the collection's file if it is a text file (CSV), which the session reads
 * itself. Returns NULL for other collections. The result is borrowed. */
const char *mt_files_text (const MtFiles *f, const char *collection);
/* Lists the names of the collections, in alphabetical order. The list is allocated in `a`. */
bool mt_files_collections (MtFiles *f, MtArena *a, const char ***names, size_t *count,
                           MtError *err);

#endif
