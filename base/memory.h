/* The heap, for what outlives arenas. Where there is no memory the process ends, and says what it was for, as arenas do: what users can make large has a
 * budget, which is an error. All of these are owned by the caller, who calls free (). */
#ifndef MT_MEMORY_H
#define MT_MEMORY_H

#include <stddef.h>

_Noreturn void mt_no_memory (const char *what, size_t size_bytes);
void *mt_checked (void *p, const char *what, size_t size_bytes); /* p itself, which is NULL only when the size is 0 */

void *mt_malloc (const char *what, size_t size_bytes);
void *mt_calloc (const char *what, size_t count, size_t size_bytes); /* zeros */
void *mt_realloc (const char *what, void *p, size_t size_bytes);     /* p may be NULL */
char *mt_heap_strdup (const char *s);
char *mt_heap_strndup (const char *s, size_t most_bytes);
char *mt_heap_printf (const char *fmt, ...) __attribute__ ((format (printf, 1, 2)));

#endif
