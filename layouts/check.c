/* What a descriptor must fulfil as a whole: each way's bindings, what its end keeps, fields that
 * don't clash, ids that are one-to-one. */
#include "engine/engine.h"
#include "layouts/layout_int.h"
#include "layouts/prealloc.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct Check {
   const MtTable *t;
   const MtLayout *l;
   MtBlame *blame;
   size_t store;
   bool raw_way;  /* the store has a way down to records */
   bool time_way; /* the store has a way that binds the time */
} Check;

void mt_node_path (size_t store, const MtNode *n, MtBuf *out)
{
   if (!n->parent) {
      mt_buf_printf (out, "stores[%zu].root", store);
      return;
   }
   mt_node_path (store, n->parent, out);
   if (n->parent->sub_count == 1) {
      mt_buf_adds (out, ".sub");
      return;
   }
   for (size_t i = 0; i < n->parent->sub_count; i++)
      if (n->parent->subs[i] == n)
         mt_buf_printf (out, ".alt[%zu]", i);
}

static bool bad_at (Check *c, const MtNode *n, const char *tail, const char *fmt, ...)
   __attribute__ ((format (printf, 4, 5)));
static bool bad_at (Check *c, const MtNode *n, const char *tail, const char *fmt, ...)
{
   char reason[400];
   va_list ap;
   va_start (ap, fmt);
   vsnprintf (reason, sizeof reason, fmt, ap);
   va_end (ap);
   MtBuf path = {0};
   if (n)
      mt_node_path (c->store, n, &path);
   else
      mt_buf_printf (&path, "stores[%zu]", c->store);
   mt_buf_adds (&path, tail);
   mt_layout_invalid (c->blame, path.p, "%s", reason);
   mt_buf_free (&path);
   return false;
}

/* A preset's user says where columns lie by FIELD alone. */
static bool other_field (Check *c, bool ok)
{
   return c->blame->preset
             ? mt_error_hint (c->blame->err,
                              "Give the column that lies in \"_id\" another place: FIELD 'name'.")
             : ok;
}

static const char *column_name (const Check *c, int i) { return c->t->columns[i].name; }

/* ---- fields that clash ---- */

/* What a field is for: column "host", the range's "min", the level below. */
typedef struct Use {
   const char *what, *name; /* name NULL: there is none */
} Use;

typedef struct Paths {
   const char *path[4096];
   Use use[4096];
   size_t n;
} Paths;

static bool both (Check *c, const MtNode *n, const char *path, Use a, Use b)
{
   MtBuf text = {0};
   const Use uses[] = {a, b};
   for (int i = 0; i < 2; i++)
      if (uses[i].name)
         mt_buf_printf (&text, "%s%s \"%s\"", i ? " and " : "", uses[i].what, uses[i].name);
      else
         mt_buf_printf (&text, "%s%s", i ? " and " : "", uses[i].what);
   bad_at (c, n, "", "field \"%s\" is written twice, by %s", path, text.p);
   mt_buf_free (&text);
   return false;
}

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

static bool add_path (Check *c, const MtNode *n, Paths *ps, const char *path, Use use)
{
   if (!path)
      return true;
   for (size_t i = 0; i < ps->n; i++)
      if (clash (ps->path[i], path)) {
         if (!*path && !*ps->path[i])
            return bad_at (c, n, "", "two things are the value itself");
         if (!*path || !*ps->path[i])
            return bad_at (c, n, "", "something is the value itself, and \"%s\" a field of it",
                           *path ? path : ps->path[i]);
         return strcmp (path, ps->path[i])
                   ? bad_at (c, n, "", "fields \"%s\" and \"%s\" clash", ps->path[i], path)
                   : both (c, n, path, ps->use[i], use);
      }
   if (ps->n == sizeof ps->path / sizeof ps->path[0])
      return bad_at (c, n, "", "too many fields");
   ps->use[ps->n] = use;
   ps->path[ps->n++] = path;
   return true;
}

static bool collect_agg (Check *c, const MtNode *n, Paths *ps)
{
   if (!add_path (c, n, ps, n->agg.n, (Use) {"the number of records", NULL}))
      return false;
   for (size_t i = 0; i < n->agg.measure_count; i++) {
      const MtMeasureAgg *m = &n->agg.measures[i];
      const char *name = column_name (c, m->column);
      if (!add_path (c, n, ps, m->sum, (Use) {"the sum of", name}) ||
          !add_path (c, n, ps, m->min, (Use) {"the minimum of", name}) ||
          !add_path (c, n, ps, m->max, (Use) {"the maximum of", name}) ||
          !add_path (c, n, ps, m->nonnull, (Use) {"the number of values of", name}))
         return false;
   }
   return true;
}

