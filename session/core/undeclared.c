/* Undeclared collections. A random sample gives the columns and their types. Before a statement
 * computes with a column, the types of all its values are checked once: a value of another type
 * is an error, never a wrong sum. */
#include "session/core/undeclared.h"

#include "engine/pipe.h"
#include "planner/cut/way.h"
#include "query/x.h"
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/files/files.h"

#include <string.h>

#define SAMPLE_BYTES (64u << 20) /* the largest size of a sample, in bytes */

struct MtUndeclared {
   MtCollectionSample seen;
   MtTable table;
   bool *checked;           /* by column: the types of all values were checked, and fit … */
   MtCollectionState state; /* … in this state of the collection */
   MtArena *arena, *old;    /* `old` has the previous sample, which may still be in use */
   MtFileTable *file;       /* if the collection is a text file; `arena` has a reference */
   MtUndeclared *next;
};

/* ---- sampling ---- */

static const bson_t *sample_pipeline (MtArena *a, uint64_t n)
{
   MtPipe *p = mt_pipe_new (a);
   bson_t *spec = mt_doc_new (a);
   mt_doc_add_int (spec, "size", (int64_t) n);
   if (n)
      mt_pipe_add (p, "$sample", spec);
   return p->stages;
}

/* Reads random documents of a collection and passes each to v->visit: sample_size documents, or all
 * if there are fewer, but no more than SAMPLE_BYTES. */
static bool draw_sample (MtSession *s, MtArena *a, const char *collection, const MtCollStats *stats,
                         const MtSampleVisit *v, MtError *err)
{
   MtCursor *cursor;
   const bson_t *doc;
   uint64_t n = (uint64_t) s->settings.sample_size,
            size = stats->documents ? stats->bytes / stats->documents + 1 : 1, read = 0;
   if (n > SAMPLE_BYTES / size)
      n = SAMPLE_BYTES / size + 1;
   MtAggregateArgs args = {.collection = collection,
                           .pipeline = sample_pipeline (a, n < stats->documents ? n : 0)};
   if (!mt_engine_aggregate (s->engine, &args, &cursor, err))
      return false;
   bool ok;
   for (uint64_t seen = 0; (ok = mt_cursor_next (cursor, &doc, err)) && doc && seen < n; seen++) {
      read += doc->len;
      if (!v->visit (v->ctx, doc) || read > SAMPLE_BYTES)
         break;
   }
   mt_cursor_free (cursor);
   return ok;
}

typedef struct Sampling {
   MtArena *a;
   MtCollectionSample *out;
} Sampling;

static bool add_document (void *ctx, const bson_t *doc)
{
   Sampling *to = ctx;
   mt_seen_add (to->a, to->out->root, mt_v_doc (doc));
   to->out->sampled++;
   return true;
}

static bool take_new_sample (MtSession *s, const char *collection, MtCollectionSample *out,
                             MtArena *a, MtError *err)
{
   MtCollStats stats;
   Sampling to = {a, out};
   if (!mt_engine_stats (s->engine, collection, &stats, err))
      return false;
   *out = (MtCollectionSample) {.collection = collection,
                                .root = mt_seen_new (a),
                                .documents = stats.documents,
                                .bytes = stats.bytes};
   return draw_sample (s, a, collection, &stats, &(MtSampleVisit) {add_document, &to}, err);
}

bool mt_undeclared_visit (MtSession *s, const char *collection, const MtSampleVisit *v,
                          MtError *err)
{
   MtCollStats stats;
   MtArena *a = mt_arena_new ("visit", NULL);
   bool ok = mt_engine_stats (s->engine, collection, &stats, err) &&
             draw_sample (s, a, collection, &stats, v, err);
   mt_arena_free (a);
   return ok;
}

static bool replace_sample (MtSession *s, MtUndeclared *u, MtError *err)
{
   MtArena *a = mt_arena_new ("sample", s->arena);
   MtUndeclared next = *u;
   if (!take_new_sample (s, u->seen.collection, &next.seen, a, err) ||
       !mt_seen_table (a, u->seen.collection, next.seen.root, &next.table, &next.seen.hidden,
                       err)) {
      mt_arena_free (a);
      return false;
   }
   MtLayout *l = next.table.layouts;
   l->stats = MT_NEW (a, MtStoreStats);
   *l->stats = (MtStoreStats) {.present = true,
                               .documents = (double) next.seen.documents,
                               .bytes = (double) next.seen.bytes,
                               .records = (double) next.seen.documents,
                               .nodes = MT_NEW_N (a, MtNodeStats, l->stores->node_count)};
   l->stats->nodes[0] = (MtNodeStats) {l->stats->documents, l->stats->bytes};
   next.checked = MT_NEW_N (a, bool, next.table.column_count + 1);
   mt_arena_free (next.old);
   next.old = next.arena;
   next.arena = a;
   *u = next;
   return true;
}

