/* The stage $_mtJoin: joins the input rows with the rows of another pipeline. SQL's joins use this
 * stage.
 *
 *    {"$_mtJoin": {"coll": …, "pipeline": […], "left": [keys], "right": [keys], "on": condition,
 *                  "input": [names], "fields": [names], "keepLeft": true, "keepRight": true,
 *                  "$_mtRemote": […]}}
 *
 * An input row and a row of the other pipeline are a pair if all their keys are equal, and `on`, a
 * condition over the fields of both rows, is true. A null or missing key equals no key. The output
 * has the input row's fields `input`, and the other row's fields `fields`. keepLeft: input rows
 * without a partner are also pushed, without `fields`. keepRight: the other pipeline's rows without
 * a partner are also pushed, without `input`. Without `coll`, the pipeline begins with documents of
 * its own. mark (with keepLeft): each input row is pushed once, and the field `mark` is true if the
 * row had a partner. single: a second partner is an error. $_mtRemote: stages that the collection's
 * server runs first.
 *
 * The other pipeline's rows are in a hash table in memory. If they exceed work_mem, the rows of
 * both sides are written to streams of one file, by the hash of their keys. Then each stream of
 * input rows is joined with the stream of other rows that has the same hashes. Since any number of
 * rows may have the same key, a stream is loaded in parts that fit into memory. */
#include "base/streams.h"
#include "base/temporary.h"
#include "engine/local/expr/expr.h"
#include "engine/local/group/group.h"
#include "engine/local/exec/run.h"
#include "engine/local/expr/shape.h"
#include "engine/local/exec/stages.h"

#include <stdlib.h>

/* The number of streams in the file for each side of the join. */
#define PARTS 32u

typedef struct JoinNode {
   MtExecNode n;
   const char *coll;
   MtVal remote, pipeline;
   MtExecExpr **left, **right;
   uint32_t key_count;
   MtExecExpr *on; /* the condition `on`; NULL: none */
   bool keep_left, keep_right, single;
   MtExecVar *mark; /* the variable of the field `mark`; NULL: not given */
   MtExecVar *row;  /* the variable of the other pipeline's row */
   uint32_t *carry; /* slots of the input row that later nodes read */
   uint32_t carry_count;
} JoinNode;

typedef struct Entry {
   uint64_t hash;
   size_t at;     /* offset of the document in `rows` */
   uint32_t next; /* number + 1 of the next entry in the same bucket */
   bool keyed, hit;
} Entry;

typedef struct JoinState {
   bool loaded, spilled;
   MtArena *arena; /* memory that later stages use for a pair of rows */
   MtBson rows;
   Entry *entries;
   uint32_t n, cap;
   uint32_t *first, mask;
   MtVal *keys, *row_keys;
   MtStreams *file; /* PARTS streams of input rows, then PARTS streams of the other rows */
   MtBson packed;   /* memory for a row that is written to or read from a file */
   uint64_t *seen;  /* bitmap of the input rows of a stream that had a partner */
   size_t seen_words;
   uint32_t pairs;
} JoinState;

/* ---- keys ---- */

/* Evaluates the keys of a row, and stores them in `out`. Sets *whole if no key is null or
 * missing. */
static bool eval_keys (MtExecExpr *const *list, uint32_t n, MtWork *w, MtVal *out, bool *whole)
{
   *whole = true;
   for (uint32_t i = 0; i < n; i++) {
      if (!mt_eval (list[i], w, &out[i]))
         return false;
      *whole = *whole && !mt_is_nullish (out[i]);
   }
   return true;
}

static bool bind_row (const JoinNode *j, MtWork *w, const uint8_t *doc)
{
   w->slots[j->row->slot] = (MtVal) {.type = MT_DOC, .len = mt_get32 (doc), .p = doc};
   return mt_bind (w, j->row, &w->count[j->n.id]);
}

/* ---- the other pipeline's rows in memory ---- */

static void forget (JoinState *st)
{
   st->n = 0;
   st->rows.n = 0;
}

static bool add_row (JoinState *st, const uint8_t *doc, uint64_t hash, bool keyed, MtError *err)
{
   uint32_t len = mt_get32 (doc);
   if (!MT_TRY_GROW ("pipeline", st->entries, st->n, st->cap, 256))
      return mt_memory_check (err);
   st->entries[st->n++] = (Entry) {.hash = hash, .at = st->rows.n, .keyed = keyed};
   mt_bson_bytes (&st->rows, doc, len);
   return mt_memory_check (err);
}

