/* GROUP BY with several grouping sets (GROUPING SETS, ROLLUP, CUBE). The query becomes a UNION ALL
 * with one GROUP BY for each set. A key that a set lacks is NULL in its rows. Each GROUP BY is
 * planned by itself. The select list, HAVING and ORDER BY then refer to the columns of the UNION
 * ALL. */
#include "analyze/group/sets.h"

#include "analyze/from/shared.h"
#include "analyze/group/order.h"
#include "query/window.h"

#include <string.h>

#define MOST_CUBE 12   /* maximum number of CUBE elements, as in PostgreSQL */
#define MOST_SETS 4096 /* maximum number of grouping sets, as in PostgreSQL */
#define MOST_GROUPING 31

static const MtFunc grouping_fn = {
   .name = "grouping", .signature = "any -> int4", .flags = MT_F_NOT_STRICT};

bool mt_is_grouping (const MtX *x) { return x->kind == MT_X_CALL && x->call.fn == &grouping_fn; }

/* ---- analyzing GROUP BY ---- */

typedef struct SetList {
   MtGroupSet *list;
   int count, cap;
} SetList;

typedef struct Expand {
   MtBinder *b;
   MtScope *s;
   MtQuery *q;
   int key_cap;
   /* A key that equals an earlier key, but is another select-list item. NULL: there is none. */
   const MtExpr *twice;
} Expand;

static bool add_set (Expand *x, SetList *l, MtGroupSet set)
{
   if (l->count == MOST_SETS)
      return mt_error (x->b->err, MT_E_TOO_COMPLEX, "too many grouping sets present (maximum %d)",
                       MOST_SETS);
   MT_GROW_IN (x->b->a, l->list, l->count, l->cap, 4);
   l->list[l->count++] = set;
   return true;
}

static bool has_key (const MtGroupSet *s, int key)
{
   for (int i = 0; i < s->count; i++)
      if (s->keys[i] == key)
         return true;
   return false;
}

static MtGroupSet join_sets (MtBinder *b, const MtGroupSet *l, const MtGroupSet *r)
{
   MtGroupSet out = {MT_NEW_N (b->a, int, (size_t) (l->count + r->count) + 1), 0};
   for (int i = 0; i < l->count; i++)
      out.keys[out.count++] = l->keys[i];
   for (int i = 0; i < r->count; i++)
      if (!has_key (&out, r->keys[i]))
         out.keys[out.count++] = r->keys[i];
   return out;
}

/* Returns whether a GROUP BY key was given as the name or position of a select-list item. */
static bool is_target (const MtQuery *q, const MtX *key)
{
   int i = 0;
   while (i < q->visible_count && q->targets[i].expr != key)
      i++;
   return i < q->visible_count;
}

/* Returns the index of `key` in the keys of the query. Adds the key if it is new. */
static int key_index (Expand *x, MtX *key)
{
   MtQuery *q = x->q;
   for (int i = 0; i < q->key_count; i++)
      if (mt_x_equal (q->keys[i], key))
         return i;
   MT_GROW_IN (x->b->a, q->keys, q->key_count, x->key_cap, 4);
   q->keys[q->key_count++] = key;
   return q->key_count - 1;
}

static bool add_key (Expand *x, const MtExpr *e, int *out)
{
   MtQuery *q = x->q;
   MtX *key;
   if (!mt_bind_group_key (x->b, x->s, e, q, &key))
      return false;
   *out = key_index (x, key);
   if (q->keys[*out] != key && is_target (q, q->keys[*out]) && is_target (q, key))
      x->twice = e;
   return true;
}

/* Makes the grouping set of GROUP BY ALL: all select-list items without aggregates and window
 * calls. */
static MtGroupSet all_keys (Expand *x)
{
   MtQuery *q = x->q;
   MtGroupSet set = {MT_NEW_N (x->b->a, int, (size_t) q->visible_count + 1), 0};
   for (int i = 0; i < q->visible_count; i++) {
      int key = mt_is_group_key (x->s, q->targets[i].expr) ? key_index (x, q->targets[i].expr) : -1;
      if (key >= 0 && !has_key (&set, key))
         set.keys[set.count++] = key;
   }
   return set;
}

