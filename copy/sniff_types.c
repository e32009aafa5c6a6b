/* Detects the types of a CSV file's columns, its header, and the texts that mean NULL. */
#include "copy/sniff_types.h"
#include "layouts/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Texts that may mean NULL. A text means NULL if it occurs in a column whose other values are not
 * text, such as numbers. In columns of text, only the first SURE texts of the list then mean NULL,
 * too. The others stay values there, since NA may be Namibia. */
static const char *const spellings[] = {"",   "NULL", "null", "\\N", "N/A", "n/a", "#N/A", "NA",
                                        "na", "None", "none", "nil", "-",   "--",  "?",    "."};
enum { SPELLINGS = sizeof spellings / sizeof *spellings, SURE = 7 };

/* What the values of a column have in common. */
typedef struct Seen {
   unsigned kinds; /* MT_SNIFF_… bits: the forms that every value of the column has */
   uint64_t values, timed, zoned;
   uint64_t nulls, quoted_nulls;
   uint32_t spelled; /* bit i: the NULL text spellings[i] occurs without quotes */
   double low, high; /* the least and the largest whole number */
   uint64_t rises, falls;
   double last;
   bool is_text;
} Seen;

typedef struct Typing {
   MtArena *a;
   const MtSniffGiven *given;
   const MtSniffRows *rows;
   MtSniffed *out;
   Seen *seen;
   size_t first; /* the index of the first record that isn't the header */
   char decimal;
} Typing;

/* ---- examining fields ---- */

/* Returns the index of s in the list of texts that mean NULL: those of the caller, or `spellings`.
 * -1: s is none of them. */
static int null_of (const MtSniffGiven *g, MtStr s)
{
   for (size_t i = 0; i < g->null_count; i++)
      if (mt_str_is (s, g->nulls[i]))
         return (int) i;
   for (int i = 0; i < SPELLINGS && !g->null_count; i++)
      if (mt_str_is (s, spellings[i]))
         return i;
   return -1;
}

static void see_number (Seen *c, double v, bool near)
{
   if (near && c->values > 1) {
      c->rises += v > c->last;
      c->falls += v < c->last;
   }
   c->last = v;
   c->low = fmin (c->low, v);
   c->high = fmax (c->high, v);
}

static void see_cell (const Typing *t, Seen *c, const MtSniffCell *cell, bool near)
{
   MtSniffTime time;
   int64_t v;
   int null = null_of (t->given, cell->text);
   if (null >= 0) {
      c->nulls++;
      c->quoted_nulls += cell->quoted;
      if (!cell->quoted && null < 32)
         c->spelled |= (uint32_t) 1 << null;
      return;
   }
   unsigned kinds = mt_sniff_kinds (cell->text, t->decimal, &time);
   c->kinds = c->values++ ? c->kinds & kinds : kinds;
   c->timed += time.timed;
   c->zoned += time.zoned;
   if (kinds & MT_SNIFF_INT && mt_sniff_int (cell->text, &v))
      see_number (c, (double) v, near);
   else if (kinds & MT_SNIFF_FLOAT && cell->text.n < 40) {
      char text[40];
      memcpy (text, cell->text.p, cell->text.n);
      text[cell->text.n] = 0;
      see_number (c, strtod (text, NULL), near);
   }
}

static const MtSniffCell *cell_at (const MtSniffRows *rows, size_t record, size_t column)
{
   return &rows->cells[record * rows->width + column];
}

static void see_column (const Typing *t, size_t column, Seen *c)
{
   *c = (Seen) {.low = INFINITY, .high = -INFINITY};
   for (size_t i = t->first; i < t->rows->count; i++)
      see_cell (t, c, cell_at (t->rows, i, column), i < t->rows->near);
   c->is_text = !c->values || !c->kinds;
}

/* ---- the header ---- */

/* Returns whether a text looks like the name of a column. */
static bool is_name (MtStr s)
{
   if (!s.n || s.n > 63)
      return false;
   unsigned char c = (unsigned char) s.p[0];
   bool begins = c == '_' || c == '#' || c >= 0x80 || (unsigned) ((c | 0x20) - 'a') < 26u;
   for (size_t i = 1; i < s.n && begins; i++)
      begins = (unsigned char) s.p[i] >= ' ' && !strchr ("\";", s.p[i]);
   return begins;
}

