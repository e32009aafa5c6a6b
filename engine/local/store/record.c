/* What a commit says: a row of operations. The enum names them, the mt_record functions write them,
 * and the apply functions read them. Numbers are little-endian, as everywhere in the store's
 * files. */
#include "base/memory.h"
#include "engine/local/store/events.h"
#include "engine/local/store/read.h"
#include "engine/local/store/runs.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_OFFSET (UINT64_C (1) << 62) /* of a block: what is added to it doesn't overflow */

enum {
   OP_CREATE = 1, /* id:8 name:str */
   OP_DROP,       /* id:8 */
   OP_FIELDS,     /* id:8 n:1 name:str… */
   OP_BLOCK,      /* id:8 serial:4 offset:8 data_at:4 size:4 documents:4 head_hash:8 n:1 range… */
   OP_RANGES,     /* id:8 serial:4 first:1 n:1 range… */
   OP_GONE,       /* id:8 serial:4 bytes:8 n:4 ordinal:4… */
   OP_GONE_BITS,  /* id:8 serial:4 bytes:8 n:4 bits */
   OP_MERGE,      /* id:8 first:4 count:4 with:4 */
   OP_NEXT_ID,    /* id:8 */
   OP_EVENTS,     /* id:8 n:4 increments: events.c */
   OP_FOLDED,     /* id:8: its documents have all increments before this */
   OP_RUN /* id:8 number:4 field:4 first:4 end:4 entries:8 hash:8: runs.c; in the place of those of
             its field within its serials */
};

/* ---- writing operations ---- */

static void put8 (MtBuf *b, uint8_t v) { mt_buf_addc (b, (char) v); }
static void put32 (MtBuf *b, uint32_t v) { mt_buf_add (b, &v, 4); }
static void put64 (MtBuf *b, uint64_t v) { mt_buf_add (b, &v, 8); }

static void put_str (MtBuf *b, const char *s)
{
   uint32_t n = (uint32_t) strlen (s);
   put32 (b, n);
   mt_buf_add (b, s, n);
}

static bool is_pointed (uint8_t type)
{
   switch (type) {
   case MT_STRING:
   case MT_DOC:
   case MT_ARRAY:
   case MT_BINARY:
   case MT_OID:
   case MT_REGEX:
   case MT_CODE:
   case MT_SYMBOL:
   case MT_DECIMAL: return true;
   default: return false;
   }
}

static void put_val (MtBuf *b, MtVal v)
{
   put8 (b, v.type);
   put8 (b, v.sub);
   if (is_pointed (v.type)) {
      put32 (b, v.len);
      mt_buf_add (b, v.p, v.len);
   } else {
      put64 (b, (uint64_t) v.i);
   }
}

static void put_range (MtBuf *b, const MtBlockRange *r)
{
   put8 (b, r->kept);
   if (r->kept) {
      put_val (b, r->min);
      put_val (b, r->max);
   }
}

void mt_record_create (MtStore *s, const MtColl *c)
{
   put8 (&s->record, OP_CREATE);
   put64 (&s->record, c->id);
   put_str (&s->record, c->name);
}

void mt_record_drop (MtStore *s, const MtColl *c)
{
   put8 (&s->record, OP_DROP);
   put64 (&s->record, c->id);
}

void mt_record_fields (MtStore *s, const MtColl *c)
{
   put8 (&s->record, OP_FIELDS);
   put64 (&s->record, c->id);
   put8 (&s->record, (uint8_t) c->field_count);
   for (uint32_t i = 0; i < c->field_count; i++)
      put_str (&s->record, c->fields[i]);
}

void mt_record_block (MtStore *s, const MtColl *c, const MtStoreBlock *b)
{
   MtBuf *r = &s->record;
   put8 (r, OP_BLOCK);
   put64 (r, c->id);
   put32 (r, b->serial);
   put64 (r, b->offset);
   put32 (r, b->data_at);
   put32 (r, b->size);
   put32 (r, b->documents);
   put64 (r, b->head_hash);
   put8 (r, (uint8_t) b->range_count);
   for (uint32_t i = 0; i < b->range_count; i++)
      put_range (r, &b->ranges[i]);
}

