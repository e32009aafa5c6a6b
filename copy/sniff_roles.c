/* Determines the names of a CSV file's columns, and their roles in a table. */
#include "copy/sniff_int.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Makes a column name from the header's text: without leading and trailing blanks. Dots become "_",
 * because a dot in a name would be a path into a document. */
static char *column_name (MtArena *a, MtStr s)
{
   s = mt_str_trim (s, " \t\n\r\v\f");
   while (s.n > MT_MAX_IDENTIFIER_BYTES || (s.n && !mt_utf8_valid (s.p, s.n)))
      s.n--;
   char *name = mt_strndup (a, s.p, s.n);
   for (char *p = name; *p; p++)
      if (*p == '.' || (unsigned char) *p < ' ' || (p == name && *p == '$'))
         *p = '_';
   return name;
}

typedef struct NameAt {
   const char *name;
   size_t at;
} NameAt;

static int by_name (const void *x, const void *y)
{
   const NameAt *a = x, *b = y;
   int c = strcmp (a->name, b->name);
   return c ? c : (a->at > b->at) - (a->at < b->at);
}

/* Appends a number to each name that an earlier column has. Repeats this, since the new name may be
 * taken, too. */
static void number_names (MtArena *a, MtSniffed *out)
{
   size_t n = out->column_count;
   NameAt *sorted = MT_NEW_N (a, NameAt, n + 1);
   for (bool again = true; again;) {
      again = false;
      for (size_t i = 0; i < n; i++)
         sorted[i] = (NameAt) {out->columns[i].name, i};
      qsort (sorted, n, sizeof *sorted, by_name);
      for (size_t i = 1, k = 0; i < n; i++) {
         k = strcmp (sorted[i].name, sorted[i - 1].name) ? 0 : k + 1;
         if (k) {
            out->columns[sorted[i].at].name = mt_printf (a, "%s_%zu", sorted[i].name, k);
            again = true;
         }
      }
   }
}

void mt_sniff_names (MtArena *a, const MtSniffGiven *given, const MtSniffCell *header, size_t width,
                     MtSniffed *out)
{
   out->column_count = width;
   out->columns = MT_NEW_N (a, MtSniffColumn, width);
   for (size_t i = 0; i < width; i++) {
      MtSniffColumn *c = &out->columns[i];
      c->name = header ? column_name (a, header[i].text) : "";
      if (i < given->name_count)
         c->name = given->names[i];
      if (!*c->name)
         c->name = mt_printf (a, "column%zu", i + 1);
   }
   number_names (a, out);
}

/* Returns whether the name contains one of `words`, a list with spaces before and after each word.
 * Words in a name are separated by characters other than letters, or begin with a capital
 * letter. */
static bool has_word (const char *name, const char *words)
{
   char part[32];
   for (const char *p = name; *p;) {
      size_t n = 0;
      while (*p && !isalpha ((unsigned char) *p))
         p++;
      part[n++] = ' ';
      for (bool lower = false; isalpha ((unsigned char) *p) && n < sizeof part - 2; p++) {
         if (lower && isupper ((unsigned char) *p))
            break;
         lower |= islower ((unsigned char) *p) != 0;
         part[n++] = (char) tolower ((unsigned char) *p);
      }
      while (n >= sizeof part - 2 && isalpha ((unsigned char) *p))
         p++;
      part[n++] = ' ';
      part[n] = 0;
      if (n > 2 && strstr (words, part))
         return true;
   }
   return false;
}

bool mt_sniff_names_time (const char *name)
{
   return has_word (name, " time times timestamp timestamps ts date datetime epoch when at created "
                          "updated modified since until zeit datum uhrzeit heure fecha ");
}

bool mt_sniff_names_id (const char *name)
{
   size_t n = strlen (name);
   return (n > 2 && mt_ieq (name + n - 2, "id")) ||
          has_word (name,
                    " id ids key no nr num number code pid uid gid port zip plz sensor device "
                    "station host line unit type kind class status level version year ");
}

static bool names_counter (const char *name)
{
   return has_word (name, " total counter cumulative octets ");
}

