/* \crosstabview: prints rows of (v, h, d) as a table with one row for each value v, one column for
 * each value h, and d in the cells. Rows and columns are in the order in which their values first
 * appear. */
#include "shell/core/output.h"
#include "shell/core/report.h"
#include "shell/core/run.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The roles of the query's columns: V names the row and H the column of a cell, D is its content,
 * and S sorts the columns. */
enum { V, H, D, S, PLACES };

/* One row of the query. */
typedef struct Entry {
   MtStr at[2]; /* the values V and H; p NULL: SQL NULL */
   size_t rank[2];
   MtStr value;
   int order;     /* the value of column S */
   size_t number; /* the number of the row in the query */
} Entry;

typedef struct Crosstab {
   size_t column[PLACES];
   bool sorted; /* the columns of the table are sorted, by column S */
   MtArena *arena;
   Entry *e;
   size_t n, cap, bytes;
   /* the distinct values of V and of H; each is represented by the first entry that has it */
   const Entry **heads[2];
   size_t count[2];
} Crosstab;

/* ---- finding the columns ---- */

/* Finds a column by its number, counted from 1, or by its name, which is read as in SQL. Sets *out
 * to its index. */
static bool find_column (const MtResult *r, const char *arg, size_t *out, MtError *err)
{
   size_t n = mt_result_columns (r), len = strlen (arg), found = 0;
   bool any_case = false; /* headings keep the case of unquoted names */
   if (strspn (arg, "0123456789") == len) {
      long i = strtol (arg, NULL, 10);
      *out = (size_t) i - 1;
      return (i >= 1 && (size_t) i <= n) ||
             mt_error (err, MT_E_OF_SHELL,
                       "\\crosstabview: column number %ld is out of range 1..%zu", i, n);
   }
   bool quoted = len >= 2 && arg[0] == '"' && arg[len - 1] == '"';
   char *name = mt_heap_strndup (arg + quoted, len - 2 * quoted);
   for (char *p = name; !quoted && *p; p++)
      *p = (char) tolower ((unsigned char) *p);
   for (size_t i = 0; i < n; i++)
      if (strcmp (mt_result_name (r, i), name) == 0 && ++found == 1)
         *out = i;
   for (size_t i = 0; i < n && !quoted && (!found || any_case); i++)
      if (strcasecmp (mt_result_name (r, i), name) == 0) {
         any_case = true;
         *out = found++ ? *out : i;
      }
   bool ok = found == 1 ||
             (found ? mt_error (err, MT_E_OF_SHELL, "\\crosstabview: ambiguous column name: \"%s\"",
                                name)
                    : mt_error (err, MT_E_OF_SHELL, "\\crosstabview: column name not found: \"%s\"",
                                name));
   free (name);
   return ok;
}

static bool find_columns (Crosstab *c, const MtResult *r, char *const *args, MtError *err)
{
   size_t n = mt_result_columns (r);
   c->column[H] = 1;
   if (n < 3)
      return mt_error (err, MT_E_OF_SHELL,
                       "\\crosstabview: query must return at least three columns");
   for (size_t i = V; i <= H; i++)
      if (args[i] && !find_column (r, args[i], &c->column[i], err))
         return false;
   if (c->column[V] == c->column[H])
      return mt_error (err, MT_E_OF_SHELL,
                       "\\crosstabview: vertical and horizontal headers must be different columns");
   if (!args[D] && n > 3)
      return mt_error (err, MT_E_OF_SHELL,
                       "\\crosstabview: data column must be specified when query returns more "
                       "than three columns");
   c->column[D] = 3 - c->column[V] - c->column[H];
   c->sorted = args[S] != NULL;
   return (!args[D] || find_column (r, args[D], &c->column[D], err)) &&
          (!args[S] || find_column (r, args[S], &c->column[S], err));
}

/* ---- the rows ---- */

/* Returns the value of column S, by which columns are sorted, as a number. A text that is not a
 * whole number counts as 0, as in psql. */
static int order_of (const char *s)
{
   return s && *s && !s[(*s == '-') + strspn (s + (*s == '-'), "0123456789")] ? atoi (s) : 0;
}

static bool read_rows (Crosstab *c, MtResult *r, MtError *err)
{
   bool more, ok;
   while ((ok = mt_result_next (r, &more, err)) && more) {
      MT_GROW_IN (c->arena, c->e, c->n, c->cap, 64);
      Entry *e = &c->e[c->n];
      *e = (Entry) {.number = c->n,
                    .order = c->sorted ? order_of (mt_result_text (r, c->column[S], NULL)) : 0};
      MtStr *const cells[] = {[V] = &e->at[V], [H] = &e->at[H], [D] = &e->value};
      for (size_t i = V; i <= D; i++) {
         size_t len = 0;
         const char *s = mt_result_text (r, c->column[i], &len);
         *cells[i] = (MtStr) {s ? mt_strndup (c->arena, s, len) : NULL, s ? len : 0};
         c->bytes += len;
      }
      c->bytes += 2 * sizeof *e; /* the list can have twice the entries */
      c->n++;
      if (c->bytes > MT_CROSSTAB_BYTES)
         return mt_error (err, MT_E_OF_SHELL, "\\crosstabview: the query returns more than %d MB",
                          MT_CROSSTAB_BYTES >> 20);
   }
   return ok;
}

/* ---- headers ---- */

static int compare_size (size_t a, size_t b) { return (a > b) - (a < b); }

static int compare_at (const Entry *a, const Entry *b, size_t i)
{
   if (!a->at[i].p || !b->at[i].p)
      return !b->at[i].p - !a->at[i].p;
   size_t n = a->at[i].n < b->at[i].n ? a->at[i].n : b->at[i].n;
   int d = memcmp (a->at[i].p, b->at[i].p, n);
   return d ? d : compare_size (a->at[i].n, b->at[i].n);
}

