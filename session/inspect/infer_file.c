/* \infer for files: returns the statements that create a table from a file, and a description of
 * the file's form. */
#include "session/inspect/infer_int.h"

#include "base/shown.h"
#include "layouts/infer/infer.h"
#include "session/core/core.h"

#include <stdlib.h>
#include <string.h>

/* For fewer records, a layout that packs several into a document is not proposed. */
enum { PACKED_RECORDS = 1000 };

static int by_distinct (const void *x, const void *y)
{
   const MtSniffColumn *const *a = x, *const *b = y;
   return ((*a)->distinct > (*b)->distinct) - ((*a)->distinct < (*b)->distinct);
}

/* Appends a name to b, a list of columns that is the value of an option. */
static void add_name (MtBuf *b, const char *name)
{
   mt_buf_printf (b, "%s%s", b->n ? ", " : "", name);
}

/* Returns the layout to propose: nested, with documents for each value of the dimension with the
 * fewest values. NULL: one document for each row. */
static const char *layout_of (MtArena *a, const MtSniffed *form)
{
   const MtSniffColumn **dims = MT_NEW_N (a, const MtSniffColumn *, form->column_count + 1);
   const char *time = NULL;
   size_t n = 0;
   bool measured = false;
   for (size_t i = 0; i < form->column_count; i++) {
      const MtSniffColumn *c = &form->columns[i];
      if (strpbrk (c->name, ",' "))
         return NULL; /* the option's list can't name the column */
      if (c->role == MT_COL_TIME)
         time = c->name;
      if (c->role == MT_COL_DIMENSION)
         dims[n++] = c;
      measured |= c->role == MT_COL_MEASURE;
   }
   if (!time || !n || !measured || form->records < PACKED_RECORDS)
      return NULL;
   qsort (dims, n, sizeof *dims, by_distinct);
   MtBuf levels = {0};
   add_name (&levels, time);
   for (size_t i = 1; i < n; i++)
      add_name (&levels, dims[i]->name);
   const char *text = mt_printf (a, "nested WITH (cluster_by = %s, levels = %s)",
                                 mt_shown_sql (a, '\'', dims[0]->name),
                                 mt_shown_sql (a, '\'', levels.p));
   mt_buf_free (&levels);
   return text;
}

/* Returns the proposed table: the file's columns, with NOT NULL for the time column. */
static MtTable proposed (MtArena *a, const MtTable *t)
{
   MtTable own = *t;
   own.columns = MT_NEW_N (a, MtColumn, t->column_count);
   own.column_count = 0;
   for (size_t i = 0; i < t->column_count && !t->columns[i].inner; i++) {
      own.columns[i] = t->columns[i];
      own.columns[i].not_null = t->columns[i].role == MT_COL_TIME;
      own.column_count++;
   }
   return own;
}

/* ---- the text ---- */

/* The parts of the statements that are proposed for a file. */
typedef struct Proposal {
   MtArena *a;
   const MtFileTable *f;
   MtTable table;
   const char *name, *file; /* the table's and the file's name, as SQL writes them */
   const char *layout;
   const char *copy;   /* the options of COPY; NULL: COPY does not read the file */
   const char *select; /* the list of SELECT that gives the table's columns */
   bool converts;      /* CREATE TABLE … FROM gives another table */
} Proposal;

static void put_source (MtBuf *b, const Proposal *p, unsigned long long count, const char *what)
{
   size_t n = mt_file_count (p->f);
   mt_buf_printf (b, "-- From %llu %s%s of %s", count, what, count == 1 ? "" : "s",
                  mt_shown_sql (p->a, '\'', mt_file_path (p->f, 0)));
   if (n > 1)
      mt_buf_printf (b, " and %zu more file%s", n - 1, mt_plural (n - 1));
}

static void put_form (MtBuf *b, const Proposal *p, const MtSniffed *form)
{
   put_source (b, p, form->records, "record");
   mt_buf_printf (b, ": %s.\n", mt_sniff_summary (p->a, form));
   for (size_t i = 0; i < form->doubt_count; i++)
      mt_buf_printf (b, "-- Check this: %s\n", mt_shown (p->a, form->doubts[i]));
   mt_buf_adds (b, "-- If that is wrong, options of read_csv change it: \\h SELECT lists them.\n");
}

