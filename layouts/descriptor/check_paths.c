/* Checks that a descriptor uses each field of a document for only one value. */
#include "layouts/descriptor/check_int.h"

#include <string.h>

/* A value that is stored in a field, in words for error messages: column "host", the range's "min",
 * or the sub-document of the nested level. */
typedef struct Use {
   const char *what, *name; /* what kind of value it is, and its name; name may be NULL */
} Use;

typedef struct Paths {
   const char *path[4096];
   Use use[4096];
   size_t n;
} Paths;

/* Sets error 42P17, because both a and b are stored in the field `path`, and returns false. */
static bool both (MtCheck *c, const MtNode *n, const char *path, Use a, Use b)
{
   MtBuf text = {0};
   const Use uses[] = {a, b};
   for (int i = 0; i < 2; i++)
      if (uses[i].name)
         mt_buf_printf (&text, "%s%s \"%s\"", i ? " and " : "", uses[i].what, uses[i].name);
      else
         mt_buf_printf (&text, "%s%s", i ? " and " : "", uses[i].what);
   mt_check_bad (c, n, "", "field \"%s\" is written twice, by %s", path, text.p);
   mt_buf_free (&text);
   return false;
}

/* Returns whether two paths are equal, or one is the path of a sub-field of the other. */
static bool clash (const char *a, const char *b)
{
   size_t n = strlen (a), m = strlen (b);
   if (!n || !m)
      return true;
   size_t least = n < m ? n : m;
   if (memcmp (a, b, least))
      return false;
   return n == m || (n < m ? b[n] : a[m]) == '.';
}

static bool add_path (MtCheck *c, const MtNode *n, Paths *ps, const char *path, Use use)
{
   if (!path)
      return true;
   for (size_t i = 0; i < ps->n; i++)
      if (clash (ps->path[i], path)) {
         if (!*path && !*ps->path[i])
            return mt_check_bad (c, n, "", "two things are the value itself");
         if (!*path || !*ps->path[i])
            return mt_check_bad (c, n, "",
                                 "something is the value itself, and \"%s\" a field of it",
                                 *path ? path : ps->path[i]);
         return strcmp (path, ps->path[i])
                   ? mt_check_bad (c, n, "", "fields \"%s\" and \"%s\" clash", ps->path[i], path)
                   : both (c, n, path, ps->use[i], use);
      }
   if (ps->n == sizeof ps->path / sizeof ps->path[0])
      return mt_check_bad (c, n, "", "too many fields");
   ps->use[ps->n] = use;
   ps->path[ps->n++] = path;
   return true;
}

static bool collect_agg (MtCheck *c, const MtNode *n, Paths *ps)
{
   if (!add_path (c, n, ps, n->agg.n, (Use) {"the number of records", NULL}))
      return false;
   for (size_t i = 0; i < n->agg.measure_count; i++) {
      const MtMeasureAgg *m = &n->agg.measures[i];
      const char *name = mt_check_column (c, m->column);
      if (!add_path (c, n, ps, m->sum, (Use) {"the sum of", name}) ||
          !add_path (c, n, ps, m->min, (Use) {"the minimum of", name}) ||
          !add_path (c, n, ps, m->max, (Use) {"the maximum of", name}) ||
          !add_path (c, n, ps, m->nonnull, (Use) {"the number of values of", name}))
         return false;
   }
   for (size_t i = 0; i < n->agg.state_count; i++)
      if (!add_path (c, n, ps, n->agg.states[i].at,
                     (Use) {"the state of", n->agg.states[i].acc->function}))
         return false;
   return true;
}

/* In a sketch (a table made from a layout's descriptor alone): returns whether a field of another
 * column is nested in the field of this column, as "a.b" is in "a". */
static bool holds_others (const MtCheck *c, const MtNode *n, size_t column)
{
   const char *path = n->raw.paths[column];
   size_t len = strlen (path);
   bool found = false;
   for (size_t i = 0; c->t->sketch && i < n->raw.count; i++)
      found = found || (!strncmp (n->raw.paths[i], path, len) && n->raw.paths[i][len] == '.');
   return found;
}

/* Adds to ps, the paths of the level's fields, the path of the earliest time of a node's range, or,
 * if `max`, of the latest time. The path may also be the field of the time column. If that field
 * has a truncated time, it can only be the lower bound. */
static bool collect_bound (MtCheck *c, const MtNode *n, Paths *ps, bool max)
{
   const MtBinding *b = mt_bound_time (c->t, n, max ? n->range.max : n->range.min);
   if (!b)
      return max ? add_path (c, n, ps, n->range.max, (Use) {"the range's", "max"})
                 : add_path (c, n, ps, n->range.min, (Use) {"the range's", "min"});
   if (b->kind != MT_BIND_COLUMN && (max || n->range.exact))
      return mt_check_bad (c, n, ".range",
                           "a truncated time is only a lower bound, which isn't exact");
   return b->encoding.kind == n->range.encoding.kind ||
          mt_check_bad (c, n, ".range", "the time at \"%s\" has another encoding", b->at);
}

