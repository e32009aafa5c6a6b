/* The builder: makes documents from sorted records, one for each document key, and sends them to
 * the engine. If a document of the key is already stored, it is read, and its records are merged
 * with the new ones. */
#include "layouts/collections/collections.h"
#include "layouts/collections/partition.h"
#include "layouts/pack/build_int.h"

enum { DOC_BUDGET = 8 << 20 };

/* ---- making a builder ---- */

static void add_measure (MtBuilder *b, const MtMeasureAgg *m)
{
   size_t i = 0;
   while (i < b->measure_count && b->measures[i] != m->column)
      i++;
   if (i == b->measure_count)
      b->measures[b->measure_count++] = m->column;
   b->measure_range[i] = b->measure_range[i] || m->min || m->max;
}

static MtNodeW *new_node (MtBuilder *b, const MtNode *n, int parent_key_end)
{
   MtArena *a = b->x.a;
   MtNodeW *nw = b->nodes[n->id] = MT_NEW (a, MtNodeW);
   nw->n = n;
   nw->key_start = nw->parent_key_end = parent_key_end;
   nw->key_end = parent_key_end + (int) n->bind_count;
   nw->bound = MT_NEW_N (a, MtVal, n->bind_count);
   nw->bound_text = MT_NEW_N (a, MtBuf, n->bind_count);
   nw->raw = MT_NEW_N (a, MtVal, n->raw.count);
   nw->acc = MT_NEW_N (a, MtSums, b->measure_count);
   nw->arrays = n->kind == MT_NODE_ARRAYS ? MT_NEW_N (a, MtBson, n->field_count) : NULL;
   mt_kept_states_new (b, nw);
   nw->kids = MT_NEW_N (a, MtNodeW *, n->sub_count);
   nw->kid_count = n->sub_count;
   for (size_t i = 0; i < n->sub_count; i++)
      nw->kids[i] = new_node (b, n->subs[i], nw->key_end);
   return nw;
}

static bool compile_all (MtBuilder *b, MtNodeW *nw)
{
   for (size_t i = 0; i < nw->kid_count; i++)
      nw->kids[i]->inlined = nw->kids[i]->n->kind == MT_NODE_SCALAR && !*nw->kids[i]->n->at;
   if (!mt_compile_fields (b, nw))
      return false;
   mt_kept_states_link (b, nw);
   for (size_t i = 0; i < nw->kid_count; i++)
      if (!compile_all (b, nw->kids[i]))
         return false;
   return true;
}

/* Returns whether documents with different keys always have different _ids. This is not so if some
 * column of the key, which the root level stores, is no part of the _id. */
static bool id_is_key (const MtStoreDesc *s)
{
   for (size_t i = 0; i < s->root->bind_count && !s->id_count; i++)
      if (!mt_path_in_id (s->root->binds[i].at))
         return false;
   return true;
}

/* Fills *to for a collection: its name, and whether it may have documents that must be read and
 * merged. */
static bool look_at_collection (MtBuilder *b, const char *collection, MtBuildTarget *to,
                                MtError *err)
{
   /* keyed: a key has only one document, so a stored document of the key must be found */
   bool has = false, keyed = !b->rows && !b->x.store->repeats && !b->increments;
   if (keyed && !mt_engine_has_documents (b->x.e, collection, &has, err))
      return false;
   to->part.collection = collection;
   to->lookup = has;
   return true;
}

static bool new_target (MtBuilder *b, int64_t ms, MtBuildTarget *to, MtError *err)
{
   MtPartition p = mt_partition_of (b->x.a, b->x.store, ms);
   bool made;
   to->part = p;
   return mt_store_make_collection (b->x.e, b->x.t, b->x.store, p.collection, &made, err) &&
          look_at_collection (b, p.collection, to, err) &&
          (!made || !b->x.o->made ||
           b->x.o->made (b->x.o->made_ctx, b->x.store, p.collection, err));
}

