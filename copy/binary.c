/* PostgreSQL's binary format of COPY: a header, then for each row the number of its fields, and for
 * each field its length and bytes.
 * https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.4 */
#include "base/network.h"
#include "copy/copy_int.h"
#include "types/binary.h"

const MtCopyOptionRow mt_binary_options[] = {{0}};

static const char mark[] = "PGCOPY\n\377\r\n"; /* the file's signature, with its NUL */
enum { MARK_BYTES = sizeof mark };
#define CRITICAL_FLAGS 0xffff0000u

/* ---- reading ---- */

static bool broken (const char *what, MtError *err)
{
   return mt_error (err, MT_E_COPY_FORMAT, "%s", what);
}

/* Returns the next n bytes of the record, borrowed until the next record is read. Returns NULL with
 * *err set if the file ends before, or can't be read. */
static const uint8_t *take (MtCopyIn *in, size_t n, MtError *err)
{
   size_t *done = in->state; /* how many bytes of the current record were already taken */
   const char *p = in->buf + in->start + *done;
   while (in->n - in->start - *done < n) {
      if (in->eof)
         return broken ("unexpected EOF in COPY data", err), NULL;
      if (!mt_copy_fill (in, &p, err))
         return NULL;
   }
   *done += n;
   return (const uint8_t *) p;
}

static bool take_be32 (MtCopyIn *in, uint32_t *out, MtError *err)
{
   const uint8_t *p = take (in, 4, err);
   if (p)
      *out = mt_take_be32 (&(MtNetBytes) {.p = p, .n = 4});
   return p != NULL;
}

static bool read_head (MtCopyIn *in, MtError *err)
{
   uint32_t flags, more;
   const uint8_t *p = take (in, MARK_BYTES, err);
   if (!p || memcmp (p, mark, MARK_BYTES) != 0)
      return broken ("COPY file signature not recognized", err);
   if (!take_be32 (in, &flags, err) || !take_be32 (in, &more, err))
      return broken ("invalid COPY file header (missing flags or length)", err);
   if (flags & CRITICAL_FLAGS)
      return broken ("unrecognized critical flags in COPY file header", err);
   if (more > MT_COPY_MAX_RECORD || !take (in, more, err))
      return broken ("invalid COPY file header (wrong length)", err);
   in->started = true;
   return true;
}

bool mt_binary_open_in (MtCopyIn *in, MtError *err)
{
   in->state = MT_NEW (in->a, size_t);
   return true;
}

static bool read_field (MtCopyIn *in, size_t field, MtError *err)
{
   int column = in->columns[field];
   uint32_t n;
   MtBuf text = {0};
   if (!take_be32 (in, &n, err))
      return false;
   in->row[column] = mt_v_null ();
   if (n == UINT32_MAX)
      return true;
   const uint8_t *p = n <= MT_COPY_MAX_RECORD ? take (in, n, err) : NULL;
   if (!p)
      return mt_error_is_set (err) || broken ("invalid field size", err);
   if (!mt_binary_receive (in->x.table->columns[column].type, p, n, &text, err)) {
      mt_buf_free (&text);
      return mt_copy_context (in, column, MT_STR ("(binary)"), err);
   }
   in->values_used = true;
   MtStr own = {mt_strndup (in->values, text.p ? text.p : "", text.n), text.n};
   mt_buf_free (&text);
   return mt_copy_check_utf8 (in, column, own, err) &&
          mt_copy_value (in, column, own, &in->row[column], err);
}

/* Sets *end if the file has no more bytes. As in PostgreSQL, the trailer, the last two bytes of a
 * file, may be missing. */
static bool at_end (MtCopyIn *in, bool *end, MtError *err)
{
   const size_t *done = in->state;
   const char *p = in->buf + in->start + *done;
   while (in->n - in->start == *done && !in->eof)
      if (!mt_copy_fill (in, &p, err))
         return false;
   *end = in->n - in->start == *done;
   return true;
}

bool mt_binary_next (MtCopyIn *in, bool *end, MtError *err)
{
   size_t *done = in->state;
   mt_error_clear (err);
   in->start += *done;
   *done = 0;
   if (!in->started && !read_head (in, err))
      return false;
   in->line++;
   if (!at_end (in, end, err))
      return false;
   if (*end)
      return true;
   const uint8_t *p = take (in, 2, err);
   if (!p)
      return mt_copy_context (in, -1, (MtStr) {NULL, 0}, err);
   uint16_t count = mt_take_be16 (&(MtNetBytes) {.p = p, .n = 2});
   if (count == UINT16_MAX) {
      *end = true;
      return true;
   }
   if (count != in->column_count) {
      mt_error (err, MT_E_COPY_FORMAT, "row field count is %u, expected %zu", count,
                in->column_count);
      return mt_copy_context (in, -1, (MtStr) {NULL, 0}, err);
   }
   for (size_t i = 0; i < in->x.table->column_count; i++)
      in->row[i] = mt_v_missing ();
   for (size_t i = 0; i < count; i++)
      if (!read_field (in, i, err))
         return false;
   return mt_copy_check_size (in, err);
}

/* ---- writing ---- */

static bool finish (MtCopyOut *out, MtError *err)
{
   mt_put_be16 (&out->text, UINT16_MAX);
   return mt_memory_check (err);
}

bool mt_binary_open_out (MtCopyOut *out, MtError *err)
{
   out->state = mt_arena_new ("binary", out->a);
   out->finish = finish;
   mt_buf_add (&out->text, mark, MARK_BYTES);
   mt_put_be32 (&out->text, 0); /* flags */
   mt_put_be32 (&out->text, 0); /* no more header */
   return true;
}

bool mt_binary_row (MtCopyOut *out, const MtVal *row, MtError *err)
{
   mt_arena_reset (out->state);
   mt_put_be16 (&out->text, (uint16_t) out->x.column_count);
   for (size_t i = 0; i < out->x.column_count; i++)
      if (!mt_binary_put (out->state, out->x.types[i], row[i], out->x.style, &out->text, err))
         return false;
   return true;
}
