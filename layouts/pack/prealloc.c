#include "layouts/pack/prealloc.h"
#include "base/bloom.h"
#include "base/memory.h"
#include "layouts/collections/partition.h"
#include "layouts/increments.h"
#include "layouts/pack/build_int.h"

#include <sys/random.h>

/* At the start of a period, for this long, writes also complete the current document with zeros. */
enum { FIRST_MS = 10 * 60 * 1000 };

/* ---- a document with every slot 0 ---- */

/* The document {path: 0, …} of the zeros of a new document, while it is built. */
typedef struct Zeros {
   const MtTable *t;
   MtBson *amounts;
   MtBuf path;
   MtStoreStats *stats;
   MtError *err;
} Zeros;

/* Adds a cell (array or map element) of nesting level n to the statistics. Its size in bytes is
 * estimated from its key and the counts and sums that it stores. */
static void count_cell (Zeros *z, const MtNode *n, size_t key_size)
{
   size_t bytes = 2 + key_size, count = n->agg.n ? 1 : 0;
   for (size_t i = 0; i < n->agg.measure_count; i++)
      count += (n->agg.measures[i].sum != NULL) + (n->agg.measures[i].nonnull != NULL);
   bytes += count * 8 + (n->agg.n ? 5 + 3 * count : 0);
   z->stats->nodes[n->id].cells++;
   z->stats->nodes[n->id].bytes += (double) bytes;
   z->stats->bytes += (double) bytes;
}

static void add_step (MtBuf *path, const char *at)
{
   if (*at && path->n)
      mt_buf_adds (path, ".");
   mt_buf_adds (path, at);
}

static void put_zero (Zeros *z, const char *at, MtTypeId type, uint8_t as)
{
   uint8_t decimal[16];
   MtSums none = {.nonnull = 1};
   size_t n = z->path.n;
   if (!at)
      return;
   add_step (&z->path, at);
   mt_bson_put_named (z->amounts, z->path.p, z->path.n, mt_sums_total (&none, type, as, decimal));
   z->path.n = n;
}

static void zeros_of_agg (Zeros *z, const MtPreagg *agg)
{
   put_zero (z, agg->n, MT_T_INT8, agg->n_as);
   for (size_t i = 0; i < agg->measure_count; i++) {
      const MtMeasureAgg *m = &agg->measures[i];
      put_zero (z, m->sum, z->t->columns[m->column].type.id, m->as);
      put_zero (z, m->nonnull, MT_T_INT8, agg->n_as ? agg->n_as : MT_INT32);
   }
}

/* Appends the zeros of all nesting levels below n, for the times from `from` to just before
 * `to`. */
static bool zeros_below (Zeros *z, const MtNode *n, int64_t from, int64_t to);

static bool zeros_of_map (Zeros *z, const MtNode *n, int64_t from, int64_t to)
{
   const MtBinding *b = &n->binds[0];
   size_t path = z->path.n;
   bool ok = true;
   for (int64_t t = from, next; t < to && ok; t = next) {
      next = mt_utc_add (t, b->unit, 1);
      if (path)
         mt_buf_adds (&z->path, ".");
      ok = mt_encode_text (&b->encoding, mt_type (MT_T_INT8),
                           mt_v_int64 (mt_utc_part (t, b->unit, b->of) + b->base), &z->path,
                           z->err);
      zeros_of_agg (z, &n->agg);
      ok = ok && zeros_below (z, n, t, next);
      count_cell (z, n, 4);
      z->path.n = path;
   }
   return ok;
}

static bool zeros_below (Zeros *z, const MtNode *n, int64_t from, int64_t to)
{
   size_t path = z->path.n;
   bool ok = true;
   for (size_t i = 0; i < n->sub_count && ok; i++) {
      const MtNode *sub = n->subs[i];
      add_step (&z->path, sub->at);
      if (sub->kind == MT_NODE_MAP)
         ok = zeros_of_map (z, sub, from, to);
      else {
         count_cell (z, sub, strlen (sub->at));
         zeros_of_agg (z, &sub->agg);
         ok = zeros_below (z, sub, from, to);
      }
      z->path.n = path;
   }
   return ok;
}