bool mt_builder_visit (MtBuilder *b, int64_t ms, MtError *err)
{
   size_t lo = 0, hi = b->target_count;
   if (b->to && b->to->part.start_ms <= ms && ms < b->to->part.end_ms)
      return true;
   while (lo < hi) {
      size_t mid = (lo + hi) / 2;
      if (b->targets[mid]->part.end_ms <= ms)
         lo = mid + 1;
      else
         hi = mid;
   }
   if (lo < b->target_count && b->targets[lo]->part.start_ms <= ms) {
      b->to = b->targets[lo];
      return true;
   }
   if (b->target_count == b->target_cap) {
      b->target_cap = b->target_cap ? 2 * b->target_cap : 16;
      MtBuildTarget **more = MT_NEW_N (b->x.a, MtBuildTarget *, b->target_cap);
      if (b->target_count)
         memcpy (more, b->targets, b->target_count * sizeof *more);
      b->targets = more;
   }
   MtBuildTarget *to = MT_NEW (b->x.a, MtBuildTarget);
   if (!new_target (b, ms, to, err))
      return false;
   memmove (b->targets + lo + 1, b->targets + lo, (b->target_count++ - lo) * sizeof *b->targets);
   b->to = b->targets[lo] = to;
   return true;
}

bool mt_writer_increments (const MtTable *t, const MtStoreDesc *s, const MtCaps *caps)
{
   /* If documents of two keys may have the same _id, the embedded engine can't use increments; it
    * reads and merges the documents instead. */
   return (caps->increments && mt_store_increments (t, s) &&
           (caps->increment_bytes == SIZE_MAX || id_is_key (s))) ||
          (caps->fresh_fields && mt_store_sets_fresh (t, s)) ||
          (caps->fresh_slots && mt_store_fills_slots (t, s));
}

/* Decides how documents of the store are written, and sets b->increments, b->guarded and
 * b->check_ids. */
static bool look_at_store (MtBuilder *b, MtError *err)
{
   const MtStoreDesc *s = b->x.store;
   const MtCaps *caps = mt_engine_caps (b->x.e);
   bool keyed = s->id_count || mt_root_binds_id (s), shared = caps->increment_bytes == SIZE_MAX;
   b->increments = mt_writer_increments (b->x.t, s, caps);
   b->guarded = shared && !caps->atomic_write && caps->unique_indexes && !b->rows && !s->repeats &&
                !b->increments && !b->x.o->replace;
   /* Two documents can get the same _id if each row is a document, or if the _id has only some of
    * the key's columns. On a server, another writer may insert a document of the same key at the
    * same time. */
   b->check_ids = keyed ? b->rows || !id_is_key (s) || shared : shared && !b->rows && !s->repeats;
   if (s->parts)
      return true;
   b->to = MT_NEW (b->x.a, MtBuildTarget);
   return look_at_collection (b, s->collection, b->to, err);
}

bool mt_builder_new (const MtBuildArgs *args, MtBuilder **out, MtError *err)
{
   MtArena *a = args->a;
   MtBuilder *b = MT_NEW (a, MtBuilder);
   *b = (MtBuilder) {.x = *args, .budget = DOC_BUDGET};
   const MtStoreDesc *s = args->store;
   b->measures = MT_NEW_N (a, int, args->t->column_count);
   b->measure_range = MT_NEW_N (a, bool, args->t->column_count);
   for (size_t i = 0; i < s->node_count; i++)
      for (size_t j = 0; j < s->nodes[i]->agg.measure_count; j++)
         add_measure (b, &s->nodes[i]->agg.measures[j]);
   b->nodes = MT_NEW_N (a, MtNodeW *, s->node_count);
   b->first_key = s->parts != NULL;
   b->root = new_node (b, s->root, b->first_key);
   b->row_key = MT_NEW_N (a, MtVal, s->root->bind_count);
   b->rows = mt_store_is_rows (s);
   if (args->l->keeps == MT_KEEPS_LATEST)
      b->newest = mt_newest_new (a, args->t, args->l, s);
   b->can_split = s->repeats && mt_store_leaves (s, NULL) == 1;
   b->flush_levels = s->flush_levels ? s->flush_levels : MT_FLUSH_LEVELS;
   if (!compile_all (b, b->root) || !look_at_store (b, err))
      return false;
   *out = b;
   return true;
}

