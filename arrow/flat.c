/* Writes flatbuffers, the format of Arrow's metadata. Each table is preceded by a list of its
 * fields' offsets (vtable). Source: https://flatbuffers.dev/internals/. */
#include "arrow/arrow_int.h"
#include "base/bytes.h"

/* Appends zeros until b->n + before is a multiple of `align`. */
static void pad (MtBuf *b, size_t before, size_t align)
{
   mt_buf_fill (b, 0, (align - (b->n + before) % align) % align);
}

void mt_flat_int (MtBuf *b, int64_t value, size_t size)
{
   uint8_t bytes[8];
   mt_put64 (bytes, (uint64_t) value);
   mt_buf_add (b, bytes, size);
}

void mt_flat_link (MtBuf *b, size_t at, size_t position)
{
   if (at + 4 <= b->n) /* false only if memory is exhausted */
      mt_put32 ((uint8_t *) b->p + at, (uint32_t) (position - at));
}

size_t mt_flat_root (MtBuf *b)
{
   mt_flat_int (b, 0, 4);
   return 0;
}

/* Sets the offset of each field in a table, after the first 4 bytes. Wider fields come first, so
 * that each field is aligned. Returns the size of the table. */
static size_t place_fields (MtFlatField *fields, int count)
{
   size_t at = 4;
   for (uint8_t size = 8; size; size /= 2)
      for (int i = 0; i < count; i++)
         if (fields[i].size == size) {
            fields[i].at = at;
            at += size;
         }
   return at;
}

size_t mt_flat_table (MtBuf *b, MtFlatField *fields, int count)
{
   size_t size = place_fields (fields, count), list = 4 + 2 * (size_t) count;
   pad (b, list + 4, 8); /* fields of 8 bytes begin 4 bytes after the table */
   size_t start = b->n + list;
   mt_flat_int (b, (int64_t) list, 2);
   mt_flat_int (b, (int64_t) size, 2);
   for (int i = 0; i < count; i++)
      mt_flat_int (b, fields[i].size ? (int64_t) fields[i].at : 0, 2);
   mt_flat_int (b, (int64_t) list, 4);
   for (uint8_t width = 8; width; width /= 2)
      for (int i = 0; i < count; i++)
         if (fields[i].size == width) {
            fields[i].at += start;
            mt_flat_int (b, fields[i].value, width);
         }
   return start;
}

size_t mt_flat_string (MtBuf *b, const char *s)
{
   size_t n = strlen (s);
   pad (b, 0, 4);
   size_t at = b->n;
   mt_flat_int (b, (int64_t) n, 4);
   mt_buf_add (b, s, n + 1);
   return at;
}

size_t mt_flat_vector (MtBuf *b, size_t count, size_t align)
{
   pad (b, 4, align);
   size_t at = b->n;
   mt_flat_int (b, (int64_t) count, 4);
   return at;
}
