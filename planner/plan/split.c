/* Splits a plan into stages for the server, and stages that run in process over the server's
 * documents. The first stage with an operator that the server lacks, or computes wrongly, begins
 * the second part. */
#include "planner/plan/split.h"

#include "planner/plan/apply.h"
#include "planner/plan/whole_order.h"
#include "planner/plan/words.h"
#include "functions/exact.h"
#include "query/function.h"

#include <string.h>

static bool is_lacking (const MtCaps *caps, const char *key)
{
   if (key[0] != '$')
      return !key[0]; /* the driver can't send an empty field name */
   return mt_caps_lack (caps, key) || strncmp (key, "$_mt", 4) == 0;
}

/* Sets *view to the document or array v. False: v is a scalar. */
static bool open_value (MtVal v, bson_t *view)
{
   return (v.type == MT_DOC || v.type == MT_ARRAY) && bson_init_static (view, v.p, v.len);
}

/* Returns the name of a stage in MtCaps. A $unionWith without a collection has a name of its
 * own. */
static const char *asked_name (const char *key, MtVal v)
{
   bool own = key[0] == '$' && strcmp (key, "$unionWith") == 0 && v.type == MT_DOC &&
              mt_doc_field (v, "coll").type == MT_MISSING;
   return own ? MT_UNION_WITH_DOCUMENTS : key;
}

/* Returns whether the field `key` of a stage names a temporary collection, which servers don't
 * have. */
static bool names_temporary (const char *key, MtVal v)
{
   size_t n = sizeof MT_TEMPORARY - 1;
   return v.type == MT_STRING && v.len > n && memcmp (v.p, MT_TEMPORARY, n) == 0 &&
          (strcmp (key, "coll") == 0 || strcmp (key, "from") == 0);
}

static const char *first_lacking_in (const MtCaps *caps, MtVal v)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   const char *found = NULL;
   if (v.type != MT_DOC && v.type != MT_ARRAY)
      return NULL;
   while (!found && mt_doc_next (&it, &key, &x)) {
      if (is_lacking (caps, asked_name (key.p, x)))
         found = key.n ? key.p : "fields without a name";
      else if (names_temporary (key.p, x))
         found = "temporary tables";
      else
         found = mt_is_outer (x) ? "values of an outer row" : first_lacking_in (caps, x);
   }
   return found;
}

/* Returns the name of the first operator in v that the server lacks, and that can't be rewritten
 * with others (words.h). NULL: there is none. */
static const char *first_lacking (MtArena *a, const MtCaps *caps, MtVal v)
{
   return mt_caps_lack (caps, "*") ? "leave to run stages"
                                   : first_lacking_in (caps, mt_server_words (a, caps, v));
}

const char *mt_first_lacking (MtArena *a, const MtCaps *caps, const bson_t *stages)
{
   return first_lacking (a, caps, mt_v_array (stages));
}

bool mt_server_has (MtArena *a, const MtCaps *caps, MtVal v)
{
   return first_lacking (a, caps, v) == NULL;
}

/* ---- the fields that stages in process read ---- */

typedef struct Fields {
   MtArena *a;
   bson_t *project;
   bool all; /* the stages may read all fields */
} Fields;

static void want_field (Fields *f, const char *path)
{
   size_t n = strcspn (path, ".");
   const char *name = mt_strndup (f->a, path, n);
   if (n == 0)
      f->all = true;
   else if (!bson_has_field (f->project, name))
      mt_doc_add_int (f->project, name, 1);
}

static void want_in_value (Fields *f, MtVal v)
{
   bson_t view;
   bson_iter_t it;
   if (v.type == MT_STRING && v.len > 1 && v.p[0] == '$') {
      const char *text = mt_strndup (f->a, (const char *) v.p, v.len);
      if (text[1] != '$')
         want_field (f, text + 1);
      else if (strncmp (text, "$$ROOT", 6) == 0 || strncmp (text, "$$CURRENT", 9) == 0)
         f->all = true;
   }
   if (!open_value (v, &view) || !bson_iter_init (&it, &view))
      return;
   while (bson_iter_next (&it))
      if (strcmp (bson_iter_key (&it), "$literal"))
         want_in_value (f, mt_v_from_iter (&it));
}