void mt_builder_free (MtBuilder *b)
{
   for (size_t i = 0; b->nodes && i < b->x.store->node_count; i++) {
      MtNodeW *nw = b->nodes[i];
      if (!nw)
         continue;
      for (size_t k = 0; k < nw->n->bind_count; k++)
         mt_buf_free (&nw->bound_text[k]);
      mt_buf_free (&nw->raw_text);
      mt_kept_states_free (nw);
      mt_bson_free (&nw->records);
      mt_bson_free (&nw->out);
      for (size_t k = 0; nw->arrays && k < nw->n->field_count; k++)
         mt_bson_free (&nw->arrays[k]);
   }
   mt_buf_free (&b->id_text);
   mt_buf_free (&b->scratch);
   mt_increment_parts_free (&b->parts);
   mt_bson_free (&b->doc);
   mt_arena_free (b->doc_arena);
   mt_late_free (b);
   if (b->newest)
      mt_newest_free (b->newest);
}

/* Returns whether the current document replaces the stored document as a whole, by the caller's
 * function MtWriterOptions.takes. */
static bool takes (const MtBuilder *b)
{
   return b->x.o->takes && b->x.o->takes (b->x.o->takes_ctx, b->to->part.collection, b->id);
}

/* ---- documents ---- */

static bool send_increments (MtBuilder *b, const bson_t *doc)
{
   MtIncrementParts *p = &b->parts;
   MtVal id = mt_v_missing ();
   bson_t amounts, first, fresh, slots;
   bool ok = mt_document_increments (b->x.store, mt_v_doc (doc), &id, p, b->err);
   if (ok && !(bson_init_static (&amounts, p->amounts.p, p->amounts.n) &&
               bson_init_static (&first, p->first.p, p->first.n) &&
               bson_init_static (&fresh, p->fresh.p, p->fresh.n) &&
               bson_init_static (&slots, p->slots.p, p->slots.n)))
      ok = mt_error (b->err, MT_E_INTERNAL, "the writer made damaged increments");
   ok = ok && mt_engine_increment (b->x.e, b->to->part.collection, id,
                                   &(MtIncrement) {&amounts, &first, &fresh, &slots}, b->err);
   b->sent++;
   b->bytes += (double) doc->len;
   return ok;
}

/* Sets *fresh to whether the current document must be inserted instead of sent as increments: it is
 * large, and its _id is not stored yet. False on an error. */
static bool is_new (MtBuilder *b, bool *fresh)
{
   bson_t *old;
   *fresh = false;
   if (b->doc.n <= mt_engine_caps (b->x.e)->increment_bytes)
      return true;
   MtArena *a = mt_arena_new ("found", NULL);
   bool ok = mt_engine_find_id (b->x.e, a, b->to->part.collection, b->id, &old, b->err);
   *fresh = ok && !old;
   mt_arena_free (a);
   return ok;
}

/* Writes the current document only if the stored one is unchanged since it was read, or, if there
 * was none, if there is still none. Otherwise another writer was faster: sets b->outrun, and the
 * document is merged again. Used on servers. */
static bool put_same (MtBuilder *b, const bson_t *doc)
{
   bool done;
   MtReplaceSame r = {
      .collection = b->to->part.collection, .old = b->replacing ? b->old : NULL, .doc = doc};
   if (!mt_engine_replace_same (b->x.e, &r, &done, b->err))
      return false;
   b->outrun = !done;
   b->bytes += done ? (double) doc->len - (b->replacing ? (double) b->old_size : 0) : 0;
   b->documents += done && !b->replacing;
   return true;
}

