/* Reads files as read-only collections. A .bson file is mapped as it is. A .json or .jsonl file is
 * parsed into a temporary file of BSON. A compressed file (name.bson.gz, name.jsonl.zst) is
 * decompressed into a temporary file.
 *
 * A target is one file or a folder. `name.bson`, `name.json` and `name.jsonl` are collections
 * called `name`. Files in a sub-folder (mongodump's db/name.bson) are called `name`, too. If two
 * databases have a collection of the same name, the collections are called `db.name`. mongodump's
 * `name.metadata.json`, prelude.json and system collections are ignored. A collection is read and
 * checked at its first use, and kept. */
#include "engine/local/store/files_int.h"
#include "base/memory.h"

#include "base/limits.h"
#include "base/shown.h"
#include "base/temporary.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A read-only file is divided into blocks. A block ends after the first document that makes it at
 * least this large. */
#define BLOCK_BYTES (1u << 20)

struct MtFiles {
   MtArena *arena;
   MtFile **list;
   size_t count, cap;
   bool dump;     /* the folder contains files that only mongodump writes */
   bool segments; /* the folder contains segment files of a store, but no manifest */
   /* number of ignored files: their names begin with '.', but look like collections otherwise */
   size_t left_out;
   const char *first_left_out; /* path of the first ignored file */
   MtError warning;
   const MtCancel *cancel;
};

/* ---- which files there are ---- */

static bool ends_with (MtStr s, const char *end)
{
   size_t k = strlen (end);
   return s.n > k && memcmp (s.p + s.n - k, end, k) == 0;
}

/* Returns the length of a file's name without its extension, and sets *kind. Returns 0 if the file
 * is not a collection. */
static size_t stem_of (MtStr name, MtFileKind *kind)
{
   if (name.p[0] == '.' || ends_with (name, ".metadata.json") || mt_str_is (name, "prelude.json") ||
       mt_str_is (name, "oplog.bson") || strncmp (name.p, "system.", 7) == 0)
      return 0;
   static const struct {
      const char *end;
      MtFileKind kind;
   } kinds[] = {
      {".bson", MT_FILE_BSON},   {".jsonl", MT_FILE_JSON}, {".json", MT_FILE_JSON},
      {".ndjson", MT_FILE_JSON}, {".csv", MT_FILE_TEXT},   {".tsv", MT_FILE_TEXT},
   };
   for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
      if (ends_with (name, kinds[i].end)) {
         *kind = kinds[i].kind;
         return name.n - strlen (kinds[i].end);
      }
   return 0;
}

/* Returns the collection's name for the first n bytes of a file name. Decodes %XX, which mongodump
 * writes in place of special characters. */
static const char *collection_of (MtArena *a, const char *name, size_t n)
{
   char *out = mt_alloc (a, n + 1);
   size_t k = 0;
   for (size_t i = 0; i < n; i++) {
      unsigned c;
      bool escaped = name[i] == '%' && i + 2 < n && isxdigit ((unsigned char) name[i + 1]) &&
                     isxdigit ((unsigned char) name[i + 2]);
      if (escaped && sscanf (name + i + 1, "%2x", &c) == 1 && c) {
         out[k++] = (char) c;
         i += 2;
      } else {
         out[k++] = name[i];
      }
   }
   out[k] = 0;
   return out;
}

static void add_file (MtFiles *f, const char *path, const char *database, const char *name)
{
   MtFileKind kind;
   size_t ending;
   bool packed = mt_compression_of_name (mt_str (name), &ending) != MT_NOT_COMPRESSED;
   MtStr bare = {name, strlen (name) - ending};
   f->dump |= ends_with (bare, ".metadata.json") || mt_str_is (bare, "prelude.json");
   f->segments |= strspn (name, "0123456789abcdef") == 16 && strcmp (name + 16, ".seg") == 0;
   size_t n = stem_of (bare, &kind);
   if (n == 0)
      return;
   MtFile *x = MT_NEW (f->arena, MtFile);
   x->path = mt_strdup (f->arena, path);
   x->database = database ? mt_strdup (f->arena, database) : NULL;
   x->name = kind == MT_FILE_BSON ? collection_of (f->arena, name, n)
                                  : mt_strndup (f->arena, name, n);
   x->kind = kind;
   x->packed = packed;
   if (f->count == f->cap) {
      size_t cap = f->cap ? 2 * f->cap : 16;
      MtFile **list = MT_NEW_N (f->arena, MtFile *, cap);
      if (f->count)
         memcpy (list, f->list, f->count * sizeof *list);
      f->list = list;
      f->cap = cap;
   }
   f->list[f->count++] = x;
}

/* Counts the ignored file `path` if its name looks like a collection's but begins with '.', for a
 * warning. Names of collections cannot begin with '.'. */
