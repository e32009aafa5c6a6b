/* For layouts of latest records: keeps the newest document of each key in memory, so that a
 * statement sends only one document per key. The engine stores a document only if it is newer than
 * the stored one, so they can also be sent early when memory is short. */
#include "layouts/pack/build_int.h"
#include "base/memory.h"

enum { NEWEST_BUDGET = 32 << 20, NEWEST_SEND = 1000 };

typedef struct Newest {
   uint8_t *doc; /* BSON; owned */
   size_t size, cap;
   uint64_t hash;
} Newest;

struct MtNewest {
   MtNewer by;
   Newest *docs;
   size_t count, cap, bytes;
   uint32_t *slots; /* hash table of indexes into docs, plus 1; 0: free slot */
   size_t slot_mask;
   MtNewerCounts counts;
};

static MtVal doc_value (const Newest *n)
{
   return (MtVal) {.type = MT_DOC, .len = (uint32_t) n->size, .p = n->doc};
}

MtNewest *mt_newest_new (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s)
{
   MtNewest *n = MT_NEW (a, MtNewest);
   const char **paths = MT_NEW_N (a, const char *, l->tie_count + 1);
   paths[n->by.count++] = mt_latest_path (s, t->time_column);
   for (size_t i = 0; i < l->tie_count; i++)
      paths[n->by.count++] = mt_latest_path (s, l->tie[i]);
   n->by.paths = paths;
   return n;
}

void mt_newest_free (MtNewest *n)
{
   for (size_t i = 0; i < n->count; i++)
      free (n->docs[i].doc);
   free (n->docs);
   free (n->slots);
   n->docs = NULL;
   n->slots = NULL;
   n->count = n->cap = n->slot_mask = n->bytes = 0;
}

const MtNewerCounts *mt_newest_counts (const MtNewest *n) { return &n->counts; }

/* Returns the slot of _id `id` in the hash table; if the id is new, the free slot for it. */
static uint32_t *slot_of (MtNewest *n, MtVal id, uint64_t hash)
{
   size_t i = hash & n->slot_mask;
   for (; n->slots[i]; i = (i + 1) & n->slot_mask) {
      const Newest *x = &n->docs[n->slots[i] - 1];
      if (x->hash == hash && mt_v_compare (mt_doc_field (doc_value (x), "_id"), id) == 0)
         break;
   }
   return &n->slots[i];
}

static void grow (MtNewest *n)
{
   MT_GROW ("writer", n->docs, n->count, n->cap, 512);
   n->slot_mask = n->cap * 2 - 1;
   free (n->slots);
   n->slots = mt_calloc ("writer", n->cap * 2, sizeof *n->slots);
   for (size_t i = 0; i < n->count; i++) {
      size_t at = n->docs[i].hash & n->slot_mask;
      while (n->slots[at])
         at = (at + 1) & n->slot_mask;
      n->slots[at] = (uint32_t) i + 1;
   }
}

static void put (MtNewest *n, Newest *x, const uint8_t *doc, size_t size)
{
   if (size > x->cap) {
      x->doc = mt_realloc ("writer", x->doc, size);
      n->bytes += size - x->cap;
      x->cap = size;
   }
   memcpy (x->doc, doc, size);
   x->size = size;
}

void mt_newest_add (MtNewest *n, const uint8_t *doc, size_t size)
{
   Newest given = {.doc = (uint8_t *) doc, .size = size};
   MtVal v = doc_value (&given), id = mt_doc_field (v, "_id");
   uint64_t hash = mt_v_hash (id, 0);
   if (n->count == n->cap)
      grow (n);
   uint32_t *slot = slot_of (n, id, hash);
   if (!*slot) {
      n->docs[n->count++] = (Newest) {.hash = hash};
      *slot = (uint32_t) n->count;
      n->bytes += sizeof (Newest);
      put (n, &n->docs[n->count - 1], doc, size);
   } else if (mt_newer_compare (v, doc_value (&n->docs[*slot - 1]), &n->by) > 0) {
      put (n, &n->docs[*slot - 1], doc, size);
   }
}

bool mt_newest_full (const MtNewest *n) { return n->bytes > NEWEST_BUDGET; }

/* If the caller claims the document (MtWriterOptions.takes), replaces the stored document by it,
 * even if the stored one is newer, and sets *taken. */
static bool take_place (MtNewest *n, const MtBuildArgs *x, const bson_t *doc, bool *taken,
                        MtError *err)
{
   *taken = x->o->takes && x->o->takes (x->o->takes_ctx, x->store->collection,
                                        mt_doc_field (mt_v_doc (doc), "_id"));
   if (!*taken)
      return true;
   n->counts.made++;
   n->counts.bytes += (double) doc->len;
   return mt_engine_replace (x->e, x->store->collection, doc, err);
}

static bool send (MtNewest *n, const MtBuildArgs *x, size_t from, size_t count, MtError *err)
{
   bson_t docs[NEWEST_SEND];
   const bson_t *list[NEWEST_SEND];
   size_t left = 0;
   for (size_t i = 0; i < count; i++) {
      bool taken;
      if (!bson_init_static (&docs[left], n->docs[from + i].doc, n->docs[from + i].size))
         return mt_error (err, MT_E_INTERNAL, "the writer made a damaged document");
      if (!take_place (n, x, &docs[left], &taken, err))
         return false;
      list[left] = &docs[left];
      left += !taken;
   }
   MtNewerDocs all = {x->store->collection, list, left, &n->by};
   return !left || mt_engine_keep_newer (x->e, &all, &n->counts, err);
}

bool mt_newest_send (MtNewest *n, const MtBuildArgs *x, MtError *err)
{
   bool ok = true;
   for (size_t i = 0; i < n->count && ok; i += NEWEST_SEND)
      ok = send (n, x, i, n->count - i < NEWEST_SEND ? n->count - i : NEWEST_SEND, err) &&
           mt_cancel_check (x->cancel, err);
   mt_newest_free (n);
   return ok;
}