/* Analyzes one element of ROLLUP, CUBE or GROUPING SETS: a key, or several keys in parentheses. */
static bool element (Expand *x, const MtExpr *e, MtGroupSet *out)
{
   bool several = e->kind == MT_EXPR_ROW && e->bare;
   int n = mt_list_length (several ? e->list : NULL);
   *out = (MtGroupSet) {MT_NEW_N (x->b->a, int, (size_t) n + 1), 0};
   if (!several) {
      out->count = 1;
      return add_key (x, e, &out->keys[0]);
   }
   for (const MtExprList *l = e->list; l; l = l->next) {
      int key;
      if (!add_key (x, l->expr, &key))
         return false;
      if (!has_key (out, key))
         out->keys[out->count++] = key;
   }
   return true;
}

static bool expand (Expand *x, const MtGroupItem *g, SetList *out);

/* Expands ROLLUP or CUBE of n elements to grouping sets. ROLLUP gives the sets of the first n, n -
 * 1, …, 0 elements, and CUBE gives all subsets. */
static bool expand_elements (Expand *x, const MtGroupItem *g, SetList *out)
{
   int n = 0;
   for (const MtGroupItem *i = g->items; i; i = i->next)
      n++;
   if (g->kind == MT_GROUP_CUBE && n > MOST_CUBE)
      return mt_error_at (x->b->err, g->span, MT_E_TOO_MANY_COLUMNS,
                          "CUBE is limited to %d elements", MOST_CUBE);
   MtGroupSet *elements = MT_NEW_N (x->b->a, MtGroupSet, (size_t) n + 1);
   n = 0;
   for (const MtGroupItem *i = g->items; i; i = i->next)
      if (!element (x, i->expr, &elements[n++]))
         return false;
   bool cube = g->kind == MT_GROUP_CUBE;
   for (int set = cube ? (1 << n) - 1 : n; set >= 0; set--) {
      MtGroupSet s = {NULL, 0};
      for (int i = 0; i < n; i++)
         if (cube ? set >> (n - 1 - i) & 1 : i < set)
            s = join_sets (x->b, &s, &elements[i]);
      if (!add_set (x, out, s))
         return false;
   }
   return true;
}

static bool expand (Expand *x, const MtGroupItem *g, SetList *out)
{
   MtGroupSet s = {NULL, 0};
   switch (g->kind) {
   case MT_GROUP_EXPR: return element (x, g->expr, &s) && add_set (x, out, s);
   case MT_GROUP_ALL: return add_set (x, out, all_keys (x));
   case MT_GROUP_EMPTY: return add_set (x, out, s);
   case MT_GROUP_ROLLUP:
   case MT_GROUP_CUBE: return expand_elements (x, g, out);
   case MT_GROUP_SETS:
      for (const MtGroupItem *i = g->items; i; i = i->next)
         if (!expand (x, i, out))
            return false;
      return true;
   }
   return true;
}

/* Replaces `sets` by all unions of one of its sets with one set of `with`, as for GROUP BY a,
 * ROLLUP (b). */
static bool cross (Expand *x, SetList *sets, const SetList *with)
{
   SetList out = {NULL, 0, 0};
   for (int i = 0; i < sets->count; i++)
      for (int j = 0; j < with->count; j++)
         if (!add_set (x, &out, join_sets (x->b, &sets->list[i], &with->list[j])))
            return false;
   *sets = out;
   return true;
}

static bool same_set (const MtGroupSet *a, const MtGroupSet *b)
{
   for (int i = 0; i < a->count; i++)
      if (!has_key (b, a->keys[i]))
         return false;
   return a->count == b->count;
}

static void drop_equal_sets (SetList *l)
{
   int kept = 0;
   for (int i = 0; i < l->count; i++) {
      bool seen = false;
      for (int j = 0; j < kept && !seen; j++)
         seen = same_set (&l->list[j], &l->list[i]);
      if (!seen)
         l->list[kept++] = l->list[i];
   }
   l->count = kept;
}

bool mt_bind_group_by (MtBinder *b, MtScope *s, const MtSelect *select, MtQuery *q,
                       MtGroupSets *out)
{
   Expand x = {.b = b, .s = s, .q = q};
   SetList sets = {NULL, 0, 0};
   MtGroupSet none = {NULL, 0};
   *out = (MtGroupSets) {NULL, 0};
   if (!select->plain.group_by)
      return true;
   if (!add_set (&x, &sets, none))
      return false;
   for (const MtGroupItem *g = select->plain.group_by; g; g = g->next) {
      SetList item = {NULL, 0, 0};
      if (!expand (&x, g, &item) || !cross (&x, &sets, &item))
         return false;
   }
   if (select->plain.group_distinct)
      drop_equal_sets (&sets);
   q->grouped = true;
   *out = (MtGroupSets) {sets.list, sets.count};
   if (x.twice && sets.count > 1) { /* each column would be NULL in sets without it */
      mt_refuse (
         b, x.twice->span,
         "grouping by two output columns of the same expression in several grouping sets is");
      return mt_error_hint (b->err, "Compute the expression in a sub-select, as two columns.");
   }
   return true;
}

