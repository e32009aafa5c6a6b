/* Files that are replaced only when their new contents are complete. The contents are written to a
 * draft, a new file in the same folder, which is then renamed. So nobody reads an incomplete file,
 * and after an error the old file is unchanged. */
#ifndef MT_DRAFT_H
#define MT_DRAFT_H

#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct MtDraft {
   int fd;     /* for writing; -1: not open */
   char *path; /* the name that the draft takes; NULL: the file is written directly */
   char *name; /* the draft's own name */
   /* The number of bytes written, and how many of them the system has been told to write to
    * disk. */
   uint64_t written, started;
} MtDraft;

/* Opens a file for writing; `flags` are added to those of open(2). A regular or new file is written
 * as a draft, with the permissions of the old file. Devices and FIFOs are written directly, as are
 * files in a folder where no draft can be created. Returns false, with errno set, on error. In all
 * cases, the caller calls mt_draft_drop at the end. */
bool mt_draft_open (MtDraft *d, const char *path, int flags);
/* Returns a stdio stream that writes to the draft, or NULL with errno set. The caller owns the
 * stream, and must close it before mt_draft_finish. */
FILE *mt_draft_stream (const MtDraft *d);
/* Reports that n more bytes were written to the end of the file. From time to time, tells the
 * system to start writing them to disk, so that mt_draft_finish waits less. */
void mt_draft_wrote (MtDraft *d, size_t n);
/* Syncs the file to disk, closes it, and renames the draft to the file's name. Returns false, with
 * errno set, on error. */
bool mt_draft_finish (MtDraft *d);
/* Closes the file. Deletes the draft if mt_draft_finish has not renamed it. A file that is written
 * directly is kept. Leaves errno unchanged. */
void mt_draft_drop (MtDraft *d);
/* Writes `bytes` to a file, by means of a draft. Fails with 58030; then the old file is
 * unchanged. */
bool mt_draft_write (const char *path, const MtBuf *bytes, MtError *err);

#endif
