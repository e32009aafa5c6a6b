#include "base/arena.h"
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Under AddressSanitizer every allocation gets its own chunk, so that the sanitizer detects
 * overruns and uses after a reset. */
#if defined(__SANITIZE_ADDRESS__)
#define ONE_CHUNK_EACH 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ONE_CHUNK_EACH 1
#endif
#endif
#ifndef ONE_CHUNK_EACH
#define ONE_CHUNK_EACH 0
#endif

#define FIRST_CHUNK_BYTES 2048u
#define LARGEST_CHUNK_BYTES (256u << 10)

typedef struct Chunk {
   struct Chunk *next;
   size_t size; /* the number of data bytes in the chunk */
   _Alignas (16) uint8_t data[];
} Chunk;

typedef struct Deferred {
   struct Deferred *next;
   void (*release) (void *);
   void *thing;
} Deferred;

struct MtArena {
   const char *name;
   MtArena *parent, *first_child, *prev, *next;
   Chunk *chunks;    /* the chunks, the newest first; only the newest has room left */
   size_t used;      /* bytes in use in the newest chunk */
   size_t next_size; /* the size of the next chunk for small allocations */
   size_t held;
   Deferred *deferred;
};

MtArena *mt_arena_new (const char *name, MtArena *parent)
{
   MtArena *a = mt_calloc (name, 1, sizeof *a);
   a->name = name;
   a->parent = parent;
   a->next_size = FIRST_CHUNK_BYTES;
   if (parent) {
      a->next = parent->first_child;
      if (a->next)
         a->next->prev = a;
      parent->first_child = a;
   }
   return a;
}

static void run_deferred (MtArena *a)
{
   /* A release function may call mt_arena_defer or allocate, so the list is read again after each
    * call. */
   while (a->deferred) {
      Deferred *d = a->deferred;
      a->deferred = d->next;
      d->release (d->thing);
   }
}

static void drop_chunks (MtArena *a, Chunk *keep)
{
   Chunk *c = a->chunks;
   while (c) {
      Chunk *next = c->next;
      if (c != keep) {
         a->held -= c->size + sizeof *c;
         free (c);
      }
      c = next;
   }
   if (keep)
      keep->next = NULL;
   a->chunks = keep;
   a->used = 0;
}

void mt_arena_reset (MtArena *a)
{
   run_deferred (a);
   while (a->first_child)
      mt_arena_free (a->first_child);
   Chunk *keep = a->chunks;
   if (keep && (ONE_CHUNK_EACH || keep->size > LARGEST_CHUNK_BYTES))
      keep = NULL;
   drop_chunks (a, keep);
}

void mt_arena_free (MtArena *a)
{
   if (!a)
      return;
   mt_arena_reset (a);
   drop_chunks (a, NULL);
   if (a->prev)
      a->prev->next = a->next;
   else if (a->parent)
      a->parent->first_child = a->next;
   if (a->next)
      a->next->prev = a->prev;
   free (a);
}

static Chunk *add_chunk (MtArena *a, Chunk *c, size_t size)
{
   c->size = size;
   a->held += sizeof *c + size;
   return c;
}

static Chunk *new_chunk (MtArena *a, size_t size)
{
   return add_chunk (a, mt_malloc (a->name, sizeof (Chunk) + size), size);
}

/* Adds chunk c, which contains a single large allocation, after the current chunk in the list. So
 * the free room of the current chunk is still used. c comes from calloc, which gets zeroed pages
 * from the system and need not write them. */
static void *alloc_alone (MtArena *a, Chunk *c, size_t size)
{
   add_chunk (a, c, size);
   if (a->chunks && !ONE_CHUNK_EACH) {
      c->next = a->chunks->next;
      a->chunks->next = c;
   } else {
      c->next = a->chunks;
      a->chunks = c;
      a->used = size;
   }
   return c->data;
}

/* Sets `size` bytes, a multiple of 16, to zero. For the small sizes, which are most, inline stores
 * are faster than a call of memset. */
static void *zeros (uint8_t *p, size_t size)
{
   switch (size) {
   case 128: memset (p + 112, 0, 16); /* fall through */
   case 112: memset (p + 96, 0, 16);  /* fall through */
   case 96: memset (p + 80, 0, 16);   /* fall through */
   case 80: memset (p + 64, 0, 16);   /* fall through */
   case 64: memset (p + 48, 0, 16);   /* fall through */
   case 48: memset (p + 32, 0, 16);   /* fall through */
   case 32: memset (p + 16, 0, 16);   /* fall through */
   case 16: return memset (p, 0, 16);
   default: return memset (p, 0, size);
   }
}

