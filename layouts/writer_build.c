/* The builder: pulls records in a way's order and makes documents bottom-up. A cell's children are made first, into a buffer
 * of their level; then the cell's own fields, with the sums that the children brought, and the buffer after them. */
#include "layouts/build_int.h"
#include "layouts/partition.h"
#include "layouts/patch.h"

#include <xxhash.h>

enum { DOC_BUDGET = 8 << 20 };

static const char *column_name (const MtBuilder *b, int c) { return b->x.t->columns[c].name; }

/* ---- making a builder ---- */

size_t mt_store_leaves (const MtStoreDesc *s, const MtNode **out)
{
   size_t n = 0;
   for (size_t i = 0; i < s->node_count; i++)
      if (!s->nodes[i]->sub_count) {
         if (out)
            out[n] = s->nodes[i];
         n++;
      }
   return n;
}

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
   nw->acc = MT_NEW_N (a, MtAcc, b->measure_count);
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
   for (size_t i = 0; i < nw->kid_count; i++)
      if (!compile_all (b, nw->kids[i]))
         return false;
   return true;
}

/* Different keys have different ids: not so when only some of the root's bindings lie in _id. */
static bool id_is_key (const MtStoreDesc *s)
{
   for (size_t i = 0; i < s->root->bind_count && !s->id_count; i++)
      if (strcmp (s->root->binds[i].at, "_id") && strncmp (s->root->binds[i].at, "_id.", 4))
         return false;
   return true;
}

/* What the documents that come now go to. */
static bool look_at_collection (MtBuilder *b, const char *collection, MtTarget *to, MtError *err)
{
   MtCollStats stats = {0};
   bool keyed = !b->rows && !b->x.store->repeats && !b->increments; /* a document of the same key may be there */
   if (keyed && !mt_engine_stats (b->x.e, collection, &stats, err))
      return false;
   to->part.collection = collection;
   to->lookup = keyed && stats.documents > 0;
   return true;
}

static bool new_target (MtBuilder *b, int64_t ms, MtTarget *to, MtError *err)
{
   MtPartition p = mt_partition_of (b->x.a, b->x.store, ms);
   bool made;
   to->part = p;
   return mt_store_make_collection (b->x.e, b->x.t, b->x.store, p.collection, &made, err) && look_at_collection (b, p.collection, to, err) &&
          (!made || !b->x.o->made || b->x.o->made (b->x.o->made_ctx, b->x.store, p.collection, err));
}

/* The partition of a time, made where it is missing. Those that were met are kept by time. */
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
      MtTarget **more = MT_NEW_N (b->x.a, MtTarget *, b->target_cap);
      if (b->target_count)
         memcpy (more, b->targets, b->target_count * sizeof *more);
      b->targets = more;
   }
   MtTarget *to = MT_NEW (b->x.a, MtTarget);
   if (!new_target (b, ms, to, err))
      return false;
   memmove (b->targets + lo + 1, b->targets + lo, (b->target_count++ - lo) * sizeof *b->targets);
   b->to = b->targets[lo] = to;
   return true;
}

static bool look_at_store (MtBuilder *b, MtError *err)
{
   const MtStoreDesc *s = b->x.store;
   bool keyed = s->id_count || mt_root_binds_id (s);
   const MtCaps *caps = mt_engine_caps (b->x.e);
   /* in process the documents are read where another key may have the same _id */
   b->increments = caps->increments && mt_store_increments (b->x.t, s) && (caps->increment_bytes == SIZE_MAX || id_is_key (s));
   b->increments = b->increments || (caps->fresh_fields && mt_store_sets_fresh (b->x.t, s));
   b->check_ids = keyed && (b->rows || !id_is_key (s));
   if (s->parts)
      return true;
   b->to = MT_NEW (b->x.a, MtTarget);
   return look_at_collection (b, s->collection, b->to, err);
}

bool mt_builder_new (const MtBuildArgs *args, MtBuilder **out, MtError *err)
{
   MtArena *a = args->a;
   MtBuilder *b = MT_NEW (a, MtBuilder);
   *b = (MtBuilder){.x = *args, .budget = DOC_BUDGET};
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
      free (nw->records.p);
      free (nw->out.p);
   }
   if (b->oids)
      bson_context_destroy (b->oids);
   mt_buf_free (&b->id_text);
   mt_buf_free (&b->scratch);
   free (b->doc.p);
   mt_arena_free (b->doc_arena);
   if (b->newest)
      mt_newest_free (b->newest);
}

