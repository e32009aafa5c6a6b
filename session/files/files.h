/* Files as tables: SELECT … FROM 'file.csv'.
 *
 * A file becomes a table over a stream, a special collection (mt_is_streamed) whose documents the
 * engine reads in this process, one after the other. The context of an error has the file and the
 * line. */
#ifndef MT_SESSION_FILES_H
#define MT_SESSION_FILES_H

#include "copy/sniff.h"
#include "layouts/infer/seen.h"
#include "session/state/session.h"

/* A file, or all files that match a pattern, with the detected form: kind, columns and types. */
typedef struct MtFileTable MtFileTable;

/* Registers a callback in the session's engine. The engine calls it to open a stream of documents
 * over a file. */
void mt_files_begin (MtSession *s);
/* Frees the session's list of files. */
void mt_files_end (MtSession *s);

/* A callback of the binder for files in FROM (MtBindEnv.file). Sets *out to the table over the
 * file; ctx is the session. If the form of a file is detected now, sends a NOTICE for each doubtful
 * decision. Errors: 42501 the session is restricted; 58P01 no file matches; 42809 a folder or a
 * pipe; 22023 a wrong option. */
bool mt_file_bind (void *ctx, MtArena *a, const MtFileCall *call, const MtTable **out,
                   MtError *err);

/* Detects the form of a file, for \infer. *out is valid as long as arena a. */
bool mt_file_find (MtSession *s, MtArena *a, const MtFileCall *call, MtFileTable **out,
                   MtError *err);
/* Detects the form of a file that belongs to the session's target. *out is valid as long as arena
 * a. */
bool mt_file_of_target (MtSession *s, MtArena *a, const char *path, MtFileTable **out,
                        MtError *err);
/* Returns whether `name` is the name of a file, or a pattern that matches one. */
bool mt_file_exists (const char *name);
/* Returns the name of the stream (collection) by which the engine reads the file; borrowed. */
const char *mt_file_collection (const MtFileTable *f);
const MtTable *mt_file_table (const MtFileTable *f);
/* Returns the file that table t reads; NULL: t does not read a file. */
MtFileTable *mt_file_of_table (const MtSession *s, const MtTable *t);
/* Returns the detected form of a CSV file: delimiter, columns and so on; NULL: the file is JSON or
 * BSON. */
const MtSniffed *mt_file_form (const MtFileTable *f);
/* Returns the fields seen in the sampled documents of a JSON or BSON file; NULL: it is a CSV
 * file. */
const MtSeen *mt_file_seen (const MtFileTable *f);
/* Returns whether COPY can read a JSON file: each document of the sample is one line of plain JSON
 * without sub-documents. */
bool mt_file_is_plain_lines (const MtFileTable *f);
/* These two return how many files match the pattern, and the path of file i; borrowed. */
size_t mt_file_count (const MtFileTable *f);
const char *mt_file_path (const MtFileTable *f, size_t i);

/* Fails with 0A000 if an open file has a format that is known but cannot be read, such as Parquet.
 * The hint has the commands that convert it. */
bool mt_file_refuse_foreign (int fd, const char *path, MtSpan span, MtError *err);

/* ---- rows ---- */

/* A reader of the rows of a CSV file. It reads the file directly, as COPY does; no pipeline
 * runs. */
typedef struct MtFileRows MtFileRows;
/* Opens a reader of the file's rows, owned by the caller: mt_file_rows_close. */
MtFileRows *mt_file_rows_open (MtSession *s, MtFileTable *f);
/* Reads the next row, with a value for each column; missing values are MT_NULL. *row is borrowed
 * until the next call; NULL: the end. */
bool mt_file_rows_next (MtFileRows *r, const MtVal **row, MtError *err);
/* Adds the file and the line of the current row to the context of error err. */
void mt_file_rows_context (const MtFileRows *r, MtError *err);
/* Returns how many bytes of the files were read so far. *total is the size of all files; 0: not
 * known. */
uint64_t mt_file_rows_bytes (const MtFileRows *r, uint64_t *total);
void mt_file_rows_close (MtFileRows *r); /* NULL is allowed */

#endif
