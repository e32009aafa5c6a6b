/* Files that take their name when they are complete. A draft is written beside the file, and
 * replaces it at the end. So nobody reads half of a file, and after an error the old file is as it
 * was. */
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
   /* Bytes that were written, and those of them that the system was told to put on disk. */
   uint64_t written, started;
} MtDraft;

/* Opens a file for writing; flags are added to those of open(2). A regular file, or one that does
 * not exist yet, is written as a draft with the permissions of the old file. Devices and FIFOs are
 * written directly, as are files whose folder can't take a draft. Returns false with errno after an
 * error. The caller calls mt_draft_drop at the end. */
bool mt_draft_open (MtDraft *d, const char *path, int flags);
/* Returns a stream over a second descriptor of the draft; NULL with errno: none. Owned by the
 * caller, who closes it before mt_draft_finish. */
FILE *mt_draft_stream (const MtDraft *d);
/* Call it after n more bytes were written at the end. The system then begins to put them on disk,
 * so that mt_draft_finish waits less. */
void mt_draft_wrote (MtDraft *d, size_t n);
/* Writes the file to disk, closes it, and gives it its name. Returns false with errno after an
 * error. */
bool mt_draft_finish (MtDraft *d);
/* Closes the file. Removes a draft that was not finished; a file that is written directly stays.
 * Keeps errno. */
void mt_draft_drop (MtDraft *d);
/* Writes a whole file as a draft. After an error (58030) the old file is as it was. */
bool mt_draft_write (const char *path, const MtBuf *bytes, MtError *err);

#endif
