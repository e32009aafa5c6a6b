/* COPY … FROM with the option LOOKUP: columns that the file lacks come from another table. The row
 * of the other table is found by a key and by the record's time. The table is read once into
 * memory; its rows are sorted by key and time. */
#include "session/core/core.h"
#include "session/dml/dml.h"
#include "session/state/session.h"

#include <stdlib.h>
#include <string.h>

typedef struct Entry {
   const MtVal *key; /* the values of the key's columns */
   int64_t from, to; /* the time in which the row is valid, in ms; `to` is excluded */
   const MtVal *values;
   size_t same; /* the number of entries with this key, set only in the first of them */
} Entry;

struct MtCopyLookup {
   MtStatement *st;
   const MtTable *t;
   const MtCopyLookupOptions *o;
   MtArena *a;
   const char *name; /* the other table */
   MtPlan *plan;     /* the plan that reads the other table */
   /* the columns of the key: their indexes in the table that COPY fills, and in the rows of
    * `plan` */
   int *key, *key_at;
   size_t key_count;
   /* the columns of `plan` with the time from which and until which a row is valid; -1: always
    * valid */
   int from_at, to_at;
   int *columns, *at; /* the columns to fill: their numbers in the copied table, and in the plan */
   size_t column_count;
   bool must; /* LOOKUP_MISSING is error: a record without a row in the other table is an error */
   Entry *entries;
   size_t count, capacity;
   uint32_t *slots; /* hash table of the first entry of each key; UINT32_MAX: free */
   size_t slot_count;
};

/* ---- options ---- */

typedef struct Pair {
   const char *left, *right;
} Pair;

static const char *trimmed_text (MtArena *a, const char *p, const char *end)
{
   while (p < end && strchr (" \t\n", *p))
      p++;
   while (end > p && strchr (" \t\n", end[-1]))
      end--;
   return mt_strndup (a, p, (size_t) (end - p));
}

/* Parses the value of an option: "a = b, c" gives the pairs {a, b}, {c, c}. Returns NULL with an
 * error if a name is missing. */
static Pair *pairs_of (MtArena *a, const MtOption *o, size_t *count, MtError *err)
{
   const char *text = o->kind == MT_OPT_NONE || o->kind == MT_OPT_LIST
                         ? ""
                         : mt_strndup (a, o->value.p, o->value.n);
   Pair *list = MT_NEW_N (a, Pair, strlen (text) + 1);
   *count = 0;
   for (const char *p = text;;) {
      const char *end = p + strcspn (p, ","), *eq = memchr (p, '=', (size_t) (end - p));
      Pair *x = &list[(*count)++];
      x->left = trimmed_text (a, p, eq ? eq : end);
      x->right = trimmed_text (a, eq ? eq + 1 : p, end);
      if (!*x->left || !*x->right) {
         mt_error_at (err, o->span, MT_E_PARAMETER, "invalid value for COPY option \"%s\": \"%s\"",
                      o->name.text, text);
         mt_error_hint (
            err,
            "List column names separated by commas. Write \"column = other column\" if the names "
            "differ.");
         return NULL;
      }
      if (!*end)
         return list;
      p = end + 1;
   }
}

static bool own_column (const MtTable *t, const char *name, const MtOption *o, int *out,
                        MtError *err)
{
   *out = mt_table_column (t, name, false);
   return *out >= 0 ||
          mt_error_at (err, o->span, MT_E_UNDEFINED_COLUMN,
                       "column \"%s\" of relation \"%s\" does not exist", name, t->name) ||
          mt_column_near (t, name, err);
}

static int find_column (const MtPlan *p, const char *name)
{
   for (int pass = 0; pass < 2; pass++)
      for (int i = 0; i < p->column_count; i++)
         if (pass ? mt_ieq (p->columns[i].name, name) : strcmp (p->columns[i].name, name) == 0)
            return i;
   return -1;
}

