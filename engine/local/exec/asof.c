/* The stage $_mtAsof: joins rows of two kinds, which are sorted by keys and time. Each row of the
 * first kind is joined with the last row of the other kind before it that has the same keys.
 *
 *    {"$_mtAsof": {"keys": [expressions], "time": expression, "other": expression,
 *                  "input": [names], "fields": [names], "tolerance": number, "keepLeft": true}}
 *
 * A row is of the other kind if `other` is true. The stage stores only the last row of the other
 * kind. Rows of the first kind are pushed with their own fields `input` and the stored row's fields
 * `fields`. A null key equals no key. tolerance: the times must not differ by more than this (in
 * milliseconds if they are dates). keepLeft: rows without a partner are also pushed, without
 * `fields`. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"
#include "engine/local/exec/stages.h"

#include <stdlib.h>

typedef struct AsofNode {
   MtExecNode n;
   MtExecExpr **keys; /* expressions of the keys, and last the time */
   uint32_t key_count;
   MtExecExpr *other;
   uint32_t *from;     /* slots (positions in the row) of the fields, for other rows */
   MtExecVar **fields; /* variables of the same fields in output rows */
   uint32_t field_count;
   bool keep_left;
   bool tolerates;
   int64_t tolerance;
} AsofNode;

typedef struct AsofState {
   MtArena *arena; /* memory of the last row of the other kind */
   bool waits;
   MtVal *now;           /* values of keys and time of the current row */
   MtVal *keys, *values; /* values of the last row of the other kind */
   int64_t time;         /* its time */
} AsofState;

static AsofState *state_of (const AsofNode *n, MtWork *w)
{
   AsofState *st = w->state[n->n.id];
   if (st)
      return st;
   w->state[n->n.id] = st = mt_x_calloc (1, sizeof *st);
   st->arena = mt_arena_new ("asof", NULL);
   st->now = mt_x_calloc (2u * n->key_count + n->field_count + 2u, sizeof *st->now);
   st->keys = st->now + n->key_count + 1;
   st->values = st->keys + n->key_count;
   return st;
}

static void asof_drop (const MtExecNode *n, MtWork *w)
{
   AsofState *st = w->state[n->id];
   mt_arena_free (st->arena);
   free (st->now);
   free (st);
   w->state[n->id] = NULL;
}

static MtVal own (MtArena *a, MtVal v) { return mt_bytes_len (v) ? mt_v_copy (a, v) : v; }

static bool wait_for_others (const AsofNode *n, AsofState *st, MtWork *w)
{
   mt_arena_reset (st->arena);
   w->epoch++;
   for (uint32_t i = 0; i < n->key_count; i++)
      st->keys[i] = own (st->arena, st->now[i]);
   for (uint32_t i = 0; i < n->field_count; i++) {
      if (!mt_x_verify (w, w->slots[n->from[i]]))
         return false;
      st->values[i] = own (st->arena, w->slots[n->from[i]]);
   }
   st->time = st->now[n->key_count].i;
   st->waits = true;
   return true;
}

/* Returns whether the time of the current row and that of the last row of the other kind differ by
 * at most the tolerance. */
static bool is_near (const AsofNode *n, const AsofState *st)
{
   int64_t away;
   return !n->tolerates || (!__builtin_sub_overflow (st->now[n->key_count].i, st->time, &away) &&
                            away <= n->tolerance && away >= -n->tolerance);
}

static bool belong_together (const AsofNode *n, const AsofState *st)
{
   bool same = st->waits && is_near (n, st);
   for (uint32_t i = 0; i < n->key_count && same; i++)
      same = mt_x_compare (st->keys[i], st->now[i]) == 0;
   return same;
}

static MtFlow asof_push (const MtExecNode *node, MtWork *w)
{
   const AsofNode *n = (const AsofNode *) node;
   AsofState *st = state_of (n, w);
   bool whole = true;
   MtVal other;
   w->count[node->id].in++;
   if (!mt_tick (w) || !mt_eval (n->other, w, &other))
      return MT_FAIL;
   for (uint32_t i = 0; i <= n->key_count; i++) {
      if (!mt_eval (n->keys[i], w, &st->now[i]))
         return MT_FAIL;
      whole = whole && !mt_is_nullish (st->now[i]);
   }
   if (mt_truthy (other))
      return !whole || wait_for_others (n, st, w) ? MT_GO : MT_FAIL;
   bool found = whole && belong_together (n, st);
   if (!found && !n->keep_left)
      return MT_GO;
   for (uint32_t i = 0; i < n->field_count; i++)
      w->slots[n->fields[i]->slot] = found ? st->values[i] : mt_v_missing ();
   return mt_next (node, w);
}