static size_t memory_of (const JoinState *st)
{
   return st->rows.n + st->n * (sizeof (Entry) + 2 * sizeof (uint32_t));
}

static bool index_rows (JoinState *st, MtError *err)
{
   uint32_t mask = 15;
   while (mask < st->n)
      mask = mask * 2 + 1;
   st->mask = mask;
   free (st->first);
   st->first = mt_try_calloc ("join", (size_t) mask + 1, sizeof *st->first);
   if (!st->first)
      return mt_memory_check (err);
   for (uint32_t i = st->n; i-- > 0;) {
      Entry *e = &st->entries[i];
      if (!e->keyed)
         continue;
      e->next = st->first[e->hash & mask];
      st->first[e->hash & mask] = i + 1;
   }
   return true;
}

/* ---- streams in the file ---- */

static uint32_t part_of (const JoinNode *j, uint64_t hash)
{
   return j->key_count ? (uint32_t) (hash >> 40) % PARTS : 0;
}

static uint32_t part_count (const JoinNode *j) { return j->key_count ? PARTS : 1; }

static void pack_head (MtBson *b, uint64_t hash, bool keyed)
{
   uint8_t head[13] = {[12] = keyed};
   memcpy (head + 4, &hash, 8);
   b->n = 0;
   mt_bson_bytes (b, head, sizeof head);
}

static bool write_packed (JoinState *st, uint32_t number, MtWork *w)
{
   MtBson *b = &st->packed;
   uint32_t n = (uint32_t) b->n - 4;
   if (b->failed)
      return mt_memory_check (&w->err);
   memcpy (b->p, &n, 4);
   return mt_spill_stream (w, st->file, number, b->p, b->n);
}

/* Reads the next row of stream `number` into st->packed, without its length. *hash, *keyed: the
 * hash of its keys, and whether no key is null. Sets *end if there is no row. */
static bool read_packed (uint32_t number, JoinState *st, MtWork *w, uint64_t *hash, bool *keyed,
                         bool *end)
{
   uint32_t n;
   if (!mt_streams_next (st->file, number, &n, end, &w->err) || *end)
      return *end;
   st->packed.n = 0;
   if (!mt_bson_room (&st->packed, n))
      return mt_memory_check (&w->err);
   if (!mt_streams_read (st->file, number, st->packed.p, n, &w->err))
      return false;
   if (n < 9)
      return mt_temporary_damaged (&w->err);
   st->packed.n = n;
   memcpy (hash, st->packed.p, 8);
   *keyed = st->packed.p[8] != 0;
   return true;
}

static bool write_right (const JoinNode *j, JoinState *st, MtWork *w, const uint8_t *doc,
                         uint64_t hash, bool keyed)
{
   uint32_t len = mt_get32 (doc);
   pack_head (&st->packed, hash, keyed);
   mt_bson_bytes (&st->packed, doc, len);
   return write_packed (st, PARTS + (keyed ? part_of (j, hash) : 0), w);
}

static bool write_left (const JoinNode *j, JoinState *st, MtWork *w, uint64_t hash)
{
   pack_head (&st->packed, hash, true);
   for (uint32_t i = 0; i < j->carry_count; i++)
      mt_pack (&st->packed, w->slots[j->carry[i]]);
   return write_packed (st, part_of (j, hash), w);
}

static bool unpack_left (const JoinNode *j, JoinState *st, MtWork *w)
{
   const uint8_t *p = st->packed.p + 9, *end = st->packed.p + st->packed.n;
   for (uint32_t i = 0; i < j->carry_count; i++)
      if (!mt_unpack (&p, end, &w->slots[j->carry[i]]))
         return mt_temporary_damaged (&w->err);
   w->epoch++;
   return true;
}

static bool spill (const JoinNode *j, JoinState *st, MtWork *w)
{
   st->spilled = true;
   if (!(st->file = mt_streams_new (2 * PARTS, MT_SPILL_BLOCK_BYTES, &w->err)))
      return false;
   for (uint32_t i = 0; i < st->n; i++)
      if (!mt_tick (w) || !write_right (j, st, w, st->rows.p + st->entries[i].at,
                                        st->entries[i].hash, st->entries[i].keyed))
         return false;
   forget (st);
   return true;
}

