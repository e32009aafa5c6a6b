/* Builds cells (elements of levels) bottom-up from sorted records. First the cells of the nested
 * level are written to a buffer. Then the fields of the cell itself are written, with sums over the
 * nested cells, and the buffer is appended to them. */
#include "layouts/pack/build_int.h"
#include "base/memory.h"

static const char *column_name (const MtBuilder *b, int c) { return b->x.t->columns[c].name; }

bool mt_refuse_null (MtBuilder *b, const MtNodeW *nw, size_t i)
{
   int c = nw->n->binds[i].column;
   return mt_error (b->err, MT_E_NOT_NULL,
                    "null value in column \"%s\" can't be kept by layout \"%s\"",
                    column_name (b, c), b->x.l->name);
}

bool mt_cell_bind (MtBuilder *b, MtNodeW *nw, size_t i, MtVal v, bool steady)
{
   const MtBinding *m = &nw->n->binds[i];
   MtType t = mt_binding_type (b->x.t, m);
   MtBuf *text = &nw->bound_text[i];
   mt_buf_clear (text);
   if (m->from != MT_FROM_FIELD && mt_is_nullish (v))
      return mt_refuse_null (b, nw, i);
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
   if (m->kind == MT_BIND_TIME_PART && m->encoding.kind == MT_ENC_NATIVE && !m->encoding.as &&
       v.type == MT_INT64 && v.i == (int32_t) v.i)
      v.type = MT_INT32;
   if (m->from == MT_FROM_ID && !m->at)
      return true; /* only the _id contains the value */
   if (!mt_encode (&m->encoding, t, v, text, &nw->bound[i], b->err))
      return false;
   MtVal *e = &nw->bound[i];
   if (mt_v_has_bytes (e->type) && !steady && !text->n) {
      mt_buf_add (text, e->p, mt_v_size (*e));
      e->p = (const uint8_t *) (text->p ? text->p : "");
   }
   return true;
}

/* Sets error 23505, because the layout would store two records at the same position, and returns
 * false. */
static bool duplicate (MtBuilder *b, const MtNodeW *nw)
{
   b->doubled = true;
   mt_error (b->err, MT_E_UNIQUE, "layout \"%s\" cannot store two records with the same key",
             b->x.l->name);
   MtBuf key = {0};
   for (const MtNode *n = nw->n; n; n = n->parent)
      for (size_t i = n->bind_count; i-- > 0;) {
         mt_buf_printf (&key, "%s%s ", key.n ? ", " : "",
                        n->binds[i].kind == MT_BIND_COLUMN ? column_name (b, n->binds[i].column)
                                                           : mt_unit_name (n->binds[i].unit));
         mt_v_to_json (b->nodes[n->id]->bound[i], false, &key);
      }
   mt_error_detail (b->err, "Two records have the key (%.300s).", key.p ? key.p : "");
   mt_buf_free (&key);
   return false;
}

bool mt_cell_open (MtBuilder *b, MtNodeW *nw)
{
   for (size_t i = 0; i < nw->n->bind_count; i++)
      if (!mt_cell_bind (b, nw, i, nw->stream->key[nw->key_start + (int) i],
                         nw->stream->steady && !nw->stream->extra))
         return false;
   /* The previous cell of the map has the same field name; only its other keys are different. */
   if (nw->n->kind == MT_NODE_MAP && nw->cells && nw->stream->diff > nw->key_start)
      return duplicate (b, nw);
   b->doc_cells += nw->n->parent != NULL;
   nw->count = 0;
   nw->any_time = false;
   for (size_t i = 0; i < b->measure_count; i++)
      mt_sums_clear (&nw->acc[i]);
   mt_kept_states_open (b, nw);
   return true;
}

void mt_cell_time (MtNodeW *nw, int64_t min, int64_t max)
{
   nw->min_time = !nw->any_time || min < nw->min_time ? min : nw->min_time;
   nw->max_time = !nw->any_time || max > nw->max_time ? max : nw->max_time;
   nw->any_time = true;
}

/* Returns how many records the stream's current item counts as: 1, or more if it is a stored
 * sum. */
static int64_t records_of (const MtStream *s)
{
   if (s->extra)
      return s->extra->n;
   return s->way->count_pay >= 0 ? s->pay[s->way->count_pay].i : 1;
}

