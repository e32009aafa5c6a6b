/* Caches the values of expressions that occur several times in a pipeline, such as a time that is
 * compared with two bounds and is then a group key. Each worker (thread) stores the last value of
 * the expression, and the values of the slots from which it was computed. While these slots have
 * the same values, the cached value is the result. So an expression is evaluated only where it is
 * reached, and no stage needs to signal that a new row begins. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"

enum {
   BUCKETS = 64,
   LEAST_OPS = 2 /* keeping the value of a single operator isn't worth comparing its slots */
};

/* The set of all equal expressions of a pipeline. */
struct MtRepeat {
   uint64_t hash;
   MtRepeat *next;      /* the next one of the same bucket */
   MtExecExpr *members; /* the equal expressions, linked by MtExecExpr.twin */
   /* How many distinct expressions and stages use one of these expressions as an argument. Uses by
    * equal expressions count once, because their own value is cached. */
   uint32_t uses;
   uint32_t ops; /* the number of operators in the expression */
   uint32_t slot_count, slots[MT_MEMO_SLOTS];
   uint32_t memo; /* index in MtWork.memos */
};

struct MtRepeats {
   MtRepeat *buckets[BUCKETS];
};

/* ---- finding equal expressions ---- */

/* Returns whether the value of expression e depends only on its arguments. */
static bool is_pure (const MtExecExpr *e)
{
   switch (e->kind) {
   case MT_EX_OP: return (e->row->flags & MT_OP_FOLD) && e->argc;
   case MT_EX_AND:
   case MT_EX_OR:
   case MT_EX_NOT:
   case MT_EX_COND:
   case MT_EX_IFNULL:
   case MT_EX_SWITCH: return e->argc > 0;
   default: return false;
   }
}

static bool same_value (MtVal a, MtVal b)
{
   uint32_t n = mt_bytes_len (a);
   return a.type == b.type && a.sub == b.sub && a.len == b.len &&
          (n ? memcmp (a.p, b.p, n) == 0 : mt_v_has_bytes (a.type) || a.i == b.i);
}

static bool same_part (const MtExecExpr *a, const MtExecExpr *b)
{
   if (a->kind != b->kind)
      return false;
   switch (a->kind) {
   case MT_EX_CONST: return same_value (a->value, b->value);
   case MT_EX_SLOT: return a->slot == b->slot;
   default: return a->repeat && a->repeat == b->repeat;
   }
}

static bool same (const MtExecExpr *a, const MtExecExpr *b)
{
   if (a->kind != b->kind || a->row != b->row || a->argc != b->argc)
      return false;
   for (uint32_t i = 0; i < a->argc; i++)
      if (!same_part (a->args[i], b->args[i]))
         return false;
   return true;
}

static uint64_t mix (uint64_t hash, uint64_t with)
{
   hash = (hash ^ with) * UINT64_C (0x9E3779B97F4A7C15);
   return hash ^ hash >> 32;
}

static uint64_t part_hash (const MtExecExpr *e)
{
   switch (e->kind) {
   case MT_EX_CONST: return mt_v_hash (e->value, 0);
   case MT_EX_SLOT: return e->slot;
   default: return e->repeat->hash;
   }
}

static uint64_t hash_of (const MtExecExpr *e)
{
   uint64_t h = mix (e->kind, (uintptr_t) e->row);
   for (uint32_t i = 0; i < e->argc; i++)
      h = mix (h, part_hash (e->args[i]));
   return h;
}

/* ---- collecting expressions ---- */

static bool add_slot (MtRepeat *s, uint32_t slot)
{
   for (uint32_t i = 0; i < s->slot_count; i++)
      if (s->slots[i] == slot)
         return true;
   if (s->slot_count == MT_MEMO_SLOTS)
      return false;
   s->slots[s->slot_count++] = slot;
   return true;
}

/* Counts the operators and slots of an expression in *out. Returns false if its values can't be
 * cached: it is not pure, or reads too many slots. */