static bool lookup_column (const MtCopyLookup *l, const char *name, const MtOption *o, MtType want,
                           int *out, MtError *err)
{
   const MtPlan *p = l->plan;
   *out = find_column (p, name);
   if (*out < 0)
      return mt_error_at (err, o->span, MT_E_UNDEFINED_COLUMN,
                          "column \"%s\" of relation \"%s\" does not exist", name, l->name);
   if (p->columns[*out].type.id == want.id)
      return true;
   mt_error_at (err, o->span, MT_E_DATATYPE_MISMATCH,
                "column \"%s\" of relation \"%s\" is of type %s and not %s", name, l->name,
                mt_type_info (p->columns[*out].type.id)->display, mt_type_info (want.id)->display);
   return mt_error_hint (err, "Use a view with a cast instead.");
}

static bool is_listed (const int *columns, size_t count, int column)
{
   for (size_t i = 0; i < count; i++)
      if (columns[i] == column)
         return true;
   return false;
}

static bool key_option (MtCopyLookup *l, MtError *err)
{
   const MtOption *o = l->o->key;
   size_t n;
   if (!o)
      return mt_error_at (err, l->o->table->span, MT_E_PARAMETER,
                          "COPY LOOKUP requires LOOKUP_KEY");
   const Pair *list = pairs_of (l->a, o, &n, err);
   if (!list)
      return false;
   l->key = MT_NEW_N (l->a, int, n);
   l->key_at = MT_NEW_N (l->a, int, n);
   for (; l->key_count < n; l->key_count++) {
      int column, at;
      const Pair *x = &list[l->key_count];
      if (!own_column (l->t, x->left, o, &column, err) ||
          !lookup_column (l, x->right, o, l->t->columns[column].type, &at, err))
         return false;
      if (is_listed (l->key, l->key_count, column))
         return mt_error_at (err, o->span, MT_E_DUPLICATE_COLUMN,
                             "column \"%s\" specified more than once", x->left);
      l->key[l->key_count] = column;
      l->key_at[l->key_count] = at;
   }
   return true;
}

static bool valid_option (MtCopyLookup *l, MtError *err)
{
   const MtOption *o = l->o->valid;
   size_t n;
   l->from_at = l->to_at = -1;
   if (!o)
      return true;
   const Pair *list = pairs_of (l->a, o, &n, err);
   if (!list)
      return false;
   if (n != 2)
      return mt_error_at (err, o->span, MT_E_PARAMETER,
                          "LOOKUP_VALID must list two columns: the begin and the end");
   if (l->t->time_column < 0)
      return mt_error_at (
         err, o->span, MT_E_PARAMETER,
         "LOOKUP_VALID requires a table with a TIME column, which \"%s\" does not have",
         l->t->name);
   MtType time = l->t->columns[l->t->time_column].type;
   return lookup_column (l, list[0].right, o, time, &l->from_at, err) &&
          lookup_column (l, list[1].right, o, time, &l->to_at, err);
}

static bool fill_column (MtCopyLookup *l, int column, int at, const MtOption *o, MtError *err)
{
   if (is_listed (l->columns, l->column_count, column))
      return mt_error_at (err, o->span, MT_E_DUPLICATE_COLUMN,
                          "column \"%s\" specified more than once", l->t->columns[column].name);
   if (is_listed (l->key, l->key_count, column) || column == l->t->time_column)
      return mt_error_at (err, o->span, MT_E_PARAMETER, "column \"%s\" is part of the lookup's key",
                          l->t->columns[column].name);
   l->columns[l->column_count] = column;
   l->at[l->column_count++] = at;
   return true;
}

/* Reads the option LOOKUP_COLUMNS. Default: all columns that both tables have by the same name. */
static bool columns_option (MtCopyLookup *l, MtError *err)
{
   const MtOption *o = l->o->columns;
   size_t n = 0;
   l->columns = MT_NEW_N (l->a, int, l->t->column_count + 1);
   l->at = MT_NEW_N (l->a, int, l->t->column_count + 1);
   const Pair *list = o ? pairs_of (l->a, o, &n, err) : NULL;
   if (o && !list)
      return false;
   for (size_t i = 0; i < n; i++) {
      int column, at;
      if (!own_column (l->t, list[i].left, o, &column, err) ||
          !lookup_column (l, list[i].right, o, l->t->columns[column].type, &at, err) ||
          !fill_column (l, column, at, o, err))
         return false;
   }
   for (size_t i = 0; !o && i < l->t->column_count; i++) {
      int at = find_column (l->plan, l->t->columns[i].name);
      bool other = at >= 0 && !is_listed (l->key, l->key_count, (int) i) &&
                   (int) i != l->t->time_column && !is_listed (l->key_at, l->key_count, at) &&
                   at != l->from_at && at != l->to_at;
      if (other && (!lookup_column (l, l->t->columns[i].name, l->o->table, l->t->columns[i].type,
                                    &at, err) ||
                    !fill_column (l, (int) i, at, l->o->table, err)))
         return false;
   }
   return l->column_count ||
          mt_error_at (err, l->o->table->span, MT_E_PARAMETER,
                       "tables \"%s\" and \"%s\" have no common column to look up", l->t->name,
                       l->name);
}

