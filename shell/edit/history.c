#include "shell/edit/history.h"
#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define OLD_HEADER "_HiStOrY_V2_"

void mt_history_free (MtHistory *h)
{
   for (size_t i = 0; i < h->n; i++)
      free (h->v[i].text);
   free (h->v);
   *h = (MtHistory) {.limit = h->limit};
}

static void drop_oldest (MtHistory *h, size_t n)
{
   for (size_t i = 0; i < n; i++)
      free (h->v[i].text);
   memmove (h->v, h->v + n, (h->n - n) * sizeof *h->v);
   h->n -= n;
   h->saved -= h->saved < n ? h->saved : n;
}

void mt_history_put (MtHistory *h, const char *text, time_t at)
{
   if (h->n && h->n >= h->limit)
      drop_oldest (h, h->n + 1 - h->limit < h->n ? h->n + 1 - h->limit : h->n);
   if (!h->limit)
      return;
   MT_GROW ("history", h->v, h->n, h->cap, 64);
   h->v[h->n++] = (MtHistoryEntry) {mt_heap_strdup (text), at};
}

/* ---- the format of the file ---- */

/* Returns whether a line is a time stamp "-- YYYY-MM-DD HH:MM:SS+00"; *at: its time. */
static bool is_stamp (const char *line, time_t *at)
{
   struct tm t = {0};
   const char *end = strptime (line, "-- %Y-%m-%d %H:%M:%S+00", &t);
   *at = end ? timegm (&t) : 0;
   return end && !*end && strncmp (line, "-- ", 3) == 0;
}

/* Returns whether a line is a time stamp preceded by blanks, at least `least` of them. */
static bool is_shifted_stamp (const char *line, size_t n, size_t least)
{
   time_t at;
   size_t spaces = 0;
   while (spaces < n && line[spaces] == ' ')
      spaces++;
   char *copy = mt_heap_strndup (line + spaces, n - spaces);
   bool is = spaces >= least && is_stamp (copy, &at);
   free (copy);
   return is;
}

static void print_text (const char *text, FILE *f)
{
   for (const char *p = text;;) {
      size_t n = strcspn (p, "\n");
      if (is_shifted_stamp (p, n, 0))
         fputc (' ', f);
      fprintf (f, "%.*s\n", (int) n, p);
      if (!p[n])
         return;
      p += n + 1;
   }
}

bool mt_history_print (const MtHistory *h, size_t from, FILE *f)
{
   for (size_t i = from; i < h->n; i++) {
      char stamp[40];
      struct tm t;
      gmtime_r (&h->v[i].at, &t);
      strftime (stamp, sizeof stamp, "-- %Y-%m-%d %H:%M:%S+00", &t);
      fprintf (f, "%s\n", stamp);
      print_text (h->v[i].text, f);
   }
   return !ferror (f);
}

/* Decodes the escapes of a line of libedit's file in place: \ooo is a byte, \\ a backslash, \^C a
 * control character. */
static void decode (char *s)
{
   char *to = s;
   while (*s) {
      if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && isdigit ((unsigned char) s[2]) &&
          isdigit ((unsigned char) s[3])) {
         *to++ = (char) ((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
         s += 4;
      } else if (s[0] == '\\' && s[1] == '^' && s[2]) {
         *to++ = (char) (s[2] & 0x1F);
         s += 3;
      } else {
         s += s[0] == '\\' && s[1];
         *to++ = *s++;
      }
   }
   *to = 0;
}

/* The entry of the file that is being read. */
typedef struct Reading {
   MtBuf text;
   time_t at;
} Reading;

static void finish (MtHistory *h, Reading *r)
{
   while (r->text.n && r->text.p[r->text.n - 1] == '\n')
      r->text.p[--r->text.n] = 0;
   if (r->text.n)
      mt_history_put (h, r->text.p, r->at);
   mt_buf_clear (&r->text);
}

static void take_line (MtHistory *h, Reading *r, const char *line)
{
   time_t at;
   if (is_stamp (line, &at)) {
      finish (h, r);
      r->at = at;
      return;
   }
   mt_buf_adds (&r->text, line + is_shifted_stamp (line, strlen (line), 1));
   mt_buf_addc (&r->text, '\n');
}

void mt_history_read (MtHistory *h, FILE *f)
{
   char *line = NULL;
   size_t size = 0;
   Reading r = {0};
   ssize_t n;
   for (bool first = true; (n = getline (&line, &size, f)) > 0; first = false) {
      line[strcspn (line, "\n")] = 0;
      if (first && strcmp (line, OLD_HEADER) == 0) {
         h->old = true;
      } else if (h->old) {
         decode (line);
         mt_history_put (h, line, 0);
      } else {
         take_line (h, &r, line);
      }
   }
   finish (h, &r);
   mt_buf_free (&r.text);
   free (line);
   h->saved = h->n;
}

/* ---- saving ---- */

/* Opens the file such that only its owner can read it. Symbolic links are not followed, because
 * they could point to another user's file. */
static FILE *private_file (const char *path)
{
   int fd = open (path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
   struct stat st;
   if (fd < 0)
      return NULL;
   bool ok = fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && fchmod (fd, 0600) == 0 &&
             flock (fd, LOCK_EX) == 0;
   FILE *f = ok ? fdopen (fd, "r+") : NULL;
   if (!f)
      close (fd);
   return f;
}

/* Writes all entries of the file again, in the new format and at most the limit. */
static bool rewrite (MtHistory *h, FILE *f)
{
   MtHistory all = {.limit = h->limit};
   rewind (f);
   mt_history_read (&all, f);
   for (size_t i = h->saved; i < h->n; i++)
      mt_history_put (&all, h->v[i].text, h->v[i].at);
   bool ok = ftruncate (fileno (f), 0) == 0 && fseek (f, 0, SEEK_SET) == 0 &&
             mt_history_print (&all, 0, f) && fflush (f) == 0;
   mt_history_free (&all);
   return ok;
}

/* Returns the number of entries in the file. */
static size_t count_entries (FILE *f)
{
   char *line = NULL;
   size_t size = 0, count = 0;
   time_t at;
   rewind (f);
   while (getline (&line, &size, f) > 0) {
      line[strcspn (line, "\n")] = 0;
      count += is_stamp (line, &at);
   }
   free (line);
   return count;
}

bool mt_history_append (MtHistory *h, const char *path)
{
   FILE *f = private_file (path);
   if (!f)
      return false;
   char first[sizeof OLD_HEADER] = "";
   bool old = fgets (first, sizeof first, f) &&
              strncmp (first, OLD_HEADER, strlen (OLD_HEADER)) == 0;
   bool ok;
   if (old || count_entries (f) + (h->n - h->saved) > h->limit + h->limit / 4) {
      ok = rewrite (h, f);
   } else {
      fseek (f, 0, SEEK_END);
      ok = mt_history_print (h, h->saved, f) && fflush (f) == 0;
   }
   int error = errno;
   fclose (f);
   errno = error;
   if (ok)
      h->saved = h->n;
   return ok;
}