void mt_record_ranges (MtStore *s, const MtColl *c, const MtStoreBlock *b, uint32_t first_field)
{
   put8 (&s->record, OP_RANGES);
   put64 (&s->record, c->id);
   put32 (&s->record, b->serial);
   put8 (&s->record, (uint8_t) first_field);
   put8 (&s->record, (uint8_t) (b->range_count - first_field));
   for (uint32_t i = first_field; i < b->range_count; i++)
      put_range (&s->record, &b->ranges[i]);
}

void mt_record_gone (MtStore *s, const MtColl *c, const MtGone *gone, size_t count)
{
   uint64_t bytes = 0;
   for (size_t i = 0; i < count; i++)
      bytes += gone[i].bytes;
   put8 (&s->record, OP_GONE);
   put64 (&s->record, c->id);
   put32 (&s->record, gone->serial);
   put64 (&s->record, bytes);
   put32 (&s->record, (uint32_t) count);
   for (size_t i = 0; i < count; i++)
      put32 (&s->record, gone[i].ordinal);
}

static void record_gone_bits (MtStore *s, const MtColl *c, const MtStoreBlock *b)
{
   put8 (&s->record, OP_GONE_BITS);
   put64 (&s->record, c->id);
   put32 (&s->record, b->serial);
   put64 (&s->record, b->deleted->bytes);
   put32 (&s->record, b->deleted->count);
   mt_buf_add (&s->record, b->deleted->bits, (b->documents + 7) / 8);
}

void mt_record_merge (MtStore *s, const MtColl *c, size_t first, size_t count, size_t with)
{
   put8 (&s->record, OP_MERGE);
   put64 (&s->record, c->id);
   put32 (&s->record, (uint32_t) first);
   put32 (&s->record, (uint32_t) count);
   put32 (&s->record, (uint32_t) with);
}

void mt_record_events (MtBuf *record, const MtColl *c, const void *ops, size_t n)
{
   put8 (record, OP_EVENTS);
   put64 (record, c->id);
   put32 (record, (uint32_t) n);
   mt_buf_add (record, ops, n);
}

void mt_record_folded (MtStore *s, const MtColl *c)
{
   put8 (&s->record, OP_FOLDED);
   put64 (&s->record, c->id);
}

void mt_record_run (MtStore *s, const MtColl *c, const MtRunInfo *run)
{
   MtBuf *r = &s->record;
   put8 (r, OP_RUN);
   put64 (r, c->id);
   put32 (r, run->number);
   put32 (r, run->field);
   put32 (r, run->first);
   put32 (r, run->end);
   put64 (r, run->entries);
   put64 (r, run->hash);
}

/* Increments that were looked at as totals, others as they came. */
static void record_all_events (MtStore *s, const MtColl *c)
{
   if (c->events && c->events->doc_count) {
      MtBuf all = {0};
      mt_events_encode (c->events, &all);
      mt_record_events (&s->record, c, all.p, all.n);
      mt_buf_free (&all);
   }
   for (size_t at = c->queue_at; at < c->event_queue.n;) {
      uint32_t n = mt_get32 ((const uint8_t *) c->event_queue.p + at);
      mt_record_events (&s->record, c, c->event_queue.p + at + 4, n);
      at += 4 + n;
   }
}

void mt_record_whole (MtStore *s)
{
   put8 (&s->record, OP_NEXT_ID);
   put64 (&s->record, s->next_id);
   for (size_t i = 0; i < s->coll_count; i++) {
      const MtColl *c = s->colls[i];
      mt_record_create (s, c);
      mt_record_fields (s, c);
      for (size_t k = 0; k < c->block_count; k++) {
         mt_record_block (s, c, c->blocks[k]);
         if (c->blocks[k]->deleted)
            record_gone_bits (s, c, c->blocks[k]);
      }
      record_all_events (s, c);
      for (uint32_t k = 0; c->runs && k < c->runs->count; k++)
         mt_record_run (s, c, mt_run_info (c->runs->runs[k]));
   }
}

/* ---- reading operations ---- */

/* A string; "" when the input is bad. */
static const char *get_str (MtStoreIn *in, uint32_t *n)
{
   *n = mt_in_32 (in);
   const char *p = (const char *) mt_in_bytes (in, *n);
   if (in->bad || memchr (p, 0, *n)) {
      in->bad = true;
      *n = 0;
   }
   return p;
}