/* What an element of a $project does with its field: exclude, copy, or compute it. */
typedef enum Projected { LEFT_OUT, KEPT, MADE } Projected;

static Projected projected (MtVal v)
{
   MtDocIter it = mt_doc_iter (v.type == MT_DOC ? v : mt_v_missing ());
   MtStr first;
   MtVal part;
   if (mt_is_number (v))
      return mt_v_compare_numbers (v, mt_v_int32 (0)) != 0 ? KEPT : LEFT_OUT;
   if (v.type == MT_BOOL)
      return v.i ? KEPT : LEFT_OUT;
   return mt_doc_next (&it, &first, &part) && first.n && first.p[0] != '$' ? KEPT : MADE;
}

/* Adds the fields that a $project reads to f. If it only excludes fields, it reads all others. */
static void want_in_project (Fields *f, MtVal spec)
{
   MtDocIter it = mt_doc_iter (spec);
   MtStr name;
   MtVal v;
   bool all = true;
   while (mt_doc_next (&it, &name, &v)) {
      Projected p = projected (v);
      if (p == KEPT)
         want_field (f, mt_strndup (f->a, name.p, name.n));
      want_in_value (f, v);
      all &= p == LEFT_OUT;
   }
   f->all |= all;
}

/* Adds the field paths that a $match condition reads to f. */
static void want_in_match (Fields *f, MtVal v)
{
   bson_t view;
   bson_iter_t it;
   if (!open_value (v, &view) || !bson_iter_init (&it, &view))
      return;
   while (bson_iter_next (&it)) {
      const char *key = bson_iter_key (&it);
      MtVal value = mt_v_from_iter (&it);
      if (strcmp (key, "$expr") == 0)
         want_in_value (f, value);
      else if (key[0] == '$' || v.type == MT_ARRAY)
         want_in_match (f, value);
      else
         want_field (f, key);
   }
}

/* Returns a $project of the fields that the stages `local` read from incoming documents. NULL: they
 * need all fields. */
static bson_t *wanted (MtArena *a, const MtPipe *local)
{
   Fields f = {.a = a, .project = mt_doc_new (a)};
   bson_iter_t it, stage;
   bool ended = false;
   bson_iter_init (&it, local->stages);
   while (!ended && !f.all && bson_iter_next (&it) && bson_iter_recurse (&it, &stage) &&
          bson_iter_next (&stage)) {
      const char *name = bson_iter_key (&stage);
      MtVal spec = mt_v_from_iter (&stage);
      if (strcmp (name, "$_mtWith") == 0)
         continue;
      bool project = strcmp (name, "$project") == 0;
      ended = project || strcmp (name, "$group") == 0;
      if (strcmp (name, "$match") == 0)
         want_in_match (&f, spec);
      else if (project)
         want_in_project (&f, spec);
      else if (ended || strcmp (name, "$unwind") == 0 || strcmp (name, "$addFields") == 0)
         want_in_value (&f, spec);
      else
         f.all = true;
   }
   if (!ended || f.all)
      return NULL;
   if (!bson_has_field (f.project, "_id"))
      mt_doc_add_int (f.project, "_id", 0);
   return f.project;
}

static bool makes_documents (const char *stage);

bson_t *mt_wanted_fields (MtArena *a, const MtPipe *before, const MtPipe *behind)
{
   bson_iter_t it, stage;
   bson_iter_init (&it, before->stages);
   while (bson_iter_next (&it) && bson_iter_recurse (&it, &stage) && bson_iter_next (&stage))
      if (makes_documents (bson_iter_key (&stage)))
         return NULL;
   return wanted (a, behind);
}

/* ---- splitting pipelines ---- */

/* Returns whether a stage makes new documents, so that a $project after it does not reduce them. */
static bool makes_documents (const char *stage)
{
   return strcmp (stage, "$group") == 0 || strcmp (stage, "$project") == 0 ||
          strcmp (stage, "$documents") == 0 || strcmp (stage, "$replaceRoot") == 0;
}

static void split_stages (MtArena *a, const MtCaps *caps, const bson_t *stages, MtPlanArm *out);

