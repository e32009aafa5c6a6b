#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mt_no_memory (const char *what, size_t size_bytes)
{
   fprintf (stderr, "out of memory: %s, %zu bytes\n", what, size_bytes);
   abort ();
}

void *mt_checked (void *p, const char *what, size_t size_bytes)
{
   if (!p && size_bytes)
      mt_no_memory (what, size_bytes);
   return p;
}

void *mt_malloc (const char *what, size_t size_bytes) { return mt_checked (malloc (size_bytes), what, size_bytes); }
void *mt_calloc (const char *what, size_t count, size_t size_bytes) { return mt_checked (calloc (count, size_bytes), what, count * size_bytes); }
void *mt_realloc (const char *what, void *p, size_t size_bytes) { return mt_checked (realloc (p, size_bytes), what, size_bytes); }

size_t mt_room (const char *what, size_t cap, size_t need, size_t first, size_t size_bytes, size_t cap_bytes)
{
   size_t most = cap_bytes < sizeof cap ? INT32_MAX : PTRDIFF_MAX;
   if (size_bytes && most > PTRDIFF_MAX / size_bytes)
      most = PTRDIFF_MAX / size_bytes;
   if (need > most)
      mt_no_memory (what, SIZE_MAX);
   if (!cap)
      cap = first;
   while (cap < need)
      cap = cap > most / 2 ? most : 2 * cap;
   return cap;
}

char *mt_heap_strdup (const char *s) { return mt_checked (strdup (s), "text", strlen (s) + 1); }
char *mt_heap_strndup (const char *s, size_t most_bytes) { return mt_checked (strndup (s, most_bytes), "text", most_bytes + 1); }

char *mt_heap_printf (const char *fmt, ...)
{
   char *text = NULL;
   va_list ap;
   va_start (ap, fmt);
   if (vasprintf (&text, fmt, ap) < 0)
      mt_no_memory ("text", 0);
   va_end (ap);
   return text;
}
