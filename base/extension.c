#include "base/extension.h"

#include <dlfcn.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- where bundled extensions are ---- */

static bool is_there (const char *folder, const char *below, const char *name, char *path)
{
   size_t n = strlen (name);
   const char *ending = n > 3 && strcmp (name + n - 3, ".so") == 0 ? "" : ".so";
   int length = snprintf (path, PATH_MAX, "%s%s/%s%s", folder, below, name, ending);
   return length < PATH_MAX && access (path, R_OK) == 0;
}

/* Looks for an extension in the folders near `path`, a program or library. Changes `path`. */
static bool is_near (char *folder, const char *name, char *path)
{
   static const char *const folders[] = {"/extensions", "/../extensions", "/mtsql",
                                         "/../lib/mtsql"};
   bool found = false;
   char *slash = strrchr (folder, '/');
   if (!slash)
      return false;
   *slash = 0;
   for (size_t i = 0; i < sizeof folders / sizeof *folders && !found; i++)
      found = is_there (folder, folders[i], name, path);
   return found;
}

/* Returns the path of the file that contains this code: libmtsql.so, or a program. "": not
 * known. */
static const char *own_file (void)
{
   Dl_info info;
   return dladdr ((void *) (uintptr_t) mt_extension_open, &info) && info.dli_fname ? info.dli_fname
                                                                                   : "";
}

static bool find_bundled (const char *name, char *path)
{
   const char *folder = getenv ("MTSQL_EXTENSIONS");
   char near[PATH_MAX] = "";
   if (strchr (name, '/') || !*name)
      return false;
   if (folder)
      return is_there (folder, "", name, path);
   snprintf (near, sizeof near, "%s", own_file ());
   if (is_near (near, name, path))
      return true;
   ssize_t n = readlink ("/proc/self/exe", near, sizeof near - 1);
   near[n < 0 ? 0 : n] = 0;
   return is_near (near, name, path);
}

/* ---- loading ---- */

/* Makes the library's functions visible to extensions. This is needed if the program loaded the
 * library privately, as Python's ctypes does. */
static void share_library (void)
{
   void *h = dlopen (own_file (), RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
   if (h)
      dlclose (h);
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
   *out = m;
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

bool mt_extension_is_bundled (const char *file)
{
   char path[PATH_MAX];
   return find_bundled (file, path);
}