static bson_t *all_here (MtArena *a, const MtCaps *caps, const bson_t *stages);

/* Returns whether the stage is $_mtWith, which only defines shared queries. */
static bool is_with (const char *stage) { return strcmp (stage, "$_mtWith") == 0; }

/* Splits those stages of $_mtApply that run only once between the server and this process. The
 * stages for each row run in process. */
static MtVal split_apply (MtArena *a, const MtCaps *caps, MtVal spec)
{
   bson_t prepare, pipeline, *out = mt_doc_new (a);
   MtVal coll = mt_doc_field (spec, "coll"), v;
   if (!open_value (mt_doc_field (spec, "pipeline"), &pipeline))
      return spec;
   bool kept = open_value (mt_doc_field (spec, "prepare"), &prepare);
   MtPlanArm parts = {.collection = coll.type == MT_STRING
                                       ? mt_strndup (a, (const char *) coll.p, coll.len)
                                       : NULL};
   if (kept && parts.collection)
      split_stages (a, caps, &prepare, &parts);
   MtDocIter it = mt_doc_iter (spec);
   MtStr key;
   while (mt_doc_next (&it, &key, &v)) {
      const char *name = mt_strndup (a, key.p, key.n);
      if (mt_str_is (key, "prepare") && parts.remote && !mt_is_temporary (parts.collection)) {
         mt_doc_add_array (out, "$_mtRemote", parts.remote);
         mt_doc_add_array (out, name, parts.local ? parts.local : mt_doc_new (a));
      } else if (mt_str_is (key, "prepare"))
         mt_doc_add_array (out, name, all_here (a, caps, &prepare));
      else if (mt_str_is (key, "pipeline"))
         mt_doc_add_array (out, name, all_here (a, caps, &pipeline));
      else
         mt_doc_add (out, name, v);
   }
   return mt_v_doc (out);
}

/* Prepares a stage whose pipeline reads no collection: all of its stages run in process. */
static MtVal without_collection (MtArena *a, const MtCaps *caps, MtVal spec, const bson_t *stages)
{
   bson_t *out = mt_doc_new (a);
   MtDocIter it = mt_doc_iter (spec);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      mt_doc_add (out, mt_strndup (a, key.p, key.n),
                  mt_str_is (key, "pipeline") ? mt_v_array (all_here (a, caps, stages)) : v);
   return mt_v_doc (out);
}

/* Prepares a stage that runs in process: if its pipeline reads a collection, the pipeline is split,
 * too. */
static MtVal split_within (MtArena *a, const MtCaps *caps, const char *stage, MtVal spec)
{
   bson_t stages, *out = mt_doc_new (a);
   bool has_own = strcmp (stage, "$_mtJoin") == 0 || strcmp (stage, "$unionWith") == 0 ||
                  strcmp (stage, "$_mtWith") == 0;
   if (strcmp (stage, "$_mtApply") == 0)
      return split_apply (a, caps, spec);
   MtVal coll = has_own ? mt_doc_field (spec, "coll") : mt_v_missing (), v;
   if (!has_own || !open_value (mt_doc_field (spec, "pipeline"), &stages))
      return spec;
   if (coll.type != MT_STRING)
      return without_collection (a, caps, spec, &stages);
   MtPlanArm parts = {.collection = mt_strndup (a, (const char *) coll.p, coll.len)};
   split_stages (a, caps, &stages, &parts);
   MtDocIter it = mt_doc_iter (spec);
   MtStr key;
   while (mt_doc_next (&it, &key, &v))
      if (!mt_str_is (key, "pipeline"))
         mt_doc_add (out, mt_strndup (a, key.p, key.n), v);
   if (mt_is_temporary (parts.collection)) {
      mt_doc_add_array (out, "pipeline", parts.remote);
      return mt_v_doc (out);
   }
   mt_doc_add_array (out, "$_mtRemote", parts.remote);
   mt_doc_add_array (out, "pipeline", parts.local ? parts.local : mt_doc_new (a));
   return mt_v_doc (out);
}

