#include "planner/catalog.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One entry of the catalog: {_id: "kind/name", kind, name, version, body: {…}}. */
typedef struct Entry {
   const char *kind, *name;
   int64_t version;
   const bson_t *body;
   const MtTable *table;  /* of kind "table" */
} Entry;

/* What was read at once; the one before stays valid for whoever still holds its tables. */
typedef struct Generation {
   MtArena *arena;
   Entry *entries;        /* by kind, then name */
   MtCatalogItem *items;  /* parallel */
   size_t count;
   const MtTable **tables;
   const char **names;
   size_t table_count;
   uint64_t fingerprint;
} Generation;

struct MtCatalog {
   MtEngine *engine;
   MtArena *arena;
   const char *file;
   bool in_memory;
   bson_t **kept;         /* in memory: the documents; owned */
   size_t kept_count, kept_capacity;
   Generation now, before;
   bool read_once;
};

/* ---- documents kept in memory or in a file ---- */

static const char *
text_of (const bson_t *doc, const char *field)
{
   bson_iter_t it;
   return bson_iter_init_find (&it, doc, field) && BSON_ITER_HOLDS_UTF8 (&it) ? bson_iter_utf8 (&it, NULL) : NULL;
}

static size_t
kept_at (const MtCatalog *c, const char *id)
{
   size_t i = 0;
   while (i < c->kept_count && strcmp (text_of (c->kept[i], "_id"), id) != 0)
      i++;
   return i;
}

static void
keep (MtCatalog *c, bson_t *doc)
{
   size_t at = kept_at (c, text_of (doc, "_id"));
   if (at < c->kept_count) {
      bson_destroy (c->kept[at]);
      c->kept[at] = doc;
      return;
   }
   if (c->kept_count == c->kept_capacity) {
      c->kept_capacity = c->kept_capacity ? c->kept_capacity * 2 : 8;
      c->kept = realloc (c->kept, c->kept_capacity * sizeof *c->kept);
      if (!c->kept)
         abort ();
   }
   c->kept[c->kept_count++] = doc;
}

static bool
forget (MtCatalog *c, const char *id)
{
   size_t at = kept_at (c, id);
   if (at == c->kept_count)
      return false;
   bson_destroy (c->kept[at]);
   memmove (&c->kept[at], &c->kept[at + 1], (c->kept_count - at - 1) * sizeof *c->kept);
   c->kept_count--;
   return true;
}

static bool
bad_file (const MtCatalog *c, const char *why, MtError *err)
{
   return mt_error (err, MT_E_CORRUPT, "catalog file \"%s\" is damaged: %s", c->file, why);
}

/* One JSON document a line. */
static bool
load_file (MtCatalog *c, MtError *err)
{
   FILE *f = fopen (c->file, "re");
   char *line = NULL;
   size_t size = 0;
   ssize_t n;
   bool ok = true;
   if (!f && errno == ENOENT)
      return true;
   if (!f)
      return mt_error (err, MT_E_IO, "could not open catalog file \"%s\": %s", c->file, strerror (errno));
   while (ok && (n = getline (&line, &size, f)) > 0) {
      bson_error_t why;
      bson_t *doc = bson_new_from_json ((const uint8_t *) line, n, &why);
      if (!doc || !text_of (doc, "_id")) {
         ok = bad_file (c, doc ? "a document has no _id" : why.message, err);
         if (doc)
            bson_destroy (doc);
      } else {
         keep (c, doc);
      }
   }
   free (line);
   fclose (f);
   return ok;
}

static bool
save_file (MtCatalog *c, MtError *err)
{
   char *name = NULL;
   if (!c->file)
      return true;
   if (asprintf (&name, "%s.new.%ld", c->file, (long) getpid ()) < 0)
      abort ();
   FILE *f = fopen (name, "we");
   bool ok = f != NULL;
   for (size_t i = 0; ok && i < c->kept_count; i++) {
      char *json = bson_as_canonical_extended_json (c->kept[i], NULL);
      ok = json && fprintf (f, "%s\n", json) > 0;
      bson_free (json);
   }
   if (f)
      ok = (fflush (f) == 0 && fsync (fileno (f)) == 0) && ok;
   if (f)
      ok = fclose (f) == 0 && ok;
   ok = ok && rename (name, c->file) == 0;
   if (!ok) {
      mt_error (err, MT_E_IO, "could not write catalog file \"%s\": %s", c->file, strerror (errno));
      unlink (name);
   }
   free (name);
   return ok;
}

