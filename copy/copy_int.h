/* The built-in formats, reading ahead, and encodings. */
#ifndef MT_COPY_INT_H
#define MT_COPY_INT_H

#include "copy/format.h"
#include "types/datetime.h"

/* ---- reading ahead ---- */

/* As mt_copy_in_next, by the reader itself. */
bool mt_copy_in_read (MtCopyIn *in, const MtVal **row, MtError *err);
/* From now on a thread reads; NULL: there can't be one. Closed before what is borrowed of the
 * reader goes. */
MtCopyAhead *mt_copy_ahead_open (MtCopyIn *in);
void mt_copy_ahead_close (MtCopyAhead *h); /* NULL is allowed */
/* So many records were at fault, at each of which the thread waits, that it is better closed now:
 * the reader goes on by itself from where it is. */
bool mt_copy_ahead_is_vain (const MtCopyAhead *h);
bool mt_copy_ahead_next (MtCopyAhead *h, const MtVal **row, MtError *err);
const MtCopyPlace *mt_copy_ahead_place (
   const MtCopyAhead *h); /* of the last row; NULL: there was an error, or the end, and the reader
                             itself says where */
uint64_t mt_copy_ahead_bytes (const MtCopyAhead *h); /* read with the rows at hand */

/* ---- encodings ---- */

/* ENCODING's value by PostgreSQL's own name, static. 22023 when there is none such. */
bool mt_encoding_find (const MtPresetOption *o, const char **out, MtError *err);
/* From (to, with `write`) the encoding of that name; *out NULL: nothing is to be converted. Closed
 * with the arena. 0A000 where the system doesn't have it. */
bool mt_recode_open (MtArena *a, const char *name, bool write, MtRecode **out, MtError *err);
/* As mt_copy_bytes, in UTF-8; size is more than a character. 22P05 or 22021 when the file's next
 * character is none. */
bool mt_recode_read (MtCopyIn *in, char *to, size_t size, long *got, MtError *err);
/* UTF-8 in whole characters; *out is borrowed until the next call. 22P05 when one isn't in the
 * encoding. */
bool mt_recode_text (MtRecode *r, MtStr text, MtStr *out, MtError *err);
extern const MtCopyOptionRow mt_text_options[], mt_csv_options[], mt_jsonl_options[];
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

#endif
