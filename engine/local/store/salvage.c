/* Salvage: builds a new store from the undamaged parts of a damaged one.
 *
 * The readable records of the manifest name the blocks and the deleted documents. If a block's
 * table of checksums is undamaged, the documents on undamaged pages are copied. Behind a damaged
 * page the next document is found by trial: a sequence of valid documents must end exactly at the
 * end of the block. If records of the manifest are lost, the segment files are also searched for
 * blocks that the manifest does not name. Then a later document replaces an earlier one with the
 * same _id.
 *
 * The damaged store is only read. If salvage fails, the new store is removed. */
#include "base/memory.h"
#include "engine/local/store/events.h"
#include "engine/local/store/coll_int.h"
#include "engine/local/store/record_int.h"
#include "engine/local/store/manifest_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <string.h>
#include <unistd.h>

#define SCAN_BYTES (4u << 20)
#define NO_ORDINAL UINT32_MAX

/* A block of the damaged store, read into memory. Parts that could not be read are zeros. */
typedef struct Stored {
   uint8_t *data; /* owned */
   uint32_t size, documents;
   uint64_t collection, hash; /* the collection's id and the hash, from the block's header */
   uint8_t *whole;            /* for each page of the block, whether it is undamaged; owned */
   const MtDeleted *deleted;
} Stored;

typedef struct Salvage {
   MtStore *from, *to;
   bool uncertain; /* some records of the manifest are lost */
   MtSalvaged now; /* what was saved and lost in the current collection */
   const MtSalvageOptions *options;
   uint64_t blocks_done, blocks;
   int64_t reported_ms;
   MtError *err;
} Salvage;

/* ---- reading a block ---- */

static bool range_whole (const Stored *b, size_t at, size_t n)
{
   for (size_t page = at / MT_STORE_PAGE; page <= (at + n - 1) / MT_STORE_PAGE; page++)
      if (!b->whole[page])
         return false;
   return true;
}

/* Reads n bytes at offset `at` of a file into p. Bytes that are missing or unreadable become
 * zeros. */
static void read_zeros (int fd, uint8_t *p, size_t n, uint64_t at)
{
   memset (p, 0, n);
   for (size_t done = 0; done < n;) {
      ssize_t r = pread (fd, p + done, n - done, (off_t) (at + done));
      if (r < 0 && errno == EINTR)
         continue;
      if (r == 0)
         return;
      /* after an unreadable sector, continue with the next page */
      done += r > 0 ? (size_t) r : MT_STORE_PAGE - (at + done) % MT_STORE_PAGE;
   }
}

static void stored_free (Stored *b)
{
   free (b->data);
   free (b->whole);
   *b = (Stored) {0};
}

/* Returns the header and the table of checksums of the block at `offset`, and decodes the header
 * into *h. Returns NULL if they are damaged: then the block's size is unknown. The caller frees the
 * result. */
static uint8_t *read_head (int fd, uint64_t offset, MtBlockHead *h)
{
   uint8_t head[MT_BLOCK_HEAD];
   read_zeros (fd, head, sizeof head, offset);
   if (!mt_block_head_read (head, h))
      return NULL;
   size_t pages = h->rebuilt ? 0 : mt_block_pages (h->size), n = MT_BLOCK_SUM_AT (pages);
   uint8_t *all = mt_try_malloc ("salvage", n);
   if (all)
      read_zeros (fd, all, n, offset);
   if (all && mt_block_head_hash (all, pages) == h->hash)
      return all;
   free (all);
   return NULL;
}

/* Rebuilds all documents of the block at `offset` from its columns (the values of each field
 * together, see block.c) into `data`. Returns false if a column is damaged, or if memory is
 * exhausted. */
static bool rebuild_all (int fd, uint64_t offset, const MtBlockHead *h, uint8_t *data)
{
   uint8_t *p = mt_try_malloc ("salvage", h->columns.bytes + (size_t) 1);
   MtColumns c = h->columns;
   MtRebuilt *rebuilt = NULL;
   MtColumnsSeen ok = {0};
   size_t from = 0, to = h->size;
   c.p = p;
   if (p)
      read_zeros (fd, p, c.bytes, offset + h->data_at);
   bool whole = p && h->size > 0 && mt_rebuild_begin (&rebuilt, &c, h->documents, h->size, &ok) &&
                mt_rebuild (rebuilt, &from, &to);
   if (whole)
      memcpy (data, mt_rebuilt_data (rebuilt), h->size);
   mt_rebuilt_free (rebuilt);
   free (p);
   return whole;
}

/* Reads the block at `offset` into *b, and finds its undamaged pages. Returns false if the block's
 * header or table of checksums is damaged, or if memory is exhausted. */
