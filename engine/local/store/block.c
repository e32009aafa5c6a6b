/* A block is a group of documents in a segment file (the data file of a collection), with a header
 * and checksums.
 *
 *    header  "MTBK" version:4 collection:8 serial:4 documents:4 size:4 pages:4 data_at:4 rebuilt:4
 *            columns:4 directory:4 columns_hash:8 hash:8 (64 bytes)
 *    table   a checksum of 4 bytes for each 4,096 bytes of documents (the low half of XXH3-64)
 *    data    at header + data_at: documents end to end; blocks of 64 KiB or more begin on a page
 *    columns at the next multiple of 8; see documents/column_int.h
 *
 * The header's hash covers the header and the table. The manifest has a copy of that hash. If
 * `rebuilt` is 1, the block stores only columns (the values of each field together). Then there are
 * no pages and no data, and documents of `size` bytes in all are rebuilt from the columns.
 * Otherwise only the manifest describes the columns. */
#include "base/memory.h"
#include "engine/local/store/coll_int.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- verifying ---- */

static bool bad_block (const char *name, const MtStoreBlock *b, uint64_t at, const char *what,
                       MtError *err)
{
   return mt_error (err, MT_E_CORRUPT,
                    "collection \"%s\" is damaged at offset %llu of its segment file: %s", name,
                    (unsigned long long) (b->offset + at), what);
}

bool mt_block_head_read (const uint8_t p[MT_BLOCK_HEAD], MtBlockHead *out)
{
   *out = (MtBlockHead) {.collection = mt_get64 (p + 8),
                         .serial = mt_get32 (p + 16),
                         .documents = mt_get32 (p + 20),
                         .size = mt_get32 (p + 24),
                         .data_at = mt_get32 (p + 32),
                         .rebuilt = mt_get32 (p + 36) == 1,
                         .columns = {.bytes = mt_get32 (p + 40),
                                     .directory = mt_get32 (p + 44),
                                     .hash = mt_get64 (p + 48)},
                         .hash = mt_get64 (p + 56)};
   size_t least = MT_BLOCK_SUM_AT (out->rebuilt ? 0 : mt_block_pages (out->size));
   return memcmp (p, MT_BLOCK_MAGIC, 4) == 0 && out->size <= INT32_MAX &&
          out->documents <= out->size / 5 && out->data_at >= least &&
          out->data_at <= least + 2 * MT_STORE_PAGE;
}

uint64_t mt_block_head_hash (const uint8_t *p, size_t pages)
{
   return XXH3_64bits_withSeed (p + MT_BLOCK_HEAD, 4 * pages, XXH3_64bits (p, 56));
}

uint32_t mt_block_page_sum (const uint8_t *data, uint32_t size, size_t page)
{
   size_t at = page * MT_STORE_PAGE, n = size - at < MT_STORE_PAGE ? size - at : MT_STORE_PAGE;
   return (uint32_t) XXH3_64bits (data + at, n);
}

/* Verifies the block's header and its table of checksums against the hash in the manifest. Later
 * calls for the same block return at once. */
static bool verify_head (const char *name, MtStoreBlock *b, const uint8_t *head, MtError *err)
{
   MtBlockHead h;
   if (atomic_load_explicit (&b->head_ok, memory_order_acquire))
      return true;
   if (mt_block_head_hash (head, mt_block_pages (mt_block_stored (b))) != b->head_hash)
      return bad_block (name, b, 0, "the block header's checksum is wrong", err);
   if (!mt_block_head_read (head, &h) || h.documents != b->documents || h.size != b->size ||
       h.data_at != b->data_at || h.rebuilt != b->rebuilt)
      return bad_block (name, b, 0, "the block header and the manifest differ", err);
   atomic_store_explicit (&b->head_ok, 1, memory_order_release);
   return true;
}

bool mt_block_verify (const char *name, const MtStoreBlock *block, const uint8_t *data, size_t from,
                      size_t n, MtError *err)
{
   /* Cast away const, because the block stores which of its pages are verified. */
   MtStoreBlock *b = (MtStoreBlock *) (uintptr_t) block;
   const uint8_t *head = data - b->data_at;
   if (!verify_head (name, b, head, err))
      return false;
   size_t last = (from + n - 1) / MT_STORE_PAGE;
   for (size_t i = from / MT_STORE_PAGE; i <= last; i++) {
      if (atomic_load_explicit (&b->page_ok[i], memory_order_relaxed))
         continue;
      if (mt_block_page_sum (data, b->size, i) != mt_get32 (head + MT_BLOCK_SUM_AT (i)))
         return bad_block (name, b, b->data_at + i * MT_STORE_PAGE, "a page's checksum is wrong",
                           err);
      atomic_store_explicit (&b->page_ok[i], 1, memory_order_relaxed);
   }
   return true;
}

MtColumns mt_block_columns (const MtStoreBlock *b, const uint8_t *stored)
{
   MtColumns c = b->columns;
   c.p = stored + (mt_block_columns_at (b) - b->offset - b->data_at);
   return c;
}

