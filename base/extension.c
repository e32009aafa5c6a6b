#include "base/extension.h"
#include "base/memory.h"

#include "base/str.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- finding bundled extensions ---- */

/* A callback that searches a folder of bundled extensions. It returns true to end the search. */
typedef bool Visit (void *ctx, const char *folder);

/* Calls `visit` for the folders near `file` (a program or library) that may contain bundled
 * extensions, until it returns true. Overwrites `file`. */
static bool visit_near (char *file, Visit *visit, void *ctx)
{
   static const char *const folders[] = {"/extensions", "/../extensions", "/mtsql",
                                         "/../lib/mtsql"};
   bool found = false;
   char *slash = strrchr (file, '/'), folder[PATH_MAX];
   if (!slash)
      return false;
   *slash = 0;
   for (size_t i = 0; i < sizeof folders / sizeof *folders && !found; i++)
      found = snprintf (folder, sizeof folder, "%s%s", file, folders[i]) < PATH_MAX &&
              visit (ctx, folder);
   return found;
}

/* Returns the path of libmtsql.so, or of the program that contains this code. "": not known. */
static const char *own_file (void)
{
   Dl_info info;
   return dladdr ((void *) (uintptr_t) mt_extension_open, &info) && info.dli_fname ? info.dli_fname
                                                                                   : "";
}

static bool visit_folders (Visit *visit, void *ctx)
{
   const char *folder = getenv ("MTSQL_EXTENSIONS");
   char near[PATH_MAX] = "";
   if (folder)
      return visit (ctx, folder);
   snprintf (near, sizeof near, "%s", own_file ());
   if (visit_near (near, visit, ctx))
      return true;
   ssize_t n = readlink ("/proc/self/exe", near, sizeof near - 1);
   near[n < 0 ? 0 : n] = 0;
   return visit_near (near, visit, ctx);
}

typedef struct Search {
   const char *name;
   char *path;
} Search;

const char *mt_extension_ending (const char *name)
{
   size_t n = strlen (name);
   return n > 3 && strcmp (name + n - 3, ".so") == 0 ? "" : ".so";
}

static bool is_there (void *ctx, const char *folder)
{
   const Search *s = ctx;
   int length = snprintf (s->path, PATH_MAX, "%s/%s%s", folder, s->name,
                          mt_extension_ending (s->name));
   return length < PATH_MAX && access (s->path, R_OK) == 0;
}

static bool find_bundled (const char *name, char *path)
{
   return *name && !strchr (name, '/') && visit_folders (is_there, &(Search) {name, path});
}

static bool has_control_files (void *ctx, const char *folder)
{
   const Search *s = ctx;
   char file[PATH_MAX];
   return snprintf (s->path, PATH_MAX, "%s", folder) < PATH_MAX &&
          snprintf (file, sizeof file, "%s/%s", folder, s->name) < PATH_MAX &&
          (getenv ("MTSQL_EXTENSIONS") || access (file, R_OK) == 0);
}

bool mt_extension_folder (char path[PATH_MAX])
{
   return visit_folders (has_control_files, &(Search) {"example.control", path});
}

/* ---- similar names ---- */

typedef struct Nearest {
   const char *name;
   char found[MT_EXT_NAME_SIZE]; /* the nearest name so far; "": none */
} Nearest;

static bool look_for_near (void *ctx, const char *folder)
{
   Nearest *x = ctx;
   DIR *d = opendir (folder);
   const struct dirent *e;
   while (d && (e = readdir (d))) {
      char file[sizeof x->found];
      size_t n = strlen (e->d_name);
      if (n < 4 || n - 3 >= sizeof file || strcmp (e->d_name + n - 3, ".so") != 0)
         continue;
      memcpy (file, e->d_name, n - 3);
      file[n - 3] = 0;
      const char *names[] = {file, x->found},
                 *near = mt_nearest (x->name, names, *x->found ? 2 : 1);
      if (near == file)
         memcpy (x->found, file, sizeof file);
   }
   if (d)
      closedir (d);
   return *x->found != 0;
}

bool mt_extension_near (const char *name, char near[MT_EXT_NAME_SIZE])
{
   Nearest x = {.name = name};
   bool found = visit_folders (look_for_near, &x);
   memcpy (near, x.found, sizeof x.found);
   return found;
}

/* ---- loading ---- */

/* Makes the functions of libmtsql.so visible to the extensions that are loaded. This is needed if
 * the program loaded it with local symbols, as Python's ctypes does. */
static void share_library (void)
{
   void *h = dlopen (own_file (), RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
   if (h)
      dlclose (h);
}

/* An entry in the list of loaded extensions: the extension's MtModule, and a copy with all members.
 * The list is never freed. */
typedef struct Loaded {
   const MtModule *own; /* the library's record */
   MtModule full;
   struct Loaded *next;
} Loaded;

/* Protects the list `loaded`. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Loaded *loaded;

/* Returns a static copy of an extension's MtModule that has all members. Members that did not exist
 * when the extension was built are 0. */
static const MtModule *full_record (const MtModule *own)
{
   pthread_mutex_lock (&lock);
   Loaded *l = loaded;
   while (l && l->own != own)
      l = l->next;
   if (!l) {
      l = mt_calloc ("extensions", 1, sizeof *l);
      l->own = own;
      memcpy (&l->full, own, own->size < sizeof l->full ? own->size : sizeof l->full);
      l->next = loaded;
      loaded = l;
   }
   pthread_mutex_unlock (&lock);
   return &l->full;
}

static bool load (const char *path, const char *file, const MtModule **out, MtError *err)
{
   share_library ();
   void *h = dlopen (path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
   if (!h)
      return mt_error (err, MT_E_UNDEFINED_FILE, "could not load library \"%s\": %s", file,
                       dlerror ());
   const MtModule *m = dlsym (h, "mt_module");
   if (!m) {
      mt_error (err, MT_E_INVALID_DEFINITION, "library \"%s\" is not an extension of mtsql", file);
      return mt_error_hint (err, "Extensions export mt_module: see include/mtsql_ext.h.");
   }
   if (m->abi_major != MT_EXT_ABI_MAJOR || m->abi_minor > MT_EXT_ABI_MINOR ||
       m->size < offsetof (MtModule, copy_formats) + sizeof m->copy_formats)
      return mt_error (
         err, MT_E_INVALID_DEFINITION,
         "library \"%s\" was built for version %d.%d of the extension interface, this is %d.%d",
         file, m->abi_major, m->abi_minor, MT_EXT_ABI_MAJOR, MT_EXT_ABI_MINOR);
   *out = full_record (m);
   return true;
}

bool mt_extension_open (const char *file, const MtModule **out, MtError *err)
{
   char path[PATH_MAX];
   return load (find_bundled (file, path) ? path : file, file, out, err);
}

bool mt_extension_bundled (const char *name, const MtModule **out, MtError *err)
{
   char path[PATH_MAX];
   *out = NULL;
   return !find_bundled (name, path) || load (path, name, out, err);
}

bool mt_extension_path (const char *name, char path[PATH_MAX]) { return find_bundled (name, path); }

bool mt_extension_is_bundled (const char *file)
{
   char path[PATH_MAX];
   return find_bundled (file, path);
}