static bool read_block (int fd, uint64_t offset, Stored *b)
{
   MtBlockHead h;
   uint8_t *head = read_head (fd, offset, &h);
   *b = (Stored) {0};
   if (!head)
      return false;
   size_t pages = mt_block_pages (h.size);
   *b = (Stored) {.size = h.size,
                  .documents = h.documents,
                  .collection = h.collection,
                  .hash = h.hash,
                  .data = mt_try_malloc ("salvage", h.size + (size_t) 1),
                  .whole = mt_try_calloc ("salvage", pages + 1, 1)};
   bool ok = b->data && b->whole;
   if (ok && h.rebuilt)
      memset (b->whole, rebuild_all (fd, offset, &h, b->data), pages);
   else if (ok)
      read_zeros (fd, b->data, h.size, offset + h.data_at);
   for (size_t i = 0; ok && !h.rebuilt && i < pages; i++)
      b->whole[i] = mt_block_page_sum (b->data, h.size, i) == mt_get32 (head + MT_BLOCK_SUM_AT (i));
   free (head);
   if (!ok)
      stored_free (b);
   return ok;
}

/* Returns the size of the document at offset `at` of the block, or 0 if there is no valid document.
 * *page_damaged is true if the document touches a damaged page. */
static size_t whole_document (const Stored *b, size_t at, bool *page_damaged)
{
   size_t where;
   *page_damaged = b->size - at >= 4 && !range_whole (b, at, 4);
   if (b->size - at < 5 || *page_damaged)
      return 0;
   uint32_t n = mt_get32 (b->data + at);
   if (n < 5 || n > b->size - at)
      return 0;
   *page_damaged = !range_whole (b, at, n);
   return !*page_damaged && mt_bson_check (b->data + at, n, &where) == MT_BSON_OK &&
                mt_bson_field (b->data + at, n, "_id").type != MT_MISSING
             ? n
             : 0;
}

/* Returns whether valid documents follow each other from offset `at` on, so that `at` is surely the
 * beginning of a document. They must reach the block's end (then *count is their number) or there
 * must be at least two before a damaged page (then *count is 0). A single document proves nothing:
 * it could be nested in another one. */
static bool is_chain (const Stored *b, size_t at, uint32_t *count)
{
   bool page_damaged = false;
   uint32_t n = 0;
   for (size_t size; at < b->size; at += size, n++) {
      size = whole_document (b, at, &page_damaged);
      if (!size)
         break;
   }
   *count = at == b->size ? n : 0;
   return n > 0 && (at == b->size || (page_damaged && n > 1));
}

/* Returns the offset of the first document behind the damage at offset `at`, or b->size if there is
 * none. *ordinal is that document's number in the block, or NO_ORDINAL if it is unknown. */
static size_t next_start (const Stored *b, size_t at, uint32_t *ordinal)
{
   uint32_t count;
   for (at++; at < b->size; at++) {
      if (!b->whole[at / MT_STORE_PAGE]) {
         at = (at / MT_STORE_PAGE + 1) * MT_STORE_PAGE - 1;
      } else if (is_chain (b, at, &count)) {
         *ordinal = count && count <= b->documents ? b->documents - count : NO_ORDINAL;
         return at;
      }
   }
   return b->size;
}

/* ---- taking documents ---- */

static bool is_gone (const Stored *b, uint32_t ordinal)
{
   const MtDeleted *d = b->deleted;
   if (!d)
      return false;
   /* a document whose number in the block is unknown could be a deleted one */
   return ordinal >= d->documents || (d->bits[ordinal / 8] & (1u << ordinal % 8)) != 0;
}

static bool take (Salvage *v, const uint8_t *doc, size_t n)
{
   v->now.saved++;
   return v->uncertain ? mt_store_replace (v->to, v->now.collection, doc, n, v->err)
                       : mt_store_insert (v->to, v->now.collection, doc, n, false, v->err);
}

static bool take_block (Salvage *v, const Stored *b)
{
   uint64_t before = v->now.saved;
   uint32_t ordinal = 0;
   bool page_damaged, damaged = false;
   for (size_t at = 0; at < b->size;) {
      size_t n = whole_document (b, at, &page_damaged);
      if (!n) {
         damaged = true;
         at = next_start (b, at, &ordinal);
         continue;
      }
      if (!is_gone (b, ordinal) && !take (v, b->data + at, n))
         return false;
      at += n;
      ordinal += ordinal != NO_ORDINAL;
   }
   v->now.damaged_blocks += damaged;
   uint64_t there = b->documents - (b->deleted ? b->deleted->count : 0),
            taken = v->now.saved - before;
   v->now.lost += there > taken ? there - taken : 0;
   return true;
}