/* Sends the finished document to the engine: as increments, as an insert, or as a replacement. */
static bool store_doc (MtBuilder *b)
{
   bson_t doc;
   size_t size = b->doc.n;
   if (b->doc.failed || size > MT_MAX_DOC_BYTES)
      return mt_doc_too_large (b);
   if (b->newest) {
      mt_newest_add (b->newest, b->doc.p, size);
      return !mt_newest_full (b->newest) || mt_newest_send (b->newest, &b->x, b->err);
   }
   if (!bson_init_static (&doc, b->doc.p, size))
      return mt_error (b->err, MT_E_INTERNAL, "the writer made a damaged document");
   bool fresh = b->taking || !b->increments || b->x.o->replace;
   if (!fresh && !is_new (b, &fresh))
      return false;
   if (!fresh)
      return send_increments (b, &doc);
   if (b->guarded && !b->taking && (b->replacing || b->again))
      return put_same (b, &doc);
   b->bytes += (double) size - (b->replacing ? (double) b->old_size : 0);
   b->documents += !b->replacing;
   if (b->x.o->replace)
      return b->x.o->replace (b->x.o->takes_ctx, b->to->part.collection, &doc, b->err);
   if (b->replacing || b->taking)
      return mt_engine_replace (b->x.e, b->to->part.collection, &doc, b->err);
   return mt_engine_insert (b->x.e, b->to->part.collection, &doc, b->check_ids, b->err);
}

static bool write_doc (MtBuilder *b)
{
   MtBson *w = &b->doc;
   mt_bson_start (w);
   if (!mt_write_fields (b, w, b->root->fields, b->root->field_count))
      return false;
   mt_bson_end (w, 0);
   b->root->stat_cells++;
   b->root->stat_bytes += (double) (w->n - mt_children_bytes (b->root));
   return b->is_late || store_doc (b);
}

bool mt_builder_row (MtBuilder *b, const MtVal *row, MtError *err)
{
   MtNodeW *nw = b->root;
   const MtTable *t = b->x.t;
   const MtRaw *r = &nw->n->raw;
   MtVal *key = b->row_key;
   b->err = err;
   if (b->first_key && !mt_builder_visit (b, row[t->time_column].i, err))
      return false;
   for (size_t i = 0; i < nw->n->bind_count; i++) {
      MtVal v = mt_binding_value (t, &nw->n->binds[i], row);
      key[i] = v;
      if (!mt_cell_bind (b, nw, i, v, true))
         return false;
   }
   mt_buf_clear (&nw->raw_text);
   if (!mt_buf_reserve (&nw->raw_text, 64 * r->count + 64))
      return mt_memory_check (err);
   for (size_t i = 0; i < r->count; i++) {
      MtVal v = row[r->columns[i]];
      if (v.type == MT_STRING && !mt_buf_reserve (&nw->raw_text, 64 * (r->count - i) + v.len))
         return mt_memory_check (err);
      if (!mt_encode (&r->encodings[i], t->columns[r->columns[i]].type, v, &nw->raw_text,
                      &nw->raw[i], err))
         return false;
   }
   nw->count = 1;
   nw->any_time = t->time_column >= 0 && row[t->time_column].type == MT_DATE;
   nw->min_time = nw->max_time = nw->any_time ? row[t->time_column].i : 0;
   for (size_t i = 0; i < b->measure_count; i++) {
      mt_sums_clear (&nw->acc[i]);
      mt_sums_value (&nw->acc[i], row[b->measures[i]], t->columns[b->measures[i]].type.id,
                     b->measure_range[i]);
   }
   b->records++;
   if (!mt_make_id (b, key))
      return false;
   b->taking = !b->newest && takes (b);
   return write_doc (b);
}

bool mt_builder_row_id (MtBuilder *b, const MtVal *row, MtVal *id, MtError *err)
{
   b->err = err;
   for (size_t i = 0; i < b->root->n->bind_count; i++) {
      b->row_key[i] = mt_binding_value (b->x.t, &b->root->n->binds[i], row);
      if (!mt_cell_bind (b, b->root, i, b->row_key[i], true))
         return false;
   }
   bool ok = mt_make_id (b, b->row_key);
   *id = b->id;
   return ok;
}

/* Sends the newest documents of each key, which were kept in memory until now. In the statistics,
 * only documents whose _id was not stored before count as new. */
bool mt_builder_end_rows (MtBuilder *b, MtError *err)
{
   if (!b->newest)
      return true;
   if (!mt_newest_send (b->newest, &b->x, err))
      return false;
   const MtNewerCounts *counts = mt_newest_counts (b->newest);
   b->documents = b->records = b->root->stat_cells = (double) counts->made;
   b->bytes = b->root->stat_bytes = counts->bytes;
   return true;
}

