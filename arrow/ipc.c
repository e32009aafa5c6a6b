/* Writes Arrow's IPC formats. Each message is a marker, the length of a flatbuffer, the flatbuffer
 * with the metadata, and the buffers of a batch. Source:
 * https://arrow.apache.org/docs/format/Columnar.html, section "Serialization and Interprocess
 * Communication", and its Schema.fbs, Message.fbs and File.fbs. */
#include "arrow/arrow_int.h"
#include "base/memory.h"

#include <string.h>

enum { VERSION = 4 };                     /* MetadataVersion.V5 */
enum { HEAD_SCHEMA = 1, HEAD_BATCH = 3 }; /* the union MessageHeader */
enum { ALIGN = 8 };                       /* of messages, and of buffers within them */

static const char magic[] = "ARROW1";

static size_t padded (size_t n) { return (n + ALIGN - 1) / ALIGN * ALIGN; }

static void add_padded (MtBuf *out, const char *p, size_t n)
{
   mt_buf_add (out, n ? p : "", n);
   mt_buf_fill (out, 0, padded (n) - n);
}

/* ---- the schema ---- */

/* Appends metadata that name an extension type. Returns their position in b. */
static size_t put_extension (MtBuf *b, const char *name)
{
   const char *const pairs[2][2] = {{"ARROW:extension:name", name},
                                    {"ARROW:extension:metadata", ""}};
   size_t list = mt_flat_vector (b, 2, 4);
   mt_flat_int (b, 0, 8);
   for (size_t i = 0; i < 2; i++) {
      MtFlatField fields[] = {MT_FLAT_OFFSET, MT_FLAT_OFFSET};
      mt_flat_link (b, list + 4 + 4 * i, mt_flat_table (b, fields, 2));
      for (size_t k = 0; k < 2; k++)
         mt_flat_link (b, fields[k].at, mt_flat_string (b, pairs[i][k]));
   }
   return list;
}

/* Appends the flatbuffers table that describes the type of a column. Returns its position in b. */
static size_t put_type (MtBuf *b, const MtArrowColumn *c)
{
   MtFlatField fields[3];
   int count = 0;
   memcpy (fields, c->kind->fields, sizeof fields);
   if (!c->kind->format && !c->item) {
      fields[0].value = c->type.mod1;
      fields[1].value = c->type.mod2;
   }
   while (count < 3 && fields[count].size)
      count++;
   size_t at = mt_flat_table (b, fields, count);
   if (c->kind->zone)
      mt_flat_link (b, fields[count - 1].at, mt_flat_string (b, c->kind->zone));
   return at;
}

static size_t put_field (MtBuf *b, const MtArrowColumn *c)
{
   const char *extension = c->kind->extension;
   MtFlatField f[] = {MT_FLAT_OFFSET, {1, 1, 0},     {1, c->kind->flat, 0}, MT_FLAT_OFFSET, {0},
                      MT_FLAT_OFFSET, MT_FLAT_OFFSET};
   f[6].size = extension ? 4 : 0;
   size_t at = mt_flat_table (b, f, 7);
   mt_flat_link (b, f[0].at, mt_flat_string (b, c->name));
   mt_flat_link (b, f[3].at, put_type (b, c));
   size_t children = mt_flat_vector (b, c->item ? 1 : 0, 4);
   mt_flat_link (b, f[5].at, children);
   if (c->item) {
      mt_flat_int (b, 0, 4);
      mt_flat_link (b, children + 4, put_field (b, c->item));
   }
   if (extension)
      mt_flat_link (b, f[6].at, put_extension (b, extension));
   return at;
}

static size_t put_schema (MtBuf *b, const MtArrow *t)
{
   MtFlatField fields[] = {{2, 0, 0}, MT_FLAT_OFFSET};
   size_t at = mt_flat_table (b, fields, 2), list = mt_flat_vector (b, t->count, 4);
   mt_flat_link (b, fields[1].at, list);
   for (size_t i = 0; i < t->count; i++)
      mt_flat_int (b, 0, 4);
   for (size_t i = 0; i < t->count; i++)
      mt_flat_link (b, list + 4 + 4 * i, put_field (b, &t->columns[i]));
   return at;
}

/* ---- batches ---- */

/* Calls each (b, c, ctx) for each column, and for the columns of list items, in the order of the
 * Arrow format. */
static void each_column (MtBuf *b, MtArrow *t, void (*each) (MtBuf *b, MtArrowColumn *c, void *ctx),
                         void *ctx)
{
   for (size_t i = 0; i < t->count; i++)
      for (MtArrowColumn *c = &t->columns[i]; c; c = c->item)
         each (b, c, ctx);
}

/* The number of columns and buffers in a batch, and the offset of the next buffer in the batch's
 * data. */
typedef struct Body {
   size_t columns, buffers, at;
} Body;

static void count_buffers (MtBuf *b, MtArrowColumn *c, void *ctx)
{
   Body *body = ctx;
   MtBuf *list[3];
   int n = mt_arrow_buffers (c, list);
   body->columns++;
   body->buffers += (size_t) n;
   for (int i = 0; i < n; i++)
      body->at += padded (list[i]->n);
}

static void put_node (MtBuf *b, MtArrowColumn *c, void *ctx)
{
   mt_flat_int (b, c->length, 8);
   mt_flat_int (b, c->nulls, 8);
}

