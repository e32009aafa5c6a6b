/* The manifest is the log of a store's commits. It lists the collections, and the blocks and
 * deletions of each.
 *
 * It is one file, MANIFEST. It has two head slots of 64 bytes, at 0 and at 4096, which name the
 * newest commit. A log begins at 8192, with one record for each commit:
 *
 *    slot    magic[8] version:4 zero:4 store_id:8 seq:8 log_end:8 chain:8 synced:8 hash:8
 *            hash: XXH3 of the preceding 56 bytes
 *    record  "MREC" length:4 seq:8 chain:8 hash:8 payload[length]
 *            hash: XXH3 of the preceding 24 bytes and the payload
 *
 * `seq` is the number of the commit. A record's `chain` is the hash of the preceding record. A
 * slot's `chain` is the hash of the last record.
 *
 * A commit appends its record, then writes slot seq & 1, where other processes see the commit. Then
 * it syncs the file once. The valid state is the longest sequence of valid records from the
 * beginning of the log:
 *
 *  - After a crash the slots can lag behind the log. Whoever holds the writer's lock takes over the
 *    valid records behind the end that the slots name (adopt).
 *  - After a power loss the slots can be ahead of the log, as the system writes pages in any order.
 *    A record that is not valid then ends the log, if it was never synced: it lies behind `synced`,
 *    the end of the log that was synced when the slot was written, and LOCK names no later commit.
 *    Any other record that is not valid is damage.
 *  - The next writer cuts off the bytes behind the last valid record (mt_manifest_heal).
 *  - After a sync that failed, the system no longer writes those bytes. The store writes nothing
 *    more until it is opened again. Whoever opens it and finds commits that LOCK doesn't name as
 *    synced, writes their records again before its first commit.
 *
 * A slot lies in one sector, which disks write as a whole. Behind the log there may be zeros:
 * syncing is cheaper when the file doesn't grow.
 *
 * The store can be opened despite two kinds of damage, which mt_store_warning reports. If one slot
 * is damaged, the other slot and the record behind its log_end give all commits; the next step
 * rewrites the damaged slot. If the last record is damaged, the older slot gives the state before
 * that commit, which can only be read.
 *
 * The file LOCK contains "PID\nSTORE_ID SEQ CHAIN HASH\n" (io.c): the last commit that was synced.
 * A manifest that ends with a smaller seq is an old copy, whose segment files have been overwritten
 * since. When the log is much larger than the state that it describes, a new manifest with a single
 * record is written and renamed to MANIFEST.
 *
 * All numbers are little-endian. A payload is a list of operations: record_int.h. */
#include "base/memory.h"
#include "engine/local/store/events.h"
#include "engine/local/store/record_int.h"
#include "engine/local/store/manifest_int.h"
#include "engine/local/store/read.h"
#include "engine/local/store/runs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define RECORD_HEAD 32u
#define RECORD_MAGIC 0x4345524Du /* "MREC" */

/* ---- the log ---- */

char *mt_manifest_path (const char *folder, const char *suffix)
{
   char *p = mt_heap_printf ("%s/MANIFEST%s", folder, suffix);
   return p;
}

bool mt_manifest_corrupt (const MtStore *s, uint64_t at, const char *what, MtError *err)
{
   return mt_error (err, MT_E_CORRUPT, "file \"%s/MANIFEST\" is damaged at offset %llu: %s",
                    s->path, (unsigned long long) at, what);
}

static bool apply_record (MtStore *s, const uint8_t *p, size_t avail, uint64_t at, size_t *used,
                          MtError *err)
{
   if (avail < RECORD_HEAD || mt_get32 (p) != RECORD_MAGIC ||
       mt_get32 (p + 4) > avail - RECORD_HEAD)
      return mt_manifest_corrupt (s, at, "no commit record", err);
   uint32_t length = mt_get32 (p + 4);
   XXH64_hash_t seed = XXH3_64bits (p, 24);
   if (XXH3_64bits_withSeed (p + RECORD_HEAD, length, seed) != mt_get64 (p + 24))
      return mt_manifest_corrupt (s, at, "the record's checksum is wrong", err);
   if (mt_get64 (p + 16) != s->chain || mt_get64 (p + 8) != s->seq + 1)
      return mt_manifest_corrupt (s, at, "the record doesn't follow the one before it", err);
   size_t done = mt_record_apply (s, p + RECORD_HEAD, length);
   if (done < length)
      return mt_memory_check (err) &&
             mt_manifest_corrupt (s, at + RECORD_HEAD + done, "an operation can't be read", err);
   s->seq++;
   s->chain = mt_get64 (p + 24);
   *used = RECORD_HEAD + length;
   return true;
}

