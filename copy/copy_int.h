/* Private to copy: the thread that reads ahead, and conversions of encodings. */
#ifndef MT_COPY_INT_H
#define MT_COPY_INT_H

#include "copy/format.h"
#include "types/datetime.h"

/* ---- reading ahead ---- */

/* Reads the next row as mt_copy_in_next does, but in the calling thread. */
bool mt_copy_in_read (MtCopyIn *in, const MtVal **row, MtError *err);
/* Starts a thread that reads rows ahead. NULL: no thread can start. Close it before the data that
 * the reader borrows. */
MtCopyAhead *mt_copy_ahead_open (MtCopyIn *in);
void mt_copy_ahead_close (MtCopyAhead *h); /* NULL is allowed */
/* Returns whether so many records had errors that the thread that reads ahead only costs time. Then
 * the caller should close the thread, and read in its own. */
bool mt_copy_ahead_is_vain (const MtCopyAhead *h);
bool mt_copy_ahead_next (MtCopyAhead *h, const MtVal **row, MtError *err);
/* Returns the place of the last row that the thread returned. NULL: after an error and at the end;
 * then MtCopyIn has the place. */
const MtCopyPlace *mt_copy_ahead_place (const MtCopyAhead *h);
/* Returns the number of bytes that the thread had read up to the end of the current batch of
 * rows. */
uint64_t mt_copy_ahead_bytes (const MtCopyAhead *h);

/* ---- encodings ---- */

/* Opens a conversion from an encoding to UTF-8, or (write) from UTF-8 to the encoding. The
 * conversion is closed with the arena. *out = NULL: the encoding is UTF-8. 0A000: the system lacks
 * the encoding. */
bool mt_recode_open (MtArena *a, const char *name, bool write, MtRecode **out, MtError *err);
/* Reads bytes as mt_copy_bytes does, and converts them to UTF-8. `size` must be greater than the
 * longest character. 22P05 or 22021: the next character is invalid. */
bool mt_recode_read (MtCopyIn *in, char *to, size_t size, long *got, MtError *err);
/* Converts a text of whole characters to the encoding of a file. *out is borrowed until the next
 * call. 22P05: the encoding lacks a character. */
bool mt_recode_text (MtRecode *r, MtStr text, MtStr *out, MtError *err);
extern const MtCopyOptionRow mt_text_options[], mt_csv_options[], mt_jsonl_options[],
   mt_arrow_options[], mt_binary_options[];
bool mt_text_open_in (MtCopyIn *in, MtError *err);
bool mt_text_next (MtCopyIn *in, bool *end, MtError *err);
bool mt_text_open_out (MtCopyOut *out, MtError *err);
bool mt_text_row (MtCopyOut *out, const MtVal *row, MtError *err);
bool mt_csv_open_in (MtCopyIn *in, MtError *err);
bool mt_csv_next (MtCopyIn *in, bool *end, MtError *err);
bool mt_csv_open_out (MtCopyOut *out, MtError *err);
bool mt_csv_row (MtCopyOut *out, const MtVal *row, MtError *err);
bool mt_jsonl_open_in (MtCopyIn *in, MtError *err);
bool mt_jsonl_next (MtCopyIn *in, bool *end, MtError *err);
bool mt_jsonl_open_out (MtCopyOut *out, MtError *err);
bool mt_jsonl_row (MtCopyOut *out, const MtVal *row, MtError *err);
bool mt_binary_open_in (MtCopyIn *in, MtError *err);
bool mt_binary_next (MtCopyIn *in, bool *end, MtError *err);
bool mt_binary_open_out (MtCopyOut *out, MtError *err);
bool mt_binary_row (MtCopyOut *out, const MtVal *row, MtError *err);
bool mt_arrow_open_file (MtCopyOut *out, MtError *err);
bool mt_arrow_open_stream (MtCopyOut *out, MtError *err);
bool mt_arrow_row (MtCopyOut *out, const MtVal *row, MtError *err);

#endif
