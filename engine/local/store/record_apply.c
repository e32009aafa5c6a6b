/* Applies the record of a commit: decodes its operations and changes the store in memory. */
#include "base/memory.h"
#include "engine/local/store/coll_int.h"
#include "engine/local/store/events.h"
#include "engine/local/store/read.h"
#include "engine/local/store/record_int.h"
#include "engine/local/store/runs.h"

#include <stdio.h>
#include <stdlib.h>

/* A block with a greater offset is invalid. The limit keeps additions to offsets from
 * overflowing. */
#define MOST_OFFSET (UINT64_C (1) << 62)

/* Reads a string without NUL bytes, of *n bytes, from the record. Returns "" if the record is
 * damaged. */
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
   if (!mt_v_has_bytes (v.type)) {
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

static void get_columns (MtStoreIn *in, MtStoreBlock *b)
{
   uint32_t bytes = mt_in_32 (in), directory = mt_in_32 (in);
   uint64_t hash = mt_in_64 (in);
   if (directory > bytes)
      in->bad = true;
   else
      b->columns = (MtColumns) {.bytes = bytes, .directory = directory, .hash = hash};
}

static void apply_block (MtStoreIn *in, MtColl *c, bool rebuilt)
{
   MtBlockHead h = {.serial = mt_in_32 (in), .rebuilt = rebuilt};
   uint64_t offset = mt_in_64 (in);
   h.data_at = mt_in_32 (in);
   h.size = mt_in_32 (in);
   h.documents = mt_in_32 (in);
   h.hash = mt_in_64 (in);
   size_t pages = rebuilt ? 0 : mt_block_pages (h.size);
   if (in->bad || !c || h.data_at < MT_BLOCK_SUM_AT (pages) || h.size > INT32_MAX ||
       h.documents > h.size / 5 || h.serial == UINT32_MAX || h.serial < c->serial_count ||
       offset > MOST_OFFSET) {
      in->bad = true;
      return;
   }
   if (!MT_TRY_GROW ("store", c->serials, h.serial, c->serial_cap, 16)) {
      in->bad = true;
      return;
   }
   MtStoreBlock *b = mt_coll_add_block (c, offset, &h);
   get_ranges (in, c, b, 0);
   if (rebuilt)
      get_columns (in, b);
   if (mt_block_end (b) > c->length)
      c->length = mt_block_end (b);
}

/* Makes `serial` the number of the next block. The skipped numbers belonged to blocks that were
 * merged. Returns false if that number is already used. */
static bool skip_to (MtColl *c, uint32_t serial)
{
   if (serial == UINT32_MAX || serial < c->serial_count ||
       !MT_TRY_GROW ("store", c->serials, serial, c->serial_cap, 16))
      return false;
   while (c->serial_count < serial)
      c->serials[c->serial_count++] = NULL;
   return true;
}

static void apply_logged (MtStoreIn *in, MtColl *c)
{
   uint32_t serial = mt_in_32 (in), size = mt_in_32 (in), documents = mt_in_32 (in);
   MtStoreBlock none = {0};
   get_ranges (in, c, &none, 0);
   const uint8_t *bytes = mt_in_bytes (in, size);
   if (in->bad || documents > size / 5 || !skip_to (c, serial)) {
      in->bad = true;
      return;
   }
   MtStoreBlock *b = mt_coll_add_logged (c, bytes, size, documents);
   b->ranges = none.ranges;
   b->range_count = none.range_count;
}

static void apply_join (MtStoreIn *in, MtColl *c)
{
   uint32_t serial = mt_in_32 (in), first = mt_in_32 (in), count = mt_in_32 (in);
   MtError ignored;
   mt_error_clear (&ignored);
   if (in->bad || !skip_to (c, serial) || !mt_coll_join (c, first, count, &ignored))
      in->bad = true;
   /* Free the write buffer, which this process may never need again: most processes only read. */
   if (c) {
      free (c->builder.data);
      c->builder.data = NULL;
      c->builder.cap = 0;
   }
}

static void apply_measures (MtStoreIn *in, MtColl *c)
{
   MtStoreBlock *b = get_block (in, c);
   uint32_t n = mt_in_32 (in);
   const uint8_t *entries = mt_in_bytes (in, n);
   if (!in->bad)
      mt_block_keep_measures (c, b, entries, n);
}

static void apply_columns (MtStoreIn *in, MtColl *c)
{
   MtStoreBlock *b = get_block (in, c);
   if (in->bad || b->rebuilt) {
      in->bad = true;
      return;
   }
   get_columns (in, b);
   if (mt_block_end (b) > c->length)
      c->length = mt_block_end (b);
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
   if (!c && s->salvaging && !in->bad && op != MT_OP_CREATE && op != MT_OP_NEXT_ID &&
       op != MT_OP_DROP)
      c = mt_salvage_unnamed (s, id);
   if (op == MT_OP_CREATE) {
      apply_create (s, in, id);
   } else if (op == MT_OP_NEXT_ID) {
      if (id > s->next_id)
         s->next_id = id;
   } else if (!c || in->bad) {
      in->bad = true;
   } else if (op == MT_OP_DROP) {
      mt_store_forget (s, c);
   } else if (op == MT_OP_FIELDS) {
      apply_fields (in, c);
   } else if (op == MT_OP_BLOCK || op == MT_OP_REBUILT) {
      /* Free the index of _ids, because it lacks the documents that another process has written. */
      mt_index_drop (c);
      apply_block (in, c, op == MT_OP_REBUILT);
   } else if (op == MT_OP_LOGGED) {
      mt_index_drop (c);
      apply_logged (in, c);
   } else if (op == MT_OP_JOIN) {
      mt_index_drop (c);
      apply_join (in, c);
   } else if (op == MT_OP_RANGES) {
      MtStoreBlock *b = get_block (in, c);
      uint32_t first = mt_in_8 (in);
      if (!in->bad)
         get_ranges (in, c, b, first);
   } else if (op == MT_OP_MEASURES) {
      apply_measures (in, c);
   } else if (op == MT_OP_COLUMNS) {
      apply_columns (in, c);
   } else if (op == MT_OP_GONE) {
      apply_gone (in, c);
   } else if (op == MT_OP_GONE_BITS) {
      apply_gone_bits (in, c);
   } else if (op == MT_OP_EVENTS) {
      apply_events (in, c);
   } else if (op == MT_OP_FOLDED) {
      mt_events_forget (c);
   } else if (op == MT_OP_RUN) {
      apply_run (in, c);
   } else if (op == MT_OP_MERGE) {
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