static MtVal split_named (MtArena *a, const MtCaps *caps, MtVal list)
{
   bson_t *out = mt_doc_new (a);
   MtDocIter it = mt_doc_iter (list);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      mt_doc_add (out, mt_strndup (a, key.p, key.n), split_within (a, caps, "$_mtWith", v));
   return mt_v_array (out);
}

typedef struct Sorting {
   MtArena *a;
   MtStays stays;
   const void *ctx;
   bson_t *before, *rest;
} Sorting;

/* Sets *parts to the array in {$expr: {$and: […]}}. False: the field is another condition. */
static bool parts_of_expr (const bson_iter_t *it, MtVal *parts)
{
   MtVal v = mt_v_from_iter (it);
   if (strcmp (bson_iter_key (it), "$expr") || v.type != MT_DOC || mt_doc_count (v) != 1)
      return false;
   *parts = mt_doc_field (v, "$and");
   return parts->type == MT_ARRAY;
}

static const bson_t *weaker (Sorting *s, const bson_t *condition);

/* Returns {$or: […]} of a weaker condition for each branch. A condition is weaker if it is true
 * whenever the branch is. NULL: a branch has none. */
static const bson_t *weaker_or (Sorting *s, MtVal list)
{
   MtDocIter it = mt_doc_iter (list);
   MtStr key;
   MtVal v;
   bson_t *any = mt_doc_new (s->a), *out = mt_doc_new (s->a), view;
   while (mt_doc_next (&it, &key, &v)) {
      const bson_t *one = open_value (v, &view) ? weaker (s, &view) : NULL;
      if (!one)
         return NULL;
      mt_doc_push (any, mt_v_doc (one));
   }
   mt_doc_add_array (out, "$or", any);
   return out;
}

/* Returns those parts of a condition that the server can check, which together are true whenever
 * the condition is. NULL: there are none. The recursion is no deeper than the SQL expression. */
static const bson_t *weaker (Sorting *s, const bson_t *condition)
{
   bson_t *kept = mt_doc_new (s->a), view;
   bson_iter_t it, list;
   for (bson_iter_init (&it, condition); bson_iter_next (&it);) {
      bson_t *one = mt_doc_new (s->a);
      MtVal v = mt_v_from_iter (&it);
      const bson_t *part = one;
      mt_doc_add (one, bson_iter_key (&it), v);
      if (strcmp (bson_iter_key (&it), "$and") == 0 && bson_iter_recurse (&it, &list)) {
         while (bson_iter_next (&list))
            if (open_value (mt_v_from_iter (&list), &view) && (part = weaker (s, &view)))
               mt_doc_push (kept, mt_v_doc (part));
         continue;
      }
      if (s->stays (s->ctx, one))
         part = strcmp (bson_iter_key (&it), "$or") == 0 ? weaker_or (s, v) : NULL;
      if (part)
         mt_doc_push (kept, mt_v_doc (part));
   }
   return bson_empty (kept) ? NULL : mt_match_all (s->a, kept);
}

static void add_weaker (Sorting *s, const bson_t *condition)
{
   const bson_t *part = weaker (s, condition);
   if (part)
      mt_doc_push (s->before, mt_v_doc (part));
}

static void sort_condition (Sorting *s, const char *name, MtVal v)
{
   bson_t *one = mt_doc_new (s->a);
   mt_doc_add (one, name, v);
   bool stays = s->stays (s->ctx, one);
   if (stays && strcmp (name, "$or") == 0)
      add_weaker (s, one);
   mt_doc_push (stays ? s->rest : s->before, mt_v_doc (one));
}

/* Divides the conditions of a $match, which are combined by AND, into those that stay and those
 * that are moved. */
static void sort_conditions (Sorting *s, const bson_t *match)
{
   bson_iter_t it, list;
   bson_t view;
   MtVal parts, v;
   MtStr key;
   for (bson_iter_init (&it, match); bson_iter_next (&it);) {
      if (strcmp (bson_iter_key (&it), "$and") == 0 && bson_iter_recurse (&it, &list)) {
         while (bson_iter_next (&list)) /* the recursion is no deeper than the SQL expression */
            if (open_value (mt_v_from_iter (&list), &view))
               sort_conditions (s, &view);
         continue;
      }
      if (!parts_of_expr (&it, &parts)) {
         sort_condition (s, bson_iter_key (&it), mt_v_from_iter (&it));
         continue;
      }
      for (MtDocIter each = mt_doc_iter (parts); mt_doc_next (&each, &key, &v);)
         sort_condition (s, "$expr", v);
   }
}