/* Appends to `first`, the fields of a new document, those of the columns and times that the root
 * level binds. Their values are from `row`. */
static bool bound_fields (const MtTable *t, const MtStoreDesc *s, const MtVal *row, MtBson *first,
                          MtError *err)
{
   MtBuf scratch = {0};
   bool ok = true;
   for (size_t i = 0; i < s->root->bind_count && ok; i++) {
      const MtBinding *b = &s->root->binds[i];
      MtVal v;
      if (!b->at)
         continue;
      mt_buf_clear (&scratch);
      ok = mt_encode (&b->encoding, mt_binding_type (t, b), mt_binding_value (t, b, row), &scratch,
                      &v, err);
      if (ok)
         mt_bson_put (first, b->at, v);
   }
   mt_buf_free (&scratch);
   return ok;
}

/* Composes the _id of the document that the row belongs to, in *text. */
static bool id_of (const MtTable *t, const MtStoreDesc *s, const MtVal *row, MtBuf *text,
                   MtError *err)
{
   MtBuf part = {0};
   bool ok = true;
   text->n = 0;
   for (size_t i = 0; i < s->id_count && ok; i++) {
      const MtBinding *b = &s->id[i].bind;
      if (s->id[i].literal) {
         mt_buf_adds (text, s->id[i].literal);
         continue;
      }
      mt_buf_clear (&part);
      ok = mt_encode_text (&b->encoding, mt_binding_type (t, b), mt_binding_value (t, b, row),
                           &part, err);
      ok = ok && mt_id_add_part (t, s, i, (MtStr) {part.p, part.n}, text, err);
   }
   mt_buf_free (&part);
   return ok;
}

/* ---- sending a new document ---- */

/* A tree of fields made from dotted paths, one node for each name in a path. */
typedef struct Tree {
   MtStr name;
   MtVal value; /* the field's value; MT_MISSING: a sub-document with the fields `kids` */
   struct Tree *kids, **last, *next;
   /* Hash table of those kids that are sub-documents, because a day can have 1,440. `same` links
    * the kids of one hash value. */
   struct Tree **heads, *same;
} Tree;

enum { HEADS = 64 };

static unsigned head_of (MtStr name)
{
   unsigned h = 0;
   for (size_t i = 0; i < name.n; i++)
      h = h * 31 + (unsigned char) name.p[i];
   return h % HEADS;
}

/* Returns the kid of this name that is a sub-document; NULL: there is none. */
static Tree *inner (const Tree *at, MtStr name)
{
   Tree *kid = at->heads ? at->heads[head_of (name)] : NULL;
   while (kid && !(kid->name.n == name.n && memcmp (kid->name.p, name.p, name.n) == 0))
      kid = kid->same;
   return kid;
}

static Tree *add_kid (MtArena *a, Tree *at, MtStr name, MtVal v)
{
   Tree *kid = MT_NEW (a, Tree);
   *kid = (Tree) {.name = name, .value = v, .last = &kid->kids};
   *at->last = kid;
   at->last = &kid->next;
   if (v.type != MT_MISSING)
      return kid;
   if (!at->heads)
      at->heads = MT_NEW_N (a, Tree *, HEADS);
   kid->same = at->heads[head_of (name)];
   at->heads[head_of (name)] = kid;
   return kid;
}

static void plant (MtArena *a, Tree *at, const char *path, MtVal v)
{
   MtStr name;
   while (mt_path_next (&path, &name)) {
      Tree *kid = *path ? inner (at, name) : NULL;
      at = kid ? kid : add_kid (a, at, name, *path ? mt_v_missing () : v);
   }
}

/* Adds all fields of document b, whose names are paths, to the tree. */
static bool plant_all (MtArena *a, Tree *root, MtBson *b)
{
   bson_t fields;
   if (!mt_bson_finish (b, &fields))
      return false;
   MtDocIter it = mt_doc_iter (mt_v_doc (&fields));
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      plant (a, root, mt_strndup (a, key.p, key.n), v);
   return true;
}

