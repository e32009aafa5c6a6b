/* Files mapped for reading. If a mapped file is truncated, or its device fails, the system sends
 * SIGBUS to the thread that reads the lost bytes.
 *
 * The signal handler then replaces the mapping by zeros, from the lost page to the end, and marks
 * the mapping as lost; the thread continues. The loss is recorded like a shortage of memory
 * (base/memory.h), in the session that mapped the file. Its statement fails with XX001 or 58030,
 * and the message names the file. A lost mapping stays lost. Its users call mt_mapped_check before
 * they read, and mt_mapped_whole before they return or commit data from it.
 *
 * Since bytes can become zeros between two reads, read a length only once, and check it.
 *
 * Each new mapping installs the handler again if the program has installed another one. Faults at
 * other addresses are passed to the program's handler. */
#ifndef MT_MAPPED_H
#define MT_MAPPED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct MtError;
struct MtShortage;

typedef struct MtMapped {
   const uint8_t *base;
   size_t size;
   atomic_uint refs;
   atomic_int lost; /* an MtLoss: why bytes of the file were lost; 0: no bytes were lost */
   /* where a loss is recorded; borrowed, must outlive the mapping. NULL: it is not recorded */
   struct MtShortage *owner;
   /* the file's name as given, and its absolute path; NULL: the file has no name */
   char *path, *whole_path;
   dev_t device;
   ino_t inode;
} MtMapped;

/* Maps the first `size` bytes of an open file, which may be shorter. path: the name for messages.
 * Returns NULL, with errno set, on error. Losses are recorded in the thread's current MtShortage,
 * which must outlive the mapping. The caller owns the result: mt_mapped_unref. */
MtMapped *mt_mapped_new (int fd, size_t size, const char *path);
MtMapped *mt_mapped_hold (MtMapped *m);
void mt_mapped_unref (MtMapped *m); /* NULL is allowed */

/* Returns false if bytes of the mapped file were lost. The error is XX001 if the file was
 * truncated, or 58030 if the device failed. Returns true if m is NULL. */
bool mt_mapped_lost (const MtMapped *m, struct MtError *err);
static inline bool mt_mapped_check (const MtMapped *m, struct MtError *err)
{
   return !m || atomic_load_explicit (&m->lost, memory_order_acquire) == 0 ||
          mt_mapped_lost (m, err);
}
/* Like mt_mapped_check, but also returns false if the file is now shorter than `size` bytes. Then
 * the rest of its last page reads as zeros, without a fault. The path is not used, since it may
 * have been removed or name another file. */
bool mt_mapped_whole (MtMapped *m, uint64_t size, struct MtError *err);
/* Returns whether bytes of any mapped file of the process were lost. */
bool mt_mapped_any_lost (void);

#endif
