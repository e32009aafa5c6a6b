/* Finds the span of a value in text in mongosh's syntax. The text was parsed before without error,
 * so an error here only ends the search. */
#include "types/mongosh_int.h"

#include <stdlib.h>
#include <string.h>

static bool opens (const MtMongosh *m)
{
   return mt_sh_is (m, '{') || mt_sh_is (m, '[') || mt_sh_is (m, '(');
}
static bool closes (const MtMongosh *m)
{
   return mt_sh_is (m, '}') || mt_sh_is (m, ']') || mt_sh_is (m, ')');
}

/* Skips a value, up to the comma or closing bracket after it. Brackets are only counted, so the
 * depth is not limited. */
static bool skip_value (MtMongosh *m)
{
   size_t depth = 0;
   while (m->t.kind != MT_SH_END && (depth || (!closes (m) && !mt_sh_is (m, ',')))) {
      depth += opens (m);
      depth -= depth && closes (m);
      if (!mt_sh_next (m))
         return false;
   }
   return true;
}

/* If the path begins with this field name, returns the rest of the path after it; else NULL. */
static const char *behind (const char *path, MtStr name)
{
   path += *path == '.';
   if (strncmp (path, name.p, name.n))
      return NULL;
   return strchr (".[", path[name.n]) ? path + name.n : NULL; /* the final NUL is also found */
}

/* Moves to the value of the field that the path names, and advances *path. If several names match
 * the beginning of the path, the longest one is used. *name: the span of the name. */
static bool into_field (MtMongosh *m, const char **path, MtSpan *name)
{
   MtMongosh look = *m, found = *m;
   const char *rest = NULL;
   bool ok = mt_sh_next (&look);
   while (ok && look.t.kind != MT_SH_END && look.t.kind != MT_SH_SIGN) {
      MtStr key = look.t.kind == MT_SH_STRING ? look.t.text : look.t.raw;
      const char *after = behind (*path, key);
      MtSpan span = mt_sh_span (&look, look.t.raw);
      ok = mt_sh_next (&look) && mt_sh_is (&look, ':') && mt_sh_next (&look);
      if (ok && after && (!rest || after >= rest)) {
         rest = after;
         found = look;
         *name = span;
      }
      ok = ok && skip_value (&look) && mt_sh_is (&look, ',') && mt_sh_next (&look);
   }
   if (rest) {
      *path = rest;
      *m = found;
   }
   return rest;
}

static bool into_element (MtMongosh *m, const char **path)
{
   char *rest;
   size_t i = (size_t) strtoul (*path + 1, &rest, 10);
   MtMongosh look = *m;
   bool ok = mt_sh_next (&look);
   for (; ok && i; i--)
      ok = skip_value (&look) && mt_sh_is (&look, ',') && mt_sh_next (&look);
   if (!ok || *rest != ']' || mt_sh_is (&look, ']') || look.t.kind == MT_SH_END)
      return false;
   *path = rest + 1;
   *m = look;
   return true;
}

static MtSpan place (MtArena *a, MtStr text, const char *path, bool name)
{
   MtMongosh m;
   MtError err;
   MtSpan field = MT_NO_SPAN;
   bool in = mt_sh_begin (&m, a, text, &err);
   while (in && *path)
      in = mt_sh_is (&m, '{') ? into_field (&m, &path, &field)
                              : mt_sh_is (&m, '[') && *path == '[' && into_element (&m, &path);
   const char *start = m.t.raw.p ? m.t.raw.p : text.p;
   m.last = start;
   skip_value (&m);
   return name && !*path && field.start >= 0
             ? field
             : (MtSpan) {(int32_t) (start - text.p), (int32_t) (m.last - start)};
}

MtSpan mt_mongosh_place (MtStr text, const char *path, bool name)
{
   MtArena *a = mt_arena_new ("place", NULL);
   MtSpan span = place (a, text, path, name);
   mt_arena_free (a);
   return span;
}