/* ---- numbers of distinct values ---- */

enum { SLOTS = 1 << 15 };

static uint64_t hash (MtStr s)
{
   uint64_t h = UINT64_C (0xcbf29ce484222325);
   for (size_t i = 0; i < s.n; i++)
      h = (h ^ (unsigned char) s.p[i]) * UINT64_C (0x100000001b3);
   return h ^ h >> 29;
}

/* Returns the number of distinct texts in column i, from record `first` on. Texts with the same
 * hash count as one, so the number may be slightly too low. slots: a hash table. */
static uint64_t count_distinct (uint64_t *slots, const MtSniffRows *rows, size_t first, size_t i)
{
   uint64_t n = 0;
   memset (slots, 0, SLOTS * sizeof *slots);
   for (size_t r = first; r < rows->count; r++) {
      uint64_t h = hash (rows->cells[r * rows->width + i].text) | 1;
      size_t at = h >> 8 & (SLOTS - 1);
      while (slots[at] && slots[at] != h)
         at = (at + 1) & (SLOTS - 1);
      n += !slots[at];
      slots[at] = h;
   }
   return n;
}

/* ---- roles ---- */

/* Returns whether a column has so few distinct values that it can be a dimension. records: the
 * number of records. */
static bool is_few (const MtSniffColumn *c, uint64_t records)
{
   return c->distinct <= 16 || c->distinct * 10 <= records;
}

static MtRole role_of (const MtSniffColumn *c, uint64_t records)
{
   bool few = is_few (c, records);
   if (mt_type_is_number (c->type.id))
      return mt_type_is_integer (c->type.id) && few && mt_sniff_names_id (c->name)
                ? MT_COL_DIMENSION
                : MT_COL_MEASURE;
   bool names = c->type.id == MT_T_TEXT || c->type.id == MT_T_BOOL || c->type.id == MT_T_UUID;
   return names && few ? MT_COL_DIMENSION : MT_COL_PLAIN;
}

/* Returns the index of the column that can be the TIME column. The number of columns: there is
 * none. */
static size_t time_column (const MtSniffed *s)
{
   size_t best = s->column_count;
   for (size_t i = 0; i < s->column_count; i++) {
      const MtSniffColumn *c = &s->columns[i];
      if (!mt_type_is_datetime (c->type.id) || !c->not_null)
         continue;
      if (c->type.id != MT_T_DATE)
         return i;
      best = best == s->column_count ? i : best;
   }
   return best;
}

/* Returns whether the integers of a column never decrease from one record to the next with the same
 * dimensions. Then the column may be a counter. */
static bool only_grows (const MtSniffRows *rows, size_t first, size_t column)
{
   uint64_t rises = 0;
   for (size_t r = first + 1; r < rows->near; r++) {
      MtStr x = rows->cells[(r - 1) * rows->width + column].text,
            y = rows->cells[r * rows->width + column].text;
      if (y.n < x.n || (y.n == x.n && memcmp (y.p, x.p, y.n) < 0))
         return false;
      if (mt_str_is (x, "0"))
         return false; /* in a COUNTER column 0 means that there is no sample */
      rises += y.n > x.n || memcmp (y.p, x.p, y.n) > 0;
   }
   return rises > 2;
}

void mt_sniff_roles (MtArena *a, const MtSniffGiven *given, const MtSniffRows *rows, size_t first,
                     MtSniffed *out)
{
   MtArena *scratch = mt_arena_new ("sniff roles", a);
   uint64_t *slots = MT_NEW_N (scratch, uint64_t, SLOTS);
   size_t time = time_column (out);
   for (size_t i = 0; i < out->column_count; i++) {
      MtSniffColumn *c = &out->columns[i];
      c->distinct = count_distinct (slots, rows, first, i);
      c->role = i == time ? MT_COL_TIME : role_of (c, out->records);
      c->counter = !given->no_counters && c->role == MT_COL_MEASURE && c->type.id == MT_T_INT8 &&
                   c->not_null && names_counter (c->name) && only_grows (rows, first, i);
   }
   mt_arena_free (scratch);
}
