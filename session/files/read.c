/* Finds files, opens them, and reads samples of their bytes. */
#include "session/files/files_int.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
   WHOLE_BYTES = 8 << 20, /* files up to this size are read completely */
   HEAD_BYTES = 2 << 20,
   PIECE_BYTES = 64 << 10,
   PIECES = 30,
   MOST_FILES = 32 /* of the files that match a pattern, at most so many are sampled */
};

/* ---- open files ---- */

static long read_raw (void *ctx, char *buf, size_t n)
{
   MtFileInput *in = ctx;
   ssize_t got;
   do {
      if (!mt_cancel_check (&in->session->cancel, &in->io))
         return -1;
      got = read (in->fd, buf, n);
   } while (got < 0 && errno == EINTR);
   if (got < 0)
      mt_error (&in->io, MT_E_IO, "could not read file \"%s\": %s", in->path, strerror (errno));
   return got;
}

long mt_file_input_read (void *ctx, char *buf, size_t n)
{
   MtFileInput *in = ctx;
   return mt_unpack_read (in->unpack, buf, n, &in->io);
}

static bool refuse_type (const MtFileInput *in, MtSpan span, MtError *err)
{
   mode_t mode = in->before.st_mode;
   if (S_ISREG (mode))
      return true;
   if (S_ISDIR (mode)) {
      mt_error_at (err, span, MT_E_WRONG_OBJECT, "\"%s\" is a directory", in->path);
      return mt_error_hint (err, "Name its files by a pattern, such as '%s/*.csv'.", in->path);
   }
   mt_error_at (err, span, MT_E_WRONG_OBJECT, "\"%s\" is not a regular file", in->path);
   return mt_error_hint (
      err, "A pipe can't be read twice. Create a table, and read the pipe with COPY … FROM.");
}

bool mt_file_input_open (MtSession *s, const char *path, MtSpan span, MtFileInput *in, MtError *err)
{
   *in = (MtFileInput) {.session = s, .path = path};
   in->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
   if (in->fd < 0)
      return mt_error_at (err, span, errno == ENOENT ? MT_E_UNDEFINED_FILE : MT_E_IO,
                          "could not open file \"%s\" for reading: %s", path, strerror (errno));
   if (fstat (in->fd, &in->before) == 0 && refuse_type (in, span, err) &&
       mt_file_refuse_foreign (in->fd, path, span, err)) {
      in->unpack = mt_unpack_open (read_raw, in, path, MT_E_COPY_FORMAT);
      return true;
   }
   close (in->fd);
   in->fd = -1;
   return false;
}

void mt_file_input_close (MtFileInput *in)
{
   mt_unpack_close (in->unpack);
   in->unpack = NULL;
   if (in->fd >= 0)
      close (in->fd);
   in->fd = -1;
}

bool mt_file_input_is_packed (const MtFileInput *in)
{
   char first[4];
   ssize_t k = pread (in->fd, first, sizeof first, 0);
   return k > 0 && mt_compression_of_bytes (first, (size_t) k) != MT_NOT_COMPRESSED;
}

/* ---- changes ---- */

void mt_file_state (const MtFileInput *in, MtFileState *out)
{
   *out = (MtFileState) {in->path, in->before.st_dev, in->before.st_ino, in->before.st_size,
                         in->before.st_mtim};
}

bool mt_file_is_same (const MtFileState *f, const struct stat *now)
{
   return f->device == now->st_dev && f->inode == now->st_ino && f->size == now->st_size &&
          f->changed.tv_sec == now->st_mtim.tv_sec && f->changed.tv_nsec == now->st_mtim.tv_nsec;
}

bool mt_file_input_same (const MtFileInput *in, MtError *err)
{
   struct stat now;
   MtFileState before;
   mt_file_state (in, &before);
   if (fstat (in->fd, &now) == 0 && mt_file_is_same (&before, &now))
      return true;
   mt_error (err, MT_E_STATE, "file \"%s\" changed while it was read", in->path);
   return mt_error_hint (err, "Run the statement again when nothing writes to the file.");
}

/* ---- patterns ---- */

/* Returns the name of a file in the path's folder that is similar to the missing one, for a hint,
 * in arena a; NULL: there is none. */
static const char *near_file (MtArena *a, const char *path)
{
   const char *slash = strrchr (path, '/'), *name = slash ? slash + 1 : path;
   const char *folder = slash ? mt_strndup (a, path, (size_t) (slash - path) + 1) : ".";
   DIR *d = opendir (folder);
   const char **names = NULL;
   size_t n = 0, cap = 0;
   for (struct dirent *e; d && n < 4096 && (e = readdir (d)) != NULL;) {
      MT_GROW_IN (a, names, n, cap, 64);
      names[n++] = mt_strdup (a, e->d_name);
   }
   if (d)
      closedir (d);
   const char *near = n ? mt_nearest (name, names, n) : NULL;
   return near && slash ? mt_printf (a, "%s%s", folder, near) : near;
}

static bool no_file (MtArena *a, const char *path, MtSpan span, MtError *err)
{
   bool pattern = strpbrk (path, "*?[") != NULL;
   mt_error_at (err, span, MT_E_UNDEFINED_FILE,
                pattern ? "no file matches \"%s\"" : "file \"%s\" does not exist", path);
   const char *near = pattern ? NULL : near_file (a, path);
   return near ? mt_error_hint (err, "Perhaps you meant '%s'.", near) : false;
}