/* ---- cells ---- */

static bool refuse_null (MtBuilder *b, const MtNodeW *nw, size_t i)
{
   int c = nw->n->binds[i].column;
   return mt_error (b->err, MT_E_NOT_NULL, "null value in column \"%s\" can't be kept by layout \"%s\"", column_name (b, c), b->x.l->name);
}

/* An encoded value of the open cell; text that won't last is copied. */
static bool bind_value (MtBuilder *b, MtNodeW *nw, size_t i, MtVal v, bool steady)
{
   const MtBinding *m = &nw->n->binds[i];
   MtType t = mt_binding_type (b->x.t, m);
   MtBuf *text = &nw->bound_text[i];
   mt_buf_clear (text);
   if (m->from != MT_FROM_FIELD && mt_is_nullish (v))
      return refuse_null (b, nw, i);
   if (m->from == MT_FROM_KEY || m->from == MT_FROM_INDEX) {
      if (m->from == MT_FROM_INDEX) {
         nw->bound[i] = v;
         return true;
      }
      if (!mt_encode_text (&m->encoding, t, v, text, b->err))
         return false;
      nw->bound[i] = mt_v_str (text->p ? text->p : "", text->n);
      return true;
   }
   if (m->kind == MT_BIND_TIME_PART && m->encoding.kind == MT_ENC_NATIVE && !m->encoding.as && v.type == MT_INT64 && v.i == (int32_t) v.i)
      v.type = MT_INT32;
   if (m->from == MT_FROM_ID && !m->at)
      return true; /* it is in the id alone */
   if (!mt_encode (&m->encoding, t, v, text, &nw->bound[i], b->err))
      return false;
   MtVal *e = &nw->bound[i];
   bool bytes = e->type == MT_STRING || e->type == MT_BINARY || e->type == MT_DOC || e->type == MT_ARRAY || e->type == MT_DECIMAL || e->type == MT_OID;
   if (bytes && !steady && !text->n) {
      mt_buf_add (text, e->p, e->type == MT_DECIMAL ? 16 : e->type == MT_OID ? 12 : e->len);
      e->p = (const uint8_t *) (text->p ? text->p : "");
   }
   return true;
}

static bool duplicate (MtBuilder *b, const MtNodeW *nw)
{
   mt_error (b->err, MT_E_UNIQUE, "duplicate key value violates the layout \"%s\"", b->x.l->name);
   MtBuf key = {0};
   for (const MtNode *n = nw->n; n; n = n->parent)
      for (size_t i = n->bind_count; i-- > 0;) {
         mt_buf_printf (&key, "%s%s ", key.n ? ", " : "", n->binds[i].kind == MT_BIND_COLUMN ? column_name (b, n->binds[i].column) : mt_unit_name (n->binds[i].unit));
         mt_v_to_json (b->nodes[n->id]->bound[i], false, &key);
      }
   mt_error_detail (b->err, "It keeps one record for each key; two have (%.300s).", key.p ? key.p : "");
   mt_buf_free (&key);
   return false;
}

static bool open_cell (MtBuilder *b, MtNodeW *nw)
{
   for (size_t i = 0; i < nw->n->bind_count; i++)
      if (!bind_value (b, nw, i, nw->stream->key[nw->key_start + (int) i], nw->stream->steady && !nw->stream->extra))
         return false;
   /* Two cells of a map that differ in other bindings only would have one key. */
   if (nw->n->kind == MT_NODE_MAP && nw->cells && nw->stream->diff > nw->key_start)
      return duplicate (b, nw);
   b->doc_cells += nw->n->parent != NULL;
   nw->count = 0;
   nw->any_time = false;
   for (size_t i = 0; i < b->measure_count; i++)
      mt_acc_clear (&nw->acc[i]);
   return true;
}

static void add_time (MtNodeW *nw, int64_t min, int64_t max)
{
   nw->min_time = !nw->any_time || min < nw->min_time ? min : nw->min_time;
   nw->max_time = !nw->any_time || max > nw->max_time ? max : nw->max_time;
   nw->any_time = true;
}

