/* Removes a stale file of libmongoc before libmongoc is loaded.
 *
 * This file is linked as an object into each program that uses libmongoc: code in a library
 * would run too late. */

#ifdef __linux__
#include <unistd.h>

/* libmongoc creates /dev/shm/mongoc-PID when it is loaded. If a killed process with the same
 * number left such a file, libmongoc prints a warning. This function runs even before the C
 * library is ready, so it uses only system calls. */
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