MtVal mt_split_match (MtArena *a, MtVal match, MtStays stays, const void *ctx, MtPipe *before)
{
   Sorting s = {a, stays, ctx, mt_doc_new (a), mt_doc_new (a)};
   bson_t view;
   if (!open_value (match, &view))
      return match;
   sort_conditions (&s, &view);
   if (bson_empty (s.before))
      return match;
   mt_pipe_add (before, "$match", mt_match_all (a, s.before));
   return mt_v_doc (mt_match_all (a, s.rest));
}

/* Returns the stages with operators replaced that the server lacks, or computes differently from
 * MongoDB's manual. */
static bson_t *for_server (MtArena *a, const MtCaps *caps, bson_t *stages)
{
   bson_t *own = mt_doc_new (a), view;
   if (open_value (mt_server_words (a, caps, mt_v_array (stages)), &view))
      bson_concat (own, &view);
   return mt_whole_order (a, mt_exact_longs (a, own));
}

typedef struct Server {
   MtArena *a;
   const MtCaps *caps;
} Server;

static bool stays_here (const void *ctx, const bson_t *condition)
{
   const Server *s = ctx;
   return !mt_server_has (s->a, s->caps, mt_v_doc (condition));
}

static void split_stages (MtArena *a, const MtCaps *caps, const bson_t *stages, MtPlanArm *out)
{
   MtPipe *remote = mt_pipe_new (a), *local = mt_pipe_new (a);
   bson_iter_t it, stage;
   bool here = mt_caps_lack (caps, "*"), made = out->collection == NULL;
   if (mt_is_temporary (
          out->collection)) { /* the documents are in process, so all stages run in process */
      out->remote = all_here (a, caps, stages);
      return;
   }
   bson_iter_init (&it, stages);
   while (bson_iter_next (&it)) {
      bson_iter_recurse (&it, &stage);
      bson_iter_next (&stage);
      if (is_with (bson_iter_key (&stage))) {
         mt_pipe_add_value (local, "$_mtWith", split_named (a, caps, mt_v_from_iter (&stage)));
         continue;
      }
      if (!out->collection && strcmp (bson_iter_key (&stage), "$documents") == 0) {
         /* They are constants, and the stages in process read what a server returns. */
         mt_pipe_add_value (remote, "$documents", mt_v_from_iter (&stage));
         continue;
      }
      bool before = here;
      here = here || !mt_server_has (a, caps, mt_v_from_iter (&it));
      MtVal spec = mt_v_from_iter (&stage);
      if (here && !before && strcmp (bson_iter_key (&stage), "$match") == 0 &&
          !mt_caps_lack (caps, "$match"))
         spec = mt_split_match (a, spec, stays_here, &(Server) {a, caps}, remote);
      made = made || (!here && makes_documents (bson_iter_key (&stage)));
      mt_pipe_add_value (here ? local : remote, bson_iter_key (&stage),
                         here ? split_within (a, caps, bson_iter_key (&stage), spec) : spec);
   }
   bson_t *fields = local->count && !made ? wanted (a, local) : NULL;
   if (fields)
      mt_pipe_add (remote, "$project", fields);
   out->remote = for_server (a, caps, remote->stages);
   out->local = local->count ? local->stages : NULL;
}

/* Splits a pipeline at its last group of consecutive $unionWith stages, into the stages before
 * them, the union's members, and the stages after them. Returns the number of members. */
