/* Temporary files without a name, in TMPDIR or /tmp, for data that doesn't fit in memory. Errors:
 * 53100 if the disk is full, otherwise 58030; a hint mentions TMPDIR. mt_temporary_rewind fails if
 * any byte of a stream could not be written, so a reader never sees an incomplete stream. */
#ifndef MT_TEMPORARY_H
#define MT_TEMPORARY_H

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

/* Creates a temporary file, and returns its descriptor, or -1 with errno set. The caller owns it:
 * mt_temporary_drop. */
int mt_temporary_file (void);
/* Returns the SQLSTATE for an errno: 53100 disk full, 53200 no memory, 58P01 no such file, 58030
 * for all others. */
const char *mt_io_state (int error);
/* Closes a temporary file, which deletes its data. A separate thread closes large files, because
 * freeing many blocks takes the file system long. Does nothing if fd < 0 or f is NULL. */
void mt_temporary_drop (int fd);
void mt_temporary_close (FILE *f);
/* Writes size_bytes bytes at offset `at` of the file. */
bool mt_temporary_write_at (int fd, uint64_t at, const void *p, size_t size_bytes, MtError *err);
/* Sets *err from errno, after an operation failed. doing: the operation, such as "write". Always
 * returns false. */
bool mt_temporary_failed (MtError *err, const char *doing);

/* Maps a new temporary file of size_bytes zeros. The kernel may write its pages to disk when memory
 * is short. Returns NULL with *err set on error. The caller owns it: mt_temporary_unmap with the
 * same size. */
void *mt_temporary_map (size_t size_bytes, MtError *err);
void mt_temporary_unmap (void *p, size_t size_bytes);

/* Opens a stream that is written first, and then read from its beginning. Returns NULL on error.
 * Owned by the caller: mt_temporary_close. */
FILE *mt_temporary_stream (MtError *err);
bool mt_temporary_write (FILE *f, const void *p, size_t size_bytes, MtError *err);
bool mt_temporary_flush (FILE *f, MtError *err);
bool mt_temporary_rewind (FILE *f, MtError *err);
/* Sets the error XX001: the bytes that were read differ from those that were written. Always
 * returns false. */
bool mt_temporary_damaged (MtError *err);
/* Reads the next size_bytes bytes. Fails if there are fewer. */
bool mt_temporary_read (FILE *f, void *p, size_t size_bytes, MtError *err);
/* Reads size_bytes bytes at offset `at` of the file. Fails if there are fewer. The bytes must have
 * been flushed. Does not use or change the stream's position. */
bool mt_temporary_read_at (FILE *f, off_t at, void *p, size_t size_bytes, MtError *err);
/* Reads the length of the next record, which is stored in four bytes before each record, into
 * *head. Sets *end if there is no more record. */
bool mt_temporary_next (FILE *f, uint32_t *head, bool *end, MtError *err);

#endif