/* Reads the log from s->log_length up to *end into *log, which the caller frees. If the file is
 * shorter, sets *end to the file's end. */
static bool read_log (MtStore *s, uint64_t *end, uint8_t **log, MtError *err)
{
   struct stat st;
   char *path = mt_manifest_path (s->path, "");
   bool ok = fstat (s->manifest_fd, &st) == 0 || mt_io_error (err, "stat", path);
   if (ok && (uint64_t) st.st_size < *end)
      *end = (uint64_t) st.st_size < s->log_length ? s->log_length : (uint64_t) st.st_size;
   size_t n = (size_t) (*end - s->log_length);
   *log = NULL;
   if (ok && n && !(*log = mt_try_malloc ("store", n)))
      ok = mt_error (err, MT_E_OUT_OF_MEMORY, "out of memory");
   ok = ok && mt_io_read (s->manifest_fd, *log, n, s->log_length, path, err);
   free (path);
   return ok;
}

/* Applies the log's records from s->log_length up to `end`, and advances s->log_length. Fails at
 * the first damaged record. */
static bool apply_log (MtStore *s, uint64_t end, MtError *err)
{
   if (end < s->log_length)
      return mt_manifest_corrupt (s, 0, "the log became shorter", err);
   uint8_t *log;
   uint64_t start = s->log_length, there = end;
   bool ok = read_log (s, &there, &log, err);
   for (size_t used = 0; ok && s->log_length < there; s->log_length += used) {
      used = 0;
      ok = apply_record (s, log + (s->log_length - start), (size_t) (there - s->log_length),
                         s->log_length, &used, err);
   }
   free (log);
   for (size_t i = 0; i < s->coll_count; i++)
      mt_coll_committed (s->colls[i]);
   return there == end
             ? ok
             : mt_error (err, MT_E_CORRUPT, "file \"%s/MANIFEST\" is truncated: %llu bytes of %llu",
                         s->path, (unsigned long long) there, (unsigned long long) end);
}

/* ---- taking over commits ---- */

/* Returns the size of the record at p if it is undamaged and complete within `avail` bytes, else
 * 0. */
static size_t whole_record (const uint8_t *p, size_t avail)
{
   if (avail < RECORD_HEAD || mt_get32 (p) != RECORD_MAGIC ||
       mt_get32 (p + 4) > avail - RECORD_HEAD)
      return 0;
   size_t length = mt_get32 (p + 4);
   return XXH3_64bits_withSeed (p + RECORD_HEAD, length, XXH3_64bits (p, 24)) == mt_get64 (p + 24)
             ? RECORD_HEAD + length
             : 0;
}

/* Returns whether an undamaged record lies at offset `at` of the log. */
static bool is_whole_at (MtStore *s, uint64_t at)
{
   uint8_t head[RECORD_HEAD];
   struct stat st;
   MtError ignored;
   mt_error_clear (&ignored);
   if (fstat (s->manifest_fd, &st) != 0 || (uint64_t) st.st_size < at + RECORD_HEAD ||
       !mt_io_read (s->manifest_fd, head, sizeof head, at, s->path, &ignored) ||
       mt_get32 (head) != RECORD_MAGIC ||
       mt_get32 (head + 4) > (uint64_t) st.st_size - at - RECORD_HEAD)
      return false;
   size_t n = RECORD_HEAD + mt_get32 (head + 4);
   uint8_t *p = mt_try_malloc ("store", n);
   bool whole = p && mt_io_read (s->manifest_fd, p, n, at, s->path, &ignored) &&
                whole_record (p, n);
   free (p);
   return whole;
}