/* The current record joins a leaf. */
static void account (MtBuilder *b, MtNodeW *nw)
{
   const MtStream *s = nw->stream;
   int64_t n = s->extra ? s->extra->n : s->way->count_pay >= 0 ? s->pay[s->way->count_pay].i : 1;
   nw->count += n;
   b->records += !s->extra && s == b->streams ? (double) (n ? n : 1) : 0;
   for (size_t i = 0; i < b->measure_count; i++) {
      int p = nw->acc_pay[i];
      if (p < 0)
         continue;
      mt_acc_value (&nw->acc[i], s->pay[p], b->x.t->columns[b->measures[i]].type.id, b->measure_range[i]);
      if (s->extra && s->extra->nonnull && !mt_is_nullish (s->pay[p]))
         nw->acc[i].nonnull += s->extra->nonnull[p] - 1;
      else if (!s->extra && s->way->count_pay >= 0 && s->way->nonnull_pay[p] >= 0 && !mt_is_nullish (s->pay[p]))
         nw->acc[i].nonnull += s->pay[s->way->nonnull_pay[p]].i - 1;
   }
   if (s->way->time_key >= 0 || s->way->time_pay >= 0) {
      MtVal t = s->way->time_key >= 0 ? s->key[s->way->time_key] : s->pay[s->way->time_pay];
      if (t.type == MT_DATE)
         add_time (nw, t.i, t.i);
   }
}

static void fold (MtBuilder *b, MtNodeW *to, const MtNodeW *from)
{
   to->count += from->count;
   for (size_t i = 0; i < b->measure_count; i++)
      mt_acc_fold (&to->acc[i], &from->acc[i], b->x.t->columns[b->measures[i]].type.id);
   if (from->any_time)
      add_time (to, from->min_time, from->max_time);
}

static bool too_large (MtBuilder *b)
{
   mt_error (b->err, MT_E_LIMIT, "a document of layout \"%s\" would have more than %u bytes", b->x.l->name, MT_MAX_DOC_BYTES);
   MtBuf key = {0};
   for (size_t i = 0; i < b->root->n->bind_count; i++) {
      mt_buf_adds (&key, i ? ", " : "");
      mt_v_to_json (b->root->bound[i], false, &key);
   }
   if (key.n)
      mt_error_detail (b->err, "Its key is (%.200s).", key.p);
   mt_buf_free (&key);
   return false;
}

/* The next record; the document ends before it where it is full. */
static bool advance (MtBuilder *b, MtStream *s)
{
   if (!mt_stream_next (s, b->err))
      return false;
   if (!b->can_split)
      return b->doc_bytes > MT_MAX_DOC_BYTES ? too_large (b) : true;
   if (s->end)
      return true;
   bool at_level = b->root->kid_count == 0 || s->diff < b->root->kids[0]->key_end;
   if (b->doc_bytes + s->string_bytes > b->budget || (b->doc_cells >= b->flush_levels && at_level))
      s->split = true;
   return true;
}

/* The current record's values, encoded; text that won't last is copied when `copy`. */
static bool encode_raw (MtBuilder *b, MtNodeW *nw, bool copy)
{
   const MtRaw *r = &nw->n->raw;
   MtBuf *text = &nw->raw_text;
   mt_buf_clear (text);
   mt_buf_reserve (text, nw->stream->string_bytes + 64 * r->count + 64);
   for (size_t i = 0; i < r->count; i++) {
      MtVal *v = &nw->raw[i];
      size_t before = text->n;
      if (!mt_encode (&r->encodings[i], b->x.t->columns[r->columns[i]].type, nw->stream->pay[i], text, v, b->err))
         return false;
      bool bytes = v->type == MT_STRING || v->type == MT_BINARY || v->type == MT_DOC || v->type == MT_ARRAY || v->type == MT_DECIMAL || v->type == MT_OID;
      if (copy && bytes && text->n == before) {
         mt_buf_add (text, v->p, v->type == MT_DECIMAL ? 16 : v->type == MT_OID ? 12 : v->len);
         v->p = (const uint8_t *) text->p + before;
      }
   }
   return true;
}

static bool append_record (MtBuilder *b, MtNodeW *nw)
{
   MtWire *w = &nw->records;
   char key[12];
   uint8_t decimal[16];
   MtVal v;
   size_t before = w->n, n = mt_wire_index (nw->record_count++, key);
   if (!encode_raw (b, nw, false))
      return false;
   if (nw->record->is_whole) {
      if (!mt_field_value (b, &nw->record->whole, &v, decimal))
         return false;
      mt_wire_head (w, v.type, key, n);
      mt_wire_value (w, v);
   } else {
      mt_wire_head (w, MT_DOC, key, n);
      size_t at = mt_wire_begin (w);
      if (!mt_write_fields (b, w, nw->record->fields, nw->record->field_count))
         return false;
      mt_wire_end (w, at);
   }
   b->doc_bytes += w->n - before;
   return true;
}