/* ---- stored documents ---- */

/* Checks that stored documents can be merged with new records; 0A000 if not. If the store keeps no
 * records, each leaf must keep all sums that the levels above it keep. */
static bool can_merge (MtBuilder *b, const MtNode *leaf)
{
   if (mt_store_records (b->x.store)) /* the sums are computed again from the records */
      return true;
   for (const MtNode *n = leaf->parent; n; n = n->parent) {
      bool ok = !n->agg.n || leaf->agg.n;
      for (size_t i = 0; i < n->agg.measure_count; i++) {
         const MtMeasureAgg *m = &n->agg.measures[i], *l = NULL;
         for (size_t j = 0; j < leaf->agg.measure_count; j++)
            l = leaf->agg.measures[j].column == m->column ? &leaf->agg.measures[j] : l;
         ok = ok && (!m->sum || (l && l->sum)) && (!m->nonnull || (l && l->nonnull)) &&
              (!m->min || (l && l->min)) && (!m->max || (l && l->max));
      }
      if (!ok)
         return mt_error (
            b->err, MT_E_FEATURE,
            "adding to documents of layout \"%s\" is not supported: level \"%s\" keeps more than "
            "the leaves",
            b->x.l->name, n->name);
   }
   return true;
}

/* Widens the time range of the document that is being built by the range of the stored document. */
static bool old_range (MtBuilder *b, MtVal doc)
{
   const MtTimeRange *r = &b->root->n->range;
   MtVal lo, hi;
   if (!r->present)
      return true;
   MtType t = b->x.t->columns[b->x.t->time_column].type;
   if (mt_decode (b->doc_arena, &r->encoding, t, mt_path_get (doc, r->min), &lo) &&
       lo.type == MT_DATE &&
       mt_decode (b->doc_arena, &r->encoding, t, mt_path_get (doc, r->max), &hi) &&
       hi.type == MT_DATE)
      mt_cell_time (b->root, lo.i, hi.i);
   return true;
}

/* Checks that the stored document, found by its _id, also has the current key. If its key differs,
 * merging would move its records to another key: 23505. */
static bool same_key (MtBuilder *b, const MtStream *s, const MtExtra *extras, size_t count)
{
   int diff, keys = b->root->key_end;
   for (size_t i = 0; i < count; i += count > 1 ? count - 1 : 1)
      if (mt_keys_compare (extras[i].key, s->key, keys, &diff)) {
         MtBuf id = {0};
         mt_v_to_json (b->id, false, &id);
         mt_error (b->err, MT_E_UNIQUE,
                   "the document of a key in collection \"%s\" exists with another key",
                   b->to->part.collection);
         mt_error_detail (b->err, "Its _id is %.300s.", id.p);
         mt_buf_free (&id);
         return false;
      }
   return true;
}

/* Reads the stored document of the current key, if it must be merged, and adds its records to the
 * streams of new records. *old is the document, or MT_MISSING. */
static bool mix_existing (MtBuilder *b, MtVal *old)
{
   bson_t *doc = NULL;
   b->replacing = false;
   b->taking = takes (b);
   *old = mt_v_missing ();
   if (!b->to->lookup || b->taking)
      return true;
   if (!b->doc_arena)
      b->doc_arena = mt_arena_new ("merged document", NULL);
   mt_arena_reset (b->doc_arena);
   if (!mt_engine_find_id (b->x.e, b->doc_arena, b->to->part.collection, b->id, &doc, b->err))
      return false;
   if (!doc)
      return true;
   *old = mt_v_doc (doc);
   for (size_t i = 0; i < b->stream_count; i++) {
      MtExtra *extras;
      size_t count;
      if (!can_merge (b, b->streams[i].way->leaf) ||
          !mt_decode_way (b->doc_arena, &(MtMergeFrom) {b->x.t, b->x.l, *old, b->streams[i].key[0]},
                          b->streams[i].way, &extras, &count, b->err) ||
          !same_key (b, &b->streams[i], extras, count))
         return false;
      if (count)
         mt_stream_mix (&b->streams[i], extras, count);
   }
   b->replacing = true;
   b->old = doc;
   b->old_size = doc->len;
   return true;
}

