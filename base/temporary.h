/* Files without a name, under TMPDIR or /tmp, for what doesn't fit in memory. Errors: 53100 where
 * the disk is full, else 58030, with a hint at TMPDIR. A stream's bytes that couldn't be written
 * are told of at the latest by mt_temporary_rewind, so that nobody takes a part of them for all. */
#ifndef MT_TEMPORARY_H
#define MT_TEMPORARY_H

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

/* -1 with errno. Owned by the caller: mt_temporary_drop. */
int mt_temporary_file (void);
/* The SQLSTATE of an errno: 53100, 53200, 58P01 or 58030. */
const char *mt_io_state (int error);
/* Gives a file up with all that is in it. A large one is closed by a thread of its own: a file
 * system takes its time to free many blocks, and nobody has to wait for that. fd < 0, NULL: nothing
 * is done. */
void mt_temporary_drop (int fd);
void mt_temporary_close (FILE *f);
/* All of it, from byte `at` of the file on. */
bool mt_temporary_write_at (int fd, uint64_t at, const void *p, size_t size_bytes, MtError *err);
/* The error of errno after `doing` ("write") with such a file; false. */
bool mt_temporary_failed (MtError *err, const char *doing);

/* A stream to be written, and then read from its beginning. NULL: err is set. Owned by the caller:
 * mt_temporary_close. */
FILE *mt_temporary_stream (MtError *err);
bool mt_temporary_write (FILE *f, const void *p, size_t size_bytes, MtError *err);
bool mt_temporary_flush (FILE *f, MtError *err);
bool mt_temporary_rewind (FILE *f, MtError *err);
/* Sets XX001, since the file has other bytes than were written. Always returns false. */
bool mt_temporary_damaged (MtError *err);
/* Exactly so many bytes. */
bool mt_temporary_read (FILE *f, void *p, size_t size_bytes, MtError *err);
/* The same of what was flushed, from a place on, wherever the stream stands. */
bool mt_temporary_read_at (FILE *f, off_t at, void *p, size_t size_bytes, MtError *err);
/* The four bytes that a record begins with, by which its reader knows how long it is; *end: there
 * is none. */
bool mt_temporary_next (FILE *f, uint32_t *head, bool *end, MtError *err);

#endif