/* Appends the fields of tree t to `out`, with sub-documents. */
static void harvest (const Tree *t, MtBson *out)
{
   for (const Tree *kid = t->kids; kid; kid = kid->next) {
      if (kid->value.type != MT_MISSING) {
         mt_bson_put_named (out, kid->name.p, kid->name.n, kid->value);
         continue;
      }
      size_t at = mt_bson_doc_named (out, kid->name.p, kid->name.n);
      harvest (kid, out);
      mt_bson_end (out, at);
   }
}

/* Appends all fields of a new document except the _id to `out`: the row's dimensions and times, and
 * 0 for every number. */
static bool make_fields (const MtTable *t, const MtStoreDesc *s, const MtVal *row,
                         MtStoreStats *stats, bson_t *out, MtError *err)
{
   MtArena *a = mt_arena_new ("document", NULL);
   MtBson amounts = {0}, first = {0}, b = {0};
   Zeros z = {.t = t, .amounts = &amounts, .stats = stats, .err = err};
   Tree root = {.last = &root.kids};
   int64_t from = mt_utc_floor (row[t->time_column].i, mt_prealloc_unit (s));
   mt_bson_start (&amounts);
   mt_bson_start (&first);
   zeros_of_agg (&z, &s->root->agg);
   bool ok = zeros_below (&z, s->root, from, mt_utc_next (from, mt_prealloc_unit (s))) &&
             bound_fields (t, s, row, &first, err);
   if (ok) {
      ok = plant_all (a, &root, &first) && plant_all (a, &root, &amounts);
      mt_bson_start (&b);
      harvest (&root, &b);
      ok = (mt_bson_finish_into (&b, out) && ok) ||
           mt_error (err, MT_E_LIMIT, "a document of collection \"%s\" would be too large",
                     s->collection);
   }
   mt_buf_free (&z.path);
   mt_bson_free (&amounts);
   mt_bson_free (&first);
   mt_arena_free (a);
   return ok;
}

/* Returns the collection of the row's document: the store's, or the partition of the row's time. */
static const char *collection_of (MtArena *a, const MtPreallocStore *to, const MtVal *row)
{
   const MtStoreDesc *s = to->s;
   return s->parts ? mt_partition_of (a, s, row[to->t->time_column].i).collection : s->collection;
}

/* Creates the document `id` for the row's series and period. If the document exists, nothing
 * changes, because all fields are sent as fields for new documents only. */
static bool send (const MtPreallocStore *to, const MtVal *row, MtVal id, MtError *err)
{
   bson_t fields = BSON_INITIALIZER, nothing = BSON_INITIALIZER;
   MtArena *a = mt_arena_new ("collection", NULL);
   bool ok = make_fields (to->t, to->s, row, to->sent, &fields, err) &&
             mt_engine_increment (to->e, collection_of (a, to, row), id,
                                  &(MtIncrement) {.amounts = &nothing, .first = &fields}, err);
   mt_arena_free (a);
   count_cell (&(Zeros) {.stats = to->sent}, to->s->root, id.len);
   to->sent->documents++;
   bson_destroy (&nothing);
   bson_destroy (&fields);
   return ok;
}

bool mt_prealloc_make (const MtPreallocStore *to, const MtVal *row, MtError *err)
{
   MtBuf text = {0};
   bool ok = id_of (to->t, to->s, row, &text, err) &&
             send (to, row, mt_v_str (text.p, text.n), err);
   mt_buf_free (&text);
   return ok;
}

/* ---- documents known to exist ---- */

/* For one collection: Bloom filters with the _ids of documents known to exist, for the current
 * period and the next. */
typedef struct Known {
   char *collection;
   int64_t period;
   MtBloom now, next;
} Known;

struct MtPrealloc {
   Known *known;
   size_t count;
   uint64_t random;
   MtVal *row;
   size_t row_size;
   MtBuf id;
};

