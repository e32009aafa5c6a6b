#include "wire/users.h"
#include "wire/openssl.h"
#include "wire/scram.h"
#include "wire/wire.h"
#include "base/base64.h"
#include "base/draft.h"
#include "base/memory.h"
#include "base/temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK "SCRAM-SHA-256$"

enum { MOST_ITERATIONS = 10000000 };

static bool unreadable (const char *file, MtError *err)
{
   return mt_error (err, MT_E_IO, "could not read file \"%s\": %s", file, strerror (errno));
}

/* Parses the verifier "ITERATIONS:SALT$STORED_KEY:SERVER_KEY" in place. */
static bool read_verifier (char *text, MtVerifier *v)
{
   char *end, *salt, *stored, *server;
   unsigned long n = strtoul (text, &end, 10);
   if (*end != ':' || n < 1 || n > MOST_ITERATIONS)
      return false;
   salt = end + 1;
   stored = strchr (salt, '$');
   server = stored ? strchr (stored, ':') : NULL;
   if (!server)
      return false;
   *stored++ = *server++ = 0;
   v->iterations = (uint32_t) n;
   v->salt_bytes = mt_base64_read (salt, strlen (salt), v->salt, sizeof v->salt);
   return v->salt_bytes &&
          mt_base64_read (stored, strlen (stored), v->stored_key, MT_SHA256_BYTES) ==
             MT_SHA256_BYTES &&
          mt_base64_read (server, strlen (server), v->server_key, MT_SHA256_BYTES) ==
             MT_SHA256_BYTES;
}

/* Parses a line of the file in place. *name is "" for a comment or an empty line. Returns false if
 * the line is wrong. */
static bool read_line (char *line, const char **name, MtUser *out)
{
   line[strcspn (line, "\r\n")] = 0;
   *name = "";
   if (!*line || *line == '#')
      return true;
   char *role = strchr (line, ':'), *verifier = role ? strchr (role + 1, ':') : NULL;
   if (!verifier || role == line)
      return false;
   *role++ = *verifier++ = 0;
   out->read_only = strcmp (role, "read-only") == 0;
   if ((!out->read_only && strcmp (role, "read-write") != 0) ||
       strncmp (verifier, MARK, strlen (MARK)) != 0 ||
       !read_verifier (verifier + strlen (MARK), &out->verifier))
      return false;
   *name = line;
   return true;
}

/* Opens the file of users. Fails if others than its owner can read it. */
static FILE *open_users (const char *file, MtError *err)
{
   struct stat info;
   FILE *f = fopen (file, "re");
   if (!f) {
      unreadable (file, err);
      return NULL;
   }
   if (fstat (fileno (f), &info) == 0 && !(info.st_mode & 077))
      return f;
   fclose (f);
   mt_error (err, MT_E_CONFIGURATION, "others can read the file of users \"%s\"", file);
   mt_error_hint (err, "Run: chmod 600 %s", file);
   return NULL;
}

/* Checks the lines of the file up to the one of user `name`, which goes to *out (out->found). name
 * NULL: checks all lines. */
static bool search (const char *file, const char *name, MtUser *out, MtError *err)
{
   FILE *f = open_users (file, err);
   char *line = NULL;
   size_t room = 0, number = 0;
   bool ok = true;
   *out = (MtUser) {0};
   while (f && ok && !out->found && getline (&line, &room, f) > 0) {
      const char *is;
      MtUser user = {0};
      number++;
      ok = read_line (line, &is, &user) ||
           mt_error (err, MT_E_CONFIGURATION, "line %zu of the file of users \"%s\" is wrong",
                     number, file);
      if (ok && name && strcmp (is, name) == 0) {
         *out = user;
         out->found = true;
      }
   }
   ok = f && (ok && (!ferror (f) || unreadable (file, err)));
   if (f)
      fclose (f);
   free (line);
   return ok;
}

bool mt_users_check (const char *file, MtError *err)
{
   MtUser none;
   return search (file, NULL, &none, err);
}

bool mt_users_find (const char *file, const char *name, MtUser *out, MtError *err)
{
   return search (file, *name ? name : NULL, out, err);
}

/* ---- adding a user ---- */

/* Returns whether a user's name is allowed: printable characters, no colon. */
static bool name_ok (const char *name)
{
   for (const char *p = name; *p; p++)
      if ((unsigned char) *p < ' ' || *p == ':' || *p == 0x7f)
         return false;
   return *name && *name != '#' && mt_utf8_valid (name, strlen (name));
}

static void print_line (const char *name, bool read_only, const MtVerifier *v, MtBuf *out)
{
   mt_buf_printf (out, "%s:%s:" MARK "%u:", name, read_only ? "read-only" : "read-write",
                  v->iterations);
   mt_base64_put (v->salt, v->salt_bytes, MT_BASE64, out);
   mt_buf_addc (out, '$');
   mt_base64_put (v->stored_key, MT_SHA256_BYTES, MT_BASE64, out);
   mt_buf_addc (out, ':');
   mt_base64_put (v->server_key, MT_SHA256_BYTES, MT_BASE64, out);
   mt_buf_addc (out, '\n');
}

/* Appends all lines of the file, except that of user `name`, to `out`. A missing file has none. */
static bool other_lines (const char *file, const char *name, MtBuf *out, MtError *err)
{
   if (access (file, F_OK) != 0)
      return true;
   if (!mt_users_check (file, err))
      return false;
   FILE *f = fopen (file, "re");
   if (!f)
      return unreadable (file, err);
   char *line = NULL;
   size_t room = 0, n = strlen (name);
   for (ssize_t got; (got = getline (&line, &room, f)) > 0;)
      if (strncmp (line, name, n) != 0 || line[n] != ':') {
         mt_buf_add (out, line, (size_t) got);
         if (line[got - 1] != '\n')
            mt_buf_addc (out, '\n');
      }
   bool ok = !ferror (f) || unreadable (file, err);
   fclose (f);
   free (line);
   return ok;
}

/* Replaces the file atomically. */
static bool write_file (const char *file, const MtBuf *text, MtError *err)
{
   MtDraft draft = {.fd = -1};
   bool ok = mt_draft_open (&draft, file, 0) && fchmod (draft.fd, 0600) == 0 &&
             write (draft.fd, text->p, text->n) == (ssize_t) text->n;
   mt_draft_wrote (&draft, text->n);
   ok = ok && mt_draft_finish (&draft);
   if (!ok)
      mt_error (err, mt_io_state (errno), "could not write to file \"%s\": %s", file,
                strerror (errno));
   mt_draft_drop (&draft);
   return ok;
}

bool mt_user_add (const char *file, const char *name, const char *password, bool read_only,
                  MtError *err)
{
   MtVerifier v;
   MtBuf text = {0};
   if (!name_ok (name))
      return mt_error (err, MT_E_PARAMETER, "invalid user name \"%s\"", name);
   if (!*password)
      return mt_error (err, MT_E_PARAMETER, "the password is empty");
   if (!mt_openssl_load (err) || !mt_scram_verifier (password, &v, err))
      return false;
   bool ok = other_lines (file, name, &text, err);
   if (ok) {
      print_line (name, read_only, &v, &text);
      ok = write_file (file, &text, err);
   }
   mt_buf_free (&text);
   return ok;
}