void *mt_alloc (MtArena *a, size_t size)
{
   if (size > SIZE_MAX / 2)
      mt_no_memory (a->name, size);
   if (ONE_CHUNK_EACH) {
      size = size ? size : 1;
      return alloc_alone (a, mt_calloc (a->name, 1, sizeof (Chunk) + size), size);
   }
   size = size ? (size + 15) & ~(size_t) 15 : 16;
   if (!a->chunks || size > a->chunks->size - a->used) {
      if (size > a->next_size / 4 && size > FIRST_CHUNK_BYTES / 4)
         return alloc_alone (a, mt_calloc (a->name, 1, sizeof (Chunk) + size), size);
      Chunk *c = new_chunk (a, a->next_size);
      c->next = a->chunks;
      a->chunks = c;
      a->used = 0;
      if (a->next_size < LARGEST_CHUNK_BYTES)
         a->next_size *= 2;
   }
   uint8_t *p = a->chunks->data + a->used;
   a->used += size;
   return zeros (p, size);
}

#define SMALL_BYTES ((size_t) 256 << 10)

/* The maximum size in bytes of requests that never fail, even while a statement is ending because
 * of a shortage of memory. */
#define LEAST_BYTES ((size_t) 4 << 10)

void *mt_try_alloc (MtArena *a, size_t size)
{
   if (size <= LEAST_BYTES || (size <= SMALL_BYTES && mt_memory_check (NULL)))
      return mt_alloc (a, size);
   if (size <= SMALL_BYTES)
      return NULL;
   Chunk *c = mt_try_calloc (a->name, 1, size > SIZE_MAX / 2 ? size : sizeof *c + size);
   return c ? alloc_alone (a, c, size) : NULL;
}

void *mt_try_alloc_n (MtArena *a, size_t count, size_t size)
{
   size_t total;
   return mt_try_alloc (a, __builtin_mul_overflow (count, size, &total) ? SIZE_MAX : total);
}

char *mt_try_strndup (MtArena *a, const char *p, size_t n)
{
   char *s = mt_try_alloc (a, n + 1);
   if (s && n)
      memcpy (s, p, n);
   return s;
}

void *mt_alloc_n (MtArena *a, size_t count, size_t size)
{
   size_t total;
   if (__builtin_mul_overflow (count, size, &total))
      mt_no_memory (a->name, SIZE_MAX);
   return mt_alloc (a, total);
}

void *mt_try_arena_move (MtArena *a, const void *list, size_t count, size_t cap, size_t size_bytes)
{
   void *more = mt_try_alloc_n (a, cap, size_bytes);
   if (more && count)
      memcpy (more, list, count * size_bytes);
   return more;
}

void *mt_arena_move (MtArena *a, const void *list, size_t count, size_t cap, size_t size_bytes)
{
   void *more = mt_alloc_n (a, cap, size_bytes);
   if (count)
      memcpy (more, list, count * size_bytes);
   return more;
}

char *mt_strndup (MtArena *a, const char *p, size_t n)
{
   char *s = mt_alloc (a, n + 1);
   if (n)
      memcpy (s, p, n);
   return s;
}

char *mt_strdup (MtArena *a, const char *s) { return mt_strndup (a, s, strlen (s)); }

char *mt_vprintf (MtArena *a, const char *fmt, va_list ap)
{
   char small[256]; /* most texts fit here and need to be formatted only once */
   va_list again;
   va_copy (again, ap);
   int n = vsnprintf (small, sizeof small, fmt, again);
   va_end (again);
   if (n < (int) sizeof small)
      return mt_strndup (a, small, n < 0 ? 0 : (size_t) n);
   char *s = mt_alloc (a, (size_t) n + 1);
   vsnprintf (s, (size_t) n + 1, fmt, ap);
   return s;
}

char *mt_printf (MtArena *a, const char *fmt, ...)
{
   va_list ap;
   va_start (ap, fmt);
   char *s = mt_vprintf (a, fmt, ap);
   va_end (ap);
   return s;
}

void mt_arena_defer (MtArena *a, void (*release) (void *), void *thing)
{
   Deferred *d = MT_NEW (a, Deferred);
   d->release = release;
   d->thing = thing;
   d->next = a->deferred;
   a->deferred = d;
}

size_t mt_arena_bytes (const MtArena *a) { return a->held; }