static int by_text (const void *a, const void *b, void *place)
{
   const Entry *x = *(Entry *const *) a, *y = *(Entry *const *) b;
   int d = compare_at (x, y, *(size_t *) place);
   return d ? d : compare_size (x->number, y->number);
}

/* Compares two entries by their member `order`, then by `number`; for qsort. */
static int by_order (const void *a, const void *b)
{
   const Entry *x = *(Entry *const *) a, *y = *(Entry *const *) b;
   return x->order != y->order ? (x->order > y->order) - (x->order < y->order)
                               : compare_size (x->number, y->number);
}

/* Finds the distinct values in column V or H (`place`), and sets each entry's rank: the index of
 * its value among them. */
static void rank (Crosstab *c, size_t place)
{
   Entry **all = MT_NEW_N (c->arena, Entry *, c->n + 1);
   const Entry **heads = c->heads[place] = MT_NEW_N (c->arena, const Entry *, c->n + 1);
   size_t *rank_of = MT_NEW_N (c->arena, size_t, c->n + 1),
          n = 0; /* indexed by the number of a value's first entry */
   for (size_t i = 0; i < c->n; i++)
      all[i] = &c->e[i];
   qsort_r (all, c->n, sizeof *all, by_text, &place);
   for (size_t i = 0; i < c->n; i++) {
      if (i == 0 || compare_at (heads[n - 1], all[i], place) != 0)
         heads[n++] = all[i];
      all[i]->rank[place] = heads[n - 1]->number;
   }
   /* For V all entries have order 0, so its values keep the order of the query's rows. */
   qsort (heads, n, sizeof *heads, by_order);
   for (size_t i = 0; i < n; i++)
      rank_of[heads[i]->number] = i;
   for (size_t i = 0; i < c->n; i++)
      c->e[i].rank[place] = rank_of[c->e[i].rank[place]];
   c->count[place] = n;
}

/* ---- cells ---- */

static int by_cell (const void *a, const void *b)
{
   const Entry *x = a, *y = b;
   int d = compare_size (x->rank[V], y->rank[V]);
   d = d ? d : compare_size (x->rank[H], y->rank[H]);
   return d ? d : compare_size (x->number, y->number);
}

static const char *shown (MtStr s) { return s.p ? s.p : "(null)"; }

/* Sorts the entries by row and column of the table. Fails if a cell has two entries; the error
 * names the first such cell. */
static bool sort_cells (Crosstab *c, MtError *err)
{
   const Entry *twice = NULL;
   if (c->n)
      qsort (c->e, c->n, sizeof *c->e, by_cell);
   for (size_t i = 1; i < c->n; i++) {
      const Entry *e = &c->e[i];
      if (e->rank[V] == e[-1].rank[V] && e->rank[H] == e[-1].rank[H] &&
          (!twice || e->number < twice->number))
         twice = e;
   }
   return !twice ||
          mt_error (
             err, MT_E_OF_SHELL,
             "\\crosstabview: query result contains multiple data values for row \"%s\", column "
             "\"%s\"",
             shown (twice->at[V]), shown (twice->at[H]));
}

static bool print (Crosstab *c, MtShell *sh, const MtResult *r, const MtStr *names, MtError *err)
{
   MtFmtOptions o = mt_rows_options (sh);
   size_t n = c->count[H] + 1, at = 0;
   MtFmtColumn *columns = MT_NEW_N (c->arena, MtFmtColumn, n);
   MtStr *cells = MT_NEW_N (c->arena, MtStr, n);
   MtFmt f;
   MtOut out;
   columns[0] = mt_fmt_column (mt_result_name (r, c->column[V]), mt_result_type (r, c->column[V]));
   for (size_t i = 1; i < n; i++) {
      columns[i] = mt_fmt_column ("", mt_result_type (r, c->column[D]));
      columns[i].name = names[i - 1].p ? names[i - 1] : o.null;
   }
   if (!mt_out_begin (sh, &out))
      return mt_error (err, MT_E_IO, "could not open the output");
   mt_fmt_begin (&f, &o, columns, n, mt_out_write, &out);
   for (size_t row = 0, going = true; going && row < c->count[V]; row++) {
      for (size_t i = 1; i < n; i++)
         cells[i] = MT_STR ("");
      cells[0] = c->e[at].at[V];
      for (; at < c->n && c->e[at].rank[V] == row; at++)
         cells[c->e[at].rank[H] + 1] = c->e[at].value;
      going = mt_fmt_row (&f, cells);
   }
   mt_fmt_finish (&f, NULL);
   mt_out_end (&out);
   return true;
}

bool mt_crosstab (MtShell *sh, MtResult *r, uint64_t *rows, MtError *err)
{
   Crosstab c = {.arena = mt_arena_new ("crosstab", NULL)};
   bool ok = find_columns (&c, r, sh->go.args, err) && read_rows (&c, r, err);
   if (ok) {
      rank (&c, H);
      if (c.count[H] > MT_CROSSTAB_COLUMNS)
         ok = mt_error (err, MT_E_OF_SHELL,
                        "\\crosstabview: maximum number of columns (%d) exceeded",
                        MT_CROSSTAB_COLUMNS);
   }
   if (ok) {
      for (size_t i = 0; i < c.n; i++)
         c.e[i].order = 0;
      rank (&c, V);
      MtStr *names = MT_NEW_N (c.arena, MtStr, c.count[H] + 1);
      for (size_t i = 0; i < c.count[H]; i++)
         names[i] = c.heads[H][i]->at[H];
      ok = sort_cells (&c, err) && print (&c, sh, r, names, err);
   }
   *rows = c.n;
   mt_arena_free (c.arena);
   return ok;
}
