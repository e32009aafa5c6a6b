/* Increments of stored documents: the numbers that upserts add ($inc) are logged without rewriting
 * the documents.
 *
 * The operation MT_OP_EVENTS of a commit record is a list of increments:
 *
 *    flags:1 id [first] count (path type value)…
 *
 * `flags` is a sum: 1 if `first` is present, 2 if the values are totals instead of amounts to add.
 *
 * `id` is {_id: …}. `first` is {path: value, …}, the initial fields if the document is new. Both
 * are BSON. A path is written as its number within the operation, counted from 0. The first use of
 * a path has the next unused number, followed by the path's length and bytes. Numbers are varints
 * with 7 bits a byte; integer values are zigzag varints. Doubles and decimals are written as in
 * BSON. */
#include "engine/local/store/patch.h"
#include "engine/local/store/coll_int.h"
#include "engine/local/store/events.h"
#include "engine/local/store/read.h"
#include "base/memory.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { HAS_FIRST = 1, IS_TOTALS = 2 };

/* ---- memory ---- */

static void *copy_of (const void *p, size_t n)
{
   void *c = mt_malloc ("increments", n ? n : 1);
   if (n)
      memcpy (c, p, n);
   return c;
}

static void copy_table (MtEventTable *to, const MtEventTable *from)
{
   *to = *from;
   if (from->mask)
      to->at = copy_of (from->at, 4 * ((size_t) from->mask + 1));
}

/* Returns c->events, the collection's increments, so that the caller may change them. If a snapshot
 * shares them, c->events is first replaced by a copy. */
static MtEvents *own (MtColl *c)
{
   MtEvents *o = c->events;
   if (o && atomic_load (&o->refs) == 1)
      return o;
   MtEvents *n = mt_calloc ("increments", 1, sizeof *n);
   if (o) {
      *n = *o;
      n->bytes = copy_of (o->bytes, n->cap = o->n);
      n->docs = copy_of (o->docs, (n->doc_cap = o->doc_count) * sizeof *n->docs);
      n->slots = copy_of (o->slots, (n->slot_cap = o->slot_count) * sizeof *n->slots);
      n->paths = copy_of (o->paths, (n->path_cap = o->path_count) * sizeof *n->paths);
      copy_table (&n->doc_table, &o->doc_table);
      copy_table (&n->slot_table, &o->slot_table);
      copy_table (&n->path_table, &o->path_table);
      n->order = NULL;
      n->ordered = 0;
      mt_events_unref (o);
   }
   atomic_init (&n->refs, 1);
   return c->events = n;
}

static uint32_t keep_bytes (MtEvents *o, const void *p, size_t n)
{
   if (o->n + n > o->cap) {
      o->cap = (uint32_t) mt_room ("increments", o->cap, o->n + n, 4096, 1, sizeof o->cap);
      o->bytes = mt_realloc ("increments", o->bytes, o->cap);
   }
   memcpy (o->bytes + o->n, p, n);
   o->n += (uint32_t) n;
   return o->n - (uint32_t) n;
}

/* ---- tables: linear probing over numbers + 1 ---- */

static uint32_t doc_hash (const MtEvents *o, uint32_t i) { return o->docs[i].hash; }
static uint32_t path_hash (const MtEvents *o, uint32_t i) { return o->paths[i].hash; }
static uint32_t mix (uint32_t doc, uint32_t path)
{
   return (uint32_t) (((uint64_t) doc << 32 | path) * 0x9E3779B97F4A7C15ull >> 32);
}
static uint32_t slot_hash (const MtEvents *o, uint32_t i)
{
   return mix (o->slots[i].doc, o->slots[i].path);
}

static void enter (MtEventTable *t, uint32_t hash, uint32_t number)
{
   uint32_t i = hash & t->mask;
   while (t->at[i])
      i = (i + 1) & t->mask;
   t->at[i] = number + 1;
}

/* Adds the newest item, number count - 1, to the hash table t. Doubles the table when more than
 * half of it would be in use. */
static void table_add (MtEvents *o, MtEventTable *t, uint32_t count,
                       uint32_t (*hash) (const MtEvents *, uint32_t))
{
   if (t->mask && count <= t->mask / 2) {
      enter (t, hash (o, count - 1), count - 1);
      return;
   }
   uint32_t size = t->mask ? 2 * (t->mask + 1) : 64;
   free (t->at);
   t->at = mt_calloc ("increments", size, 4);
   t->mask = size - 1;
   for (uint32_t i = 0; i < count; i++)
      enter (t, hash (o, i), i);
}

