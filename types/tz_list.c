/* Lists the names of all time zones for which the system has files. */
#include "types/tz_int.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define DEEPEST 3 /* the largest number of levels in a name: America/Argentina/Ushuaia */

typedef struct Walk {
   MtTzVisit visit;
   void *ctx;
} Walk;

static bool is_skipped (const char *name)
{
   return name[0] == '.' || strcmp (name, "posix") == 0 || strcmp (name, "right") == 0 ||
          strchr (name, '.');
}

static bool list (const Walk *w, const char *folder, const char *prefix, int depth)
{
   DIR *dir = opendir (folder);
   bool go = true;
   struct stat st;
   char path[512], name[256];
   for (struct dirent *e; dir && go && (e = readdir (dir));) {
      bool fits = snprintf (path, sizeof path, "%s/%s", folder, e->d_name) < (int) sizeof path &&
                  snprintf (name, sizeof name, "%s%s%s", prefix, *prefix ? "/" : "", e->d_name) <
                     (int) sizeof name;
      if (!fits || is_skipped (e->d_name) || stat (path, &st))
         continue;
      go = S_ISDIR (st.st_mode) ? depth == DEEPEST || list (w, path, name, depth + 1)
                                : w->visit (w->ctx, name);
   }
   if (dir)
      closedir (dir);
   return go;
}

void mt_tz_each (MtTzVisit visit, void *ctx)
{
   Walk w = {visit, ctx};
   list (&w, MT_ZONES_DIR, "", 1);
}
