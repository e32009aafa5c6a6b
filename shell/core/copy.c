/* COPY … FROM STDIN and TO STDOUT: passes data between the session and the shell's input and
 * output. */
#include "shell/core/input.h"
#include "shell/core/output.h"
#include "shell/core/run.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Reads the next line of COPY's data into sh->copy. Returns false at the end of the data. */
static bool next_line (MtShell *sh)
{
   MtBuf line = {0};
   mt_buf_clear (&sh->copy);
   sh->copy_pos = 0;
   if (sh->copy_ended)
      return false;
   bool more = mt_input_data_line (sh, &line);
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
            "Enter data to be copied followed by a newline.\nEnd with a backslash and a period on "
            "a line by itself, or an EOF signal.");
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

bool mt_copy_has_data (const char *sql, size_t n)
{
   size_t at = 0;
   /* The word FROM in a query in parentheses is not the FROM of COPY. */
   int depth = 0;
   MtStr piece, before = {NULL, 0};
   if (!mt_scan_piece (sql, n, &at, &piece) || !mt_str_ieq (piece, MT_STR ("copy")))
      return false;
   for (; mt_scan_piece (sql, n, &at, &piece); before = piece) {
      depth += (*piece.p == '(') - (*piece.p == ')');
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
