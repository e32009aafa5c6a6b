/* Encodes the record of a commit for the manifest. record_int.h lists the operations of a
 * record. */
#include "base/memory.h"
#include "engine/local/store/events.h"
#include "engine/local/store/record_int.h"
#include "engine/local/store/runs.h"

#include <stdlib.h>

static void put8 (MtBuf *b, uint8_t v) { mt_buf_addc (b, (char) v); }
static void put32 (MtBuf *b, uint32_t v) { mt_buf_add (b, &v, 4); }
static void put64 (MtBuf *b, uint64_t v) { mt_buf_add (b, &v, 8); }

static void put_str (MtBuf *b, const char *s)
{
   uint32_t n = (uint32_t) strlen (s);
   put32 (b, n);
   mt_buf_add (b, s, n);
}

static void put_val (MtBuf *b, MtVal v)
{
   put8 (b, v.type);
   put8 (b, v.sub);
   if (mt_v_has_bytes (v.type)) {
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

static void begin_op (MtBuf *b, uint8_t op, const MtColl *c)
{
   put8 (b, op);
   put64 (b, c->id);
}

void mt_record_create (MtStore *s, const MtColl *c)
{
   begin_op (&s->record, MT_OP_CREATE, c);
   put_str (&s->record, c->name);
}

void mt_record_drop (MtStore *s, const MtColl *c) { begin_op (&s->record, MT_OP_DROP, c); }

void mt_record_fields (MtStore *s, const MtColl *c)
{
   begin_op (&s->record, MT_OP_FIELDS, c);
   put8 (&s->record, (uint8_t) c->field_count);
   for (uint32_t i = 0; i < c->field_count; i++)
      put_str (&s->record, c->fields[i]);
}

static void put_columns (MtBuf *r, const MtColumns *c)
{
   put32 (r, c->bytes);
   put32 (r, c->directory);
   put64 (r, c->hash);
}

static void record_logged (MtBuf *r, const MtColl *c, const MtStoreBlock *b)
{
   begin_op (r, MT_OP_LOGGED, c);
   put32 (r, b->serial);
   put32 (r, b->size);
   put32 (r, b->documents);
   put8 (r, (uint8_t) b->range_count);
   for (uint32_t i = 0; i < b->range_count; i++)
      put_range (r, &b->ranges[i]);
   mt_buf_add (r, b->logged->bytes, b->size);
}

static void record_stored (MtBuf *r, const MtColl *c, const MtStoreBlock *b)
{
   begin_op (r, b->rebuilt ? MT_OP_REBUILT : MT_OP_BLOCK, c);
   put32 (r, b->serial);
   put64 (r, b->offset);
   put32 (r, b->data_at);
   put32 (r, b->size);
   put32 (r, b->documents);
   put64 (r, b->head_hash);
   put8 (r, (uint8_t) b->range_count);
   for (uint32_t i = 0; i < b->range_count; i++)
      put_range (r, &b->ranges[i]);
   if (b->rebuilt)
      put_columns (r, &b->columns);
}

void mt_record_join (MtStore *s, const MtColl *c, size_t first, size_t count)
{
   begin_op (&s->record, MT_OP_JOIN, c);
   put32 (&s->record, c->serial_count);
   put32 (&s->record, (uint32_t) first);
   put32 (&s->record, (uint32_t) count);
}

void mt_record_block (MtStore *s, const MtColl *c, const MtStoreBlock *b)
{
   MtBuf *r = &s->record;
   if (b->logged)
      record_logged (r, c, b);
   else
      record_stored (r, c, b);
   if (b->measures) {
      begin_op (r, MT_OP_MEASURES, c);
      put32 (r, b->serial);
      put32 (r, b->measure_bytes);
      mt_buf_add (r, b->measures, b->measure_bytes);
   }
   if (b->columns.bytes && !b->rebuilt) {
      begin_op (r, MT_OP_COLUMNS, c);
      put32 (r, b->serial);
      put_columns (r, &b->columns);
   }
}

void mt_record_ranges (MtStore *s, const MtColl *c, const MtStoreBlock *b, uint32_t first_field)
{
   begin_op (&s->record, MT_OP_RANGES, c);
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
   begin_op (&s->record, MT_OP_GONE, c);
   put32 (&s->record, gone->serial);
   put64 (&s->record, bytes);
   put32 (&s->record, (uint32_t) count);
   for (size_t i = 0; i < count; i++)
      put32 (&s->record, gone[i].ordinal);
}

static void record_gone_bits (MtStore *s, const MtColl *c, const MtStoreBlock *b)
{
   begin_op (&s->record, MT_OP_GONE_BITS, c);
   put32 (&s->record, b->serial);
   put64 (&s->record, b->deleted->bytes);
   put32 (&s->record, b->deleted->count);
   mt_buf_add (&s->record, b->deleted->bits, (b->documents + 7) / 8);
}

void mt_record_merge (MtStore *s, const MtColl *c, size_t first, size_t count, size_t with)
{
   begin_op (&s->record, MT_OP_MERGE, c);
   put32 (&s->record, (uint32_t) first);
   put32 (&s->record, (uint32_t) count);
   put32 (&s->record, (uint32_t) with);
}

void mt_record_events (MtBuf *record, const MtColl *c, const void *ops, size_t n)
{
   begin_op (record, MT_OP_EVENTS, c);
   put32 (record, (uint32_t) n);
   mt_buf_add (record, ops, n);
}

void mt_record_folded (MtStore *s, const MtColl *c) { begin_op (&s->record, MT_OP_FOLDED, c); }

void mt_record_run (MtStore *s, const MtColl *c, const MtRunInfo *run)
{
   MtBuf *r = &s->record;
   begin_op (r, MT_OP_RUN, c);
   put32 (r, run->number);
   put32 (r, run->field);
   put32 (r, run->first);
   put32 (r, run->end);
   put64 (r, run->entries);
   put64 (r, run->hash);
}

/* Writes all increments of a collection into the record. Those already applied in memory are
 * written as totals, queued ones are copied. */
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
   put8 (&s->record, MT_OP_NEXT_ID);
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
