/* The heap, and what becomes of a statement when it has no memory left.
 *
 * A request of bounded size never fails: when malloc does, a reserve that was set aside beforehand
 * is given back to the system, and malloc is asked again. The shortage is recorded for the running
 * statement. mt_cancel_check (base/cancel.h) then ends the statement with 53200, and nothing of it
 * is committed.
 *
 * A request whose size comes from data or from SQL goes through an mt_try_ function. It returns
 * NULL or false, leaves its operands alone, and records the shortage (53200), or the excess over 1
 * GB (54000). The caller either returns mt_memory_check's error, or goes on with less: the
 * statement fails anyway.
 *
 * The process ends only when a request of bounded size fails after the reserve is used up. All
 * memory here is malloc's own, and ended by free (). */
#ifndef MT_MEMORY_H
#define MT_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct MtError;

/* What happened to the memory of one session's running statement. Zero-initialise it. */
typedef struct MtShortage {
   atomic_int kind;  /* 0: nothing; the first of what happened counts */
   const char *what; /* what the memory was for; set before kind */
   size_t size_bytes;
   char file[512]; /* whose mapped bytes were lost; "": one without a name */
} MtShortage;

/* What happened to a mapped file (base/mapped.h). */
typedef enum MtLoss { MT_CUT_SHORT = 1, MT_UNREADABLE } MtLoss;

/* Shortages that this thread meets are recorded in s, until mt_memory_leave gets what this
 * returned. NULL: nowhere. */
MtShortage *mt_memory_enter (MtShortage *s);
void mt_memory_leave (MtShortage **outer);
/* The same, until the end of the block. */
#define MT_RECORD_SHORTAGE(s) \
   MtShortage *mt_outer_shortage \
      __attribute__ ((cleanup (mt_memory_leave), unused)) = mt_memory_enter (s)
MtShortage *mt_memory_now (void);

/* At a statement's beginning: forgets the last one's shortage, and sets the reserve aside again.
 * False (53200): there is no room for the reserve. */
bool mt_memory_begin (MtShortage *s, struct MtError *err);
/* False, with *err set, when a shortage was recorded in this thread's statement. */
bool mt_memory_check (struct MtError *err);
/* Maps a file for reading, like mmap. Where there isn't the address space, the reserve gives up
 * its own. */
void *mt_memory_map (size_t size_bytes, int fd);
/* What the statement did is committed: shortages meanwhile don't count, as the reserve served
 * them. */
void mt_memory_forgive (MtShortage *s);
/* What has to be done though the statement failed goes on between the two as if there had been no
 * shortage. */
int mt_memory_hush (MtShortage *s);
void mt_memory_unhush (MtShortage *s, int hushed);

/* Bytes of a mapped file are lost: XX001 or 58030 for the statement. Async-signal-safe; s may be
 * NULL, path, too. */
void mt_memory_lose (MtShortage *s, MtLoss loss, const char *path);
/* That error; false. */
bool mt_memory_loss (MtLoss loss, const char *path, struct MtError *err);

/* Gives libbson and libmongoc these functions. It is the program's choice, as it is so for the
 * whole process. */
void mt_memory_serve_driver (void);

_Noreturn void mt_no_memory (const char *what, size_t size_bytes);

/* Owned by the caller: free (). `what` names the use in messages; it is a literal. */
void *mt_malloc (const char *what, size_t size_bytes);
void *mt_calloc (const char *what, size_t count, size_t size_bytes); /* zeros */
void *mt_realloc (const char *what, void *p, size_t size_bytes);     /* p may be NULL */
void *mt_aligned (
   const char *what, size_t align,
   size_t size_bytes); /* zeros; the size is rounded up to a multiple of the alignment */
char *mt_heap_strdup (const char *s);
char *mt_heap_strndup (const char *s, size_t most_bytes);
char *mt_heap_printf (const char *fmt, ...) __attribute__ ((format (printf, 1, 2)));

/* For sizes that come from data. NULL: the shortage is recorded; p is left as it is. */
void *mt_try_malloc (const char *what, size_t size_bytes) __attribute__ ((warn_unused_result));
void *mt_try_calloc (const char *what, size_t count, size_t size_bytes)
   __attribute__ ((warn_unused_result));
void *mt_try_realloc (const char *what, void *p, size_t size_bytes)
   __attribute__ ((warn_unused_result));
/* Whether a value of so many bytes may be (MT_MAX_VALUE_BYTES, base/limits.h). False: 54000 is
 * recorded. */
bool mt_value_fits (size_t size_bytes);

/* The capacity, in items of size_bytes, of a list that needs room for `need`: `cap` doubled as
 * often as that takes, beginning with `first`, which isn't 0. cap_bytes is the width of the number
 * that is to hold it (4: INT32_MAX items are the most). Where there can't be so many the process
 * ends. */
size_t mt_room (const char *what, size_t cap, size_t need, size_t first, size_t size_bytes,
                size_t cap_bytes);
/* `list` with room for `need` items, and the new capacity in *cap. NULL, with the shortage
 * recorded: it and *cap are as they were. */
void *mt_try_room (const char *what, void *list, size_t *cap, size_t need, size_t first,
                   size_t size_bytes, size_t cap_bytes) __attribute__ ((warn_unused_result));

/* Room for one more item behind the `count` that are in `list`, whose capacity is `cap`: an int,
 * uint32_t or size_t; both are lvalues without side effects. New room isn't cleared. For lists in
 * arenas there is MT_GROW_IN (base/arena.h). */
#define MT_GROW(what, list, count, cap, first) \
   do { \
      if ((size_t) (count) >= (size_t) (cap)) { \
         (cap) = (__typeof__ (cap)) mt_room ((what), (size_t) (cap), (size_t) (count) + 1, \
                                             (first), sizeof *(list), sizeof (cap)); \
         (list) = mt_realloc ((what), (list), (size_t) (cap) * sizeof *(list)); \
      } \
   } while (0)

/* The same for a list as long as data makes it: false when there is no room, with the shortage
 * recorded. */
#define MT_TRY_GROW(what, list, count, cap, first) \
   ((size_t) (count) < (size_t) (cap) || __extension__ ({ \
       size_t mt_cap = (size_t) (cap); \
       void *mt_list = mt_try_room ((what), (list), &mt_cap, (size_t) (count) + 1, (first), \
                                    sizeof *(list), sizeof (cap)); \
       if (mt_list) { \
          (list) = mt_list; \
          (cap) = (__typeof__ (cap)) mt_cap; \
       } \
       mt_list != NULL; \
    }))

#endif