/* A column of a sketch may be a sub-document whose fields are columns, too. */
static bool holds_others (const Check *c, const MtNode *n, size_t column)
{
   const char *path = n->raw.paths[column];
   size_t len = strlen (path);
   bool found = false;
   for (size_t i = 0; c->t->sketch && i < n->raw.count; i++)
      found = found || (!strncmp (n->raw.paths[i], path, len) && n->raw.paths[i][len] == '.');
   return found;
}

/* An end of the range, which may be the field of the time itself: a truncated one is a bound from
 * below. */
static bool collect_bound (Check *c, const MtNode *n, Paths *ps, bool max)
{
   const MtBinding *b = mt_bound_time (c->t, n, max ? n->range.max : n->range.min);
   if (!b)
      return max ? add_path (c, n, ps, n->range.max, (Use) {"the range's", "max"})
                 : add_path (c, n, ps, n->range.min, (Use) {"the range's", "min"});
   if (b->kind != MT_BIND_COLUMN && (max || n->range.exact))
      return bad_at (c, n, ".range", "a truncated time is only a lower bound, which isn't exact");
   return b->encoding.kind == n->range.encoding.kind ||
          bad_at (c, n, ".range", "the time at \"%s\" has another encoding", b->at);
}

/* Parallel arrays lie beside the fields of the value that has them. */
static bool collect_arrays (Check *c, const MtNode *n, const MtNode *sub, Paths *ps)
{
   for (size_t i = 0; i < sub->field_count; i++)
      if (!add_path (c, n, ps, sub->places[i], (Use) {"the arrays below", NULL}))
         return false;
   return true;
}

static Use use_of_binding (const Check *c, const MtBinding *b)
{
   if (b->kind == MT_BIND_COLUMN)
      return (Use) {"column", column_name (c, b->column)};
   return (Use) {"the time's", mt_unit_name (b->unit)};
}

static bool collect_paths (Check *c, const MtNode *n, Paths *ps)
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
                     (Use) {"column", column_name (c, n->raw.columns[i])}))
         return false;
   for (size_t i = 0; i < n->sub_count; i++) {
      const MtNode *sub = n->subs[i];
      bool among = !*sub->at && sub->kind == MT_NODE_SCALAR;
      bool ok = among ? collect_paths (c, sub, ps)
                : sub->kind == MT_NODE_ARRAYS
                   ? collect_arrays (c, n, sub, ps)
                   : add_path (c, n, ps, sub->at, (Use) {"the level below", NULL});
      if (!ok)
         return false;
   }
   return true;
}

static bool check_record_paths (Check *c, const MtNode *n)
{
   Paths ps;
   ps.n = 0; /* the rest is large, and not looked at */
   for (size_t i = 0; n->raw.many && i < n->raw.count; i++)
      if (!add_path (c, n, &ps, n->raw.paths[i],
                     (Use) {"column", column_name (c, n->raw.columns[i])}))
         return false;
   return true;
}

static bool check_paths (Check *c, const MtNode *n)
{
   Paths ps;
   ps.n = 0; /* the rest is large, and not looked at */
   if (!collect_paths (c, n, &ps) || !check_record_paths (c, n))
      return false;
   bool whole = ps.n == 1 && !*ps.path[0];
   bool inlined = n->sub_count == 1 && !*n->subs[0]->at && n->subs[0]->kind != MT_NODE_SCALAR &&
                  n->subs[0]->kind != MT_NODE_ARRAYS;
   if (whole && !inlined && !(n->raw.present && n->raw.many) &&
       (n->kind == MT_NODE_DOCUMENT || n->kind == MT_NODE_LIST))
      return bad_at (c, n, "", "the value of a %s is a document, it can't be one number",
                     n->kind == MT_NODE_LIST ? "list's element" : "root");
   if (whole && n->kind == MT_NODE_DOCUMENT && (inlined ? n->subs[0]->kind != MT_NODE_MAP : true))
      return bad_at (c, n, "", "a document can't be an array");
   if (whole && inlined && n->kind == MT_NODE_DOCUMENT)
      return bad_at (c, n, "", "a document has an _id, so its fields can't be a map's");
   for (size_t i = 0; n->kind == MT_NODE_DOCUMENT && i < ps.n; i++) {
      bool at_id = clash (ps.path[i], "_id"), bound = false;
      for (size_t j = 0; j < n->bind_count; j++)
         bound = bound || n->binds[j].at == ps.path[i];
      if (at_id && !bound)
         return other_field (
            c,
            bad_at (c, n, "",
                    "only columns that are bound can lie in \"_id\", which tells documents apart"));
      if (at_id && c->l->stores[c->store].id_count)
         return other_field (c, bad_at (c, n, "", "\"_id\" is made by \"id\" already"));
   }
   return true;
}

