/* The stage $densify: adds documents where a field of numbers or dates has gaps.
 *
 * The documents are first sorted by partition and by the field. So the documents of a partition
 * follow each other, and each missing value is added between its neighbours. For the bounds "full",
 * a window over all documents first finds the least and the greatest value. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"
#include "engine/local/stage/stage_int.h"

#include <stdlib.h>

#define ROWS_A_PUMP 512

typedef enum { FULL, PARTITION, EXPLICIT } Bounds;

typedef struct DensifyNode {
   MtExecNode n;
   Bounds bounds;
   MtVal step, unit; /* unit: a string, or missing for numbers */
   MtVal lower, upper;
   uint32_t *parts; /* positions in the row (slots) of the partition's values */
   uint32_t part_count;
   uint32_t value, whole;  /* slots of the field and of the whole document */
   uint32_t least, most;   /* FULL: slots of the bounds; MT_NO_SLOT: not used */
   MtExecVar *out;         /* the document that goes on */
   MtExecVar **made_parts; /* variables from which `made` builds a document */
   MtExecVar *made_value;
   MtShape *made;
} DensifyNode;

typedef struct DensifyState {
   bool any, begun, ended; /* begun: the partition has a next value to make */
   MtArena *part_arena, *next_arena, *own;
   MtVal *part; /* the partition's values */
   MtVal next, upper;
   uint64_t made;
} DensifyState;

static DensifyState *state_of (const DensifyNode *d, MtWork *w)
{
   DensifyState *st = w->state[d->n.id];
   if (st)
      return st;
   w->state[d->n.id] = st = mt_x_calloc (1, sizeof *st);
   st->part = mt_x_calloc (d->part_count + 1u, sizeof *st->part);
   st->part_arena = mt_arena_new ("densify", NULL);
   st->next_arena = mt_arena_new ("densify", NULL);
   st->own = mt_arena_new ("densify", NULL);
   return st;
}

static void densify_drop (const MtExecNode *n, MtWork *w)
{
   DensifyState *st = w->state[n->id];
   mt_arena_free (st->part_arena);
   mt_arena_free (st->next_arena);
   mt_arena_free (st->own);
   free (st->part);
   free (st);
   w->state[n->id] = NULL;
}

/* ---- making documents ---- */

/* Sets st->next, the next value that needs a document, to a copy of v. The copy remains valid when
 * the memory of the current rows is reset. */
static void set_next (DensifyState *st, MtVal v)
{
   uint8_t decimal[16];
   uint32_t n = mt_bytes_len (v);
   if (n && n <= sizeof decimal)
      v.p = memcpy (decimal, v.p, n);
   mt_arena_reset (st->next_arena);
   st->next = mt_x_own (st->next_arena, v);
}

static bool advance (const DensifyNode *d, DensifyState *st, MtWork *w)
{
   MtVal v;
   if (d->unit.type == MT_MISSING) {
      if (!mt_op_arith (&w->ev, "$add", st->next, d->step, &v))
         return false;
   } else {
      const MtOpRow *row = mt_op_row (mt_ops_date, "$dateAdd");
      MtVal args[4] = {st->next, d->unit, d->step, mt_v_missing ()};
      w->ev.user = row->user;
      if (!row->fn (&w->ev, args, 4, &v))
         return false;
   }
   /* The step is so small that adding it does not change the value, so the loop would never end. */
   if (mt_v_compare (v, st->next) <= 0)
      return mt_error_coded (&w->err, MT_E_NUMERIC_RANGE, 5733401,
                             "the step of $densify is too small for %s", mt_v_type_name (v));
   set_next (st, v);
   return true;
}

static MtFlow make (const DensifyNode *d, DensifyState *st, MtWork *w)
{
   for (uint32_t i = 0; i < d->part_count; i++)
      w->slots[d->made_parts[i]->slot] = st->part[i];
   w->slots[d->made_value->slot] = st->next;
   if (!mt_build_here (w, d->made, &w->slots[d->out->slot]) ||
       !mt_bind (w, d->out, &w->count[d->n.id]))
      return MT_FAIL;
   w->seq++;
   MtFlow flow = mt_next (&d->n, w);
   if (mt_rows_weigh (st->own, ++st->made))
      mt_arena_reset (st->own);
   w->epoch++;
   return flow == MT_GO && !advance (d, st, w) ? MT_FAIL : flow;
}

/* Returns whether the next value lies within the bounds. An array [lower, upper] excludes `upper`;
 * "full" includes the greatest value; "partition" has no end of its own, so it is always true. */
static bool inside (const DensifyNode *d, const DensifyState *st)
{
   int sign = d->bounds == PARTITION ? 1 : mt_v_compare (st->next, st->upper);
   return st->begun && (d->bounds == FULL ? sign <= 0 : sign < 0);
}

