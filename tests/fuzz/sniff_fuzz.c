/* libFuzzer: any bytes are recognised as a CSV file or refused. The options that are found are
 * SQL's, and COPY reads the file with them or refuses it with a line. The first byte says into how
 * many pieces the file is cut, and what is known of it. */
#include "tests/fuzz/fuzz.h"
#include "copy/sniff.h"
#include "parser/parser.h"

enum { MOST_PIECES = 4 };

/* Cuts the bytes into pieces. */
static size_t cut (const uint8_t *data, size_t size, size_t count, MtSniffPiece *pieces)
{
   for (size_t i = 0; i < count; i++) {
      size_t from = size * i / count, to = size * (i + 1) / count;
      pieces[i] = (MtSniffPiece) {
         {(const char *) data + from, to - from}, from, .last = i == count - 1};
   }
   return count;
}

/* The options must be read as they were written, whatever the file holds. */
static void check_options (MtArena *a, const MtSniffed *found)
{
   const char *sql = mt_printf (a, "COPY t FROM 'x' WITH (%s)", mt_sniff_options (a, found));
   MtStmt *statement;
   MtError err;
   mt_error_clear (&err);
   if (!mt_parse (a, sql, strlen (sql), &statement, &err))
      fuzz_fail ("the options can't be parsed: %s: %s", sql, err.message);
}

static void check_columns (const MtSniffed *found)
{
   if (!found->column_count)
      fuzz_fail ("a file without columns");
   for (size_t i = 0; i < found->column_count; i++) {
      const MtSniffColumn *c = &found->columns[i];
      if (!*c->name || !mt_utf8_valid (c->name, strlen (c->name)))
         fuzz_fail ("column %zu has no valid name", i);
      if (c->type.id == MT_T_UNKNOWN)
         fuzz_fail ("column \"%s\" has no type", c->name);
      for (size_t k = 0; k < i; k++)
         if (strcmp (found->columns[k].name, c->name) == 0)
            fuzz_fail ("two columns have the name \"%s\"", c->name);
   }
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
   MtSniffPiece pieces[MOST_PIECES];
   MtSniffed found;
   MtError err;
   mt_error_clear (&err);
   if (!size)
      return 0;
   MtArena *a = mt_arena_new ("fuzz", NULL);
   MtSniffGiven given = {.all_text = data[0] & 4,
                         .header = data[0] & 8 ? MT_KNOWN_YES : MT_KNOWN_NOT,
                         .no_quote = (data[0] & 0x30) == 0x30,
                         .delimiter = (data[0] & 0xC0) == 0xC0 ? ';' : 0};
   size_t count = cut (data + 1, size - 1, 1 + data[0] % MOST_PIECES, pieces);
   if (mt_sniff (a, &given, pieces, count, &found, &err)) {
      check_options (a, &found);
      check_columns (&found);
      if (!mt_sniff_summary (a, &found))
         fuzz_fail ("no summary");
   } else if (!mt_error_is_set (&err)) {
      fuzz_fail ("refused without an error");
   }
   mt_arena_free (a);
   return 0;
}