static MtVal get_val (MtStoreIn *in, MtArena *a)
{
   MtVal v = {.type = mt_in_8 (in)};
   v.sub = mt_in_8 (in);
   if (!is_pointed (v.type)) {
      v.i = (int64_t) mt_in_64 (in);
      return v;
   }
   uint32_t n = mt_in_32 (in);
   const uint8_t *p = mt_in_bytes (in, n);
   if (in->bad)
      return mt_v_null ();
   v.len = n;
   v.p = (const uint8_t *) mt_strndup (a, (const char *) p, n);
   return v;
}

static void get_ranges (MtStoreIn *in, MtColl *c, MtStoreBlock *b, uint32_t first)
{
   uint32_t n = mt_in_8 (in);
   if (in->bad || first + n > MT_STORE_RANGES || first > b->range_count) {
      in->bad = true;
      return;
   }
   MtBlockRange *ranges = MT_NEW_N (c->arena, MtBlockRange, first + n);
   if (first)
      memcpy (ranges, b->ranges, first * sizeof *ranges);
   for (uint32_t i = first; i < first + n; i++) {
      ranges[i].kept = mt_in_8 (in) != 0;
      if (ranges[i].kept) {
         ranges[i].min = get_val (in, c->arena);
         ranges[i].max = get_val (in, c->arena);
      }
   }
   b->ranges = ranges;
   b->range_count = first + n;
}

static MtStoreBlock *get_block (MtStoreIn *in, MtColl *c)
{
   uint32_t serial = mt_in_32 (in);
   MtStoreBlock *b = c && serial < c->serial_count ? c->serials[serial] : NULL;
   if (!b)
      in->bad = true;
   return b;
}

static void apply_block (MtStoreIn *in, MtColl *c)
{
   uint32_t serial = mt_in_32 (in);
   uint64_t offset = mt_in_64 (in);
   uint32_t data_at = mt_in_32 (in), size = mt_in_32 (in), documents = mt_in_32 (in);
   uint64_t head_hash = mt_in_64 (in);
   if (in->bad || !c || data_at < MT_BLOCK_SUM_AT (mt_block_pages (size)) || size > INT32_MAX ||
       documents > size / 5 || serial == UINT32_MAX || serial < c->serial_count ||
       offset > MOST_OFFSET) {
      in->bad = true;
      return;
   }
   if (!MT_TRY_GROW ("store", c->serials, serial, c->serial_cap, 16)) {
      in->bad = true;
      return;
   }
   MtStoreBlock *b = mt_coll_add_block (c, serial, offset, data_at, size, documents);
   b->head_hash = head_hash;
   get_ranges (in, c, b, 0);
   if (offset + data_at + size > c->length)
      c->length = offset + data_at + size;
}

static void apply_gone (MtStoreIn *in, MtColl *c)
{
   MtStoreBlock *b = get_block (in, c);
   uint64_t bytes = mt_in_64 (in);
   uint32_t n = mt_in_32 (in);
   if (in->bad || n > b->documents) {
      in->bad = true;
      return;
   }
   for (uint32_t i = 0; i < n && !in->bad; i++) {
      uint32_t ordinal = mt_in_32 (in);
      if (ordinal >= b->documents)
         in->bad = true;
      else
         mt_coll_apply_gone (b, ordinal, i == 0 ? (uint32_t) bytes : 0);
   }
}

static void apply_gone_bits (MtStoreIn *in, MtColl *c)
{
   MtStoreBlock *b = get_block (in, c);
   uint64_t bytes = mt_in_64 (in);
   uint32_t n = mt_in_32 (in);
   const uint8_t *bits = in->bad ? NULL : mt_in_bytes (in, (b->documents + 7) / 8);
   if (in->bad)
      return;
   for (uint32_t i = 0; i < b->documents; i++)
      if (bits[i / 8] & (1u << i % 8))
         mt_coll_apply_gone (b, i, 0);
   if (!b->deleted || b->deleted->count != n)
      in->bad = true;
   else
      b->deleted->bytes = bytes;
}

