/* Runs a libFuzzer target, without libFuzzer, on the inputs that lie in the folder of its name:
 * NAME_test runs tests/fuzz/NAME/. Most of them are inputs that once were at fault. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
int LLVMFuzzerInitialize (int *argc, char ***argv) __attribute__ ((weak));

static _Noreturn void cant (const char *what, const char *path)
{
   fprintf (stderr, "can't %s %s\n", what, path);
   exit (1);
}

static void replay (const char *path)
{
   FILE *f = fopen (path, "rb");
   if (!f || fseek (f, 0, SEEK_END) != 0)
      cant ("read", path);
   size_t n = (size_t) ftell (f);
   uint8_t *p = malloc (n + 1);
   rewind (f);
   if (!p || fread (p, 1, n, f) != n)
      cant ("read", path);
   fclose (f);
   printf ("%s\n", path);
   fflush (stdout);
   LLVMFuzzerTestOneInput (p, n);
   free (p);
}

int main (int argc, char **argv)
{
   const char *root = getenv ("ROOT"), *name = strrchr (argv[0], '/');
   char folder[3000], path[4000];
   int passed = 0;
   name = name ? name + 1 : argv[0];
   snprintf (folder, sizeof folder, "%s/tests/fuzz/%.*s", root ? root : ".",
             (int) (strlen (name) - strlen ("_test")), name);
   if (LLVMFuzzerInitialize)
      LLVMFuzzerInitialize (&argc, &argv);
   DIR *d = opendir (folder);
   if (!d)
      cant ("open", folder);
   for (struct dirent *e; (e = readdir (d));)
      if (e->d_name[0] != '.') {
         snprintf (path, sizeof path, "%s/%s", folder, e->d_name);
         replay (path);
         passed++;
      }
   closedir (d);
   printf ("%d passed, 0 failed\n", passed);
   return 0;
}