/* Removes the last added item `number` from the hash table. Its slot can simply be cleared, because
 * no item was added after it. */
static void table_pop (MtEventTable *t, uint32_t hash, uint32_t number)
{
   uint32_t i = hash & t->mask;
   while (t->at[i] != number + 1)
      i = (i + 1) & t->mask;
   t->at[i] = 0;
}

static uint32_t find_path (const MtEvents *o, MtStr path, uint32_t hash)
{
   const MtEventTable *t = &o->path_table;
   for (uint32_t i = hash & t->mask; t->mask && t->at[i]; i = (i + 1) & t->mask) {
      const MtEventPath *p = &o->paths[t->at[i] - 1];
      if (p->hash == hash && p->n == path.n && memcmp (o->bytes + p->at, path.p, path.n) == 0)
         return t->at[i] - 1;
   }
   return MT_NO_DOC;
}

static uint32_t keep_path (MtEvents *o, MtStr path)
{
   uint32_t hash = (uint32_t) XXH3_64bits (path.p, path.n), at = find_path (o, path, hash);
   if (at != MT_NO_DOC)
      return at;
   MT_GROW ("increments", o->paths, o->path_count, o->path_cap, 64);
   o->paths[o->path_count] = (MtEventPath) {.n = (uint32_t) path.n, .hash = hash};
   o->paths[o->path_count].at = keep_bytes (o, path.p, path.n);
   table_add (o, &o->path_table, ++o->path_count, path_hash);
   return o->path_count - 1;
}

static uint32_t find_doc (const MtEvents *o, MtVal id, uint32_t hash)
{
   const MtEventTable *t = &o->doc_table;
   for (uint32_t i = hash & t->mask; t->mask && t->at[i]; i = (i + 1) & t->mask)
      if (o->docs[t->at[i] - 1].hash == hash &&
          mt_v_compare (mt_events_id (o, t->at[i] - 1), id) == 0)
         return t->at[i] - 1;
   return MT_NO_DOC;
}

static uint32_t find_slot (const MtEvents *o, uint32_t doc, uint32_t path)
{
   const MtEventTable *t = &o->slot_table;
   for (uint32_t i = mix (doc, path) & t->mask; t->mask && t->at[i]; i = (i + 1) & t->mask) {
      const MtEventSlot *s = &o->slots[t->at[i] - 1];
      if (s->doc == doc && s->path == path)
         return t->at[i] - 1;
   }
   return MT_NO_DOC;
}

/* ---- undoing changes of the open step ---- */

static void remember (MtColl *c, MtEventUndo u)
{
   if (!c->store->in_step && !c->catching_up)
      return;
   MT_GROW ("increments", c->undo, c->undo_count, c->undo_cap, 64);
   c->undo[c->undo_count++] = u;
}

/* Returns an estimate of the bytes that a new field at this path adds to a document. */
static uint32_t growth (MtStr path)
{
   const char *dot = memrchr (path.p, '.', path.n);
   return (uint32_t) (dot ? path.p + path.n - dot : (ptrdiff_t) path.n) + 10;
}

static MtStr path_text (const MtEvents *o, uint32_t path)
{
   return (MtStr) {(const char *) o->bytes + o->paths[path].at, o->paths[path].n};
}

static void pop_slot (MtEvents *o)
{
   uint32_t k = --o->slot_count, *at;
   MtEventDoc *d = &o->docs[o->slots[k].doc];
   MtStr text = path_text (o, o->slots[k].path);
   d->size -= (uint32_t) text.n + 32;
   d->grown -= growth (text);
   table_pop (&o->slot_table, slot_hash (o, k), k);
   d->last = MT_NO_DOC;
   for (at = &d->first; *at != k; at = &o->slots[*at].next)
      d->last = *at;
   *at = MT_NO_DOC;
}

static void pop_doc (MtEvents *o)
{
   uint32_t k = --o->doc_count;
   table_pop (&o->doc_table, o->docs[k].hash, k);
   o->made -= o->docs[k].serial == MT_NO_DOC;
   o->ordered = 0;
}

/* Undoes changes of the open step (an uncommitted batch) to the increments, newest first, until
 * only `undo_count` changes are left. */