/* ---- what single levels need ---- */

static bool key_encoding_ok (const MtTable *t, const MtBinding *b)
{
   if (b->kind != MT_BIND_COLUMN)
      return b->kind == MT_BIND_TIME_PART ? b->encoding.kind == MT_ENC_TEXT
                                          : b->encoding.kind == MT_ENC_FORMAT;
   if (b->encoding.kind == MT_ENC_NATIVE)
      return t->sketch || mt_is_text_type (t->columns[b->column].type.id);
   return b->encoding.kind == MT_ENC_TEXT || b->encoding.kind == MT_ENC_FORMAT;
}

/* A format must tell the unit apart. */
static bool check_format (Check *c, const MtNode *n, size_t i, const MtBinding *b)
{
   char tail[40];
   snprintf (tail, sizeof tail, n ? ".bind[%zu]" : ".id[%zu]", i);
   if (b->encoding.kind != MT_ENC_FORMAT)
      return true;
   MtUnit need = b->kind == MT_BIND_TIME_TRUNC ? b->unit : MT_UNIT_SECOND,
          has = mt_format_grain (b->encoding.format);
   if (need == MT_UNIT_WEEK)
      need = MT_UNIT_DAY;
   if (b->kind == MT_BIND_COLUMN && (c->t->sketch || c->t->columns[b->column].type.id == MT_T_DATE))
      need = MT_UNIT_DAY;
   return has <= need ? true
                      : bad_at (c, n, tail, "format \"%s\" doesn't tell one %s from another",
                                b->encoding.format, mt_unit_name (need));
}

/* A flat level's cells are values at one position of its arrays. */
static bool check_flat (Check *c, const MtNode *n)
{
   const char *what = n->kind == MT_NODE_PAIRS ? "pairs" : "arrays";
   if (n->sub_count)
      return bad_at (c, n, "", "%s have no levels below", what);
   if (n->raw.present && n->raw.many)
      return bad_at (c, n, ".raw", "%s keep one record at each position", what);
   if (n->order_count)
      return bad_at (c, n, ".order", "%s have no order of fields", what);
   if (!n->field_count)
      return bad_at (c, n, "", "%s need values", what);
   for (size_t i = 0; i < n->field_count; i++) {
      char position[24];
      snprintf (position, sizeof position, "%zu", i);
      if (n->kind == MT_NODE_PAIRS && strcmp (n->fields[i], position))
         return bad_at (c, n, "", "the paths of pairs are positions, each once: \"0\" to \"%zu\"",
                        n->field_count - 1);
      if (!*n->fields[i] || strchr (n->fields[i], '.'))
         return bad_at (c, n, "", "an array's path is one name");
   }
   return true;
}

static bool check_level (Check *c, const MtNode *n)
{
   if (mt_is_flat (n) && !check_flat (c, n))
      return false;
   if (n->kind == MT_NODE_MAP && !n->bind_count)
      return bad_at (c, n, "", "a map must bind its keys");
   if (n->kind == MT_NODE_MAP && !key_encoding_ok (c->t, &n->binds[0]))
      return bad_at (c, n, ".bind[0]",
                     "a map's key is text: its encoding must be \"text\", or a format for a time");
   if (n->kind == MT_NODE_SLOTS && !n->bind_count)
      return bad_at (c, n, "", "slots must bind their index");
   if (n->kind == MT_NODE_SLOTS) {
      const MtBinding *b = &n->binds[0];
      if (b->kind != MT_BIND_TIME_PART || b->of == MT_UNIT_EPOCH)
         return bad_at (
            c, n, ".bind[0]",
            "an index must be a part of the time with a fixed bound, such as the minute of the day");
      if (mt_part_count (b->unit, b->of) > 100000)
         return bad_at (c, n, ".bind[0]", "%lld slots are too many (at most 100000)",
                        (long long) mt_part_count (b->unit, b->of));
      if (b->encoding.kind != MT_ENC_NATIVE)
         return bad_at (c, n, ".bind[0]", "an index has no encoding");
   }
   for (size_t i = 0; i < n->bind_count; i++) {
      if (!check_format (c, n, i, &n->binds[i]))
         return false;
      if (n->binds[i].from == MT_FROM_FIELD && n->binds[i].at && !*n->binds[i].at) {
         char tail[40];
         snprintf (tail, sizeof tail, ".bind[%zu]", i);
         return bad_at (c, n, tail, "a binding's field needs a name");
      }
   }
   if (n->raw.present && n->sub_count)
      return bad_at (c, n, "", "records and further levels exclude each other");
   if (n->raw.present && c->l->keeps == MT_KEEPS_SUMS)
      return bad_at (c, n, ".raw", "a layout of sums keeps no records");
   for (size_t i = 0; c->l->keeps == MT_KEEPS_SUMS && i < n->agg.measure_count; i++)
      if (n->agg.measures[i].min || n->agg.measures[i].max)
         return bad_at (c, n, ".agg", "a layout of sums keeps no minimum or maximum of \"%s\"",
                        column_name (c, n->agg.measures[i].column));
   return check_paths (c, n);
}