/* Adds documents for at most `most` missing values of the current partition. If `before` isn't
 * NULL, adds only values less than *before, and otherwise only values within the bounds. */
static MtFlow make_some (const DensifyNode *d, DensifyState *st, MtWork *w, const MtVal *before,
                         uint64_t most)
{
   MtArena *outer = w->arena;
   MtFlow flow = MT_GO;
   w->arena = w->ev.arena = st->own;
   for (uint64_t i = 0; i < most && flow == MT_GO; i++) {
      if (before ? !st->begun || mt_v_compare (st->next, *before) >= 0 ||
                      (d->bounds == EXPLICIT && !inside (d, st))
                 : !inside (d, st))
         break;
      flow = mt_tick (w) ? make (d, st, w) : MT_FAIL;
   }
   w->arena = w->ev.arena = outer;
   return flow;
}

/* ---- rows in ---- */

static bool same_part (MtVal a, MtVal b)
{
   return (mt_is_nullish (a) && mt_is_nullish (b)) || mt_x_compare (a, b) == 0;
}

/* If the current row begins a new partition, adds the missing documents up to the end of the
 * previous partition, and starts the new one. */
static MtFlow enter (const DensifyNode *d, DensifyState *st, MtWork *w)
{
   bool same = st->any;
   for (uint32_t i = 0; i < d->part_count && same; i++)
      same = same_part (st->part[i], w->slots[d->parts[i]]);
   if (same)
      return MT_GO;
   MtFlow flow = make_some (d, st, w, NULL, UINT64_MAX);
   mt_arena_reset (st->part_arena);
   for (uint32_t i = 0; i < d->part_count; i++)
      st->part[i] = mt_x_own (st->part_arena, w->slots[d->parts[i]]);
   st->any = true;
   st->begun = false;
   return flow;
}

static bool check (const DensifyNode *d, MtVal v, MtWork *w)
{
   bool dates = d->unit.type != MT_MISSING;
   if (dates ? v.type == MT_DATE : mt_is_number (v))
      return true;
   if (v.type == MT_DATE)
      return mt_error_coded (&w->err, MT_E_PARAMETER, 6053600,
                             "$densify step must have a unit if the field is a date");
   return mt_error_coded (&w->err, MT_E_PARAMETER, mt_is_number (v) ? 6053600 : 5733201,
                          "$densify field must be %s, but it was %s",
                          dates ? "a date, because the step has a unit" : "numeric",
                          mt_v_type_name (v));
}

static MtVal first_of (const DensifyNode *d, MtWork *w, MtVal v)
{
   if (d->bounds == PARTITION)
      return v;
   return d->bounds == FULL ? w->slots[d->least] : d->lower;
}

static MtFlow densify_push (const MtExecNode *n, MtWork *w)
{
   const DensifyNode *d = (const DensifyNode *) n;
   DensifyState *st = state_of (d, w);
   MtVal v = w->slots[d->value];
   w->count[n->id].in++;
   if (!mt_is_nullish (v)) {
      if (!check (d, v, w))
         return MT_FAIL;
      MtFlow flow = enter (d, st, w);
      if (flow != MT_GO)
         return flow;
      if (!st->begun) {
         set_next (st, first_of (d, w, v));
         st->upper = d->bounds == FULL ? mt_x_own (st->part_arena, w->slots[d->most]) : d->upper;
         st->begun = true;
      }
      flow = make_some (d, st, w, &v, UINT64_MAX);
      if (flow != MT_GO)
         return flow;
      if (mt_v_compare (v, st->next) == 0 && !advance (d, st, w))
         return MT_FAIL;
   }
   w->slots[d->out->slot] = w->slots[d->whole];
   return mt_bind (w, d->out, &w->count[n->id]) ? mt_next (n, w) : MT_FAIL;
}

static MtFlow densify_finish (const MtExecNode *n, MtWork *w)
{
   const DensifyNode *d = (const DensifyNode *) n;
   DensifyState *st = state_of (d, w);
   st->ended = true;
   if (!st->any && d->bounds == EXPLICIT) { /* the whole range, without the partition's fields */
      for (uint32_t i = 0; i < d->part_count; i++)
         st->part[i] = mt_v_missing ();
      st->begun = true;
      set_next (st, d->lower);
      st->upper = d->upper;
   }
   return MT_GO;
}

/* Called after the last row. Adds up to ROWS_A_PUMP of the documents still missing in the last
 * partition. *any is true if there were any. */