/* ---- loading ---- */

static bool take_row (const JoinNode *j, JoinState *st, MtWork *w, const uint8_t *doc)
{
   bool keyed;
   if (!bind_row (j, w, doc) || !eval_keys (j->right, j->key_count, w, st->row_keys, &keyed))
      return false;
   if (!keyed && !j->keep_right)
      return true;
   uint64_t hash = keyed ? mt_group_hash (st->row_keys, j->key_count) : 0;
   if (st->spilled)
      return write_right (j, st, w, doc, hash, keyed);
   if (!add_row (st, doc, hash, keyed, &w->err))
      return false;
   return memory_of (st) <= w->exec->args.work_mem || spill (j, st, w);
}

static bool load (const JoinNode *j, JoinState *st, MtWork *w)
{
   MtCursor *cursor;
   const bson_t *doc = NULL;
   MtArena *outer = w->arena;
   bool ok = true;
   if (!mt_sub_open_split (w->exec, j->coll, j->remote, j->pipeline, &cursor, &w->err))
      return false;
   w->arena = w->ev.arena = st->arena;
   for (uint32_t i = 0; ok; i++) {
      ok = mt_tick (w) && mt_cursor_next (cursor, &doc, &w->err);
      if (!ok || !doc)
         break;
      ok = take_row (j, st, w, bson_get_data (doc));
      if (mt_rows_weigh (st->arena, i))
         mt_arena_reset (st->arena);
   }
   w->arena = w->ev.arena = outer;
   w->epoch++;
   mt_sub_close (w, &j->n, MT_WITHIN_ONCE, cursor);
   return ok && (st->spilled || index_rows (st, &w->err));
}

static JoinState *state_of (const JoinNode *j, MtWork *w)
{
   JoinState *st = w->state[j->n.id];
   if (!st) {
      st = mt_x_calloc (1, sizeof *st);
      st->arena = mt_arena_new ("join", NULL);
      st->keys = mt_x_calloc (2u * j->key_count + 1, sizeof *st->keys);
      st->row_keys = st->keys + j->key_count;
      w->state[j->n.id] = st;
   }
   if (!st->loaded && !load (j, st, w))
      return NULL;
   st->loaded = true;
   return st;
}

/* ---- pairs ---- */

/* Pushes a pair of rows to the next node. From time to time, frees the memory that later nodes used
 * for earlier pairs of the same input row. The input row itself is in other memory. */
static MtFlow pass_on (const JoinNode *j, JoinState *st, MtWork *w)
{
   MtFlow flow = mt_tick (w) ? mt_next (&j->n, w) : MT_FAIL;
   if (mt_rows_weigh (st->arena, ++st->pairs)) {
      mt_arena_reset (st->arena);
      w->epoch++;
   }
   return flow;
}

/* Pushes an input row without the fields of a partner: it has no partner, or the stage only sets
 * the field `mark`. had: the row had a partner, which is the value of `mark`. */
static MtFlow alone (const JoinNode *j, MtWork *w, bool had)
{
   static const uint8_t empty[5] = {5, 0, 0, 0, 0};
   if (j->mark)
      w->slots[j->mark->slot] = mt_v_bool (had);
   return bind_row (j, w, empty) ? mt_next (&j->n, w) : MT_FAIL;
}

/* Returns 1 if the current row of the other pipeline is a partner of the input row, 0 if not, and
 * -1 with w->err set on an error. */
static int is_pair (const JoinNode *j, JoinState *st, MtWork *w)
{
   bool whole;
   MtVal yes;
   if (!eval_keys (j->right, j->key_count, w, st->row_keys, &whole))
      return -1;
   for (uint32_t i = 0; i < j->key_count; i++)
      if (mt_x_compare (st->keys[i], st->row_keys[i]) != 0)
         return 0;
   if (!j->on)
      return 1;
   return mt_eval (j->on, w, &yes) ? mt_truthy (yes) : -1;
}

/* Pushes all pairs of the current input row, whose keys are in st->keys and have the hash `hash`.
 * *any: there was a pair. */