/* Takes all the records of the leaf's cell. */
static bool fill_leaf (MtBuilder *b, MtNodeW *nw)
{
   MtStream *s = nw->stream;
   const MtRaw *r = &nw->n->raw;
   if (r->present && !r->many) {
      if (!encode_raw (b, nw, true))
         return false;
      account (b, nw);
      if (!advance (b, s))
         return false;
      return nw->n->kind != MT_NODE_LIST && nw->n->kind != MT_NODE_DOCUMENT && mt_in_cell (s, nw->key_end) ? duplicate (b, nw) : true;
   }
   nw->records.n = 0;
   nw->record_count = 0;
   do {
      if (r->present && !append_record (b, nw))
         return false;
      account (b, nw);
      if (!advance (b, s))
         return false;
   } while (mt_in_cell (s, nw->key_end));
   return true;
}

static bool make_cell (MtBuilder *b, MtNodeW *nw);

static bool fill_cell (MtBuilder *b, MtNodeW *nw)
{
   if (!nw->kid_count)
      return fill_leaf (b, nw);
   for (size_t i = 0; i < nw->kid_count; i++) {
      MtNodeW *kid = nw->kids[i];
      kid->out.n = 0;
      kid->cells = 0;
      kid->next_slot = 0;
      do {
         if (!make_cell (b, kid))
            return false;
         if (i == 0)
            fold (b, nw, kid);
         if (kid->n->kind == MT_NODE_SCALAR && mt_in_cell (kid->stream, kid->parent_key_end))
            return duplicate (b, kid);
      } while (mt_in_cell (kid->stream, kid->parent_key_end));
   }
   return true;
}

/* ---- writing a closed cell into its container ---- */

/* A container's element begins with its type, which is known after its value: so the type byte is patched. */
static bool put_value (MtBuilder *b, MtNodeW *nw, MtWire *w, size_t type_at)
{
   uint8_t decimal[16];
   MtVal v;
   if (!nw->is_whole) {
      w->p[type_at] = MT_DOC;
      size_t at = mt_wire_begin (w);
      if (!mt_write_fields (b, w, nw->fields, nw->field_count))
         return false;
      mt_wire_end (w, at);
      return true;
   }
   if (nw->whole.kind == MT_F_CHILD || nw->whole.kind == MT_F_RECORDS) {
      const MtNodeW *kid = nw->whole.kind == MT_F_CHILD ? nw->whole.owner->kids[nw->whole.index] : NULL;
      const MtWire *content = kid ? &kid->out : &nw->records;
      w->p[type_at] = kid && kid->n->kind == MT_NODE_MAP ? MT_DOC : MT_ARRAY;
      size_t at = mt_wire_begin (w);
      mt_wire_bytes (w, content->p, content->n);
      mt_wire_end (w, at);
      return true;
   }
   if (!mt_field_value (b, &nw->whole, &v, decimal))
      return false;
   if (nw->n->kind == MT_NODE_SLOTS && mt_is_nullish (v))
      return mt_error (b->err, MT_E_NOT_NULL, "null value can't be kept in a slot by layout \"%s\"", b->x.l->name);
   w->p[type_at] = v.type;
   mt_wire_value (w, v);
   return true;
}

static bool put_head (MtBuilder *b, MtNodeW *nw, MtWire *w, size_t *type_at)
{
   char key[12];
   size_t n;
   *type_at = w->n;
   switch (nw->n->kind) {
   case MT_NODE_LIST:
      n = mt_wire_index (nw->cells, key);
      mt_wire_head (w, 0, key, n);
      return true;
   case MT_NODE_SLOTS:
      if (nw->bound[0].i < nw->next_slot)
         return duplicate (b, nw);
      for (; nw->next_slot < nw->bound[0].i; nw->next_slot++) {
         n = mt_wire_index ((uint32_t) nw->next_slot, key);
         mt_wire_head (w, MT_NULL, key, n);
      }
      *type_at = w->n;
      n = mt_wire_index ((uint32_t) nw->next_slot++, key);
      mt_wire_head (w, 0, key, n);
      return true;
   case MT_NODE_MAP:
      mt_wire_byte (w, 0);
      mt_wire_bytes (w, nw->bound[0].p, nw->bound[0].len);
      mt_wire_byte (w, 0);
      return true;
   case MT_NODE_SCALAR:
      mt_wire_byte (w, 0);
      return true;
   case MT_NODE_DOCUMENT:
      return true;
   }
   return true;
}