static void events_undo (MtColl *c, size_t undo_count)
{
   if (c->undo_count <= undo_count)
      return;
   MtEvents *o = own (c);
   while (c->undo_count > undo_count) {
      const MtEventUndo *u = &c->undo[--c->undo_count];
      switch (u->kind) {
      case MT_UNDO_VALUE:
         o->slots[u->slot].type = u->was.type;
         memcpy (o->slots[u->slot].decimal, u->was.decimal, 16);
         break;
      case MT_UNDO_SLOT: pop_slot (o); break;
      case MT_UNDO_DOC: pop_doc (o); break;
      }
   }
}

/* ---- documents ---- */

bool mt_events_stored (MtColl *c, const MtEventDoc *d, const uint8_t **doc, MtError *err)
{
   *doc = NULL;
   if (d->serial == MT_NO_DOC)
      return true;
   const MtStoreBlock *b = c->serials[d->serial];
   size_t n;
   MtBlockWalk walk;
   if (!mt_coll_map (c, mt_block_end (b), err) ||
       !mt_block_walk (&walk, c->name, b, mt_coll_data (c, b), &c->rebuilt, err))
      return false;
   walk.offset = d->offset;
   return mt_block_next (&walk, doc, &n, err);
}

/* Sets *out to the number of the document in c->events, and adds the document if it has no
 * increments yet. `first`: the initial fields if the document must be created; NULL: none. *made is
 * true if the document did not exist. */
static bool touch (MtColl *c, const uint8_t *id_doc, const uint8_t *first, uint32_t *out,
                   bool *made, MtError *err)
{
   MtEvents *o = c->events;
   MtVal id = mt_bson_value (id_doc[4], id_doc + 9);
   uint32_t hash = (uint32_t) mt_v_hash (id, 0);
   *made = false;
   if ((*out = find_doc (o, id, hash)) != MT_NO_DOC)
      return true;
   MtFoundDoc found;
   if (!mt_index_find (c, id, &found, err))
      return false;
   MtEventDoc d = {.hash = hash, .serial = MT_NO_DOC, .first = MT_NO_DOC, .last = MT_NO_DOC};
   if (found.doc) {
      d.serial = found.at.serial;
      d.offset = found.at.offset;
      d.ordinal = found.at.ordinal;
      d.stored = d.size = (uint32_t) found.len;
      d.head_at = keep_bytes (o, id_doc, mt_get32 (id_doc));
   } else {
      MtPatch p = {0};
      mt_buf_add (&p.doc, id_doc, mt_get32 (id_doc));
      if (first)
         mt_patch_set_all (&p, first);
      d.stored = d.size = (uint32_t) p.doc.n;
      d.head_at = keep_bytes (o, p.doc.p, p.doc.n);
      mt_buf_free (&p.doc);
      *made = true;
      o->made++;
   }
   MT_GROW ("increments", o->docs, o->doc_count, o->doc_cap, 64);
   o->docs[o->doc_count] = d;
   table_add (o, &o->doc_table, ++o->doc_count, doc_hash);
   *out = o->doc_count - 1;
   remember (c, (MtEventUndo) {.kind = MT_UNDO_DOC});
   return true;
}

/* ---- slots ---- */

static void set_slot (MtEventSlot *s, MtVal v)
{
   s->type = v.type;
   if (v.type == MT_DECIMAL)
      memcpy (s->decimal, v.p, 16);
   else
      s->i = v.i;
}

/* Adds a slot (the total of one field) for a path that has no increments yet. With `total`, the
 * slot's value is `amount`; otherwise it is the stored field plus `amount`. */
static bool new_slot (MtColl *c, uint32_t doc, uint32_t path, MtVal amount, bool total,
                      MtError *err)
{
   MtEvents *o = c->events;
   MtEventDoc *d = &o->docs[doc];
   MtStr text = path_text (o, path);
   const uint8_t *base;
   MtPatchSum sum;
   if (!mt_events_stored (c, d, &base, err) ||
       !mt_patch_sum (base ? base : o->bytes + d->head_at, text, amount, c->name, &sum, err))
      return false;
   amount = total ? amount : sum.value;
   if (d->size + text.n + 32 > MT_MAX_DOC_BYTES)
      return mt_error (err, MT_E_LIMIT,
                       "a document of collection \"%s\" would be larger than the limit of %u",
                       c->name, MT_MAX_DOC_BYTES);
   d->size += (uint32_t) text.n + 32;
   d->grown += growth (text);
   MT_GROW ("increments", o->slots, o->slot_count, o->slot_cap, 64);
   o->slots[o->slot_count] = (MtEventSlot) {
      .doc = doc, .path = path, .next = MT_NO_DOC, .absent = sum.absent};
   set_slot (&o->slots[o->slot_count], amount);
   if (d->last == MT_NO_DOC)
      d->first = o->slot_count;
   else
      o->slots[d->last].next = o->slot_count;
   d->last = o->slot_count;
   table_add (o, &o->slot_table, ++o->slot_count, slot_hash);
   remember (c, (MtEventUndo) {.kind = MT_UNDO_SLOT});
   return true;
}

