/* The two head slots of the manifest, of which the newer names the newest commit, and the sync that
 * makes commits durable. manifest.c describes the format. */
#include "engine/local/store/manifest_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char slot_magic[8] = {'m', 't', 's', 'q', 'l', 's', 't', '\n'};

/* ---- the slots ---- */

void mt_slot_write (uint8_t p[MT_SLOT_SIZE], const MtSlot *t)
{
   memset (p, 0, MT_SLOT_SIZE);
   memcpy (p, slot_magic, 8);
   mt_put32 (p + 8, t->version);
   mt_put64 (p + 16, t->store_id);
   mt_put64 (p + 24, t->seq);
   mt_put64 (p + 32, t->log_end);
   mt_put64 (p + 40, t->chain);
   mt_put64 (p + 48, t->synced);
   mt_put64 (p + 56, XXH3_64bits (p, 56));
}

bool mt_slot_read (const uint8_t p[MT_SLOT_SIZE], MtSlot *t)
{
   t->version = mt_get32 (p + 8);
   t->store_id = mt_get64 (p + 16);
   t->seq = mt_get64 (p + 24);
   t->log_end = mt_get64 (p + 32);
   t->chain = mt_get64 (p + 40);
   /* Before this version, a head slot was written only after the log was synced, so all of the log
    * is synced. */
   t->synced = t->version < MT_STORE_VERSION_LOG ? t->log_end : mt_get64 (p + 48);
   return memcmp (p, slot_magic, 8) == 0 && XXH3_64bits (p, 56) == mt_get64 (p + 56);
}

static bool read_slots (MtStore *s, uint8_t raw[2][MT_SLOT_SIZE], MtError *err)
{
   char *path = mt_manifest_path (s->path, "");
   bool ok = mt_io_read (s->manifest_fd, raw[0], MT_SLOT_SIZE, 0, path, err) &&
             mt_io_read (s->manifest_fd, raw[1], MT_SLOT_SIZE, 4096, path, err);
   free (path);
   return ok;
}

static bool check_version (const MtStore *s, const MtSlot *t, MtError *err)
{
   return t->version <= MT_STORE_VERSION ||
          mt_error (err, MT_E_FEATURE,
                    "store \"%s\" has format version %u; this program knows versions up to %u",
                    s->path, t->version, MT_STORE_VERSION);
}

/* Returns whether the newest head slot is at the place that its commit number requires, and both
 * slots belong to the same log. Their commit numbers can differ by more than 1 after a power
 * loss. */
static bool slots_agree (const MtHead *h, int newer)
{
   const MtSlot *t = &h->newest;
   if ((t->seq & 1) != (uint64_t) newer || t->log_end < MT_LOG_START)
      return false;
   if (h->bad_slot >= 0)
      return true;
   bool neighbours = t->seq == h->older.seq + 1;
   return (neighbours || (t->version >= MT_STORE_VERSION_LOG && t->seq > h->older.seq)) &&
          t->store_id == h->older.store_id && t->log_end >= h->older.log_end;
}

bool mt_head_read (MtStore *s, MtHead *out, MtError *err)
{
   uint8_t raw[2][MT_SLOT_SIZE];
   MtSlot t[2];
   bool good[2] = {false, false};
   for (int tries = 0; tries < 5 && !(good[0] && good[1]); tries++) {
      if (tries)
         nanosleep (&(struct timespec) {0, 200000}, NULL);
      if (!read_slots (s, raw, err))
         return false;
      for (int i = 0; i < 2; i++)
         good[i] = mt_slot_read (raw[i], &t[i]);
   }
   if (memcmp (raw[0], slot_magic, 8) != 0 && memcmp (raw[1], slot_magic, 8) != 0)
      return mt_error (err, MT_E_CORRUPT, "file \"%s/MANIFEST\" is not an mtsql store's", s->path);
   /* Both head slots are bad, but have the same version number. A later version may compute
    * checksums in another way, so report the version rather than damage. */
   if (!good[0] && !good[1] && t[0].version == t[1].version && t[0].version < 1000 &&
       !check_version (s, &t[0], err))
      return false;
   if (!good[0] && !good[1])
      return mt_manifest_corrupt (s, 0, "the checksums of both head slots are wrong", err);
   int newer = good[0] && good[1] ? t[1].seq > t[0].seq : good[1];
   out->bad_slot = good[!newer] ? -1 : !newer;
   out->newest = t[newer];
   out->older = t[!newer];
   if (!check_version (s, &t[newer], err) || (good[!newer] && !check_version (s, &t[!newer], err)))
      return false;
   return slots_agree (out, newer) ||
          mt_manifest_corrupt (s, newer ? 4096 : 0, "the head slots contradict each other", err);
}