static size_t children_bytes (const MtNodeW *nw)
{
   size_t n = 0;
   for (size_t i = 0; i < nw->kid_count; i++)
      n += nw->kids[i]->out.n;
   return n;
}

static bool close_cell (MtBuilder *b, MtNodeW *nw)
{
   nw->stat_cells++;
   if (nw->inlined)
      return true;
   MtWire *w = &nw->out;
   size_t before = w->n;
   size_t type_at;
   if (!put_head (b, nw, w, &type_at))
      return false;
   if (!put_value (b, nw, w, type_at))
      return false;
   nw->cells++;
   size_t own = w->n - before - children_bytes (nw);
   nw->stat_bytes += (double) own;
   b->doc_bytes += own - nw->records.n;
   return true;
}

static bool make_cell (MtBuilder *b, MtNodeW *nw)
{
   return open_cell (b, nw) && fill_cell (b, nw) && close_cell (b, nw);
}

/* ---- _id ---- */

static bool composed_id (MtBuilder *b, const MtVal *key)
{
   const MtStoreDesc *s = b->x.store;
   MtBuf part = {0};
   bool ok = true;
   mt_buf_clear (&b->id_text);
   for (size_t i = 0; ok && i < s->id_count; i++) {
      const MtIdPart *p = &s->id[i];
      if (p->literal) {
         mt_buf_adds (&b->id_text, p->literal);
         continue;
      }
      size_t k = 0;
      while (!mt_same_binding (&s->root->binds[k], &p->bind))
         k++;
      if (mt_is_nullish (key[k])) {
         ok = refuse_null (b, b->root, k);
         break;
      }
      if (s->id_count == 1) {
         ok = mt_encode (&p->bind.encoding, mt_binding_type (b->x.t, &p->bind), key[k], &b->id_text, &b->id, b->err);
         if (ok && b->id.type == MT_STRING && !b->id_text.n)
            mt_buf_add (&b->id_text, b->id.p, b->id.len);
         if (ok && b->id.type != MT_STRING)
            return true;
         break;
      }
      mt_buf_clear (&part);
      ok = mt_encode_text (&p->bind.encoding, mt_binding_type (b->x.t, &p->bind), key[k], &part, b->err);
      if (ok)
         mt_id_escape (&b->id_text, part.p, part.n, mt_id_stop (s, i));
   }
   mt_buf_free (&part);
   b->id = mt_v_str (b->id_text.p ? b->id_text.p : "", b->id_text.n);
   return ok;
}

/* An ObjectId made of the key, so that the key's document is found again. */
static void hashed_id (MtBuilder *b, const MtVal *key, size_t count)
{
   mt_buf_clear (&b->id_text);
   mt_buf_adds (&b->id_text, b->to->part.collection);
   for (size_t i = 0; i < count; i++) {
      bool fixed = key[i].type == MT_DOUBLE || key[i].type == MT_DATE || key[i].type == MT_INT32 || key[i].type == MT_INT64 || key[i].type == MT_BOOL;
      mt_buf_addc (&b->id_text, 0);
      mt_buf_addc (&b->id_text, (char) key[i].type);
      if (fixed)
         mt_buf_add (&b->id_text, &key[i].i, 8);
      else if (key[i].type != MT_NULL) {
         size_t n = key[i].type == MT_DECIMAL ? 16 : key[i].type == MT_OID ? 12 : key[i].len;
         mt_buf_add (&b->id_text, &n, sizeof n);
         mt_buf_add (&b->id_text, key[i].p, n);
      }
   }
   XXH128_hash_t h = XXH3_128bits (b->id_text.p, b->id_text.n);
   memcpy (b->oid, &h, 12);
   b->id = (MtVal){.type = MT_OID, .len = 12, .p = b->oid};
}

