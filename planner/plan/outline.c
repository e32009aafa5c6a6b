#include "planner/plan/outline.h"

#include "planner/plan/apply.h"
#include "query/x.h"
#include "query/condition.h"
#include "query/function.h"
#include "planner/plan/join.h"
#include "planner/plan/plan.h"
#include "planner/plan/split.h"
#include "query/window.h"

#include <string.h>

MtOutline *mt_outline_step (MtArena *a, const char *what, const char *of, double rows,
                            const MtPipe *pipe, MtOutline *input)
{
   MtOutline *o = MT_NEW (a, MtOutline);
   *o = (MtOutline) {.what = what,
                     .of = of,
                     .rows = rows,
                     .pipe = pipe,
                     .end = pipe->count,
                     .run_by = -1,
                     .inputs = input};
   return o;
}

void mt_outline_add (MtOutline *o, MtOutline *input)
{
   MtOutline **last = &o->inputs;
   if (!input)
      return;
   while (*last)
      last = &(*last)->next;
   input->run_by = o->pipe->count - 1;
   o->worth = true;
   *last = input;
}

/* Adds the note "label: text" to step o; label and text are borrowed. */
static void outline_note (MtArena *a, MtOutline *o, const char *label, const char *text)
{
   MtOutlineNote **last = &o->notes, *note = MT_NEW (a, MtOutlineNote);
   while (*last)
      last = &(*last)->next;
   *note = (MtOutlineNote) {label, text, NULL};
   *last = note;
}

static const char *taken (MtArena *a, MtBuf *text)
{
   const char *s = mt_strndup (a, text->p ? text->p : "", text->n);
   mt_buf_free (text);
   return s;
}

void mt_outline_x (MtArena *a, MtOutline *o, const char *label, const MtX *x, const MtQuery *q)
{
   MtBuf text = {0};
   if (!x)
      return;
   mt_x_print (x, q, &text);
   outline_note (a, o, label, taken (a, &text));
}

static void note_list (MtArena *a, MtOutline *o, const char *label, MtX *const *list, int count,
                       const MtQuery *q)
{
   MtBuf text = {0};
   for (int i = 0; i < count; i++) {
      mt_buf_adds (&text, i ? ", " : "");
      mt_x_print (list[i], q, &text);
   }
   if (count)
      outline_note (a, o, label, taken (a, &text));
}

static void print_order (const MtSortX *list, int count, const MtQuery *q, MtBuf *text)
{
   for (int i = 0; i < count; i++) {
      const MtSortX *s = &list[i];
      mt_buf_adds (text, i ? ", " : "");
      mt_x_print (s->expr, q, text);
      mt_buf_adds (text, s->descending ? " DESC" : "");
      if (s->nulls_first != s->descending)
         mt_buf_adds (text, s->nulls_first ? " NULLS FIRST" : " NULLS LAST");
   }
}

void mt_outline_shift (MtOutline *o, const MtPipe *pipe)
{
   if (!o)
      return;
   if (o->pipe == pipe && o->end >= 0)
      o->end++;
   for (MtOutline *in = o->inputs; in; in = in->next) {
      if (o->pipe == pipe && in->run_by >= 0)
         in->run_by++;
      mt_outline_shift (in, pipe);
   }
}

/* ---- items of FROM ---- */

static const char *aliased (MtArena *a, const char *name, const char *alias)
{
   return alias && strcmp (alias, name) ? mt_printf (a, " on %s %s", name, alias)
                                        : mt_printf (a, " on %s", name);
}

MtOutline *mt_outline_scan (MtArena *a, const MtQuery *q, const MtCandidate *chosen,
                            const MtPipe *pipe)
{
   const char *of = mt_printf (a, "%s using %s, cut at %s",
                               aliased (a, q->rel.table->name, q->rel.alias), chosen->layout,
                               chosen->cut);
   MtOutline *o = mt_outline_step (a, "Scan", of, chosen->cells, pipe, NULL);
   mt_outline_x (a, o, "Filter", q->where, q);
   o->own = q->rel.table->temporary;
   return o;
}

