#include "base/memory.h"

#include "base/error.h"
#include "base/limits.h"

#include <bson/bson.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The values of MtShortage.kind. */
enum { FINE, OUT, EXCESS, CUT_SHORT, UNREADABLE, BEING_RECORDED };

/* The size of the reserve: address space that uses no memory until it is returned to the system.
 * The reserve must be enough from a shortage of memory to the end of the statement. */
#define RESERVE_BYTES ((size_t) 16 << 20)
#define LEAST_RESERVE_BYTES ((size_t) 256 << 10)
/* If little address space is available, the reserve takes at most one in SHARE_KEPT parts of it. */
#define SHARE_KEPT 4

static struct {
   pthread_mutex_t lock;
   void *at;
   size_t size;
   /* A statement is ending because memory is exhausted. Large requests then fail, so that the
    * reserve is enough for small ones. */
   atomic_bool used;
} reserve = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local MtShortage *current;

/* ---- recording the first shortage ---- */

MtShortage *mt_memory_enter (MtShortage *s)
{
   MtShortage *outer = current;
   current = s;
   return outer;
}

void mt_memory_leave (MtShortage **outer) { current = *outer; }

MtShortage *mt_memory_now (void) { return current; }

static void record (int kind, const char *what, size_t size_bytes)
{
   int none = FINE;
   if (!current || !atomic_compare_exchange_strong (&current->kind, &none, BEING_RECORDED))
      return;
   current->what = what;
   current->size_bytes = size_bytes;
   atomic_store_explicit (&current->kind, kind, memory_order_release);
}

void mt_memory_lose (MtShortage *s, MtLoss loss, const char *path)
{
   int none = FINE;
   if (!s || !atomic_compare_exchange_strong (&s->kind, &none, BEING_RECORDED))
      return;
   size_t n = 0;
   for (; path && path[n] && n < sizeof s->file - 1; n++)
      s->file[n] = path[n];
   s->file[n] = 0;
   atomic_store_explicit (&s->kind, loss == MT_CUT_SHORT ? CUT_SHORT : UNREADABLE,
                          memory_order_release);
}

bool mt_memory_loss (MtLoss loss, const char *path, MtError *err)
{
   if (!path || !*path)
      return mt_error (err, MT_E_IO, "could not read a temporary file");
   if (loss == MT_CUT_SHORT)
      return mt_error (err, MT_E_CORRUPT, "file \"%s\" was truncated while it was being read",
                       path);
   return mt_error (err, MT_E_IO, "could not read file \"%s\": %s", path, strerror (EIO));
}

bool mt_memory_check (MtError *err)
{
   int kind = current ? atomic_load_explicit (&current->kind, memory_order_acquire) : FINE;
   if (__builtin_expect (kind == FINE || kind == BEING_RECORDED, true))
      return true;
   if (kind == EXCESS)
      return mt_error (err, MT_E_LIMIT, "requested length too large");
   if (kind == CUT_SHORT || kind == UNREADABLE)
      return mt_memory_loss (kind == CUT_SHORT ? MT_CUT_SHORT : MT_UNREADABLE, current->file, err);
   mt_error (err, MT_E_OUT_OF_MEMORY, "out of memory");
   return mt_error_detail (err, "Failed on request of size %zu (%s).", current->size_bytes,
                           current->what);
}

void mt_memory_forgive (MtShortage *s)
{
   atomic_store_explicit (&s->kind, FINE, memory_order_relaxed);
}

int mt_memory_hush (MtShortage *s) { return atomic_exchange (&s->kind, FINE); }

void mt_memory_unhush (MtShortage *s, int hushed)
{
   if (hushed != FINE)
      atomic_store (&s->kind, hushed);
}

bool mt_value_fits (size_t size_bytes)
{
   if (size_bytes > MT_MAX_VALUE_BYTES)
      record (EXCESS, "value", size_bytes);
   return size_bytes <= MT_MAX_VALUE_BYTES;
}

/* ---- the reserve ---- */

/* Reserves `size` bytes of address space, if SHARE_KEPT times as much is available. Returns false
 * if it is not. */
