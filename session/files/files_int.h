/* Private to session/files. */
#ifndef MT_SESSION_FILES_INT_H
#define MT_SESSION_FILES_INT_H

#include "base/compress.h"
#include "layouts/infer/seen.h"
#include "session/files/files.h"

#include <sys/stat.h>

/* Of a compressed file, only this many decompressed bytes are sampled. */
#define MT_UNPACKED_BYTES ((uint64_t) 64 << 20)

typedef enum MtReadKind { MT_KIND_CSV, MT_KIND_JSON, MT_KIND_BSON } MtReadKind;

/* A file's identity, size and time when its form was detected. If they differ later, the file has
 * changed. */
typedef struct MtFileState {
   const char *path;
   dev_t device;
   ino_t inode;
   off_t size;
   struct timespec changed;
} MtFileState;

struct MtFileTable {
   MtFileTable *next;
   unsigned refs;   /* number of references: by arenas, by streams, and by the session's list */
   bool remembered; /* the session's list has a reference */
   MtArena *arena;
   const char *key;        /* the function call as text; equal texts give the same table */
   const char *path;       /* the file name or pattern that the caller gave */
   const char *collection; /* the name under which a stream reads the documents */
   MtReadKind kind;
   MtFileState *files;
   size_t count;
   MtSniffed form;           /* only for CSV: the detected form */
   bool *null_forced, *kept; /* by column: MtCopyInArgs.force_null, .force_not_null */
   /* JSON and BSON: times[i] is whether texts of column i are read as times; has_times: whether any
    * column has them. */
   bool *times, has_times;
   const MtSeen *seen; /* for JSON and BSON: the sampled documents; else NULL */
   /* JSON: each document is one line of plain JSON without sub-documents, so COPY can read the
    * file. */
   bool plain_lines;
   MtTable table;
};

/* ---- read.c ---- */

/* An open file, which is decompressed while it is read. */
typedef struct MtFileInput {
   MtSession *session;
   const char *path;
   int fd;
   struct stat before; /* the file's state when it was opened */
   MtUnpack *unpack;
   MtError io; /* the error of the last read */
} MtFileInput;

/* Opens a file. Fails for folders, pipes, and formats that are not read. */
bool mt_file_input_open (MtSession *s, const char *path, MtSpan span, MtFileInput *in,
                         MtError *err);
/* Reads up to n decompressed bytes; ctx is the MtFileInput. Returns their number, 0 at the end, or
 * -1 with the error in in->io. */
long mt_file_input_read (void *ctx, char *buf, size_t n);
/* Fails with 55000 if the file has changed since it was opened. Call it at the end. */
bool mt_file_input_same (const MtFileInput *in, MtError *err);
void mt_file_input_close (MtFileInput *in);

/* Sets *out to the paths of the files that match `path`, a name or a pattern, sorted, in arena
 * a. */
bool mt_file_expand (MtArena *a, MtStr path, MtSpan span, const char ***out, size_t *count,
                     MtError *err);
/* Sets *out to the state of an open file. */
void mt_file_state (const MtFileInput *in, MtFileState *out);
bool mt_file_is_same (const MtFileState *f, const struct stat *now);
/* Returns whether an open file is compressed. */
bool mt_file_input_is_packed (const MtFileInput *in);

/* A sample of the files' bytes, in the arena given to mt_file_sample. */
typedef struct MtFileSample {
   MtSniffPiece *pieces;
   size_t count;
} MtFileSample;
/* Reads a sample of the files: the beginning of the first file, and pieces spread over all
 * files. */
bool mt_file_sample (MtSession *s, MtArena *a, const MtFileTable *f, MtSpan span, MtFileSample *out,
                     MtError *err);

/* ---- scattered.c ---- */

/* A callback that receives a document. */
typedef void (*MtSeeDocument) (void *ctx, const bson_t *doc);

enum { MT_NEAR_DOCUMENTS = 10000 }; /* sampled at the beginning; more are sampled anywhere */

/* Samples of large JSON files: pieces that begin anywhere, in which documents can be found. */
typedef struct MtScattered {
   MtSession *session;
   MtFileSample sample;
   bool array; /* the documents are the elements of an array */
   /* The characters between a line's beginning and the document in it, the same for all documents;
    * p NULL: the files have another form, so documents can't be found in the pieces. */
   MtStr prefix;
   bool lines;  /* each document has exactly one line */
   size_t near; /* size of the first MT_NEAR_DOCUMENTS; 0: the first piece ends before */
} MtScattered;

/* Reads pieces spread over all files into *out, in arena a, and detects how lines begin. */
bool mt_file_scattered (MtSession *s, MtArena *a, const MtFileTable *f, MtSpan span,
                        MtScattered *out, MtError *err);
/* Passes the documents found in the pieces to `see`, without those at the beginning of the first
 * file. If the whole file was read as one piece, without its first MT_NEAR_DOCUMENTS documents.
 * sc->prefix.p must not be NULL. */
bool mt_file_see_scattered (const MtScattered *sc, MtSeeDocument see, void *ctx, MtError *err);

/* Passes the documents in the text `first` followed by `rest` to `see`. Stops silently at an error,
 * because the text may end within a document. A faulty document is reported when the file is
 * read. */
void mt_file_see_bytes (MtReadKind kind, MtStr first, MtStr rest, MtSeeDocument see, void *ctx);

/* ---- spread.c ---- */

/* Chooses sample documents, spread evenly, while a file is read from its beginning to its end. */
typedef struct MtSpread {
   MtReadKind kind;
   uint64_t files;    /* the number of files among which the sample is divided */
   MtSeeDocument see; /* receives the chosen documents */
   void *ctx;
   uint64_t at, next;       /* byte offsets of the next document, and of the next one to choose */
   uint64_t step;           /* bytes from one chosen document to the next; 0: all are chosen */
   uint64_t each;           /* `each` bytes of the file allow one byte of chosen documents */
   MtBuf chosen;            /* chosen documents that `see` has not received yet */
   MtBuf before_last, last; /* candidates for the sample's last documents, not chosen otherwise */
} MtSpread;

/* Begins a file of this size in bytes. */
void mt_spread_begin (MtSpread *s, uint64_t bytes);
/* Adds the next document of the file, as its bytes in the file. It may be chosen for the sample. */
void mt_spread_add (MtSpread *s, MtStr document);
/* Ends the file, and passes the remaining chosen documents on. */
void mt_spread_end (MtSpread *s);
void mt_spread_free (MtSpread *s);

/* ---- options.c ---- */

/* Reads the options of read_csv into *out. */
bool mt_file_csv_options (MtArena *a, const MtFileCall *call, MtSniffGiven *out, MtError *err);

/* ---- stream.c ---- */

/* Opens the stream of a file's documents. A callback of the engine (MtDocStreams.open); ctx is the
 * session. */
bool mt_file_stream_open (void *ctx, const char *collection, MtDocStream **out, MtError *err);

/* ---- documents.c ---- */

/* Detects the columns of JSON and BSON files from a sample. */
bool mt_file_recognise_documents (MtSession *s, MtFileTable *f, const MtFileCall *call,
                                  MtError *err);
/* Returns a stream of the documents of JSON and BSON files. The stream holds a reference to f. */
MtDocStream *mt_file_documents (MtSession *s, MtFileTable *f);

/* ---- table.c ---- */

void mt_file_hold (MtFileTable *f);
void mt_file_release (MtSession *s, MtFileTable *f);

#endif