MtOutline *mt_outline_item (MtArena *a, const MtRel *rel, double rows, const MtPipe *pipe)
{
   switch (rel->kind) {
   case MT_REL_NONE: return mt_outline_step (a, "Result", "", 1, pipe, NULL);
   case MT_REL_SERIES:
      return mt_outline_step (a, "Function Scan", aliased (a, "generate_series", rel->alias), rows,
                              pipe, NULL);
   case MT_REL_WORK:
      return mt_outline_step (a, "WorkTable Scan",
                              rel->alias ? mt_printf (a, " on %s", rel->alias) : "", rows, pipe,
                              NULL);
   case MT_REL_SHARED:
      return mt_outline_step (a, "CTE Scan", aliased (a, rel->shared->name, rel->alias), rows, pipe,
                              NULL);
   case MT_REL_SYSTEM:
      return mt_outline_step (a, "Catalog Scan", aliased (a, rel->work, rel->alias), rows, pipe,
                              NULL);
   case MT_REL_VALUES:
   case MT_REL_TABLE:
   case MT_REL_QUERY:
   case MT_REL_JOIN:
   case MT_REL_UNNEST: break;
   }
   return mt_outline_step (a, "Values Scan", rel->alias ? mt_printf (a, " on %s", rel->alias) : "",
                           rows, pipe, NULL);
}

/* ---- joins ---- */

/* Adds notes for a join's conditions to step o: equalities that are hash keys under the label
 * `cond`, and all other conditions. Returns whether there are hash keys. */
static bool note_conditions (MtArena *a, MtOutline *o, const MtRel *rel, const char *cond)
{
   const MtJoin *j = rel->join;
   MtQuery q = {.rel = *rel, .limit = -1};
   int n, keys = 0, others = 0;
   MtX **parts = mt_conjuncts (a, j->on, &n), **key = MT_NEW_N (a, MtX *, (size_t) n + 1),
       **rest = MT_NEW_N (a, MtX *, (size_t) n + 1);
   for (int i = 0; i < n; i++)
      if (mt_join_key (parts[i], j->left->column_count))
         key[keys++] = parts[i];
      else
         rest[others++] = parts[i];
   if (keys)
      mt_outline_x (a, o, cond, mt_conjunction (a, key, keys), &q);
   if (others)
      mt_outline_x (a, o, "Join Filter", mt_conjunction (a, rest, others), &q);
   return keys > 0;
}

static const char *join_type (const MtJoin *j, bool swapped)
{
   bool left = swapped ? j->keep_right : j->keep_left,
        right = swapped ? j->keep_left : j->keep_right;
   if (j->asof)
      return left ? "ASOF Left Join" : "ASOF Join";
   if (j->mark)
      return "Mark Join";
   if (left && right)
      return "Full Join";
   if (left)
      return "Left Join";
   return right ? "Right Join" : "Join";
}

MtOutline *mt_outline_join (MtArena *a, const MtJoinStep *join, const MtPipe *pipe,
                            MtOutline *input, MtOutline *other)
{
   const MtJoin *j = join->rel->join;
   const char *type = join_type (j, join->swapped), *how = "Nested Loop",
              *key_cond = join->looked_up ? "Lookup Cond" : "Hash Cond";
   MtOutline *o = mt_outline_step (a, type, "", join->rows, pipe, input);
   bool hashed = note_conditions (a, o, join->rel, j->asof ? "Merge Cond" : key_cond);
   if (join->looked_up)
      how = "Lookup";
   else if (hashed)
      how = "Hash";
   bool plain = !j->mark && !j->keep_left && !j->keep_right && !hashed && !join->looked_up;
   if (j->tolerance)
      mt_outline_x (a, o, "Tolerance", j->tolerance, NULL);
   if (!j->asof)
      o->what = plain ? how : mt_printf (a, "%s %s", how, type);
   mt_outline_add (o, other);
   return o;
}

/* Returns how many of the first stages of the right side run only once, rather than for each left
 * row. -1: unknown. */