static MtFlow densify_pump (const MtExecNode *n, MtWork *w, bool *any)
{
   const DensifyNode *d = (const DensifyNode *) n;
   DensifyState *st = state_of (d, w);
   *any = st->ended && inside (d, st);
   return *any ? make_some (d, st, w, NULL, ROWS_A_PUMP) : MT_GO;
}

/* ---- compiling ---- */

/* Parses `bounds`, an array [lower, upper] of two dates or two numbers, into d->lower and
 * d->upper. */
static bool parse_pair (MtCompile *c, MtVal bounds, DensifyNode *d)
{
   d->bounds = EXPLICIT;
   d->lower = mt_v_copy (c->arena, mt_doc_at (bounds, 0));
   d->upper = mt_v_copy (c->arena, mt_doc_at (bounds, 1));
   bool dates = d->lower.type == MT_DATE && d->upper.type == MT_DATE,
        numbers = mt_is_number (d->lower) && mt_is_number (d->upper);
   if (mt_doc_count (bounds) != 2 || (!dates && !numbers) || mt_v_compare (d->lower, d->upper) > 0)
      return mt_bad (c, 5733402,
                     "a bounding array must be an ascending array of either two dates or two "
                     "numbers");
   if (numbers && d->unit.type != MT_MISSING)
      return mt_bad (c, 5733409, "numeric bounds may not have unit parameter");
   if (dates && d->unit.type == MT_MISSING)
      return mt_bad (c, 5733410, "a bounding array of dates must specify a unit");
   return dates || (d->lower.type == d->upper.type && d->lower.type == d->step.type) ||
          mt_bad (c, 5876900, "upper bound, lower bound, and step must all have the same type");
}

static bool parse_range (MtCompile *c, MtVal range, DensifyNode *d)
{
   static const char *const names[] = {"step", "unit", "bounds", NULL};
   MtVal bounds = range.type == MT_DOC ? mt_doc_field (range, "bounds") : mt_v_missing ();
   if (!mt_stage_fields (c, range, names, range.type == MT_MISSING ? 40414 : MT_CODE_TYPE_MISMATCH,
                         40415))
      return false;
   d->step = mt_v_copy (c->arena, mt_doc_field (range, "step"));
   d->unit = mt_v_copy (c->arena, mt_doc_field (range, "unit"));
   if (!mt_is_number (d->step) || mt_v_compare (d->step, mt_v_int32 (0)) <= 0)
      return mt_bad (c, 5733401,
                     "the step parameter in a range statement must be a strictly positive "
                     "numeric value");
   if (d->unit.type != MT_MISSING) {
      MtVal args[4] = {mt_v_date (0), d->unit, d->step, mt_v_missing ()}, date;
      const MtOpRow *row = mt_op_row (mt_ops_date, "$dateAdd");
      MtEval ev = {.arena = c->arena, .err = c->err, .user = row->user};
      if (!row->fn (&ev, args, 4, &date)) /* checks the unit, and that the step is whole */
         return false;
   }
   if (bounds.type == MT_ARRAY)
      return parse_pair (c, bounds, d);
   d->bounds = mt_v_is_text (bounds, "full") ? FULL : PARTITION;
   return d->bounds == FULL || mt_v_is_text (bounds, "partition") ||
          mt_bad (c, 5733402,
                  "the bounds in a range statement must be the string 'full', 'partition', or an "
                  "ascending array of two numbers or two dates");
}

static bool parse_path (MtCompile *c, MtVal v, MtPath *out)
{
   if (v.type != MT_STRING || !v.len || v.p[0] == '$')
      return mt_bad (c,
                     MT_CODE_IF ({v.type == MT_MISSING, 40414},
                                 {v.type != MT_STRING, MT_CODE_TYPE_MISMATCH}, {v.len > 0, 16410},
                                 {true, 40352}),
                     "$densify takes names of fields, without $");
   return mt_path_parse (c, mt_strndup (c->arena, (const char *) v.p, v.len), out);
}

static bool is_below (const MtPath *a, const MtPath *b)
{
   uint32_t n = a->count < b->count ? a->count : b->count;
   for (uint32_t i = 0; i < n; i++)
      if (strcmp (a->part[i], b->part[i]) != 0)
         return false;
   return true;
}

/* Appends to the compiled pipeline a window node that computes the least and the greatest value of
 * `field` over all documents. *out are its two variables. */
static bool find_bounds (MtCompile *c, MtVal field, MtWindowOutput **out)
{
   MtBson b = {.arena = c->arena};
   MtWindowOrder order = {0};
   uint32_t count;
   const char *path = mt_printf (c->arena, "$%.*s", (int) field.len, (const char *) field.p);
   mt_bson_begin (&b);
   mt_bson_printf (&b, "least: {$min: %s}, most: {$max: %s}", path, path);
   mt_bson_end (&b, 0);
   return mt_memory_check (c->err) &&
          mt_window_outputs (c, &order, mt_bson_part (&b, 0, MT_DOC), out, &count);
}