/* ---- ways ---- */

typedef struct Way {
   bool bound[MT_MAX_COLUMNS + 1]; /* a sketch has the time, too */
   bool exact;                     /* the time is known exactly */
   bool timed;
   MtUnit units[MT_MAX_LEVELS * 4];
   size_t unit_count;
} Way;

/* Whether slots above say the month, so that no condition on a document can tell how many days it
 * has. */
static bool month_in_slots (const MtNode *n)
{
   for (const MtNode *p = n ? n->parent : NULL; p; p = p->parent)
      for (size_t i = 0; i < p->bind_count; i++)
         if (p->binds[i].kind == MT_BIND_TIME_PART && p->binds[i].unit == MT_UNIT_MONTH &&
             p->binds[i].from == MT_FROM_INDEX)
            return true;
   return false;
}

static bool way_time (Check *c, const MtNode *n, const char *tail, const MtBinding *b, Way *w)
{
   if (w->exact)
      return bad_at (c, n, tail, "the time is exact already");
   if (b->kind == MT_BIND_TIME_TRUNC) {
      if (w->timed)
         return bad_at (c, n, tail,
                        "the time is truncated or divided already: a \"trunc\" comes first");
   } else if (b->of == MT_UNIT_EPOCH) {
      if (w->timed)
         return bad_at (c, n, tail, "a part of the epoch comes first");
   } else {
      bool found = false;
      for (size_t i = 0; i < w->unit_count; i++)
         found = found || w->units[i] == b->of;
      if (!found)
         return bad_at (c, n, tail, "the %s of the %s can't be composed: no level above has the %s",
                        mt_unit_name (b->unit), mt_unit_name (b->of), mt_unit_name (b->of));
      if (b->of == MT_UNIT_MONTH && month_in_slots (n))
         return bad_at (
            c, n, tail,
            "a part of the month can't lie below slots of months: bind the month as a map's key or in a field");
      if (b->of == MT_UNIT_YEAR && w->unit_count > 1 && w->units[1] == MT_UNIT_MONTH)
         return bad_at (c, n, tail,
                        "a part of the year can't lie below its month: count it from the month");
      if (w->units[w->unit_count - 1] <= b->unit)
         return bad_at (c, n, tail, "the time is known to the %s already",
                        mt_unit_name (w->units[w->unit_count - 1]));
   }
   if (w->unit_count == sizeof w->units / sizeof w->units[0])
      return bad_at (c, n, tail, "too many parts of the time");
   w->timed = true;
   w->units[w->unit_count++] = b->unit;
   return true;
}

static bool way_node (Check *c, const MtNode *n, Way *w)
{
   for (size_t i = 0; i < n->bind_count; i++) {
      const MtBinding *b = &n->binds[i];
      char tail[40];
      snprintf (tail, sizeof tail, ".bind[%zu]", i);
      if (b->kind != MT_BIND_COLUMN) {
         if (!way_time (c, n, tail, b, w))
            return false;
         continue;
      }
      if (w->bound[b->column])
         return bad_at (c, n, tail, "column \"%s\" is bound twice on the way",
                        column_name (c, b->column));
      if (c->t->columns[b->column].role == MT_COL_MEASURE)
         return bad_at (c, n, tail, "column \"%s\" is a measure, and measures aren't bound",
                        column_name (c, b->column));
      w->bound[b->column] = true;
      if (b->column == c->t->time_column)
         w->exact = w->timed = true;
   }
   return true;
}

static bool not_kept (Check *c, const MtNode *n, int column)
{
   return bad_at (c, n, "", "column \"%s\" is neither bound on the way nor kept in the records",
                  column_name (c, column));
}

/* Records whose time is known by parts of it. */
static bool way_grain (Check *c, const MtNode *n, const Way *w)
{
   const MtColumn *time = &c->t->columns[c->t->time_column];
   MtUnit unit = w->units[w->unit_count - 1];
   int64_t g = mt_unit_ms (unit);
   if (g && (c->t->sketch || (time->period_ms && time->period_ms % g == 0)))
      return true;
   bad_at (c, n, "", "the records' time is known to the %s only", mt_unit_name (unit));
   return !g ? mt_error_hint (c->blame->err, "Bind the time exactly.")
             : mt_error_hint (c->blame->err,
                              "Give column \"%s\" a PERIOD of whole %ss, or bind the time exactly.",
                              time->name, mt_unit_name (unit));
}