bool mt_block_walk (MtBlockWalk *walk, const char *name, const MtStoreBlock *b,
                    const uint8_t *stored, MtRebuilt **rebuilt, MtError *err)
{
   *walk = (MtBlockWalk) {.name = name, .block = b, .data = stored, .stored = stored};
   if (!b->rebuilt)
      return true;
   /* Cast away const, because the block stores which of its columns are verified. */
   MtStoreBlock *noting = (MtStoreBlock *) (uintptr_t) b;
   MtColumns c = mt_block_columns (b, stored);
   if (!verify_head (name, noting, stored - b->data_at, err))
      return false;
   if (!mt_rebuild_begin (rebuilt, &c, b->documents, b->size, &noting->columns_ok))
      return mt_memory_check (err);
   walk->rebuilt = *rebuilt;
   walk->data = mt_rebuilt_data (*rebuilt);
   return true;
}

bool mt_block_rebuild (const char *name, const MtStoreBlock *b, MtRebuilt *rebuilt, size_t *from,
                       size_t *to, MtError *err)
{
   return mt_rebuild (rebuilt, from, to) ||
          (mt_memory_check (err) &&
           bad_block (name, b, b->data_at, "the checksum of a column is wrong", err));
}

static bool need (const MtBlockWalk *walk, size_t from, size_t n, MtError *err)
{
   size_t to = from + n;
   return walk->rebuilt ? mt_block_rebuild (walk->name, walk->block, walk->rebuilt, &from, &to, err)
                        : mt_block_verify (walk->name, walk->block, walk->data, from, n, err);
}

bool mt_block_next (MtBlockWalk *walk, const uint8_t **doc, size_t *len, MtError *err)
{
   const char *name = walk->name;
   const MtStoreBlock *b = walk->block;
   const uint8_t *data = walk->data;
   size_t *offset = &walk->offset;
   *doc = NULL;
   if (*offset == b->size)
      return true;
   if (b->size - *offset < 5)
      return bad_block (name, b, b->data_at + *offset, "no document", err);
   if (!need (walk, *offset, 4, err))
      return false;
   uint32_t n = mt_get32 (data + *offset);
   if (n < 5 || n > b->size - *offset)
      return bad_block (name, b, b->data_at + *offset, "a document's length is wrong", err);
   if (!need (walk, *offset, n, err))
      return false;
   *doc = data + *offset;
   *len = n;
   *offset += n;
   return true;
}

/* ---- the values of a field ---- */

MtFieldWalk mt_field_walk (const MtBlockWalk *walk, const char *field)
{
   MtFieldWalk f = {.documents = *walk, .field = field};
   if (!walk->block->rebuilt)
      return f;
   /* Cast away const, because the block stores which of its columns are verified. */
   MtStoreBlock *b = (MtStoreBlock *) (uintptr_t) walk->block;
   MtColumns c = mt_block_columns (b, walk->stored);
   bool has;
   if (mt_columns_find (&c, (MtColumnLevel) {0, b->documents}, &b->columns_ok, field, &f.column,
                        &has) &&
       has && f.column.form != MT_COLUMN_LIST)
      f.offsets = mt_columns_offsets (&c, b->documents, b->size, &b->columns_ok);
   return f;
}

bool mt_field_next (MtFieldWalk *f, bool *end, MtError *err)
{
   const uint8_t *doc;
   size_t len;
   f->ordinal = f->next++;
   if (f->offsets) {
      *end = f->ordinal == f->column.rows;
      if (*end)
         return true;
      f->offset = mt_get32 (f->offsets + 4 * (size_t) f->ordinal);
      f->value = mt_stored_at (&f->column, f->ordinal);
      return true;
   }
   f->offset = (uint32_t) f->documents.offset;
   if (!mt_block_next (&f->documents, &doc, &len, err))
      return false;
   *end = !doc;
   if (doc)
      f->value = mt_bson_field (doc, len, f->field);
   return true;
}

/* ---- deleted documents ---- */

void mt_deleted_unref (MtDeleted *d)
{
   if (d && atomic_fetch_sub (&d->refs, 1) == 1)
      free (d);
}

void mt_deleted_add (MtDeleted **at, const MtStoreBlock *b, uint32_t ordinal, uint32_t bytes)
{
   MtDeleted *d = *at;
   size_t n = (b->documents + 7) / 8;
   /* If a snapshot shares the bitmap of deleted documents, change a copy of it. */
   if (!d || atomic_load (&d->refs) > 1) {
      MtDeleted *copy = mt_calloc ("store", 1, sizeof *copy + n);
      if (d) {
         memcpy (copy->bits, d->bits, n);
         copy->count = d->count;
         copy->bytes = d->bytes;
      }
      copy->documents = b->documents;
      atomic_init (&copy->refs, 1);
      mt_deleted_unref (d);
      *at = d = copy;
   }
   if (!(d->bits[ordinal / 8] & (1u << ordinal % 8))) {
      d->bits[ordinal / 8] |= (uint8_t) (1u << ordinal % 8);
      d->count++;
   }
   d->bytes += bytes;
}

void mt_coll_apply_gone (MtStoreBlock *b, uint32_t ordinal, uint32_t bytes)
{
   mt_deleted_add (&b->deleted, b, ordinal, bytes);
}

bool mt_coll_is_gone (const MtStoreBlock *b, uint32_t ordinal)
{
   unsigned bit = 1u << ordinal % 8;
   return (b->deleted && (b->deleted->bits[ordinal / 8] & bit)) ||
          (b->pending && (b->pending[ordinal / 8] & bit));
}
