/* Linked into each program that loads libmongoc, as an object: what runs before the libraries can't
 * be in one of them. */

#ifdef __linux__
#include <unistd.h>

/* libmongoc makes the file /dev/shm/mongoc-PID when it is loaded, and complains on standard error
 * when a killed process of the same number left one. This runs before that, and before the C
 * library is ready: so by system calls alone. */
__attribute__ ((no_sanitize ("address", "undefined"))) static void remove_stale_counters (
   int argc, char **argv, char **env)
{
   char path[] = "/dev/shm/mongoc-0000000000", digits[10],
        *to = path + sizeof "/dev/shm/mongoc-" - 1;
   int n = 0;
   for (unsigned long pid = (unsigned long) getpid (); pid && n < 10; pid /= 10)
      digits[n++] = (char) ('0' + pid % 10);
   while (n > 0)
      *to++ = digits[--n];
   *to = 0;
   unlink (path);
}

static void (*const before_libraries) (int, char **, char **)
   __attribute__ ((section (".preinit_array"), used)) = remove_stale_counters;
#endif