/* Reports progress and checks for cancellation. Called after each block. */
static bool go_on (Salvage *v)
{
   const MtProgress *p = v->options->progress;
   int64_t now = mt_now_ms ();
   v->blocks_done++;
   if (p && now - v->reported_ms >= 100) {
      p->report (p->ctx, "salvaging", v->blocks_done, v->blocks, v->now.saved);
      v->reported_ms = now;
   }
   return mt_cancel_check (v->options->cancel, v->err);
}

/* Sets *b to a copy of a block whose documents are in the manifest's log, where a checksum was
 * verified. Returns false if memory is exhausted. */
static bool copy_logged (const MtStoreBlock *k, Stored *b)
{
   size_t pages = mt_block_pages (k->size);
   *b = (Stored) {.size = k->size,
                  .documents = k->documents,
                  .data = mt_try_malloc ("salvage", k->size + (size_t) 1),
                  .whole = mt_try_calloc ("salvage", pages + 1, 1)};
   if (!b->data || !b->whole)
      return false;
   memcpy (b->data, k->logged->bytes, k->size);
   memset (b->whole, 1, pages);
   return true;
}

/* Copies the undamaged documents of all blocks that the manifest names in a collection. fd is -1 if
 * there is no segment file. Returns false if salvage cannot go on; damaged blocks are only
 * counted. */
static bool take_known (Salvage *v, MtColl *c, int fd)
{
   for (size_t i = 0; i < c->block_count; i++) {
      const MtStoreBlock *k = c->blocks[i];
      Stored b = {0};
      if (!go_on (v))
         return false;
      bool whole = k->logged ? copy_logged (k, &b)
                             : fd >= 0 && read_block (fd, k->offset, &b) && b.hash == k->head_hash;
      if (!whole) {
         v->now.damaged_blocks++;
         v->now.lost += k->documents - (k->deleted ? k->deleted->count : 0);
         stored_free (&b);
         continue;
      }
      b.deleted = k->deleted;
      bool ok = take_block (v, &b);
      stored_free (&b);
      if (!ok)
         return false;
   }
   return true;
}

/* ---- blocks that the manifest doesn't name ---- */

typedef struct Found {
   uint64_t offset;
   uint32_t serial;
} Found;

static int by_serial (const void *a, const void *b)
{
   const Found *x = a, *y = b;
   return (x->serial > y->serial) - (x->serial < y->serial);
}

/* Searches the file for block headers ("MTBK"), and returns a list of their offsets and serial
 * numbers, which the caller frees. */
static Found *find_blocks (int fd, uint64_t size, size_t *count)
{
   Found *list = NULL;
   size_t n = 0, cap = 0;
   uint8_t *p = mt_malloc ("salvage", SCAN_BYTES + 3), head[MT_BLOCK_HEAD];
   for (uint64_t at = MT_SEGMENT_HEAD; at < size; at += SCAN_BYTES) {
      read_zeros (fd, p, SCAN_BYTES + 3, at);
      const uint8_t *end = p + SCAN_BYTES + 3;
      for (const uint8_t *q = p; (q = memmem (q, (size_t) (end - q), MT_BLOCK_MAGIC, 4)); q++) {
         uint64_t offset = at + (uint64_t) (q - p);
         read_zeros (fd, head, sizeof head, offset);
         MT_GROW ("salvage", list, n, cap, 64);
         list[n++] = (Found) {offset, mt_get32 (head + 16)};
      }
   }
   free (p);
   if (n)
      qsort (list, n, sizeof *list, by_serial);
   *count = n;
   return list;
}

static bool is_known (const MtColl *c, const Found *f)
{
   return f->serial < c->serial_count && c->serials[f->serial];
}

static bool take_unknown (Salvage *v, MtColl *c, int fd)
{
   struct stat st;
   size_t count = 0;
   Found *list = fstat (fd, &st) == 0 ? find_blocks (fd, (uint64_t) st.st_size, &count) : NULL;
   bool ok = true;
   for (size_t i = 0; ok && i < count; i++) {
      Stored b;
      if (!is_known (c, &list[i]) && read_block (fd, list[i].offset, &b)) {
         ok = go_on (v) && (b.collection != c->id || take_block (v, &b));
         stored_free (&b);
      }
   }
   free (list);
   return ok;
}

/* Adds a collection for each segment file in the folder that belongs to no collection of the
 * manifest. */
static void name_unknown (Salvage *v)
{
   DIR *d = opendir (v->from->path);
   for (struct dirent *e; d && (e = readdir (d));) {
      char *end;
      uint64_t id = strtoull (e->d_name, &end, 16);
      if (end == e->d_name + 16 && strcmp (end, ".seg") == 0 && !mt_store_coll_by_id (v->from, id))
         mt_salvage_unnamed (v->from, id);
   }
   if (d)
      closedir (d);
}