static int same_stages (const MtJoin *j, const MtPipe *pipe)
{
   MtQuery probe = {.rel = *j->right, .limit = -1};
   bson_iter_t it;
   bson_t stage;
   int n = 0;
   if (mt_query_is_volatile (&probe))
      return -1;
   for (bson_iter_init (&it, pipe->stages); bson_iter_next (&it); n++) {
      MtVal v = mt_v_from_iter (&it);
      if (!bson_init_static (&stage, v.p, v.len) || mt_names_outer (&stage))
         break;
   }
   return n;
}

MtOutline *mt_outline_apply (MtArena *a, const MtRel *rel, double rows, const MtPipe *pipe,
                             MtOutline *input, MtOutline *other)
{
   const MtJoin *j = rel->join;
   MtQuery q = {.rel = *rel, .limit = -1};
   MtX **with = MT_NEW_N (a, MtX *, (size_t) j->let_count + 1);
   const char *what = j->keep_left ? "Nested Loop Left Join" : "Nested Loop";
   MtOutline *o = mt_outline_step (a, j->mark ? "Nested Loop Mark Join" : what, "", rows, pipe,
                                   input);
   for (int i = 0; i < j->let_count; i++)
      with[i] = j->lets[i].x;
   note_list (a, o, "For Each", with, j->let_count, &q);
   mt_outline_x (a, o, "When", j->when, &q);
   mt_outline_x (a, o, "Join Filter", j->on, &q);
   mt_outline_add (o, other);
   if (other)
      other->kept = same_stages (j, other->pipe);
   return o;
}

/* ---- steps of a query block ---- */

/* Extends step o to the current last stage of the pipe. */
static MtOutline *onwards (MtOutline *o, const MtPipe *pipe)
{
   if (o->end >= 0)
      o->end = pipe->count;
   return o;
}

MtOutline *mt_outline_where (MtArena *a, const MtQuery *q, const MtPipe *pipe, MtOutline *input)
{
   bool own = q->rel.kind == MT_REL_QUERY || q->rel.kind == MT_REL_UNNEST || q->arm_count;
   MtOutline *o = own ? mt_outline_step (a, "Subquery Scan",
                                         q->rel.alias && strcmp (q->rel.alias, "unnamed")
                                            ? mt_printf (a, " on %s", q->rel.alias)
                                            : "",
                                         0, pipe, input)
                      : onwards (input, pipe);
   mt_outline_x (a, o, "Filter", q->where, q);
   o->worth = o->worth || own;
   return o;
}

MtOutline *mt_outline_windows (MtArena *a, const MtQuery *q, double rows, const MtPipe *pipe,
                               MtOutline *input)
{
   MtOutline *o = mt_outline_step (a, "WindowAgg", "", rows, pipe, input);
   for (int i = 0; i < q->windows->def_count; i++) {
      const MtWindowDef *d = &q->windows->defs[i];
      MtBuf text = {0};
      mt_buf_adds (&text, d->partition_count ? "(PARTITION BY " : "(");
      for (int k = 0; k < d->partition_count; k++) {
         mt_buf_adds (&text, k ? ", " : "");
         mt_x_print (d->partition[k], q, &text);
      }
      if (d->order_count)
         mt_buf_adds (&text, d->partition_count ? " ORDER BY " : "ORDER BY ");
      print_order (d->order, d->order_count, q, &text);
      mt_buf_addc (&text, ')');
      outline_note (a, o, "Window", taken (a, &text));
   }
   o->worth = true;
   return o;
}

MtOutline *mt_outline_group (MtArena *a, const MtQuery *q, double rows, const MtPipe *pipe,
                             MtOutline *input)
{
   MtOutline *o = mt_outline_step (a, q->key_count ? "Group" : "Aggregate", "", rows, pipe, input);
   note_list (a, o, "Group Key", q->keys, q->key_count, q);
   return o;
}

MtOutline *mt_outline_sort (MtArena *a, const MtQuery *q, const MtPipe *pipe, MtOutline *input)
{
   MtBuf text = {0};
   MtOutline *o = mt_outline_step (a, q->on_count ? "Unique" : "Sort", "", 0, pipe, input);
   print_order (q->sort, q->sort_count, q, &text);
   outline_note (a, o, "Sort Key", taken (a, &text));
   return o;
}