bool mt_file_expand (MtArena *a, MtStr path, MtSpan span, const char ***out, size_t *count,
                     MtError *err)
{
   const char *text = mt_strndup (a, path.p, path.n);
   struct stat info;
   if (!*text || memchr (path.p, 0, path.n))
      return mt_error_at (err, span, MT_E_PARAMETER, "the name of a file is missing");
   if (stat (text, &info) == 0 || !strpbrk (text, "*?[")) {
      *out = MT_NEW_N (a, const char *, 1);
      (*out)[0] = text;
      *count = 1;
      return access (text, F_OK) == 0 || errno != ENOENT || no_file (a, text, span, err);
   }
   glob_t found;
   int failed = glob (text, 0, NULL, &found);
   if (failed || !found.gl_pathc) {
      if (!failed)
         globfree (&found);
      return no_file (a, text, span, err);
   }
   *count = found.gl_pathc;
   *out = MT_NEW_N (a, const char *, *count);
   for (size_t i = 0; i < *count; i++)
      (*out)[i] = mt_strdup (a, found.gl_pathv[i]);
   globfree (&found);
   return true;
}

/* ---- samples ---- */

typedef struct Sampling {
   MtArena *a;
   MtSniffPiece *list;
   size_t count, cap;
} Sampling;

static void add_piece (Sampling *s, const char *p, size_t n, uint64_t at, bool last)
{
   MT_GROW_IN (s->a, s->list, s->count, s->cap, 32);
   s->list[s->count++] = (MtSniffPiece) {.bytes = {p, n}, .at = at, .last = last};
}

/* Reads n bytes of the decompressed file into buf; *got is less than n only at the file's end. */
static bool read_all (MtFileInput *in, char *buf, size_t n, size_t *got, MtError *err)
{
   *got = 0;
   while (*got < n) {
      long k = mt_file_input_read (in, buf + *got, n - *got);
      if (k < 0) {
         *err = in->io;
         return false;
      }
      if (k == 0)
         break;
      *got += (size_t) k;
   }
   return true;
}

/* Adds the first `most` bytes of a file to the sample. *ended: the file has no more. */
static bool read_head (Sampling *s, MtFileInput *in, size_t most, uint64_t at, bool *ended,
                       MtError *err)
{
   char *buf = mt_try_alloc (s->a, most + 1);
   size_t n;
   if (!buf)
      return mt_memory_check (err);
   if (!read_all (in, buf, most, &n, err))
      return false;
   *ended = n < most;
   add_piece (s, buf, n, at, *ended);
   return true;
}

/* Adds parts of an uncompressed file to the sample, spread evenly over the rest of the file. */
static bool read_pieces (Sampling *s, const MtFileInput *in, MtError *err)
{
   uint64_t size = (uint64_t) in->before.st_size;
   for (uint64_t i = 1; i <= PIECES; i++) {
      uint64_t at = i == PIECES ? size - PIECE_BYTES
                                : HEAD_BYTES + (size - HEAD_BYTES - PIECE_BYTES) / PIECES * i;
      char *buf = mt_alloc (s->a, PIECE_BYTES);
      at &= ~(uint64_t) 1; /* UTF-16 has characters of two bytes */
      ssize_t n = pread (in->fd, buf, PIECE_BYTES, (off_t) at);
      if (n < 0)
         return mt_error (err, MT_E_IO, "could not read file \"%s\": %s", in->path,
                          strerror (errno));
      add_piece (s, buf, (size_t) n, at, at + (uint64_t) n >= size);
   }
   return true;
}

/* Adds parts of a compressed file to the sample, at even distances in the rest of the first
 * MT_UNPACKED_BYTES decompressed bytes. */
static bool unpack_pieces (Sampling *s, MtFileInput *in, MtError *err)
{
   enum { STEP = 2 << 20 };
   char *skipped = mt_alloc (s->a, STEP);
   bool ended = false;
   for (uint64_t at = HEAD_BYTES; !ended && at < MT_UNPACKED_BYTES; at += STEP) {
      size_t n;
      if (!read_all (in, skipped, STEP, &n, err))
         return false;
      ended = n < STEP;
      size_t from = n > PIECE_BYTES ? n - PIECE_BYTES : 0;
      if (n)
         add_piece (s, mt_strndup (s->a, skipped + from, n - from), n - from, at + from, ended);
   }
   return true;
}

static bool sample_file (Sampling *s, MtFileInput *in, size_t files, MtError *err)
{
   bool packed = mt_file_input_is_packed (in), ended = false;
   bool whole = files == 1 && !packed && in->before.st_size <= WHOLE_BYTES;
   size_t head = files > 1 ? HEAD_BYTES / 8 : HEAD_BYTES;
   if (whole)
      head = (size_t) in->before.st_size + 1;
   if (!read_head (s, in, head, 0, &ended, err))
      return false;
   if (ended || files > 1)
      return true;
   return packed ? unpack_pieces (s, in, err) : read_pieces (s, in, err);
}

bool mt_file_sample (MtSession *session, MtArena *a, const MtFileTable *f, MtSpan span,
                     MtFileSample *out, MtError *err)
{
   Sampling s = {.a = a};
   size_t n = f->count < MOST_FILES ? f->count : MOST_FILES;
   for (size_t i = 0; i < n; i++) {
      MtFileInput in;
      size_t at = i * f->count / n, before = s.count;
      if (!mt_file_input_open (session, f->files[at].path, span, &in, err))
         return false;
      bool ok = sample_file (&s, &in, f->count, err);
      if (i > 0 && s.count > before)
         s.list[before].at = MT_PIECE_BEGINS;
      mt_file_input_close (&in);
      if (!ok)
         return false;
   }
   *out = (MtFileSample) {s.list, s.count};
   return true;
}