/* ---- text files of the target ---- */

/* Reads the first rows of file f, at most sample_size, adds them to the sample `root`, and counts
 * them in *sampled. */
static bool sample_rows (MtSession *s, MtArena *a, const MtFileTable *f, MtSeen *root,
                         uint64_t *sampled, MtError *err)
{
   MtDocStream *rows;
   const bson_t *doc;
   bool ok = s->streams.open (s->streams.ctx, mt_file_collection (f), &rows, err);
   if (!ok)
      return false;
   while ((ok = rows->next (rows, &doc, err)) && doc &&
          *sampled < (uint64_t) s->settings.sample_size) {
      mt_seen_add (a, root, mt_v_doc (doc));
      ++*sampled;
   }
   rows->close (rows);
   return ok;
}

/* Detects columns and types of the text file at `path` and samples it, unless u->file already
 * describes the unchanged file. fresh: always. */
static bool find_file (MtSession *s, MtUndeclared *u, const char *path, bool fresh, MtError *err)
{
   MtArena *a = mt_arena_new ("file", s->arena);
   MtFileTable *f;
   if (!mt_file_of_target (s, a, path, &f, err)) {
      mt_arena_free (a);
      return false;
   }
   if (f == u->file && !fresh) {
      mt_arena_free (a);
      return true;
   }
   mt_arena_free (u->old);
   u->old = u->arena;
   u->arena = a;
   u->file = f;
   const MtStoreStats *stats = mt_file_table (f)->layouts->stats;
   u->seen = (MtCollectionSample) {.collection = u->seen.collection,
                                   .root = mt_seen_new (a),
                                   .documents = (uint64_t) stats->documents,
                                   .bytes = (uint64_t) stats->bytes};
   return !fresh || sample_rows (s, a, f, u->seen.root, &u->seen.sampled, err);
}

/* ---- finding ---- */

static bool is_reserved_name (const char *name)
{
   return strcmp (name, MT_CATALOG_COLLECTION) == 0 || mt_is_temporary (name) ||
          strncmp (name, "system.", 7) == 0;
}

/* Sets *out to the exact name of a collection, or NULL if there is none. exact false: if no name is
 * equal, also accepts the only name that differs in upper and lower case. */
static bool collection_named (MtSession *s, MtArena *a, const char *name, bool exact,
                              const char **out, MtError *err)
{
   const char **names, *near = NULL;
   size_t n, matches = 0;
   *out = NULL;
   if (!mt_engine_collections (s->engine, a, &names, &n, err))
      return false;
   for (size_t i = 0; i < n; i++) {
      if (is_reserved_name (names[i]))
         continue;
      if (strcmp (names[i], name) == 0) {
         *out = names[i];
         return true;
      }
      if (!exact && mt_ieq (names[i], name)) {
         near = names[i];
         matches++;
      }
   }
   if (matches > 1)
      return mt_error (err, MT_E_AMBIGUOUS_COLUMN, "collection name \"%s\" is ambiguous", name);
   *out = near;
   return true;
}

bool mt_undeclared_find (MtSession *s, const char *name, bool exact, bool fresh, MtUndeclared **out,
                         MtError *err)
{
   MtArena *a = mt_arena_new ("collections", NULL);
   const char *collection;
   *out = NULL;
   bool ok = collection_named (s, a, name, exact, &collection, err) &&
             (!collection || mt_collection_stays (s, a, collection, err));
   if (ok && collection) {
      MtUndeclared *u = s->undeclared;
      while (u && strcmp (u->seen.collection, collection) != 0)
         u = u->next;
      if (!u) {
         u = MT_NEW (s->arena, MtUndeclared);
         u->seen.collection = mt_strdup (s->arena, collection);
         u->next = s->undeclared;
         s->undeclared = u;
      }
      const char *path = mt_engine_text_file (s->engine, collection);
      if (path)
         ok = find_file (s, u, path, fresh, err);
      else if (!u->arena || fresh)
         ok = replace_sample (s, u, err);
      *out = ok ? u : NULL;
   }
   mt_arena_free (a);
   return ok;
}

static MtUndeclared *undeclared_of_table (const MtSession *s, const MtTable *t)
{
   MtUndeclared *u = s->undeclared;
   while (u && &u->table != t)
      u = u->next;
   return u;
}

bool mt_is_undeclared (const MtSession *s, const MtTable *t)
{
   return undeclared_of_table (s, t) != NULL;
}

const MtTable *mt_undeclared_table (const MtUndeclared *u)
{
   return u->file ? mt_file_table (u->file) : &u->table;
}

const MtFileTable *mt_undeclared_file (const MtUndeclared *u) { return u->file; }

