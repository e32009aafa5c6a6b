/* mt_dump: writes all collections of a target to files in mongodump's format, which mongorestore
 * and mtsql can read. */
#include "base/bson.h"
#include "base/compress.h"
#include "session/coordinate/coordinate.h"
#include "session/state/session.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Returns the file name for a collection. Special characters become %XX, as in mongodump. */
static const char *file_name (MtArena *a, const char *collection)
{
   MtBuf out = {0};
   for (const char *p = collection; *p; p++) {
      bool harmless = isalnum ((unsigned char) *p) || (unsigned char) *p >= 0x80 ||
                      strchr ("-_.~", *p);
      mt_buf_printf (&out, harmless ? "%c" : "%%%02X", (unsigned char) *p);
   }
   const char *name = mt_strndup (a, out.p ? out.p : "", out.n);
   mt_buf_free (&out);
   return name;
}

static bool make_folder (const char *path, bool must_be_new, MtError *err)
{
   if (mkdir (path, 0777) == 0 || (errno == EEXIST && !must_be_new))
      return true;
   return mt_error (err, MT_E_IO, "could not create folder \"%s\": %s", path, strerror (errno));
}

/* A file of the dump, which may be compressed. */
typedef struct Out {
   FILE *f;
   MtPack *pack;
   const char *path;
} Out;

static bool write_file (void *f, const char *buf, size_t n) { return fwrite (buf, 1, n, f) == n; }

/* Creates a file of the dump. gzip: the file is compressed, and .gz is appended to `path`. */
static bool create_file (MtArena *a, const char *path, bool gzip, Out *out, MtError *err)
{
   out->path = gzip ? mt_printf (a, "%s.gz", path) : path;
   out->f = fopen (out->path, "wbx");
   if (!out->f)
      return mt_error (err, MT_E_IO, "could not create file \"%s\": %s", out->path,
                       strerror (errno));
   out->pack = mt_pack_open (gzip ? MT_GZIP : MT_NOT_COMPRESSED, write_file, out->f);
   return true;
}

static bool close_file (Out *o, bool ok, MtError *err)
{
   bool written = mt_pack_finish (o->pack) && !ferror (o->f);
   mt_pack_close (o->pack);
   written = fclose (o->f) == 0 && written;
   return ok && (written || mt_error (err, MT_E_IO, "could not write file \"%s\": %s", o->path,
                                      strerror (errno)));
}

static bool write_documents (MtSession *s, const char *collection, Out *out, MtError *err)
{
   bson_t all = BSON_INITIALIZER;
   MtAggregateArgs args = {.collection = collection, .pipeline = &all};
   MtCursor *cursor = NULL;
   const bson_t *doc = NULL;
   bool ok = mt_engine_aggregate (s->engine, &args, &cursor, err);
   while (ok && (ok = mt_cursor_next (cursor, &doc, err)) && doc &&
          mt_pack_write (out->pack, (const char *) bson_get_data (doc), doc->len))
      ;
   if (cursor)
      mt_cursor_free (cursor);
   bson_destroy (&all);
   return close_file (out, ok, err);
}

static bool write_metadata (MtSession *s, MtArena *a, const char *collection, Out *out,
                            MtError *err)
{
   bson_t *indexes, meta = BSON_INITIALIZER;
   MtBuf text = {0};
   if (!mt_engine_indexes (s->engine, a, collection, &indexes, err))
      return close_file (out, false, err);
   MtVal list = mt_v_array (indexes);
   mt_doc_printf (&meta, "options: {}, indexes: %p, collectionName: %s, type: 'collection'",
                  (void *) &list, collection);
   mt_v_to_json (mt_v_doc (&meta), true, &text);
   mt_pack_write (out->pack, text.p, text.n);
   mt_buf_free (&text);
   bson_destroy (&meta);
   return close_file (out, true, err);
}

static bool dump_all (MtSession *s, MtArena *a, const char *folder, const char *database, bool gzip,
                      MtError *err)
{
   const char **names, *into = mt_printf (a, "%s/%s", folder, database);
   size_t count;
   if (!mt_engine_collections (s->engine, a, &names, &count, err) ||
       !make_folder (folder, false, err) || !make_folder (into, true, err))
      return false;
   for (size_t i = 0; i < count; i++) {
      const char *file = file_name (a, names[i]);
      Out out;
      if (!create_file (a, mt_printf (a, "%s/%s.bson", into, file), gzip, &out, err) ||
          !write_documents (s, names[i], &out, err) ||
          !create_file (a, mt_printf (a, "%s/%s.metadata.json", into, file), gzip, &out, err) ||
          !write_metadata (s, a, names[i], &out, err))
         return false;
   }
   return true;
}

bool mt_dump (MtSession *s, const char *folder, const char *database, bool gzip, MtError *err)
{
   MT_BEGIN_CALL (s, err);
   const MtCaps *caps = mt_engine_caps (s->engine);
   /* While the embedded engine has an open step, no other process writes. So all collections are
    * dumped in the same state. */
   bool step = caps->local_operators && !caps->read_only;
   MtArena *a = mt_arena_new ("dump", s->arena);
   bool ok = (!step || mt_engine_begin (s->engine, err)) &&
             dump_all (s, a, folder, file_name (a, database), gzip, err) && mt_memory_check (err);
   if (step)
      mt_engine_rollback (s->engine);
   mt_arena_free (a);
   return ok;
}