/* Of a sketch's columns one that isn't on the way may be the time, of which parts are; and one that
 * is may be the time, of which parts needn't be. */
static bool way_sketch (Check *c, const MtNode *n, Way *w)
{
   int time = -1;
   for (int i = 0; i < (int) c->t->column_count; i++) {
      bool may = mt_sketch_may_be_time (c->t, i);
      if (i == c->t->time_column || (w->bound[i] && !may))
         continue;
      if (w->bound[i])
         w->exact = true;
      else if (!may || time >= 0 || !w->timed)
         return not_kept (c, n, i);
      else
         time = i;
   }
   w->exact = w->exact && time < 0;
   if (!w->exact && !w->timed && c->t->time_column >= 0)
      return bad_at (c, n, "", "the time is neither bound on the way nor kept in the records");
   return true;
}

static bool way_records (Check *c, const MtNode *n, Way *w)
{
   for (size_t i = 0; i < n->raw.count; i++) {
      int col = n->raw.columns[i];
      if (w->bound[col])
         return bad_at (c, n, ".raw", "column \"%s\" is bound on the way already",
                        column_name (c, col));
      w->bound[col] = true;
      if (col == c->t->time_column)
         w->exact = true;
   }
   c->raw_way = true;
   if (c->t->sketch)
      return way_sketch (c, n, w) && (w->exact || !w->timed || way_grain (c, n, w));
   for (size_t i = 0; i < c->t->column_count; i++)
      if (!w->bound[i] && ((int) i != c->t->time_column || !w->timed))
         return not_kept (c, n, (int) i);
   return c->t->time_column < 0 || w->bound[c->t->time_column] || way_grain (c, n, w);
}

/* Of a sketch: a column that isn't on the way may be the time, or, where records are kept
 * elsewhere, may be left out. */
static bool way_sketched_sums (Check *c, const MtNode *n, const Way *w)
{
   int time = -1;
   for (int i = 0; i < (int) c->t->column_count; i++) {
      bool measure = c->t->columns[i].role == MT_COL_MEASURE,
           may = mt_sketch_may_be_time (c->t, i) && time < 0;
      if (w->bound[i] || i == c->t->time_column || c->l->keeps != MT_KEEPS_SUMS)
         continue;
      if (measure)
         return bad_at (c, n, "", "the sum of measure \"%s\" is not kept", column_name (c, i));
      if (!may)
         return bad_at (c, n, "", "column \"%s\" is not bound on the way", column_name (c, i));
      time = i;
   }
   return true;
}

static bool way_sums (Check *c, const MtNode *n, Way *w)
{
   for (size_t i = 0; i < n->agg.measure_count; i++)
      if (n->agg.measures[i].sum)
         w->bound[n->agg.measures[i].column] = true;
   if (c->t->sketch)
      return way_sketched_sums (c, n, w);
   for (size_t i = 0; i < c->t->column_count; i++) {
      MtRole role = c->t->columns[i].role;
      if (w->bound[i] || (int) i == c->t->time_column)
         continue;
      if (role == MT_COL_MEASURE && mt_type_is_number (c->t->columns[i].type.id))
         return bad_at (c, n, "", "the sum of measure \"%s\" is not kept",
                        column_name (c, (int) i));
      if (role == MT_COL_DIMENSION)
         return bad_at (c, n, "", "column \"%s\" is not bound on the way",
                        column_name (c, (int) i));
      if (c->l->keeps == MT_KEEPS_SUMS)
         return bad_at (c, n, "", "column \"%s\" can't be kept as sums", column_name (c, (int) i));
   }
   return true;
}

static bool check_ways (Check *c, const MtNode *n, const Way *above)
{
   Way w = *above;
   if (!way_node (c, n, &w) || !check_level (c, n))
      return false;
   if (n->sub_count == 0) {
      if (!n->raw.present && !n->agg.present)
         return bad_at (c, n, "", "the way ends without records and without sums");
      if (!(n->raw.present ? way_records (c, n, &w) : way_sums (c, n, &w)))
         return false;
      for (int i = 0; i < (int) c->t->column_count; i++)
         w.timed = w.timed || (w.bound[i] && mt_sketch_may_be_time (c->t, i));
      c->time_way = c->time_way || w.timed || w.exact;
      return true;
   }
   for (size_t i = 0; i < n->sub_count; i++)
      if (!check_ways (c, n->subs[i], &w))
         return false;
   return true;
}

/* ---- stores ---- */