/* ---- GROUPING ---- */

bool mt_bind_grouping (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   static const char *const where[] = {
      [MT_CLAUSE_WHERE] = "WHERE",
      [MT_CLAUSE_GROUP] = "GROUP BY",
      [MT_CLAUSE_LIMIT] = "LIMIT",
      [MT_CLAUSE_OFFSET] = "OFFSET",
      [MT_CLAUSE_VALUES] = "VALUES",
      [MT_CLAUSE_FILTER] = "FILTER",
      [MT_CLAUSE_DEFAULT] = "DEFAULT expressions",
      [MT_CLAUSE_COPY] = "COPY FROM WHERE conditions",
      [MT_CLAUSE_CHECK] = "check constraints",
      [MT_CLAUSE_INDEX] = "index predicates",
   };
   MtX *args[MOST_GROUPING];
   int n = 0;
   bool above = s->clause == MT_CLAUSE_SELECT || s->clause == MT_CLAUSE_HAVING ||
                s->clause == MT_CLAUSE_QUALIFY || s->clause == MT_CLAUSE_ORDER ||
                s->clause == MT_CLAUSE_WINDOW;
   if (!above) {
      const char *clause = (size_t) s->clause < sizeof where / sizeof *where ? where[s->clause]
                                                                             : NULL;
      return mt_error_at (b->err, e->span, MT_E_GROUPING,
                          "grouping operations are not allowed in %s",
                          clause ? clause : "this place");
   }
   if (s->in_aggregate)
      return mt_error_at (b->err, e->span, MT_E_GROUPING,
                          "aggregate function calls cannot be nested");
   for (const MtExprList *l = e->call.args; l; l = l->next, n++) {
      if (n == MOST_GROUPING)
         return mt_error_at (b->err, e->span, MT_E_TOO_MANY_ARGUMENTS,
                             "GROUPING must have fewer than %d arguments", MOST_GROUPING + 1);
      if (!mt_bind_x (b, s, l->expr, &args[n]))
         return false;
   }
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) n + 1);
   memcpy (list, args, (size_t) n * sizeof *list);
   *out = mt_x_call (b->a, &grouping_fn, mt_type (MT_T_INT4), list, n, e->span);
   (*out)->nullable = false;
   s->has_grouping = true;
   return true;
}

/* ---- arguments of hypothetical-set aggregates ---- */

static const MtFunc given_fn = {
   .name = MT_GIVEN, .signature = "any -> any", .flags = MT_F_NOT_STRICT};

bool mt_bind_given (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtX *value;
   if (!mt_bind_x (b, s, e->call.args->expr, &value))
      return false;
   *out = value;
   if (!mt_has_columns (value))
      return true;
   MtX **list = MT_NEW_N (b->a, MtX *, 1);
   list[0] = value;
   *out = mt_x_call (b->a, &given_fn, value->type, list, 1, e->span);
   (*out)->nullable = true;
   s->has_given = true;
   return true;
}

typedef struct Given {
   MtBinder *b;
   const MtQuery *q;
   const MtGroupSet *set; /* the grouping set; NULL: a set with all keys */
} Given;

static bool is_given (const MtX *x) { return x->kind == MT_X_CALL && x->call.fn == &given_fn; }

/* Replaces keys that the grouping set lacks by NULL, in *x, an argument v of a hypothetical-set
 * aggregate such as rank (v). */
static bool without_keys (void *ctx, MtX **x)
{
   const Given *g = ctx;
   while (is_given (*x))
      *x = (*x)->call.args[0];
   for (int i = 0; g->set && (*x)->kind != MT_X_CONST && i < g->q->key_count; i++)
      if (mt_x_equal (*x, g->q->keys[i])) {
         if (!has_key (g->set, i))
            *x = mt_x_null (g->b->a, (*x)->type, (*x)->span);
         return true;
      }
   if ((*x)->kind != MT_X_COLUMN || !g->set || g->set->count == g->q->key_count)
      return mt_x_map_children (g->b, x, without_keys, ctx);
   /* A column that is no key belongs to a sub-select, which is joined before the rows are
    * grouped. */
   mt_refuse (
      g->b, (*x)->span,
      "a sub-select as an argument of a hypothetical-set aggregate with several grouping sets is");
   return mt_error_hint (g->b->err, "Use UNION ALL of a query for each set.");
}