static bool measure (const MtExecExpr *e, MtRepeat *out)
{
   *out = (MtRepeat) {.ops = 1};
   if (!is_pure (e))
      return false;
   for (uint32_t i = 0; i < e->argc; i++) {
      const MtExecExpr *p = e->args[i];
      if (p->kind == MT_EX_SLOT && !add_slot (out, p->slot))
         return false;
      if (p->kind == MT_EX_SLOT || p->kind == MT_EX_CONST)
         continue;
      if (!p->repeat)
         return false;
      out->ops += p->repeat->ops;
      for (uint32_t k = 0; k < p->repeat->slot_count; k++)
         if (!add_slot (out, p->repeat->slots[k]))
            return false;
   }
   return true;
}

bool mt_expr_one_slot (const MtExecExpr *e, uint32_t *slot)
{
   if (e->kind == MT_EX_CONST)
      return true;
   if (e->kind == MT_EX_SLOT) {
      bool same = *slot == MT_NO_SLOT || *slot == e->slot;
      *slot = e->slot;
      return same;
   }
   bool one = is_pure (e);
   for (uint32_t i = 0; one && i < e->argc; i++)
      one = mt_expr_one_slot (e->args[i], slot);
   return one;
}

void mt_repeat_use (MtExecExpr *e)
{
   if (e->repeat)
      e->repeat->uses++;
}

void mt_repeat_add (MtCompile *c, MtExecExpr *e)
{
   MtRepeat s, **at;
   if (measure (e, &s)) {
      if (!c->repeats)
         c->repeats = MT_NEW (c->arena, MtRepeats);
      s.hash = hash_of (e);
      at = &c->repeats->buckets[s.hash % BUCKETS];
      while (*at && ((*at)->hash != s.hash || !same ((*at)->members, e)))
         at = &(*at)->next;
      if (*at) {
         e->repeat = *at;
         e->twin = (*at)->members;
         (*at)->members = e;
         return;
      }
      s.members = e;
      e->repeat = *at = MT_NEW (c->arena, MtRepeat);
      **at = s;
   }
   for (uint32_t i = 0; i < e->argc; i++)
      mt_repeat_use (e->args[i]);
}

/* ---- evaluating with the cache ---- */

/* Returns whether v is kept entirely in the MtVal: it has no pointer to bytes elsewhere. */
static inline bool is_plain (MtVal v)
{
   switch (v.type) {
   case MT_MISSING:
   case MT_NULL:
   case MT_BOOL:
   case MT_INT32:
   case MT_INT64:
   case MT_DOUBLE:
   case MT_DATE: return true;
   default: return false;
   }
}

static inline bool is_same (MtVal a, MtVal b)
{
   return memcmp (&a, &b, sizeof a) == 0; /* if unused bits differ, the value is just recomputed */
}

static bool eval_repeated (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   const MtRepeat *s = e->repeat;
   MtMemo *m = &w->memos[s->memo];
   bool had = m->has;
   for (uint32_t i = 0; i < s->slot_count && had; i++)
      had = is_same (m->in[i], w->slots[s->slots[i]]);
   if (had) {
      *out = m->value;
      return true;
   }
   m->has = false;
   if (!e->compute (e, w, out))
      return false;
   bool plain = is_plain (*out);
   for (uint32_t i = 0; i < s->slot_count && plain; i++) {
      m->in[i] = w->slots[s->slots[i]];
      plain = is_plain (m->in[i]);
   }
   m->value = *out;
   m->has = plain;
   return true;
}

uint32_t mt_repeat_end (MtCompile *c)
{
   uint32_t count = 0;
   for (size_t i = 0; c->repeats && i < BUCKETS; i++)
      for (MtRepeat *s = c->repeats->buckets[i]; s; s = s->next) {
         if (s->uses < 2 || s->ops < LEAST_OPS || !s->slot_count)
            continue;
         s->memo = count++;
         for (MtExecExpr *e = s->members; e; e = e->twin) {
            e->compute = e->eval;
            e->eval = eval_repeated;
         }
      }
   return count;
}