static bool set_aside (size_t size)
{
   uint8_t *p = mmap (NULL, SHARE_KEPT * size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (p == MAP_FAILED)
      return false;
   munmap (p + size, (SHARE_KEPT - 1) * size);
   reserve.at = p;
   reserve.size = size;
   return true;
}

static void set_aside_most (void)
{
   for (size_t size = RESERVE_BYTES; !reserve.at && size >= LEAST_RESERVE_BYTES; size /= 2)
      set_aside (size);
}

bool mt_memory_begin (MtShortage *s, MtError *err)
{
   mt_memory_forgive (s);
   pthread_mutex_lock (&reserve.lock);
   set_aside_most ();
   bool ok = reserve.at != NULL;
   atomic_store_explicit (&reserve.used, !ok, memory_order_relaxed);
   pthread_mutex_unlock (&reserve.lock);
   if (ok)
      return true;
   mt_error (err, MT_E_OUT_OF_MEMORY, "out of memory");
   return mt_error_detail (err, "Failed on request of size %zu (%s).", LEAST_RESERVE_BYTES,
                           "reserve");
}

static void release (void)
{
   if (reserve.at)
      munmap (reserve.at, reserve.size);
   reserve.at = NULL;
}

static void give_back (void)
{
   pthread_mutex_lock (&reserve.lock);
   atomic_store_explicit (&reserve.used, true, memory_order_relaxed);
   release ();
   pthread_mutex_unlock (&reserve.lock);
}

void *mt_memory_map (size_t size_bytes, int fd)
{
   void *p = mmap (NULL, size_bytes, PROT_READ, MAP_SHARED, fd, 0);
   if (p != MAP_FAILED || errno != ENOMEM)
      return p;
   pthread_mutex_lock (&reserve.lock);
   bool had = reserve.at != NULL;
   release ();
   p = mmap (NULL, size_bytes, PROT_READ, MAP_SHARED, fd, 0);
   int e = errno;
   if (had)
      set_aside_most ();
   errno = e;
   pthread_mutex_unlock (&reserve.lock);
   return p;
}

void mt_no_memory (const char *what, size_t size_bytes)
{
   fprintf (stderr, "out of memory: %s, %zu bytes\n", what, size_bytes);
   abort ();
}

static size_t times (size_t count, size_t size_bytes)
{
   size_t all;
   return __builtin_mul_overflow (count, size_bytes, &all) ? SIZE_MAX : all;
}

/* Sets p to the result of the expression `make`, a call of malloc, calloc, realloc or
 * aligned_alloc. If it is NULL, records the shortage, returns the reserve to the system, and
 * evaluates `make` again. If it is still NULL, ends the process. */
#define SERVED(p, make, what, size_bytes) \
   do { \
      (p) = (make); \
      if (__builtin_expect (!(p) && (size_bytes), false)) { \
         record (OUT, (what), (size_bytes)); \
         give_back (); \
         if (!((p) = (make))) \
            mt_no_memory ((what), (size_bytes)); \
      } \
   } while (0)

/* ---- requests of bounded size ---- */

void *mt_malloc (const char *what, size_t size_bytes)
{
   void *p;
   SERVED (p, malloc (size_bytes), what, size_bytes);
   return p;
}

void *mt_calloc (const char *what, size_t count, size_t size_bytes)
{
   void *p;
   SERVED (p, calloc (count, size_bytes), what, times (count, size_bytes));
   return p;
}

void *mt_realloc (const char *what, void *p, size_t size_bytes)
{
   void *more;
   SERVED (more, realloc (p, size_bytes), what, size_bytes);
   return more;
}

void *mt_aligned (const char *what, size_t align, size_t size_bytes)
{
   void *p;
   size_bytes = (size_bytes + align - 1) / align * align;
   SERVED (p, aligned_alloc (align, size_bytes), what, size_bytes);
   return memset (p, 0, size_bytes);
}

char *mt_heap_strdup (const char *s) { return mt_heap_strndup (s, SIZE_MAX); }

char *mt_heap_strndup (const char *s, size_t most_bytes)
{
   size_t n = strnlen (s, most_bytes > PTRDIFF_MAX ? PTRDIFF_MAX : most_bytes);
   char *text = memcpy (mt_malloc ("text", n + 1), s, n);
   text[n] = 0;
   return text;
}

char *mt_heap_printf (const char *fmt, ...)
{
   va_list ap, again;
   va_start (ap, fmt);
   va_copy (again, ap);
   int n = vsnprintf (NULL, 0, fmt, again);
   va_end (again);
   size_t size = n < 0 ? 1 : (size_t) n + 1;
   char *text = mt_calloc ("text", size, 1);
   vsnprintf (text, size, fmt, ap);
   va_end (ap);
   return text;
}

/* ---- requests whose size depends on data ---- */

/* Requests up to this size never fail, like those of bounded size. */
#define SMALL_BYTES ((size_t) 256 << 10)

/* Returns whether the statement is ending because of a shortage of memory. Large requests then fail
 * at once. Otherwise a loop might make such a request for each character of a text. */
static bool is_ending (void)
{
   return current && atomic_load_explicit (&current->kind, memory_order_relaxed) != FINE;
}

static bool is_out (const char *what, size_t size_bytes)
{
   bool used = atomic_load_explicit (&reserve.used, memory_order_relaxed);
   bool out = size_bytes > PTRDIFF_MAX || used || is_ending ();
   if (out)
      record (OUT, what, size_bytes);
   return out;
}

#define HUGE_BYTES ((size_t) 4 << 20)

/* Advises the system to use huge pages, which it allocates and frees some hundred times faster than
 * small pages. This makes Ctrl-C faster, which waits until large memory is freed. Only whole pages
 * inside the allocation are advised. */
static void advise_huge_pages (void *p, size_t size_bytes)
{
   uintptr_t page = (uintptr_t) sysconf (_SC_PAGESIZE);
   uintptr_t from = ((uintptr_t) p + page - 1) / page * page;
   uintptr_t to = ((uintptr_t) p + size_bytes) / page * page;
   int e = errno; /* the caller must not see the error of a system without huge pages */
   madvise ((void *) from, to - from, MADV_HUGEPAGE);
   errno = e;
}

static void *tried (void *p, const char *what, size_t size_bytes)
{
   if (!p)
      record (OUT, what, size_bytes);
   else if (size_bytes >= HUGE_BYTES)
      advise_huge_pages (p, size_bytes);
   return p;
}

void *mt_try_malloc (const char *what, size_t size_bytes)
{
   if (size_bytes <= SMALL_BYTES)
      return mt_malloc (what, size_bytes ? size_bytes : 1);
   return is_out (what, size_bytes) ? NULL : tried (malloc (size_bytes), what, size_bytes);
}

void *mt_try_calloc (const char *what, size_t count, size_t size_bytes)
{
   size_t all = times (count, size_bytes);
   if (all <= SMALL_BYTES)
      return mt_calloc (what, all ? all : 1, 1);
   return is_out (what, all) ? NULL : tried (calloc (count, size_bytes), what, all);
}

void *mt_try_realloc (const char *what, void *p, size_t size_bytes)
{
   if (size_bytes <= SMALL_BYTES)
      return mt_realloc (what, p, size_bytes ? size_bytes : 1);
   return is_out (what, size_bytes) ? NULL : tried (realloc (p, size_bytes), what, size_bytes);
}

/* Computes the new capacity of a list as mt_room does, but returns 0 if it can't be represented. */
static size_t room_for (size_t cap, size_t need, size_t first, size_t size_bytes, size_t cap_bytes)
{
   size_t most = cap_bytes < sizeof cap ? INT32_MAX : PTRDIFF_MAX;
   if (size_bytes && most > PTRDIFF_MAX / size_bytes)
      most = PTRDIFF_MAX / size_bytes;
   if (need > most)
      return 0;
   if (!cap)
      cap = first;
   while (cap < need)
      cap = cap > most / 2 ? most : 2 * cap;
   return cap;
}

size_t mt_room (const char *what, size_t cap, size_t need, size_t first, size_t size_bytes,
                size_t cap_bytes)
{
   size_t room = room_for (cap, need, first, size_bytes, cap_bytes);
   if (!room)
      mt_no_memory (what, times (need, size_bytes));
   return room;
}

size_t mt_try_room (const char *what, size_t cap, size_t need, size_t first, size_t size_bytes,
                    size_t cap_bytes)
{
   size_t room = room_for (cap, need, first, size_bytes, cap_bytes);
   if (!room)
      record (OUT, what, times (need, size_bytes));
   return room;
}

/* ---- memory for the driver ---- */

static void *driver_malloc (size_t size) { return mt_malloc ("driver", size); }
static void *driver_calloc (size_t count, size_t size) { return mt_calloc ("driver", count, size); }
static void *driver_realloc (void *p, size_t size) { return mt_realloc ("driver", p, size); }

static void *driver_aligned (size_t align, size_t size)
{
   void *p;
   SERVED (p, aligned_alloc (align, size), "driver", size);
   return p;
}

void mt_memory_serve_driver (void)
{
   bson_mem_set_vtable (&(bson_mem_vtable_t) {.malloc = driver_malloc,
                                              .calloc = driver_calloc,
                                              .realloc = driver_realloc,
                                              .free = free,
                                              .aligned_alloc = driver_aligned});
}