const MtBinding *mt_bound_time (const MtTable *t, const MtNode *n, const char *path)
{
   for (size_t i = 0; path && i < n->bind_count; i++) {
      const MtBinding *b = &n->binds[i];
      bool time = b->kind == MT_BIND_TIME_TRUNC ||
                  (b->kind == MT_BIND_COLUMN && b->column == t->time_column);
      if (time && b->from == MT_FROM_FIELD && b->at && !strcmp (b->at, path))
         return b;
   }
   return NULL;
}

bool mt_root_binds_id (const MtStoreDesc *s)
{
   for (size_t i = 0; i < s->root->bind_count; i++)
      if (s->root->binds[i].at &&
          (!strcmp (s->root->binds[i].at, "_id") || !strncmp (s->root->binds[i].at, "_id.", 4)))
         return true;
   return false;
}

static bool check_id_part (Check *c, const MtStoreDesc *s, size_t i)
{
   char tail[40];
   snprintf (tail, sizeof tail, ".id[%zu]", i);
   const MtIdPart *p = &s->id[i];
   if (p->literal) {
      bool ends = i && !s->id[i - 1].literal; /* a value before it, which it must be told from */
      if (!*p->literal || (ends && ((unsigned char) *p->literal >= 0x80 ||
                                    isalnum ((unsigned char) *p->literal) || *p->literal == '%')))
         return bad_at (
            c, NULL, tail,
            "a literal behind a value must begin with an ASCII character that is neither a letter, a digit nor \"%%\"");
      return true;
   }
   if (i && !s->id[i - 1].literal)
      return bad_at (c, NULL, tail,
                     "two values without a literal between them make ids that aren't one-to-one");
   bool found = false;
   for (size_t j = 0; j < s->root->bind_count; j++)
      found = found || mt_same_binding (&s->root->binds[j], &p->bind);
   if (!found)
      return bad_at (c, NULL, tail, "the root doesn't bind this");
   MtTypeId t = p->bind.kind == MT_BIND_TIME_PART ? MT_T_INT8
                                                  : c->t->columns[p->bind.column].type.id;
   bool text = t == MT_T_UNKNOWN || mt_is_text_type (t) || mt_type_is_integer (t) ||
               t == MT_T_BOOL || t == MT_T_UUID;
   bool ok = p->bind.encoding.kind == MT_ENC_NATIVE ? text : p->bind.encoding.kind != MT_ENC_DATE;
   if (s->id_count > 1 && !ok)
      return bad_at (c, NULL, tail,
                     "a composed id is text: an encoding as text, epoch or format is needed");
   return check_format (c, NULL, i, &p->bind);
}

static bool check_id (Check *c, const MtStoreDesc *s)
{
   for (size_t i = 0; i < s->id_count; i++)
      if (!check_id_part (c, s, i))
         return false;
   if ((s->id_count || mt_root_binds_id (s)) && s->repeats)
      return other_field (
         c, bad_at (c, NULL, "", "documents of one key can't repeat when the key makes their _id"));
   for (size_t j = 0; s->id_count && c->l->keeps != MT_KEEPS_LATEST && j < s->root->bind_count;
        j++) {
      bool found = false;
      for (size_t i = 0; i < s->id_count; i++)
         found = found ||
                 (!s->id[i].literal && mt_same_binding (&s->root->binds[j], &s->id[i].bind));
      if (!found)
         return bad_at (
            c, s->root, "",
            "binding %zu is not part of the id, so different keys would share one document", j);
   }
   return true;
}

/* ---- layouts that keep the latest records ---- */

const char *mt_latest_path (const MtStoreDesc *s, int column)
{
   for (size_t i = 0; i < s->root->bind_count; i++)
      if (s->root->binds[i].kind == MT_BIND_COLUMN && s->root->binds[i].column == column)
         return s->root->binds[i].at;
   for (size_t i = 0; i < s->root->raw.count; i++)
      if (s->root->raw.columns[i] == column)
         return s->root->raw.paths[i];
   return NULL;
}

static bool in_key (const MtLayout *l, int column)
{
   return mt_in_key (l->key, l->key_count, column);
}

static bool makes_id (const MtStoreDesc *s, const MtBinding *b)
{
   if (!s->id_count)
      return b->at && (!strcmp (b->at, "_id") || !strncmp (b->at, "_id.", 4));
   for (size_t i = 0; i < s->id_count; i++)
      if (!s->id[i].literal && mt_same_binding (&s->id[i].bind, b))
         return true;
   return false;
}