/* What the root's own bindings put at _id: written once, looked at as a value. */
static bool bound_id (MtBuilder *b, MtVal *out)
{
   uint8_t decimal[16];
   const MtField *f = &b->root->fields[0];
   if (f->kind == MT_F_BIND)
      return mt_field_value (b, f, out, decimal);
   b->doc.n = 0;
   size_t at = mt_wire_begin (&b->doc);
   if (!mt_write_fields (b, &b->doc, f->fields, f->field_count))
      return false;
   mt_wire_end (&b->doc, at);
   *out = (MtVal){.type = MT_DOC, .len = (uint32_t) b->doc.n, .p = b->doc.p};
   return true;
}

static bool make_id (MtBuilder *b, const MtVal *key)
{
   const MtStoreDesc *s = b->x.store;
   if (mt_root_binds_id (s))
      return bound_id (b, &b->id);
   if (s->id_count)
      return composed_id (b, key);
   if (!s->repeats && !b->rows) {
      hashed_id (b, key, s->root->bind_count);
      return true;
   }
   bson_oid_t oid;
   if (!b->oids)
      b->oids = bson_context_new (BSON_CONTEXT_NONE); /* its own: the shared one asks the system for the process with each id */
   bson_oid_init (&oid, b->oids);
   memcpy (b->oid, oid.bytes, 12);
   b->id = (MtVal){.type = MT_OID, .len = 12, .p = b->oid};
   return true;
}

static bool takes (const MtBuilder *b) { return b->x.o->takes && b->x.o->takes (b->x.o->takes_ctx, b->to->part.collection, b->id); }

/* ---- documents ---- */

static bool send_increments (MtBuilder *b, const bson_t *doc)
{
   bson_t amounts = BSON_INITIALIZER, first = BSON_INITIALIZER, fresh = BSON_INITIALIZER;
   MtVal id = mt_v_missing ();
   bool ok = mt_document_increments (b->x.store, mt_v_doc (doc), &id, &amounts, &first, &fresh, b->err) &&
             mt_engine_increment (b->x.e, b->to->part.collection, id, &(MtIncrement){&amounts, &first, &fresh}, b->err);
   bson_destroy (&amounts);
   bson_destroy (&first);
   bson_destroy (&fresh);
   b->sent++;
   b->bytes += (double) doc->len;
   return ok;
}

/* Whether a document of new records alone can be inserted as it is: it is large, and there is none. */
static bool is_new (MtBuilder *b, bool *fresh)
{
   bson_t *old;
   *fresh = false;
   if (b->doc.n <= mt_engine_caps (b->x.e)->increment_bytes)
      return true;
   MtArena *a = mt_arena_new ("found", NULL);
   bool ok = mt_engine_find_id (b->x.e, a, b->x.store->collection, b->id, &old, b->err);
   *fresh = ok && !old;
   mt_arena_free (a);
   return ok;
}

static bool store_doc (MtBuilder *b)
{
   bson_t doc;
   size_t size = b->doc.n;
   if (size > MT_MAX_DOC_BYTES)
      return too_large (b);
   if (b->newest) {
      mt_newest_add (b->newest, b->doc.p, size);
      return !mt_newest_full (b->newest) || mt_newest_send (b->newest, &b->x, b->err);
   }
   if (!bson_init_static (&doc, b->doc.p, size))
      return mt_error (b->err, MT_E_INTERNAL, "the writer made a damaged document");
   bool fresh = b->taking || !b->increments;
   if (!fresh && !is_new (b, &fresh))
      return false;
   if (!fresh)
      return send_increments (b, &doc);
   b->bytes += (double) size - (b->replacing ? (double) b->old_size : 0);
   b->documents += !b->replacing;
   if (b->replacing || b->taking)
      return mt_engine_replace (b->x.e, b->to->part.collection, &doc, b->err);
   return mt_engine_insert (b->x.e, b->to->part.collection, &doc, b->check_ids, b->err);
}