/* Returns whether the header of the next record (commit s->seq + 1) follows the log that was
 * applied so far. *length is the record's size. *any is true unless the bytes at its place are all
 * zeros. */
static bool is_next_record (MtStore *s, uint64_t *length, bool *any)
{
   uint8_t head[RECORD_HEAD] = {0};
   ssize_t n = pread (s->manifest_fd, head, sizeof head, (off_t) s->log_length);
   *any = false;
   for (ssize_t i = 0; i < n; i++)
      *any |= head[i] != 0;
   *length = RECORD_HEAD + (uint64_t) mt_get32 (head + 4);
   return n == (ssize_t) sizeof head && mt_get32 (head) == RECORD_MAGIC &&
          mt_get64 (head + 8) == s->seq + 1 && mt_get64 (head + 16) == s->chain;
}

/* Returns whether an undamaged record of the next commit follows the log that was applied so
 * far. */
static bool is_next_whole (MtStore *s)
{
   uint64_t length;
   bool any;
   return is_next_record (s, &length, &any) && is_whole_at (s, s->log_length);
}

/* Returns whether the file has bytes other than zero behind the log that was applied so far. */
static bool any_behind (const MtStore *s)
{
   uint8_t p[4096];
   off_t at = (off_t) s->log_length;
   ssize_t n;
   for (; (n = pread (s->manifest_fd, p, sizeof p, at)) > 0; at += n)
      if (p[0] || memcmp (p, p + 1, (size_t) n - 1) != 0)
         return true;
   return n < 0;
}

/* Called if one head slot is damaged: the newest commit can be one record later than the other slot
 * says. Applies that record if it exists. If the record is damaged, sets s->lost_seq to its
 * number. */
static bool apply_last_record (MtStore *s, MtError *err)
{
   uint64_t length;
   bool any;
   MtError why;
   if (!is_next_record (s, &length, &any))
      return true;
   mt_error_clear (&why);
   if (apply_log (s, s->log_length + length, &why))
      return true;
   s->lost_seq = s->seq + 1;
   if (mt_error_is (&why, MT_E_CORRUPT))
      return true;
   *err = why;
   return false;
}

/* Applies the valid records behind the log's end according to the head slots. The caller holds the
 * writer's lock, or no other process can write. */
static bool adopt (MtStore *s, MtError *err)
{
   uint64_t length;
   bool any;
   while (is_next_record (s, &length, &any) && is_whole_at (s, s->log_length)) {
      if (!apply_log (s, s->log_length + length, err))
         return false;
      s->ahead = true;
   }
   return true;
}

static bool take_over (MtStore *s, const MtHead *h, MtError *err)
{
   const MtSlot *t = &h->newest;
   s->bad_slot = h->bad_slot;
   uint32_t version = h->bad_slot < 0 && h->older.version < t->version ? h->older.version
                                                                       : t->version;
   s->old_slots = version < MT_STORE_VERSION;
   s->old_log = version < MT_STORE_VERSION_LOG;
   if ((t->seq == s->seq && t->chain == s->chain) || (s->lost_seq && t->seq <= s->lost_seq) ||
       (s->torn_seq && t->seq <= s->torn_seq && !is_next_whole (s)))
      return true;
   if (t->seq < s->seq && (s->ahead || (h->bad_slot >= 0 && t->seq + 1 == s->seq)))
      return true; /* the records behind the slot's end are already applied */
   if (!apply_log (s, t->log_end, err))
      return false;
   if (s->seq != t->seq || s->chain != t->chain)
      return mt_manifest_corrupt (s, (t->seq & 1) * 4096, "the head slot doesn't belong to the log",
                                  err);
   s->ahead = false;
   s->torn_seq = 0;
   return h->bad_slot < 0 || apply_last_record (s, err);
}

/* Applies the commits when the store is opened. Two kinds of damage are no error: an unsynced
 * record that a power loss left incomplete ends the log (s->torn_seq), and a damaged last record is
 * left out (s->lost_seq). */
