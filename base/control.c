#include "base/control.h"

#include "base/extension.h"
#include "base/memory.h"
#include "base/str.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILE_BYTES = 1 << 16, MOST_SCRIPT_BYTES = 1 << 24 };

static bool is_name (const char *name)
{
   size_t n = strlen (name);
   return n > 0 && n <= MT_EXTENSION_NAME_BYTES && name[0] != '-' && name[n - 1] != '-' &&
          !strstr (name, "--") &&
          name[strspn (name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] ==
             0;
}

/* ---- files ---- */

/* Reads a whole file of at most `most` bytes into *out. *out is NULL if the file does not exist. */
static bool read_file (MtArena *a, const char *path, size_t most, char **out, MtError *err)
{
   FILE *f = fopen (path, "re");
   *out = NULL;
   if (!f)
      return errno == ENOENT || errno == ENOTDIR ||
             mt_error (err, MT_E_UNDEFINED_FILE, "could not open file \"%s\": %s", path,
                       strerror (errno));
   MtBuf b = {0};
   char part[4096];
   size_t n;
   while (b.n <= most && (n = fread (part, 1, sizeof part, f)) > 0)
      mt_buf_add (&b, part, n);
   bool ok = !ferror (f);
   fclose (f);
   if (!ok)
      mt_error (err, MT_E_UNDEFINED_FILE, "could not read file \"%s\"", path);
   else if (b.n > most)
      ok = mt_error (err, MT_E_LIMIT, "file \"%s\" is longer than %zu bytes", path, most);
   else
      *out = mt_strndup (a, b.p ? b.p : "", b.n);
   mt_buf_free (&b);
   return ok;
}

/* ---- one control file ---- */

typedef struct Reader {
   MtArena *a;
   const char *path;
   MtControl *c;
   int line;
   MtError *err;
} Reader;

static bool faulty (Reader *r, const char *what)
{
   return mt_error (r->err, MT_E_SYNTAX, "%s in file \"%s\", line %d", what, r->path, r->line);
}

/* Reads the value after '=' into *out: a word, or a quoted text, in which '' stands for a quote. */
static bool read_value (Reader *r, const char *p, char **out)
{
   MtBuf b = {0};
   bool quoted = *p == '\'', closed = !quoted;
   for (p += quoted; *p && !(quoted && closed); p++) {
      if (quoted && *p == '\'' && p[1] != '\'') {
         closed = true;
         continue;
      }
      if (!quoted && (isspace ((unsigned char) *p) || *p == '#'))
         break;
      p += quoted && *p == '\'';
      mt_buf_addc (&b, *p);
   }
   p += strspn (p, " \t\r");
   *out = mt_strndup (r->a, b.p ? b.p : "", b.n);
   mt_buf_free (&b);
   return (closed && (!*p || *p == '#')) || faulty (r, "syntax error");
}

static bool set_comment (Reader *r, char *value)
{
   r->c->comment = value;
   return true;
}

static bool set_version (Reader *r, char *value)
{
   r->c->default_version = value;
   return (*value && !strstr (value, "--") && !strchr (value, '/')) ||
          faulty (r, "invalid default_version");
}

/* Sets the path of the extension's library from module_pathname. The library must be in the folder
 * of the control file, so "$libdir/" before its name is ignored. */
static bool set_module (Reader *r, char *value)
{
   const char *slash = strrchr (value, '/'), *name = slash ? slash + 1 : value;
   if (!*name || (slash && strncmp (value, "$libdir/", 8) != 0))
      return faulty (r, "module_pathname is not a name, or $libdir/ and a name");
   r->c->module = mt_printf (r->a, "%s/%s%s", r->c->folder, name, mt_extension_ending (name));
   r->c->module_name = name;
   return true;
}

static bool set_required (Reader *r, char *value)
{
   size_t cap = strlen (value) / 2 + 1;
   r->c->required = MT_NEW_N (r->a, const char *, cap + 1);
   for (char *rest = value, *name; (name = strtok_r (rest, ", \t", &rest));) {
      if (!is_name (name))
         return faulty (r, "invalid name in requires");
      r->c->required[r->c->required_count++] = name;
   }
   return true;
}

/* Accepts keys of PostgreSQL's control files that have no effect in mtsql. */
static bool ignore (Reader *r, char *value) { return true; }

static bool set_key (Reader *r, const char *key, char *value)
{
   static const struct {
      const char *key;
      bool (*set) (Reader *r, char *value);
   } keys[] = {
      {"comment", set_comment},   {"default_version", set_version}, {"module_pathname", set_module},
      {"requires", set_required}, {"relocatable", ignore},          {"superuser", ignore},
      {"trusted", ignore}};
   for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
      if (strcmp (key, keys[i].key) == 0)
         return keys[i].set (r, value);
   return mt_error (r->err, MT_E_SYNTAX, "unrecognized parameter \"%s\" in file \"%s\", line %d",
                    key, r->path, r->line);
}

static bool read_line (Reader *r, char *line)
{
   char *p = line + strspn (line, " \t\r"), *value;
   size_t n = strspn (p, "abcdefghijklmnopqrstuvwxyz_");
   if (!*p || *p == '#')
      return true;
   char *equals = p + n + strspn (p + n, " \t");
   if (!n || *equals != '=')
      return faulty (r, "syntax error");
   if (!read_value (r, equals + 1 + strspn (equals + 1, " \t"), &value))
      return false;
   p[n] = 0;
   return set_key (r, p, value);
}

static bool read_control (MtArena *a, const char *folder, const char *name, MtControl **out,
                          MtError *err)
{
   char *text, *line;
   const char *path = mt_printf (a, "%s/%s.control", folder, name);
   MtControl *c = MT_NEW (a, MtControl);
   Reader r = {.a = a, .path = path, .c = c, .err = err};
   *out = NULL;
   if (!read_file (a, path, MOST_FILE_BYTES, &text, err) || !text)
      return !text && !mt_error_is_set (err);
   c->name = mt_strdup (a, name);
   c->folder = mt_strdup (a, folder);
   while ((line = strsep (&text, "\n"))) {
      r.line++;
      if (!read_line (&r, line))
         return false;
   }
   if (!c->default_version)
      return mt_error (err, MT_E_SYNTAX, "file \"%s\" has no default_version", path);
   *out = c;
   return true;
}

/* ---- folders ---- */

/* The folders of a search path, in the order of the search. */
typedef struct Folders {
   const char **names;
   size_t count;
   const char *system; /* the installed folder, an element of names; NULL: there is none */
} Folders;

static void add_folder (MtArena *a, Folders *f, const char *name)
{
   if (*name)
      f->names[f->count++] = mt_strdup (a, name);
}

static Folders folders_of (MtArena *a, const char *path)
{
   static const char own[] = "$system";
   char *rest = mt_strdup (a, path ? path : ""), *name, installed[PATH_MAX];
   Folders f = {.names = MT_NEW_N (a, const char *, strlen (rest) + 3)};
   bool found = mt_extension_folder (installed);
   if (found)
      f.system = mt_strdup (a, installed);
   if (found && !strstr (rest, own))
      f.names[f.count++] = f.system;
   while ((name = strsep (&rest, ":")))
      if (strcmp (name, own) != 0)
         add_folder (a, &f, name);
      else if (found)
         f.names[f.count++] = f.system;
   return f;
}

bool mt_control_find (MtArena *a, const char *path, const char *name, MtControl **out, MtError *err)
{
   Folders f = folders_of (a, path);
   *out = NULL;
   if (!is_name (name))
      return true;
   for (size_t i = 0; i < f.count && !*out; i++) {
      if (!read_control (a, f.names[i], name, out, err))
         return false;
      if (*out)
         (*out)->bundled = f.names[i] == f.system;
   }
   return true;
}

/* Returns the names of the files in a folder that end with `ending`, without the ending. Sorted by
 * bytes, in arena a. */
static const char **files_of (MtArena *a, const char *folder, const char *ending, size_t *count)
{
   struct dirent **entries;
   int n = scandir (folder, &entries, NULL, alphasort);
   const char **names = MT_NEW_N (a, const char *, n > 0 ? (size_t) n + 1 : 1);
   *count = 0;
   for (int i = 0; i < n; i++) {
      size_t len = strlen (entries[i]->d_name), end = strlen (ending);
      if (len > end && strcmp (entries[i]->d_name + len - end, ending) == 0)
         names[(*count)++] = mt_strndup (a, entries[i]->d_name, len - end);
      free (entries[i]);
   }
   if (n >= 0)
      free (entries);
   return names;
}

static int by_name (const void *x, const void *y)
{
   return strcmp (((const MtControl *) x)->name, ((const MtControl *) y)->name);
}

static bool has (const MtControl *list, size_t n, const char *name)
{
   for (size_t i = 0; i < n; i++)
      if (strcmp (list[i].name, name) == 0)
         return true;
   return false;
}

void mt_control_list (MtArena *a, const char *path, MtControl **out, size_t *count)
{
   Folders f = folders_of (a, path);
   size_t cap = 0;
   *out = NULL;
   *count = 0;
   for (size_t i = 0; i < f.count; i++) {
      size_t n;
      const char **names = files_of (a, f.names[i], ".control", &n);
      for (size_t k = 0; k < n; k++) {
         MtControl *c;
         MtError ignored = {0};
         if (has (*out, *count, names[k]) || !is_name (names[k]) ||
             !read_control (a, f.names[i], names[k], &c, &ignored) || !c)
            continue;
         c->bundled = f.names[i] == f.system;
         MT_GROW_IN (a, *out, *count, cap, 8);
         (*out)[(*count)++] = *c;
      }
   }
   if (*count)
      qsort (*out, *count, sizeof **out, by_name);
}

/* ---- scripts ---- */

const char **mt_control_scripts (MtArena *a, const MtControl *c, size_t *count)
{
   size_t n, start = strlen (c->name) + 2;
   const char **names = files_of (a, c->folder, ".sql", &n),
              *prefix = mt_printf (a, "%s--", c->name);
   *count = 0;
   for (size_t i = 0; i < n; i++)
      if (strncmp (names[i], prefix, start) == 0)
         names[(*count)++] = names[i] + start;
   return names;
}

static const char *with_module (MtArena *a, const MtControl *c, const char *text)
{
   static const char word[] = "MODULE_PATHNAME";
   MtBuf b = {0};
   for (const char *at; c->module && (at = strstr (text, word)); text = at + sizeof word - 1) {
      mt_buf_add (&b, text, (size_t) (at - text));
      mt_buf_adds (&b, c->module_name);
   }
   mt_buf_adds (&b, text);
   const char *all = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return all;
}

bool mt_control_script (MtArena *a, const MtControl *c, const char *part, const char **out,
                        MtError *err)
{
   char *text;
   *out = NULL;
   if (strchr (part, '/') ||
       !read_file (a, mt_printf (a, "%s/%s--%s.sql", c->folder, c->name, part), MOST_SCRIPT_BYTES,
                   &text, err))
      return strchr (part, '/') != NULL;
   if (text)
      *out = with_module (a, c, text);
   return true;
}