/* Adds the minimum and maximum that a stored cell (array or map element) has of measure number
 * `measure` to those of the current cell. */
static void add_stored_extremes (MtBuilder *b, const MtNodeW *nw, size_t measure, MtVal cell)
{
   for (size_t i = 0; i < nw->n->agg.measure_count; i++) {
      const MtMeasureAgg *m = &nw->n->agg.measures[i];
      MtTypeId type = b->x.t->columns[m->column].type.id;
      const char *paths[] = {m->min, m->max};
      for (int k = 0; k < 2 && m->column == b->measures[measure]; k++) {
         MtSums one;
         mt_sums_clear (&one);
         mt_sums_value (&one, paths[k] ? mt_path_get (cell, paths[k]) : mt_v_null (), type, true);
         mt_sums_extremes (&nw->acc[measure], &one);
      }
   }
}

/* Adds the stream's current record to the counts and sums of the current cell (array or map
 * element) of leaf nw. */
static void account (MtBuilder *b, MtNodeW *nw)
{
   const MtStream *s = nw->stream;
   int64_t n = records_of (s);
   nw->count += n;
   if (!s->extra && s == b->streams)
      b->records += (double) (n ? n : 1);
   for (size_t i = 0; i < b->measure_count; i++) {
      int p = nw->acc_pay[i];
      if (p < 0)
         continue;
      bool stored = s->extra && s->extra->nonnull;
      mt_sums_value (&nw->acc[i], s->pay[p], b->x.t->columns[b->measures[i]].type.id,
                     b->measure_range[i] && !stored);
      if (stored && b->measure_range[i])
         add_stored_extremes (b, nw, i, s->extra->cell);
      if (s->extra && s->extra->nonnull && !mt_is_nullish (s->pay[p]))
         nw->acc[i].nonnull += s->extra->nonnull[p] - 1;
      else if (!s->extra && s->way->count_pay >= 0 && s->way->nonnull_pay[p] >= 0 &&
               !mt_is_nullish (s->pay[p]))
         nw->acc[i].nonnull += s->pay[s->way->nonnull_pay[p]].i - 1;
   }
   if (s->way->time_key >= 0 || s->way->time_pay >= 0) {
      MtVal t = s->way->time_key >= 0 ? s->key[s->way->time_key] : s->pay[s->way->time_pay];
      if (t.type == MT_DATE)
         mt_cell_time (nw, t.i, t.i);
   }
}

static bool fold (MtBuilder *b, MtNodeW *to, const MtNodeW *from)
{
   to->count += from->count;
   for (size_t i = 0; i < b->measure_count; i++)
      mt_sums_fold (&to->acc[i], &from->acc[i], b->x.t->columns[b->measures[i]].type.id);
   if (from->any_time)
      mt_cell_time (to, from->min_time, from->max_time);
   return mt_kept_states_fold (b, from);
}