static bool take_over_readable (MtStore *s, const MtHead *h, const MtStamp *stamp, MtError *err)
{
   MtError why;
   mt_error_clear (&why);
   if (take_over (s, h, &why))
      return true;
   /* If the log's first record is damaged, the number of its commit is unknown. */
   uint64_t before = s->log_length > MT_LOG_START ? s->seq : 1;
   bool damaged = mt_error_is (&why, MT_E_CORRUPT), last = s->seq + 1 == h->newest.seq,
        synced = s->log_length < h->newest.synced ||
                 (stamp->store_id == s->store_id && stamp->seq > before);
   if (damaged && !synced && !is_whole_at (s, s->log_length)) {
      s->torn_seq = h->newest.seq;
      s->seq = before;
      return true;
   }
   if (damaged && last && s->log_length > MT_LOG_START) {
      s->lost_seq = h->newest.seq;
      return true;
   }
   *err = why;
   return false;
}

/* When a store is opened: applies valid records that a killed writer or a power loss left behind
 * the end that the head slots name. If another process holds the writer's lock, does nothing,
 * because that process does it. */
static bool adopt_on_opening (MtStore *s, MtError *err)
{
   uint64_t length;
   bool any;
   /* Older programs ignored what the slots don't name. */
   if (s->lost_seq || s->torn_seq || s->bad_slot >= 0 || s->old_log ||
       !is_next_record (s, &length, &any))
      return true;
   int fd = mt_store_try_lock (s);
   if (fd < 0)
      return true;
   /* Read the head slots again: the writer may have updated them before it released the lock. */
   MtHead h;
   bool ok = mt_head_read (s, &h, err) && take_over (s, &h, err) && adopt (s, err);
   close (fd);
   return ok;
}

static void warn (MtStore *s)
{
   mt_error_clear (&s->warning);
   if (s->lost_seq) {
      mt_manifest_corrupt (s, s->log_length, "the last commit can't be read and is left out",
                           &s->warning);
      mt_error_hint (
         &s->warning,
         "The store can be read, not written. Save it as a new store: mtsql --salvage FOLDER "
         "NEWFOLDER.");
   } else if (s->torn_seq) {
      mt_error (&s->warning, MT_E_CORRUPT,
                "the commits behind number %llu of store \"%s\" were not on the disk completely, "
                "and are left out",
                (unsigned long long) s->seq, s->path);
      mt_error_hint (&s->warning, "They had not been synced when the machine stopped. The next "
                                  "write cuts them off.");
   } else if (s->bad_slot >= 0) {
      mt_manifest_corrupt (s, (uint64_t) s->bad_slot * 4096, "a head slot's checksum is wrong",
                           &s->warning);
      mt_error_hint (
         &s->warning,
         "The other head slot is whole and nothing is lost. The next write repairs the damage.");
   }
}

/* ---- a manifest that is an old copy ---- */

/* Fails if the manifest is an old copy, that is if the file LOCK names a later commit. `stamp` must
 * be read from LOCK before the head slots, so that commits made meanwhile do not look like a newer
 * LOCK. */
static bool check_stale (const MtStore *s, const MtStamp *stamp, MtError *err)
{
   bool stale = stamp->store_id == s->store_id &&
                (stamp->seq > s->seq || (stamp->seq == s->seq && stamp->chain != s->chain));
   if (!stale || stamp->seq == s->lost_seq)
      return true;
   mt_error (
      err, MT_E_CORRUPT,
      "file \"%s/MANIFEST\" is an old copy: it ends with commit %llu, and commit %llu was made",
      s->path, (unsigned long long) s->seq, (unsigned long long) stamp->seq);
   return mt_error_hint (
      err,
      "Put the newest MANIFEST back, or save what is there as a new store: mtsql --salvage FOLDER "
      "NEWFOLDER.");
}

/* ---- opening ---- */

/* Writes the two head slots of a new manifest, for the commits t->seq - 1 and t->seq. Both have the
 * same end of the log. */
