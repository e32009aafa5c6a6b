/* libFuzzer: any bytes parse or are refused. A query that parses prints, and the print parses to
 * the same print. */
#include "parser/parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void fail (const MtBuf *once, const char *why)
{
   fprintf (stderr, "%s: %s\n", why, once->p);
   abort ();
}

static void check_print (MtArena *a, MtStmt *s)
{
   MtBuf once = {0}, twice = {0};
   MtError err;
   mt_print_select (s->select, &once);
   if (!mt_parse (a, once.p, once.n, &s, &err) || !s || s->kind != MT_STMT_SELECT) {
      /* what is printed can be longer and deeper by a few parentheses than what was read */
      if (strncmp (err.sqlstate, "54", 2) != 0)
         fail (&once, err.message);
   } else {
      mt_print_select (s->select, &twice);
      if (strcmp (once.p, twice.p) != 0)
         fail (&once, twice.p);
   }
   mt_buf_free (&once);
   mt_buf_free (&twice);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
   MtArena *a = mt_arena_new ("fuzz", NULL);
   MtStmt *s = NULL;
   MtError err;
   size_t end;
   MtScanState state;
   mt_scan_statement ((const char *) data, size, &end, &state);
   if (mt_parse (a, (const char *) data, size, &s, &err) && s && s->kind == MT_STMT_SELECT)
      check_print (a, s);
   mt_arena_free (a);
   return 0;
}
