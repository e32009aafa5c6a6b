/* \advise: ADVISE for a query, or for the queries of a file. */
#include "shell/core/run.h"
#include "shell/commands/command_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BYTES = 64 << 20, CHUNK = 65536 };

/* Returns whether the argument of \advise is a file name, not a query: it is one word, or names an
 * existing file. A restricted session does not search for files. */
static bool is_file (const MtShell *sh, const char *text)
{
   struct stat st;
   return !strpbrk (text, " \t") ||
          (!sh->open.restricted && stat (text, &st) == 0 && S_ISREG (st.st_mode));
}

/* Reads a file into `out`. Returns false after an error, which is reported. */
static bool read_file (MtShell *sh, const char *name, MtBuf *out)
{
   FILE *f = sh->open.restricted ? NULL : fopen (name, "re");
   char chunk[CHUNK];
   size_t n;
   if (sh->open.restricted) {
      mt_complain (sh, "\\advise is not allowed in a restricted session, except for a query");
      return false;
   }
   if (!f) {
      mt_complain (sh, "%s: %s", name, strerror (errno));
      return false;
   }
   while (out->n <= MOST_BYTES && (n = fread (chunk, 1, sizeof chunk, f)) > 0)
      mt_buf_add (out, chunk, n);
   bool ok = !ferror (f) && out->n <= MOST_BYTES;
   if (ferror (f))
      mt_complain (sh, "%s: %s", name, strerror (errno));
   else if (!ok)
      mt_complain (sh, "%s: a workload has at most 64 MB", name);
   fclose (f);
   return ok;
}

/* Appends a text in dollar quotes, with a tag that does not occur in the text. */
static void add_quoted (MtBuf *out, MtBuf *text)
{
   char tag[32] = "$advise$";
   mt_buf_addc (text, '\0');
   for (int i = 2; strstr (text->p, tag); i++)
      snprintf (tag, sizeof tag, "$advise%d$", i);
   mt_buf_adds (out, tag);
   mt_buf_adds (out, text->p);
   mt_buf_adds (out, tag);
}

bool mt_cmd_advise (MtCall *c)
{
   MtShell *sh = c->sh;
   MtBuf text = {0}, sql = {0};
   if (c->argc && is_file (sh, c->argv[0])) {
      if (!read_file (sh, c->argv[0], &text)) {
         mt_buf_free (&text);
         return false;
      }
   } else {
      char *query = mt_call_query (c);
      if (!query)
         return false;
      mt_buf_adds (&text, query);
      free (query);
   }
   mt_buf_adds (&sql, "ADVISE ");
   add_quoted (&sql, &text);
   bool ok = mt_run_statement (sh, sql.p, sql.n);
   mt_buf_free (&text);
   mt_buf_free (&sql);
   return ok;
}
