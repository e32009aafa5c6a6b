/* A layout back to its descriptor: what mt_layout_parse reads gives the same layout again. */
#include "engine/engine.h"
#include "layouts/descriptor/descriptor.h"

#include <string.h>

typedef struct Describe {
   const MtTable *t;
   bool ok; /* false: libbson refused an append (a document beyond 2 GB) */
} Describe;

static const char *as_word (uint8_t as)
{
   return as == MT_INT32    ? "int32"
          : as == MT_INT64  ? "int64"
          : as == MT_DOUBLE ? "double"
                            : "decimal";
}

static void put_text (Describe *d, bson_t *b, const char *key, const char *text)
{
   d->ok = d->ok && bson_append_utf8 (b, key, -1, text, -1);
}
static void put_bool (Describe *d, bson_t *b, const char *key, bool v)
{
   d->ok = d->ok && bson_append_bool (b, key, -1, v);
}
static void put_int (Describe *d, bson_t *b, const char *key, int64_t v)
{
   d->ok = d->ok && bson_append_int64 (b, key, -1, v);
}
static void put_doc (Describe *d, bson_t *b, const char *key, bson_t *child)
{
   d->ok = d->ok && bson_append_document (b, key, -1, child);
   bson_destroy (child);
}
static void put_array (Describe *d, bson_t *b, const char *key, bson_t *child)
{
   d->ok = d->ok && bson_append_array (b, key, -1, child);
   bson_destroy (child);
}
static void put_element (Describe *d, bson_t *array, size_t i, bson_t *child)
{
   char buf[16];
   const char *key;
   bson_uint32_to_string ((uint32_t) i, &key, buf, sizeof buf);
   put_doc (d, array, key, child);
}
static void put_name (Describe *d, bson_t *array, size_t i, const char *text)
{
   char buf[16];
   const char *key;
   bson_uint32_to_string ((uint32_t) i, &key, buf, sizeof buf);
   put_text (d, array, key, text);
}

static bool plain (const MtEncoding *e) { return e->kind == MT_ENC_NATIVE && !e->as; }

static void put_encoding (Describe *d, bson_t *b, const MtEncoding *e)
{
   if (plain (e))
      return;
   if (!e->as && !e->pad && e->kind != MT_ENC_FORMAT) {
      put_text (d, b, "encoding", mt_encoding_words[e->kind]);
      return;
   }
   bson_t x = BSON_INITIALIZER;
   if (e->kind == MT_ENC_FORMAT)
      put_text (d, &x, "format", e->format);
   else
      put_text (d, &x, "kind", mt_encoding_words[e->kind]);
   if (e->as)
      put_text (d, &x, "as", as_word (e->as));
   if (e->pad)
      put_int (d, &x, "pad", e->pad);
   put_doc (d, b, "encoding", &x);
}

static void put_binding (Describe *d, bson_t *b, const MtBinding *m, bool id)
{
   if (m->kind == MT_BIND_COLUMN)
      put_text (d, b, "column", d->t->columns[m->column].name);
   else
      put_text (d, b, m->kind == MT_BIND_TIME_TRUNC ? "trunc" : "part", mt_unit_name (m->unit));
   if (m->kind == MT_BIND_TIME_PART) {
      put_text (d, b, "of", mt_unit_name (m->of));
      if (m->base)
         put_int (d, b, "base", m->base);
   }
   if (m->from == MT_FROM_ID)
      put_text (d, b, "from", "id");
   if (!id && m->at)
      put_text (d, b, "at", m->at);
   if (m->from != MT_FROM_ID || m->at)
      put_encoding (d, b, &m->encoding);
}

static void put_measure (Describe *d, bson_t *b, const MtMeasureAgg *m)
{
   bson_t x = BSON_INITIALIZER;
   if (m->sum)
      put_text (d, &x, "sum", m->sum);
   if (m->min)
      put_text (d, &x, "min", m->min);
   if (m->max)
      put_text (d, &x, "max", m->max);
   if (m->nonnull)
      put_text (d, &x, "nonnull", m->nonnull);
   put_text (d, &x, "as", as_word (m->as));
   put_doc (d, b, d->t->columns[m->column].name, &x);
}

