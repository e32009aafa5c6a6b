/* The manifest lists the collections, and the blocks and deletions of each.
 *
 * It is one file, MANIFEST. It has two head slots of 64 bytes, at 0 and at 4096. A log begins at
 * 8192, with one record for each commit:
 *
 *    slot    magic[8] version:4 zero:4 store_id:8 seq:8 log_end:8 chain:8 zero:8 hash:8
 *            hash: XXH3 of the 56 bytes before
 *    record  "MREC" length:4 seq:8 chain:8 hash:8 payload[length]
 *            hash: XXH3 of the 24 bytes before and the payload
 *
 * A record's `chain` is the hash of the record before. A slot's `chain` is the hash of the last
 * record. A commit appends its record and syncs. Then it writes slot seq & 1 and syncs again. The
 * newer slot has the end of the log. Bytes behind that end belong to a commit that was not
 * completed. Everything before the end must be undamaged, so an incomplete commit is not mistaken
 * for damage. A slot lies in one sector, which disks write as a whole. Two slots whose numbers are
 * not neighbours (seq, seq + 1) are damaged.
 *
 * The store opens despite two kinds of damage, and mt_store_warning reports them. If one slot is
 * damaged, the other slot and the record behind its log_end give all commits; the next step writes
 * the slot anew. If the last record is damaged, the older slot gives the state before it, which
 * can be read.
 *
 * The file LOCK has "PID\nSTORE_ID SEQ CHAIN\n" (io.c) of the last commit, written after the slot.
 * A manifest with a smaller seq is an old copy, whose segments have been overwritten since. When
 * the log is much larger than the state, it is replaced by a single record: written anew and
 * renamed.
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
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define SLOT_SIZE 64u
#define LOG_START 8192u
#define RECORD_HEAD 32u
#define RECORD_MAGIC 0x4345524Du /* "MREC" */

static const char slot_magic[8] = {'m', 't', 's', 'q', 'l', 's', 't', '\n'};

/* ---- the log ---- */

static char *manifest_path (const char *folder, const char *suffix)
{
   char *p = mt_heap_printf ("%s/MANIFEST%s", folder, suffix);
   return p;
}

static bool corrupt (const MtStore *s, uint64_t at, const char *what, MtError *err)
{
   return mt_error (err, MT_E_CORRUPT, "file \"%s/MANIFEST\" is damaged at offset %llu: %s",
                    s->path, (unsigned long long) at, what);
}

static bool apply_record (MtStore *s, const uint8_t *p, size_t avail, uint64_t at, size_t *used,
                          MtError *err)
{
   if (avail < RECORD_HEAD || mt_get32 (p) != RECORD_MAGIC ||
       mt_get32 (p + 4) > avail - RECORD_HEAD)
      return corrupt (s, at, "no commit record", err);
   uint32_t length = mt_get32 (p + 4);
   XXH64_hash_t seed = XXH3_64bits (p, 24);
   if (XXH3_64bits_withSeed (p + RECORD_HEAD, length, seed) != mt_get64 (p + 24))
      return corrupt (s, at, "the record's checksum is wrong", err);
   if (mt_get64 (p + 16) != s->chain || mt_get64 (p + 8) != s->seq + 1)
      return corrupt (s, at, "the record doesn't follow the one before it", err);
   size_t done = mt_record_apply (s, p + RECORD_HEAD, length);
   if (done < length)
      return mt_memory_check (err) &&
             corrupt (s, at + RECORD_HEAD + done, "an operation can't be read", err);
   s->seq++;
   s->chain = mt_get64 (p + 24);
   *used = RECORD_HEAD + length;
   return true;
}

/* Reads the manifest's log from s->log_length up to *end, or up to the end of the file, and sets
 * *end. The caller frees *log. */
