/* Where rows are written: to standard output, the pager, or the files and commands of \o and \g. */
#include "shell/core/output.h"
#include "shell/core/report.h"
#include "shell/format/width.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

void mt_window_size (int *columns, int *lines)
{
   struct winsize w;
   *columns = *lines = 0;
   if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &w) == 0) {
      *columns = w.ws_col;
      *lines = w.ws_row;
   }
}

FILE *mt_output (MtShell *sh) { return sh->out ? sh->out : stdout; }

void mt_output_failed (MtShell *sh, FILE *f)
{
   int error = errno;
   if (error == EINTR) { /* Ctrl-C: the rest of the output is not wanted */
      if (f) {
         __fpurge (f);
         clearerr (f);
      }
      return;
   }
   if (f == stdout)
      sh->reader_gone = true;
   if (error == EPIPE || sh->disk_full)
      return;
   sh->disk_full = sh->failed = true;
   mt_complain (sh, "error: could not write the output: %s", strerror (error));
}

FILE *mt_open_pipe (const char *command)
{
   fflush (NULL);
   return popen (command, "w");
}

int mt_close_pipe (FILE *f)
{
   int status = pclose (f);
   if (status == -1)
      return -1;
   return WIFEXITED (status) ? WEXITSTATUS (status) : 128;
}

bool mt_out_redirect (MtShell *sh, const char *target)
{
   FILE *f = NULL;
   if (target && *target == '|' && sh->open.restricted) {
      mt_complain (sh, "\\o: commands are not allowed in a restricted session");
      return false;
   }
   if (target && *target) {
      f = *target == '|' ? mt_open_pipe (target + 1) : fopen (target, "w");
      if (!f) {
         mt_complain (sh, "%s: %s", target, strerror (errno));
         return false;
      }
   }
   if (sh->out && sh->out_is_pipe)
      mt_close_pipe (sh->out);
   else if (sh->out)
      fclose (sh->out);
   sh->out = f;
   sh->out_is_pipe = f && *target == '|';
   return true;
}

static bool open_g (MtShell *sh, MtOut *o)
{
   const char *t = sh->go.target;
   if (*t == '|')
      o->f = o->pipe = mt_open_pipe (t + 1);
   else
      o->f = mt_draft_open (&o->draft, t, 0) ? mt_draft_stream (&o->draft) : NULL;
   if (o->f)
      return true;
   mt_complain (sh, "%s: %s", t, strerror (errno));
   mt_draft_drop (&o->draft);
   return false;
}

bool mt_out_begin (MtShell *sh, MtOut *o)
{
   *o = (MtOut) {.sh = sh, .f = mt_output (sh), .draft = {.fd = -1}};
   if (sh->go.target && !open_g (sh, o))
      return false;
   if (o->f == stdout && sh->terminal_out && sh->terminal_in && sh->display.pager) {
      mt_window_size (&o->width, &o->height);
      o->may_page = o->height > 0 && o->width > 0;
   }
   return true;
}

static const char *pager (void)
{
   static const char *const names[] = {"MTSQL_PAGER", "PSQL_PAGER", "PAGER"};
   for (size_t i = 0; i < 3; i++) {
      const char *s = getenv (names[i]);
      if (s)
         return s[strspn (s, " \t")] ? s : NULL;
   }
   return "less";
}

static bool put (MtOut *o, const char *p, size_t n)
{
   if (o->gone)
      return false;
   mt_progress_clear (o->sh);
   double start = o->pipe ? mt_shell_now_ms () : 0;
   bool written = !mt_interrupted && fwrite (p, 1, n, o->f) == n;
   o->sh->pager_ms += o->pipe ? mt_shell_now_ms () - start : 0;
   if (written)
      return true;
   o->gone = true;
   errno = mt_interrupted ? EINTR : errno;
   mt_output_failed (o->sh, o->f);
   return false;
}

/* Adds the number of screen lines that n bytes of output fill to o->lines, up to the screen's
 * height. Output that fits on the screen is not sent to a pager. */
static void count (MtOut *o, const char *p, size_t n)
{
   int w;
   for (size_t i = 0; i < n && o->lines < o->height;) {
      size_t skipped = mt_text_color (p + i, n - i);
      if (skipped) {
         i += skipped;
         continue;
      }
      if (p[i] == '\n') {
         o->lines++;
         o->column = 0;
         i++;
         continue;
      }
      i += mt_text_step (p + i, n - i, NULL, &w);
      o->column += w > 0 ? w : 0;
      if (o->column > o->width) {
         o->lines++;
         o->column = w;
      }
   }
}

static bool start_pager (MtOut *o)
{
   const char *command = o->sh->open.restricted ? NULL : pager ();
   setenv ("LESS", "R", 0); /* less shows colours; Git sets this option, too */
   FILE *f = command ? mt_open_pipe (command) : NULL;
   o->may_page = false;
   if (f)
      o->f = o->pipe = f;
   bool ok = put (o, o->held.p ? o->held.p : "", o->held.n);
   mt_buf_free (&o->held);
   return ok;
}

bool mt_out_write (void *ctx, const char *p, size_t n)
{
   MtOut *o = ctx;
   if (!o->may_page)
      return put (o, p, n);
   mt_buf_add (&o->held, p, n);
   count (o, p, n);
   if (o->lines >= o->height || o->sh->display.pager == 2)
      return start_pager (o);
   return true;
}

void mt_out_printf (MtOut *o, const char *fmt, ...)
{
   MtBuf b = {0};
   va_list ap;
   va_start (ap, fmt);
   mt_buf_vprintf (&b, fmt, ap);
   va_end (ap);
   if (b.n)
      mt_out_write (o, b.p, b.n);
   mt_buf_free (&b);
}

/* Closes the temporary file of \g, which is renamed to the real name if the output is complete. */
static void close_draft (MtOut *o)
{
   bool ok = fclose (o->f) == 0;
   if (!o->incomplete && !o->gone && !(ok && mt_draft_finish (&o->draft))) {
      o->gone = true;
      mt_output_failed (o->sh, NULL);
   }
   mt_draft_drop (&o->draft);
}

bool mt_out_end (MtOut *o)
{
   if (o->held.n)
      put (o, o->held.p, o->held.n);
   mt_buf_free (&o->held);
   if (o->pipe) {
      double start = mt_shell_now_ms ();
      mt_close_pipe (o->pipe);
      o->sh->pager_ms += mt_shell_now_ms () - start;
   } else if (o->draft.fd >= 0) {
      close_draft (o);
   } else if (fflush (o->f) != 0 && !o->gone) {
      o->gone = true;
      mt_output_failed (o->sh, o->f);
   }
   return !o->gone;
}

bool mt_speaks_utf8 (void)
{
   static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
   const char *value = NULL;
   for (size_t i = 0; i < 3 && !(value && *value); i++)
      value = getenv (names[i]);
   return value && (strcasestr (value, "UTF-8") || strcasestr (value, "UTF8"));
}
