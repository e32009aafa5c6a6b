#include "base/mapped.h"

#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The table of all mappings. The signal handler searches the table without a lock. Its entries are
 * never freed. An entry is changed only while no thread reads from its mapping, so the entry for
 * the address of a fault does not change. While the handler searches, other entries may change;
 * then their `base` does not match the address. */

enum { PLACES = 256 };

typedef struct Place {
   /* the mapping's address; 0: the entry is free. Written last when the entry is filled, and
    * cleared first. */
   _Atomic (uintptr_t) base;
   atomic_size_t size;
   _Atomic (MtMapped *) mapped;
} Place;

typedef struct Chunk {
   struct Chunk *next; /* the next chunk; set before this chunk becomes reachable */
   Place places[PLACES];
} Chunk;

static struct {
   pthread_mutex_t lock;
   _Atomic (Chunk *) chunks;
   Chunk first;
   atomic_size_t lost;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER, .chunks = &table.first};

static Place *free_place (void)
{
   for (Chunk *c = atomic_load (&table.chunks); c; c = c->next)
      for (int i = 0; i < PLACES; i++)
         if (!atomic_load (&c->places[i].base))
            return &c->places[i];
   Chunk *c = mt_calloc ("mapped files", 1, sizeof *c);
   c->next = atomic_load (&table.chunks);
   atomic_store (&table.chunks, c);
   return &c->places[0];
}

static void leave (MtMapped *m)
{
   pthread_mutex_lock (&table.lock);
   for (Chunk *c = atomic_load (&table.chunks); c; c = c->next)
      for (int i = 0; i < PLACES; i++)
         if (atomic_load (&c->places[i].base) == (uintptr_t) m->base)
            atomic_store (&c->places[i].base, 0);
   pthread_mutex_unlock (&table.lock);
}

static MtMapped *at_address (uintptr_t at)
{
   for (Chunk *c = atomic_load (&table.chunks); c; c = c->next)
      for (Place *p = c->places; p < c->places + PLACES; p++) {
         uintptr_t base = atomic_load (&p->base);
         size_t size = atomic_load (&p->size);
         MtMapped *m = atomic_load (&p->mapped);
         if (base && at >= base && at - base < size && atomic_load (&p->base) == base)
            return m;
      }
   return NULL;
}

/* ---- the signal handler ---- */

/* A SIGBUS handler that the program had installed before. The structure never changes. If the
 * program installs another handler between two mappings, a new structure is made. */
typedef struct Before {
   struct sigaction action;
   struct Before *older;
} Before;

static _Atomic (Before *) before;
/* While the program's own handler runs: the signal context with which it was called. handed_from:
 * the address of the stack frame that called it. */
static _Atomic (void *) handing_on;
static _Atomic (uintptr_t) handed_from;
static uintptr_t page_size;

static MtLoss loss_of (const MtMapped *m, size_t offset)
{
   struct stat st;
   bool cut = m->whole_path && stat (m->whole_path, &st) == 0 && (uint64_t) st.st_size <= offset;
   return cut ? MT_CUT_SHORT : MT_UNREADABLE;
}

static void mark (MtMapped *m, MtLoss loss)
{
   int none = 0;
   if (atomic_compare_exchange_strong (&m->lost, &none, loss))
      atomic_fetch_add (&table.lost, 1);
   mt_memory_lose (m->owner, loss, m->path);
}

/* Replaces the mapped pages from address `at` to the end of the mapping by zeros, and marks the
 * mapping as lost. Returns false if that failed. */
static bool lose (MtMapped *m, uintptr_t at)
{
   size_t offset = (at - (uintptr_t) m->base) / page_size * page_size;
   int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
   if (mmap ((void *) (m->base + offset), m->size - offset, PROT_READ, flags, -1, 0) == MAP_FAILED)
      return false;
   mark (m, loss_of (m, offset));
   return true;
}

/* Returns whether the program's handler has called this handler for the same signal, which would be
 * an endless recursion. It has if the signal context is the same and this stack frame is below the
 * frame that called the program's handler. If the program's handler ended by longjmp, a new signal
 * may have the same context address, but its frame isn't below. */
static bool came_back (void *context)
{
   uintptr_t frame = (uintptr_t) __builtin_frame_address (0), from = atomic_load (&handed_from);
   bool back = atomic_load (&handing_on) == context && frame < from;
   atomic_store (&handing_on, context);
   atomic_store (&handed_from, frame);
   return back;
}

/* Passes the signal to the program's own handler. If there is none, restores the default action;
 * the fault then happens again when this handler returns, and ends the process. */