/* Corrects the statistics after a stored document was replaced, so that they count only its growth.
 * The number of its cells (array or map elements) is assumed to have grown in proportion to its
 * bytes. */
static void count_growth (MtBuilder *b)
{
   double share = b->doc.n > b->old_size ? 1 - (double) b->old_size / (double) b->doc.n : 0;
   for (size_t i = 0; i < b->x.store->node_count; i++) {
      MtNodeW *nw = b->nodes[i];
      nw->stat_cells = nw->old_cells +
                       (nw == b->root ? 0 : (nw->stat_cells - nw->old_cells) * share);
      nw->stat_bytes = nw->old_bytes + (nw->stat_bytes - nw->old_bytes) * share;
   }
}

static bool make_doc (MtBuilder *b)
{
   MtNodeW *root = b->root;
   MtVal old;
   for (size_t i = 0; b->to->lookup && i < b->x.store->node_count; i++) {
      b->nodes[i]->old_cells = b->nodes[i]->stat_cells;
      b->nodes[i]->old_bytes = b->nodes[i]->stat_bytes;
   }
   for (size_t i = 0; i < b->stream_count; i++)
      b->streams[i].split = false;
   b->doc_bytes = 256;
   b->doc_cells = 0;
   b->outrun = b->is_late = false;
   if (!mt_cell_open (b, root) || !mt_make_id (b, b->streams[0].key + b->first_key) ||
       !mix_existing (b, &old))
      return false;
   if (old.type != MT_MISSING && !old_range (b, old))
      return false;
   if (!mt_cell_fill (b, root) || !write_doc (b))
      return false;
   if (b->replacing && !b->is_late)
      count_growth (b);
   return true;
}

static void mark_streams (MtBuilder *b)
{
   if (!b->marks)
      b->marks = MT_NEW_N (b->x.a, MtStreamMark, b->stream_count);
   for (size_t i = 0; i < b->stream_count; i++)
      mt_stream_mark (&b->streams[i], b->x.a, &b->marks[i]);
}

/* Restores the statistics from before the current document. `records` is the former number of
 * records. */
static void uncount (MtBuilder *b, double records)
{
   for (size_t i = 0; i < b->x.store->node_count; i++) {
      b->nodes[i]->stat_cells = b->nodes[i]->old_cells;
      b->nodes[i]->stat_bytes = b->nodes[i]->old_bytes;
   }
   b->records = records;
}

static void go_back (MtBuilder *b, double records)
{
   for (size_t i = 0; i < b->stream_count; i++)
      mt_stream_go_back (&b->streams[i], &b->marks[i]);
   uncount (b, records);
}

/* Skips all records of the current document, because an earlier pass has written it. False on an
 * error. */
static bool skip_doc (MtBuilder *b)
{
   for (size_t i = 0; i < b->stream_count; i++)
      do {
         if (!mt_stream_next (&b->streams[i], b->err))
            return false;
      } while (mt_in_cell (&b->streams[i], b->root->key_end));
   return true;
}

/* Adds the time between the first and the last record of a new document to the statistics. */
static void count_span (MtBuilder *b)
{
   const MtNodeW *root = b->root;
   if (root->n->range.present && root->any_time && !b->replacing)
      b->spans_ms += (double) (root->max_time - root->min_time);
}

/* Builds and sends the next document. If another writer changed the stored document meanwhile, it
 * is built again; this ends, because some writer succeeds each time. Streams from disk can't be
 * rewound, so they try only once. */
static bool make_next_doc (MtBuilder *b)
{
   enum { MOST_TRIES = 1000 };
   double records = b->records;
   if (!mt_late_makes (b))
      return skip_doc (b);
   if (b->first_key && !mt_builder_visit (b, b->streams[0].key[0].i, b->err))
      return false;
   b->again = b->guarded && b->to->lookup && !b->streams[0].merge;
   if (b->again)
      mark_streams (b);
   for (int tries = 0; tries < (b->again ? MOST_TRIES : 1); tries++) {
      if (tries)
         go_back (b, records);
      if (!mt_cancel_check (b->x.cancel, b->err) || !make_doc (b))
         return false;
      if (b->is_late)
         uncount (b, records);
      else if (!b->outrun)
         count_span (b);
      if (!b->outrun)
         return true;
   }
   mt_error_outrun (b->err);
   return mt_error_hint (
      b->err,
      "Others went on writing to documents of collection \"%s\" that the statement adds to. Run it "
      "again.",
      b->to->part.collection);
}