static void leave_out (MtFiles *f, const char *path, const char *name)
{
   size_t ending;
   bool packed = mt_compression_of_name (mt_str (name), &ending) != MT_NOT_COMPRESSED;
   MtStr bare = {name, strlen (name) - (packed ? ending : 0)};
   bool dumped = ends_with (bare, ".bson"),
        up = name[1] == '.' && (ends_with (bare, ".json") || ends_with (bare, ".jsonl") ||
                                ends_with (bare, ".ndjson"));
   if ((!dumped && !up) || ends_with (bare, ".metadata.json"))
      return;
   if (f->left_out++ == 0)
      f->first_left_out = mt_shown (f->arena, path);
}

static void warn (MtFiles *f)
{
   if (f->left_out == 1)
      mt_error (&f->warning, MT_E_PARAMETER,
                "file \"%s\" is left out: no collection's name begins with \".\"",
                f->first_left_out);
   else if (f->left_out)
      mt_error (&f->warning, MT_E_PARAMETER,
                "file \"%s\" and %zu more are left out: no collection's name begins with \".\"",
                f->first_left_out, f->left_out - 1);
   if (f->left_out)
      mt_error_hint (&f->warning, "Rename %s without the \".\" to read %s.",
                     f->left_out == 1 ? "it" : "them", f->left_out == 1 ? "it" : "them");
}

static int by_place (const struct dirent **a, const struct dirent **b)
{
   return strcmp ((*a)->d_name, (*b)->d_name);
}

static bool add_folder (MtFiles *f, const char *path, const char *database, MtError *err)
{
   struct dirent **entries;
   int n = scandir (path, &entries, NULL, by_place);
   if (n < 0)
      return mt_error (err, mt_io_state (errno), "could not open folder \"%s\": %s", path,
                       strerror (errno));
   bool ok = true;
   for (int i = 0; i < n; i++) {
      const char *name = entries[i]->d_name;
      const char *full = mt_printf (f->arena, "%s/%s", path, name);
      struct stat st;
      if (name[0] == '.')
         leave_out (f, full, name);
      if (ok && name[0] != '.' && stat (full, &st) == 0) {
         if (S_ISREG (st.st_mode))
            add_file (f, full, database, name);
         else if (S_ISDIR (st.st_mode) && !database)
            ok = add_folder (f, full, name, err);
      }
      free (entries[i]);
   }
   free (entries);
   return ok;
}

static int by_name (const void *a, const void *b)
{
   const MtFile *x = *(MtFile *const *) a, *y = *(MtFile *const *) b;
   int c = strcmp (x->name, y->name);
   return c ? c : strcmp (x->path, y->path);
}

/* Makes the names of collections unique. Two files of the same name in different databases get the
 * database's name as a prefix. Two such files in one folder are an error. */
static bool settle_names (MtFiles *f, MtError *err)
{
   qsort (f->list, f->count, sizeof *f->list, by_name);
   for (size_t i = 0, k; i < f->count; i = k) {
      for (k = i + 1; k < f->count && strcmp (f->list[k]->name, f->list[i]->name) == 0; k++)
         ;
      const char *name = f->list[i]->name;
      for (size_t j = i; k - i > 1 && j < k; j++) {
         MtFile *x = f->list[j];
         const char *slash = strrchr (x->path, '/');
         if (x->kind == MT_FILE_TEXT) /* beside calls.bson, calls.csv has its ending */
            x->name = slash ? slash + 1 : x->path;
         else if (x->database)
            x->name = mt_printf (f->arena, "%s.%s", x->database, name);
      }
   }
   qsort (f->list, f->count, sizeof *f->list, by_name);
   for (size_t i = 1; i < f->count; i++)
      if (strcmp (f->list[i]->name, f->list[i - 1]->name) == 0)
         return mt_error (err, MT_E_DUPLICATE_TABLE,
                          "files \"%s\" and \"%s\" would both be collection \"%s\"",
                          f->list[i - 1]->path, f->list[i]->path, f->list[i]->name);
   return true;
}

bool mt_files_none (const char *path)
{
   DIR *d = opendir (path);
   bool none = d != NULL;
   for (struct dirent *e; d && none && (e = readdir (d));)
      none = strcmp (e->d_name, ".") == 0 || strcmp (e->d_name, "..") == 0;
   if (d)
      closedir (d);
   return none;
}