static bool write_doc (MtBuilder *b)
{
   MtWire *w = &b->doc;
   w->n = 0;
   size_t at = mt_wire_begin (w);
   if (!mt_write_fields (b, w, b->root->fields, b->root->field_count))
      return false;
   mt_wire_end (w, at);
   b->root->stat_cells++;
   b->root->stat_bytes += (double) (w->n - children_bytes (b->root));
   return store_doc (b);
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
      if (!bind_value (b, nw, i, v, true))
         return false;
   }
   mt_buf_clear (&nw->raw_text);
   mt_buf_reserve (&nw->raw_text, 64 * r->count + 64);
   for (size_t i = 0; i < r->count; i++) {
      MtVal v = row[r->columns[i]];
      if (v.type == MT_STRING)
         mt_buf_reserve (&nw->raw_text, 64 * (r->count - i) + v.len);
      if (!mt_encode (&r->encodings[i], t->columns[r->columns[i]].type, v, &nw->raw_text, &nw->raw[i], err))
         return false;
   }
   nw->count = 1;
   nw->any_time = t->time_column >= 0 && row[t->time_column].type == MT_DATE;
   nw->min_time = nw->max_time = nw->any_time ? row[t->time_column].i : 0;
   for (size_t i = 0; i < b->measure_count; i++) {
      mt_acc_clear (&nw->acc[i]);
      mt_acc_value (&nw->acc[i], row[b->measures[i]], t->columns[b->measures[i]].type.id, b->measure_range[i]);
   }
   b->records++;
   if (!make_id (b, key))
      return false;
   b->taking = !b->newest && takes (b);
   return write_doc (b);
}

bool mt_builder_row_id (MtBuilder *b, const MtVal *row, MtVal *id, MtError *err)
{
   b->err = err;
   for (size_t i = 0; i < b->root->n->bind_count; i++) {
      b->row_key[i] = mt_binding_value (b->x.t, &b->root->n->binds[i], row);
      if (!bind_value (b, b->root, i, b->row_key[i], true))
         return false;
   }
   bool ok = make_id (b, b->row_key);
   *id = b->id;
   return ok;
}

/* Of what was sent only documents that weren't there are new. */
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

/* ---- documents that exist ---- */

/* Sums can be added to stored ones only where the leaf keeps all that the levels above keep. */
static bool can_merge (MtBuilder *b, const MtNode *leaf)
{
   if (mt_store_records (b->x.store)) /* the leaves are made of the records again */
      return true;
   for (const MtNode *n = leaf->parent; n; n = n->parent) {
      bool ok = !n->agg.n || leaf->agg.n;
      for (size_t i = 0; i < n->agg.measure_count; i++) {
         const MtMeasureAgg *m = &n->agg.measures[i], *l = NULL;
         for (size_t j = 0; j < leaf->agg.measure_count; j++)
            l = leaf->agg.measures[j].column == m->column ? &leaf->agg.measures[j] : l;
         ok = ok && (!m->sum || (l && l->sum)) && (!m->nonnull || (l && l->nonnull)) && (!m->min || (l && l->min)) && (!m->max || (l && l->max));
      }
      if (!ok)
         return mt_error (b->err, MT_E_FEATURE, "adding to documents of layout \"%s\" is not supported: level \"%s\" keeps more than the leaves", b->x.l->name,
                          n->name);
   }
   return true;
}

static bool old_range (MtBuilder *b, MtVal doc)
{
   const MtTimeRange *r = &b->root->n->range;
   MtVal lo, hi;
   if (!r->present)
      return true;
   MtType t = b->x.t->columns[b->x.t->time_column].type;
   if (mt_decode (b->doc_arena, &r->encoding, t, mt_path_get (doc, r->min), &lo) && lo.type == MT_DATE &&
       mt_decode (b->doc_arena, &r->encoding, t, mt_path_get (doc, r->max), &hi) && hi.type == MT_DATE)
      add_time (b->root, lo.i, hi.i);
   return true;
}

/* The document's own key must be the one that it was found by: else its records would end up in another document. */
static bool same_key (MtBuilder *b, const MtStream *s, const MtExtra *extras, size_t count)
{
   int diff, keys = b->root->key_end;
   for (size_t i = 0; i < count; i += count > 1 ? count - 1 : 1)
      if (mt_keys_compare (extras[i].key, s->key, keys, &diff)) {
         MtBuf id = {0};
         mt_v_to_json (b->id, false, &id);
         mt_error (b->err, MT_E_UNIQUE, "the document of a key in collection \"%s\" exists with another key", b->to->part.collection);
         mt_error_detail (b->err, "Its _id is %.300s.", id.p);
         mt_buf_free (&id);
         return false;
      }
   return true;
}

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
          !mt_decode_way (b->doc_arena, b->x.t, b->x.l, b->streams[i].way, b->streams[i].key[0], *old, &extras, &count, b->err) ||
          !same_key (b, &b->streams[i], extras, count))
         return false;
      if (count)
         mt_stream_mix (&b->streams[i], extras, count);
   }
   b->replacing = true;
   b->old_size = doc->len;
   return true;
}