/* Sets the stream that feeds a leaf and the nesting levels above it. A level above several leaves
 * keeps the first leaf's stream. */
static void attach_stream (MtBuilder *b, MtStream *s)
{
   const MtWriteWay *w = s->way;
   for (const MtNode *n = w->leaf; n; n = n->parent) {
      MtNodeW *nw = b->nodes[n->id];
      if (!nw->stream)
         nw->stream = s;
   }
   MtNodeW *leaf = b->nodes[w->leaf->id];
   mt_kept_states_feed (b, leaf, w);
   leaf->acc_pay = MT_NEW_N (b->x.a, int, b->measure_count);
   for (size_t i = 0; i < b->measure_count; i++) {
      leaf->acc_pay[i] = -1;
      for (int p = 0; p < w->pay_count; p++)
         if (w->pay[p] == b->measures[i])
            leaf->acc_pay[i] = p;
   }
}

/* Corrects the statistics after increments were sent, so that they count only documents that did
 * not exist `before` (a number of documents). Of cells (array or map elements) and bytes the same
 * share is assumed to be new. */
static bool count_made (MtBuilder *b, uint64_t before)
{
   uint64_t made;
   if (b->sent == 0)
      return true;
   if (!mt_engine_incremented (b->x.e, &made, b->err))
      return false;
   double share = ((double) (made - before) + b->documents) / (b->sent + b->documents);
   b->documents += (double) (made - before);
   b->bytes *= share;
   for (size_t i = 0; i < b->x.store->node_count; i++) {
      b->nodes[i]->stat_cells *= share;
      b->nodes[i]->stat_bytes *= share;
   }
   return true;
}

/* If the engine's error states that a field or array element already has a value, replaces it by an
 * error in terms of the table: two records have the same key. Returns false. */
static bool say_taken (const MtBuilder *b)
{
   char place[sizeof b->err->detail];
   if (!b->increments || b->doubled || !mt_error_is (b->err, MT_E_UNIQUE))
      return false;
   memcpy (place, b->err->detail, sizeof place);
   mt_error (b->err, MT_E_UNIQUE, "layout \"%s\" cannot store two records with the same key",
             b->x.l->name);
   return mt_error_detail (b->err, "Another record is already stored at the same place. %s", place);
}

static bool make_docs (MtBuilder *b, uint64_t before)
{
   while (!b->streams[0].end)
      if (!make_next_doc (b))
         return false;
   return count_made (b, before);
}

bool mt_builder_run (MtBuilder *b, MtStream *streams, size_t count, MtError *err)
{
   b->err = err;
   b->streams = streams;
   b->stream_count = count;
   for (size_t i = 0; i < b->x.store->node_count; i++)
      b->nodes[i]->stream = NULL;
   for (size_t i = 0; i < count; i++)
      attach_stream (b, &streams[i]);
   uint64_t before = 0;
   if (b->increments && !mt_engine_incremented (b->x.e, &before, err))
      return false;
   return make_docs (b, before) || say_taken (b);
}

bool mt_builder_is_late (const MtBuilder *b) { return b->late != NULL; }

void mt_builder_stats (const MtBuilder *b, MtArena *a, MtStoreStats *out)
{
   size_t n = b->x.store->node_count;
   out->present = true;
   out->documents = b->documents;
   out->bytes = b->bytes;
   out->records = b->records;
   out->spans_ms = b->spans_ms;
   out->nodes = MT_NEW_N (a, MtNodeStats, n);
   for (size_t i = 0; i < n; i++)
      out->nodes[i] = (MtNodeStats) {.cells = b->nodes[i]->stat_cells,
                                     .bytes = b->nodes[i]->stat_bytes};
}