static bool add_amount (MtColl *c, uint32_t doc, uint32_t path, MtVal amount, bool total,
                        MtError *err)
{
   MtEvents *o = c->events;
   uint32_t at = find_slot (o, doc, path);
   if (at == MT_NO_DOC)
      return new_slot (c, doc, path, amount, total, err);
   MtEventSlot *s = &o->slots[at];
   uint8_t decimal[16];
   MtVal old = {.type = s->type, .i = s->i};
   if (s->type == MT_DECIMAL)
      old.p = s->decimal;
   if (!total && !mt_patch_add (old, amount, decimal, &amount, err))
      return false;
   remember (c, (MtEventUndo) {MT_UNDO_VALUE, *s, at});
   set_slot (s, amount);
   return true;
}

/* ---- writing operations ---- */

static void put_varint (MtBuf *b, uint64_t v)
{
   for (; v > 127; v >>= 7)
      mt_buf_addc (b, (char) (v | 128));
   mt_buf_addc (b, (char) v);
}

static void put_number (MtBuf *b, MtVal v)
{
   mt_buf_addc (b, (char) v.type);
   if (v.type == MT_DECIMAL)
      mt_buf_add (b, v.p, 16);
   else if (v.type == MT_DOUBLE)
      mt_buf_add (b, &v.d, 8);
   else
      put_varint (b, (uint64_t) v.i << 1 ^ (uint64_t) (v.i >> 63));
}

static void put_path (MtBuf *b, const MtEvents *o, uint32_t number, uint32_t next)
{
   const MtEventPath *p = &o->paths[number];
   put_varint (b, p->ref);
   if (p->ref == next) {
      put_varint (b, p->n);
      mt_buf_add (b, o->bytes + p->at, p->n);
   }
}

static void log_amount (MtColl *c, MtEvents *o, uint32_t path, MtVal amount)
{
   MtEventPath *p = &o->paths[path];
   bool known = p->round == c->path_round;
   p->round = c->path_round;
   if (!known)
      p->ref = c->path_refs;
   put_path (&c->event_log, o, path, c->path_refs);
   c->path_refs += !known;
   put_number (&c->event_log, amount);
}

void mt_events_encode (const MtEvents *o, MtBuf *out)
{
   uint32_t *refs = mt_malloc ("increments", 4 * ((size_t) o->path_count + 1)), next = 0;
   memset (refs, 0xFF, 4 * (size_t) o->path_count);
   for (uint32_t i = 0; i < o->doc_count; i++) {
      const MtEventDoc *d = &o->docs[i];
      const uint8_t *head = o->bytes + d->head_at, *id = head + 4;
      uint32_t id_size = 5 + (uint32_t) mt_bson_value_size (*id, id + 5), count = 0,
               size = id_size + 5;
      uint8_t length[4];
      for (uint32_t s = d->first; s != MT_NO_DOC; s = o->slots[s].next)
         count++;
      mt_buf_addc (out, d->serial == MT_NO_DOC ? HAS_FIRST | IS_TOTALS : IS_TOTALS);
      mt_put32 (length, size);
      mt_buf_add (out, length, 4);
      mt_buf_add (out, id, id_size);
      mt_buf_addc (out, 0);
      if (d->serial == MT_NO_DOC) {
         mt_put32 (length, mt_get32 (head) - id_size);
         mt_buf_add (out, length, 4);
         mt_buf_add (out, id + id_size, mt_get32 (head) - id_size - 4);
      }
      put_varint (out, count);
      for (uint32_t s = d->first; s != MT_NO_DOC; s = o->slots[s].next) {
         const MtEventSlot *k = &o->slots[s];
         const MtEventPath *p = &o->paths[k->path];
         MtVal v = {.type = k->type, .i = k->i};
         if (k->type == MT_DECIMAL)
            v.p = k->decimal;
         put_varint (out, refs[k->path] == MT_NO_DOC ? next : refs[k->path]);
         if (refs[k->path] == MT_NO_DOC) {
            refs[k->path] = next++;
            put_varint (out, p->n);
            mt_buf_add (out, o->bytes + p->at, p->n);
         }
         put_number (out, v);
      }
   }
   free (refs);
}