static bool missing_option (MtCopyLookup *l, MtError *err)
{
   const MtOption *o = l->o->missing;
   const char *v = o && o->kind != MT_OPT_LIST && o->value.p
                      ? mt_strndup (l->a, o->value.p, o->value.n)
                      : "";
   l->must = mt_ieq (v, "error");
   return !o || l->must || mt_ieq (v, "null") ||
          mt_error_at (err, o->span, MT_E_PARAMETER, "COPY LOOKUP_MISSING \"%s\" not recognized",
                       v);
}

/* ---- reading the table ---- */

/* Sets *out to a plan of SELECT * FROM the table that LOOKUP names. */
static bool plan_all (MtCopyLookup *l, MtPlan **out, MtError *err)
{
   MtSpan span = l->o->table->span;
   MtArena *a = l->st->arena;
   MtSelect *select = MT_NEW (a, MtSelect);
   MtTarget *t = select->plain.targets = MT_NEW (a, MtTarget);
   select->kind = MT_SELECT_PLAIN;
   select->span = span;
   t->expr = MT_NEW (a, MtExpr);
   t->expr->kind = MT_EXPR_STAR;
   t->expr->span = span;
   MtFrom *from = select->plain.from = MT_NEW (a, MtFrom);
   from->kind = MT_FROM_TABLE;
   from->span = span;
   from->table.name = (MtName) {l->name, false, span};
   return mt_plan_select (l->st, select, out, err);
}

static int compare_keys (const MtCopyLookup *l, const Entry *x, const Entry *y)
{
   int c = 0;
   for (size_t i = 0; i < l->key_count && c == 0; i++)
      c = mt_v_compare (x->key[i], y->key[i]);
   return c;
}

static int by_key_and_time (const void *p, const void *q, void *lookup)
{
   const Entry *x = p, *y = q;
   int c = compare_keys (lookup, x, y);
   if (c)
      return c;
   return x->from < y->from ? -1 : x->from > y->from;
}

/* Sets *out to the key values of `row`, a row of the LOOKUP table, converted to the types of the
 * copied table. *there is false if one is NULL, because such a key equals no other key. */
static bool key_of_row (MtCopyLookup *l, const MtPlan *p, const MtVal *row, const MtVal **out,
                        bool *there, MtError *err)
{
   MtVal *key = NULL, v;
   *there = true;
   for (size_t i = 0; i < l->key_count; i++)
      *there = *there && !mt_is_nullish (row[l->key_at[i]]);
   if (*there)
      key = MT_NEW_N (l->a, MtVal, l->key_count);
   for (size_t i = 0; i < l->key_count && *there; i++) {
      if (!mt_value_normalize (l->a, p->columns[l->key_at[i]].type, row[l->key_at[i]], &v, err))
         return false;
      key[i] = mt_v_copy (l->a, v);
   }
   *out = key;
   return true;
}

