#include "shell/core/password.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

/* ---- finding secrets in a text ---- */

/* A part of a text: the bytes from start to end (exclusive). */
typedef struct Piece {
   size_t start, end;
} Piece;

/* Returns whether the text is a list of ports such as "27017" or "27017,other:27018". In a URI
 * without a user, that follows the first colon. */
static bool is_port_list (const char *s, size_t n)
{
   for (size_t i = 0; i < n && s[i] != ','; i++)
      if (!isdigit ((unsigned char) s[i]))
         return false;
   return true;
}

/* Finds the next MongoDB URI in the text from offset `from` on. *host: the offset after "://".
 * *end: the offset of its end. Returns false if there is none. */
static bool next_uri (const char *text, size_t from, size_t *host, size_t *end)
{
   const char *scheme = text + from;
   while ((scheme = strstr (scheme, "mongodb"))) {
      const char *p = scheme + 7;
      p += strncmp (p, "+srv", 4) == 0 ? 4 : 0;
      if (strncmp (p, "://", 3) == 0) {
         *host = (size_t) (p + 3 - text);
         *end = *host + strcspn (p + 3, " \t\r\n'\"");
         return true;
      }
      scheme = p;
   }
   return false;
}

/* Finds the password in the URI whose part after "://" starts at `host`. A password with a bare '/'
 * or '@' is not valid in a URI, but has to be hidden, too. */
static bool password_of (const char *text, size_t host, size_t end, Piece *out)
{
   size_t stop = host + strcspn (text + host, "/?"), at = 0, colon = host;
   stop = stop < end ? stop : end;
   while (colon < end && text[colon] != ':')
      colon++;
   for (size_t i = host; i < stop; i++)
      at = text[i] == '@' ? i : at;
   if (!at && colon < stop && !is_port_list (text + colon + 1, stop - colon - 1))
      for (size_t i = stop; i < end; i++)
         at = text[i] == '@' ? i : at;
   if (!at || colon > at)
      return false;
   *out = (Piece) {colon + 1, at};
   return true;
}

/* Finds the next secret among the options of a URI, those after '?', from offset `from` on. */
static bool option_secret (const char *text, size_t from, size_t end, Piece *out)
{
   static const char *const names[] = {
      "CertificateKeyFilePassword=", "CertificateKeyPassword=", "AWS_SESSION_TOKEN:"};
   for (size_t i = from; i < end; i++)
      for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
         size_t n = strlen (names[k]);
         if (strncasecmp (text + i, names[k], n) != 0 || i + n > end)
            continue;
         size_t stop = i + n + strcspn (text + i + n, "&,");
         *out = (Piece) {i + n, stop < end ? stop : end};
         return true;
      }
   return false;
}

static void each_secret (const char *text, void (*f) (void *ctx, Piece secret), void *ctx)
{
   size_t host, end, from = 0;
   Piece p;
   for (; next_uri (text, from, &host, &end); from = end) {
      size_t at = host;
      if (password_of (text, host, end, &p)) {
         f (ctx, p);
         at = p.end;
      }
      for (; option_secret (text, at, end, &p); at = p.end > at ? p.end : at + 1)
         f (ctx, p);
   }
}

/* ---- hiding secrets ---- */

typedef struct Hidden {
   const char *text;
   size_t done;
   MtBuf out;
} Hidden;

static void hide (void *ctx, Piece secret)
{
   Hidden *h = ctx;
   mt_buf_add (&h->out, h->text + h->done, secret.start - h->done);
   mt_buf_adds (&h->out, "***");
   h->done = secret.end;
}

char *mt_without_passwords (const char *text)
{
   Hidden h = {.text = text};
   each_secret (text, hide, &h);
   mt_buf_adds (&h.out, text + h.done);
   return h.out.p ? h.out.p : mt_heap_strdup ("");
}

static void blank (void *ctx, Piece secret)
{
   memset ((char *) ctx + secret.start, '*', secret.end - secret.start);
}

void mt_blank_passwords (char *text) { each_secret (text, blank, text); }

/* ---- removing the password from a URI ---- */

/* Returns a text with each %XX decoded. Owned by the caller (free). */
static char *decoded (const char *s, size_t n)
{
   char *out = mt_malloc ("password", n + 1), *to = out;
   for (size_t i = 0; i < n; i++) {
      char hex[3] = {0};
      if (s[i] == '%' && i + 2 < n && isxdigit ((unsigned char) s[i + 1]) &&
          isxdigit ((unsigned char) s[i + 2])) {
         memcpy (hex, s + i + 1, 2);
         *to++ = (char) strtol (hex, NULL, 16);
         i += 2;
      } else {
         *to++ = s[i];
      }
   }
   *to = 0;
   return out;
}

char *mt_split_password (const char *target, char **password)
{
   size_t host, end;
   Piece p;
   *password = NULL;
   if (!next_uri (target, 0, &host, &end) || strncmp (target, "mongodb", 7) != 0 ||
       !password_of (target, host, end, &p))
      return mt_heap_strdup (target);
   *password = decoded (target + p.start, p.end - p.start);
   MtBuf b = {0};
   mt_buf_add (&b, target, p.start - 1);
   mt_buf_adds (&b, target + p.end);
   return b.p;
}

void mt_password_free (char *password)
{
   if (password)
      explicit_bzero (password, strlen (password));
   free (password);
}

/* ---- finding passwords ---- */

