/* Arenas: memory with a common lifetime.
 *
 * An arena returns zeroed memory, and frees all of it at once. Arenas form a tree (session >
 * statement > batch): freeing an arena frees its children. Resources that are not memory (a bson_t,
 * a cursor, a file) are attached to an arena by mt_arena_defer when they are created. They are
 * released in reverse order when the arena is reset or freed.
 *
 * If malloc fails, requests of bounded size get memory from a reserve (base/memory.h). Requests
 * whose size depends on data use mt_try_alloc. Only one thread at a time may use an arena. */
#ifndef MT_ARENA_H
#define MT_ARENA_H

#include "base/memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct MtArena MtArena;

/* Makes an empty arena as a child of `parent`, which may be NULL. `name` is used in messages, and
 * must stay valid as long as the arena. The caller owns the arena: mt_arena_free. */
MtArena *mt_arena_new (const char *name, MtArena *parent);

/* Empties an arena: runs the releases of mt_arena_defer (the last one first), and frees the child
 * arenas and the memory. The arena can be used again. */
void mt_arena_reset (MtArena *a);

/* Empties an arena as mt_arena_reset does, and frees it. NULL is allowed. */
void mt_arena_free (MtArena *a);

/* Returns `size` zeroed bytes, aligned to 16, in arena `a`. Never returns NULL; size 0 gives a
 * valid pointer. */
void *mt_alloc (MtArena *a, size_t size);

/* Like mt_alloc, for `count` items of `size` bytes. Aborts if the product overflows. */
void *mt_alloc_n (MtArena *a, size_t count, size_t size);

/* Like mt_alloc and mt_alloc_n, for sizes that come from data. Returns NULL if memory is exhausted;
 * the shortage is recorded, and the statement will fail (base/memory.h). */
void *mt_try_alloc (MtArena *a, size_t size) __attribute__ ((warn_unused_result));
void *mt_try_alloc_n (MtArena *a, size_t count, size_t size) __attribute__ ((warn_unused_result));
char *mt_try_strndup (MtArena *a, const char *p, size_t n) __attribute__ ((warn_unused_result));
#define MT_TRY_NEW_N(a, T, n) ((T *) mt_try_alloc_n ((a), (n), sizeof (T)))

/* Returns a copy of the n bytes at p, followed by a NUL byte. */
char *mt_strndup (MtArena *a, const char *p, size_t n);
char *mt_strdup (MtArena *a, const char *s);
char *mt_printf (MtArena *a, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
char *mt_vprintf (MtArena *a, const char *fmt, va_list ap);

/* Calls release(thing) when `a` is reset or freed. */
void mt_arena_defer (MtArena *a, void (*release) (void *), void *thing);

/* Returns the number of bytes that arena `a`, without its children, has allocated from the
 * system. */
size_t mt_arena_bytes (const MtArena *a);

/* Allocates one zeroed object of type T, or n of them, in arena a: MT_NEW (a, MtThing). */
#define MT_NEW(a, T) ((T *) mt_alloc ((a), sizeof (T)))
#define MT_NEW_N(a, T, n) ((T *) mt_alloc_n ((a), (n), sizeof (T)))

/* Returns new memory for `cap` items of size_bytes each. The first `count` items are copied from
 * `list`, the others are zero. */
void *mt_arena_move (MtArena *a, const void *list, size_t count, size_t cap, size_t size_bytes);

void *mt_try_arena_move (MtArena *a, const void *list, size_t count, size_t cap, size_t size_bytes)
   __attribute__ ((warn_unused_result));

/* Makes room for one more item after the `count` items of `list`, in arena a. MT_GROW
 * (base/memory.h) does the same on the heap. Pointers into the old list stay valid. */
#define MT_GROW_IN(a, list, count, cap, first) \
   do { \
      if ((size_t) (count) >= (size_t) (cap)) { \
         (cap) = (__typeof__ (cap)) mt_room ("list", (size_t) (cap), (size_t) (count) + 1, \
                                             (first), sizeof *(list), sizeof (cap)); \
         (list) = mt_arena_move ((a), (list), (size_t) (count), (size_t) (cap), sizeof *(list)); \
      } \
   } while (0)

/* Like MT_GROW_IN, for a list whose length comes from data. The value is false if memory is
 * exhausted; the shortage is recorded. */
#define MT_TRY_GROW_IN(a, list, count, cap, first) \
   ((size_t) (count) < (size_t) (cap) || __extension__ ({ \
       size_t mt_cap = mt_room ("list", (size_t) (cap), (size_t) (count) + 1, (first), \
                                sizeof *(list), sizeof (cap)); \
       void *mt_more = mt_try_arena_move ((a), (list), (size_t) (count), mt_cap, sizeof *(list)); \
       if (mt_more) { \
          (list) = mt_more; \
          (cap) = (__typeof__ (cap)) mt_cap; \
       } \
       mt_more != NULL; \
    }))

#endif