/* The _id is made of the key, of all of it and of nothing else. */
static bool check_latest_id (Check *c, const MtStoreDesc *s)
{
   size_t found = 0;
   for (size_t i = 0; i < s->root->bind_count; i++) {
      const MtBinding *b = &s->root->binds[i];
      char tail[40];
      snprintf (tail, sizeof tail, ".bind[%zu]", i);
      if (b->kind != MT_BIND_COLUMN)
         return bad_at (c, s->root, tail, "the latest records have their time exactly");
      bool open = c->t->sketch &&
                  (!c->l->key_count ||
                   (b->from == MT_FROM_FIELD &&
                    !b->at)); /* the table says what the key is, and the column's field */
      if (in_key (c->l, b->column) != makes_id (s, b) && !open)
         return bad_at (c, s->root, tail, "the _id must be made of the key, and of nothing else");
      found += in_key (c->l, b->column);
   }
   return found == c->l->key_count || c->t->sketch
             ? true
             : bad_at (c, s->root, "", "the root must bind the key");
}

/* Stored values are compared by every engine alike. */
static bool check_latest_value (Check *c, const MtStoreDesc *s, int column, const MtEncoding *e)
{
   MtTypeId id = c->t->columns[column].type.id;
   bool time = column == c->t->time_column;
   bool plain = c->t->sketch || mt_is_text_type (id) || mt_type_is_number (id) ||
                mt_type_is_datetime (id) || id == MT_T_TIME || id == MT_T_BOOL || id == MT_T_UUID ||
                id == MT_T_BYTEA || id == MT_T_OBJECTID;
   if (!plain && in_key (c->l, column))
      return bad_at (c, s->root, "", "column \"%s\" of type %s can't be a key",
                     column_name (c, column), mt_type_info (id)->display);
   if (!plain)
      return bad_at (c, s->root, "",
                     "column \"%s\" of type %s can't decide between records of one time",
                     column_name (c, column), mt_type_info (id)->display);
   if (in_key (c->l, column) || (c->t->sketch && !c->l->key_count))
      return true;
   if (e->kind == MT_ENC_NATIVE || e->kind == MT_ENC_DATE || e->kind == MT_ENC_EPOCH_S ||
       e->kind == MT_ENC_EPOCH_MS)
      return true;
   return bad_at (c, s->root, "", "column \"%s\", which decides %s, can't be kept as text",
                  column_name (c, column), time ? "what is newest" : "between records of one time");
}

static bool check_latest (Check *c, const MtStoreDesc *s)
{
   const MtNode *n = s->root;
   if (c->t->time_column < 0 && !c->t->sketch)
      return mt_layout_invalid (c->blame, "keeps", "the table has no time column");
   if (!n->raw.present || n->raw.many || n->agg.present || n->range.present)
      return bad_at (c, n, "", "a document must be one record");
   if (in_key (c->l, c->t->time_column))
      return mt_layout_invalid (c->blame, "key", "the time can't be in the key");
   if (!check_latest_id (c, s))
      return false;
   for (size_t i = 0; i < n->bind_count; i++)
      if (!check_latest_value (c, s, n->binds[i].column, &n->binds[i].encoding))
         return false;
   for (size_t i = 0; i < n->raw.count; i++)
      if (!check_latest_value (c, s, n->raw.columns[i], &n->raw.encodings[i]))
         return false;
   return true;
}

/* ---- time-series collections ---- */

static bool is_time (const Check *c, int column)
{
   return column == c->t->time_column || mt_sketch_may_be_time (c->t, column);
}

/* Where the time lies as a date of its own, as a server wants it. */
static bool has_date_at (const Check *c, const MtNode *n, const char *path)
{
   bool found = false;
   for (size_t i = 0; i < n->bind_count; i++) {
      const MtBinding *b = &n->binds[i];
      bool here = b->at ? !strcmp (b->at, path) : c->t->sketch != NULL;
      found = found || (b->kind == MT_BIND_COLUMN && is_time (c, b->column) && here &&
                        b->encoding.kind <= MT_ENC_DATE);
   }
   for (size_t i = 0; i < n->raw.count; i++)
      found = found || (is_time (c, n->raw.columns[i]) && !strcmp (n->raw.paths[i], path) &&
                        n->raw.encodings[i].kind <= MT_ENC_DATE);
   return found;
}

static bool check_timeseries (Check *c, const MtStoreDesc *s)
{
   const MtTimeseries *t = s->timeseries;
   if (!t)
      return true;
   if (c->l->keeps != MT_KEEPS_RECORDS || !mt_store_is_rows (s) || s->id_count ||
       mt_root_binds_id (s) || s->write != MT_WRITE_INSERT)
      return bad_at (c, NULL, ".timeseries",
                     "a document must be one record, without an _id of its own");
   if (!t->time || !has_date_at (c, s->root, t->time))
      return bad_at (c, NULL, ".timeseries.timeField",
                     "the table's time must be stored there, as a date");
   if (t->meta && (!*t->meta || strchr (t->meta, '.') || !strcmp (t->meta, "_id") ||
                   !strcmp (t->meta, t->time)))
      return bad_at (c, NULL, ".timeseries.metaField",
                     "must be the name of another field than the time and _id");
   return !strchr (t->time, '.')
             ? true
             : bad_at (c, NULL, ".timeseries.timeField", "must be the name of a field, not a path");
}