static void put_statements (MtBuf *b, const Proposal *p)
{
   const char *create = mt_infer_create_table (p->a, &p->table, MT_PRESET_PLAIN, NULL,
                                               mt_infer_identifier);
   const char *end = strrchr (create, ')');
   mt_buf_printf (b, "%.*s USING %s;\n", (int) (end + 1 - create), create, p->layout);
   if (p->copy)
      mt_buf_printf (b, "COPY %s FROM %s WITH (%s);\n", p->name, p->file, p->copy);
   else
      mt_buf_printf (b, "INSERT INTO %s SELECT %s FROM %s;\n", p->name, p->select, p->file);
   if (!p->converts)
      mt_buf_printf (b, "-- Or in one step: CREATE TABLE %s FROM %s USING %s;\n", p->name, p->file,
                     p->layout);
}

/* Changes the proposal for a number that looks like a time: the column becomes a timestamp. scale:
 * 1 for milliseconds, otherwise seconds. */
static void convert_time (Proposal *p, int column, double scale)
{
   MtColumn *c = &p->table.columns[column];
   const char *name = mt_infer_identifier (p->a, c->name);
   c->type = mt_type (MT_T_TIMESTAMPTZ);
   c->role = MT_COL_TIME;
   c->not_null = mt_seen_always (mt_file_seen (p->f), mt_seen_at (mt_file_seen (p->f), c->field));
   p->converts = true;
   p->select = mt_printf (p->a, "* REPLACE (to_timestamp (%s%s) AS %s)", name,
                          scale == 1 ? " / 1000.0" : "", name);
   if (p->copy)
      p->copy = mt_printf (p->a, "%s, EPOCH '%s'", p->copy, scale == 1 ? "ms" : "s");
}

static bool has_times (const MtTable *t)
{
   for (size_t i = 0; i < t->column_count; i++)
      if (mt_type_is_datetime (t->columns[i].type.id))
         return true;
   return false;
}

static void propose_documents (Proposal *p)
{
   MtInferredTime time;
   p->layout = MT_PRESET_PLAIN;
   p->copy = mt_file_is_plain_lines (p->f) ? "FORMAT jsonl" : NULL;
   if (has_times (&p->table))
      return;
   time = mt_infer_time (&p->table, mt_file_seen (p->f));
   if (time.column >= 0 && time.scale && !strchr (p->table.columns[time.column].field, '.'))
      convert_time (p, time.column, time.scale);
}

/* If the documents have levels (maps of records), adds a comment that a layout may read the file as
 * it is. */
static void put_levels (MtBuf *b, const Proposal *p)
{
   if (mt_infer_levels (p->a, mt_file_seen (p->f)))
      mt_buf_printf (
         b,
         "-- The documents look packed. A layout may read them as they are: start mtsql "
         "with the file as its target, then use \\infer %s.\n",
         p->name);
}

const char *mt_infer_file (MtArena *a, const MtFileTable *f, const char *path)
{
   const MtSniffed *form = mt_file_form (f);
   Proposal p = {.a = a,
                 .f = f,
                 .table = proposed (a, mt_file_table (f)),
                 .file = mt_shown_sql (a, '\'', path),
                 .select = "*"};
   MtBuf b = {0};
   p.name = mt_infer_identifier (a, p.table.name);
   if (form) {
      const char *layout = layout_of (a, form);
      p.layout = layout ? layout : MT_PRESET_PLAIN;
      p.copy = mt_file_count (f) == 1 ? mt_sniff_options (a, form) : NULL;
      put_form (&b, &p, form);
   } else {
      propose_documents (&p);
      put_source (&b, &p, mt_file_seen (f)->count, "document");
      mt_buf_adds (&b, ".\n");
      put_levels (&b, &p);
   }
   put_statements (&b, &p);
   const char *text = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return text;
}

/* Returns whether `name` is the name of an existing file, or a pattern that matches one. */
static bool names_file (const char *name) { return strpbrk (name, "./*") && mt_file_exists (name); }

bool mt_infer_path (MtSession *s, MtArena *a, const char *name, const char **text, bool *found,
                    MtError *err)
{
   MtFileCall call = {.function = "read_file", .path = mt_str (name), .path_span = MT_NO_SPAN};
   MtFileTable *f;
   *found = names_file (name);
   if (!*found)
      return true;
   if (!mt_file_find (s, a, &call, &f, err))
      return false;
   *text = mt_infer_file (a, f, name);
   return true;
}
