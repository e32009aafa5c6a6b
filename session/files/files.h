/* Text files as tables: SELECT … FROM 'file.csv'.
 *
 * A file becomes a table over a collection that is a stream (mt_is_streamed). The engine reads the
 * stream's documents in process, one after the other. Errors of a file name the file and the
 * line. */
#ifndef MT_SESSION_FILES_H
#define MT_SESSION_FILES_H

#include "copy/sniff.h"
#include "layouts/infer/seen.h"
#include "session/state/session.h"

/* A file, or all files of a pattern, with the form that was recognised. */
typedef struct MtFileTable MtFileTable;

/* Sets the function that opens streams, for the session's engine. */
void mt_files_begin (MtSession *s);
/* Forgets all files. */
void mt_files_end (MtSession *s);

/* MtBindEnv.file; ctx is the session. Sends a NOTICE for each doubtful decision about a file that
 * was not recognised before. 42501: the session is restricted; 58P01: no file matches; 42809: a
 * folder or a pipe; 22023: options. */
bool mt_file_bind (void *ctx, MtArena *a, const MtFileCall *call, const MtTable **out,
                   MtError *err);

/* Recognises a file for \infer. Valid as long as arena a. */
bool mt_file_find (MtSession *s, MtArena *a, const MtFileCall *call, MtFileTable **out,
                   MtError *err);
/* Recognises a file that belongs to the session's target. Valid as long as arena a. */
bool mt_file_of_target (MtSession *s, MtArena *a, const char *path, MtFileTable **out,
                        MtError *err);
/* Returns whether there is a file of this name, or one that matches the pattern. */
bool mt_file_exists (const char *name);
/* Returns the name of the file's collection; borrowed. */
const char *mt_file_collection (const MtFileTable *f);
const MtTable *mt_file_table (const MtFileTable *f);
/* Returns the file whose table this is; NULL: the table is none of a file. */
MtFileTable *mt_file_of_table (const MtSession *s, const MtTable *t);
/* Returns the recognised form of a CSV file; NULL: the file has documents. */
const MtSniffed *mt_file_form (const MtFileTable *f);
/* Returns the sampled documents of JSON and BSON files; NULL: it is a CSV file. */
const MtSeen *mt_file_seen (const MtFileTable *f);
/* Returns whether COPY reads a JSON file as it is: each document of the sample is one line of plain
 * JSON without sub-documents. */
bool mt_file_is_plain_lines (const MtFileTable *f);
/* Returns the files' number, and the path of one; borrowed. */
size_t mt_file_count (const MtFileTable *f);
const char *mt_file_path (const MtFileTable *f, size_t i);

/* Refuses an open file in a format that is recognised, but not read, such as Parquet. 0A000 with
 * the commands that convert it. */
bool mt_file_refuse_foreign (int fd, const char *path, MtSpan span, MtError *err);

/* ---- rows ---- */

/* Reads the rows of a CSV file without the engine. */
typedef struct MtFileRows MtFileRows;
/* The result is owned by the caller: mt_file_rows_close. */
MtFileRows *mt_file_rows_open (MtSession *s, MtFileTable *f);
/* Reads the next row, with a value for each column; missing values are MT_NULL. *row is borrowed
 * until the next call; NULL: the end. */
bool mt_file_rows_next (MtFileRows *r, const MtVal **row, MtError *err);
/* Adds the file and the line of the current row to an error of the row. */
void mt_file_rows_context (const MtFileRows *r, MtError *err);
/* Returns how many bytes of the files were read. *total: of how many; 0: not known. */
uint64_t mt_file_rows_bytes (const MtFileRows *r, uint64_t *total);
void mt_file_rows_close (MtFileRows *r); /* NULL is allowed */

#endif