/* Replaces each call of MT_GIVEN (which marks an argument of a hypothetical-set aggregate) by its
 * argument. */
static bool settle_given (void *ctx, MtX **x)
{
   const Given *g = ctx;
   return is_given (*x) ? without_keys (ctx, x) : mt_x_map_children (g->b, x, settle_given, ctx);
}

static bool settle_counts (MtBinder *b, const MtQuery *q, const MtGroupSet *set, MtAggCall *aggs)
{
   Given g = {b, q, set};
   for (int i = 0; i < q->agg_count; i++)
      if ((aggs[i].filter && !settle_given (&g, &aggs[i].filter)) ||
          (aggs[i].arg && !settle_given (&g, &aggs[i].arg)))
         return false;
   return true;
}

/* ---- one GROUP BY for each set ---- */

/* The columns of the UNION ALL: the keys, the aggregates, and the calls of GROUPING. */
typedef struct Split {
   MtBinder *b;
   MtQuery *q;
   const MtGroupSets *sets;
   MtX **groupings; /* the different GROUPING calls of the query */
   int grouping_count, grouping_cap;
} Split;

static int find_grouping (Split *x, MtX *g)
{
   for (int i = 0; i < x->grouping_count; i++)
      if (mt_x_equal (x->groupings[i], g))
         return i;
   MT_GROW_IN (x->b->a, x->groupings, x->grouping_count, x->grouping_cap, 4);
   x->groupings[x->grouping_count] = g;
   return x->grouping_count++;
}

/* Returns whether the value of a key may be NULL, also because a grouping set lacks the key. */
static bool may_be_null (const Split *x, int key)
{
   for (int i = 0; i < x->sets->count; i++)
      if (!has_key (&x->sets->list[i], key))
         return true;
   return x->q->keys[key]->nullable;
}

static bool lift (void *ctx, MtX **at)
{
   Split *x = ctx;
   MtX *o = *at, *c;
   int column = o->kind == MT_X_KEY ? o->index : -1;
   if (o->kind == MT_X_AGG)
      column = x->q->key_count + o->index;
   if (mt_is_grouping (o))
      column = x->q->key_count + x->q->agg_count + find_grouping (x, o);
   if (column >= 0) {
      *at = c = mt_x_new (x->b->a, MT_X_COLUMN, o->type, o->span);
      c->column = column;
      c->finite = o->finite;
      c->nullable = o->kind == MT_X_KEY ? may_be_null (x, o->index)
                                        : o->kind == MT_X_AGG && o->nullable;
      return true;
   }
   if (o->kind == MT_X_TARGET)
      mt_x_refers (o, x->q->targets[o->index].expr);
   return mt_x_map_children (x->b, at, lift, x);
}

/* Returns the value of the call GROUPING (…) for rows of grouping set s. It has one bit for each
 * argument, the lowest for the last one. A bit is 1 if the set lacks the key. */
static int grouping_value (const MtX *g, const MtGroupSet *s)
{
   int v = 0;
   for (int i = 0; i < g->call.argc; i++)
      v = v << 1 | !has_key (s, g->call.args[i]->index);
   return v;
}

static MtX *ref (Split *x, MtXKind kind, int index, MtType type, bool nullable, MtSpan span)
{
   MtX *r = mt_x_new (x->b->a, kind, type, span);
   r->index = index;
   r->nullable = nullable;
   return r;
}

static void key_targets (Split *x, const MtGroupSet *s, MtQuery *arm)
{
   const MtQuery *q = x->q;
   for (int i = 0; i < q->key_count; i++) {
      MtX *k = q->keys[i];
      arm->targets[i].name = mt_printf (x->b->a, "k%d", i);
      if (!has_key (s, i)) {
         arm->targets[i].expr = mt_x_null (x->b->a, k->type, k->span);
         continue;
      }
      arm->targets[i].expr = ref (x, MT_X_KEY, arm->key_count, k->type, k->nullable, k->span);
      arm->keys[arm->key_count++] = k;
   }
}

/* Makes the GROUP BY query of grouping set s. has_given: aggregates may contain calls of MT_GIVEN.
 * Returns NULL with b->err set on failure. */