static void put_agg (Describe *d, bson_t *b, const MtPreagg *agg)
{
   bson_t x = BSON_INITIALIZER;
   if (agg->n) {
      bson_t n = BSON_INITIALIZER;
      put_text (d, &n, "at", agg->n);
      put_text (d, &n, "as", as_word (agg->n_as));
      put_doc (d, &x, "n", &n);
   }
   if (agg->measure_count) {
      bson_t m = BSON_INITIALIZER;
      for (size_t i = 0; i < agg->measure_count; i++)
         put_measure (d, &m, &agg->measures[i]);
      put_doc (d, &x, "measures", &m);
   }
   if (agg->zero_is_absent)
      put_text (d, &x, "zero", "absent");
   put_doc (d, b, "agg", &x);
}

static void put_raw (Describe *d, bson_t *b, const MtRaw *raw)
{
   bson_t x = BSON_INITIALIZER, columns = BSON_INITIALIZER;
   if (*raw->at)
      put_text (d, &x, "at", raw->at);
   if (raw->many)
      put_bool (d, &x, "many", true);
   for (size_t i = 0; i < raw->count; i++) {
      const char *name = d->t->columns[raw->columns[i]].name;
      if (plain (&raw->encodings[i])) {
         put_text (d, &columns, name, raw->paths[i]);
         continue;
      }
      bson_t c = BSON_INITIALIZER;
      put_text (d, &c, "at", raw->paths[i]);
      put_encoding (d, &c, &raw->encodings[i]);
      put_doc (d, &columns, name, &c);
   }
   put_doc (d, &x, "columns", &columns);
   put_doc (d, b, "raw", &x);
}

static void put_range (Describe *d, bson_t *b, const MtTimeRange *r)
{
   bson_t x = BSON_INITIALIZER;
   put_text (d, &x, "min", r->min);
   put_text (d, &x, "max", r->max);
   if (r->exact)
      put_bool (d, &x, "exact", true);
   put_encoding (d, &x, &r->encoding);
   put_doc (d, b, "range", &x);
}

static void put_node (Describe *d, bson_t *b, const MtNode *n)
{
   put_text (d, b, "is", mt_node_kind_words[n->kind]);
   if (*n->at)
      put_text (d, b, "at", n->at);
   if (n->bind_count) {
      bson_t binds = BSON_INITIALIZER;
      for (size_t i = 0; i < n->bind_count; i++) {
         bson_t x = BSON_INITIALIZER;
         put_binding (d, &x, &n->binds[i], false);
         put_element (d, &binds, i, &x);
      }
      put_array (d, b, "bind", &binds);
   }
   if (n->range.present)
      put_range (d, b, &n->range);
   if (n->agg.present)
      put_agg (d, b, &n->agg);
   if (n->raw.present)
      put_raw (d, b, &n->raw);
   if (n->order_count) {
      bson_t order = BSON_INITIALIZER;
      for (size_t i = 0; i < n->order_count; i++)
         put_name (d, &order, i, n->order[i]);
      put_array (d, b, "order", &order);
   }
   bson_t alt = BSON_INITIALIZER;
   for (size_t i = 0; i < n->sub_count; i++) {
      bson_t x = BSON_INITIALIZER;
      put_node (d, &x, n->subs[i]);
      if (n->sub_count == 1)
         put_doc (d, b, "sub", &x);
      else
         put_element (d, &alt, i, &x);
   }
   if (n->sub_count > 1)
      put_array (d, b, "alt", &alt);
   else
      bson_destroy (&alt);
}