/* ---- reading operations ---- */

typedef struct In {
   MtStoreIn bytes;
   uint32_t *paths; /* paths by their numbers in the operation */
   uint32_t count, cap;
} In;

static uint64_t get_varint (In *in)
{
   uint64_t v = 0;
   for (unsigned shift = 0; shift < 64; shift += 7) {
      uint8_t b = mt_in_8 (&in->bytes);
      v |= (uint64_t) (b & 127) << shift;
      if (b < 128)
         return v;
   }
   in->bytes.bad = true;
   return 0;
}

/* Reads one BSON document from the encoded input. Returns NULL, and marks the input as damaged, if
 * it is not valid. */
static const uint8_t *get_doc (In *in)
{
   size_t at, n = (size_t) (in->bytes.end - in->bytes.p);
   const uint8_t *doc = in->bytes.p;
   if (n < 5 || mt_get32 (doc) > n || mt_bson_check (doc, mt_get32 (doc), &at) != MT_BSON_OK) {
      in->bytes.bad = true;
      return NULL;
   }
   in->bytes.p += mt_get32 (doc);
   return doc;
}

static uint32_t get_path (In *in, MtEvents *o)
{
   uint64_t number = get_varint (in);
   if (number < in->count)
      return in->paths[number];
   size_t n = number == in->count ? get_varint (in) : 0;
   const char *p = n && n <= (size_t) (in->bytes.end - in->bytes.p)
                      ? (const char *) mt_in_bytes (&in->bytes, n)
                      : NULL;
   if (!p || memchr (p, 0, n)) {
      in->bytes.bad = true;
      return 0;
   }
   MT_GROW ("increments", in->paths, in->count, in->cap, 64);
   return in->paths[in->count++] = keep_path (o, (MtStr) {p, n});
}

static MtVal get_number (In *in)
{
   MtVal v = {.type = mt_in_8 (&in->bytes)};
   if (v.type == MT_DECIMAL) {
      v.p = mt_in_bytes (&in->bytes, 16);
      v.len = 16;
   } else if (v.type == MT_DOUBLE) {
      memcpy (&v.d, mt_in_bytes (&in->bytes, 8), 8);
   } else {
      uint64_t n = get_varint (in);
      v.i = (int64_t) (n >> 1 ^ (~(n & 1) + 1));
      in->bytes.bad |= v.type != MT_INT32 && v.type != MT_INT64;
   }
   return v;
}

static bool apply_event (MtColl *c, MtEvents *o, In *in, MtError *err)
{
   uint8_t flags = mt_in_8 (&in->bytes);
   const uint8_t *id = get_doc (in), *first = id && (flags & HAS_FIRST) ? get_doc (in) : NULL;
   uint64_t count = in->bytes.bad ? 0 : get_varint (in);
   uint32_t doc;
   bool made;
   if (in->bytes.bad || flags > 3 || mt_get32 (id) < 10 || memcmp (id + 5, "_id", 4) != 0) {
      in->bytes.bad = true;
      return true;
   }
   if (!touch (c, id, first, &doc, &made, err))
      return false;
   while (count-- && !in->bytes.bad) {
      uint32_t path = get_path (in, o);
      MtVal v = get_number (in);
      if (!in->bytes.bad && !add_amount (c, doc, path, v, flags & IS_TOTALS, err))
         return false;
   }
   return true;
}

static bool apply_op (MtColl *c, const uint8_t *p, size_t n, MtError *err)
{
   In in = {.bytes = {p, p + n, false}};
   MtEvents *o = own (c);
   bool ok = true;
   while (ok && !in.bytes.bad && in.bytes.p < in.bytes.end)
      ok = apply_event (c, o, &in, err);
   free (in.paths);
   return ok && (!in.bytes.bad ||
                 mt_error (err, MT_E_CORRUPT, "the increments of collection \"%s\" can't be read",
                           c->name));
}

void mt_events_queue (MtColl *c, const uint8_t *ops, size_t n)
{
   uint8_t length[4];
   mt_put32 (length, (uint32_t) n);
   mt_buf_add (&c->event_queue, length, 4);
   mt_buf_add (&c->event_queue, ops, n);
}

