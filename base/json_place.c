/* Where in JSON text a value is. */
#include "base/jsonb.h"

#include <stdlib.h>
#include <string.h>

typedef struct Scan {
   const char *p, *end;
} Scan;

static void space (Scan *s)
{
   while (s->p < s->end && strchr (" \t\r\n", *s->p))
      s->p++;
}

static void skip_string (Scan *s)
{
   for (s->p++; s->p < s->end && *s->p != '"'; s->p++)
      s->p += *s->p == '\\' && s->p + 1 < s->end;
   s->p += s->p < s->end;
}

/* Brackets are counted, not entered: text of any depth. */
static void skip_value (Scan *s)
{
   size_t depth = 0;
   do {
      space (s);
      if (s->p >= s->end)
         return;
      if (*s->p == '"') {
         skip_string (s);
         continue;
      }
      depth += *s->p == '{' || *s->p == '[';
      depth -= depth && (*s->p == '}' || *s->p == ']');
      s->p++;
      while (!depth && s->p < s->end && !strchr (" \t\r\n,:]}", *s->p)) /* a number or a word */
         s->p++;
   } while (depth);
}

/* The rest of a path behind a field's name; NULL: it leads elsewhere. Names with escapes aren't found: what is above them is. */
static const char *behind (const char *path, MtStr name)
{
   path += *path == '.';
   if (strncmp (path, name.p, name.n))
      return NULL;
   return strchr (".[", path[name.n]) ? path + name.n : NULL; /* the end of the path is among them */
}

/* Into the object's field that the path names: its value is next then. The last one of equal names, of several that fit the longest. */
static bool into_field (Scan *s, const char **path, MtSpan *name, const char *text)
{
   Scan look = {s->p + 1, s->end}, found = {NULL, s->end};
   const char *rest = NULL;
   for (;;) {
      space (&look);
      if (look.p >= look.end || *look.p != '"')
         break;
      const char *key = look.p, *after;
      skip_string (&look);
      MtStr bare = {key + 1, (size_t) (look.p - key) - 2};
      size_t key_size = (size_t) (look.p - key);
      space (&look);
      look.p += look.p < look.end;
      if ((after = behind (*path, bare)) && (!rest || after >= rest)) {
         rest = after;
         found.p = look.p;
         *name = (MtSpan){(int32_t) (key - text), (int32_t) key_size};
      }
      skip_value (&look);
      space (&look);
      look.p += look.p < look.end && *look.p == ',';
   }
   if (rest) {
      *path = rest;
      *s = found;
   }
   return rest;
}

static bool into_element (Scan *s, const char **path)
{
   char *rest;
   size_t i = (size_t) strtoul (*path + 1, &rest, 10);
   Scan look = {s->p + 1, s->end};
   for (; i && look.p < look.end; i--) {
      skip_value (&look);
      space (&look);
      if (look.p >= look.end || *look.p != ',')
         return false;
      look.p++;
   }
   space (&look);
   if (*rest != ']' || look.p >= look.end || *look.p == ']')
      return false;
   *path = rest + 1;
   *s = look;
   return true;
}

MtSpan mt_json_place (MtStr text, const char *path, bool name)
{
   Scan s = {text.p, text.p + text.n};
   MtSpan field = MT_NO_SPAN;
   bool in = true;
   while (*path && in) {
      space (&s);
      if (s.p >= s.end)
         break;
      in = *s.p == '{' ? into_field (&s, &path, &field, text.p) : *s.p == '[' && *path == '[' && into_element (&s, &path);
   }
   space (&s);
   const char *start = s.p;
   skip_value (&s);
   return name && !*path && field.start >= 0 ? field : (MtSpan){(int32_t) (start - text.p), (int32_t) (s.p - start)};
}