static bool list_target (MtFiles *f, const char *path, MtError *err)
{
   struct stat st;
   if (stat (path, &st) != 0)
      return mt_error (err, mt_io_state (errno), "could not open \"%s\": %s", path,
                       strerror (errno));
   if (S_ISDIR (st.st_mode)) {
      if (!add_folder (f, path, NULL, err))
         return false;
      if (f->segments)
         return mt_error (err, MT_E_CORRUPT,
                          "\"%s\" has segments of a store, but its MANIFEST is missing", path);
      if (f->count == 0 && !f->dump)
         return mt_error (
            err, MT_E_UNDEFINED_FILE,
            "folder \"%s\" holds neither a store nor .bson, .json, .jsonl or .csv files", path);
      return settle_names (f, err);
   }
   const char *name = strrchr (path, '/');
   add_file (f, path, NULL, name ? name + 1 : path);
   if (f->count == 0)
      return mt_error (err, MT_E_FEATURE,
                       "\"%s\" is neither a store nor a .bson, .json, .jsonl or .csv file", path);
   return true;
}

bool mt_files_open (const char *path, MtFiles **out, MtError *err)
{
   MtArena *a = mt_arena_new ("files", NULL);
   MtFiles *f = MT_NEW (a, MtFiles);
   f->arena = a;
   if (!list_target (f, path, err)) {
      mt_arena_free (a);
      return false;
   }
   warn (f);
   *out = f;
   return true;
}

const MtError *mt_files_warning (const MtFiles *f) { return f->left_out ? &f->warning : NULL; }

void mt_files_set_cancel (MtFiles *f, const MtCancel *cancel) { f->cancel = cancel; }

/* Releases a reference to an MtFileData. Does nothing if `data` is NULL. */
static void file_data_unref (void *data)
{
   MtFileData *d = data;
   if (!d || atomic_fetch_sub (&d->refs, 1) != 1)
      return;
   mt_mapped_unref (d->map);
   free (d->blocks);
   free (d);
}

void mt_files_close (MtFiles *f)
{
   if (!f)
      return;
   for (size_t i = 0; i < f->count; i++)
      file_data_unref (f->list[i]->data);
   mt_arena_free (f->arena);
}

bool mt_files_collections (MtFiles *f, MtArena *a, const char ***names, size_t *count, MtError *err)
{
   const char **out = MT_NEW_N (a, const char *, f->count);
   for (size_t i = 0; i < f->count; i++)
      out[i] = mt_strdup (a, f->list[i]->name);
   *names = out;
   *count = f->count;
   return true;
}

const char *mt_files_text (const MtFiles *f, const char *collection)
{
   for (size_t i = 0; i < f->count; i++)
      if (f->list[i]->kind == MT_FILE_TEXT && strcmp (f->list[i]->name, collection) == 0)
         return f->list[i]->path;
   return NULL;
}

/* ---- reading them ---- */

static void add_block (MtFileData *d, size_t from, size_t to, uint32_t documents)
{
   if (documents == 0)
      return;
   if ((d->count & (d->count - 1)) == 0) {
      d->blocks = mt_realloc ("files", d->blocks,
                              (d->count ? 2 * d->count : 1) * sizeof *d->blocks);
   }
   d->blocks[d->count++] = (MtSourceBlock) {
      .data = d->base + from, .size = (uint32_t) (to - from), .documents = documents};
   d->documents += documents;
}

static bool bad_document (const char *path, uint64_t at, const char *what, MtError *err)
{
   return mt_error (err, MT_E_CORRUPT, "file \"%s\" is not valid BSON at offset %llu: %s", path,
                    (unsigned long long) at, what);
}

bool mt_file_check_length (const char *path, uint64_t at, uint32_t n, uint64_t left, MtError *err)
{
   if (left < 5)
      return bad_document (path, at, "the file ends within a document", err);
   /* Servers store documents that are slightly larger than those clients may send (16 MiB). */
   if (n < 5 || n > MT_MAX_DOC_BYTES + (16u << 10))
      return bad_document (path, at, "not a document's length", err);
   return n <= left || bad_document (path, at, "the file ends within a document", err);
}

bool mt_file_check_document (const char *path, uint64_t at, const uint8_t *p, uint32_t n,
                             MtError *err)
{
   size_t wrong;
   MtBsonState state = mt_bson_check_all (p, n, &wrong);
   if (state == MT_BSON_NO_UTF8)
      return mt_error (err, MT_E_ENCODING,
                       "file \"%s\" has text that is not valid UTF-8 in the element at offset %llu",
                       path, (unsigned long long) (at + wrong));
   return state == MT_BSON_OK ||
          bad_document (
             path, at + wrong,
             state == MT_BSON_DEEP ? "a document is nested too deep" : "a malformed element", err);
}

/* Checks every document of a mapped file, and divides the file into blocks of about BLOCK_BYTES.
 * Returns false if a document is damaged. */
