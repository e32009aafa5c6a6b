/* COPY … FROM STDIN and TO STDOUT: data between the session and the input or output at hand. */
#include "shell/commands/command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Fills sh->copy with the next line of data; false at the end of the data. */
static bool next_line (MtShell *sh)
{
   MtBuf line = {0};
   mt_buf_clear (&sh->copy);
   sh->copy_pos = 0;
   if (sh->copy_ended)
      return false;
   bool more = mt_source_data_line (sh, &line);
   if (more && (line.n == 2 || (line.n == 3 && line.p[2] == '\n')) &&
       memcmp (line.p, "\\.", 2) == 0)
      more = false;
   if (more)
      mt_buf_add (&sh->copy, line.p, line.n);
   else
      sh->copy_ended = true;
   mt_buf_free (&line);
   return more;
}

long mt_copy_read (void *ctx, char *buf, size_t n)
{
   MtShell *sh = ctx;
   size_t done = 0;
   if (!sh->copy_active) {
      sh->copy_active = true;
      sh->copy_ended = false;
      mt_buf_clear (&sh->copy);
      sh->copy_pos = 0;
      if (sh->source && sh->source->terminal && !mt_var_bool (&sh->vars, "QUIET", false))
         puts (
            "Enter data to be copied followed by a newline.\nEnd with a backslash and a period on a line by itself, or an EOF signal.");
   }
   while (done < n && !mt_interrupted) {
      if (sh->copy_pos == sh->copy.n && !next_line (sh))
         break;
      size_t left = sh->copy.n - sh->copy_pos, take = left < n - done ? left : n - done;
      memcpy (buf + done, sh->copy.p + sh->copy_pos, take);
      sh->copy_pos += take;
      done += take;
   }
   return mt_interrupted ? -1 : (long) done;
}

void mt_copy_end (MtShell *sh)
{
   if (!sh->copy_active)
      return;
   while (!sh->copy_ended && !(sh->source && sh->source->terminal) && next_line (sh))
      ;
   mt_buf_free (&sh->copy);
   sh->copy_pos = 0;
   sh->copy_active = false;
}

/* Where the spaces and comments at i end. */
static size_t behind_spaces (const char *sql, size_t n, size_t i)
{
   for (;;) {
      const char *end;
      if (i < n && isspace ((unsigned char) sql[i])) {
         i++;
      } else if (i + 1 < n && memcmp (sql + i, "--", 2) == 0) {
         end = memchr (sql + i, '\n', n - i);
         i = end ? (size_t) (end - sql) : n;
      } else if (i + 1 < n && memcmp (sql + i, "/*", 2) == 0) {
         end = memmem (sql + i + 2, n - i - 2, "*/", 2);
         i = end ? (size_t) (end - sql) + 2 : n;
      } else {
         return i;
      }
   }
}

/* The next word or quoted piece of a statement, behind spaces and comments; false: there is
 * none. */
static bool next_piece (const char *sql, size_t n, size_t *at, MtStr *out)
{
   size_t i = behind_spaces (sql, n, *at);
   size_t start = i;
   if (i < n && (sql[i] == '\'' || sql[i] == '"')) {
      const char *end = memchr (sql + i + 1, sql[i], n - i - 1);
      i = end ? (size_t) (end - sql) + 1 : n;
   } else if (i < n && (isalnum ((unsigned char) sql[i]) || sql[i] == '_')) {
      while (i < n && (isalnum ((unsigned char) sql[i]) || sql[i] == '_'))
         i++;
   } else if (i < n)
      i++;
   *at = i;
   *out = (MtStr) {sql + start, i - start};
   return i > start;
}

bool mt_copy_has_data (const char *sql, size_t n)
{
   size_t at = 0;
   int depth = 0; /* of parentheses: a query's FROM is not that of COPY */
   MtStr piece, before = {NULL, 0};
   if (!next_piece (sql, n, &at, &piece) || !mt_str_ieq (piece, MT_STR ("copy")))
      return false;
   for (; next_piece (sql, n, &at, &piece); before = piece) {
      depth += *piece.p == '(' ? 1 : *piece.p == ')' ? -1 : 0;
      if (!depth && mt_str_ieq (before, MT_STR ("from")) &&
          (mt_str_ieq (piece, MT_STR ("stdin")) || mt_str_ieq (piece, MT_STR ("pstdin"))))
         return true;
   }
   return false;
}

void mt_copy_discard (MtShell *sh)
{
   sh->copy_active = true;
   sh->copy_ended = false;
   mt_copy_end (sh);
}

/* Behind FROM or TO, outside of brackets; false: there is neither. */
static bool find_file (const char *s, size_t n, size_t *at)
{
   MtStr piece;
   int depth = 0;
   while (next_piece (s, n, at, &piece)) {
      depth += *piece.p == '(' ? 1 : *piece.p == ')' ? -1 : 0;
      if (depth == 0 && (mt_str_ieq (piece, MT_STR ("from")) || mt_str_ieq (piece, MT_STR ("to"))))
         return true;
   }
   return false;
}

/* What COPY takes for it: a name as a string, a stream by its keyword. */
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
   mt_buf_addc (sql, '\'');
   if (home && name.n > 1 && name.p[0] == '~' && name.p[1] == '/') {
      mt_buf_adds (sql, home);
      name = (MtStr) {name.p + 1, name.n - 1};
   }
   for (size_t i = 0; i < name.n; i++) {
      if (name.p[i] == '\'')
         mt_buf_addc (sql, '\'');
      mt_buf_addc (sql, name.p[i]);
   }
   mt_buf_addc (sql, '\'');
}

bool mt_cmd_copy (MtCall *c)
{
   const char *line = c->argc ? c->argv[0] : "";
   size_t n = strlen (line), at = 0;
   MtBuf sql = {0};
   while (n > 0 && (isspace ((unsigned char) line[n - 1]) || line[n - 1] == ';'))
      n--;
   if (!find_file (line, n, &at)) {
      mt_complain (c->sh,
                   n ? "\\copy: parse error: neither FROM nor TO" : "\\copy: arguments required");
      return false;
   }
   mt_buf_adds (&sql, "COPY ");
   mt_buf_add (&sql, line, at);
   while (at < n && isspace ((unsigned char) line[at]))
      at++;
   size_t start = at;
   if (at < n && line[at] == '\'') {
      MtStr quoted;
      next_piece (line, n, &at, &quoted);
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
         name.n
            ? "\\copy: PROGRAM is not supported; a pipe to this program's input, or \\g |COMMAND, does it"
            : "\\copy: a file's name is missing");
   mt_buf_free (&sql);
   return ok;
}

bool mt_copy_write (void *ctx, const char *buf, size_t n)
{
   MtShell *sh = ctx;
   FILE *f = mt_output (sh);
   sh->copied_out = true;
   mt_progress_clear (sh);
   if (fwrite (buf, 1, n, f) == n)
      return true;
   mt_output_failed (sh, f);
   return false;
}