/* Each document lies in one partition. */
static bool check_partition (Check *c, const MtStoreDesc *s)
{
   if (!s->parts)
      return true;
   if (c->t->time_column < 0 && !c->t->sketch)
      return bad_at (c, NULL, ".partition", "the table has no time");
   if (c->l->keeps == MT_KEEPS_LATEST)
      return bad_at (c, NULL, ".partition", "the only document of a key moves on with its time");
   if (s->timeseries)
      return bad_at (c, NULL, ".partition", "a time-series collection is parted by time by itself");
   for (size_t i = 0; i < s->root->bind_count; i++) {
      const MtBinding *b = &s->root->binds[i];
      bool whole = b->unit <= MT_UNIT_DAY ||
                   (b->unit == MT_UNIT_MONTH && s->parts->unit == MT_UNIT_MONTH);
      if (b->kind != MT_BIND_COLUMN && !whole)
         return bad_at (c, NULL, ".partition", "documents of a %s don't lie within one %s",
                        mt_unit_name (b->unit), mt_unit_name (s->parts->unit));
   }
   return true;
}

static bool check_store (Check *c, const MtStoreDesc *s)
{
   Way w = {.exact = false};
   c->raw_way = c->time_way = false;
   if (!check_ways (c, s->root, &w) || !check_id (c, s))
      return false;
   if (c->l->keeps != MT_KEEPS_SUMS && !c->raw_way)
      return bad_at (c, NULL, "", "no way leads to records");
   if (c->t->time_column >= 0 && !c->time_way && c->t->sketch)
      return bad_at (c, NULL, "", "the time is neither bound nor kept");
   if (c->t->time_column >= 0 && !c->time_way)
      return bad_at (c, NULL, "", "column \"%s\" is neither bound nor kept",
                     column_name (c, c->t->time_column));
   const char *why;
   if (s->preallocate && !mt_can_preallocate (c->t, s, &why))
      return bad_at (c, NULL, ".preallocate", "documents that %s can't be made beforehand", why);
   if ((s->write == MT_WRITE_NEWER) != (c->l->keeps == MT_KEEPS_LATEST))
      return bad_at (c, NULL, ".write",
                     "\"newer\" and the layouts that keep \"latest\" go together");
   if ((c->l->keeps == MT_KEEPS_LATEST && !check_latest (c, s)) || !check_timeseries (c, s) ||
       !check_partition (c, s))
      return false;
   for (size_t i = 0; i < c->store; i++)
      if (!strcmp (c->l->stores[i].collection, s->collection))
         return bad_at (c, NULL, ".collection", "collection \"%s\" is used by two stores",
                        s->collection);
   return true;
}

static bool check_key (Check *c)
{
   if (c->l->keeps == MT_KEEPS_RECORDS)
      return true;
   if (!c->l->key_count && c->t->sketch)
      return true;
   if (!c->l->key_count && c->l->keeps == MT_KEEPS_LATEST)
      return mt_layout_invalid (c->blame, "key", "a layout that keeps latest needs its key");
   bool in[MT_MAX_COLUMNS + 1] = {false};
   for (size_t i = 0; i < c->l->key_count; i++) {
      in[c->l->key[i]] = true;
      if (c->t->columns[c->l->key[i]].role == MT_COL_MEASURE)
         return mt_layout_invalid (c->blame, "key", "column \"%s\" is a measure",
                                   column_name (c, c->l->key[i]));
   }
   for (size_t i = 0; c->l->keeps == MT_KEEPS_SUMS && i < c->t->column_count; i++)
      if (c->t->columns[i].role == MT_COL_DIMENSION && !in[i])
         return mt_layout_invalid (c->blame, "key", "dimension \"%s\" is missing",
                                   column_name (c, (int) i));
   return true;
}

bool mt_layout_check (const MtTable *t, const MtLayout *l, MtBlame *blame)
{
   Check c = {.t = t, .l = l, .blame = blame};
   if (t->column_count > MT_MAX_COLUMNS && !t->sketch)
      return mt_error (blame->err, MT_E_TOO_MANY_COLUMNS, "tables can have at most %d columns",
                       MT_MAX_COLUMNS);
   if (!check_key (&c))
      return false;
   for (c.store = 0; c.store < l->store_count; c.store++)
      if (!check_store (&c, &l->stores[c.store]))
         return false;
   return true;
}