/* Adds to ps the paths of the parallel arrays of level `sub` (MT_NODE_ARRAYS). They are fields in
 * the values of level n, which contains `sub`. */
static bool collect_arrays (MtCheck *c, const MtNode *n, const MtNode *sub, Paths *ps)
{
   for (size_t i = 0; i < sub->field_count; i++)
      if (!add_path (c, n, ps, sub->places[i], (Use) {"the arrays below", NULL}))
         return false;
   return true;
}

static Use use_of_binding (const MtCheck *c, const MtBinding *b)
{
   if (b->kind == MT_BIND_COLUMN)
      return (Use) {"column", mt_check_column (c, b->column)};
   return (Use) {"the time's", mt_unit_name (b->unit)};
}

static bool collect_paths (MtCheck *c, const MtNode *n, Paths *ps);

/* Adds to ps the paths of those fields in values of level n that the nested level `sub` uses. */
static bool collect_below (MtCheck *c, const MtNode *n, const MtNode *sub, Paths *ps)
{
   if (sub->kind == MT_NODE_SCALAR && !*sub->at)
      return collect_paths (c, sub, ps);
   if (sub->kind == MT_NODE_ARRAYS)
      return collect_arrays (c, n, sub, ps);
   return add_path (c, n, ps, sub->at, (Use) {"the level below", NULL});
}

static bool collect_paths (MtCheck *c, const MtNode *n, Paths *ps)
{
   for (size_t i = 0; i < n->bind_count; i++)
      if (!add_path (c, n, ps, n->binds[i].at, use_of_binding (c, &n->binds[i])))
         return false;
   if (!collect_bound (c, n, ps, false) || !collect_bound (c, n, ps, true) ||
       !collect_agg (c, n, ps))
      return false;
   if (n->raw.present && n->raw.many &&
       !add_path (c, n, ps, n->raw.at, (Use) {"the records", NULL}))
      return false;
   for (size_t i = 0; n->raw.present && !n->raw.many && i < n->raw.count; i++)
      if (!c->t->columns[n->raw.columns[i]].inner && !holds_others (c, n, i) &&
          !add_path (c, n, ps, n->raw.paths[i],
                     (Use) {"column", mt_check_column (c, n->raw.columns[i])}))
         return false;
   for (size_t i = 0; i < n->sub_count; i++)
      if (!collect_below (c, n, n->subs[i], ps))
         return false;
   return true;
}

static bool check_record_paths (MtCheck *c, const MtNode *n)
{
   Paths ps;
   ps.n = 0; /* the arrays are large, so they are not initialized */
   for (size_t i = 0; n->raw.many && i < n->raw.count; i++)
      if (!add_path (c, n, &ps, n->raw.paths[i],
                     (Use) {"column", mt_check_column (c, n->raw.columns[i])}))
         return false;
   return true;
}

bool mt_check_paths (MtCheck *c, const MtNode *n)
{
   Paths ps;
   ps.n = 0; /* the arrays are large, so they are not initialized */
   if (!collect_paths (c, n, &ps) || !check_record_paths (c, n))
      return false;
   bool whole = ps.n == 1 && !*ps.path[0];
   bool inlined = n->sub_count == 1 && !*n->subs[0]->at && n->subs[0]->kind != MT_NODE_SCALAR &&
                  n->subs[0]->kind != MT_NODE_ARRAYS;
   if (whole && !inlined && !(n->raw.present && n->raw.many) &&
       (n->kind == MT_NODE_DOCUMENT || n->kind == MT_NODE_LIST))
      return mt_check_bad (c, n, "", "the value of a %s is a document, it can't be one number",
                           n->kind == MT_NODE_LIST ? "list's element" : "root");
   if (whole && n->kind == MT_NODE_DOCUMENT && (inlined ? n->subs[0]->kind != MT_NODE_MAP : true))
      return mt_check_bad (c, n, "", "a document can't be an array");
   if (whole && inlined && n->kind == MT_NODE_DOCUMENT)
      return mt_check_bad (c, n, "", "a document has an _id, so its fields can't be a map's");
   for (size_t i = 0; n->kind == MT_NODE_DOCUMENT && i < ps.n; i++) {
      bool at_id = clash (ps.path[i], "_id"), bound = false;
      for (size_t j = 0; j < n->bind_count; j++)
         bound = bound || n->binds[j].at == ps.path[i];
      if (at_id && !bound)
         return mt_check_other_field (
            c, mt_check_bad (
                  c, n, "",
                  "only columns that are bound can lie in \"_id\", which tells documents apart"));
      if (at_id && c->l->stores[c->store].id_count)
         return mt_check_other_field (c,
                                      mt_check_bad (c, n, "", "\"_id\" is made by \"id\" already"));
   }
   return true;
}
