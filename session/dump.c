/* mt_dump: a target's collections as files, in mongodump's form, which mongorestore and mtsql itself read. */
#include "session/session_int.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A collection's name as a file's: what isn't harmless is %XX, as mongodump writes it. */
static const char *file_name (MtArena *a, const char *collection)
{
   MtBuf out = {0};
   for (const char *p = collection; *p; p++) {
      bool harmless = isalnum ((unsigned char) *p) || (unsigned char) *p >= 0x80 || strchr ("-_.~", *p);
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

static bool close_file (FILE *f, const char *path, bool ok, MtError *err)
{
   bool written = !ferror (f);
   written = fclose (f) == 0 && written;
   return ok && (written || mt_error (err, MT_E_IO, "could not write file \"%s\": %s", path, strerror (errno)));
}

static bool write_documents (MtSession *s, const char *collection, const char *path, MtError *err)
{
   bson_t all = BSON_INITIALIZER;
   MtAggregateArgs args = {.collection = collection, .pipeline = &all};
   MtCursor *cursor = NULL;
   const bson_t *doc = NULL;
   FILE *f = fopen (path, "wbx");
   if (!f)
      return mt_error (err, MT_E_IO, "could not create file \"%s\": %s", path, strerror (errno));
   bool ok = mt_engine_aggregate (s->engine, &args, &cursor, err);
   while (ok && (ok = mt_cursor_next (cursor, &doc, err)) && doc && fwrite (bson_get_data (doc), 1, doc->len, f) == doc->len)
      ;
   if (cursor)
      mt_cursor_free (cursor);
   bson_destroy (&all);
   return close_file (f, path, ok, err);
}

static bool write_metadata (MtSession *s, MtArena *a, const char *collection, const char *path, MtError *err)
{
   bson_t *indexes, meta = BSON_INITIALIZER, options;
   MtBuf text = {0};
   if (!mt_engine_indexes (s->engine, a, collection, &indexes, err))
      return false;
   FILE *f = fopen (path, "wbx");
   if (!f)
      return mt_error (err, MT_E_IO, "could not create file \"%s\": %s", path, strerror (errno));
   BSON_APPEND_DOCUMENT_BEGIN (&meta, "options", &options);
   bson_append_document_end (&meta, &options);
   BSON_APPEND_ARRAY (&meta, "indexes", indexes);
   BSON_APPEND_UTF8 (&meta, "collectionName", collection);
   BSON_APPEND_UTF8 (&meta, "type", "collection");
   mt_v_to_json (mt_v_doc (&meta), true, &text);
   fwrite (text.p, 1, text.n, f);
   mt_buf_free (&text);
   bson_destroy (&meta);
   return close_file (f, path, true, err);
}

static bool dump_all (MtSession *s, MtArena *a, const char *folder, const char *database, MtError *err)
{
   const char **names, *into = mt_printf (a, "%s/%s", folder, database);
   size_t count;
   if (!mt_engine_collections (s->engine, a, &names, &count, err) || !make_folder (folder, false, err) || !make_folder (into, true, err))
      return false;
   for (size_t i = 0; i < count; i++) {
      const char *file = file_name (a, names[i]);
      if (!write_documents (s, names[i], mt_printf (a, "%s/%s.bson", into, file), err) ||
          !write_metadata (s, a, names[i], mt_printf (a, "%s/%s.metadata.json", into, file), err))
         return false;
   }
   return true;
}

bool mt_dump (MtSession *s, const char *folder, const char *database, MtError *err)
{
   const MtCaps *caps = mt_engine_caps (s->engine);
   bool step = caps->local_operators && !caps->read_only; /* of a store: nobody else writes meanwhile, so that the collections agree */
   MtArena *a = mt_arena_new ("dump", s->arena);
   bool ok = (!step || mt_engine_begin (s->engine, err)) && dump_all (s, a, folder, file_name (a, database), err);
   if (step)
      mt_engine_rollback (s->engine);
   mt_arena_free (a);
   return ok;
}
