/* Private to copy: the thread that reads ahead, and conversions of encodings. */
#ifndef MT_COPY_INT_H
#define MT_COPY_INT_H

#include "copy/format.h"
#include "types/datetime.h"

/* ---- reading ahead ---- */

/* Reads the next row, like mt_copy_in_next, but always in the calling thread. */
bool mt_copy_in_read (MtCopyIn *in, const MtVal **row, MtError *err);
/* Starts a thread that reads rows ahead. Returns NULL if no thread can be started. Close it before
 * freeing the data that the reader borrows. */
MtCopyAhead *mt_copy_ahead_open (MtCopyIn *in);
void mt_copy_ahead_close (MtCopyAhead *h); /* NULL is allowed */
/* Returns whether so many records had errors that reading ahead costs more time than it saves. Then
 * the caller should close the thread, and read rows itself. */
bool mt_copy_ahead_is_vain (const MtCopyAhead *h);
bool mt_copy_ahead_next (MtCopyAhead *h, const MtVal **row, MtError *err);
/* Returns the line, position and text of the row that was returned last. NULL: after an error and
 * at the end; then MtCopyIn has them. */
const MtCopyPlace *mt_copy_ahead_place (const MtCopyAhead *h);
/* Returns how many bytes of the file the current batch and those before it contain. */
uint64_t mt_copy_ahead_bytes (const MtCopyAhead *h);

/* ---- encodings ---- */

/* Opens a conversion from encoding `name` to UTF-8, or from UTF-8 to it if `write` is true. It is
 * closed when arena a is freed. *out is NULL if the encoding is UTF-8. Fails with 0A000 if the
 * system does not have the encoding. */
bool mt_recode_open (MtArena *a, const char *name, bool write, MtRecode **out, MtError *err);
/* Reads bytes, like mt_copy_bytes, and converts them to UTF-8. `size` must be greater than the
 * length of the longest character. Fails with 22P05 or 22021 if the next character is invalid. */
bool mt_recode_read (MtCopyIn *in, char *to, size_t size, long *got, MtError *err);
/* Converts a text, which must end with a whole character, to the encoding of the file. *out is
 * borrowed until the next call. Fails with 22P05 if the encoding does not have a character. */
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