/* Returns whether the first record is a header, if all columns are text: its texts look like names,
 * are all different, and do not occur in the records after it. */
static bool header_of_texts (const Typing *t)
{
   const MtSniffRows *r = t->rows;
   for (size_t i = 0; i < r->width; i++) {
      MtStr name = cell_at (r, 0, i)->text;
      if (!is_name (name) || null_of (t->given, name) >= 0)
         return false;
      for (size_t k = 0; k < i && k < 256; k++)
         if (mt_str_eq (name, cell_at (r, 0, k)->text))
            return false;
      for (size_t k = 1; k < r->count && k < 1000; k++)
         if (mt_str_eq (name, cell_at (r, k, i)->text))
            return false;
   }
   return true;
}

/* Returns whether the first record is a header: it does not have the types of the records after
 * it. */
static bool has_header (const Typing *t)
{
   bool typed = false;
   MtSniffTime time;
   if (t->given->header)
      return t->given->header == MT_KNOWN_YES;
   for (size_t i = 0; i < t->rows->width; i++) {
      MtStr text = cell_at (t->rows, 0, i)->text;
      if (t->seen[i].is_text)
         continue;
      typed = true;
      if (null_of (t->given, text) < 0 &&
          !(mt_sniff_kinds (text, t->decimal, &time) & t->seen[i].kinds))
         return true;
   }
   return !typed && header_of_texts (t);
}

/* ---- types ---- */

static MtTypeId time_type (const Seen *c)
{
   if (c->zoned && c->zoned != c->values)
      return MT_T_TEXT;
   if (c->zoned)
      return MT_T_TIMESTAMPTZ;
   return c->timed ? MT_T_TIMESTAMP : MT_T_DATE;
}

static MtTypeId type_of (const Seen *c)
{
   static const struct {
      unsigned kind;
      MtTypeId id;
   } rows[] = {{MT_SNIFF_BOOL, MT_T_BOOL},    {MT_SNIFF_INT, MT_T_INT8},
               {MT_SNIFF_FLOAT, MT_T_FLOAT8}, {MT_SNIFF_NUMERIC, MT_T_NUMERIC},
               {MT_SNIFF_COMMA, MT_T_FLOAT8}, {MT_SNIFF_CLOCK, MT_T_TIME},
               {MT_SNIFF_UUID, MT_T_UUID}};
   if (c->is_text)
      return MT_T_TEXT;
   if (c->kinds & MT_SNIFF_TIMES)
      return time_type (c);
   for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      if (c->kinds & rows[i].kind)
         return rows[i].id;
   return MT_T_TEXT;
}

static bool only_order (const Seen *c, unsigned order)
{
   return !c->is_text && (c->kinds & (MT_SNIFF_DMY | MT_SNIFF_MDY)) == order;
}

/* Detects the order of day and month in dates. If a column's dates fit both orders, it gets the
 * order of the other columns. If that is not known, either, the column is text. */
static void find_order (Typing *t)
{
   MtSniffed *out = t->out;
   bool dmy = false, mdy = false;
   const unsigned both = MT_SNIFF_DMY | MT_SNIFF_MDY;
   for (size_t i = 0; i < out->column_count; i++) {
      dmy |= only_order (&t->seen[i], MT_SNIFF_DMY);
      mdy |= only_order (&t->seen[i], MT_SNIFF_MDY);
   }
   bool known = t->given->has_order || dmy || mdy;
   out->order = dmy && !mdy ? MT_ORDER_DMY : MT_ORDER_MDY;
   if (t->given->has_order)
      out->order = t->given->order;
   unsigned fits = out->order == MT_ORDER_DMY ? MT_SNIFF_DMY : MT_SNIFF_MDY;
   for (size_t i = 0; i < out->column_count; i++) {
      Seen *c = &t->seen[i];
      if (c->is_text || !(c->kinds & both) || (known && c->kinds & fits))
         continue;
      c->is_text = true;
      mt_sniff_doubt (t->a, out,
                      mt_printf (t->a,
                                 "Column \"%s\" is text, because its dates can be read in two "
                                 "ways: datestyle => 'dmy' or 'mdy' says which.",
                                 out->columns[i].name));
   }
}