static void put_buffers (MtBuf *b, MtArrowColumn *c, void *ctx)
{
   Body *body = ctx;
   MtBuf *list[3];
   int n = mt_arrow_buffers (c, list);
   for (int i = 0; i < n; i++) {
      mt_flat_int (b, (int64_t) body->at, 8);
      mt_flat_int (b, (int64_t) list[i]->n, 8);
      body->at += padded (list[i]->n);
   }
}

static void put_data (MtBuf *b, MtArrowColumn *c, void *ctx)
{
   MtBuf *list[3];
   int n = mt_arrow_buffers (c, list);
   for (int i = 0; i < n; i++)
      add_padded (b, list[i]->p, list[i]->n);
}

/* Appends the flatbuffers table RecordBatch, which describes a batch. Returns its position in b. */
static size_t put_record_batch (MtBuf *b, MtArrow *t, const Body *counts)
{
   Body body = {0};
   MtFlatField fields[] = {{8, t->rows, 0}, MT_FLAT_OFFSET, MT_FLAT_OFFSET};
   size_t at = mt_flat_table (b, fields, 3);
   mt_flat_link (b, fields[1].at, mt_flat_vector (b, counts->columns, 8));
   each_column (b, t, put_node, NULL);
   mt_flat_link (b, fields[2].at, mt_flat_vector (b, counts->buffers, 8));
   each_column (b, t, put_buffers, &body);
   return at;
}

/* ---- messages ---- */

/* Starts t->head with the flatbuffers table Message. head: the kind of header; body: the bytes of
 * the data that follow the message. Returns the position of the offset to the header, for
 * mt_flat_link. */
static size_t begin_message (MtArrow *t, int head, size_t body)
{
   MtFlatField fields[] = {{2, VERSION, 0}, {1, head, 0}, MT_FLAT_OFFSET, {8, (int64_t) body, 0}};
   mt_buf_clear (&t->head);
   size_t root = mt_flat_root (&t->head);
   mt_flat_link (&t->head, root, mt_flat_table (&t->head, fields, 4));
   return fields[2].at;
}

/* Appends the marker, the length of t->head, and t->head to `out`. Returns the number of bytes. */
static size_t end_message (MtArrow *t, MtBuf *out)
{
   size_t before = out->n;
   mt_flat_int (out, 0xFFFFFFFF, 4);
   mt_flat_int (out, (int64_t) padded (t->head.n), 4);
   add_padded (out, t->head.p, t->head.n);
   return out->n - before;
}

void mt_arrow_put_start (MtArrow *t, MtArrowForm form, MtBuf *out)
{
   size_t before = out->n;
   t->form = form;
   if (form == MT_ARROW_FILE)
      add_padded (out, magic, strlen (magic));
   size_t head = begin_message (t, HEAD_SCHEMA, 0);
   mt_flat_link (&t->head, head, put_schema (&t->head, t));
   end_message (t, out);
   t->written = (int64_t) (out->n - before);
}

void mt_arrow_put_batch (MtArrow *t, MtBuf *out)
{
   Body counts = {0};
   size_t before = out->n;
   if (!t->rows)
      return;
   each_column (NULL, t, count_buffers, &counts);
   size_t head = begin_message (t, HEAD_BATCH, counts.at);
   mt_flat_link (&t->head, head, put_record_batch (&t->head, t, &counts));
   size_t head_bytes = end_message (t, out);
   each_column (out, t, put_data, NULL);
   MT_GROW ("batches", t->blocks, t->block_count, t->block_cap, 16);
   t->blocks[t->block_count++] = (MtArrowBlock) {t->written, (int64_t) counts.at,
                                                 (int32_t) head_bytes};
   t->written += (int64_t) (out->n - before);
   mt_arrow_begin_batch (t);
}

/* Appends the footer of a file: a list of the batches' positions, which readers of a file read
 * first. */
static void put_footer (MtArrow *t, MtBuf *out)
{
   MtBuf *b = &t->head;
   MtFlatField fields[] = {{2, VERSION, 0}, MT_FLAT_OFFSET, MT_FLAT_OFFSET, MT_FLAT_OFFSET};
   mt_buf_clear (b);
   size_t root = mt_flat_root (b);
   mt_flat_link (b, root, mt_flat_table (b, fields, 4));
   mt_flat_link (b, fields[1].at, put_schema (b, t));
   mt_flat_link (b, fields[2].at, mt_flat_vector (b, 0, 8));
   mt_flat_link (b, fields[3].at, mt_flat_vector (b, t->block_count, 8));
   for (size_t i = 0; i < t->block_count; i++) {
      mt_flat_int (b, t->blocks[i].offset, 8);
      mt_flat_int (b, t->blocks[i].head, 8); /* 4 bytes, and 4 of padding */
      mt_flat_int (b, t->blocks[i].body, 8);
   }
   mt_buf_add (out, b->p, b->n);
   mt_flat_int (out, (int64_t) b->n, 4);
   mt_buf_adds (out, magic);
}

void mt_arrow_put_end (MtArrow *t, MtBuf *out)
{
   mt_arrow_put_batch (t, out);
   mt_flat_int (out, 0xFFFFFFFF, 8); /* the mark, and the length 0 */
   if (t->form == MT_ARROW_FILE)
      put_footer (t, out);
}