MtOutline *mt_outline_limit (MtArena *a, const MtQuery *q, const MtPipe *pipe, MtOutline *input)
{
   MtOutline *o = mt_outline_step (a, "Limit", "", 0, pipe, input);
   if (q->limit >= 0)
      outline_note (a, o, "Count",
                    mt_printf (a, "%lld%s", (long long) q->limit,
                               q->with_ties ? " with ties" : ""));
   if (q->offset > 0)
      outline_note (a, o, "Offset", mt_printf (a, "%lld", (long long) q->offset));
   return o;
}

const char *mt_outline_set_name (const MtQuery *q)
{
   if (q->work)
      return q->work_all ? "Recursive Union All" : "Recursive Union";
   if (!q->times)
      return "Append";
   switch (q->times->kind) {
   case MT_TIMES_INTERSECT: return q->times->all ? "SetOp Intersect All" : "SetOp Intersect";
   case MT_TIMES_EXCEPT: return q->times->all ? "SetOp Except All" : "SetOp Except";
   case MT_TIMES_ARMS:
   case MT_TIMES_UNION: break;
   }
   return q->times->all ? "SetOp Union All" : "SetOp Union";
}

/* ---- steps of the whole plan ---- */

bool mt_outline_worth (const MtOutline *o)
{
   bool worth = o->worth;
   for (const MtOutline *i = o->inputs; i && !worth; i = i->next)
      worth = mt_outline_worth (i);
   return worth;
}

/* Returns whether a server can run all stages of step o. For a scan that is grouped, these are the
 * stages before $group. */
static bool server_runs (MtArena *a, const MtCaps *caps, const MtOutline *o)
{
   bson_t *stages = mt_doc_new (a);
   bson_iter_t it, stage;
   int n = 0;
   for (bson_iter_init (&it, o->pipe->stages); bson_iter_next (&it) && (o->end < 0 || n < o->end);
        n++) {
      if (o->end < 0 && bson_iter_recurse (&it, &stage) && bson_iter_find (&stage, "$group"))
         break;
      mt_doc_add (stages, bson_iter_key (&it), mt_v_from_iter (&it));
   }
   return mt_server_has (a, caps, mt_v_array (stages));
}

static bool makes_its_rows (const MtPipe *pipe)
{
   bson_iter_t it, stage;
   return bson_iter_init (&it, pipe->stages) && bson_iter_next (&it) &&
          bson_iter_recurse (&it, &stage) && bson_iter_find (&stage, "$documents");
}

/* Returns whether the stages of step o begin with a temporary table, which servers don't have. */
static bool begins_here (const MtOutline *o)
{
   bool own = o->own;
   for (const MtOutline *i = o->inputs; i && !own; i = i->next)
      own = i->run_by < 0 && begins_here (i);
   return own;
}

/* Sets o->here (the step runs in process, not on the server) for step o and its inputs. here: its
 * parent step does. */
static void place (MtArena *a, const MtCaps *caps, MtOutline *o, bool here)
{
   o->here = here || begins_here (o) || !server_runs (a, caps, o);
   for (MtOutline *i = o->inputs; i; i = i->next)
      place (a, caps, i,
             here || (o->here && i->run_by >= 0 &&
                      (makes_its_rows (i->pipe) || strncmp (o->what, "Recursive", 9) == 0)));
}

void mt_outline_place (MtArena *a, const MtCaps *caps, MtOutline *o) { place (a, caps, o, false); }

const char *mt_outline_first_here (MtArena *a, const MtOutline *o, bool note)
{
   const char *first = NULL;
   for (const MtOutline *i = o->inputs; i && !first; i = i->next)
      first = mt_outline_first_here (a, i, note);
   if (first || !o->here)
      return first;
   const char *name = mt_printf (a, "%s%s", o->what, o->of);
   return note && o->notes ? mt_printf (a, "%s, %s: %s", name, o->notes->label, o->notes->text)
                           : name;
}