/* ---- compiling ---- */

static bool parse_keys (MtCompile *c, MtVal spec, AsofNode *n)
{
   size_t count;
   MtVal *list = mt_v_elements (c->arena, mt_doc_field (spec, "keys"), &count);
   n->key_count = (uint32_t) count;
   n->keys = MT_NEW_N (c->arena, MtExecExpr *, count + 1);
   for (size_t i = 0; i <= count; i++)
      if (!(n->keys[i] = mt_expr_parse (c, i < count ? list[i] : mt_doc_field (spec, "time"))))
         return false;
   return (n->other = mt_expr_parse (c, mt_doc_field (spec, "other"))) != NULL;
}

/* Stores in n the slots (positions in the row) that contain the fields `names` of input rows. *out:
 * the names. */
static bool find_fields (MtCompile *c, MtVal names, AsofNode *n, const char **out)
{
   for (size_t i = 0; i < n->field_count; i++) {
      MtVal name = mt_doc_at (names, i);
      if (name.type != MT_STRING)
         return mt_bad (c, 0, "the fields of %s must be names", c->stage);
      out[i] = mt_strndup (c->arena, (const char *) name.p, name.len);
      n->from[i] = mt_shape_slot (c, mt_shape_get (c, c->root, out[i]), (int) c->node_count);
      if (c->failed || n->from[i] == MT_NO_SLOT)
         return false;
   }
   return true;
}

bool mt_stage_asof (MtCompile *c, MtVal spec)
{
   MtVal most = spec.type == MT_DOC ? mt_doc_field (spec, "tolerance") : mt_v_missing ();
   AsofNode plan = {.keep_left = spec.type == MT_DOC && mt_truthy (mt_doc_field (spec, "keepLeft")),
                    .tolerates = most.type == MT_INT64,
                    .tolerance = most.i};
   if (spec.type != MT_DOC || mt_doc_field (spec, "keys").type != MT_ARRAY ||
       mt_doc_field (spec, "time").type == MT_MISSING ||
       mt_doc_field (spec, "other").type == MT_MISSING ||
       mt_doc_field (spec, "input").type != MT_ARRAY ||
       mt_doc_field (spec, "fields").type != MT_ARRAY)
      return mt_bad (
         c, 0,
         "the $_mtAsof stage needs 'keys', 'time' and 'other', and the names of both rows' fields");
   MtVal fields = mt_doc_field (spec, "fields");
   plan.field_count = (uint32_t) mt_doc_count (fields);
   plan.from = MT_NEW_N (c->arena, uint32_t, plan.field_count + 1u);
   plan.fields = MT_NEW_N (c->arena, MtExecVar *, plan.field_count + 1u);
   const char **names = MT_NEW_N (c->arena, const char *, plan.field_count + 1u);
   MtShape *in = c->root;
   if (!parse_keys (c, spec, &plan) || !find_fields (c, fields, &plan, names) ||
       !mt_pair_input (c, mt_doc_field (spec, "input"), false))
      return false;
   AsofNode *n = (AsofNode *) mt_node_new (c, sizeof *n, NULL, asof_push);
   MtExecNode node = n->n;
   *n = plan;
   n->n = node;
   n->n.serial = true;
   n->n.drop = asof_drop;
   for (uint32_t i = 0; i < n->field_count; i++) {
      n->fields[i] = mt_var_new (c, n->n.pos, false);
      mt_shape_put (c, c->root, names[i], mt_shape_var (c, n->fields[i]), false);
      mt_slot_use (c, n->from[i], n->n.pos);
   }
   for (uint32_t i = 0; i <= n->key_count; i++)
      if (!mt_expr_bind (c, n->keys[i], in, c->scope, n->n.pos))
         return false;
   return mt_expr_bind (c, n->other, in, c->scope, n->n.pos);
}