/* The parts of a URI by which its password is looked up. */
typedef struct Login {
   char *user;     /* decoded */
   char *hosts;    /* "host:port,host" */
   char *database; /* "" when the URI has none */
} Login;

static bool read_login (const char *target, Login *out)
{
   size_t host, end;
   if (strncmp (target, "mongodb", 7) != 0 || !next_uri (target, 0, &host, &end))
      return false;
   const char *p = target + host, *stop = p + strcspn (p, "/?"),
              *at = memchr (p, '@', (size_t) (stop - p));
   if (!at || memchr (p, ':', (size_t) (at - p)))
      return false;
   const char *db = *stop == '/' ? stop + 1 : stop;
   *out = (Login) {decoded (p, (size_t) (at - p)),
                   mt_heap_strndup (at + 1, (size_t) (stop - at - 1)),
                   mt_heap_strndup (db, strcspn (db, "?"))};
   return true;
}

static void free_login (Login *l)
{
   free (l->user);
   free (l->hosts);
   free (l->database);
}

bool mt_needs_password (const char *target)
{
   static const char *const without[] = {"=MONGODB-X509", "=MONGODB-AWS", "=MONGODB-OIDC",
                                         "=GSSAPI"};
   Login l;
   for (size_t i = 0; i < sizeof without / sizeof *without; i++)
      if (strcasestr (target, without[i]))
         return false;
   bool needs = read_login (target, &l);
   if (needs)
      free_login (&l);
   return needs;
}

/* Returns the next field of a line of the password file, and removes its backslash escapes in
 * place. *at is advanced past the colon after it. */
static char *field (char **at)
{
   char *start = *at, *to = start, *from = start;
   while (*from && *from != ':') {
      if (*from == '\\' && from[1])
         from++;
      *to++ = *from++;
   }
   *at = *from ? from + 1 : from;
   *to = 0;
   return start;
}

static bool matches (const char *pattern, const char *value)
{
   return strcmp (pattern, "*") == 0 || strcmp (pattern, value) == 0;
}

/* Returns whether the patterns for host and port match one of the hosts in a list. An IPv6 address
 * in brackets contains colons. */
static bool matches_host (const char *host, const char *port, const char *hosts)
{
   char *copy = mt_heap_strdup (hosts), *rest = copy, *one;
   bool found = false;
   while (!found && (one = strsep (&rest, ","))) {
      char *colon = strrchr (one, ':');
      if (colon && strchr (colon, ']'))
         colon = NULL;
      if (colon)
         *colon = 0;
      found = matches (host, one) && matches (port, colon ? colon + 1 : "27017");
   }
   free (copy);
   return found;
}

static char *from_line (char *line, const Login *l)
{
   const char *host = field (&line), *port = field (&line), *database = field (&line),
              *user = field (&line);
   if (*host == '#' || !*line || !matches_host (host, port, l->hosts) ||
       !matches (database, l->database) || !matches (user, l->user))
      return NULL;
   return mt_heap_strdup (field (&line));
}

static char *from_file (const char *path, const Login *l)
{
   struct stat info;
   FILE *f = fopen (path, "re");
   char *line = NULL, *found = NULL;
   size_t size = 0;
   ssize_t n;
   if (!f)
      return NULL;
   if (fstat (fileno (f), &info) == 0 && (info.st_mode & (S_IRWXG | S_IRWXO))) {
      fprintf (
         stderr,
         "WARNING: password file \"%s\" has group or world access; permissions should be u=rw "
         "(0600) or less\n",
         path);
      fclose (f);
      return NULL;
   }
   while (!found && (n = getline (&line, &size, f)) > 0) {
      line[strcspn (line, "\r\n")] = 0;
      found = from_line (line, l);
   }
   if (line)
      explicit_bzero (line, size);
   free (line);
   fclose (f);
   return found;
}

char *mt_ask_password (const char *user)
{
   FILE *tty = fopen ("/dev/tty", "r+e");
   struct termios was, silent;
   char *line = NULL;
   size_t size = 0;
   if (!tty)
      return NULL;
   bool terminal = tcgetattr (fileno (tty), &was) == 0;
   if (terminal) { /* before the prompt, so that early typing isn't shown */
      silent = was;
      silent.c_lflag &= ~(tcflag_t) ECHO;
      tcsetattr (fileno (tty), TCSAFLUSH, &silent);
   }
   fprintf (tty, "Password for user %s: ", user);
   fflush (tty);
   ssize_t n = getline (&line, &size, tty);
   if (terminal)
      tcsetattr (fileno (tty), TCSAFLUSH, &was);
   fputs ("\n", tty);
   fclose (tty);
   if (n < 0) {
      free (line);
      return NULL;
   }
   line[strcspn (line, "\r\n")] = 0;
   return line;
}

char *mt_find_password (const char *target, bool may_ask)
{
   const char *env = getenv ("MTSQL_PASSWORD"), *file = getenv ("MTSQL_PASSFILE"),
              *home = getenv ("HOME");
   Login l;
   char *found = NULL;
   if (!read_login (target, &l))
      return NULL;
   if (env)
      found = mt_heap_strdup (env);
   MtBuf path = {0};
   if (file)
      mt_buf_adds (&path, file);
   else if (home)
      mt_buf_printf (&path, "%s/.mtsqlpass", home);
   if (!found && path.n)
      found = from_file (path.p, &l);
   if (!found && may_ask)
      found = mt_ask_password (l.user);
   mt_buf_free (&path);
   free_login (&l);
   return found;
}