static bool write_slots (int fd, const char *path, const MtSlot *t, MtError *err)
{
   uint8_t page[MT_LOG_START];
   memset (page, 0, sizeof page);
   MtSlot older = *t;
   older.seq--;
   mt_slot_write (page + (older.seq & 1) * 4096, &older);
   mt_slot_write (page + (t->seq & 1) * 4096, t);
   return mt_io_write (fd, page, sizeof page, 0, path, err);
}

bool mt_manifest_make (const char *folder, MtError *err)
{
   char *path = mt_manifest_path (folder, ""), *temp = NULL;
   MtSlot t = {MT_STORE_VERSION, 0, 1, MT_LOG_START, 0, MT_LOG_START};
   if (getrandom (&t.store_id, sizeof t.store_id, 0) != sizeof t.store_id)
      t.store_id = (uint64_t) time (NULL) ^ (uint64_t) getpid () << 32;
   temp = mt_heap_printf ("%s/MANIFEST.%ld", folder, (long) getpid ());
   bool ok = true;
   int fd = open (temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
   if (fd < 0)
      ok = mt_io_error (err, "create", temp);
   ok = ok && write_slots (fd, temp, &t, err) && mt_io_sync (fd, temp, err);
   /* link fails if the file exists: if two processes create the store at the same time, the first
    * one wins. rename is only for file systems without links. */
   if (ok && link (temp, path) != 0 && access (path, F_OK) != 0 && rename (temp, path) != 0)
      ok = mt_io_error (err, "create", path);
   ok = ok && mt_io_sync_dir (folder, err);
   if (fd >= 0) {
      close (fd);
      unlink (temp);
   }
   free (temp);
   free (path);
   return ok;
}

bool mt_manifest_open (MtStore *s, MtError *err)
{
   char *path = mt_manifest_path (s->path, "");
   struct stat st;
   if (s->manifest_fd >= 0)
      close (s->manifest_fd);
   s->manifest_fd = open (path, (s->read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC);
   if (s->manifest_fd < 0 && (errno == EACCES || errno == EROFS) && !s->read_only) {
      s->manifest_fd = open (path, O_RDONLY | O_CLOEXEC);
      s->read_only = s->manifest_fd >= 0;
   }
   bool ok = s->manifest_fd >= 0 && fstat (s->manifest_fd, &st) == 0;
   if (!ok)
      mt_io_error (err, "open", path);
   free (path);
   if (!ok)
      return false;
   while (s->coll_count)
      mt_store_forget (s, s->colls[s->coll_count - 1]);
   s->absent = false;
   s->manifest_dev = st.st_dev;
   s->manifest_ino = st.st_ino;
   s->next_id = 1;
   s->lost_seq = s->torn_seq = 0;
   s->log_room = 0;
   s->ahead = false;
   MtHead h;
   MtStamp stamp;
   mt_stamp_read (s, &stamp);
   if (!mt_head_read (s, &h, err))
      return false;
   s->store_id = h.newest.store_id;
   s->log_length = MT_LOG_START;
   s->chain = 0;
   s->seq = 1;
   /* A compacted log does not begin with the first commit, so the numbers to start from (seq,
    * chain) are in its first record. */
   uint8_t head[RECORD_HEAD];
   if (h.newest.log_end > MT_LOG_START) {
      if (!mt_io_read (s->manifest_fd, head, sizeof head, MT_LOG_START, s->path, err))
         return false;
      s->seq = mt_get64 (head + 8) - 1;
   }
   s->synced_end = h.newest.synced;
   s->synced_seq = 0;
   if (!take_over_readable (s, &h, &stamp, err) || !adopt_on_opening (s, err) ||
       !check_stale (s, &stamp, err))
      return false;
   s->unsure = stamp.store_id != s->store_id || stamp.seq < s->seq;
   s->committed_next_id = s->next_id;
   warn (s);
   return true;
}

/* Writes the records again that may never have been synced. */
static bool rewrite_tail (MtStore *s, MtError *err)
{
   if (!s->unsure || s->synced_end >= s->log_length)
      return true;
   size_t n = (size_t) (s->log_length - s->synced_end);
   char *path = mt_manifest_path (s->path, "");
   uint8_t *tail = mt_try_malloc ("store", n);
   bool ok = tail ? mt_io_read (s->manifest_fd, tail, n, s->synced_end, path, err) &&
                       mt_io_write (s->manifest_fd, tail, n, s->synced_end, path, err)
                  : mt_error (err, MT_E_OUT_OF_MEMORY, "out of memory");
   free (tail);
   free (path);
   return ok;
}

/* Writes both slots anew, behind everything that they name. */
static bool rewrite_slots (MtStore *s, MtError *err)
{
   char *path = mt_manifest_path (s->path, "");
   bool ok = mt_io_sync (s->manifest_fd, path, err);
   if (ok) {
      s->synced_seq = s->seq;
      s->synced_end = s->log_length;
      MtSlot t = mt_head_slot (s, s->seq);
      ok = write_slots (s->manifest_fd, path, &t, err) && mt_io_sync (s->manifest_fd, path, err);
   }
   free (path);
   if (ok)
      mt_stamp_write (s, s->seq, s->chain);
   return ok;
}

bool mt_manifest_heal (MtStore *s, MtError *err)
{
   uint64_t length;
   bool any, ok = true;
   if (s->temporary || mt_group_waiting (s))
      return true;
   bool next = is_next_record (s, &length, &any) && !s->old_log;
   /* A power loss can leave records behind torn ones. They would follow a new record that has the
    * bytes of the torn one. */
   if (!any && !s->tidied)
      any = any_behind (s);
   if (s->bad_slot < 0 && !s->torn_seq && !s->ahead && !s->old_slots && !s->unsure && !any)
      return true;
   mt_group_enter (s);
   if (next)
      ok = adopt (s, err);
   if (ok && ftruncate (s->manifest_fd, (off_t) s->log_length) != 0)
      ok = mt_io_error (err, "truncate", s->path);
   ok = ok && rewrite_tail (s, err) && rewrite_slots (s, err);
   if (ok) {
      s->bad_slot = -1;
      s->torn_seq = 0;
      s->ahead = s->old_slots = s->old_log = s->unsure = false;
      s->committed_next_id = s->next_id;
   }
   mt_group_leave (s);
   return ok;
}

/* Returns whether the store does not exist yet, because nothing was written. */
static bool is_absent (const MtStore *s)
{
   char *path = s->absent ? mt_manifest_path (s->path, "") : NULL;
   bool absent = path && access (path, F_OK) != 0;
   free (path);
   return absent;
}

/* Applies commits that other processes have written since. If this process has commits that wait
 * for their sync, it holds the writer's lock, so there is nothing to apply. */
static bool refresh (MtStore *s, MtError *err)
{
   if (mt_group_waiting (s) || is_absent (s))
      return true;
   char *path = mt_manifest_path (s->path, "");
   struct stat st;
   bool ok = stat (path, &st) == 0;
   if (!ok)
      mt_io_error (err, "open", path);
   free (path);
   if (!ok)
      return false;
   if (st.st_dev != s->manifest_dev || st.st_ino != s->manifest_ino)
      return mt_manifest_open (s, err);
   MtHead h;
   if (!mt_head_read (s, &h, err) || !take_over (s, &h, err))
      return false;
   s->committed_next_id = s->next_id;
   return true;
}

bool mt_manifest_refresh (MtStore *s, MtError *err)
{
   if (s->temporary || s->in_step || s->frozen)
      return true;
   mt_group_enter (s);
   bool ok = refresh (s, err);
   mt_group_leave (s);
   return ok;
}

bool mt_manifest_is_newest (MtStore *s, bool *newest, MtError *err)
{
   *newest = true;
   if (s->temporary || is_absent (s))
      return true;
   char *path = mt_manifest_path (s->path, "");
   struct stat st;
   MtHead h;
   bool ok = stat (path, &st) == 0 || mt_io_error (err, "open", path);
   free (path);
   if (!ok)
      return false;
   *newest = st.st_dev == s->manifest_dev && st.st_ino == s->manifest_ino;
   if (!*newest)
      return true;
   if (!mt_head_read (s, &h, err))
      return false;
   *newest = (h.newest.seq == s->seq && h.newest.chain == s->chain) ||
             (h.newest.seq < s->seq && (s->ahead || h.bad_slot >= 0));
   return true;
}

/* ---- salvaging a damaged manifest ---- */

/* Returns the end of the log according to the newer undamaged head slot, and sets s->store_id; n if
 * both slots are damaged. `p` has the n bytes of the manifest. Valid records can follow behind the
 * result. */
static uint64_t salvage_end (MtStore *s, const uint8_t *p, size_t n)
{
   MtSlot t[2];
   bool good[2] = {n >= MT_SLOT_SIZE && mt_slot_read (p, &t[0]),
                   n >= 4096 + MT_SLOT_SIZE && mt_slot_read (p + 4096, &t[1])};
   if (!good[0] && !good[1])
      return n;
   const MtSlot *newest = &t[good[1]];
   if (good[0] && good[1])
      newest = &t[t[1].seq > t[0].seq];
   s->store_id = newest->store_id;
   return newest->log_end < n ? newest->log_end : n;
}

static void salvage_log (MtStore *s, const uint8_t *p, size_t n, uint64_t *lost)
{
   bool damaged = false;
   size_t end = (size_t) salvage_end (s, p, n);
   for (size_t at = MT_LOG_START, size; at < n; at += size ? size : 1) {
      size = whole_record (p + at, n - at);
      if (at >= end && !size)
         break;
      if (!size) {
         *lost += !damaged;
         damaged = true;
         continue;
      }
      if (at >= end && mt_get64 (p + at + 16) != s->chain)
         break;
      damaged = false;
      *lost += mt_record_apply (s, p + at + RECORD_HEAD, size - RECORD_HEAD) < size - RECORD_HEAD;
      s->seq = mt_get64 (p + at + 8);
      s->chain = mt_get64 (p + at + 24);
   }
}

bool mt_manifest_salvage (MtStore *s, uint64_t *lost, MtError *err)
{
   struct stat st;
   MtStamp stamp;
   char *path = mt_manifest_path (s->path, "");
   int fd = open (path, O_RDONLY | O_CLOEXEC);
   bool ok = fd >= 0 ? fstat (fd, &st) == 0 : errno == ENOENT;
   if (!ok)
      mt_io_error (err, "open", path);
   *lost = fd < 0;
   size_t n = ok && fd >= 0 ? (size_t) st.st_size : 0;
   uint8_t *all = n ? malloc (n) : NULL;
   if (n && !all)
      ok = mt_error (err, MT_E_OUT_OF_MEMORY, "out of memory");
   ok = ok && mt_io_read (fd, all, n, 0, path, err);
   if (ok && n) {
      *lost += n <= MT_LOG_START;
      salvage_log (s, all, n, lost);
      mt_stamp_read (s, &stamp);
      *lost += stamp.store_id == s->store_id && stamp.seq > s->seq;
   }
   if (fd >= 0)
      close (fd);
   free (all);
   free (path);
   return ok;
}

/* ---- committing ---- */

static void record_head (uint8_t head[RECORD_HEAD], const MtBuf *payload, uint64_t seq,
                         uint64_t chain)
{
   mt_put32 (head, RECORD_MAGIC);
   mt_put32 (head + 4, (uint32_t) payload->n);
   mt_put64 (head + 8, seq);
   mt_put64 (head + 16, chain);
   mt_put64 (head + 24, XXH3_64bits_withSeed (payload->p, payload->n, XXH3_64bits (head, 24)));
}

static bool append_record (const MtBuf *record, int fd, const char *path, MtSlot *t, MtError *err)
{
   uint8_t head[RECORD_HEAD];
   if (record->n > UINT32_MAX)
      return mt_error (err, MT_E_LIMIT, "a step changes too many documents for one commit");
   record_head (head, record, t->seq, t->chain);
   struct iovec parts[2] = {{head, sizeof head}, {record->p, record->n}};
   if (!mt_io_write_parts (fd, parts, 2, t->log_end, path, err))
      return false;
   t->log_end += sizeof head + record->n;
   t->chain = mt_get64 (head + 24);
   return true;
}

/* After several commits in a row, enlarges the manifest by zeros behind the log. Syncing is cheaper
 * while the file doesn't grow. Ignores failures. */
static void make_room (MtStore *s)
{
   enum { AFTER_COMMITS = 16, ROOM = 64 << 10 };
   static const uint8_t zeros[ROOM];
   if (++s->commits_in_row < AFTER_COMMITS || s->log_length < s->log_room)
      return;
   struct stat st;
   if (fstat (s->manifest_fd, &st) != 0)
      return;
   s->log_room = (uint64_t) st.st_size;
   if (s->log_length < s->log_room)
      return;
   if (pwrite (s->manifest_fd, zeros, ROOM, (off_t) s->log_length) > 0)
      s->log_room = s->log_length + ROOM;
}

/* Truncates the log behind the last commit, after a record could not be committed. Otherwise a
 * later writer would apply that record. */
static bool cut_record (const MtStore *s)
{
   return ftruncate (s->manifest_fd, (off_t) s->log_length) == 0;
}

bool mt_manifest_commit (MtStore *s, const MtBuf *record, bool publish, bool *unknown, MtError *err)
{
   *unknown = false;
   if (s->temporary)
      return true;
   char *path = mt_manifest_path (s->path, "");
   MtSlot t = mt_head_slot (s, s->seq + 1), before = mt_head_slot (s, s->seq);
   bool ok = append_record (record, s->manifest_fd, path, &t, err);
   free (path);
   if (ok) {
      s->seq = t.seq;
      s->chain = t.chain;
      s->log_length = t.log_end;
      ok = !publish || mt_head_write (s, err);
   }
   if (ok) {
      make_room (s);
      return true;
   }
   s->seq = before.seq;
   s->chain = before.chain;
   s->log_length = before.log_end;
   *unknown = !cut_record (s);
   return false;
}

bool mt_manifest_compact_due (const MtStore *s)
{
   uint64_t live = 0, logged = 0;
   for (size_t i = 0; i < s->coll_count; i++) {
      const MtColl *c = s->colls[i];
      live += 256 + (c->runs ? c->runs->count * 41u : 0) +
              c->block_count * (48 + 48 * (uint64_t) c->field_count) + c->event_queue.n +
              mt_events_bytes (c->events);
      logged += c->logged_bytes;
   }
   return !s->temporary && s->log_length > (128u << 10) + 4 * live + 2 * logged;
}

bool mt_manifest_compact (MtStore *s, MtError *err)
{
   char *path = mt_manifest_path (s->path, ""), *temp = mt_manifest_path (s->path, ".new");
   MtSlot t = {MT_STORE_VERSION, s->store_id, s->seq + 1, MT_LOG_START, 0, 0};
   struct stat st;
   mt_buf_clear (&s->record);
   mt_record_whole (s);
   bool ok = true;
   int fd = open (temp, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
   if (fd < 0)
      ok = mt_io_error (err, "create", temp);
   ok = ok && append_record (&s->record, fd, temp, &t, err);
   t.synced = t.log_end;
   ok = ok && write_slots (fd, temp, &t, err) && mt_io_sync (fd, temp, err);
   if (ok && (fstat (fd, &st) != 0 || rename (temp, path) != 0))
      ok = mt_io_error (err, "replace", path);
   if (ok) {
      close (s->manifest_fd);
      s->manifest_fd = fd;
      s->log_room = 0;
      s->manifest_dev = st.st_dev;
      s->manifest_ino = st.st_ino;
      s->seq = t.seq;
      s->chain = t.chain;
      s->log_length = t.log_end;
      ok = mt_io_sync_dir (s->path, err);
      if (ok) {
         s->synced_seq = t.seq;
         s->synced_end = t.log_end;
         mt_stamp_write (s, t.seq, t.chain);
      }
   } else if (fd >= 0) {
      close (fd);
      unlink (temp);
   }
   mt_buf_clear (&s->record);
   free (temp);
   free (path);
   return ok;
}
