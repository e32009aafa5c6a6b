/* Files without a name, under TMPDIR or /tmp, for data that doesn't fit in memory. Errors: 53100 if
 * the disk is full, else 58030, with a hint at TMPDIR. mt_temporary_rewind fails if any byte of a
 * stream could not be written. So a reader never accepts an incomplete stream. */
#ifndef MT_TEMPORARY_H
#define MT_TEMPORARY_H

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

/* Opens a new file. Returns -1 with errno on error. Owned by the caller: mt_temporary_drop. */
int mt_temporary_file (void);
/* Returns the SQLSTATE for an errno: 53100 disk full, 53200 no memory, 58P01 no such file, else
 * 58030. */
const char *mt_io_state (int error);
/* Closes a file, which removes its content. A second thread closes large files, because the file
 * system needs time to free many blocks. Does nothing if fd < 0 or f is NULL. */
void mt_temporary_drop (int fd);
void mt_temporary_close (FILE *f);
/* Writes all bytes at offset `at` of the file. */
bool mt_temporary_write_at (int fd, uint64_t at, const void *p, size_t size_bytes, MtError *err);
/* Sets *err from errno, after the operation `doing` ("write") failed. Always returns false. */
bool mt_temporary_failed (MtError *err, const char *doing);

/* Maps a new file of size_bytes bytes, which are zeros. The kernel may move them from memory to
 * disk. NULL: *err is set. Owned by the caller: mt_temporary_unmap with the same size. */
void *mt_temporary_map (size_t size_bytes, MtError *err);
void mt_temporary_unmap (void *p, size_t size_bytes);

/* Opens a stream that is written first, and then read from its beginning. Returns NULL on error.
 * Owned by the caller: mt_temporary_close. */
FILE *mt_temporary_stream (MtError *err);
bool mt_temporary_write (FILE *f, const void *p, size_t size_bytes, MtError *err);
bool mt_temporary_flush (FILE *f, MtError *err);
bool mt_temporary_rewind (FILE *f, MtError *err);
/* Sets the error XX001: the bytes read differ from the bytes written. Always returns false. */
bool mt_temporary_damaged (MtError *err);
/* Reads the next size_bytes bytes; fewer bytes are an error. */
bool mt_temporary_read (FILE *f, void *p, size_t size_bytes, MtError *err);
/* Reads size_bytes bytes at offset `at` of the file; fewer bytes are an error. Only flushed bytes
 * can be read. The position of the stream is ignored and stays. */
bool mt_temporary_read_at (FILE *f, off_t at, void *p, size_t size_bytes, MtError *err);
/* Reads the length of the next record, which is stored in four bytes before the record. Sets *end
 * if no record is left. */
bool mt_temporary_next (FILE *f, uint32_t *head, bool *end, MtError *err);

#endif