bool mt_doc_too_large (MtBuilder *b)
{
   if (!mt_memory_check (b->err))
      return false;
   mt_error (b->err, MT_E_LIMIT, "a document of layout \"%s\" would have more than %u bytes",
             b->x.l->name, MT_MAX_DOC_BYTES);
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

/* Moves the stream to the next record. If the document has reached its size limit, sets s->split,
 * so that the next record begins another document. False if the document is too large and can't be
 * split. */
static bool advance (MtBuilder *b, MtStream *s)
{
   if (!mt_stream_next (s, b->err))
      return false;
   if (!b->can_split)
      return b->doc_bytes > MT_MAX_DOC_BYTES ? mt_doc_too_large (b) : true;
   if (s->end)
      return true;
   bool at_level = b->root->kid_count == 0 || s->diff < b->root->kids[0]->key_end;
   if (b->doc_bytes + s->string_bytes > b->budget || (b->doc_cells >= b->flush_levels && at_level))
      s->split = true;
   return true;
}

/* Encodes the current record's columns into nw->raw. copy: copies bytes that would otherwise be
 * valid only until the next record. */
static bool encode_raw (MtBuilder *b, MtNodeW *nw, bool copy)
{
   const MtRaw *r = &nw->n->raw;
   MtBuf *text = &nw->raw_text;
   mt_buf_clear (text);
   if (!mt_buf_reserve (text, nw->stream->string_bytes + 64 * r->count + 64))
      return mt_memory_check (b->err);
   for (size_t i = 0; i < r->count; i++) {
      MtVal *v = &nw->raw[i];
      size_t before = text->n;
      if (!mt_encode (&r->encodings[i], b->x.t->columns[r->columns[i]].type, nw->stream->pay[i],
                      text, v, b->err))
         return false;
      if (copy && mt_v_has_bytes (v->type) && text->n == before) {
         mt_buf_add (text, v->p, mt_v_size (*v));
         v->p = (const uint8_t *) text->p + before;
      }
   }
   return true;
}

static bool append_record (MtBuilder *b, MtNodeW *nw)
{
   MtBson *w = &nw->records;
   char key[12];
   uint8_t decimal[16];
   MtVal v;
   size_t before = w->n, n = mt_bson_index (nw->record_count++, key);
   if (!encode_raw (b, nw, false))
      return false;
   if (nw->record->is_whole) {
      if (!mt_field_value (b, &nw->record->whole, &v, decimal))
         return false;
      mt_bson_head (w, v.type, key, n);
      mt_bson_tail (w, v);
   } else {
      mt_bson_head (w, MT_DOC, key, n);
      size_t at = mt_bson_begin (w);
      if (!mt_write_fields (b, w, nw->record->fields, nw->record->field_count))
         return false;
      mt_bson_end (w, at);
   }
   b->doc_bytes += w->n - before;
   return w->failed ? mt_doc_too_large (b) : true;
}

/* Reads all records of the current cell (array or map element) of leaf nw, and adds them to the
 * cell. */
static bool fill_leaf (MtBuilder *b, MtNodeW *nw)
{
   MtStream *s = nw->stream;
   const MtRaw *r = &nw->n->raw;
   if (r->present && !r->many) {
      if (!encode_raw (b, nw, true))
         return false;
      account (b, nw);
      if (!mt_kept_states_add (b, nw) || !advance (b, s))
         return false;
      return !mt_is_listed (nw->n) && nw->n->kind != MT_NODE_DOCUMENT && mt_in_cell (s, nw->key_end)
                ? duplicate (b, nw)
                : true;
   }
   nw->records.n = 0;
   nw->record_count = 0;
   do {
      if (r->present && !append_record (b, nw))
         return false;
      account (b, nw);
      if (!mt_kept_states_add (b, nw) || !advance (b, s))
         return false;
   } while (mt_in_cell (s, nw->key_end));
   return true;
}

static bool make_cell (MtBuilder *b, MtNodeW *nw);

static void empty (MtNodeW *nw)
{
   nw->out.n = 0;
   for (size_t i = 0; nw->arrays && i < nw->n->field_count; i++)
      nw->arrays[i].n = 0;
}

bool mt_cell_fill (MtBuilder *b, MtNodeW *nw)
{
   if (!nw->kid_count)
      return fill_leaf (b, nw);
   for (size_t i = 0; i < nw->kid_count; i++) {
      MtNodeW *kid = nw->kids[i];
      empty (kid);
      kid->cells = 0;
      kid->next_slot = 0;
      do {
         if (!make_cell (b, kid))
            return false;
         if (i == 0 && !fold (b, nw, kid))
            return false;
         if (kid->n->kind == MT_NODE_SCALAR && mt_in_cell (kid->stream, kid->parent_key_end))
            return duplicate (b, kid);
      } while (mt_in_cell (kid->stream, kid->parent_key_end));
   }
   return true;
}

/* ---- writing a finished cell into its array or map ---- */

/* Writes the value of a finished cell (array or map element) to w. In BSON a value's type
 * precedes its key, but is known only now; it is written at offset type_at, where put_head has
 * left a place. */
static bool put_value (MtBuilder *b, MtNodeW *nw, MtBson *w, size_t type_at)
{
   uint8_t decimal[16];
   MtVal v;
   if (w->failed)
      return mt_doc_too_large (b);
   if (!nw->is_whole) {
      /* A tuple's fields have the names "0", "1", …, like an array's elements. */
      w->p[type_at] = nw->n->kind == MT_NODE_PAIRS ? MT_ARRAY : MT_DOC;
      size_t at = mt_bson_begin (w);
      if (!mt_write_fields (b, w, nw->fields, nw->field_count))
         return false;
      mt_bson_end (w, at);
      return true;
   }
   if (nw->whole.kind == MT_F_CHILD || nw->whole.kind == MT_F_RECORDS) {
      const MtNodeW *kid = nw->whole.kind == MT_F_CHILD ? nw->whole.owner->kids[nw->whole.index]
                                                        : NULL;
      const MtBson *content = kid ? &kid->out : &nw->records;
      w->p[type_at] = kid && kid->n->kind == MT_NODE_MAP ? MT_DOC : MT_ARRAY;
      size_t at = mt_bson_begin (w);
      mt_bson_bytes (w, content->p, content->n);
      mt_bson_end (w, at);
      return true;
   }
   if (!mt_field_value (b, &nw->whole, &v, decimal))
      return false;
   if (nw->n->kind == MT_NODE_SLOTS && mt_is_nullish (v))
      return mt_error (b->err, MT_E_NOT_NULL,
                       "layout \"%s\" cannot store a null value in an element of its array",
                       b->x.l->name);
   w->p[type_at] = v.type;
   mt_bson_tail (w, v);
   return true;
}

/* Writes the head of a cell's field: a type of 0, whose offset is stored in *type_at for put_value,
 * and the key. For an array with slots, writes null for each skipped slot. */
static bool put_head (MtBuilder *b, MtNodeW *nw, MtBson *w, size_t *type_at)
{
   char key[12];
   size_t n;
   *type_at = w->n;
   switch (nw->n->kind) {
   case MT_NODE_LIST:
   case MT_NODE_PAIRS:
      n = mt_bson_index (nw->cells, key);
      mt_bson_head (w, 0, key, n);
      return true;
   case MT_NODE_SLOTS:
      if (nw->bound[0].i < nw->next_slot)
         return duplicate (b, nw);
      for (; nw->next_slot < nw->bound[0].i; nw->next_slot++) {
         n = mt_bson_index ((uint32_t) nw->next_slot, key);
         mt_bson_head (w, MT_NULL, key, n);
      }
      *type_at = w->n;
      n = mt_bson_index ((uint32_t) nw->next_slot++, key);
      mt_bson_head (w, 0, key, n);
      return true;
   case MT_NODE_MAP:
      mt_bson_byte (w, 0);
      mt_bson_bytes (w, nw->bound[0].p, nw->bound[0].len);
      mt_bson_byte (w, 0);
      return true;
   case MT_NODE_SCALAR: mt_bson_byte (w, 0); return true;
   case MT_NODE_DOCUMENT:
   case MT_NODE_ARRAYS: return true;
   }
   return true;
}

/* Appends each value of a cell to its parallel array. */
static bool put_in_arrays (MtBuilder *b, MtNodeW *nw)
{
   uint8_t decimal[16];
   char key[12];
   size_t n = mt_bson_index (nw->cells, key);
   MtVal v;
   for (size_t i = 0; i < nw->field_count; i++) {
      if (!mt_field_value (b, &nw->fields[i], &v, decimal))
         return false;
      mt_bson_head (&nw->arrays[i], v.type, key, n);
      mt_bson_tail (&nw->arrays[i], v);
      if (nw->arrays[i].failed)
         return mt_doc_too_large (b);
   }
   return true;
}

static bool close_cell (MtBuilder *b, MtNodeW *nw)
{
   nw->stat_cells++;
   if (nw->inlined)
      return true;
   MtBson *w = &nw->out;
   size_t before = mt_container_bytes (nw);
   size_t type_at;
   bool ok = nw->arrays ? put_in_arrays (b, nw)
                        : put_head (b, nw, w, &type_at) && put_value (b, nw, w, type_at);
   if (!ok)
      return false;
   if (w->failed)
      return mt_doc_too_large (b);
   nw->cells++;
   size_t own = mt_container_bytes (nw) - before - mt_children_bytes (nw);
   nw->stat_bytes += (double) own;
   b->doc_bytes += own - nw->records.n;
   return true;
}

static bool make_cell (MtBuilder *b, MtNodeW *nw)
{
   return mt_cell_open (b, nw) && mt_cell_fill (b, nw) && close_cell (b, nw);
}