/* ---- open and close ---- */

bool
mt_catalog_open (MtEngine *e, const char *file, MtCatalog **out, MtError *err)
{
   MtArena *a = mt_arena_new ("catalog", NULL);
   MtCatalog *c = MT_NEW (a, MtCatalog);
   c->arena = a;
   c->engine = e;
   c->in_memory = file || mt_engine_caps (e)->read_only;
   c->file = file ? mt_strdup (a, file) : NULL;
   if (c->file && !load_file (c, err)) {
      mt_catalog_close (c);
      return false;
   }
   *out = c;
   return true;
}

void
mt_catalog_close (MtCatalog *c)
{
   if (!c)
      return;
   for (size_t i = 0; i < c->kept_count; i++)
      bson_destroy (c->kept[i]);
   free (c->kept);
   mt_arena_free (c->now.arena);
   mt_arena_free (c->before.arena);
   mt_arena_free (c->arena);
}

/* ---- reading ---- */

static bool
damaged (const char *id, const char *why, MtError *err)
{
   return mt_error (err, MT_E_CORRUPT, "document \"%s\" of the catalog is damaged: %s", id ? id : "?", why);
}

static void
free_bson (void *b)
{
   bson_destroy (b);
}

static bool
read_entry (Generation *g, const bson_t *doc, MtError *err)
{
   const char *id = text_of (doc, "_id"), *kind = text_of (doc, "kind"), *name = text_of (doc, "name");
   bson_iter_t it;
   if (!id || !kind || !name || !bson_iter_init_find (&it, doc, "body") || !BSON_ITER_HOLDS_DOCUMENT (&it))
      return damaged (id, "it has no kind, name or body", err);
   MtVal v = mt_v_copy (g->arena, mt_v_from_iter (&it));
   bson_t *body = MT_NEW (g->arena, bson_t);
   if (!bson_init_static (body, v.p, v.len))
      return damaged (id, "its body isn't a document", err);
   Entry *e = &g->entries[g->count++];
   *e = (Entry){mt_strdup (g->arena, kind), mt_strdup (g->arena, name), 0, body, NULL};
   if (bson_iter_init_find (&it, doc, "version"))
      e->version = bson_iter_as_int64 (&it);
   if (strcmp (kind, "table") != 0)
      return true;
   MtTable *t = MT_NEW (g->arena, MtTable);
   if (!mt_table_from_bson (g->arena, body, t, err))
      return false;
   t->version = e->version;
   e->table = t;
   return true;
}

typedef struct Documents {
   MtArena *arena;
   const bson_t **list;
   size_t count, capacity;
   uint64_t fingerprint;
} Documents;

static void
add_document (Documents *d, const bson_t *doc)
{
   if (d->count == d->capacity) {
      size_t capacity = d->capacity ? d->capacity * 2 : 16;
      const bson_t **list = MT_NEW_N (d->arena, const bson_t *, capacity);
      if (d->count)
         memcpy (list, d->list, d->count * sizeof *list);
      d->list = list;
      d->capacity = capacity;
   }
   bson_t *copy = bson_copy (doc);
   mt_arena_defer (d->arena, free_bson, copy);
   d->list[d->count++] = copy;
   d->fingerprint = mt_v_hash (mt_v_doc (copy), d->fingerprint + d->count);
}