/* ---- the whole ---- */

static bool take_collection (Salvage *v, MtColl *c)
{
   v->now = (MtSalvaged) {.collection = c->name};
   int fd = open (c->path, O_RDONLY | O_CLOEXEC);
   bool ok = mt_store_create (v->to, c->name, v->err) &&
             (fd < 0 || !v->uncertain || take_unknown (v, c, fd)) && take_known (v, c, fd) &&
             mt_memory_check (v->err);
   if (fd >= 0)
      close (fd);
   return ok;
}

/* Applies the increments of the old collection that are not yet written into documents to the new
 * one. If that fails because of damage, the increments are lost, and *applied is false. */
static bool take_increments (Salvage *v, const MtColl *c, bool *applied)
{
   MtError why;
   mt_error_clear (&why);
   *applied = true;
   if (!c->event_queue.n)
      return true;
   if (!mt_store_begin (v->to, v->err))
      return false;
   MtColl *to = mt_store_coll (v->to, c->name);
   for (size_t at = 0; at < c->event_queue.n;) {
      uint32_t n = mt_get32 ((const uint8_t *) c->event_queue.p + at);
      mt_events_queue (to, (const uint8_t *) c->event_queue.p + at + 4, n);
      at += 4 + n;
   }
   *applied = mt_events_fold (to, &why);
   if (*applied)
      return mt_store_commit (v->to, v->err);
   mt_events_forget (to);
   mt_store_rollback (v->to);
   return true;
}

static bool take_all (Salvage *v, const MtSalvageOptions *o, MtError *err)
{
   MtSalvaged *all = mt_calloc ("salvage", v->from->coll_count + 1, sizeof *all);
   bool ok = mt_store_begin (v->to, err);
   for (size_t i = 0; i < v->from->coll_count; i++)
      v->blocks += v->from->colls[i]->block_count;
   for (size_t i = 0; ok && i < v->from->coll_count; i++) {
      ok = take_collection (v, v->from->colls[i]);
      all[i] = v->now;
   }
   ok = ok && mt_store_commit (v->to, err);
   for (size_t i = 0; ok && i < v->from->coll_count; i++) {
      bool applied;
      ok = take_increments (v, v->from->colls[i], &applied);
      all[i].increments_lost = !applied;
      if (ok)
         o->report (o->ctx, &all[i]);
   }
   free (all);
   return ok;
}

static bool is_new (const char *to, MtError *err)
{
   struct stat st;
   if (stat (to, &st) != 0 && errno == ENOENT)
      return true;
   return mt_error (err, MT_E_DUPLICATE_OBJECT, "\"%s\" already exists", to) ||
          mt_error_hint (err, "Name a folder that doesn't exist yet.");
}

/* Removes the folder of the new store with its files, after salvage has failed. */
static void remove_store (const char *path)
{
   DIR *d = opendir (path);
   for (struct dirent *e; d && (e = readdir (d));) {
      char *file = mt_heap_printf ("%s/%s", path, e->d_name);
      unlink (file);
      free (file);
   }
   if (d)
      closedir (d);
   rmdir (path);
}

static MtStore *damaged_store (const char *path)
{
   MtStore *s = mt_calloc ("store", 1, sizeof *s);
   s->path = mt_heap_strdup (path);
   s->manifest_fd = s->lock_fd = s->bad_slot = -1;
   s->read_only = s->salvaging = true;
   s->next_id = s->committed_next_id = 1;
   return s;
}

bool mt_store_salvage (const MtSalvageOptions *o, uint64_t *lost_commits, MtError *err)
{
   struct stat st;
   *lost_commits = 0;
   if (stat (o->from, &st) != 0 || !S_ISDIR (st.st_mode))
      return mt_error (err, MT_E_UNDEFINED_FILE, "\"%s\" is not a folder", o->from);
   if (!is_new (o->to, err))
      return false;
   Salvage v = {.from = damaged_store (o->from), .options = o, .err = err};
   bool ok = mt_manifest_salvage (v.from, lost_commits, err);
   v.uncertain = *lost_commits > 0;
   if (ok && v.uncertain)
      name_unknown (&v);
   if (ok && v.from->coll_count == 0 && v.uncertain)
      ok = mt_error (err, MT_E_CORRUPT, "folder \"%s\" has nothing that belongs to a store",
                     o->from);
   bool made = ok && mt_store_open (o->to, true, false, &v.to, err);
   ok = made && take_all (&v, o, err);
   mt_store_close (v.to);
   if (made && !ok)
      remove_store (o->to);
   mt_store_close (v.from);
   return ok;
}