static MtFlow probe (const JoinNode *j, JoinState *st, MtWork *w, uint64_t hash, bool *any)
{
   MtArena *outer = w->arena;
   MtFlow flow = MT_GO;
   w->arena = w->ev.arena = st->arena;
   for (uint32_t i = st->first[hash & st->mask]; i && flow == MT_GO; i = st->entries[i - 1].next) {
      Entry *e = &st->entries[i - 1];
      if (e->hash != hash)
         continue;
      int pair = bind_row (j, w, st->rows.p + e->at) ? is_pair (j, st, w) : -1;
      if (pair < 0)
         flow = MT_FAIL;
      if (pair <= 0)
         continue;
      if (*any && j->single) {
         mt_error (&w->err, MT_E_CARDINALITY,
                   "more than one row returned by a subquery used as an expression");
         flow = MT_FAIL;
         continue;
      }
      *any = e->hit = true;
      if (j->mark)
         break; /* the caller pushes the input row with its mark */
      flow = pass_on (j, st, w);
   }
   if (flow == MT_GO && !mt_tick (w))
      flow = MT_FAIL;
   w->arena = w->ev.arena = outer;
   return flow;
}

static bool verify_input (const JoinNode *j, MtWork *w)
{
   for (uint32_t i = 0; i < j->carry_count; i++)
      if (!mt_x_verify (w, w->slots[j->carry[i]]))
         return false;
   return true;
}

static MtFlow join_push (const MtExecNode *n, MtWork *w)
{
   const JoinNode *j = (const JoinNode *) n;
   JoinState *st = state_of (j, w);
   bool whole, any = false;
   w->count[n->id].in++;
   if (!st || !verify_input (j, w) || !eval_keys (j->left, j->key_count, w, st->keys, &whole))
      return MT_FAIL;
   if (whole && st->spilled)
      return write_left (j, st, w, mt_group_hash (st->keys, j->key_count)) ? MT_GO : MT_FAIL;
   MtFlow flow = whole ? probe (j, st, w, mt_group_hash (st->keys, j->key_count), &any) : MT_GO;
   return flow == MT_GO && j->keep_left && (!any || j->mark) ? alone (j, w, any) : flow;
}

/* ---- after the last input row: other rows without a partner, and the rows in the file ---- */

static MtFlow emit_unpaired (const JoinNode *j, JoinState *st, MtWork *w)
{
   MtArena *outer = w->arena;
   MtFlow flow = MT_GO;
   w->arena = w->ev.arena = st->arena;
   for (uint32_t i = 0; i < j->carry_count; i++)
      w->slots[j->carry[i]] = mt_v_missing ();
   for (uint32_t i = 0; i < st->n && flow == MT_GO; i++)
      if (!st->entries[i].hit)
         flow = bind_row (j, w, st->rows.p + st->entries[i].at) ? pass_on (j, st, w) : MT_FAIL;
   w->arena = w->ev.arena = outer;
   return flow;
}

static bool was_seen (const JoinState *st, size_t i)
{
   return i / 64 < st->seen_words && (st->seen[i / 64] >> (i % 64) & 1);
}

static void set_seen (JoinState *st, size_t i)
{
   if (i / 64 >= st->seen_words) {
      size_t words = (i / 64 + 1) * 2;
      st->seen = mt_x_realloc (st->seen, words * sizeof *st->seen);
      memset (st->seen + st->seen_words, 0, (words - st->seen_words) * sizeof *st->seen);
      st->seen_words = words;
   }
   st->seen[i / 64] |= (uint64_t) 1 << (i % 64);
}

/* Joins the input rows in stream `left` with the part of the other rows that is in memory. last:
 * this is the last part, so input rows without a partner in any part are also pushed. */
static MtFlow scan_left (const JoinNode *j, JoinState *st, MtWork *w, uint32_t left, bool last)
{
   MtFlow flow = MT_GO;
   uint64_t hash;
   bool keyed, end, any;
   if (!mt_streams_rewind (st->file, left, false, &w->err))
      return MT_FAIL;
   for (size_t i = 0; flow == MT_GO; i++) {
      if (mt_rows_weigh (w->arena, i))
         /* After the end of the input, no earlier node needs this memory. */
         mt_arena_reset (w->arena);
      if (!mt_tick (w) || !read_packed (left, st, w, &hash, &keyed, &end))
         return MT_FAIL;
      if (end)
         break;
      if (was_seen (st, i) && (last ? !j->mark : j->mark != NULL))
         continue;
      if (!unpack_left (j, st, w) || !eval_keys (j->left, j->key_count, w, st->keys, &keyed))
         return MT_FAIL;
      any = j->single && was_seen (st, i);
      flow = last ? alone (j, w, was_seen (st, i)) : probe (j, st, w, hash, &any);
      if (any)
         set_seen (st, i);
   }
   return flow;
}