static bool
fetch (MtCatalog *c, Documents *d, MtError *err)
{
   for (size_t i = 0; i < c->kept_count; i++)
      add_document (d, c->kept[i]);
   if (c->in_memory)
      return true;
   bson_t pipeline = BSON_INITIALIZER;
   MtAggregateArgs args = {.collection = MT_CATALOG_COLLECTION, .pipeline = &pipeline};
   MtCursor *cursor;
   const bson_t *doc;
   bool ok = mt_engine_aggregate (c->engine, &args, &cursor, err);
   bson_destroy (&pipeline);
   if (!ok)
      return false;
   while ((ok = mt_cursor_next (cursor, &doc, err)) && doc)
      add_document (d, doc);
   mt_cursor_free (cursor);
   return ok;
}

static int
by_kind_and_name (const void *x, const void *y)
{
   const Entry *a = x, *b = y;
   int kinds = strcmp (a->kind, b->kind);
   return kinds ? kinds : strcmp (a->name, b->name);
}

static void
sort_entries (Generation *g)
{
   qsort (g->entries, g->count, sizeof *g->entries, by_kind_and_name);
   g->items = MT_NEW_N (g->arena, MtCatalogItem, g->count + 1);
   for (size_t i = 0; i < g->count; i++)
      g->items[i] = (MtCatalogItem){g->entries[i].name, g->entries[i].body};
   g->tables = MT_NEW_N (g->arena, const MtTable *, g->count + 1);
   g->names = MT_NEW_N (g->arena, const char *, g->count + 1);
   for (size_t i = 0; i < g->count; i++) {
      if (!g->entries[i].table)
         continue;
      g->names[g->table_count] = g->entries[i].name;
      g->tables[g->table_count++] = g->entries[i].table;
   }
}

bool
mt_catalog_refresh (MtCatalog *c, MtError *err)
{
   Documents d = {.arena = mt_arena_new ("catalog documents", NULL)};
   bool ok = fetch (c, &d, err);
   if (ok && (!c->read_once || d.fingerprint != c->now.fingerprint)) {
      Generation g = {.arena = mt_arena_new ("catalog generation", NULL), .fingerprint = d.fingerprint};
      g.entries = MT_NEW_N (g.arena, Entry, d.count + 1);
      for (size_t i = 0; ok && i < d.count; i++)
         ok = read_entry (&g, d.list[i], err);
      if (ok) {
         sort_entries (&g);
         mt_arena_free (c->before.arena);
         c->before = c->now;
         c->now = g;
         c->read_once = true;
      } else {
         mt_arena_free (g.arena);
      }
   }
   mt_arena_free (d.arena);
   return ok;
}

bool
mt_catalog_find (MtCatalog *c, const char *name, bool quoted, const MtTable **out, MtError *err)
{
   const MtTable *found = NULL;
   int matches = 0;
   for (size_t i = 0; i < c->now.table_count; i++) {
      if (strcmp (c->now.names[i], name) == 0) {
         *out = c->now.tables[i];
         return true;
      }
      if (!quoted && mt_ieq (c->now.names[i], name)) {
         found = c->now.tables[i];
         matches++;
      }
   }
   if (matches > 1)
      return mt_error (err, MT_E_AMBIGUOUS_COLUMN, "table reference \"%s\" is ambiguous", name);
   *out = found;
   return true;
}

const MtTable *const *
mt_catalog_tables (MtCatalog *c, size_t *count)
{
   *count = c->now.table_count;
   return c->now.tables;
}

const char *const *
mt_catalog_table_names (MtCatalog *c, size_t *count)
{
   *count = c->now.table_count;
   return c->now.names;
}

const MtCatalogItem *
mt_catalog_items (MtCatalog *c, const char *kind, size_t *count)
{
   size_t first = 0;
   while (first < c->now.count && strcmp (c->now.entries[first].kind, kind) != 0)
      first++;
   size_t end = first;
   while (end < c->now.count && strcmp (c->now.entries[end].kind, kind) == 0)
      end++;
   *count = end - first;
   return *count ? &c->now.items[first] : NULL;
}

/* ---- writing ---- */

