/* The accumulators $push, $addToSet, $concatArrays, $setUnion and $mergeObjects. Also $top,
 * $bottom, $firstN and similar ones, which keep the first or last n rows in a sort order. */
#include "engine/local/group/accum_int.h"

#include "base/bid.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

MtVal mt_acc_own (MtGroupTable *t, MtVal v) { return mt_x_own (t->arena, v); }

#define SHARE 2 /* a list doubles its memory to grow, so up to half is unused */
#define LEAST_LIMIT ((size_t) 16 << 20)

bool mt_acc_fits (size_t size_bytes, MtWork *w)
{
   size_t limit = SHARE * w->exec->args.work_mem;
   if (size_bytes <= (limit > LEAST_LIMIT ? limit : LEAST_LIMIT))
      return true;
   return mt_x_beyond_memory (&w->err, "the values that an aggregate keeps",
                              w->exec->args.work_mem);
}

double mt_acc_decimal_double (MtVal v)
{
   unsigned flags = 0;
   return bid128_to_binary64 (mt_bid_load (v.p), MT_BID_NEAREST, &flags);
}

static bool to_decimal_unless_int (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   const MtOpRow *real = ev->user;
   if (args[0].type == MT_INT32 || args[0].type == MT_INT64 || args[0].type == MT_DECIMAL) {
      *out = args[0];
      return true;
   }
   MtEval sub = *ev;
   sub.user = real->user;
   return real->fn (&sub, args, argc, out);
}

const MtOpRow mt_acc_decimal_row = {"$_mtIntOrDecimal",
                                    1,
                                    1,
                                    NULL,
                                    0,
                                    to_decimal_unless_int,
                                    "an integer as it is, other values as $toDecimal gives them",
                                    "{\"$_mtIntOrDecimal\": 1} => 1",
                                    NULL};

void mt_acc_decimal_user (MtCompile *c, MtExecExpr *e, const MtOpRow *to_decimal)
{
   MtOpRow *row = MT_NEW (c->arena, MtOpRow);
   *row = mt_acc_decimal_row;
   row->user = (void *) (uintptr_t) to_decimal;
   e->row = row;
}

/* ---- lists ---- */

static void append (MtGroupTable *t, MtAccList *l, MtVal v)
{
   if (MT_TRY_GROW_IN (t->arena, l->v, l->n, l->cap, 4))
      l->v[l->n++] = v;
}

bool mt_list_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   if (v.type != MT_MISSING)
      append (t, state, mt_x_keep (w, t->arena, v));
   return true;
}

bool mt_list_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   const MtAccList *f = from;
   for (uint32_t i = 0; i < f->n; i++) {
      if (!mt_tick (w))
         return false;
      append (t, into, mt_x_keep (w, t->arena, f->v[i]));
   }
   return true;
}

bool mt_list_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const MtAccList *l = state;
   return mt_v_make_long_array (w->arena, l->v, l->n, w->exec->args.cancel, out, &w->err);
}

bool mt_list_save (const MtAcc *a, const void *state, MtWork *w, MtBson *b)
{
   const MtAccList *l = state;
   mt_bson_bytes (b, &l->n, 4);
   for (uint32_t i = 0; i < l->n; i++) {
      if (!mt_tick (w))
         return false;
      mt_pack (b, l->v[i]);
   }
   return true;
}

bool mt_list_load (const MtAcc *a, MtGroupTable *t, void *state, const uint8_t **p,
                   const uint8_t *end, MtWork *w)
{
   uint32_t n;
   MtVal v;
   MtAccList *l = state;
   *l = (MtAccList) {0};
   if (end - *p < 4)
      return false;
   memcpy (&n, *p, 4);
   *p += 4;
   for (uint32_t i = 0; i < n; i++) {
      if (!mt_tick (w) || !mt_unpack (p, end, &v))
         return false;
      append (t, l, mt_acc_own (t, v));
   }
   return true;
}

/* ---- sets ---- */

#define SMALL_SET 8u

static bool in_small (const MtAccList *l, MtVal v)
{
   for (uint32_t i = 0; i < l->n; i++)
      if (mt_x_compare (l->v[i], v) == 0)
         return true;
   return false;
}