static bool cut_blocks (MtFileData *d, const char *path, const MtCancel *cancel, MtError *err)
{
   size_t at = 0, from = 0;
   uint32_t documents = 0;
   while (at < d->size) {
      size_t left = d->size - at;
      uint32_t n = left < 4 ? 0 : mt_get32 (d->base + at);
      if (!mt_file_check_length (path, at, n, left, err) ||
          !mt_file_check_document (path, at, d->base + at, n, err))
         return false;
      at += n;
      documents++;
      if (at - from >= BLOCK_BYTES) {
         if (!mt_cancel_check (cancel, err))
            return false;
         add_block (d, from, at, documents);
         from = at;
         documents = 0;
      }
   }
   add_block (d, from, at, documents);
   return true;
}

/* Maps the open file `fd` into memory, checks its documents, and puts the result into x. `name` is
 * the file's path, or NULL for a temporary file without a path. */
static bool map_file (int fd, MtFile *x, const char *name, const MtCancel *cancel, MtError *err)
{
   struct stat st;
   if (fstat (fd, &st) != 0)
      return mt_io_error (err, "stat", x->path);
   MtFileData *d = mt_calloc ("files", 1, sizeof *d);
   atomic_init (&d->refs, 1);
   if (st.st_size > 0) {
      d->map = mt_mapped_new (fd, (size_t) st.st_size, name);
      if (!d->map) {
         free (d);
         return mt_io_error (err, "map", x->path);
      }
      d->base = d->map->base;
      d->size = (size_t) st.st_size;
   }
   if (!cut_blocks (d, x->path, cancel, err)) {
      if (mt_compression_of_bytes (d->base, d->size) != MT_NOT_COMPRESSED)
         mt_error_hint (err, "The file is compressed: rename it to end in %s.",
                        mt_compression_of_bytes (d->base, d->size) == MT_GZIP ? ".bson.gz"
                                                                              : ".bson.zst");
      file_data_unref (d);
      return false;
   }
   x->data = d;
   return true;
}

long mt_file_read (void *file, char *buf, size_t n)
{
   MtFileRead *f = file;
   ssize_t r;
   do
      r = read (f->fd, buf, n);
   while (r < 0 && errno == EINTR);
   if (r < 0)
      mt_io_error (f->err, "read", f->path);
   return r;
}

static bool unpack (int in, const char *path, int out, const MtCancel *cancel, MtError *err)
{
   enum { PIECE = 1 << 20 };
   MtFileRead file = {in, path, err};
   MtUnpack *u = mt_unpack_open (mt_file_read, &file, path, MT_E_CORRUPT);
   char *buf = mt_malloc ("files", PIECE);
   uint64_t at = 0;
   long n;
   bool ok;
   while ((ok = mt_cancel_check (cancel, err)) && (n = mt_unpack_read (u, buf, PIECE, err)) != 0) {
      ok = n > 0 && mt_io_write (out, buf, (size_t) n, at, NULL, err);
      if (!ok)
         break;
      at += (uint64_t) n;
   }
   free (buf);
   mt_unpack_close (u);
   return ok;
}

static bool load (MtFile *x, const MtCancel *cancel, MtError *err)
{
   int fd = open (x->path, O_RDONLY | O_CLOEXEC);
   if (fd < 0)
      return mt_io_error (err, "open", x->path);
   bool ok;
   if (x->kind == MT_FILE_BSON && !x->packed) {
      ok = map_file (fd, x, x->path, cancel, err);
   } else {
      int bson = mt_temporary_file ();
      ok = bson >= 0 || mt_io_error (err, "create", NULL);
      ok = ok &&
           (x->kind == MT_FILE_BSON ? unpack : mt_json_to_bson) (fd, x->path, bson, cancel, err) &&
           map_file (bson, x, NULL, cancel, err);
      if (bson >= 0)
         close (bson);
   }
   close (fd);
   return ok;
}

bool mt_files_source (MtFiles *f, const char *collection, MtSource **out, MtError *err)
{
   MtFile *x = NULL;
   for (size_t i = 0; i < f->count && !x; i++)
      if (strcmp (f->list[i]->name, collection) == 0)
         x = f->list[i];
   if (x && x->kind == MT_FILE_TEXT) {
      mt_error (err, MT_E_FEATURE, "file \"%s\" has no documents", x->path);
      return mt_error_hint (err, "SELECT reads its rows.");
   }
   if (x && !x->data && !load (x, f->cancel, err))
      return false;
   MtFileData *d = x ? x->data : NULL;
   if (d && !mt_mapped_whole (d->map, d->size, err))
      return false;
   MtSource *src = mt_source_new (collection, d ? d->count : 0);
   if (d) {
      if (d->count)
         memcpy (src->blocks, d->blocks, d->count * sizeof *d->blocks);
      src->count = d->count;
      src->stats = (MtCollStats) {
         .documents = d->documents, .bytes = d->size, .stored_bytes = d->size};
      atomic_fetch_add (&d->refs, 1);
      src->owner = d;
      src->map = mt_mapped_hold (d->map);
      src->map_used = d->size;
      src->release = file_data_unref;
   }
   *out = src;
   return true;
}