/* Returns whether all values of a column can be converted to `type`, a type of times. */
static bool times_parse (const Typing *t, size_t column, MtType type)
{
   MtTextStyle style = {.order = t->out->order};
   MtArena *a = mt_arena_new ("sniff", t->a);
   MtVal v;
   bool ok = true;
   for (size_t i = t->first; ok && i < t->rows->count; i++) {
      MtStr text = cell_at (t->rows, i, column)->text;
      ok = null_of (t->given, text) >= 0 || mt_value_parse (a, type, text, &style, &v, NULL);
      mt_arena_reset (a);
   }
   mt_arena_free (a);
   return ok;
}

static const MtSniffType *given_type (const MtSniffGiven *g, const char *name)
{
   for (size_t i = 0; i < g->type_count; i++)
      if (mt_ieq (g->types[i].name, name))
         return &g->types[i];
   return NULL;
}

static void give_types (Typing *t)
{
   for (size_t i = 0; i < t->out->column_count; i++) {
      MtSniffColumn *c = &t->out->columns[i];
      const MtSniffType *given = given_type (t->given, c->name);
      c->given = given || t->given->all_text;
      c->type = given ? given->type : mt_type (type_of (&t->seen[i]));
      if (!given && t->given->all_text)
         c->type = mt_type (MT_T_TEXT);
      if (!c->given && t->seen[i].kinds & MT_SNIFF_TIMES && c->type.id != MT_T_TEXT &&
          !times_parse (t, i, c->type))
         c->type = mt_type (MT_T_TEXT);
   }
}

/* ---- numeric times ---- */

/* Returns the unit (how many are a second) for which all numbers of a column are plausible times
 * since 1970. 0: there is none. */
static int64_t unit_of (const Seen *c)
{
   if (c->is_text || !c->values || !(c->kinds & (MT_SNIFF_INT | MT_SNIFF_FLOAT)))
      return 0;
   return mt_epoch_guess (c->low, c->high);
}

/* Returns whether the numbers of column i are times. They are if the column's name says so, or if
 * no other column has times (has_time is false) and the numbers grow from record to record. */
static bool is_epoch (const Typing *t, size_t i, bool has_time)
{
   const MtSniffColumn *c = &t->out->columns[i];
   const Seen *s = &t->seen[i];
   if (c->given)
      return mt_type_is_datetime (c->type.id);
   if (mt_sniff_names_time (c->name))
      return true;
   bool grows = s->rises >= 2 && s->falls * 20 <= s->rises;
   return !has_time && grows && !mt_sniff_names_id (c->name) && (s->kinds & MT_SNIFF_INT);
}

static void find_epochs (Typing *t)
{
   MtSniffed *out = t->out;
   bool has_time = false;
   out->epoch = t->given->epoch;
   for (size_t i = 0; i < out->column_count; i++)
      has_time |= mt_type_is_datetime (out->columns[i].type.id) && !unit_of (&t->seen[i]);
   for (size_t i = 0; i < out->column_count; i++) {
      MtSniffColumn *c = &out->columns[i];
      int64_t unit = unit_of (&t->seen[i]);
      if (!unit || !is_epoch (t, i, has_time))
         continue;
      if (out->epoch && out->epoch != unit) {
         mt_sniff_doubt (t->a, out,
                         mt_printf (t->a,
                                    "Column \"%s\" stays a number, because another column has "
                                    "times in another unit.",
                                    c->name));
         continue;
      }
      out->epoch = unit;
      has_time = true;
      if (!c->given)
         c->type = mt_type (MT_T_TIMESTAMPTZ);
   }
}

/* ---- texts of NULL ---- */

static void given_nulls (Typing *t)
{
   t->out->nulls = MT_NEW_N (t->a, const char *, t->given->null_count);
   for (size_t i = 0; i < t->given->null_count; i++)
      t->out->nulls[t->out->null_count++] = t->given->nulls[i];
}