static bool add_entry (MtCopyLookup *l, const MtPlan *p, const MtVal *row, MtError *err)
{
   const MtVal *key;
   bool there;
   if (!key_of_row (l, p, row, &key, &there, err))
      return false;
   if (!there)
      return true;
   if (l->count == l->capacity) {
      size_t more = l->capacity ? 2 * l->capacity : 256;
      Entry *grown = MT_NEW_N (l->a, Entry, more);
      if (l->count)
         memcpy (grown, l->entries, l->count * sizeof *grown);
      l->entries = grown;
      l->capacity = more;
   }
   Entry *e = &l->entries[l->count++];
   MtVal *values = MT_NEW_N (l->a, MtVal, l->column_count);
   MtVal v;
   *e = (Entry) {.key = key, .from = INT64_MIN, .to = INT64_MAX, .values = values};
   if (l->from_at >= 0 && !mt_is_nullish (row[l->from_at]))
      e->from = row[l->from_at].i;
   if (l->to_at >= 0 && !mt_is_nullish (row[l->to_at]))
      e->to = row[l->to_at].i;
   if (e->from >= e->to) { /* the row is never valid */
      l->count--;
      return true;
   }
   for (size_t i = 0; i < l->column_count; i++) {
      if (!mt_value_normalize (l->a, l->t->columns[l->columns[i]].type, row[l->at[i]], &v, err))
         return false;
      values[i] = mt_v_copy (l->a, v);
   }
   if (mt_arena_bytes (l->a) <= (size_t) l->st->session->settings.work_mem)
      return true;
   mt_error_at (err, l->o->table->span, MT_E_OUT_OF_MEMORY,
                "lookup table \"%s\" does not fit in work_mem", l->name);
   return mt_error_hint (err, "Increase work_mem, or use a view with the needed rows only.");
}

/* Appends the key of an entry as text: "7", or "7, 9" if the key has two columns. */
static void print_key (const MtCopyLookup *l, const Entry *e, MtBuf *out)
{
   for (size_t i = 0; i < l->key_count; i++) {
      mt_buf_adds (out, i ? ", " : "");
      mt_value_print (l->t->columns[l->key[i]].type, e->key[i], &l->st->env.style, out, NULL);
   }
}

/* Fails if two rows of the LOOKUP table have the same key, and are valid at the same time. */
static bool check_overlaps (const MtCopyLookup *l, MtError *err)
{
   for (size_t i = 1; i < l->count; i++) {
      const Entry *x = &l->entries[i - 1], *y = &l->entries[i];
      if (compare_keys (l, x, y) != 0 || x->to <= y->from)
         continue;
      MtBuf key = {0};
      print_key (l, x, &key);
      mt_error_at (err, l->o->table->span, MT_E_UNIQUE,
                   "table \"%s\" has more than one row for key %.100s%s", l->name,
                   key.p ? key.p : "", l->from_at < 0 ? "" : " at one time");
      mt_buf_free (&key);
      return l->from_at < 0
                ? mt_error_hint (
                     err, "Set LOOKUP_VALID to the columns with the time in which a row is valid.")
                : false;
   }
   return true;
}

static void make_slots (MtCopyLookup *l)
{
   l->slot_count = 64;
   while (l->slot_count < 2 * l->count)
      l->slot_count *= 2;
   l->slots = MT_NEW_N (l->a, uint32_t, l->slot_count);
   memset (l->slots, 0xFF, l->slot_count * sizeof *l->slots);
   for (size_t i = 0, first = 0; i < l->count; i++) {
      if (i && compare_keys (l, &l->entries[first], &l->entries[i]) == 0) {
         l->entries[first].same++;
         continue;
      }
      first = i;
      l->entries[i].same = 1;
      uint64_t hash = 0;
      for (size_t k = 0; k < l->key_count; k++)
         hash = mt_v_hash (l->entries[i].key[k], hash);
      size_t s = hash & (l->slot_count - 1);
      while (l->slots[s] != UINT32_MAX)
         s = (s + 1) & (l->slot_count - 1);
      l->slots[s] = (uint32_t) i;
   }
}

static bool read_entries (MtCopyLookup *l, MtPlan *p, MtError *err)
{
   MtResult *r = mt_result_new (l->st->session, mt_arena_new ("lookup rows", NULL));
   bool more = true, ok = mt_result_run (r, p, false, err);
   while (ok && (ok = mt_result_next (r, &more, err)) && more)
      ok = add_entry (l, p, r->values, err);
   mt_result_free (r);
   if (!ok)
      return false;
   if (l->count)
      qsort_r (l->entries, l->count, sizeof *l->entries, by_key_and_time, l);
   make_slots (l);
   return check_overlaps (l, err);
}