/* Loads rows of stream `right` until memory is full. Sets *more if the stream has more rows. */
static bool load_part (JoinState *st, MtWork *w, uint32_t right, bool *more)
{
   uint64_t hash;
   bool keyed, end = false;
   forget (st);
   while (!end && memory_of (st) <= w->exec->args.work_mem / 2) {
      if (!mt_tick (w) || !read_packed (right, st, w, &hash, &keyed, &end))
         return false;
      if (!end && !add_row (st, st->packed.p + 9, hash, keyed, &w->err))
         return false;
   }
   *more = !end;
   return index_rows (st, &w->err);
}

static MtFlow join_part (const JoinNode *j, JoinState *st, MtWork *w, uint32_t left)
{
   MtFlow flow = MT_GO;
   uint32_t right = PARTS + left;
   bool more = true, any = mt_streams_any (st->file, left);
   if (st->seen_words)
      memset (st->seen, 0, st->seen_words * sizeof *st->seen);
   if (!mt_streams_rewind (st->file, right, false, &w->err))
      return MT_FAIL;
   while (more && flow == MT_GO) {
      if (!load_part (st, w, right, &more))
         return MT_FAIL;
      if (any)
         flow = scan_left (j, st, w, left, false);
      if (flow == MT_GO && j->keep_right)
         flow = emit_unpaired (j, st, w);
   }
   return flow == MT_GO && any && j->keep_left ? scan_left (j, st, w, left, true) : flow;
}

static MtFlow join_finish (const MtExecNode *n, MtWork *w)
{
   const JoinNode *j = (const JoinNode *) n;
   JoinState *st = j->keep_right || w->state[n->id] ? state_of (j, w) : NULL;
   MtFlow flow = MT_GO;
   if (!st)
      return mt_error_is_set (&w->err) ? MT_FAIL : MT_GO;
   if (!st->spilled && j->keep_right)
      flow = emit_unpaired (j, st, w);
   for (uint32_t i = 0; st->spilled && i < part_count (j) && flow == MT_GO; i++)
      flow = join_part (j, st, w, i);
   w->epoch++;
   return flow;
}

static void join_drop (const MtExecNode *n, MtWork *w)
{
   JoinState *st = w->state[n->id];
   mt_streams_free (st->file);
   mt_arena_free (st->arena);
   free (st->rows.p);
   free (st->packed.p);
   free (st->entries);
   free (st->first);
   free (st->keys);
   free (st->seen);
   free (st);
   w->state[n->id] = NULL;
}

/* ---- compiling ---- */

static void join_seal (MtExecNode *n, MtCompile *c)
{
   JoinNode *j = (JoinNode *) n;
   j->carry = MT_NEW_N (c->arena, uint32_t, c->slot_count + 1u);
   for (uint32_t i = 0; i < c->slot_count; i++)
      if (c->slots[i].def < n->pos && c->slots[i].use >= n->pos)
         j->carry[j->carry_count++] = i;
}

static bool parse_keys (MtCompile *c, MtVal v, MtExecExpr ***out, uint32_t *count)
{
   size_t n;
   MtVal *list = mt_v_elements (c->arena, v, &n);
   *out = MT_NEW_N (c->arena, MtExecExpr *, n + 1);
   *count = (uint32_t) n;
   for (size_t i = 0; i < n; i++)
      if (!((*out)[i] = mt_expr_parse (c, list[i])))
         return false;
   return true;
}

/* Makes the listed fields the only ones of the input rows. slots: each field gets its own slot
 * (position in the row). keepRight needs this: in rows without an input row, all input fields are
 * missing, even constant ones. */
bool mt_pair_input (MtCompile *c, MtVal fields, bool slots)
{
   size_t n;
   MtVal *list = mt_v_elements (c->arena, fields, &n);
   MtShape *own = mt_shape_doc (c, NULL, false);
   for (size_t i = 0; i < n; i++) {
      if (list[i].type != MT_STRING)
         return mt_bad (c, 0, "the input of %s must be names", c->stage);
      const char *name = mt_strndup (c->arena, (const char *) list[i].p, list[i].len);
      MtShape *f = mt_shape_get (c, c->root, name);
      if (slots && f->kind == MT_SH_EXPR && !(f = mt_shape_solid (c, f)))
         return false;
      if (slots && f->kind == MT_SH_DOC) {
         MtExecVar *var = mt_var_new (c, (int) c->node_count, false);
         var->slot = mt_shape_slot (c, f, (int) c->node_count);
         if (var->slot == MT_NO_SLOT)
            return false;
         f = mt_shape_var (c, var);
      }
      mt_shape_put (c, own, name, f, false);
   }
   c->root = own;
   return !c->failed;
}