static void apply_fields (MtStoreIn *in, MtColl *c)
{
   uint32_t n = mt_in_8 (in);
   if (in->bad || !c || n > MT_STORE_RANGES) {
      in->bad = true;
      return;
   }
   for (uint32_t i = 0; i < n; i++) {
      uint32_t len;
      const char *name = get_str (in, &len);
      if (in->bad)
         return;
      if (i >= c->field_count)
         c->fields[c->field_count++] = mt_strndup (c->arena, name, len);
   }
}

static void apply_create (MtStore *s, MtStoreIn *in, uint64_t id)
{
   uint32_t len;
   const char *name = get_str (in, &len);
   if (in->bad || mt_store_coll_by_id (s, id)) {
      in->bad = true;
      return;
   }
   mt_store_keep (s, mt_coll_new (s, id, name, len));
   if (id >= s->next_id)
      s->next_id = id + 1;
}

static void apply_events (MtStoreIn *in, MtColl *c)
{
   uint32_t n = mt_in_32 (in);
   const uint8_t *ops = mt_in_bytes (in, n);
   if (!in->bad)
      mt_events_queue (c, ops, n);
}

static void apply_run (MtStoreIn *in, MtColl *c)
{
   MtRunInfo run = {.number = mt_in_32 (in)};
   run.field = mt_in_32 (in);
   run.first = mt_in_32 (in);
   run.end = mt_in_32 (in);
   run.entries = mt_in_64 (in);
   run.hash = mt_in_64 (in);
   if (in->bad || run.field >= c->field_count || run.first >= run.end ||
       run.end > c->serial_count || run.entries > UINT32_MAX)
      in->bad = true;
   else
      mt_coll_add_run (c, &run, -1);
}

MtColl *mt_salvage_unnamed (MtStore *s, uint64_t id)
{
   char name[40];
   int n = snprintf (name, sizeof name, "salvaged_%llx", (unsigned long long) id);
   mt_store_keep (s, mt_coll_new (s, id, name, (size_t) n));
   return s->colls[s->coll_count - 1];
}

static void apply_op (MtStore *s, MtStoreIn *in)
{
   uint8_t op = mt_in_8 (in);
   uint64_t id = mt_in_64 (in);
   MtColl *c = mt_store_coll_by_id (s, id);
   if (!c && s->salvaging && !in->bad && op != OP_CREATE && op != OP_NEXT_ID && op != OP_DROP)
      c = mt_salvage_unnamed (s, id);
   if (op == OP_CREATE) {
      apply_create (s, in, id);
   } else if (op == OP_NEXT_ID) {
      if (id > s->next_id)
         s->next_id = id;
   } else if (!c || in->bad) {
      in->bad = true;
   } else if (op == OP_DROP) {
      mt_store_forget (s, c);
   } else if (op == OP_FIELDS) {
      apply_fields (in, c);
   } else if (op == OP_BLOCK) {
      mt_index_drop (c); /* another process's documents aren't in it */
      apply_block (in, c);
   } else if (op == OP_RANGES) {
      MtStoreBlock *b = get_block (in, c);
      uint32_t first = mt_in_8 (in);
      if (!in->bad)
         get_ranges (in, c, b, first);
   } else if (op == OP_GONE) {
      apply_gone (in, c);
   } else if (op == OP_GONE_BITS) {
      apply_gone_bits (in, c);
   } else if (op == OP_EVENTS) {
      apply_events (in, c);
   } else if (op == OP_FOLDED) {
      mt_events_forget (c);
   } else if (op == OP_RUN) {
      apply_run (in, c);
   } else if (op == OP_MERGE) {
      uint32_t first = mt_in_32 (in), count = mt_in_32 (in), with = mt_in_32 (in);
      mt_index_drop (c);
      if (in->bad || !mt_coll_merge (c, first, count, with))
         in->bad = true;
   } else {
      in->bad = true;
   }
}

size_t mt_record_apply (MtStore *s, const uint8_t *p, size_t n)
{
   MtStoreIn in = {p, p + n, false};
   const uint8_t *op = p;
   while (in.p < in.end && !in.bad) {
      op = in.p;
      apply_op (s, &in);
   }
   return in.bad ? (size_t) (op - p) : n;
}