/* Of a replaced document only what it grew by is new; its cells are taken to have grown as its bytes did. */
static void count_growth (MtBuilder *b)
{
   double share = b->doc.n > b->old_size ? 1 - (double) b->old_size / (double) b->doc.n : 0;
   for (size_t i = 0; i < b->x.store->node_count; i++) {
      MtNodeW *nw = b->nodes[i];
      nw->stat_cells = nw->old_cells + (nw == b->root ? 0 : (nw->stat_cells - nw->old_cells) * share);
      nw->stat_bytes = nw->old_bytes + (nw->stat_bytes - nw->old_bytes) * share;
   }
}

static bool make_doc (MtBuilder *b)
{
   MtNodeW *root = b->root;
   MtVal old;
   if (b->first_key && !mt_builder_visit (b, b->streams[0].key[0].i, b->err))
      return false;
   for (size_t i = 0; b->to->lookup && i < b->x.store->node_count; i++) {
      b->nodes[i]->old_cells = b->nodes[i]->stat_cells;
      b->nodes[i]->old_bytes = b->nodes[i]->stat_bytes;
   }
   for (size_t i = 0; i < b->stream_count; i++)
      b->streams[i].split = false;
   b->doc_bytes = 256;
   b->doc_cells = 0;
   if (!open_cell (b, root) || !make_id (b, b->streams[0].key + b->first_key) || !mix_existing (b, &old))
      return false;
   if (old.type != MT_MISSING && !old_range (b, old))
      return false;
   if (!fill_cell (b, root) || !write_doc (b))
      return false;
   if (b->replacing)
      count_growth (b);
   return true;
}

/* Each leaf's stream is the one of its way; a node above several leaves looks at the first one's. */
static void attach_stream (MtBuilder *b, MtStream *s)
{
   const MtWay *w = s->way;
   for (const MtNode *n = w->leaf; n; n = n->parent) {
      MtNodeW *nw = b->nodes[n->id];
      if (!nw->stream)
         nw->stream = s;
   }
   MtNodeW *leaf = b->nodes[w->leaf->id];
   leaf->acc_pay = MT_NEW_N (b->x.a, int, b->measure_count);
   for (size_t i = 0; i < b->measure_count; i++) {
      leaf->acc_pay[i] = -1;
      for (int p = 0; p < w->pay_count; p++)
         if (w->pay[p] == b->measures[i])
            leaf->acc_pay[i] = p;
   }
}

/* Of what was sent as increments only documents that weren't there are new; their cells are taken to be their share of all. */
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

/* What a place is already taken by, in the layout's words. */
static bool say_taken (const MtBuilder *b)
{
   char place[sizeof b->err->detail];
   if (!b->increments || strcmp (b->err->sqlstate, MT_E_UNIQUE))
      return false;
   memcpy (place, b->err->detail, sizeof place);
   mt_error (b->err, MT_E_UNIQUE, "duplicate key value violates the layout \"%s\"", b->x.l->name);
   return mt_error_detail (b->err, "It keeps one record for each key, and the place of one is taken. %s", place);
}

static bool make_docs (MtBuilder *b, uint64_t before)
{
   while (!b->streams[0].end)
      if (!mt_cancel_check (b->x.cancel, b->err) || !make_doc (b))
         return false;
   return count_made (b, before);
}

bool mt_builder_run (MtBuilder *b, MtStream *streams, size_t count, MtError *err)
{
   b->err = err;
   b->streams = streams;
   b->stream_count = count;
   for (size_t i = 0; i < count; i++)
      attach_stream (b, &streams[i]);
   uint64_t before = 0;
   if (b->increments && !mt_engine_incremented (b->x.e, &before, err))
      return false;
   return make_docs (b, before) || say_taken (b);
}

void mt_builder_stats (const MtBuilder *b, MtArena *a, MtStoreStats *out)
{
   size_t n = b->x.store->node_count;
   out->present = true;
   out->documents = b->documents;
   out->bytes = b->bytes;
   out->records = b->records;
   out->nodes = MT_NEW_N (a, MtNodeStats, n);
   for (size_t i = 0; i < n; i++)
      out->nodes[i] = (MtNodeStats){.cells = b->nodes[i]->stat_cells, .bytes = b->nodes[i]->stat_bytes};
}
