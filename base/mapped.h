/* Files mapped for reading. Their bytes are lost when a file is cut short, or its device fails.
 *
 * The system then sends SIGBUS to the thread that read. The handler maps zeros from the lost page
 * to the mapping's end, marks the mapping as lost, and the thread goes on. The loss is recorded
 * like a shortage (base/memory.h), in the session that mapped the file: its statement ends with
 * XX001 or 58030 and the file's name. A lost mapping stays lost. Its users call mt_mapped_check
 * before they read, and mt_mapped_whole before they give out or commit what they read.
 *
 * Zeros can appear between any two reads of the same bytes. So a length is read once, and checked.
 *
 * The handler is installed with each mapping, in front of one that the program has installed since.
 * Faults elsewhere go to the program's handler. */
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
   /* where a loss is recorded, borrowed; must outlive the mapping; NULL: nowhere */
   struct MtShortage *owner;
   /* the file's name as given, and its absolute path; NULL: the file has no name */
   char *path, *whole_path;
   dev_t device;
   ino_t inode;
} MtMapped;

/* Maps the first `size` bytes of an open file. The file may be shorter. Returns NULL with errno on
 * error. The thread's MtShortage, in which losses are recorded, must outlive the mapping. Owned by
 * the caller: mt_mapped_unref. */
MtMapped *mt_mapped_new (int fd, size_t size, const char *path);
MtMapped *mt_mapped_hold (MtMapped *m);
void mt_mapped_unref (MtMapped *m); /* NULL is allowed */

/* Returns false if bytes of the mapped file were lost: XX001 the file was shortened, 58030 the
 * device failed. Returns true if m is NULL. */
bool mt_mapped_lost (const MtMapped *m, struct MtError *err);
static inline bool mt_mapped_check (const MtMapped *m, struct MtError *err)
{
   return !m || atomic_load_explicit (&m->lost, memory_order_acquire) == 0 ||
          mt_mapped_lost (m, err);
}
/* Like mt_mapped_check, and also returns false if the file is shorter than `size` now: the rest of
 * its last page reads as zeros without a fault. It doesn't matter if the path was removed or names
 * another file. */
bool mt_mapped_whole (MtMapped *m, uint64_t size, struct MtError *err);
/* Returns whether bytes of any mapped file of the process were lost. */
bool mt_mapped_any_lost (void);

#endif