static bool index_all (MtGroupTable *t, MtAccList *l, MtWork *w)
{
   uint32_t mask = l->n * 4 < 64 ? 63 : l->n * 4;
   while (mask & (mask + 1))
      mask |= mask >> 1;
   uint32_t *index = MT_TRY_NEW_N (t->arena, uint32_t, (size_t) mask + 1);
   if (!index)
      return mt_memory_check (&w->err);
   l->mask = mask;
   l->index = index;
   for (uint32_t i = 0; i < l->n; i++) {
      uint32_t at = (uint32_t) mt_group_hash (&l->v[i], 1) & l->mask;
      while (l->index[at])
         at = (at + 1) & l->mask;
      l->index[at] = i + 1;
   }
   return true;
}

static bool set_put (MtGroupTable *t, MtAccList *l, MtVal v, MtWork *w)
{
   if (v.type == MT_MISSING)
      return true;
   if (!l->index && l->n < SMALL_SET) {
      if (!in_small (l, v))
         append (t, l, mt_x_keep (w, t->arena, v));
      return true;
   }
   if ((!l->index || l->n > l->mask / 2) &&
       (!mt_acc_fits (l->n * sizeof *l->v, w) || !index_all (t, l, w)))
      return false;
   uint32_t at = (uint32_t) mt_group_hash (&v, 1) & l->mask;
   for (; l->index[at]; at = (at + 1) & l->mask)
      if (mt_x_compare (l->v[l->index[at] - 1], v) == 0)
         return true;
   uint32_t n = l->n;
   append (t, l, mt_x_keep (w, t->arena, v));
   if (l->n > n)
      l->index[at] = l->n;
   return true;
}

bool mt_set_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   return set_put (t, state, v, w);
}

bool mt_set_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   const MtAccList *f = from;
   for (uint32_t i = 0; i < f->n; i++)
      if (!mt_tick (w) || !set_put (t, into, f->v[i], w))
         return false;
   return true;
}

/* ---- $concatArrays, $setUnion: the elements of arrays ---- */

static bool add_elements (const MtAcc *a, MtGroupTable *t, MtAccList *l, MtVal v, bool set,
                          MtWork *w)
{
   MtStr key;
   MtVal e;
   if (v.type == MT_MISSING)
      return true;
   if (v.type != MT_ARRAY)
      return mt_error_coded (&w->err, MT_E_PARAMETER, MT_CODE_TYPE_MISMATCH,
                             "%s requires array inputs, but input is of type %s", a->row->name,
                             mt_v_type_name (v));
   v = mt_x_keep (w, t->arena, v);
   for (MtDocIter it = mt_doc_iter (v); mt_doc_next (&it, &key, &e);) {
      if (set ? !set_put (t, l, e, w) : !mt_tick (w))
         return false;
      if (!set)
         append (t, l, e);
   }
   return true;
}

bool mt_concat_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   return add_elements (a, t, state, v, false, w);
}

bool mt_union_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   return add_elements (a, t, state, v, true, w);
}

/* ---- $mergeObjects ---- */

bool mt_objects_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   if (mt_is_nullish (v))
      return true;
   if (v.type != MT_DOC)
      return mt_error_coded (&w->err, MT_E_PARAMETER, 40400,
                             "$mergeObjects requires object inputs, but input is of type %s",
                             mt_v_type_name (v));
   append (t, state, mt_x_keep (w, t->arena, v));
   return true;
}

bool mt_objects_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const MtAccList *l = state;
   MtFieldList m = {0};
   MtStr key;
   MtVal v;
   for (uint32_t i = 0; i < l->n; i++) {
      MtDocIter it = mt_doc_iter (l->v[i]);
      while (mt_doc_next (&it, &key, &v))
         mt_field_list_set (w->arena, &m, key, v);
   }
   return mt_v_make_doc (w->arena, m.keys, m.vals, m.n, out, &w->err);
}

/* ---- the first or last n rows ---- */

static uint32_t width (const MtAcc *a) { return a->key_count + 1; }

/* Returns whether row x sorts before row y. Rows with equal sort keys are ordered by their numbers
 * in the input, x_seq and y_seq. */
static bool before (const MtAcc *a, const MtVal *x, uint64_t x_seq, const MtVal *y, uint64_t y_seq)
{
   for (uint32_t i = 0; i < a->key_count; i++) {
      int sign = mt_x_compare (x[i], y[i]) * a->dirs[i];
      if (sign)
         return sign < 0;
   }
   return x_seq < y_seq;
}

static bool is_form (const MtAcc *a, unsigned form) { return (a->row->form & form) == form; }

/* Inserts a row at its position in the sort order. Of more than n rows, keeps the first n, or the
 * last n if the accumulator returns last rows. */
