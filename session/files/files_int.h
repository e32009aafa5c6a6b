/* Private to session/files. */
#ifndef MT_SESSION_FILES_INT_H
#define MT_SESSION_FILES_INT_H

#include "base/compress.h"
#include "layouts/infer/seen.h"
#include "session/files/files.h"

#include <sys/stat.h>

/* Of a compressed file, only the first bytes are sampled. */
#define MT_UNPACKED_BYTES ((uint64_t) 64 << 20)

typedef enum MtReadKind { MT_KIND_CSV, MT_KIND_JSON, MT_KIND_BSON } MtReadKind;

/* One file as it was when it was recognised. */
typedef struct MtFileState {
   const char *path;
   dev_t device;
   ino_t inode;
   off_t size;
   struct timespec changed;
} MtFileState;

struct MtFileTable {
   MtFileTable *next;
   unsigned refs;   /* arenas and streams that use the table, and the session's list */
   bool remembered; /* the session's list holds a reference */
   MtArena *arena;
   const char *key;        /* the call as text; two calls of one text are alike */
   const char *path;       /* as the caller named the files */
   const char *collection; /* the name of the stream */
   MtReadKind kind;
   MtFileState *files;
   size_t count;
   MtSniffed form;           /* of CSV */
   bool *null_forced, *kept; /* by column: MtCopyInArgs.force_null, .force_not_null */
   /* Documents: by column, the field has texts that are read as times. */
   bool *times, has_times;
   const MtSeen *seen; /* the sampled documents; NULL: of CSV */
   /* Each document is one line of plain JSON without sub-documents, as COPY reads it. */
   bool plain_lines;
   MtTable table;
};

/* ---- read.c ---- */

/* An open file, decompressed. */
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
/* Reads up to n bytes. ctx is the MtFileInput. Returns 0 at the end, -1 with in->io set. */
long mt_file_input_read (void *ctx, char *buf, size_t n);
/* Checks at the end that the file did not change while it was read. 55000 */
bool mt_file_input_same (const MtFileInput *in, MtError *err);
void mt_file_input_close (MtFileInput *in);

/* Finds the files of a path, which may be a pattern, sorted. In arena a. */
bool mt_file_expand (MtArena *a, MtStr path, MtSpan span, const char ***out, size_t *count,
                     MtError *err);
/* Sets *out to the state of an open file. */
void mt_file_state (const MtFileInput *in, MtFileState *out);
bool mt_file_is_same (const MtFileState *f, const struct stat *now);
/* Returns whether an open file is compressed. */
bool mt_file_input_is_packed (const MtFileInput *in);

/* A sample of files, in the arena of mt_file_sample. */
typedef struct MtFileSample {
   MtSniffPiece *pieces;
   size_t count;
} MtFileSample;
/* Reads a sample of the files: the beginning of the first, and pieces from everywhere. */
bool mt_file_sample (MtSession *s, MtArena *a, const MtFileTable *f, MtSpan span, MtFileSample *out,
                     MtError *err);

/* ---- scattered.c ---- */

/* A function that takes a document. */
typedef void (*MtSeeDocument) (void *ctx, const bson_t *doc);

enum { MT_NEAR_DOCUMENTS = 10000 }; /* seen from the beginning; others are from everywhere */

/* Pieces of JSON files. */
typedef struct MtScattered {
   MtSession *session;
   MtFileSample sample;
   bool array; /* the documents are in an array */
   /* The characters between a line end and each document; p NULL: the files have another form, so
    * no document is found in the pieces. */
   MtStr prefix;
   bool lines;  /* each document is a line of its own */
   size_t near; /* bytes of the first MT_NEAR_DOCUMENTS; 0: the first piece has fewer */
} MtScattered;

/* Reads pieces from everywhere of the files, in arena a. */
bool mt_file_scattered (MtSession *s, MtArena *a, const MtFileTable *f, MtSpan span,
                        MtScattered *out, MtError *err);
/* Passes on the documents of the pieces behind the beginning of the first file. Of a file that was
 * read completely, those behind the first MT_NEAR_DOCUMENTS. sc->prefix.p isn't NULL. */
bool mt_file_see_scattered (const MtScattered *sc, MtSeeDocument see, void *ctx, MtError *err);

/* Passes on the documents of `first` with `rest` behind it. An error ends them: the end may cut off
 * a document. A faulty document is reported when the file is read. */
void mt_file_see_bytes (MtReadKind kind, MtStr first, MtStr rest, MtSeeDocument see, void *ctx);

/* ---- spread.c ---- */

/* Chooses documents of files that are read from the beginning to the end. */
typedef struct MtSpread {
   MtReadKind kind;
   uint64_t files;    /* that share the sample */
   MtSeeDocument see; /* takes the chosen documents */
   void *ctx;
   uint64_t at, next;       /* offsets in the file: of the next document, and of the next choice */
   uint64_t step;           /* bytes between two choices; 0: all documents are chosen */
   uint64_t each;           /* bytes of the file for each byte of chosen documents */
   MtBuf chosen;            /* not yet passed on */
   MtBuf before_last, last; /* the last documents that were not chosen */
} MtSpread;

/* Begins a file with the given number of bytes. */
void mt_spread_begin (MtSpread *s, uint64_t bytes);
/* Adds the next document of the file, as it is there. */
void mt_spread_add (MtSpread *s, MtStr document);
/* Ends the file. All its chosen documents were then passed on. */
void mt_spread_end (MtSpread *s);
void mt_spread_free (MtSpread *s);

/* ---- options.c ---- */

/* Reads the options of read_csv. */
bool mt_file_csv_options (MtArena *a, const MtFileCall *call, MtSniffGiven *out, MtError *err);

/* ---- stream.c ---- */

/* Opens the documents of a file. MtDocStreams.open; ctx is the session. */
bool mt_file_stream_open (void *ctx, const char *collection, MtDocStream **out, MtError *err);

/* ---- documents.c ---- */

/* Finds the columns of JSON and BSON files. */
bool mt_file_recognise_documents (MtSession *s, MtFileTable *f, const MtFileCall *call,
                                  MtError *err);
/* Returns the documents of JSON and BSON files. The stream holds f. */
MtDocStream *mt_file_documents (MtSession *s, MtFileTable *f);

/* ---- table.c ---- */

void mt_file_hold (MtFileTable *f);
void mt_file_release (MtSession *s, MtFileTable *f);

#endif
