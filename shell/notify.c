/* Runs a command without a shell, for a limited time. */
#include "shell/notify.h"
#include "base/cancel.h"
#include "base/memory.h"
#include "shell/core/shell.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { LIMIT_MS = 30000, LOOK_MS = 10 };

/* ---- environment variables ---- */

void mt_environment_begin (MtEnvironment *e)
{
   e->count = 0;
   while (environ[e->count])
      e->count++;
   e->list = mt_calloc ("variables", e->count + 1, sizeof *e->list);
   for (size_t i = 0; i < e->count; i++)
      e->list[i] = mt_heap_strdup (environ[i]);
}

void mt_environment_set (MtEnvironment *e, const char *name, const char *value)
{
   size_t n = strlen (name), i = 0;
   while (i < e->count && !(strncmp (e->list[i], name, n) == 0 && e->list[i][n] == '='))
      i++;
   if (i < e->count) {
      free (e->list[i]);
      e->list[i] = e->list[--e->count];
      e->list[e->count] = NULL;
   }
   if (!value)
      return;
   MtBuf b = {0};
   mt_buf_printf (&b, "%s=%s", name, value);
   e->list = mt_realloc ("variables", e->list, (e->count + 2) * sizeof *e->list);
   e->list[e->count++] = b.p;
   e->list[e->count] = NULL;
}

void mt_environment_end (MtEnvironment *e)
{
   for (size_t i = 0; i < e->count; i++)
      free (e->list[i]);
   free (e->list);
}

char *mt_environment_name (const char *column)
{
   MtBuf b = {0};
   mt_buf_adds (&b, "MTSQL_");
   for (const char *p = column; *p; p++) {
      unsigned char c = (unsigned char) *p;
      mt_buf_addc (&b, c < 0x80 && isalnum (c) ? (char) toupper (c) : '_');
   }
   return b.p;
}

/* ---- the command ---- */

/* Starts the command in a process group of its own, so that the processes it starts can be killed,
 * too. Sets *pid. Returns 0 or an errno. */
static int start (const char *const *words, const MtEnvironment *e, pid_t *pid)
{
   posix_spawn_file_actions_t files;
   posix_spawnattr_t attr;
   sigset_t usual, none;
   sigemptyset (&none);
   sigemptyset (&usual);
   sigaddset (&usual, SIGINT);
   sigaddset (&usual, SIGPIPE);
   sigaddset (&usual, SIGXFSZ);
   posix_spawn_file_actions_init (&files);
   posix_spawn_file_actions_addopen (&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
   posix_spawn_file_actions_adddup2 (&files, STDERR_FILENO, STDOUT_FILENO);
   posix_spawnattr_init (&attr);
   posix_spawnattr_setsigdefault (&attr, &usual);
   posix_spawnattr_setsigmask (&attr, &none);
   posix_spawnattr_setpgroup (&attr, 0);
   posix_spawnattr_setflags (&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                       POSIX_SPAWN_SETSIGMASK);
   int rc = posix_spawnp (pid, words[0], &files, &attr, (char *const *) (uintptr_t) words, e->list);
   posix_spawnattr_destroy (&attr);
   posix_spawn_file_actions_destroy (&files);
   return rc;
}

/* Waits until the command ends; *status is its wait status. Kills it when its time is over or
 * Control-C is pressed (*killed). */
static bool wait_for (pid_t pid, int *status, bool *killed)
{
   int64_t until = mt_now_ms () + LIMIT_MS;
   *killed = false;
   for (;;) {
      pid_t ended = waitpid (pid, status, *killed ? 0 : WNOHANG);
      if (ended == pid)
         return true;
      if (ended < 0 && errno != EINTR)
         return false;
      if (mt_now_ms () >= until || mt_interrupted) {
         kill (-pid, SIGKILL);
         *killed = true;
      }
      if (!*killed)
         nanosleep (&(struct timespec) {.tv_nsec = LOOK_MS * 1000000L}, NULL);
   }
}

bool mt_notify_run (const char *const *words, const MtEnvironment *e, MtError *err)
{
   pid_t pid;
   int status = 0, rc = start (words, e, &pid);
   bool killed;
   if (rc)
      return mt_error (err, MT_E_UNDEFINED_FILE, "could not run command \"%s\": %s", words[0],
                       strerror (rc));
   if (!wait_for (pid, &status, &killed))
      return mt_error (err, MT_E_IO, "could not wait for command \"%s\": %s", words[0],
                       strerror (errno));
   if (killed && mt_interrupted)
      return mt_error (err, MT_E_CANCELED, "canceling command \"%s\" due to user request",
                       words[0]);
   if (killed)
      return mt_error (err, MT_E_IO, "command \"%s\" did not end within %d seconds", words[0],
                       LIMIT_MS / 1000);
   if (WIFSIGNALED (status))
      return mt_error (err, MT_E_IO, "command \"%s\" ended by signal %d", words[0],
                       WTERMSIG (status));
   return WEXITSTATUS (status) == 0 ||
          mt_error (err, MT_E_IO, "command \"%s\" failed with exit status %d", words[0],
                    WEXITSTATUS (status));
}