/* Appends the $densify node. The stages after it read the documents that the node returns.
 * `bounds`: the variables of find_bounds, or NULL if the bounds aren't "full". */
static bool add_node (MtCompile *c, const DensifyNode *plan, const MtPath *parts,
                      const MtPath *field, const MtWindowOutput *bounds)
{
   int pos = (int) c->node_count;
   DensifyNode d = *plan;
   for (uint32_t i = 0; i < d.part_count; i++)
      d.parts[i] = mt_shape_slot (c, mt_shape_path (c, c->root, &parts[i]), pos);
   d.value = mt_shape_slot (c, mt_shape_path (c, c->root, field), pos);
   d.whole = mt_shape_slot (c, c->root, pos);
   d.least = bounds ? mt_shape_slot (c, mt_shape_var (c, bounds[0].var), pos) : MT_NO_SLOT;
   d.most = bounds ? mt_shape_slot (c, mt_shape_var (c, bounds[1].var), pos) : MT_NO_SLOT;
   if (c->failed || d.value == MT_NO_SLOT || d.whole == MT_NO_SLOT)
      return false;
   DensifyNode *n = (DensifyNode *) mt_node_new (c, sizeof *n, NULL, densify_push);
   d.n = n->n;
   *n = d;
   n->n.serial = true;
   n->n.finish = densify_finish;
   n->n.pump = densify_pump;
   n->n.drop = densify_drop;
   pos = n->n.pos;
   n->out = mt_var_new (c, pos, false);
   n->made = mt_shape_doc (c, NULL, false);
   n->made_parts = MT_NEW_N (c->arena, MtExecVar *, d.part_count + 1u);
   for (uint32_t i = 0; i < d.part_count; i++) {
      n->made_parts[i] = mt_var_new (c, pos, false);
      n->made = mt_shape_with (c, n->made, &parts[i], 0, mt_shape_var (c, n->made_parts[i]), false);
   }
   n->made_value = mt_var_new (c, pos, false);
   n->made = mt_shape_with (c, n->made, field, 0, mt_shape_var (c, n->made_value), false);
   c->root = mt_shape_var (c, n->out);
   return !c->failed;
}

/* Parses partitionByFields into `parts`, and appends a sort by these paths and then by `field`. */
static bool sort_all (MtCompile *c, MtVal fields, DensifyNode *d, MtPath *parts,
                      const MtPath *field)
{
   size_t n;
   MtVal *names = mt_v_elements (c->arena, fields, &n);
   MtSorting s = mt_sorting_begin (c);
   d->parts = MT_NEW_N (c->arena, uint32_t, n + 1);
   if (fields.type != MT_ARRAY && fields.type != MT_MISSING)
      return mt_bad (c, MT_CODE_TYPE_MISMATCH,
                     "partitionByFields of $densify must be an array of field names");
   for (size_t i = 0; i < n; i++) {
      if (!parse_path (c, names[i], &parts[i]))
         return false;
      if (is_below (&parts[i], field))
         return mt_bad (c, 8993000, "partitionByFields of $densify cannot contain the field");
      mt_sorting_add (c, &s, mt_printf (c->arena, "%zu", i), mt_shape_path (c, c->root, &parts[i]),
                      mt_v_int32 (1));
   }
   d->part_count = (uint32_t) n;
   if (d->bounds == PARTITION && !n)
      return mt_bad (c, 5733408,
                     "one cannot specify the bounds as 'partition' without specifying a non-empty "
                     "array of partitionByFields");
   mt_sorting_add (c, &s, "field", mt_shape_path (c, c->root, field), mt_v_int32 (1));
   return !c->failed && mt_sorting_end (c, &s);
}

bool mt_stage_densify (MtCompile *c, MtVal spec)
{
   static const char *const names[] = {"field", "partitionByFields", "range", NULL};
   DensifyNode plan = {0};
   MtWindowOutput *bounds = NULL;
   MtPath field;
   if (!mt_stage_fields (c, spec, names, MT_CODE_FAILED_TO_PARSE, 40415))
      return false;
   MtVal by = mt_doc_field (spec, "field"), fields = mt_doc_field (spec, "partitionByFields");
   MtPath *parts = MT_NEW_N (c->arena, MtPath, mt_doc_count (fields) + 1);
   return parse_path (c, by, &field) && parse_range (c, mt_doc_field (spec, "range"), &plan) &&
          (plan.bounds != FULL || find_bounds (c, by, &bounds)) &&
          sort_all (c, fields, &plan, parts, &field) && add_node (c, &plan, parts, &field, bounds);
}