const MtCollectionSample *mt_undeclared_sample (const MtUndeclared *u) { return &u->seen; }

/* ---- checking the types of values ---- */

/* Returns whether all rows up to the last returned one are returned. Then a value of a wrong type
 * either comes before that row in the order, and is checked when it is printed, or it does not
 * change the result. */
static bool returns_first_rows (const MtStatement *st, const MtQuery *q)
{
   return q->limit >= 0 && !q->offset && !q->on_count && !st->session->settings.skip_malformed;
}

/* Sets used[n] for each column with which query q computes. Columns of the outermost query that are
 * only returned are left out: their types are checked when they are printed. With `first_rows`, so
 * are returned columns by which it sorts. */
static void used_columns (const MtQuery *q, bool outermost, bool first_rows, bool *used)
{
   bool plain = outermost && !q->grouped && !q->distinct;
   if (q->where)
      mt_x_mark_columns (q->where, used);
   for (int i = 0; i < q->key_count; i++)
      mt_x_mark_columns (q->keys[i], used);
   for (int i = 0; i < q->agg_count; i++) {
      if (q->aggs[i].arg)
         mt_x_mark_columns (q->aggs[i].arg, used);
      if (q->aggs[i].filter)
         mt_x_mark_columns (q->aggs[i].filter, used);
   }
   if (q->grouped)
      return;
   for (int i = 0; i < q->target_count; i++)
      if (!plain || i >= q->visible_count || q->targets[i].expr->kind != MT_X_COLUMN)
         mt_x_mark_columns (q->targets[i].expr, used);
   for (int i = 0; i < q->sort_count; i++) {
      const MtX *x = q->sort[i].expr;
      bool target = x->kind == MT_X_TARGET, returned = target && x->index < q->visible_count;
      x = target ? q->targets[x->index].expr : x;
      if (!(plain && first_rows && returned && x->kind == MT_X_COLUMN))
         mt_x_mark_columns (x, used);
   }
}

/* Returns MongoDB's names of the BSON types that a column of type t can read, ended by NULL; NULL:
 * all types. */
static const char *const *readable_types (MtTypeId t)
{
   static const char *const whole[] = {"null", "undefined", "int", "long", NULL},
                            *const number[] = {"null", "undefined", "int", "long", "double", NULL},
                            *const decimal[] = {"null", "undefined", "int",
                                                "long", "decimal",   NULL},
                            *const string[] = {"null", "undefined", "string", NULL},
                            *const boolean[] = {"null", "undefined", "bool", NULL},
                            *const date[] = {"null", "undefined", "date", NULL},
                            *const id[] = {"null", "undefined", "objectId", NULL},
                            *const bytes[] = {"null", "undefined", "binData", NULL};
   static const struct {
      MtTypeId id;
      const char *const *names;
   } rows[] = {{MT_T_INT8, whole},  {MT_T_FLOAT8, number}, {MT_T_NUMERIC, decimal},
               {MT_T_TEXT, string}, {MT_T_BOOL, boolean},  {MT_T_TIMESTAMPTZ, date},
               {MT_T_OBJECTID, id}, {MT_T_UUID, bytes},    {MT_T_BYTEA, bytes}};
   for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (rows[i].id == t)
         return rows[i].names;
   return NULL;
}

/* Like readable_types, for the elements of an array of type t. Fewer types, because elements are
 * read without conversion. */
static const char *const *readable_elements (MtTypeId t)
{
   static const char *const number[] = {"null", "undefined", "double", NULL}, *const decimal[] = {
                                                                                 "null",
                                                                                 "undefined",
                                                                                 "decimal", NULL};
   if (t == MT_T_FLOAT8)
      return number;
   return t == MT_T_NUMERIC ? decimal : readable_types (t);
}

static void add_alternative (MtArena *a, bson_t *list, int *n, const char *path,
                             const bson_t *condition)
{
   bson_t *one = mt_doc_new (a);
   mt_doc_add_doc (one, path, condition);
   mt_doc_add_doc (list, mt_printf (a, "%d", (*n)++), one);
}

/* Adds two alternatives to a list of $or: the value at `path` exists with a type not in `names`,
 * and the value is an array. The first condition alone would also match an array whose elements
 * have such types. */
static void other_types (MtArena *a, bson_t *list, int *n, const char *path,
                         const char *const *names)
{
   bson_t *other = mt_doc_new (a), *not = mt_doc_new (a), *types = mt_doc_new (a),
          *array = mt_doc_new (a);
   for (int i = 0; names[i]; i++)
      mt_doc_add_text (types, mt_printf (a, "%d", i), names[i]);
   mt_doc_add (not, "$type", mt_v_array (types));
   mt_doc_add (other, "$exists", mt_v_bool (true));
   mt_doc_add_doc (other, "$not", not);
   mt_doc_add_text (array, "$type", "array");
   add_alternative (a, list, n, path, other);
   add_alternative (a, list, n, path, array);
}