bool mt_events_catch_up (MtColl *c, MtError *err)
{
   if (c->event_queue.n == c->queue_at)
      return true;
   bool ok = true;
   size_t undo = c->undo_count;
   c->catching_up = true;
   while (ok && c->queue_at < c->event_queue.n) {
      const uint8_t *p = (const uint8_t *) c->event_queue.p + c->queue_at;
      ok = mt_cancel_check (c->store->cancel, err) && apply_op (c, p + 4, mt_get32 (p), err);
      if (ok) {
         c->undo_count = undo;
         c->queue_at += 4 + mt_get32 (p);
      } else /* on failure, the next call applies this increment again from its beginning */
         events_undo (c, undo);
   }
   c->catching_up = false;
   if (ok) {
      mt_buf_free (&c->event_queue);
      c->queue_at = 0;
   }
   return ok;
}

bool mt_events_have (const MtColl *c, MtVal id)
{
   return c->events && !c->folded &&
          find_doc (c->events, id, (uint32_t) mt_v_hash (id, 0)) != MT_NO_DOC;
}

bool mt_events_any (const MtColl *c)
{
   return c->event_queue.n > 0 || (c->events && c->events->doc_count > 0);
}

/* ---- incrementing ---- */

static void begin_log (MtColl *c)
{
   if (c->event_log.n == 0) {
      c->path_round++;
      c->path_refs = 0;
   }
}

/* Adds each amount to the document's total at that path, and appends the increment to the log. On
 * failure the caller undoes the amounts that were already added. */
static bool add_all (MtColl *c, MtEvents *o, uint32_t doc, const bson_t *amounts, MtError *err)
{
   const uint8_t *p = bson_get_data (amounts) + 4, *end = p + amounts->len - 5;
   put_varint (&c->event_log, bson_count_keys (amounts));
   while (p < end) {
      MtStr name = {(const char *) p + 1, strlen ((const char *) p + 1)};
      const uint8_t *value = p + name.n + 2;
      MtVal v = mt_bson_value (*p, value);
      uint32_t path = keep_path (o, name);
      if (!add_amount (c, doc, path, v, false, err))
         return false;
      log_amount (c, o, path, v);
      p = value + mt_bson_value_size (*p, value);
   }
   return true;
}

bool mt_events_add (MtColl *c, const bson_t *id, const bson_t *amounts, const bson_t *first,
                    bool *made, MtError *err)
{
   begin_log (c);
   MtEvents *o = own (c);
   size_t log = c->event_log.n, undo = c->undo_count;
   uint32_t doc, refs = c->path_refs;
   bool ok = touch (c, bson_get_data (id), bson_get_data (first), &doc, made, err);
   if (ok) {
      mt_buf_addc (&c->event_log, *made ? HAS_FIRST : 0);
      mt_buf_add (&c->event_log, bson_get_data (id), id->len);
      if (*made)
         mt_buf_add (&c->event_log, bson_get_data (first), first->len);
      ok = add_all (c, o, doc, amounts, err);
   }
   if (!ok)
      mt_events_return (c, log, undo, refs);
   return ok;
}

void mt_events_return (MtColl *c, size_t log, size_t undo, uint32_t refs)
{
   events_undo (c, undo);
   c->event_log.n = log;
   c->path_refs = refs;
   c->path_round++; /* invalidates the numbers of paths, which were numbers in the old log */
}

/* ---- the end of a step ---- */

void mt_events_step_over (MtColl *c, bool committed)
{
   if (!committed)
      events_undo (c, 0);
   else if (c->folded) {
      mt_events_unref (c->events);
      c->events = NULL;
   }
   c->undo_count = 0;
   mt_buf_clear (&c->event_log);
   c->path_round++;
   c->folded = c->seen_folded = false;
}

void mt_events_forget (MtColl *c)
{
   mt_events_unref (c->events);
   c->events = NULL;
   c->undo_count = 0;
   mt_buf_free (&c->event_queue);
   c->queue_at = 0;
}

/* ---- finding ---- */

bool mt_events_find (MtColl *c, MtVal id, MtArena *a, const uint8_t **p, size_t *n, MtError *err)
{
   if (c->folded || !mt_events_catch_up (c, err))
      return c->folded;
   const uint8_t *base;
   uint32_t doc = c->events ? find_doc (c->events, id, (uint32_t) mt_v_hash (id, 0)) : MT_NO_DOC;
   if (doc == MT_NO_DOC)
      return true;
   if (!mt_events_stored (c, &c->events->docs[doc], &base, err))
      return false;
   MtBuf buf = {0};
   mt_events_build (c->events, doc, base, &buf);
   *p = (const uint8_t *) mt_strndup (a, buf.p, buf.n);
   *n = buf.n;
   mt_buf_free (&buf);
   return true;
}
