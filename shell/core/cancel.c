/* Handles signals. SIGINT cancels the running statement, discards the line being typed, or ends a
 * batch that waits for input. */
#include "shell/core/shell.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

volatile sig_atomic_t mt_interrupted;
static volatile sig_atomic_t resized, running, stays;
static bool hears_resize;
static _Atomic (MtSession *) session;

static void say (const char *s)
{
   ssize_t written = write (STDERR_FILENO, s, strlen (s));
   (void) written;
}

static void on_interrupt (int sig)
{
   MtSession *s = atomic_load (&session);
   mt_interrupted = 1;
   if (running) {
      if (s)
         mt_cancel (s);
      say ("Cancel request sent\n");
   } else if (!stays) {
      signal (sig, SIG_DFL);
      raise (sig);
   }
}

static void on_resize (int sig)
{
   (void) sig;
   resized = 1;
}

/* A write to a closed pager fails with EPIPE, and a write beyond the file size limit with EFBIG,
 * instead of ending the process. A handler is used, because started programs would inherit SIG_IGN,
 * but not a handler. */
static void on_failing_write (int sig) { (void) sig; }

static void handle (int sig, void (*f) (int), int flags)
{
   struct sigaction a = {.sa_handler = f, .sa_flags = flags};
   sigemptyset (&a.sa_mask);
   sigaction (sig, &a, NULL);
}

void mt_signals_init (MtShell *sh)
{
   stays = sh->interactive;
   handle (SIGINT, on_interrupt, 0);
   handle (SIGPIPE, on_failing_write, 0);
   handle (SIGXFSZ, on_failing_write, 0);
   hears_resize = sh->terminal_in;
   mt_signals_running (false);
}

void mt_signals_running (bool is_running)
{
   if (is_running)
      mt_interrupted = 0;
   running = is_running;
   if (hears_resize) /* a resize interrupts the wait for a key, but not a write */
      handle (SIGWINCH, on_resize, is_running ? SA_RESTART : 0);
}

void mt_signals_session (MtSession *s) { atomic_store (&session, s); }

bool mt_signals_take_interrupt (void)
{
   bool was = mt_interrupted;
   mt_interrupted = 0;
   return was;
}

bool mt_signals_was_resized (void) { return resized; }

bool mt_signals_take_resize (void)
{
   bool was = resized;
   resized = 0;
   return was;
}
