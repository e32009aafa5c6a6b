/* Shows a progress line on the terminal while a statement runs. It is removed before other
 * output. */
#include "shell/core/output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_AFTER_MS = 300, REDRAW_MS = 100, BAR = 20 };

double mt_shell_now_ms (void)
{
   struct timespec t;
   clock_gettime (CLOCK_MONOTONIC, &t);
   return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

void mt_progress_begin (MtShell *sh)
{
   sh->started_ms = mt_shell_now_ms ();
   sh->drawn_ms = 0;
}

void mt_progress_clear (MtShell *sh)
{
   if (!sh->progress_shown)
      return;
   fputs ("\r\033[K", stderr);
   fflush (stderr);
   sh->progress_shown = false;
}

static void grouped (MtBuf *b, uint64_t n)
{
   char digits[24];
   int len = snprintf (digits, sizeof digits, "%llu", (unsigned long long) n);
   for (int i = 0; i < len; i++) {
      if (i && (len - i) % 3 == 0)
         mt_buf_addc (b, ',');
      mt_buf_addc (b, digits[i]);
   }
}

static void duration (MtBuf *b, double seconds)
{
   unsigned long s = seconds < 0 ? 0 : (unsigned long) (seconds + 0.5);
   if (s >= 3600)
      mt_buf_printf (b, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
   else
      mt_buf_printf (b, "%lu:%02lu", s / 60, s % 60);
}

static void bar (MtBuf *b, double share)
{
   mt_buf_adds (b, " [");
   for (int i = 0; i < BAR; i++)
      mt_buf_addc (b, i < (int) (share * BAR) ? '#' : '.');
   mt_buf_printf (b, "] %3d%%", (int) (share * 100));
}

static void compose (MtBuf *b, const char *what, uint64_t done, uint64_t total, uint64_t rows,
                     double ms)
{
   mt_buf_adds (b, what ? what : "running");
   double share = total ? (double) done / (double) total : 0;
   share = share > 1 ? 1 : share;
   if (total)
      bar (b, share);
   if (rows) {
      mt_buf_adds (b, "  ");
      grouped (b, rows);
      mt_buf_adds (b, rows == 1 ? " row  " : " rows  ");
      grouped (b, (uint64_t) ((double) rows * 1000 / ms));
      mt_buf_adds (b, "/s");
   }
   mt_buf_adds (b, "  ");
   duration (b, ms / 1000);
   if (share > 0.01) {
      mt_buf_adds (b, ", ");
      duration (b, ms / 1000 * (1 - share) / share);
      mt_buf_adds (b, " left");
   }
}

void mt_progress_report (void *ctx, const char *what, uint64_t done, uint64_t total, uint64_t rows)
{
   MtShell *sh = ctx;
   const char *term = getenv ("TERM");
   if (!sh->terminal_err || !term || strcmp (term, "dumb") == 0)
      return;
   double now = mt_shell_now_ms (), ms = now - sh->started_ms;
   if (ms < FIRST_AFTER_MS || now - sh->drawn_ms < REDRAW_MS)
      return;
   struct winsize w;
   size_t room = ioctl (STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 1 ? w.ws_col - 1u : 79;
   MtBuf b = {0};
   compose (&b, what, done, total, rows, ms);
   fprintf (stderr, "\r%.*s\033[K", (int) (b.n < room ? b.n : room), b.p);
   fflush (stderr);
   mt_buf_free (&b);
   sh->drawn_ms = now;
   sh->progress_shown = true;
}