bool mt_copy_lookup_open (MtStatement *st, const MtTable *t, const MtCopyLookupOptions *o,
                          MtCopyLookup **out, MtError *err)
{
   MtArena *a = mt_arena_new ("lookup", st->arena);
   MtCopyLookup *l = MT_NEW (a, MtCopyLookup);
   *l = (MtCopyLookup) {.st = st, .t = t, .o = o, .a = a};
   if (o->table->kind == MT_OPT_NONE || o->table->kind == MT_OPT_LIST)
      return mt_error_at (err, o->table->span, MT_E_SYNTAX, "lookup requires a parameter");
   l->name = mt_strndup (a, o->table->value.p, o->table->value.n);
   *out = l;
   return missing_option (l, err) && plan_all (l, &l->plan, err) && key_option (l, err) &&
          valid_option (l, err) && columns_option (l, err) && read_entries (l, l->plan, err);
}

bool mt_copy_lookup_fills (const MtCopyLookup *l, int column)
{
   for (size_t i = 0; l && i < l->column_count; i++)
      if (l->columns[i] == column)
         return true;
   return false;
}

/* ---- looking up ---- */

static bool has_key (const MtCopyLookup *l, const Entry *e, const MtVal *row)
{
   for (size_t i = 0; i < l->key_count; i++)
      if (mt_v_compare (e->key[i], row[l->key[i]]) != 0)
         return false;
   return true;
}

/* Returns the first entry that has the same key as `row`, a row being copied; NULL: there is none,
 * or a key column of the row is NULL. */
static const Entry *first_entry (const MtCopyLookup *l, const MtVal *row)
{
   uint64_t hash = 0;
   for (size_t i = 0; i < l->key_count; i++) {
      if (mt_is_nullish (row[l->key[i]]))
         return NULL;
      hash = mt_v_hash (row[l->key[i]], hash);
   }
   for (size_t s = hash & (l->slot_count - 1); l->slots[s] != UINT32_MAX;
        s = (s + 1) & (l->slot_count - 1))
      if (has_key (l, &l->entries[l->slots[s]], row))
         return &l->entries[l->slots[s]];
   return NULL;
}

/* Returns the entry that is valid at the time ms, among those that have the same key as `first`;
 * NULL: there is none. */
static const Entry *valid_at (const Entry *first, int64_t ms)
{
   size_t low = 0, high = first->same;
   while (low < high) {
      size_t middle = (low + high) / 2;
      if (first[middle].from <= ms)
         low = middle + 1;
      else
         high = middle;
   }
   return low && ms < first[low - 1].to ? &first[low - 1] : NULL;
}

static bool report_missing (const MtCopyLookup *l, const MtVal *row, MtError *err)
{
   MtBuf text = {0};
   mt_buf_printf (&text, "no row of \"%s\" has ", l->name);
   for (size_t i = 0; i < l->key_count; i++) {
      const MtColumn *key = &l->t->columns[l->key[i]];
      mt_buf_printf (&text, "%s%s = ", i ? " and " : "", key->name);
      if (mt_is_nullish (row[l->key[i]]))
         mt_buf_adds (&text, "NULL");
      else
         mt_value_print (key->type, row[l->key[i]], &l->st->env.style, &text, NULL);
   }
   if (l->from_at >= 0 && !mt_is_nullish (row[l->t->time_column])) {
      mt_buf_adds (&text, " at ");
      mt_value_print (l->t->columns[l->t->time_column].type, row[l->t->time_column],
                      &l->st->env.style, &text, NULL);
   }
   mt_error (err, MT_E_FOREIGN_KEY, "%.250s", text.p);
   mt_buf_free (&text);
   return false;
}

bool mt_copy_lookup_row (const MtCopyLookup *l, MtVal *row, MtError *err)
{
   bool timed = l->from_at >= 0;
   const Entry *e = timed && mt_is_nullish (row[l->t->time_column]) ? NULL : first_entry (l, row);
   if (e && timed)
      e = valid_at (e, row[l->t->time_column].i);
   if (!e && l->must)
      return report_missing (l, row, err);
   for (size_t i = 0; i < l->column_count; i++)
      row[l->columns[i]] = e ? e->values[i] : mt_v_null ();
   return true;
}