static void put_timeseries (Describe *d, bson_t *b, const MtTimeseries *t)
{
   bson_t x = BSON_INITIALIZER;
   put_text (d, &x, "timeField", t->time);
   if (t->meta)
      put_text (d, &x, "metaField", t->meta);
   if (t->granularity)
      put_text (d, &x, "granularity", t->granularity);
   if (t->expire_after_s >= 0)
      put_int (d, &x, "expireAfterSeconds", t->expire_after_s);
   put_doc (d, b, "timeseries", &x);
}

static void put_shard (Describe *d, bson_t *b, const MtStoreDesc *s)
{
   bson_t shard = BSON_INITIALIZER;
   for (size_t i = 0; i < s->shard_count; i++) {
      bson_t x = BSON_INITIALIZER;
      put_text (d, &x, "at", s->shard[i].at);
      if (s->shard[i].hashed)
         put_bool (d, &x, "hashed", true);
      put_element (d, &shard, i, &x);
   }
   put_array (d, b, "shard", &shard);
}

static void put_store (Describe *d, bson_t *b, const MtStoreDesc *s)
{
   static const char *const writes[] = {"insert", "push", "pack", "inc", "newer"};
   put_text (d, b, "collection", s->collection);
   if (s->parts)
      put_text (d, b, "partition", mt_unit_name (s->parts->unit));
   if (s->id_count) {
      bson_t id = BSON_INITIALIZER;
      for (size_t i = 0; i < s->id_count; i++)
         if (s->id[i].literal)
            put_name (d, &id, i, s->id[i].literal);
         else {
            bson_t x = BSON_INITIALIZER;
            put_binding (d, &x, &s->id[i].bind, true);
            put_element (d, &id, i, &x);
         }
      put_array (d, b, "id", &id);
   }
   if (s->escape != MT_ESCAPE_USUAL && s->id_count > 1)
      put_text (d, b, "escape", s->escape == MT_ESCAPE_NONE ? "none" : "percent");
   put_text (d, b, "write", writes[s->write]);
   if (s->repeats)
      put_bool (d, b, "repeats", true);
   if (s->flush_levels)
      put_int (d, b, "flush_levels", s->flush_levels);
   if (s->timeseries)
      put_timeseries (d, b, s->timeseries);
   if (s->preallocate)
      put_int (d, b, "preallocate", s->preallocate);
   if (s->shard_count)
      put_shard (d, b, s);
   bson_t root = BSON_INITIALIZER;
   put_node (d, &root, s->root);
   put_doc (d, b, "root", &root);
}

bool mt_layout_to_bson (const MtTable *t, const MtLayout *l, bson_t *out, MtError *err)
{
   static const char *const keeps[] = {"records", "sums", "latest"};
   static const char *const presums[] = {"trust", "verify", "ignore"};
   Describe d = {.t = t, .ok = true};
   put_text (&d, out, "keeps", keeps[l->keeps]);
   if (l->key_count) {
      bson_t key = BSON_INITIALIZER;
      for (size_t i = 0; i < l->key_count; i++)
         put_name (&d, &key, i, t->columns[l->key[i]].name);
      put_array (&d, out, "key", &key);
   }
   if (l->tie_given) {
      bson_t tie = BSON_INITIALIZER;
      for (size_t i = 0; i < l->tie_given; i++)
         put_name (&d, &tie, i, t->columns[l->tie[i]].name);
      put_array (&d, out, "tie", &tie);
   }
   if (l->presums != MT_PRESUMS_TRUST)
      put_text (&d, out, "presums", presums[l->presums]);
   bson_t stores = BSON_INITIALIZER;
   for (size_t i = 0; i < l->store_count; i++) {
      bson_t x = BSON_INITIALIZER;
      put_store (&d, &x, &l->stores[i]);
      put_element (&d, &stores, i, &x);
   }
   put_array (&d, out, "stores", &stores);
   return d.ok ? true
               : mt_error (err, MT_E_LIMIT, "descriptor of layout \"%s\" is too large", l->name);
}