static int cut_at_unions (const bson_t *stages, MtPipe *before, MtVal *arms, MtPipe *after)
{
   bson_iter_t it, stage;
   int at = 0, first = -1, end = -1;
   bson_iter_init (&it, stages);
   for (; bson_iter_next (&it) && bson_iter_recurse (&it, &stage) && bson_iter_next (&stage); at++)
      if (strcmp (bson_iter_key (&stage), "$unionWith") == 0) {
         first = at == end ? first : at;
         end = at + 1;
      }
   bson_iter_init (&it, stages);
   for (at = 0; bson_iter_next (&it) && bson_iter_recurse (&it, &stage) && bson_iter_next (&stage);
        at++) {
      if (at >= first && at < end)
         arms[at - first] = mt_v_from_iter (&stage);
      else
         mt_pipe_add_value (at < first ? before : after, bson_iter_key (&stage),
                            mt_v_from_iter (&stage));
   }
   return end - first;
}

static bool has_union (const bson_t *stages)
{
   bson_iter_t it, stage;
   bson_iter_init (&it, stages);
   while (bson_iter_next (&it))
      if (bson_iter_recurse (&it, &stage) && bson_iter_find (&stage, "$unionWith"))
         return true;
   return false;
}

/* Returns whether the pipeline begins with $_mtWith, so that the members of its union share
 * rows. */
static bool shares_rows (const bson_t *stages)
{
   bson_iter_t it, stage;
   return bson_iter_init (&it, stages) && bson_iter_next (&it) && bson_iter_recurse (&it, &stage) &&
          bson_iter_next (&stage) && is_with (bson_iter_key (&stage));
}

static void split (MtArena *a, const MtCaps *caps, const bson_t *stages, MtPlanArm *out);

/* Returns all stages, prepared to run in process. */
static bson_t *all_here (MtArena *a, const MtCaps *caps, const bson_t *stages)
{
   MtPipe *here = mt_pipe_new (a);
   bson_iter_t it, stage;
   bson_iter_init (&it, stages);
   while (bson_iter_next (&it) && bson_iter_recurse (&it, &stage) && bson_iter_next (&stage))
      mt_pipe_add_value (here, bson_iter_key (&stage),
                         split_within (a, caps, bson_iter_key (&stage), mt_v_from_iter (&stage)));
   return here->stages;
}

/* Adds a union member to the plan. If it is itself only a union, its members are added instead, so
 * that each starts only when its rows are needed. */
static void add_arm (MtArena *a, const MtCaps *caps, const char *collection, const bson_t *stages,
                     MtPlanArm *out, size_t *cap)
{
   MtPlanArm arm = {.collection = collection};
   split (a, caps, stages, &arm);
   bool within = arm.arm_count && !arm.local;
   for (int i = 0; i < (within ? arm.arm_count : 1); i++) {
      MT_GROW_IN (a, out->arms, out->arm_count, *cap, 8);
      out->arms[out->arm_count++] = within ? arm.arms[i] : arm;
   }
}

static void split_unions (MtArena *a, const MtCaps *caps, const bson_t *stages, MtPlanArm *out)
{
   MtPipe *before = mt_pipe_new (a), *after = mt_pipe_new (a);
   MtVal *unions = MT_NEW_N (a, MtVal, (size_t) bson_count_keys (stages) + 1);
   int count = cut_at_unions (stages, before, unions, after);
   size_t cap = 0;
   MtPlanArm all = {0};
   add_arm (a, caps, out->collection, before->stages, &all, &cap);
   for (int i = 0; i < count; i++) {
      MtVal coll = mt_doc_field (unions[i], "coll");
      bson_t view = BSON_INITIALIZER;
      open_value (mt_doc_field (unions[i], "pipeline"), &view);
      add_arm (a, caps,
               coll.type == MT_STRING ? mt_strndup (a, (const char *) coll.p, coll.len) : NULL,
               &view, &all, &cap);
   }
   all.local = after->count ? all_here (a, caps, after->stages) : NULL;
   *out = all;
}

/* Splits the stages, which read out->collection, into out->remote for the server and out->local. */
static void split (MtArena *a, const MtCaps *caps, const bson_t *stages, MtPlanArm *out)
{
   MtPlanArm whole = {.collection = out->collection};
   split_stages (a, caps, stages, &whole);
   if (whole.local && has_union (whole.local) && !shares_rows (whole.local))
      split_unions (a, caps, stages, out);
   else
      *out = whole;
}

static void take_parts (MtPlan *plan, const MtPlanArm *whole)
{
   plan->collection = whole->collection;
   plan->remote = whole->remote;
   plan->local = whole->local;
   plan->arms = whole->arms;
   plan->arm_count = whole->arm_count;
}

