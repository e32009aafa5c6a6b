/* The fields of a level's cells: compiles the descriptor to a list of fields in writing order, and
 * writes them. */
#include "layouts/pack/build_int.h"
#include "base/memory.h"

#include <stdlib.h>

#include <math.h>

/* ---- compiling ---- */

typedef struct Compile {
   MtBuilder *b;
   MtNodeW *to; /* the level whose `fields` are being compiled */
} Compile;

static MtFieldW *new_field (MtArena *a, MtFieldW **fields, size_t *count)
{
   MtFieldW *grown = MT_NEW_N (a, MtFieldW, *count + 1);
   if (*count)
      memcpy (grown, *fields, *count * sizeof *grown);
   *fields = grown;
   return &grown[(*count)++];
}

/* Adds a field of c->to at a dotted path. Paths with the same first names share a sub-document. An
 * empty path means that the cell (array or map element) is this value itself; NULL: the value is
 * not stored. */
static void place (Compile *c, const MtNodeW *owner, MtFieldKind kind, int index, const char *path)
{
   MtFieldW leaf = {.kind = kind, .index = index, .owner = owner};
   if (!path)
      return;
   if (!*path) {
      c->to->whole = leaf;
      c->to->is_whole = true;
      return;
   }
   MtFieldW **fields = &c->to->fields;
   size_t *count = &c->to->field_count;
   MtStr name;
   while (mt_path_next (&path, &name)) {
      size_t i = 0;
      while (*path && i < *count &&
             !((*fields)[i].kind == MT_F_GROUP && (*fields)[i].name_size == name.n + 1 &&
               !memcmp ((*fields)[i].name, name.p, name.n)))
         i++;
      MtFieldW *f = *path && i < *count ? &(*fields)[i] : new_field (c->b->x.a, fields, count);
      if (f->name) {
         fields = &f->fields;
         count = &f->field_count;
         continue;
      }
      *f = *path ? (MtFieldW) {.kind = MT_F_GROUP, .owner = owner} : leaf;
      f->name = mt_strndup (c->b->x.a, name.p, name.n);
      f->name_size = name.n + 1;
      fields = &f->fields;
      count = &f->field_count;
   }
}

static void place_node (Compile *c, MtNodeW *nw)
{
   const MtNode *n = nw->n;
   for (size_t i = 0; i < n->bind_count; i++)
      place (c, nw, MT_F_BIND, (int) i, n->binds[i].at);
   place (c, nw, MT_F_N, 0, n->agg.n);
   place (c, nw, MT_F_RANGE_MIN, 0,
          mt_bound_time (c->b->x.t, n, n->range.min) ? NULL : n->range.min);
   place (c, nw, MT_F_RANGE_MAX, 0,
          mt_bound_time (c->b->x.t, n, n->range.max) ? NULL : n->range.max);
   for (size_t i = 0; i < n->agg.measure_count; i++) {
      const MtMeasureAgg *m = &n->agg.measures[i];
      place (c, nw, MT_F_SUM, (int) i, m->sum);
      place (c, nw, MT_F_MIN_OF, (int) i, m->min);
      place (c, nw, MT_F_MAX_OF, (int) i, m->max);
      place (c, nw, MT_F_NONNULL, (int) i, m->nonnull);
   }
   for (size_t i = 0; i < n->agg.state_count; i++)
      place (c, nw, MT_F_STATE, (int) i, n->agg.states[i].at);
   for (size_t i = 0; n->raw.present && !n->raw.many && i < n->raw.count; i++)
      place (c, nw, MT_F_RAW, (int) i, n->raw.paths[i]);
   if (n->raw.present && n->raw.many)
      place (c, nw, MT_F_RECORDS, 0, n->raw.at);
   for (size_t i = 0; i < nw->kid_count; i++) {
      MtNodeW *kid = nw->kids[i];
      if (kid->n->kind == MT_NODE_SCALAR && !*kid->n->at) {
         kid->inlined = true;
         place_node (c, kid);
      } else if (kid->n->kind == MT_NODE_ARRAYS) {
         for (size_t k = 0; k < kid->n->field_count; k++)
            place (c, kid, MT_F_ARRAY, (int) k, kid->n->places[k]);
      } else
         place (c, nw, MT_F_CHILD, (int) i, kid->n->at);
   }
}

static int by_position (const void *a, const void *b)
{
   return (int) (strtol (((const MtFieldW *) a)->name, NULL, 10) -
                 strtol (((const MtFieldW *) b)->name, NULL, 10));
}

/* Sorts the nesting level's fields in the order in which documents store them: first the _id, then
 * the fields that "order" in the layout's descriptor names, then the others. */
static void put_in_order (MtBuilder *b, MtNodeW *nw)
{
   const MtNode *n = nw->n;
   MtFieldW *sorted = MT_NEW_N (b->x.a, MtFieldW, nw->field_count);
   bool *taken = MT_NEW_N (b->x.a, bool, nw->field_count + 1);
   size_t at = 0;
   for (size_t k = 0; k <= n->order_count; k++) {
      const char *name = k ? n->order[k - 1] : "_id";
      for (size_t i = 0; i < nw->field_count; i++)
         if (!taken[i] && !strcmp (nw->fields[i].name, name)) {
            taken[i] = true;
            sorted[at++] = nw->fields[i];
         }
   }
   for (size_t i = 0; i < nw->field_count; i++)
      if (!taken[i])
         sorted[at++] = nw->fields[i];
   nw->fields = sorted;
   if (n->kind == MT_NODE_PAIRS)
      qsort (nw->fields, nw->field_count, sizeof *nw->fields, by_position);
}