MtPrealloc *mt_prealloc_new (void)
{
   MtPrealloc *p = mt_calloc ("documents made ahead", 1, sizeof *p);
   if (getrandom (&p->random, sizeof p->random, 0) != sizeof p->random || !p->random)
      p->random = 1;
   return p;
}

void mt_prealloc_free (MtPrealloc *p)
{
   for (size_t i = 0; p && i < p->count; i++) {
      free (p->known[i].collection);
      mt_bloom_clear (&p->known[i].now);
      mt_bloom_clear (&p->known[i].next);
   }
   if (p) {
      free (p->known);
      free (p->row);
      mt_buf_free (&p->id);
   }
   free (p);
}

static Known *known_of (MtPrealloc *p, const char *collection)
{
   for (size_t i = 0; i < p->count; i++)
      if (strcmp (p->known[i].collection, collection) == 0)
         return &p->known[i];
   Known *grown = mt_realloc ("documents made ahead", p->known, (p->count + 1) * sizeof *grown);
   p->known = grown;
   grown[p->count] = (Known) {.collection = mt_heap_strdup (collection), .period = INT64_MIN};
   return &grown[p->count++];
}

/* Begins a new period of a collection. If it follows directly on the old one, the filter of the
 * next period becomes the current filter. */
static void enter (Known *k, int64_t period, int64_t next_of_old)
{
   mt_bloom_clear (&k->now);
   if (period == next_of_old)
      k->now = k->next;
   else
      mt_bloom_clear (&k->next);
   k->next = (MtBloom) {.part_count = 0};
   k->period = period;
}

/* Returns true with probability 1 / n. The generator is xorshift64 (Marsaglia, 2003). */
static bool one_in (MtPrealloc *p, int64_t n)
{
   p->random ^= p->random << 13;
   p->random ^= p->random >> 7;
   p->random ^= p->random << 17;
   return p->random % (uint64_t) n == 0;
}

/* Creates the document of the row's series and period, unless the Bloom filter says that it exists.
 * Then adds it to the filter. */
static bool make_unknown (MtPrealloc *p, const MtPreallocStore *to, const MtVal *row,
                          MtBloom *filter, MtError *err)
{
   if (!id_of (to->t, to->s, row, &p->id, err))
      return false;
   MtVal id = mt_v_str (p->id.p, p->id.n);
   uint64_t hash = mt_v_hash (id, 0);
   if (mt_bloom_has (filter, hash))
      return true;
   if (!send (to, row, id, err))
      return false;
   mt_bloom_add (filter, hash);
   return true;
}

/* Returns a copy of the row with time ms; it is borrowed until the next call. */
static const MtVal *row_at (MtPrealloc *p, const MtTable *t, const MtVal *row, int64_t ms)
{
   if (p->row_size < t->column_count) {
      p->row = mt_realloc ("documents made ahead", p->row, t->column_count * sizeof *p->row);
      p->row_size = t->column_count;
   }
   memcpy (p->row, row, t->column_count * sizeof *row);
   p->row[t->time_column] = mt_v_date (ms);
   return p->row;
}

bool mt_prealloc_hit (MtPrealloc *p, const MtPreallocStore *to, const MtVal *row, MtError *err)
{
   const MtTable *t = to->t;
   const MtStoreDesc *s = to->s;
   MtUnit unit = mt_prealloc_unit (s);
   int64_t ms = row[t->time_column].i, period = mt_utc_floor (ms, unit);
   Known *k = known_of (p, s->collection);
   if (period < k->period)
      return true; /* a late record: the next document exists already */
   if (period > k->period)
      enter (k, period, k->period == INT64_MIN ? INT64_MIN : mt_utc_next (k->period, unit));
   if (ms - period < FIRST_MS && !make_unknown (p, to, row, &k->now, err))
      return false;
   return !one_in (p, s->preallocate) ||
          make_unknown (p, to, row_at (p, t, row, mt_utc_next (period, unit)), &k->next, err);
}
