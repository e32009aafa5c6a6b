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

/* The capacity, in items of size_bytes, of a list that needs room for `need`: `cap` doubled as often as that takes, beginning with `first`, which isn't 0.
 * cap_bytes is the width of the number that is to hold it (4: INT32_MAX items are the most). Where there can't be so many the process ends. */
size_t mt_room (const char *what, size_t cap, size_t need, size_t first, size_t size_bytes, size_t cap_bytes);

/* Room for one more item behind the `count` that are in `list`, whose capacity is `cap`: an int, uint32_t or size_t; both are lvalues without side effects.
 * New room isn't cleared. For lists in arenas there is MT_GROW_IN (base/arena.h). */
#define MT_GROW(what, list, count, cap, first)                                                                                       \
   do {                                                                                                                              \
      if ((size_t) (count) >= (size_t) (cap)) {                                                                                      \
         (cap) = (__typeof__ (cap)) mt_room ((what), (size_t) (cap), (size_t) (count) + 1, (first), sizeof *(list), sizeof (cap));   \
         (list) = mt_realloc ((what), (list), (size_t) (cap) * sizeof *(list));                                                      \
      }                                                                                                                              \
   } while (0)

#endif
