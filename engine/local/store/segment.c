/* The segment file of a collection, which contains its blocks: opening, mapping, growing.
 *
 * A segment file begins with 64 bytes (magic[8] version:4 zero:4 store_id:8 collection:8 … hash:8).
 * Blocks follow (block.c). Files only grow. Bytes that a step appended without a commit are
 * truncated by the next writer. */
#include "base/temporary.h"
#include "engine/local/store/coll_int.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* If the store has more collections than this, a segment file is opened for each use and closed
 * again, because file descriptors are limited. */
#define KEEP_OPEN 200u

static const char seg_magic[8] = {'m', 't', 's', 'q', 'l', 's', 'e', 'g'};

static bool check_head (MtColl *c, MtError *err)
{
   uint8_t h[MT_SEGMENT_HEAD];
   if (!mt_io_read (c->fd, h, sizeof h, 0, c->path, err))
      return false;
   if (memcmp (h, seg_magic, 8) != 0)
      return mt_error (err, MT_E_CORRUPT, "file \"%s\" is not a segment of an mtsql store",
                       c->path);
   if (XXH3_64bits (h, 56) != mt_get64 (h + 56))
      return mt_error (err, MT_E_CORRUPT,
                       "file \"%s\" is damaged at offset 0: the header's checksum is wrong",
                       c->path);
   if (mt_get32 (h + 8) > MT_STORE_VERSION)
      return mt_error (err, MT_E_FEATURE,
                       "file \"%s\" has format version %u; this program knows versions up to %u",
                       c->path, mt_get32 (h + 8), MT_STORE_VERSION);
   if (mt_get64 (h + 16) != c->store->store_id || mt_get64 (h + 24) != c->id)
      return mt_error (err, MT_E_CORRUPT, "file \"%s\" belongs to another store or collection",
                       c->path);
   return true;
}

static bool write_head (MtColl *c, MtError *err)
{
   uint8_t h[MT_SEGMENT_HEAD] = {0};
   memcpy (h, seg_magic, 8);
   mt_put32 (h + 8, MT_STORE_VERSION);
   mt_put64 (h + 16, c->store->store_id);
   mt_put64 (h + 24, c->id);
   mt_put64 (h + 56, XXH3_64bits (h, 56));
   return mt_io_write (c->fd, h, sizeof h, 0, c->path, err);
}

/* Prepares the segment file for appending, once in each step: truncates uncommitted bytes, and
 * writes the header of a new file. */
static bool begin_writing (MtColl *c, MtError *err)
{
   if (c->writing)
      return true;
   if (ftruncate (c->fd, (off_t) c->committed_length) != 0)
      return mt_io_error (err, "truncate", c->path);
   if (c->committed_length == 0) {
      if (!write_head (c, err))
         return false;
      c->length = MT_SEGMENT_HEAD;
   }
   c->writing = true;
   return true;
}

bool mt_coll_open (MtColl *c, bool writing, MtError *err)
{
   if (c->fd >= 0 && (c->fd_writes || !writing))
      return writing ? begin_writing (c, err) : true;
   bool fresh = writing && c->committed_length == 0;
   if (c->fd >= 0)
      close (c->fd);
   if (c->path)
      c->fd = open (c->path, (writing ? O_RDWR : O_RDONLY) | (fresh ? O_CREAT : 0) | O_CLOEXEC,
                    0666);
   else
      c->fd = mt_temporary_file ();
   c->fd_writes = writing || !c->path;
   if (c->fd < 0)
      return mt_io_error (err, "open", c->path);
   if (!fresh && !check_head (c, err)) {
      close (c->fd);
      c->fd = -1;
      return false;
   }
   return writing ? begin_writing (c, err) : true;
}

/* Closes the segment file if the store has many collections and the open step (an uncommitted
 * batch) does not write to this file. The mapping remains. */
void mt_coll_spare_fd (MtColl *c)
{
   if (c->path && !c->writing && c->fd >= 0 && c->store->coll_count > KEEP_OPEN) {
      close (c->fd);
      c->fd = -1;
   }
}

static bool map_open (MtColl *c, uint64_t upto, MtError *err)
{
   struct stat st;
   if (!mt_mapped_check (c->map, err))
      return false;
   if (fstat (c->fd, &st) != 0)
      return mt_io_error (err, "stat", c->path);
   if ((uint64_t) st.st_size < upto)
      return mt_error (err, MT_E_CORRUPT, "file \"%s\" is truncated: %llu bytes of %llu",
                       c->path ? c->path : "(temporary)", (unsigned long long) st.st_size,
                       (unsigned long long) upto);
   c->map_seen = (uint64_t) st.st_size;
   if (c->map && c->map->size >= upto)
      return true;
   /* Map more than the current size, so that the file can grow without a new mapping. That costs
    * only address space. */
   size_t least = (size_t) upto, roomy = least + least / 2 + (64u << 20);
   MtMapped *m = c->store->read_only ? NULL : mt_mapped_new (c->fd, roomy, c->path);
   if (!m && (c->store->read_only || errno == ENOMEM))
      m = mt_mapped_new (c->fd, least, c->path);
   if (!m)
      return mt_io_error (err, "map", c->path);
   mt_mapped_unref (c->map);
   c->map = m;
   return true;
}

bool mt_coll_map (MtColl *c, uint64_t upto, MtError *err)
{
   if (upto == 0)
      return true;
   bool ok = mt_coll_open (c, false, err) && map_open (c, upto, err);
   mt_coll_spare_fd (c);
   return ok;
}
