/* Allocation on the heap, and how a statement ends when memory is exhausted.
 *
 * A request of bounded size does not fail. If malloc fails, a reserve of address space is returned
 * to the system, and malloc is called again. The shortage is recorded for the running statement.
 * mt_cancel_check (base/cancel.h) then makes the statement fail with 53200, and nothing of it is
 * committed.
 *
 * A request whose size depends on data or on the SQL text uses an mt_try_ function. On failure, the
 * function returns NULL or false, changes nothing, and records the shortage (53200) or the excess
 * over 1 GB (54000). The caller returns the error of mt_memory_check, or continues with less
 * memory. The statement fails in both cases.
 *
 * The process ends only if a request of bounded size fails after the reserve was used up. All
 * memory comes from malloc, and is freed by free (). */
#ifndef MT_MEMORY_H
#define MT_MEMORY_H

#ifndef __cplusplus
#include <stdatomic.h>
#endif
#include <stdbool.h>
#include <stddef.h>

struct MtError;

/* C++ has no atomic_int of C. A program in C++ only passes pointers to these structures. */
#ifdef __cplusplus
typedef int MtAtomicInt;
#else
typedef atomic_int MtAtomicInt;
#endif

/* The first shortage of memory in one session's running statement. Zero-initialise it. */
typedef struct MtShortage {
   /* the kind of the first shortage; 0: there was no shortage. Later shortages don't change it. */
   MtAtomicInt kind;
   const char *what; /* the use of the missing memory, for the message; set before kind */
   size_t size_bytes;
   char file[512]; /* the mapped file that lost bytes; "": a file without a name */
} MtShortage;

/* What happened to a mapped file (base/mapped.h). */
typedef enum MtLoss { MT_CUT_SHORT = 1, MT_UNREADABLE } MtLoss;

/* Makes this thread record shortages of memory in s (NULL: nowhere). Returns where they were
 * recorded before; pass this to mt_memory_leave, which restores it. */
MtShortage *mt_memory_enter (MtShortage *s);
void mt_memory_leave (MtShortage **outer);
/* Calls mt_memory_enter, and mt_memory_leave at the end of the enclosing block. */
#define MT_RECORD_SHORTAGE(s) \
   MtShortage *mt_outer_shortage \
      __attribute__ ((cleanup (mt_memory_leave), unused)) = mt_memory_enter (s)
MtShortage *mt_memory_now (void);

/* Begins a statement: clears s, and sets aside the reserve if an earlier shortage has used it.
 * Fails with 53200 if the reserve can't be allocated. */
bool mt_memory_begin (MtShortage *s, struct MtError *err);
/* Returns false, with *err set, if a shortage of memory was recorded in this thread's statement. */
bool mt_memory_check (struct MtError *err);
/* Maps a file for reading, like mmap. If no address space is left, frees the reserve, maps the
 * file, and then makes a reserve again as large as possible. Returns MAP_FAILED, with errno set, on
 * error. */
void *mt_memory_map (size_t size_bytes, int fd);
/* Clears a shortage that was recorded after the statement committed. The memory came from the
 * reserve, so the statement is complete and must not fail. */
void mt_memory_forgive (MtShortage *s);
/* Hides the recorded shortage during clean-up that must run although the statement fails. Returns
 * the hidden value; pass it to mt_memory_unhush, which restores the shortage. */
int mt_memory_hush (MtShortage *s);
void mt_memory_unhush (MtShortage *s, int hushed);

/* Records that a mapped file lost bytes, so that the statement fails with XX001 or 58030.
 * Async-signal-safe. s and path may be NULL. */
void mt_memory_lose (MtShortage *s, MtLoss loss, const char *path);
/* Sets *err to the error for a mapped file that lost bytes. Always returns false. */
bool mt_memory_loss (MtLoss loss, const char *path, struct MtError *err);

/* Makes MongoDB's driver (libbson and libmongoc) allocate memory with these functions, in the whole
 * process. So only programs call this function, never the library. */
void mt_memory_serve_driver (void);

void mt_no_memory (const char *what, size_t size_bytes) __attribute__ ((noreturn));

/* Allocates memory; never returns NULL. The caller owns it: free (). `what`, a string literal,
 * names the purpose of the memory in messages. */
void *mt_malloc (const char *what, size_t size_bytes);
void *mt_calloc (const char *what, size_t count, size_t size_bytes); /* zeros */
void *mt_realloc (const char *what, void *p, size_t size_bytes);     /* p may be NULL */
/* Allocates zeroed memory, aligned to `align`. The size is rounded up to a multiple of `align`. */
void *mt_aligned (const char *what, size_t align, size_t size_bytes);
char *mt_heap_strdup (const char *s);
char *mt_heap_strndup (const char *s, size_t most_bytes);
char *mt_heap_printf (const char *fmt, ...) __attribute__ ((format (printf, 1, 2)));

/* These functions allocate memory whose size depends on data. If memory is exhausted, they record
 * the shortage and return NULL; p then stays valid. */
void *mt_try_malloc (const char *what, size_t size_bytes) __attribute__ ((warn_unused_result));
void *mt_try_calloc (const char *what, size_t count, size_t size_bytes)
   __attribute__ ((warn_unused_result));
void *mt_try_realloc (const char *what, void *p, size_t size_bytes)
   __attribute__ ((warn_unused_result));
/* Returns whether a value of size_bytes is allowed: at most MT_MAX_VALUE_BYTES (base/limits.h). If
 * not, records the error 54000, and the statement will fail. */
bool mt_value_fits (size_t size_bytes);

/* Computes the new capacity, in items of size_bytes, of a list that needs room for `need` items:
 * `cap` is doubled until it is enough, beginning with `first` (not 0). cap_bytes is the width of
 * the variable for the capacity (4: at most INT32_MAX items). The process ends if the capacity
 * can't be represented. */
size_t mt_room (const char *what, size_t cap, size_t need, size_t first, size_t size_bytes,
                size_t cap_bytes);
/* Like mt_room, for a list whose length comes from data. Returns 0 if the capacity can't be
 * represented; a shortage of memory is then recorded. */
size_t mt_try_room (const char *what, size_t cap, size_t need, size_t first, size_t size_bytes,
                    size_t cap_bytes);

/* Makes room for one more item after the `count` items of `list`. `list` and `cap` (an int,
 * uint32_t or size_t) are lvalues without side effects. New memory isn't cleared. For lists in
 * arenas use MT_GROW_IN (base/arena.h). */
#define MT_GROW(what, list, count, cap, first) \
   do { \
      if ((size_t) (count) >= (size_t) (cap)) { \
         (cap) = (__typeof__ (cap)) mt_room ((what), (size_t) (cap), (size_t) (count) + 1, \
                                             (first), sizeof *(list), sizeof (cap)); \
         (list) = mt_realloc ((what), (list), (size_t) (cap) * sizeof *(list)); \
      } \
   } while (0)

/* Like MT_GROW, for a list whose length comes from data. The value is false if memory is exhausted;
 * the shortage is recorded. */
#define MT_TRY_GROW(what, list, count, cap, first) \
   ((size_t) (count) < (size_t) (cap) || __extension__ ({ \
       size_t mt_cap = mt_try_room ((what), (size_t) (cap), (size_t) (count) + 1, (first), \
                                    sizeof *(list), sizeof (cap)); \
       void *mt_list = mt_cap ? mt_try_realloc ((what), (list), mt_cap * sizeof *(list)) : NULL; \
       if (mt_list) { \
          (list) = mt_list; \
          (cap) = (__typeof__ (cap)) mt_cap; \
       } \
       mt_list != NULL; \
    }))

#endif
