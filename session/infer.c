/* What a collection that nobody declared has in it: \d and \infer. */
#include "session/undeclared.h"

#include <string.h>

typedef struct Listing {
   MtArena *a;
   MtFieldInfo *rows;
   size_t count, capacity;
} Listing;

static void list_below (Listing *l, const MtSeen *s, const char *path, bool inside);

static void
list_field (Listing *l, const MtSeen *s, const char *path, const char *type, double missing)
{
   if (l->count == l->capacity) {
      size_t capacity = l->capacity ? l->capacity * 2 : 64;
      MtFieldInfo *rows = MT_NEW_N (l->a, MtFieldInfo, capacity);
      if (l->count)
         memcpy (rows, l->rows, l->count * sizeof *rows);
      l->rows = rows;
      l->capacity = capacity;
   }
   l->rows[l->count++] = (MtFieldInfo){path, type, mt_seen_text (l->a, s), missing};
}

/* inside: of an array or a map, or of a document that isn't one everywhere: no columns of their own. */
static void
list_fields (Listing *l, const MtSeen *doc, const char *prefix, bool inside)
{
   for (const MtSeen *f = doc->fields; f; f = f->next) {
      const char *path = mt_printf (l->a, "%s%s%s", prefix, *prefix ? "." : "", f->name);
      bool flat = !inside && !f->unnameable && mt_seen_flattens (f);
      uint64_t missing = mt_seen_missing (doc, f), parents = doc->types[MT_SEEN_DOC];
      list_field (l, f, path, inside || flat || f->unnameable ? "" : mt_type_info (mt_seen_column_type (f))->display,
                  parents ? (double) missing / (double) parents : 0);
      list_below (l, f, path, inside || !flat);
   }
}

static void
list_below (Listing *l, const MtSeen *s, const char *path, bool inside)
{
   bool map = s->values || (s->all_digits && s->field_count > 1);
   const MtSeen *values = map ? mt_seen_values (l->a, s) : NULL;
   if (values) {
      list_field (l, values, mt_printf (l->a, "%s.*", path), "", 0);
      list_below (l, values, mt_printf (l->a, "%s.*", path), true);
   } else {
      list_fields (l, s, path, inside);
   }
   if (s->elements && s->elements->count) {
      const char *elements = mt_printf (l->a, "%s[]", path);
      list_field (l, s->elements, elements, "", 0);
      list_below (l, s->elements, elements, true);
   }
}

bool
mt_collection_info (MtSession *s, MtArena *a, const char *name, MtCollectionInfo *out, bool *found, MtError *err)
{
   MtUndeclared *u;
   if (!mt_undeclared_find (s, name, false, true, &u, err))
      return false;
   *found = u != NULL;
   if (!u)
      return true;
   const MtCollectionSample *c = mt_undeclared_sample (u);
   Listing l = {.a = a};
   list_fields (&l, c->root, "", false);
   *out = (MtCollectionInfo){.name = mt_strdup (a, c->collection), .documents = (double) c->documents, .sampled = (double) c->sampled,
                             .bytes = (double) c->bytes, .fields = l.rows, .field_count = l.count,
                             .hidden = c->hidden ? mt_strdup (a, c->hidden) : NULL};
   return true;
}
