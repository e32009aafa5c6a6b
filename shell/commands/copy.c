/* \copy: like COPY, but the file name is quoted as in other backslash commands. */
#include "shell/commands/command_int.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Finds the end of the word FROM or TO outside of parentheses, and sets *at to it. Returns false if
 * there is neither word. */
static bool find_file (const char *s, size_t n, size_t *at)
{
   MtStr piece;
   int depth = 0;
   while (mt_scan_piece (s, n, at, &piece)) {
      depth += (*piece.p == '(') - (*piece.p == ')');
      if (depth == 0 && (mt_str_ieq (piece, MT_STR ("from")) || mt_str_ieq (piece, MT_STR ("to"))))
         return true;
   }
   return false;
}

/* Appends what follows FROM or TO to the SQL: a file name as a string literal, or the keyword STDIN
 * or STDOUT. */
static void put_file (MtBuf *sql, MtStr name)
{
   static const char *const streams[][2] = {
      {"stdin", "STDIN"}, {"pstdin", "STDIN"}, {"stdout", "STDOUT"}, {"pstdout", "STDOUT"}};
   const char *home = getenv ("HOME");
   for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
      if (name.n == strlen (streams[i][0]) && strncasecmp (name.p, streams[i][0], name.n) == 0) {
         mt_buf_adds (sql, streams[i][1]);
         return;
      }
   MtBuf path = {0};
   if (home && name.n > 1 && name.p[0] == '~' && name.p[1] == '/') {
      mt_buf_adds (&path, home);
      name = (MtStr) {name.p + 1, name.n - 1};
   }
   mt_buf_add (&path, name.p, name.n);
   mt_buf_quoted (sql, '\'', (MtStr) {path.p, path.n});
   mt_buf_free (&path);
}

bool mt_cmd_copy (MtCall *c)
{
   const char *line = c->argc ? c->argv[0] : "";
   size_t n = strlen (line), at = 0;
   MtBuf sql = {0};
   while (n > 0 && (isspace ((unsigned char) line[n - 1]) || line[n - 1] == ';'))
      n--;
   if (!find_file (line, n, &at)) {
      mt_complain (c->sh, n ? "\\copy: FROM or TO is missing" : "\\copy: arguments required");
      return false;
   }
   mt_buf_adds (&sql, "COPY ");
   mt_buf_add (&sql, line, at);
   while (at < n && isspace ((unsigned char) line[at]))
      at++;
   size_t start = at;
   if (at < n && line[at] == '\'') {
      MtStr quoted;
      mt_scan_piece (line, n, &at, &quoted);
   } else
      while (at < n && !isspace ((unsigned char) line[at]))
         at++;
   MtStr name = {line + start, at - start};
   bool ok = name.n > 0 && !mt_str_ieq (name, MT_STR ("program"));
   mt_buf_addc (&sql, ' ');
   if (*name.p == '\'')
      mt_buf_add (&sql, name.p, name.n);
   else
      put_file (&sql, name);
   mt_buf_add (&sql, line + at, n - at);
   if (ok)
      ok = mt_run_statement (c->sh, sql.p, sql.n);
   else
      mt_complain (
         c->sh,
         name.n ? "\\copy: PROGRAM is not supported\nHINT:  Use a pipe to standard input, or \\g "
                  "|COMMAND."
                : "\\copy: the file name is missing");
   mt_buf_free (&sql);
   return ok;
}