static bool read_log (MtStore *s, uint64_t *end, uint8_t **log, MtError *err)
{
   struct stat st;
   char *path = manifest_path (s->path, "");
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

/* Applies the records of the manifest's log from s->log_length up to `end`, or up to the first
 * damaged record. */
static bool apply_log (MtStore *s, uint64_t end, MtError *err)
{
   if (end < s->log_length)
      return corrupt (s, 0, "the log became shorter", err);
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

/* ---- the slots ---- */

typedef struct Slot {
   uint32_t version;
   uint64_t store_id, seq, log_end, chain;
} Slot;

static void slot_write (uint8_t p[SLOT_SIZE], const Slot *t)
{
   memset (p, 0, SLOT_SIZE);
   memcpy (p, slot_magic, 8);
   mt_put32 (p + 8, t->version);
   mt_put64 (p + 16, t->store_id);
   mt_put64 (p + 24, t->seq);
   mt_put64 (p + 32, t->log_end);
   mt_put64 (p + 40, t->chain);
   mt_put64 (p + 56, XXH3_64bits (p, 56));
}

static bool slot_read (const uint8_t p[SLOT_SIZE], Slot *t)
{
   t->version = mt_get32 (p + 8);
   t->store_id = mt_get64 (p + 16);
   t->seq = mt_get64 (p + 24);
   t->log_end = mt_get64 (p + 32);
   t->chain = mt_get64 (p + 40);
   return memcmp (p, slot_magic, 8) == 0 && XXH3_64bits (p, 56) == mt_get64 (p + 56);
}

/* The two head slots of the manifest. If one is damaged, `newest` is the other slot, and `older`
 * is not set. */
typedef struct Head {
   Slot newest, older;
   int bad_slot; /* index of the damaged slot; -1: none */
} Head;

static bool read_slots (MtStore *s, uint8_t raw[2][SLOT_SIZE], MtError *err)
{
   char *path = manifest_path (s->path, "");
   bool ok = mt_io_read (s->manifest_fd, raw[0], SLOT_SIZE, 0, path, err) &&
             mt_io_read (s->manifest_fd, raw[1], SLOT_SIZE, 4096, path, err);
   free (path);
   return ok;
}

static bool check_version (const MtStore *s, const Slot *t, MtError *err)
{
   return t->version <= MT_STORE_VERSION ||
          mt_error (err, MT_E_FEATURE,
                    "store \"%s\" has format version %u; this program knows versions up to %u",
                    s->path, t->version, MT_STORE_VERSION);
}

/* Reads the head slots. Retries if a slot looks damaged, because a writer may be writing it. */
static bool read_head (MtStore *s, Head *out, MtError *err)
{
   uint8_t raw[2][SLOT_SIZE];
   Slot t[2];
   bool good[2] = {false, false};
   for (int tries = 0; tries < 5 && !(good[0] && good[1]); tries++) {
      if (tries)
         nanosleep (&(struct timespec) {0, 200000}, NULL);
      if (!read_slots (s, raw, err))
         return false;
      for (int i = 0; i < 2; i++)
         good[i] = slot_read (raw[i], &t[i]);
   }
   if (memcmp (raw[0], slot_magic, 8) != 0 && memcmp (raw[1], slot_magic, 8) != 0)
      return mt_error (err, MT_E_CORRUPT, "file \"%s/MANIFEST\" is not an mtsql store's", s->path);
   /* A later version may compute checksums in another way. */
   if (!good[0] && !good[1] && t[0].version == t[1].version && t[0].version < 1000 &&
       !check_version (s, &t[0], err))
      return false;
   if (!good[0] && !good[1])
      return corrupt (s, 0, "the checksums of both head slots are wrong", err);
   int newer = good[0] && good[1] ? t[1].seq > t[0].seq : good[1];
   out->bad_slot = good[!newer] ? -1 : !newer;
   out->newest = t[newer];
   out->older = t[!newer];
   if (!check_version (s, &t[newer], err) || (good[!newer] && !check_version (s, &t[!newer], err)))
      return false;
   bool whole = (t[newer].seq & 1) == (uint64_t) newer && t[newer].log_end >= LOG_START;
   if (whole && good[!newer])
      whole = t[newer].seq == t[!newer].seq + 1 && t[0].store_id == t[1].store_id &&
              t[newer].log_end >= t[!newer].log_end;
   return whole || corrupt (s, newer ? 4096 : 0, "the head slots contradict each other", err);
}

/* Applies the last record when the slot that pointed to it is damaged. The record lies behind
 * the end of the log according to the other slot. */
static bool apply_last_record (MtStore *s, MtError *err)
{
   uint8_t head[RECORD_HEAD];
   struct stat st;
   if (fstat (s->manifest_fd, &st) != 0 || (uint64_t) st.st_size < s->log_length + RECORD_HEAD)
      return true;
   if (!mt_io_read (s->manifest_fd, head, sizeof head, s->log_length, s->path, err))
      return false;
   if (mt_get32 (head) != RECORD_MAGIC || mt_get64 (head + 8) != s->seq + 1 ||
       mt_get64 (head + 16) != s->chain)
      return true;
   MtError why;
   mt_error_clear (&why);
   if (apply_log (s, s->log_length + RECORD_HEAD + mt_get32 (head + 4), &why))
      return true;
   s->lost_seq = s->seq + 1;
   if (mt_error_is (&why, MT_E_CORRUPT))
      return true;
   *err = why;
   return false;
}

static bool take_over (MtStore *s, const Head *h, MtError *err)
{
   const Slot *t = &h->newest;
   s->bad_slot = h->bad_slot;
   if ((t->seq == s->seq && t->chain == s->chain) || (s->lost_seq && t->seq <= s->lost_seq))
      return true;
   if (h->bad_slot >= 0 && t->seq + 1 == s->seq)
      return true; /* the last record is already applied */
   if (!apply_log (s, t->log_end, err))
      return false;
   if (s->seq != t->seq || s->chain != t->chain)
      return corrupt (s, (t->seq & 1) * 4096, "the head slot doesn't belong to the log", err);
   return h->bad_slot < 0 || apply_last_record (s, err);
}

/* Applies the commits when the store is opened. If the last record is damaged, keeps the state
 * before it. */
static bool take_over_readable (MtStore *s, const Head *h, MtError *err)
{
   MtError why;
   mt_error_clear (&why);
   if (take_over (s, h, &why))
      return true;
   if (mt_error_is (&why, MT_E_CORRUPT) && s->log_length > LOG_START &&
       s->seq + 1 == h->newest.seq) {
      s->lost_seq = h->newest.seq;
      return true;
   }
   *err = why;
   return false;
}

static void warn (MtStore *s)
{
   mt_error_clear (&s->warning);
   if (s->lost_seq) {
      corrupt (s, s->log_length, "the last commit can't be read and is left out", &s->warning);
      mt_error_hint (
         &s->warning,
         "The store can be read, not written. Save it as a new store: mtsql --salvage FOLDER "
         "NEWFOLDER.");
   } else if (s->bad_slot >= 0) {
      corrupt (s, (uint64_t) s->bad_slot * 4096, "a head slot's checksum is wrong", &s->warning);
      mt_error_hint (
         &s->warning,
         "The other head slot is whole and nothing is lost. The next write repairs the damage.");
   }
}

/* ---- a manifest that is an old copy ---- */

/* Fails if the manifest is an old copy: the file LOCK contains a later commit. `stamp` was read
 * from LOCK before the slots, so other writers may have committed since. */
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

/* Writes the two head slots of a new manifest, with the numbers seq - 1 and seq and the same end
 * of the log. */
static bool write_slots (int fd, const char *path, const Slot *t, MtError *err)
{
   uint8_t page[LOG_START];
   memset (page, 0, sizeof page);
   Slot older = *t;
   older.seq--;
   slot_write (page + (older.seq & 1) * 4096, &older);
   slot_write (page + (t->seq & 1) * 4096, t);
   return mt_io_write (fd, page, sizeof page, 0, path, err);
}

bool mt_manifest_make (const char *folder, MtError *err)
{
   char *path = manifest_path (folder, ""), *temp = NULL;
   Slot t = {MT_STORE_VERSION, 0, 1, LOG_START, 0};
   if (getrandom (&t.store_id, sizeof t.store_id, 0) != sizeof t.store_id)
      t.store_id = (uint64_t) time (NULL) ^ (uint64_t) getpid () << 32;
   temp = mt_heap_printf ("%s/MANIFEST.%ld", folder, (long) getpid ());
   bool ok = true;
   int fd = open (temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
   if (fd < 0)
      ok = mt_io_error (err, "create", temp);
   ok = ok && write_slots (fd, temp, &t, err) && mt_io_sync (fd, temp, err);
   /* Use link instead of rename: if two processes create the store at the same time, the first
    * one wins. rename is for file systems without links. */
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
   char *path = manifest_path (s->path, "");
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
   s->lost_seq = 0;
   Head h;
   MtStamp stamp;
   mt_stamp_read (s, &stamp);
   if (!read_head (s, &h, err))
      return false;
   s->store_id = h.newest.store_id;
   s->log_length = LOG_START;
   s->chain = 0;
   s->seq = 1;
   /* A compacted log does not begin with the first commit, so take its seq and chain from its
    * first record. */
   uint8_t head[RECORD_HEAD];
   if (h.newest.log_end > LOG_START) {
      if (!mt_io_read (s->manifest_fd, head, sizeof head, LOG_START, s->path, err))
         return false;
      s->seq = mt_get64 (head + 8) - 1;
   }
   if (!take_over_readable (s, &h, err) || !check_stale (s, &stamp, err))
      return false;
   s->committed_next_id = s->next_id;
   warn (s);
   return true;
}

bool mt_manifest_heal (MtStore *s, MtError *err)
{
   if (s->bad_slot < 0)
      return true;
   mt_group_enter (s);
   uint8_t slot[SLOT_SIZE];
   Slot t = {MT_STORE_VERSION, s->store_id, s->seq, s->log_length, s->chain};
   if ((t.seq & 1) != (uint64_t) s->bad_slot)
      t.seq--;
   slot_write (slot, &t);
   char *path = manifest_path (s->path, "");
   bool ok = mt_io_write (s->manifest_fd, slot, sizeof slot, (uint64_t) s->bad_slot * 4096, path,
                          err) &&
             mt_io_sync (s->manifest_fd, path, err);
   free (path);
   if (ok)
      s->bad_slot = -1;
   mt_group_leave (s);
   return ok;
}

/* Returns whether the store does not exist yet, because nothing was written. */
static bool is_absent (const MtStore *s)
{
   char *path = s->absent ? manifest_path (s->path, "") : NULL;
   bool absent = path && access (path, F_OK) != 0;
   free (path);
   return absent;
}

/* Applies the commits of other processes. While commits of this process wait, it holds the lock,
 * so no other process can have committed. */
static bool refresh (MtStore *s, MtError *err)
{
   if (mt_group_waiting (s) || is_absent (s))
      return true;
   char *path = manifest_path (s->path, "");
   struct stat st;
   bool ok = stat (path, &st) == 0;
   if (!ok)
      mt_io_error (err, "open", path);
   free (path);
   if (!ok)
      return false;
   if (st.st_dev != s->manifest_dev || st.st_ino != s->manifest_ino)
      return mt_manifest_open (s, err);
   Head h;
   if (!read_head (s, &h, err) || !take_over (s, &h, err))
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
   char *path = manifest_path (s->path, "");
   struct stat st;
   Head h;
   bool ok = stat (path, &st) == 0 || mt_io_error (err, "open", path);
   free (path);
   if (!ok)
      return false;
   *newest = st.st_dev == s->manifest_dev && st.st_ino == s->manifest_ino;
   if (!*newest)
      return true;
   if (!read_head (s, &h, err))
      return false;
   *newest = (h.newest.seq == s->seq && h.newest.chain == s->chain) ||
             (h.bad_slot >= 0 && h.newest.seq + 1 == s->seq);
   return true;
}

/* ---- what is whole of a damaged one ---- */

/* Returns the end of the log according to the head slots. *chained: the slot of the last record
 * may be damaged, so the record behind the end may be valid. */
static uint64_t salvage_end (MtStore *s, const uint8_t *p, size_t n, bool *chained)
{
   Slot t[2];
   bool good[2] = {n >= SLOT_SIZE && slot_read (p, &t[0]),
                   n >= 4096 + SLOT_SIZE && slot_read (p + 4096, &t[1])};
   *chained = good[0] != good[1];
   if (!good[0] && !good[1])
      return n;
   const Slot *newest = &t[good[1]];
   if (good[0] && good[1])
      newest = &t[t[1].seq > t[0].seq];
   s->store_id = newest->store_id;
   return newest->log_end < n ? newest->log_end : n;
}

/* Returns the size of the record at p if the record is undamaged, else 0. */
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

static void salvage_log (MtStore *s, const uint8_t *p, size_t n, uint64_t *lost)
{
   bool chained, damaged = false;
   size_t end = (size_t) salvage_end (s, p, n, &chained);
   for (size_t at = LOG_START, size; at < end || (chained && at == end && at < n);
        at += size ? size : 1) {
      size = whole_record (p + at, n - at);
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
   char *path = manifest_path (s->path, "");
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
      *lost += n <= LOG_START;
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

static bool append_record (const MtBuf *record, int fd, const char *path, Slot *t, MtError *err)
{
   uint8_t head[RECORD_HEAD];
   if (record->n > UINT32_MAX)
      return mt_error (err, MT_E_LIMIT, "a step changes too many documents for one commit");
   record_head (head, record, t->seq, t->chain);
   if (!mt_io_write (fd, head, sizeof head, t->log_end, path, err) ||
       !mt_io_write (fd, record->p, record->n, t->log_end + sizeof head, path, err))
      return false;
   t->log_end += sizeof head + record->n;
   t->chain = mt_get64 (head + 24);
   return true;
}

bool mt_manifest_commit (MtStore *s, const MtBuf *record, bool *unknown, MtError *err)
{
   *unknown = false;
   if (s->temporary)
      return true;
   char *path = manifest_path (s->path, "");
   Slot t = {MT_STORE_VERSION, s->store_id, s->seq + 1, s->log_length, s->chain};
   uint8_t slot[SLOT_SIZE];
   bool ok = append_record (record, s->manifest_fd, path, &t, err) &&
             mt_io_sync (s->manifest_fd, path, err);
   if (ok) {
      slot_write (slot, &t);
      /* If one of the following calls fails, other processes and the next start may or may not
       * see the commit. */
      ok = mt_io_write (s->manifest_fd, slot, sizeof slot, (t.seq & 1) * 4096, path, err) &&
           mt_io_sync (s->manifest_fd, path, err);
      *unknown = !ok;
   }
   free (path);
   if (!ok)
      return false;
   s->seq = t.seq;
   s->chain = t.chain;
   s->log_length = t.log_end;
   mt_stamp_write (s);
   return true;
}

bool mt_manifest_compact_due (const MtStore *s)
{
   uint64_t live = 0;
   for (size_t i = 0; i < s->coll_count; i++)
      live += 256 + (s->colls[i]->runs ? s->colls[i]->runs->count * 41u : 0) +
              s->colls[i]->block_count * (48 + 48 * (uint64_t) s->colls[i]->field_count) +
              s->colls[i]->event_queue.n + mt_events_bytes (s->colls[i]->events);
   return !s->temporary && s->log_length > (256u << 10) + 4 * live;
}

bool mt_manifest_compact (MtStore *s, MtError *err)
{
   char *path = manifest_path (s->path, ""), *temp = manifest_path (s->path, ".new");
   Slot t = {MT_STORE_VERSION, s->store_id, s->seq + 1, LOG_START, 0};
   struct stat st;
   mt_buf_clear (&s->record);
   mt_record_whole (s);
   bool ok = true;
   int fd = open (temp, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
   if (fd < 0)
      ok = mt_io_error (err, "create", temp);
   ok = ok && append_record (&s->record, fd, temp, &t, err) && write_slots (fd, temp, &t, err) &&
        mt_io_sync (fd, temp, err);
   if (ok && (fstat (fd, &st) != 0 || rename (temp, path) != 0))
      ok = mt_io_error (err, "replace", path);
   if (ok) {
      close (s->manifest_fd);
      s->manifest_fd = fd;
      s->manifest_dev = st.st_dev;
      s->manifest_ino = st.st_ino;
      s->seq = t.seq;
      s->chain = t.chain;
      s->log_length = t.log_end;
      mt_stamp_write (s);
      ok = mt_io_sync_dir (s->path, err);
   } else if (fd >= 0) {
      close (fd);
      unlink (temp);
   }
   mt_buf_clear (&s->record);
   free (temp);
   free (path);
   return ok;
}