/* Adds three alternatives to a list of $or: the value at `path` is no array, one of its elements
 * has a type not in `names`, or one of its elements is an array. */
static void other_arrays (MtArena *a, bson_t *list, int *n, const char *path,
                          const char *const *names)
{
   static const char *const array[] = {"null", "undefined", "array", NULL};
   const char *const *of[] = {array, names};
   bson_t *nested = mt_doc_new (a), *in = mt_doc_new (a);
   for (int k = 0; k < 2; k++) {
      bson_t *other = mt_doc_new (a), *not = mt_doc_new (a), *types = mt_doc_new (a),
             *match = mt_doc_new (a);
      for (int i = 0; of[k][i]; i++)
         mt_doc_add_text (types, mt_printf (a, "%d", i), of[k][i]);
      mt_doc_add (not, "$type", mt_v_array (types));
      if (k == 0)
         mt_doc_add (other, "$exists", mt_v_bool (true));
      mt_doc_add_doc (other, "$not", not);
      mt_doc_add_doc (match, "$elemMatch", other);
      add_alternative (a, list, n, path, k ? match : other);
   }
   mt_doc_add_text (in, "$type", "array");
   mt_doc_add_doc (nested, "$elemMatch", in);
   add_alternative (a, list, n, path, nested);
}

/* Returns a $match condition for documents in which a used column has a value of a wrong type;
 * NULL: all used columns were checked before. */
static const bson_t *other_values (MtArena *a, const MtUndeclared *u, const bool *used)
{
   static const char *const document[] = {"null", "undefined", "object", NULL};
   bson_t *list = mt_doc_new (a), *match = mt_doc_new (a);
   int n = 0;
   for (size_t i = 0; i < u->table.column_count; i++) {
      const char *path = u->table.columns[i].field;
      const char *const *names = readable_types (u->table.columns[i].type.id);
      MtTypeId t = u->table.columns[i].type.id;
      if (!used[i] || u->checked[i])
         continue;
      if (mt_type_is_array (t))
         other_arrays (a, list, &n, path, readable_elements (mt_type_element (t)));
      else if (names)
         other_types (a, list, &n, path, names);
      for (const char *dot = strchr (path, '.'); dot; dot = strchr (dot + 1, '.'))
         other_types (a, list, &n, mt_strndup (a, path, (size_t) (dot - path)), document);
   }
   if (!n)
      return NULL;
   mt_doc_add (match, "$or", mt_v_array (list));
   return match;
}

static bool report_other_types (MtStatement *st, const MtUndeclared *u, uint64_t n,
                                const char *first, MtError *err)
{
   const char *s = n == 1 ? "" : "s";
   if (st->session->settings.skip_malformed) {
      st->malformed = true;
      mt_notice (
         st->session, "WARNING", NULL,
         "%llu document%s of collection \"%s\" with values of other types than the sample's %s "
         "left out",
         (unsigned long long) n, s, u->seen.collection, n == 1 ? "is" : "are");
      return true;
   }
   mt_error (err, MT_E_CORRUPT,
             "collection \"%s\" has %llu document%s with values of other types than the sample's",
             u->seen.collection, (unsigned long long) n, s);
   mt_error_detail (err, "One of them has _id %s.", first);
   return mt_error_hint (
      err,
      "Set sample_size higher and run \\d %s for a new sample, or set on_malformed to 'skip' to "
      "leave such documents out.",
      u->seen.collection);
}

bool mt_undeclared_check (MtStatement *st, const MtQuery *q, bool outermost, MtError *err)
{
   MtUndeclared *u = undeclared_of_table (st->session, q->rel.table);
   bool changed, any = false, *used = MT_NEW_N (st->arena, bool, u->table.column_count + 1);
   used_columns (q, outermost, returns_first_rows (st, q), used);
   for (size_t i = 0; i < u->table.column_count; i++)
      any |= used[i];
   if (!any)
      return true;
   if (!mt_collection_changed (st, u->seen.collection, &u->state, &changed, err))
      return false;
   if (changed)
      memset (u->checked, 0, u->table.column_count * sizeof *u->checked);
   const bson_t *match = other_values (st->arena, u, used);
   const char *first = "null";
   uint64_t n = 0;
   if (!match)
      return true;
   if (!mt_count_matching (st, u->seen.collection, match, &n, &first, err))
      return false;
   if (n)
      return report_other_types (st, u, n, first, err);
   for (size_t i = 0; i < u->table.column_count; i++)
      u->checked[i] |= used[i];
   return true;
}
