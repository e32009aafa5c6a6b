/* Keeps libmongoc's file of counters out of the way.
 *
 * libmongoc creates /dev/shm/mongoc-PID when it is loaded, and warns if there is one. A killed
 * process leaves its file, and a later process can get the same number. So the file is removed
 * twice: before libmongoc is loaded, and at once after that.
 *
 * This object is linked into each program that uses libmongoc: code in a library would run too
 * late. */

#ifdef __linux__
#include <unistd.h>

/* Also runs before the C library is ready, so it uses only system calls. */
__attribute__ ((no_sanitize ("address", "undefined"))) static void remove_counters (void)
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

static void (*const before_libraries) (void)
   __attribute__ ((section (".preinit_array"), used)) = remove_counters;

/* libmongoc keeps its mapping of the file, and goes on counting. */
__attribute__ ((constructor)) static void after_libraries (void) { remove_counters (); }
#endif