static bson_t *
entry_document (const char *kind, const char *name, int64_t version, const bson_t *body)
{
   char *id = NULL;
   if (asprintf (&id, "%s/%s", kind, name) < 0)
      abort ();
   bson_t *doc = bson_new ();
   bool ok = bson_append_utf8 (doc, "_id", -1, id, -1) && bson_append_utf8 (doc, "kind", -1, kind, -1) &&
             bson_append_utf8 (doc, "name", -1, name, -1) && bson_append_int64 (doc, "version", -1, version) &&
             bson_append_document (doc, "body", -1, body);
   free (id);
   if (!ok) {
      bson_destroy (doc);
      return NULL;
   }
   return doc;
}

static bool
store (MtCatalog *c, const char *kind, const char *name, int64_t version, const bson_t *body, MtError *err)
{
   bson_t *doc = entry_document (kind, name, version, body);
   if (!doc)
      return mt_error (err, MT_E_LIMIT, "the definition of \"%s\" is too large for the catalog", name);
   if (c->in_memory) {
      keep (c, doc);
      return save_file (c, err);
   }
   bool ok = mt_engine_replace (c->engine, MT_CATALOG_COLLECTION, doc, err);
   bson_destroy (doc);
   return ok;
}

static bool
stored_version (MtCatalog *c, const char *kind, const char *name, int64_t *version, MtError *err)
{
   MtArena *a = mt_arena_new ("catalog version", NULL);
   const char *id = mt_printf (a, "%s/%s", kind, name);
   bson_t *doc = NULL;
   bson_iter_t it;
   bool ok = true;
   *version = -1;
   if (c->in_memory) {
      size_t at = kept_at (c, id);
      doc = at < c->kept_count ? c->kept[at] : NULL;
   } else {
      ok = mt_engine_find_id (c->engine, a, MT_CATALOG_COLLECTION, mt_v_str (id, strlen (id)), &doc, err);
   }
   if (ok && doc && bson_iter_init_find (&it, doc, "version"))
      *version = bson_iter_as_int64 (&it);
   mt_arena_free (a);
   return ok;
}

bool
mt_catalog_save (MtCatalog *c, const MtTable *t, MtError *err)
{
   int64_t version;
   bson_t body = BSON_INITIALIZER;
   if (!stored_version (c, "table", t->name, &version, err))
      return false;
   if (version >= 0 && t->version == 0)
      return mt_error (err, MT_E_DUPLICATE_TABLE, "relation \"%s\" already exists", t->name);
   if (t->version != 0 && version != t->version)
      return mt_error (err, "40001", "table \"%s\" was changed by another session", t->name) || mt_error_hint (err, "Try again.");
   bool ok = mt_table_to_bson (t, &body, err) && store (c, "table", t->name, t->version + 1, &body, err);
   bson_destroy (&body);
   return ok;
}

static bool
erase (MtCatalog *c, const char *kind, const char *name, bool *erased, MtError *err)
{
   MtArena *a = mt_arena_new ("catalog erase", NULL);
   const char *id = mt_printf (a, "%s/%s", kind, name);
   bool ok;
   if (c->in_memory) {
      *erased = forget (c, id);
      ok = save_file (c, err);
   } else {
      ok = mt_engine_delete_id (c->engine, MT_CATALOG_COLLECTION, mt_v_str (id, strlen (id)), erased, err);
   }
   mt_arena_free (a);
   return ok;
}

bool
mt_catalog_drop (MtCatalog *c, const char *name, MtError *err)
{
   bool erased;
   return erase (c, "table", name, &erased, err);
}

void
mt_catalog_rolled_back (MtCatalog *c)
{
   /* What an engine's step wrote is gone with the step, and the next refresh reads what is there; nothing is cached before that. */
   c->read_once = false;
}

bool
mt_catalog_save_item (MtCatalog *c, const char *kind, const char *name, const bson_t *doc, MtError *err)
{
   return store (c, kind, name, 1, doc, err);
}

bool
mt_catalog_drop_item (MtCatalog *c, const char *kind, const char *name, bool *dropped, MtError *err)
{
   for (size_t i = 0; i < c->now.count; i++)
      if (strcmp (c->now.entries[i].kind, kind) == 0 && mt_ieq (c->now.entries[i].name, name))
         return erase (c, kind, c->now.entries[i].name, dropped, err);
   *dropped = false;
   return true;
}