static void hand_on (int sig, siginfo_t *info, void *context)
{
   struct sigaction a = atomic_load (&before)->action;
   if (came_back (context)) {
      a.sa_flags = 0;
      a.sa_handler = SIG_DFL;
   }
   if (a.sa_flags & SA_SIGINFO)
      a.sa_sigaction (sig, info, context);
   else if (a.sa_handler != SIG_DFL && a.sa_handler != SIG_IGN)
      a.sa_handler (sig);
   else if (info->si_code > 0 || a.sa_handler == SIG_DFL) {
      sigaction (sig, &a, NULL);
      if (info->si_code <= 0)
         raise (sig);
   }
   atomic_store (&handing_on, NULL);
}

static void on_bus_error (int sig, siginfo_t *info, void *context)
{
   int e = errno;
   MtMapped *m = info->si_code > 0 ? at_address ((uintptr_t) info->si_addr) : NULL;
   if (!m || !lose (m, (uintptr_t) info->si_addr))
      hand_on (sig, info, context);
   errno = e;
}

static void install (void)
{
   int flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
   struct sigaction now, a = {.sa_sigaction = on_bus_error, .sa_flags = flags};
   page_size = (uintptr_t) sysconf (_SC_PAGESIZE);
   sigaction (SIGBUS, NULL, &now);
   if (now.sa_sigaction == on_bus_error && now.sa_flags & SA_SIGINFO)
      return;
   if (now.sa_sigaction != on_bus_error) {
      Before *b = mt_malloc ("mapped files", sizeof *b);
      *b = (Before) {now, atomic_load (&before)};
      atomic_store (&before, b);
   }
   sigemptyset (&a.sa_mask);
   sigaction (SIGBUS, &a, NULL);
}

/* ---- mappings ---- */

static void enter (MtMapped *m)
{
   pthread_mutex_lock (&table.lock);
   install ();
   Place *p = free_place ();
   atomic_store (&p->size, m->size);
   atomic_store (&p->mapped, m);
   atomic_store (&p->base, (uintptr_t) m->base);
   pthread_mutex_unlock (&table.lock);
}

/* Returns the absolute path of a file, so that the file can still be found after chdir.
 * Malloc'ed. */
static char *whole (const char *path)
{
   char *folder = path && path[0] != '/' ? getcwd (NULL, 0) : NULL;
   if (!folder)
      return path ? mt_heap_strdup (path) : NULL;
   char *all = mt_heap_printf ("%s/%s", folder, path);
   free (folder);
   return all;
}

MtMapped *mt_mapped_new (int fd, size_t size, const char *path)
{
   struct stat st;
   void *base = fstat (fd, &st) == 0 ? mt_memory_map (size, fd) : MAP_FAILED;
   if (base == MAP_FAILED)
      return NULL;
   MtMapped *m = mt_calloc ("mapped files", 1, sizeof *m);
   m->base = base;
   m->size = size;
   m->owner = mt_memory_now ();
   m->path = path ? mt_heap_strdup (path) : NULL;
   m->whole_path = whole (path);
   m->device = st.st_dev;
   m->inode = st.st_ino;
   atomic_init (&m->refs, 1);
   enter (m);
   return m;
}

MtMapped *mt_mapped_hold (MtMapped *m)
{
   if (m)
      atomic_fetch_add (&m->refs, 1);
   return m;
}

void mt_mapped_unref (MtMapped *m)
{
   if (!m || atomic_fetch_sub (&m->refs, 1) != 1)
      return;
   leave (m);
   munmap ((void *) (uintptr_t) m->base, m->size);
   if (atomic_load (&m->lost))
      atomic_fetch_sub (&table.lost, 1);
   free (m->path);
   free (m->whole_path);
   free (m);
}

bool mt_mapped_lost (const MtMapped *m, MtError *err)
{
   return mt_memory_loss (atomic_load (&m->lost), m->path, err);
}

bool mt_mapped_whole (MtMapped *m, uint64_t size, MtError *err)
{
   struct stat st;
   if (!mt_mapped_check (m, err))
      return false;
   if (!m || !m->whole_path || stat (m->whole_path, &st) != 0)
      return true;
   if (st.st_ino != m->inode || st.st_dev != m->device || (uint64_t) st.st_size >= size)
      return true;
   mark (m, MT_CUT_SHORT);
   return mt_mapped_lost (m, err);
}

bool mt_mapped_any_lost (void) { return atomic_load (&table.lost) != 0; }