/* Sets out->nulls, the texts that mean NULL: the empty text, and the texts of `spellings` that
 * occur in columns that are not text. */
static void find_nulls (Typing *t)
{
   MtSniffed *out = t->out;
   uint32_t used = 1, sure = ((uint32_t) 1 << SURE) - 1;
   for (size_t i = 0; i < out->column_count; i++)
      used |= out->columns[i].type.id == MT_T_TEXT ? 0 : t->seen[i].spelled;
   if (t->given->null_count)
      given_nulls (t);
   else {
      out->nulls = MT_NEW_N (t->a, const char *, SPELLINGS);
      for (int i = 0; i < SPELLINGS; i++)
         if (used >> i & 1)
            out->nulls[out->null_count++] = spellings[i];
   }
   for (size_t i = 0; i < out->column_count; i++) {
      MtSniffColumn *c = &out->columns[i];
      bool text = c->type.id == MT_T_TEXT;
      c->not_null = !t->seen[i].nulls && t->seen[i].values;
      c->force_null = !text && t->seen[i].quoted_nulls;
      c->force_not_null = text && !t->given->null_count && t->seen[i].spelled & used & ~sure;
      if (c->force_not_null)
         mt_sniff_doubt (t->a, out,
                         mt_printf (t->a,
                                    "Column \"%s\" has texts such as NA as values: nullstr => "
                                    "ARRAY['', 'NA'] makes them NULL.",
                                    c->name));
   }
}

/* ---- the entry point ---- */

static void keep_titles (MtArena *a, const MtSniffRows *rows, MtSniffed *out)
{
   const char **titles = MT_NEW_N (a, const char *, rows->width);
   for (size_t i = 0; i < rows->width; i++)
      titles[i] = mt_strndup (a, rows->cells[i].text.p, rows->cells[i].text.n);
   out->titles = titles;
}

static void see_all (Typing *t)
{
   for (size_t i = 0; i < t->rows->width; i++)
      see_column (t, i, &t->seen[i]);
}

/* Returns the decimal separator of the file: a comma if some columns have numbers with commas, and
 * none has numbers with points. Columns with the other separator become text. */
static char find_decimal (const Typing *t)
{
   bool comma = false, point = false;
   for (size_t i = 0; i < t->rows->width; i++) {
      const Seen *c = &t->seen[i];
      bool fraction = !c->is_text && !(c->kinds & MT_SNIFF_INT);
      comma |= fraction && c->kinds & MT_SNIFF_COMMA;
      point |= fraction && c->kinds & (MT_SNIFF_FLOAT | MT_SNIFF_NUMERIC);
   }
   char decimal = comma && !point ? ',' : '.';
   if (t->given->decimal)
      decimal = t->given->decimal;
   unsigned wrong = decimal == ',' ? MT_SNIFF_FLOAT | MT_SNIFF_NUMERIC : MT_SNIFF_COMMA;
   for (size_t i = 0; i < t->rows->width; i++) {
      Seen *c = &t->seen[i];
      c->is_text |= c->kinds & wrong && !(c->kinds & MT_SNIFF_INT);
   }
   return decimal;
}

void mt_sniff_types (MtArena *a, const MtSniffGiven *given, const MtSniffRows *rows, MtSniffed *out)
{
   Typing t = {.a = a,
               .given = given,
               .rows = rows,
               .out = out,
               .seen = MT_NEW_N (a, Seen, rows->width),
               .first = rows->count > 1, /* a single record is data, unless it consists of names */
               .decimal = out->delimiter == ',' && !given->decimal ? '.' : given->decimal};
   see_all (&t);
   out->header = has_header (&t);
   if (t.first != out->header) {
      t.first = out->header;
      see_all (&t);
   }
   out->decimal = find_decimal (&t);
   mt_sniff_names (a, given, out->header ? rows->cells : NULL, rows->width, out);
   if (out->header)
      keep_titles (a, rows, out);
   find_order (&t);
   give_types (&t);
   find_epochs (&t);
   find_nulls (&t);
   out->records = rows->count - t.first;
   mt_sniff_roles (a, given, rows, t.first, out);
}
