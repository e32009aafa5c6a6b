#include "shell/edit/terminal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* Signals that end the process; before that, the terminal's mode is restored. If the program has a
 * handler for one, the handler is kept. */
static const int fatal[] = {SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGFPE, SIGILL};
enum { FATALS = sizeof fatal / sizeof *fatal };

/* For each use of the terminal: the escape sequences at its begin and end, and the mode flags that
 * are switched off. */
static const struct Use {
   const char *enter, *leave;
   tcflag_t input, local;
} uses[] = {[MT_TERMINAL_EDITS] = {"\x1b[?2004h", "\x1b[?25h\x1b[?2004l",
                                   BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON,
                                   ECHO | ICANON | IEXTEN | ISIG},
            [MT_TERMINAL_DRAWS] = {"\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l", IXON,
                                   ECHO | ICANON}};

static const struct Use *use;
static struct termios cooked, raw;
static volatile sig_atomic_t is_raw, continued;
static struct sigaction fatal_before[FATALS], stop_before, continue_before;

static void send (const char *s)
{
   ssize_t written = write (STDOUT_FILENO, s, strlen (s));
   (void) written;
}

bool mt_terminal_moves (void)
{
   const char *term = getenv ("TERM");
   return term && *term && strcmp (term, "dumb") != 0 && isatty (STDOUT_FILENO);
}

bool mt_terminal_wants_colours (void)
{
   const char *no = getenv ("NO_COLOR");
   return !no || !*no;
}

/* Switches the terminal to the mode for editing. Returns false if that fails. Async-signal-safe. */
static bool set_raw (void)
{
   if (tcsetattr (STDIN_FILENO, TCSADRAIN, &raw) != 0)
      return false;
   is_raw = true;
   send (use->enter);
   return true;
}

/* Restores the terminal's former mode. Async-signal-safe. */
static void set_cooked (void)
{
   if (!is_raw)
      return;
   is_raw = false;
   send (use->leave);
   tcsetattr (STDIN_FILENO, TCSADRAIN, &cooked);
}

/* ---- signals ---- */

static void on_fatal (int sig)
{
   set_cooked ();
   send ("\r\n");
   for (size_t i = 0; i < FATALS; i++)
      if (fatal[i] == sig)
         sigaction (sig, &fatal_before[i], NULL);
   raise (sig); /* delivered when this handler returns */
}

static void on_stop (int sig)
{
   set_cooked ();
   send ("\r\n");
   signal (sig, SIG_DFL);
   sigset_t only;
   sigemptyset (&only);
   sigaddset (&only, sig);
   raise (sig);
   sigprocmask (SIG_UNBLOCK, &only, NULL); /* the process stops here */
   struct sigaction again = {.sa_handler = on_stop};
   sigaction (sig, &again, NULL);
   set_raw ();
   continued = true;
}

/* Handles SIGCONT: sets the mode again after a SIGSTOP, for which there can be no handler. */
static void on_continue (int sig)
{
   (void) sig;
   if (is_raw)
      set_raw ();
   continued = true;
}

static void take_signals (void)
{
   struct sigaction now;
   for (size_t i = 0; i < FATALS; i++) {
      sigaction (fatal[i], NULL, &fatal_before[i]);
      now = (struct sigaction) {.sa_handler = on_fatal};
      if (fatal_before[i].sa_handler == SIG_DFL)
         sigaction (fatal[i], &now, NULL);
   }
   sigaction (SIGTSTP, NULL, &stop_before);
   now = (struct sigaction) {.sa_handler = on_stop};
   if (stop_before.sa_handler == SIG_DFL)
      sigaction (SIGTSTP, &now, NULL);
   now = (struct sigaction) {.sa_handler = on_continue};
   sigaction (SIGCONT, &now, &continue_before);
}

static void give_signals_back (void)
{
   for (size_t i = 0; i < FATALS; i++)
      sigaction (fatal[i], &fatal_before[i], NULL);
   sigaction (SIGTSTP, &stop_before, NULL);
   sigaction (SIGCONT, &continue_before, NULL);
}

void mt_terminal_stop (void)
{
   raise (SIGTSTP);
   continued = true;
}

bool mt_terminal_take_continued (void)
{
   bool was = continued;
   continued = false;
   return was;
}

/* ---- the mode ---- */

bool mt_terminal_enter (MtTerminalUse wanted)
{
   static bool registered;
   if (tcgetattr (STDIN_FILENO, &cooked) != 0)
      return false;
   if (!registered)
      atexit (set_cooked);
   registered = true;
   use = &uses[wanted];
   raw = cooked;
   raw.c_iflag &= ~use->input;
   raw.c_lflag &= ~use->local;
   raw.c_cc[VMIN] = 1;
   raw.c_cc[VTIME] = 0;
   take_signals ();
   if (set_raw ())
      return true;
   give_signals_back ();
   return false;
}

void mt_terminal_leave (void)
{
   set_cooked ();
   give_signals_back ();
}