void mt_plan_split_arms (MtArena *a, const MtCaps *caps, MtPlan *plan)
{
   MtPlanArm whole = {.collection = plan->collection};
   split_unions (a, caps, plan->remote, &whole);
   take_parts (plan, &whole);
}

void mt_plan_split (MtArena *a, const MtCaps *caps, MtPlan *plan)
{
   if (mt_server_has (a, caps, mt_v_array (plan->remote)) && !mt_is_temporary (plan->collection)) {
      plan->remote = for_server (a, caps, plan->remote);
      return;
   }
   MtPlanArm whole = {.collection = plan->collection};
   split (a, caps, plan->remote, &whole);
   take_parts (plan, &whole);
}

/* ---- operators that a server can't be used for in a query ---- */

/* Returns whether x is a numeric whose equal values may have different numbers of decimals, such as
 * 1.0 and 1.00. False for extract, whose results have a fixed number of decimals. */
static bool is_decimal (const MtX *x)
{
   return x && x->type.id == MT_T_NUMERIC &&
          !(x->kind == MT_X_CALL && x->call.fn->step == MT_STEP_PART);
}

static bool groups_decimals (const MtQuery *q);

static bool rel_groups_decimals (const MtRel *rel)
{
   if (rel->kind == MT_REL_UNNEST)
      return rel_groups_decimals (rel->unnest->input);
   if (rel->kind == MT_REL_JOIN)
      return rel_groups_decimals (rel->join->left) || rel_groups_decimals (rel->join->right);
   if (rel->kind == MT_REL_SHARED && !rel->shared->decimals)
      rel->shared->decimals = groups_decimals (rel->shared->query) ? 1 : -1;
   return rel->kind == MT_REL_SHARED ? rel->shared->decimals > 0
                                     : rel->kind == MT_REL_QUERY && groups_decimals (rel->query);
}

/* Returns whether q or a sub-query groups by a numeric for which is_decimal is true. */
static bool groups_decimals (const MtQuery *q)
{
   bool found = rel_groups_decimals (&q->rel);
   for (int i = 0; i < q->arm_count; i++)
      found = found || groups_decimals (q->arms[i]);
   for (int i = 0; i < q->key_count; i++)
      found = found || is_decimal (q->keys[i]);
   for (int i = 0; i < q->agg_count; i++)
      found = found || (q->aggs[i].distinct && is_decimal (q->aggs[i].arg));
   for (int i = 0; i < q->visible_count; i++)
      found = found ||
              ((q->distinct || q->times || q->on_count) && is_decimal (q->targets[i].expr));
   return found;
}

/* Adds the names in a list separated by commas to `names`; returns their number. */
static size_t add_names (MtArena *a, const char *list, const char **names)
{
   size_t n = 0;
   for (const char *p = list; p && *p; p += *p == ',') {
      p += strspn (p, " ");
      size_t length = strcspn (p, " ,");
      if (length)
         names[n++] = mt_strndup (a, p, length);
      p += strcspn (p, ",");
   }
   return n;
}

const MtCaps *mt_caps_for (MtArena *a, const MtPlanSettings *settings, const MtQuery *q)
{
   const MtCaps *caps = settings->caps;
   const char *off = settings->pushdown_off,
              **besides = MT_NEW_N (a, const char *, (off ? strlen (off) : 0) + 3);
   size_t n = 0, more = add_names (a, off, besides);
   if (mt_caps_lack (caps, MT_GROUP_OF_DECIMALS) && groups_decimals (q))
      besides[more++] = "$group";
   if (settings->temporary)
      besides[more++] = "$lookup";
   if (!more)
      return caps;
   while (caps->lacking && caps->lacking[n])
      n++;
   const char **lacking = MT_NEW_N (a, const char *, n + more + 1);
   if (n)
      memcpy (lacking, caps->lacking, n * sizeof *lacking);
   memcpy (lacking + n, besides, more * sizeof *lacking);
   MtCaps *own = MT_NEW (a, MtCaps);
   *own = *caps;
   own->lacking = lacking;
   return own;
}
