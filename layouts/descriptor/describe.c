/* Writes an MtLayout as a descriptor (BSON). mt_layout_parse reads the descriptor back to an equal
 * layout. */
#include "base/bson.h"
#include "engine/engine.h"
#include "layouts/cell_state.h"
#include "layouts/descriptor/descriptor_int.h"

#include <string.h>

/* A descriptor while it is written, and the table that has the names of its columns. */
typedef struct Describe {
   const MtTable *t;
   MtBson b;
} Describe;

static void put_text (Describe *d, const char *key, const char *text)
{
   mt_bson_put (&d->b, key, mt_v_cstr (text));
}

static void put_text_at (Describe *d, size_t i, const char *text)
{
   mt_bson_put_at (&d->b, (uint32_t) i, mt_v_cstr (text));
}

static void put_int (Describe *d, const char *key, int64_t v)
{
   mt_bson_put (&d->b, key, mt_v_int64 (v));
}

/* Appends the field `key` to the descriptor if v is true; a missing flag is false. */
static void put_flag (Describe *d, const char *key, bool v)
{
   if (v)
      mt_bson_put (&d->b, key, mt_v_bool (true));
}

/* Appends field `key` to the descriptor: the path of a stored count, sum, minimum or maximum. If
 * `path` is NULL, the nesting level does not store it, and nothing is appended. */
static void put_path (Describe *d, const char *key, const char *path)
{
   if (path)
      put_text (d, key, path);
}

static bool is_plain (const MtEncoding *e) { return e->kind == MT_ENC_NATIVE && !e->as; }

static void put_encoding (Describe *d, const MtEncoding *e)
{
   if (is_plain (e))
      return;
   if (!e->as && !e->pad && e->kind != MT_ENC_FORMAT) {
      put_text (d, "encoding", mt_encoding_words[e->kind]);
      return;
   }
   size_t at = mt_bson_doc (&d->b, "encoding");
   if (e->kind == MT_ENC_FORMAT)
      put_text (d, "format", e->format);
   else
      put_text (d, "kind", mt_encoding_words[e->kind]);
   if (e->as)
      put_text (d, "as", mt_number_word (e->as));
   if (e->pad)
      put_int (d, "pad", e->pad);
   mt_bson_end (&d->b, at);
}

static void put_binding (Describe *d, size_t i, const MtBinding *m, bool id)
{
   size_t at = mt_bson_doc_at (&d->b, (uint32_t) i);
   if (m->kind == MT_BIND_COLUMN)
      put_text (d, "column", d->t->columns[m->column].name);
   else
      put_text (d, m->kind == MT_BIND_TIME_TRUNC ? "trunc" : "part", mt_unit_name (m->unit));
   if (m->kind == MT_BIND_TIME_PART) {
      put_text (d, "of", mt_unit_name (m->of));
      if (m->base)
         put_int (d, "base", m->base);
   }
   if (m->from == MT_FROM_ID)
      put_text (d, "from", "id");
   if (!id)
      put_path (d, "at", m->at);
   if (m->from != MT_FROM_ID || m->at)
      put_encoding (d, &m->encoding);
   mt_bson_end (&d->b, at);
}

static void put_measure (Describe *d, const MtMeasureAgg *m)
{
   size_t at = mt_bson_doc (&d->b, d->t->columns[m->column].name);
   put_path (d, "sum", m->sum);
   put_path (d, "min", m->min);
   put_path (d, "max", m->max);
   put_path (d, "nonnull", m->nonnull);
   put_text (d, "as", mt_number_word (m->as));
   mt_bson_end (&d->b, at);
}

static void put_states (Describe *d, const MtPreagg *agg)
{
   MtArena *a = mt_arena_new ("states", NULL);
   size_t array = mt_bson_array (&d->b, "states");
   for (size_t i = 0; i < agg->state_count; i++) {
      size_t at = mt_bson_doc_at (&d->b, (uint32_t) i);
      put_text (d, "keep", mt_cell_state_text (a, d->t, &agg->states[i]));
      put_text (d, "at", agg->states[i].at);
      mt_bson_end (&d->b, at);
   }
   mt_bson_end (&d->b, array);
   mt_arena_free (a);
}

static void put_agg (Describe *d, const MtPreagg *agg)
{
   size_t outer = mt_bson_doc (&d->b, "agg"), at;
   if (agg->n) {
      at = mt_bson_doc (&d->b, "n");
      put_text (d, "at", agg->n);
      put_text (d, "as", mt_number_word (agg->n_as));
      mt_bson_end (&d->b, at);
   }
   if (agg->measure_count) {
      at = mt_bson_doc (&d->b, "measures");
      for (size_t i = 0; i < agg->measure_count; i++)
         put_measure (d, &agg->measures[i]);
      mt_bson_end (&d->b, at);
   }
   if (agg->state_count)
      put_states (d, agg);
   if (agg->zero_is_absent)
      put_text (d, "zero", "absent");
   mt_bson_end (&d->b, outer);
}

static void put_raw (Describe *d, const MtRaw *raw)
{
   size_t outer = mt_bson_doc (&d->b, "raw");
   if (*raw->at)
      put_text (d, "at", raw->at);
   put_flag (d, "many", raw->many);
   size_t columns = mt_bson_doc (&d->b, "columns");
   for (size_t i = 0; i < raw->count; i++) {
      const char *name = d->t->columns[raw->columns[i]].name;
      if (is_plain (&raw->encodings[i])) {
         put_text (d, name, raw->paths[i]);
         continue;
      }
      size_t at = mt_bson_doc (&d->b, name);
      put_text (d, "at", raw->paths[i]);
      put_encoding (d, &raw->encodings[i]);
      mt_bson_end (&d->b, at);
   }
   mt_bson_end (&d->b, columns);
   mt_bson_end (&d->b, outer);
}