static MtQuery *grouping_of_set (Split *x, const MtGroupSet *s, bool has_given)
{
   MtArena *a = x->b->a;
   const MtQuery *q = x->q;
   int n = q->key_count + q->agg_count + x->grouping_count;
   MtQuery *arm = MT_NEW (a, MtQuery);
   *arm = (MtQuery) {.rel = q->rel,
                     .where = q->where,
                     .grouped = true,
                     .agg_count = q->agg_count,
                     .target_count = n,
                     .visible_count = n,
                     .limit = -1};
   arm->keys = MT_NEW_N (a, MtX *, (size_t) s->count + 1);
   arm->aggs = MT_NEW_N (a, MtAggCall, (size_t) q->agg_count + 1);
   arm->targets = MT_NEW_N (a, MtTargetX, (size_t) n + 1);
   if (q->agg_count)
      memcpy (arm->aggs, q->aggs, (size_t) q->agg_count * sizeof *arm->aggs);
   if (has_given && !settle_counts (x->b, q, s, arm->aggs))
      return NULL;
   key_targets (x, s, arm);
   MtTargetX *t = arm->targets + q->key_count;
   for (int i = 0; i < q->agg_count; i++, t++) {
      t->name = mt_printf (a, "a%d", i);
      t->expr = ref (x, MT_X_AGG, i, q->aggs[i].type, true, q->aggs[i].span);
   }
   for (int i = 0; i < x->grouping_count; i++, t++) {
      t->name = mt_printf (a, "g%d", i);
      t->expr = mt_x_const (a, mt_type (MT_T_INT4),
                            mt_v_int32 (grouping_value (x->groupings[i], s)),
                            x->groupings[i]->span);
   }
   return arm;
}

/* Replaces GROUPING (…) by 0, for a query with a single grouping set: this set has all keys. */
static bool settle_grouping (MtBinder *b, MtX **x)
{
   int n;
   if (mt_is_grouping (*x)) {
      *x = mt_x_const (b->a, mt_type (MT_T_INT4), mt_v_int32 (0), (*x)->span);
      return true;
   }
   MtX **kids = mt_x_children (*x, &n);
   for (int i = 0; kids && i < n; i++) /* in place, because mt_group_query has copied the tree */
      if (!settle_grouping (b, &kids[i]))
         return false;
   return true;
}

/* Calls `change` for each expression above the grouping. The select list comes first, because sort
 * keys refer to its items. */
static bool each_above (MtQuery *q, bool (*change) (void *ctx, MtX **x), void *ctx)
{
   if (!mt_results_each (q, change, ctx) ||
       (q->windows && !mt_windows_each (q->windows, change, ctx)))
      return false;
   return !q->having || change (ctx, &q->having);
}

/* A constant that is a GROUP BY key is NULL in the rows of sets that lack it. As in PostgreSQL,
 * this is so only for the select-list item that is the key, not for other uses of the constant. */
static void lift_constants (Split *x)
{
   MtQuery *q = x->q;
   for (int k = 0; k < q->key_count; k++) {
      int i = 0;
      while (i < q->target_count && !mt_x_equal (q->targets[i].expr, q->keys[k]))
         i++;
      if (q->keys[k]->kind == MT_X_CONST && i < q->target_count)
         q->targets[i].expr = ref (x, MT_X_KEY, k, q->keys[k]->type, true, q->keys[k]->span);
   }
}

static bool settle_one (void *ctx, MtX **x) { return settle_grouping (ctx, x); }

bool mt_split_sets (MtBinder *b, const MtScope *s, const MtGroupSets *sets, MtQuery *q)
{
   Split x = {.b = b, .q = q, .sets = sets};
   if (sets->count <= 1)
      return (!s->has_given || settle_counts (b, q, NULL, q->aggs)) &&
             (!s->has_grouping || each_above (q, settle_one, b));
   if (mt_query_is_volatile (q))
      return mt_refuse (b, q->key_count ? q->keys[0]->span : MT_NO_SPAN,
                        "several grouping sets over volatile expressions are");
   if (!mt_share_from (b, &q->rel, sets->count))
      return false;
   lift_constants (&x);
   if (!each_above (q, lift, &x))
      return false;
   MtQuery **arms = MT_NEW_N (b->a, MtQuery *, (size_t) sets->count);
   for (int i = 0; i < sets->count; i++)
      if (!(arms[i] = grouping_of_set (&x, &sets->list[i], s->has_given)))
         return false;
   q->arms = arms;
   q->arm_count = sets->count;
   q->rel = (MtRel) {.kind = MT_REL_NONE};
   q->where = q->having;
   q->having = NULL;
   q->grouped = false;
   q->key_count = q->agg_count = 0;
   return true;
}