static void top_put (const MtAcc *a, MtGroupTable *t, MtAccTop *s, const MtVal *row, uint64_t seq,
                     MtWork *w)
{
   uint32_t wd = width (a), at = s->n, limit = (uint32_t) a->n;
   while (at > 0 && before (a, row, seq, s->v + (size_t) (at - 1) * wd, s->seq[at - 1]))
      at--;
   if (s->n == limit && (is_form (a, MT_ACC_LAST) ? at == 0 : at == limit))
      return;
   if (s->n == s->cap && s->n < limit) {
      s->cap = (uint32_t) mt_room ("list", s->cap, s->n + 1, 2, wd * sizeof *s->v, sizeof s->cap);
      s->v = mt_arena_move (t->arena, s->v, s->n, s->cap, wd * sizeof *s->v);
      s->seq = mt_arena_move (t->arena, s->seq, s->n, s->cap, sizeof *s->seq);
   }
   if (s->n == limit && is_form (a, MT_ACC_LAST)) { /* remove the first row to make room */
      at--;
      memmove (s->v, s->v + wd, (size_t) at * wd * sizeof *s->v);
      memmove (s->seq, s->seq + 1, at * sizeof *s->seq);
   } else {
      uint32_t moved = s->n - at - (s->n == limit);
      memmove (s->v + (size_t) (at + 1) * wd, s->v + (size_t) at * wd,
               (size_t) moved * wd * sizeof *s->v);
      memmove (s->seq + at + 1, s->seq + at, moved * sizeof *s->seq);
      s->n += s->n < limit;
   }
   for (uint32_t i = 0; i < wd; i++)
      s->v[(size_t) at * wd + i] = mt_x_keep (w, t->arena, row[i]);
   s->seq[at] = seq;
}

bool mt_top_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   MtVal few[8], *row = a->key_count < 8 ? few : MT_NEW_N (w->arena, MtVal, width (a));
   bool extreme = is_form (a, MT_ACC_EXTREME);
   if (extreme && mt_is_nullish (v))
      return true;
   for (uint32_t i = 0; i < a->key_count; i++) {
      if (extreme)
         row[i] = v;
      else if (!mt_eval (a->keys[i], w, &row[i]))
         return false;
      else
         row[i] = mt_sort_key (row[i], a->dirs[i]);
   }
   row[a->key_count] = v.type == MT_MISSING ? mt_v_null () : v;
   top_put (a, t, state, row, w->seq, w);
   return true;
}

bool mt_top_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   const MtAccTop *f = from;
   for (uint32_t i = 0; i < f->n; i++)
      top_put (a, t, into, f->v + (size_t) i * width (a), f->seq[i], w);
   return true;
}

bool mt_top_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const MtAccTop *s = state;
   uint32_t wd = width (a);
   if (is_form (a, MT_ACC_SINGLE)) {
      *out = s->n ? s->v[a->key_count] : mt_v_null ();
      return true;
   }
   MtVal *list = MT_NEW_N (w->arena, MtVal, s->n + 1u);
   bool reverse = is_form (a, MT_ACC_EXTREME | MT_ACC_LAST);
   for (uint32_t i = 0; i < s->n; i++)
      list[reverse ? s->n - 1 - i : i] = s->v[(size_t) i * wd + a->key_count];
   return mt_v_make_array (w->arena, list, s->n, out, &w->err);
}

bool mt_top_save (const MtAcc *a, const void *state, MtWork *w, MtBson *b)
{
   const MtAccTop *s = state;
   mt_bson_bytes (b, &s->n, 4);
   mt_bson_bytes (b, s->seq, (size_t) s->n * 8);
   for (uint32_t i = 0; i < s->n * width (a); i++) {
      if (!mt_tick (w))
         return false;
      mt_pack (b, s->v[i]);
   }
   return true;
}

bool mt_top_load (const MtAcc *a, MtGroupTable *t, void *state, const uint8_t **p,
                  const uint8_t *end, MtWork *w)
{
   MtAccTop *s = state;
   uint32_t n;
   *s = (MtAccTop) {0};
   if (end - *p < 4)
      return false;
   memcpy (&n, *p, 4);
   *p += 4;
   if ((size_t) (end - *p) < (size_t) n * 8)
      return false;
   s->n = s->cap = n;
   s->seq = MT_NEW_N (t->arena, uint64_t, n + 1u);
   s->v = MT_NEW_N (t->arena, MtVal, (size_t) n * width (a) + 1);
   if (n)
      memcpy (s->seq, *p, (size_t) n * 8);
   *p += (size_t) n * 8;
   for (uint32_t i = 0; i < n * width (a); i++) {
      if (!mt_tick (w) || !mt_unpack (p, end, &s->v[i]))
         return false;
      s->v[i] = mt_acc_own (t, s->v[i]);
   }
   return true;
}