MtSlot mt_head_slot (const MtStore *s, uint64_t seq)
{
   return (MtSlot) {MT_STORE_VERSION, s->store_id, seq, s->log_length, s->chain, s->synced_end};
}

bool mt_head_write (MtStore *s, MtError *err)
{
   uint8_t raw[MT_SLOT_SIZE];
   char *path = mt_manifest_path (s->path, "");
   MtSlot t = mt_head_slot (s, s->seq);
   mt_slot_write (raw, &t);
   bool ok = mt_io_write (s->manifest_fd, raw, sizeof raw, (t.seq & 1) * 4096, path, err);
   free (path);
   return ok;
}

/* ---- the sync ---- */

/* Sets *seq, *chain and *end to the newest commit that is certainly in the file: the one named by
 * the head slots if another writer has written a newer one, else this store's last commit. */
static void newest_written (MtStore *s, uint64_t *seq, uint64_t *chain, uint64_t *end)
{
   uint8_t raw[2][MT_SLOT_SIZE];
   MtSlot t;
   MtError ignored;
   *seq = s->seq;
   *chain = s->chain;
   *end = s->log_length;
   mt_error_clear (&ignored);
   if (!read_slots (s, raw, &ignored))
      return;
   for (int i = 0; i < 2; i++)
      if (mt_slot_read (raw[i], &t) && t.store_id == s->store_id && t.seq > *seq) {
         *seq = t.seq;
         *chain = t.chain;
         *end = t.log_end;
      }
}

/* Syncs the log. The caller holds the lock that keeps other processes and sessions from syncing.
 * Returns at once if another process has synced commit `seq` meanwhile. */
static bool sync_log (MtStore *s, uint64_t seq, MtError *err)
{
   MtStamp stamp;
   mt_stamp_read (s, &stamp);
   if (stamp.whole && stamp.store_id == s->store_id && stamp.seq >= seq) {
      s->synced_seq = seq;
      return true;
   }
   uint64_t chain, end;
   newest_written (s, &seq, &chain, &end);
   char *path = mt_manifest_path (s->path, "");
   bool ok = mt_io_sync (s->manifest_fd, path, err);
   free (path);
   if (!ok)
      return false;
   s->synced_seq = seq;
   s->synced_end = end;
   mt_stamp_write (s, seq, chain);
   return true;
}

static bool sync_beside_processes (MtStore *s, uint64_t seq, MtError *err)
{
   /* Waits while another process syncs. If this store's commit was written before that sync began,
    * it is synced afterwards. */
   bool locked = flock (s->manifest_fd, LOCK_EX) == 0;
   while (!locked && errno == EINTR)
      locked = flock (s->manifest_fd, LOCK_EX) == 0;
   bool ok = sync_log (s, seq, err);
   if (locked)
      flock (s->manifest_fd, LOCK_UN);
   return ok;
}

bool mt_manifest_sync (MtStore *s, uint64_t seq, MtError *err)
{
   if (s->temporary || s->synced_seq >= seq)
      return true;
   /* The system reports a failure once, and forgets the bytes that it could not write. */
   if (atomic_load (&s->sync_failed))
      return mt_error (err, MT_E_IO, "could not sync file \"%s/MANIFEST\" before", s->path);
   uint64_t synced = mt_mates_begin_sync (s, seq);
   if (synced >= seq) {
      s->synced_seq = synced;
      return true;
   }
   bool ok = sync_beside_processes (s, seq, err);
   if (!ok)
      atomic_store (&s->sync_failed, true);
   mt_mates_end_sync (s, ok ? s->synced_seq : 0);
   return ok;
}
