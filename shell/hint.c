#include "shell/hint.h"
#include "base/memory.h"

#include "parser/expect.h"

#include <string.h>
#include <strings.h>

/* For a longer text no hints are shown. */
enum { MAX_BYTES = 1 << 16 };

/* The list of all functions, read once for each statement that is typed. */
static struct {
   MtArena *a;
   MtFunctionInfo *v;
   size_t n;
} cached;

static void read_functions (MtShell *sh)
{
   MtError err = {0};
   if (cached.a)
      return;
   cached.a = mt_arena_new ("signatures", NULL);
   if (!mt_functions (sh->session, cached.a, &cached.v, &cached.n, &err))
      cached.n = 0;
}

static void forget_functions (void)
{
   mt_arena_free (cached.a);
   cached.a = NULL;
}

/* Returns the index of the innermost bracket that is open after the n pieces (tokens); n: none is
 * open. *commas: how many commas follow it at the same level. */
static size_t open_bracket (const char *text, const MtSqlPiece *v, size_t n, size_t *commas)
{
   size_t depth = 0;
   *commas = 0;
   for (size_t i = n; i-- > 0;) {
      *commas += !depth && text[v[i].start] == ',';
      depth += v[i].kind == MT_SQL_CLOSE;
      if (v[i].kind == MT_SQL_OPEN && depth-- == 0)
         return i;
   }
   return n;
}

/* Returns the number of arguments in a signature, "start int4, stop int4 -> int4". */
static size_t arguments (const char *signature)
{
   const char *arrow = strstr (signature, "->");
   size_t n = arrow != signature;
   for (const char *p = signature; *p && p != arrow; p++)
      n += *p == ',';
   return n;
}

/* Appends the first signature of function `name` that has enough arguments, and how many other
 * signatures there are. */
static void add_signature (const char *name, size_t name_n, size_t commas, MtBuf *out)
{
   const MtFunctionInfo *shown = NULL;
   size_t others = 0;
   for (size_t i = 0; i < cached.n; i++) {
      const MtFunctionInfo *f = &cached.v[i];
      if (strlen (f->name) != name_n || strncasecmp (f->name, name, name_n) != 0)
         continue;
      bool better = !shown ||
                    (arguments (shown->signature) <= commas && arguments (f->signature) > commas);
      others += shown != NULL;
      shown = better ? f : shown;
   }
   if (!shown)
      return;
   const char *arrow = strstr (shown->signature, "->");
   int n = arrow ? (int) (arrow - shown->signature) : (int) strlen (shown->signature);
   while (n && shown->signature[n - 1] == ' ')
      n--;
   mt_buf_printf (out, "%s(%.*s) %s: %s", shown->name, n, shown->signature, arrow ? arrow : "",
                  shown->summary);
   if (others)
      mt_buf_printf (out, " (and %zu more)", others);
}

/* Returns whether token `at` of the text can be the name of a function. It can't where, for
 * example, only a table may be named. */
static bool is_call (MtArena *a, const char *text, const MtSqlPiece *v, size_t at)
{
   MtExpected e;
   size_t first = at;
   while (first && text[v[first - 1].start] != ';')
      first--;
   size_t start = v[first].start;
   return !mt_parse_expect (a, text + start, v[at].start - start, &e) ||
          e.names & MT_PLACE_FUNCTION;
}

void mt_hint (MtShell *sh, const char *text, size_t cursor, MtBuf *out)
{
   MtSqlPiece *v;
   size_t n, commas;
   if (!cursor || cursor > MAX_BYTES) {
      forget_functions ();
      return;
   }
   MtArena *a = mt_arena_new ("hint", NULL);
   mt_parse_pieces (a, text, cursor, &v, &n);
   size_t bracket = open_bracket (text, v, n, &commas);
   const MtSqlPiece *name = bracket < n && bracket ? &v[bracket - 1] : NULL;
   if (name && (name->kind == MT_SQL_NAME || name->kind == MT_SQL_KEYWORD) &&
       is_call (a, text, v, bracket - 1)) {
      read_functions (sh);
      add_signature (text + name->start, name->end - name->start, commas, out);
   }
   mt_arena_free (a);
}