static void put_range (Describe *d, const MtTimeRange *r)
{
   size_t at = mt_bson_doc (&d->b, "range");
   put_text (d, "min", r->min);
   put_text (d, "max", r->max);
   put_flag (d, "exact", r->exact);
   put_encoding (d, &r->encoding);
   mt_bson_end (&d->b, at);
}

/* Appends the levels below n, and ends the document of n, which begins at offset `at` of the
 * buffer. */
static void put_node (Describe *d, size_t at, const MtNode *n);

static void put_children (Describe *d, const MtNode *n)
{
   if (n->sub_count == 1)
      put_node (d, mt_bson_doc (&d->b, "sub"), n->subs[0]);
   if (n->sub_count <= 1)
      return;
   size_t alt = mt_bson_array (&d->b, "alt");
   for (size_t i = 0; i < n->sub_count; i++)
      put_node (d, mt_bson_doc_at (&d->b, (uint32_t) i), n->subs[i]);
   mt_bson_end (&d->b, alt);
}

static void put_node (Describe *d, size_t at, const MtNode *n)
{
   put_text (d, "is", mt_node_kind_words[n->kind]);
   if (*n->at)
      put_text (d, "at", n->at);
   if (n->bind_count) {
      size_t binds = mt_bson_array (&d->b, "bind");
      for (size_t i = 0; i < n->bind_count; i++)
         put_binding (d, i, &n->binds[i], false);
      mt_bson_end (&d->b, binds);
   }
   if (n->range.present)
      put_range (d, &n->range);
   if (n->agg.present)
      put_agg (d, &n->agg);
   if (n->raw.present)
      put_raw (d, &n->raw);
   if (n->order_count) {
      size_t order = mt_bson_array (&d->b, "order");
      for (size_t i = 0; i < n->order_count; i++)
         put_text_at (d, i, n->order[i]);
      mt_bson_end (&d->b, order);
   }
   put_children (d, n);
   mt_bson_end (&d->b, at);
}

static void put_timeseries (Describe *d, const MtTimeseries *t)
{
   size_t at = mt_bson_doc (&d->b, "timeseries");
   put_text (d, "timeField", t->time);
   put_path (d, "metaField", t->meta);
   put_path (d, "granularity", t->granularity);
   if (t->expire_after_s >= 0)
      put_int (d, "expireAfterSeconds", t->expire_after_s);
   mt_bson_end (&d->b, at);
}

static void put_shard (Describe *d, const MtStoreDesc *s)
{
   size_t shard = mt_bson_array (&d->b, "shard");
   for (size_t i = 0; i < s->shard_count; i++) {
      size_t at = mt_bson_doc_at (&d->b, (uint32_t) i);
      put_text (d, "at", s->shard[i].at);
      put_flag (d, "hashed", s->shard[i].hashed);
      mt_bson_end (&d->b, at);
   }
   mt_bson_end (&d->b, shard);
}

static void put_id (Describe *d, const MtStoreDesc *s)
{
   size_t id = mt_bson_array (&d->b, "id");
   for (size_t i = 0; i < s->id_count; i++)
      if (s->id[i].literal)
         put_text_at (d, i, s->id[i].literal);
      else
         put_binding (d, i, &s->id[i].bind, true);
   mt_bson_end (&d->b, id);
}

static void put_store (Describe *d, size_t i, const MtStoreDesc *s)
{
   static const char *const writes[] = {"insert", "push", "pack", "inc", "newer"};
   size_t at = mt_bson_doc_at (&d->b, (uint32_t) i);
   put_text (d, "collection", s->collection);
   if (s->parts)
      put_text (d, "partition", mt_unit_name (s->parts->unit));
   if (s->id_count)
      put_id (d, s);
   if (s->escape != MT_ESCAPE_USUAL && s->id_count > 1)
      put_text (d, "escape", s->escape == MT_ESCAPE_NONE ? "none" : "percent");
   put_text (d, "write", writes[s->write]);
   put_flag (d, "repeats", s->repeats);
   if (s->flush_levels)
      put_int (d, "flush_levels", s->flush_levels);
   if (s->timeseries)
      put_timeseries (d, s->timeseries);
   if (s->preallocate)
      put_int (d, "preallocate", s->preallocate);
   if (s->shard_count)
      put_shard (d, s);
   put_node (d, mt_bson_doc (&d->b, "root"), s->root);
   mt_bson_end (&d->b, at);
}

static void put_columns (Describe *d, const char *key, const int *columns, size_t count)
{
   if (!count)
      return;
   size_t at = mt_bson_array (&d->b, key);
   for (size_t i = 0; i < count; i++)
      put_text_at (d, i, d->t->columns[columns[i]].name);
   mt_bson_end (&d->b, at);
}

bool mt_layout_to_bson (const MtTable *t, const MtLayout *l, bson_t *out, MtError *err)
{
   static const char *const presums[] = {"trust", "verify", "ignore"};
   Describe d = {.t = t};
   mt_bson_start (&d.b);
   put_text (&d, "keeps", mt_keeps_words[l->keeps]);
   put_columns (&d, "key", l->key, l->key_count);
   put_columns (&d, "tie", l->tie, l->tie_given);
   if (l->presums != MT_PRESUMS_TRUST)
      put_text (&d, "presums", presums[l->presums]);
   size_t stores = mt_bson_array (&d.b, "stores");
   for (size_t i = 0; i < l->store_count; i++)
      put_store (&d, i, &l->stores[i]);
   mt_bson_end (&d.b, stores);
   return mt_bson_finish_into (&d.b, out) ||
          mt_error (err, MT_E_LIMIT, "descriptor of layout \"%s\" is too large", l->name);
}