/* ---- parsing ---- */

/* Parses the argument n of an accumulator such as $firstN. missing: MongoDB's error code if there
 * is none. */
static bool parse_n (MtCompile *c, MtAcc *a, MtVal n, int32_t missing)
{
   MtExecExpr *e = n.type == MT_MISSING ? NULL : mt_expr_parse (c, n);
   if (!e && mt_error_is_set (c->err))
      return false;
   a->n = 0;
   if (e && e->kind == MT_EX_CONST)
      a->n = e->value.type == MT_DOUBLE ? (int64_t) e->value.d : e->value.i;
   if (!e || !mt_is_number (e->value) || e->value.type == MT_DECIMAL || a->n < 1 || a->n > 1000000)
      return mt_bad (c,
                     MT_CODE_IF ({n.type == MT_MISSING, missing},
                                 {e && mt_is_number (e->value) && a->n < 1, 5787908},
                                 {true, 5787902}),
                     "'n' of %s must be a constant integer from 1 to 1000000", a->row->name);
   return true;
}

bool mt_n_parse (MtCompile *c, MtAcc *a, MtVal spec)
{
   MtVal input = spec.type == MT_DOC ? mt_doc_field (spec, "input") : mt_v_missing ();
   if (spec.type == MT_DOC && mt_doc_field (spec, "n").type == MT_MISSING)
      return mt_bad (c, 5787906, "%s requires an 'n' field", a->row->name);
   if (input.type == MT_MISSING || mt_doc_count (spec) != 2)
      return mt_bad (c,
                     MT_CODE_IF ({spec.type != MT_DOC, 5787900},
                                 {input.type == MT_MISSING, 5787907}, {true, 5787901}),
                     "%s needs an object with 'input' and 'n'", a->row->name);
   bool extreme = is_form (a, MT_ACC_EXTREME);
   a->key_count = extreme;
   a->dirs = MT_NEW_N (c->arena, int8_t, 1);
   a->keys = MT_NEW_N (c->arena, MtExecExpr *, 1);
   a->keys[0] = mt_expr_const (c, mt_v_null ());
   a->dirs[0] = 1;
   return parse_n (c, a, mt_doc_field (spec, "n"), 5787906) &&
          (a->arg = mt_expr_parse (c, input)) != NULL;
}

bool mt_top_parse (MtCompile *c, MtAcc *a, MtVal spec)
{
   const char *name = a->row->name;
   MtVal by = spec.type == MT_DOC ? mt_doc_field (spec, "sortBy") : mt_v_missing ();
   MtVal output = spec.type == MT_DOC ? mt_doc_field (spec, "output") : mt_v_missing ();
   bool single = is_form (a, MT_ACC_SINGLE);
   a->n = 1;
   int32_t wrong = MT_CODE_IF ({spec.type != MT_DOC, 5788001},
                               {!single && mt_doc_field (spec, "n").type == MT_MISSING, 5788003},
                               {output.type == MT_MISSING, 5788004},
                               {by.type == MT_MISSING, 5788005}, {by.type != MT_DOC, 5788604},
                               {mt_doc_count (spec) != (single ? 2u : 3u), 5788002});
   if (wrong)
      return mt_bad (c, wrong, "%s needs an object with %s'sortBy' and 'output'", name,
                     single ? "" : "'n', ");
   if (!single && !parse_n (c, a, mt_doc_field (spec, "n"), 5788003))
      return false;
   size_t n = mt_doc_count (by);
   a->keys = MT_NEW_N (c->arena, MtExecExpr *, n + 1);
   a->dirs = MT_NEW_N (c->arena, int8_t, n + 1);
   MtDocIter it = mt_doc_iter (by);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v)) {
      bool up = mt_is_number (v) && mt_v_compare_numbers (v, mt_v_int32 (1)) == 0;
      if (!up && !(mt_is_number (v) && mt_v_compare_numbers (v, mt_v_int32 (-1)) == 0))
         return mt_bad (c, 15975, "sort key ordering of %s must be 1 or -1", name);
      a->dirs[a->key_count] = up ? 1 : -1;
      if (!(a->keys[a->key_count++] = mt_expr_field (c, mt_strndup (c->arena, key.p, key.n))))
         return false;
   }
   return (a->arg = mt_expr_parse (c, output)) != NULL;
}