static void compile_record (MtBuilder *b, MtNodeW *nw)
{
   MtNodeW *r = nw->record = MT_NEW (b->x.a, MtNodeW);
   r->n = nw->n;
   r->raw = nw->raw;
   Compile c = {.b = b, .to = r};
   for (size_t i = 0; i < r->n->raw.count; i++)
      place (&c, r, MT_F_RAW, (int) i, r->n->raw.paths[i]);
}

bool mt_compile_fields (MtBuilder *b, MtNodeW *nw)
{
   Compile c = {.b = b, .to = nw};
   if (nw->n->raw.present && nw->n->raw.many)
      compile_record (b, nw);
   if (nw->inlined)
      return true;
   if (nw->n->kind == MT_NODE_DOCUMENT && !mt_root_binds_id (b->x.store))
      place (&c, nw, MT_F_ID, 0, "_id");
   place_node (&c, nw);
   put_in_order (b, nw);
   return true;
}

/* ---- writing ---- */

static int measure_slot (const MtBuilder *b, int column)
{
   for (size_t i = 0; i < b->measure_count; i++)
      if (b->measures[i] == column)
         return (int) i;
   return 0;
}

static bool range_value (MtBuilder *b, const MtNodeW *nw, int64_t ms, MtVal *out)
{
   if (!nw->any_time) {
      *out = mt_v_null ();
      return true;
   }
   mt_buf_clear (&b->scratch);
   return mt_encode (&nw->n->range.encoding, b->x.t->columns[b->x.t->time_column].type,
                     mt_v_date (ms), &b->scratch, out, b->err);
}

bool mt_field_value (MtBuilder *b, const MtFieldW *f, MtVal *out, uint8_t decimal[16])
{
   const MtNodeW *nw = f->owner;
   const MtMeasureAgg *m = nw->n->agg.measures ? &nw->n->agg.measures[f->index] : NULL;
   switch (f->kind) {
   case MT_F_ID: *out = b->id; return true;
   case MT_F_BIND: *out = nw->bound[f->index]; return true;
   case MT_F_N: *out = mt_sums_integer (nw->count, nw->n->agg.n_as, decimal); return true;
   case MT_F_SUM:
      *out = mt_sums_total (&nw->acc[measure_slot (b, m->column)],
                            b->x.t->columns[m->column].type.id, m->as, decimal);
      return true;
   case MT_F_MIN_OF:
   case MT_F_MAX_OF: {
      const MtSums *a = &nw->acc[measure_slot (b, m->column)];
      *out = f->kind == MT_F_MIN_OF ? a->min : a->max;
      if (out->type == MT_MISSING)
         *out = mt_v_null ();
      return true;
   }
   case MT_F_NONNULL:
      *out = mt_sums_integer (nw->acc[measure_slot (b, m->column)].nonnull,
                              nw->n->agg.n_as ? nw->n->agg.n_as : MT_INT32, decimal);
      return true;
   case MT_F_STATE: return mt_kept_states_value (b, &nw->states[f->index], out);
   case MT_F_RANGE_MIN: return range_value (b, nw, nw->min_time, out);
   case MT_F_RANGE_MAX: return range_value (b, nw, nw->max_time, out);
   case MT_F_RAW: *out = nw->raw[f->index]; return true;
   case MT_F_RECORDS:
   case MT_F_CHILD:
   case MT_F_ARRAY:
   case MT_F_GROUP: break;
   }
   *out = mt_v_null ();
   return true;
}

static void write_container (MtBson *w, const MtBson *content)
{
   size_t at = mt_bson_begin (w);
   mt_bson_bytes (w, content->p, content->n);
   mt_bson_end (w, at);
}

static void write_child (MtBuilder *b, MtBson *w, const MtFieldW *f)
{
   MtNodeW *kid = f->owner->kids[f->index];
   switch (kid->n->kind) {
   case MT_NODE_SCALAR: /* the buffer of a scalar level has a type byte and the value */
      if (!kid->out.n)
         return;
      mt_bson_head (w, kid->out.p[0], f->name, f->name_size);
      mt_bson_bytes (w, kid->out.p + 1, kid->out.n - 1);
      return;
   case MT_NODE_MAP:
   case MT_NODE_DOCUMENT:
   case MT_NODE_LIST:
   case MT_NODE_SLOTS:
   case MT_NODE_PAIRS:
   case MT_NODE_ARRAYS:
      mt_bson_head (w, kid->n->kind == MT_NODE_MAP ? MT_DOC : MT_ARRAY, f->name, f->name_size);
      write_container (w, &kid->out);
   }
}

bool mt_write_fields (MtBuilder *b, MtBson *w, const MtFieldW *fields, size_t count)
{
   uint8_t decimal[16];
   for (size_t i = 0; i < count; i++) {
      const MtFieldW *f = &fields[i];
      if (f->kind == MT_F_CHILD)
         write_child (b, w, f);
      else if (f->kind == MT_F_ARRAY || f->kind == MT_F_RECORDS) {
         mt_bson_head (w, MT_ARRAY, f->name, f->name_size);
         write_container (w,
                          f->kind == MT_F_ARRAY ? &f->owner->arrays[f->index] : &f->owner->records);
      } else if (f->kind == MT_F_GROUP) {
         mt_bson_head (w, MT_DOC, f->name, f->name_size);
         size_t at = mt_bson_begin (w);
         if (!mt_write_fields (b, w, f->fields, f->field_count))
            return false;
         mt_bson_end (w, at);
      } else {
         MtVal v;
         if (!mt_field_value (b, f, &v, decimal))
            return false;
         mt_bson_head (w, v.type, f->name, f->name_size);
         mt_bson_tail (w, v);
      }
   }
   return true;
}