static bool flag (MtVal spec, const char *name) { return mt_truthy (mt_doc_field (spec, name)); }

bool mt_pair_output (MtCompile *c, MtExecVar *var, MtVal fields)
{
   size_t n;
   MtVal *list = mt_v_elements (c->arena, fields, &n);
   MtShape *out = c->root, *row = mt_shape_var (c, var);
   for (size_t i = 0; i < n; i++) {
      if (list[i].type != MT_STRING)
         return mt_bad (c, 0, "the fields of %s must be names", c->stage);
      const char *part[1] = {mt_strndup (c->arena, (const char *) list[i].p, list[i].len)};
      MtPath path = {part, 1};
      out = mt_shape_with (c, out, &path, 0, mt_shape_get (c, row, part[0]), false);
   }
   c->root = out;
   return !c->failed;
}

bool mt_stage_join (MtCompile *c, MtVal spec)
{
   MtVal coll = mt_doc_field (spec, "coll"), on = mt_doc_field (spec, "on");
   JoinNode plan = {.keep_left = flag (spec, "keepLeft"), .keep_right = flag (spec, "keepRight")};
   uint32_t rights;
   if (spec.type != MT_DOC)
      return mt_bad (c, 0, "the $_mtJoin specification must be an object");
   plan.single = flag (spec, "single");
   plan.coll = coll.type == MT_STRING ? mt_strndup (c->arena, (const char *) coll.p, coll.len)
                                      : NULL;
   plan.remote = mt_v_copy (c->arena, mt_doc_field (spec, "$_mtRemote"));
   plan.pipeline = mt_v_copy (c->arena, mt_doc_field (spec, "pipeline"));
   if (plan.pipeline.type != MT_ARRAY)
      return mt_bad (c, 0, "the pipeline of $_mtJoin must be an array");
   if (!parse_keys (c, mt_doc_field (spec, "left"), &plan.left, &plan.key_count) ||
       !parse_keys (c, mt_doc_field (spec, "right"), &plan.right, &rights))
      return false;
   if (rights != plan.key_count)
      return mt_bad (c, 0, "the $_mtJoin stage needs as many keys on the left as on the right");
   if (on.type != MT_MISSING && !(plan.on = mt_expr_parse (c, on)))
      return false;
   if (mt_doc_field (spec, "input").type != MT_ARRAY)
      return mt_bad (c, 0, "the $_mtJoin stage needs the names of its input's fields");
   if (!mt_pair_input (c, mt_doc_field (spec, "input"), plan.keep_right))
      return false;
   JoinNode *j = (JoinNode *) mt_node_new (c, sizeof *j, NULL, join_push);
   int pos = j->n.pos;
   MtExecNode node = j->n;
   *j = plan;
   j->n = node;
   j->n.serial = true;
   j->n.finish = join_finish;
   j->n.drop = join_drop;
   j->n.seal = join_seal;
   j->row = mt_var_new (c, pos, false);
   MtShape *input = c->root, *row = mt_shape_var (c, j->row);
   /* Values before this node may have been written to the file. They were verified then, so later
    * nodes need not verify them. */
   c->last_sink = pos;
   for (uint32_t i = 0; i < j->key_count; i++)
      if (!mt_expr_bind (c, j->left[i], input, c->scope, pos) ||
          !mt_expr_bind (c, j->right[i], row, c->scope, pos))
         return false;
   if (!mt_pair_output (c, j->row, mt_doc_field (spec, "fields")))
      return false;
   MtVal mark = mt_doc_field (spec, "mark");
   if (mark.type == MT_STRING) {
      j->mark = mt_var_new (c, pos, false);
      mt_shape_put (c, c->root, mt_strndup (c->arena, (const char *) mark.p, mark.len),
                    mt_shape_var (c, j->mark), false);
   }
   return !j->on || mt_expr_bind (c, j->on, c->root, c->scope, pos);
}
