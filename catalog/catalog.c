/* The catalog: reads its documents from the engine or a file into the cache, and saves changed
 * ones. */
#include "catalog/catalog_int.h"

#include "base/bson.h"
#include "base/memory.h"
#include "base/sync_folder.h"
#include "base/temporary.h"

#include "layouts/leaves.h"
#include "layouts/collections/partition.h"
#include "layouts/descriptor/stored_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define FIRST_LINE "{\"kind\":\"catalog\","

static MtVal field (const bson_t *doc, const char *name)
{
   return mt_doc_field (mt_v_doc (doc), name);
}

/* ---- cached documents ---- */

static int compare_entries (const void *a, const void *b)
{
   const MtEntry *x = *(MtEntry *const *) a, *y = *(MtEntry *const *) b;
   int c = strcmp (x->kind, y->kind);
   return c ? c : strcmp (x->name, y->name);
}

static const char *own_text (MtArena *a, MtVal v)
{
   return v.type == MT_STRING && !memchr (v.p, 0, v.len) ? mt_strndup (a, (const char *) v.p, v.len)
                                                         : NULL;
}

static void destroy_bson (void *b) { bson_destroy (b); }

/* Returns whether a document describes a temporary table, or an object that belongs to one. */
static bool is_temporary (const bson_t *doc)
{
   static const char *const fields[] = {"_id", "name"};
   MtVal body = field (doc, "body"),
         table = body.type == MT_DOC ? mt_doc_field (body, "table") : mt_v_missing ();
   size_t n = sizeof MT_TEMPORARY - 1;
   for (size_t i = 0; i < 3; i++) {
      MtVal v = i < 2 ? field (doc, fields[i]) : table;
      if (v.type == MT_STRING && v.len > n && memcmp (v.p, MT_TEMPORARY, n) == 0)
         return true;
   }
   return false;
}

MtEntry *mt_catalog_read_entry (const bson_t *stored)
{
   MtArena *a = mt_arena_new ("catalog entry", NULL);
   MtEntry *en = MT_NEW (a, MtEntry);
   en->arena = a;
   en->doc = bson_copy (stored);
   mt_arena_defer (a, destroy_bson, en->doc);
   en->temporary = is_temporary (en->doc);
   en->kind = own_text (a, field (en->doc, "kind"));
   bool table = en->kind && !strcmp (en->kind, "table");
   en->name = own_text (a, field (en->doc, table ? "_id" : "name"));
   MtVal body = field (en->doc, "body");
   if (!en->kind || !en->name || (!table && body.type != MT_DOC)) {
      mt_arena_free (a);
      return NULL;
   }
   if (table) {
      MtTable t;
      if (mt_table_from_bson (a, en->doc, &t, &en->damage)) {
         en->table = MT_NEW (a, MtTable);
         *en->table = t;
      }
      return en;
   }
   /* libbson needs a bson_t at a multiple of 128 bytes; the arena aligns to 16. */
   en->body = (bson_t *) (((uintptr_t) mt_alloc (a, sizeof (bson_t) + 128) + 127) &
                          ~(uintptr_t) 127);
   if (!bson_init_static (en->body, body.p, body.len)) {
      mt_arena_free (a);
      return NULL;
   }
   return en;
}

static void free_arena (void *a) { mt_arena_free (a); }

void mt_catalog_retire (MtCatalog *c, MtArena *a) { mt_arena_defer (c->retired[0], free_arena, a); }

static void retire (MtCatalog *c, MtEntry *en)
{
   mt_catalog_retire (c, en->arena);
   if (en->counts)
      mt_catalog_retire (c, en->counts);
}

static MtEntry **find_entry (MtCatalog *c, const char *kind, const char *name)
{
   for (size_t i = 0; i < c->count; i++)
      if (!strcmp (c->entries[i]->kind, kind) && !strcmp (c->entries[i]->name, name))
         return &c->entries[i];
   return NULL;
}

static void put_entry (MtCatalog *c, MtEntry *en)
{
   MtEntry **at = find_entry (c, en->kind, en->name);
   if (at) {
      retire (c, *at);
      *at = en;
      return;
   }
   MT_GROW ("catalog", c->entries, c->count, c->cap, 16);
   c->entries[c->count++] = en;
   qsort (c->entries, c->count, sizeof *c->entries, compare_entries);
}

static void remove_entry (MtCatalog *c, MtEntry **at)
{
   size_t i = (size_t) (at - c->entries);
   retire (c, *at);
   memmove (at, at + 1, (--c->count - i) * sizeof *at);
}

/* Removes all temporary, or all permanent, entries from the cache. */
static void clear_side (MtCatalog *c, bool temporary)
{
   size_t kept = 0;
   for (size_t i = 0; i < c->count; i++)
      if (c->entries[i]->temporary == temporary)
         retire (c, c->entries[i]);
      else
         c->entries[kept++] = c->entries[i];
   c->count = kept;
}

static void clear_entries (MtCatalog *c)
{
   clear_side (c, false);
   clear_side (c, true);
}

/* ---- a catalog in a file ---- */

static bool file_error (MtCatalog *c, const char *what, MtError *err)
{
   int e = errno;
   return mt_error (err, e == ENOENT ? MT_E_IO : mt_io_state (e),
                    "could not %s catalog file \"%s\": %s", what, c->file, strerror (e));
}

static bool read_line (MtCatalog *c, const char *line, size_t n, size_t number, MtError *err)
{
   bson_error_t e;
   bson_t *doc = bson_new_from_json ((const uint8_t *) line, (ssize_t) n, &e);
   if (!doc) {
      mt_error (err, MT_E_CORRUPT, "catalog file \"%s\" is damaged at line %zu", c->file, number);
      return mt_error_detail (err, "%s", e.message);
   }
   MtEntry *en = mt_catalog_read_entry (doc);
   bson_destroy (doc);
   if (!en)
      return mt_error (err, MT_E_CORRUPT, "catalog file \"%s\" is damaged at line %zu", c->file,
                       number);
   put_entry (c, en);
   return true;
}

/* Appends the first line of a catalog file: the length and the checksum of all following lines.
 * Files of older versions of mtsql have no such line. */
static void first_line (const char *text, size_t n, MtBuf *out)
{
   mt_buf_printf (out, FIRST_LINE "\"bytes\":%zu,\"hash\":\"%016llx\"}\n", n,
                  (unsigned long long) XXH3_64bits (text, n));
}

/* Checks the length and the checksum in the first line of a catalog file, and moves *p to the
 * second line. Files of older versions have no such line, and are accepted. */
static bool check_first_line (MtCatalog *c, const char **p, const char *end, MtError *err)
{
   if ((size_t) (end - *p) < strlen (FIRST_LINE) ||
       memcmp (*p, FIRST_LINE, strlen (FIRST_LINE)) != 0)
      return true;
   const char *rest = memchr (*p, '\n', (size_t) (end - *p));
   MtBuf line = {0};
   rest = rest ? rest + 1 : end;
   first_line (rest, (size_t) (end - rest), &line);
   bool same = line.n == (size_t) (rest - *p) && memcmp (line.p, *p, line.n) == 0;
   mt_buf_free (&line);
   *p = rest;
   if (same)
      return true;
   mt_error (err, MT_E_CORRUPT, "catalog file \"%s\" is damaged: its checksum is wrong", c->file);
   return mt_error_hint (
      err, "Put a copy in its place. If you changed the file, remove its first line.");
}

static bool read_lines (MtCatalog *c, const char *p, const char *end, MtError *err)
{
   const char *start = p;
   if (!check_first_line (c, &p, end, err))
      return false;
   size_t number = p == start ? 1 : 2;
   for (const char *next; p < end; p = next + 1, number++) {
      next = memchr (p, '\n', (size_t) (end - p));
      next = next ? next : end;
      size_t n = (size_t) (next - p);
      while (n > 0 && (p[n - 1] == '\r' || p[n - 1] == ' '))
         n--;
      if (n && !read_line (c, p, n, number, err))
         return false;
   }
   return true;
}

static bool load_file (MtCatalog *c, MtError *err)
{
   FILE *f = fopen (c->file, "re");
   if (!f)
      return errno == ENOENT ? true : file_error (c, "open", err);
   MtBuf text = {0};
   char part[4096];
   for (size_t n; (n = fread (part, 1, sizeof part, f)) > 0;)
      mt_buf_add (&text, part, n);
   bool ok = !ferror (f) || file_error (c, "read", err);
   fclose (f);
   ok = ok && (!text.n || read_lines (c, text.p, text.p + text.n, err));
   mt_buf_free (&text);
   return ok;
}

static bool write_all (int fd, const char *p, size_t n)
{
   while (n) {
      ssize_t w = write (fd, p, n);
      if (w < 0 && errno == EINTR)
         continue;
      if (w <= 0)
         return false;
      p += w;
      n -= (size_t) w;
   }
   return true;
}

/* Writes all documents, one per line, after a line with their checksum, to a new file, which then
 * replaces the old one. After a crash, either file is complete. */
static bool save_file (MtCatalog *c, MtError *err)
{
   MtBuf text = {0}, path = {0}, first = {0};
   for (size_t i = 0; i < c->count; i++) {
      if (c->entries[i]->temporary)
         continue;
      mt_v_to_json (mt_v_doc (c->entries[i]->doc), true, &text);
      mt_buf_addc (&text, '\n');
   }
   first_line (text.p ? text.p : "", text.n, &first);
   mt_buf_printf (&path, "%s.XXXXXX", c->file);
   int fd = mkostemp (path.p, O_CLOEXEC);
   bool ok = fd >= 0 && write_all (fd, first.p, first.n) && write_all (fd, text.p, text.n) &&
             fsync (fd) == 0;
   if (fd >= 0 && close (fd) != 0)
      ok = false;
   ok = ok && rename (path.p, c->file) == 0 && mt_sync_folder_of (c->file);
   if (!ok) {
      file_error (c, "write", err);
      if (fd >= 0)
         unlink (path.p);
   }
   mt_buf_free (&text);
   mt_buf_free (&path);
   mt_buf_free (&first);
   return ok;
}

/* ---- a catalog in the engine ---- */

static MtVal version_id (MtArena *a)
{
   MtVal kind = mt_v_cstr ("version"), out;
   MtStr key = MT_STR ("kind");
   mt_v_make_doc (a, &key, &kind, 1, &out, NULL);
   return out;
}

/* Returns the version number in `doc`, the document of the catalog's version; 0 if doc is NULL. */
static int64_t version_of (const bson_t *doc)
{
   MtVal n = doc ? field (doc, "n") : mt_v_missing ();
   return n.type == MT_INT64 || n.type == MT_INT32 ? n.i : 0;
}

bool mt_catalog_read_version (MtCatalog *c, int64_t *version, MtError *err)
{
   MtArena *a = mt_arena_new ("catalog version", NULL);
   bson_t *doc;
   bool ok = mt_engine_find_id (c->e, a, MT_CATALOG_COLLECTION, version_id (a), &doc, err);
   *version = version_of (ok ? doc : NULL);
   mt_arena_free (a);
   return ok;
}

/* Returns the change that adds 1 to the catalog's version in its document. The caller destroys
 * `add` and `first`. */
static MtAdjust next_version (bson_t *add, bson_t *first)
{
   bson_init (add);
   bson_init (first);
   mt_doc_add (add, "n", mt_v_int64 (1));
   mt_doc_add_text (first, "kind", "version");
   return (MtAdjust) {.add = add, .first = first};
}

bool mt_catalog_bump_beside (MtCatalog *c, bool within, MtError *err)
{
   MtArena *a = mt_arena_new ("catalog version", NULL);
   bson_t add, first;
   MtAdjust next = next_version (&add, &first);
   bool found;
   next.within = within;
   bool ok = mt_engine_adjust (c->e, MT_CATALOG_COLLECTION, version_id (a), &next, &found, err);
   /* If another session has changed the version in between, the stored version is higher than
    * c->version. The next refresh then reads the catalog. */
   c->version += ok && c->loaded;
   bson_destroy (&first);
   bson_destroy (&add);
   mt_arena_free (a);
   return ok;
}

bool mt_catalog_adjust_telling (MtCatalog *c, MtVal id, const MtAdjust *how, bool *found,
                                MtError *err)
{
   MtArena *a = mt_arena_new ("catalog version", NULL);
   bson_t add, first;
   MtAdjust next = next_version (&add, &first), both = *how;
   next.then_id = how->then_id;
   next.then = how->then;
   both.then = &next;
   both.then_id = version_id (a);
   bool ok = mt_engine_adjust (c->e, MT_CATALOG_COLLECTION, id, &both, found, err);
   c->version += ok && c->loaded;
   bson_destroy (&first);
   bson_destroy (&add);
   mt_arena_free (a);
   return ok;
}

bool mt_catalog_bump (MtCatalog *c, MtError *err)
{
   int64_t now;
   if (mt_engine_caps (c->e)->adjusts)
      return mt_catalog_bump_beside (c, true, err);
   if (!mt_catalog_read_version (c, &now, err))
      return false;
   MtArena *a = mt_arena_new ("catalog version", NULL);
   MtBson b = {0};
   bson_t doc;
   mt_bson_start (&b);
   mt_bson_put (&b, "_id", version_id (a));
   mt_bson_put (&b, "kind", mt_v_cstr ("version"));
   mt_bson_put (&b, "n", mt_v_int64 (now + 1));
   bool ok = mt_bson_finish (&b, &doc) &&
             mt_engine_replace (c->e, MT_CATALOG_COLLECTION, &doc, err);
   /* If another session changed the version in between, the next refresh reads its changes. */
   if (ok && c->loaded && now == c->version)
      c->version = now + 1;
   mt_bson_free (&b);
   mt_arena_free (a);
   return ok;
}

static bool load_collection (MtCatalog *c, const char *collection, MtError *err)
{
   bool has;
   MtCursor *cur;
   const bson_t *doc;
   if (!mt_engine_has_collection (c->e, collection, &has, err))
      return false;
   if (!has)
      return true;
   bson_t pipeline = BSON_INITIALIZER;
   bool ok = mt_engine_aggregate (
      c->e, &(MtAggregateArgs) {.collection = collection, .pipeline = &pipeline}, &cur, err);
   bson_destroy (&pipeline);
   if (!ok)
      return false;
   while ((ok = mt_cursor_next (cur, &doc, err)) && doc) {
      MtEntry *en = mt_catalog_is_counts (doc) ? NULL : mt_catalog_read_entry (doc);
      if (en)
         put_entry (c, en);
   }
   mt_cursor_free (cur);
   return ok;
}

/* Returns whether objects of this kind are notes for other sessions: intents (what a session is
 * about to write), and marks of stale buckets. Notes are stored at once, not at the commit. They
 * don't make statements wrong that still use an older catalog. Marks stay even after a rollback,
 * because other sessions may rely on them. */
static bool is_note (const char *kind)
{
   return !strcmp (kind, "intent") || !strcmp (kind, "stale");
}

static bool stores_note (const bson_t *doc)
{
   MtVal kind = field (doc, "kind");
   return mt_v_is_text (kind, "intent") || mt_v_is_text (kind, "stale");
}

/* Stores the document of a note (is_note) at once, not at the commit. */
static bool announce (MtCatalog *c, const bson_t *doc, MtError *err)
{
   bson_t first = BSON_INITIALIZER;
   bool found;
   c->met_intent = false;
   bson_copy_to_excluding_noinit (doc, &first, "_id", NULL);
   bool ok = mt_catalog_adjust_telling (c, field (doc, "_id"), &(MtAdjust) {.first = &first},
                                        &found, err);
   bson_destroy (&first);
   return ok;
}

static bool write_entry (MtCatalog *c, const bson_t *doc, MtError *err)
{
   if (is_temporary (doc))
      return mt_engine_replace (c->e, MT_TEMPORARY_CATALOG, doc, err);
   if (!c->stored)
      return true;
   if (stores_note (doc) && mt_engine_caps (c->e)->adjusts)
      return announce (c, doc, err);
   c->changed |= !stores_note (doc);
   return mt_engine_replace (c->e, MT_CATALOG_COLLECTION, doc, err) && mt_catalog_bump (c, err);
}

/* ---- opening and refreshing ---- */

bool mt_catalog_open (MtEngine *e, const char *file, MtCatalog **out, MtError *err)
{
   MtArena *a = mt_arena_new ("catalog", NULL);
   MtCatalog *c = MT_NEW (a, MtCatalog);
   *c = (MtCatalog) {.e = e, .arena = a, .stored = !file && !mt_engine_caps (e)->read_only};
   c->file = file ? mt_strdup (a, file) : NULL;
   c->lists = mt_arena_new ("catalog lists", a);
   c->retired[0] = mt_arena_new ("catalog retired", a);
   c->retired[1] = mt_arena_new ("catalog retired", a);
   if (!mt_catalog_refresh (c, NULL, err)) {
      mt_catalog_close (c);
      return false;
   }
   *out = c;
   return true;
}

void mt_catalog_close (MtCatalog *c)
{
   if (!c)
      return;
   clear_entries (c);
   free (c->entries);
   mt_arena_free (c->arena);
}

static void next_generation (MtCatalog *c)
{
   MtArena *swap = c->retired[1];
   c->retired[1] = c->retired[0];
   c->retired[0] = swap;
   mt_arena_reset (c->retired[0]);
   mt_arena_reset (c->lists);
   c->statement++;
}

void mt_catalog_own_intents (MtCatalog *c, const char (*names)[25], const size_t *count)
{
   c->own_intents = names;
   c->own_intent_count = count;
}

const bson_t *mt_catalog_own_intent (MtCatalog *c)
{
   MtEntry **at = c->own_intents && *c->own_intent_count == 1
                     ? find_entry (c, "intent", c->own_intents[0])
                     : NULL;
   return at ? (*at)->doc : NULL;
}

static bool is_own_intent (const MtCatalog *c, const MtEntry *en)
{
   for (size_t i = 0; c->own_intents && i < *c->own_intent_count; i++)
      if (!strcmp (c->own_intents[i], en->name))
         return true;
   return false;
}

/* Marks all stores of a table as suspect (possibly incomplete), except the one that is taken as
 * right (mt_leaf_trusted). */
static void suspect_all_but_one (MtEntry *en)
{
   size_t n;
   const MtLeafWay *ways = mt_leaf_ways (en->arena, en->table, &n),
                   *right = mt_leaf_trusted (en->table, ways, n, -1);
   for (size_t i = 0; i < en->table->layout_count && right; i++)
      for (size_t j = 0; j < en->table->layouts[i].store_count; j++)
         en->table->layouts[i].stores[j].suspect = i != right->layout || j != right->store;
}

/* Kinds of intents whose statements write to a table's collections one after another. During such a
 * statement, the collections may disagree. */
static const char *const WRITING[] = {"write", "rewrite", "truncate"};

static bool is_one_of (MtVal text, const char *const *names, size_t count)
{
   bool yes = false;
   for (size_t i = 0; i < count && text.type == MT_STRING; i++)
      yes |= text.len == strlen (names[i]) && !memcmp (text.p, names[i], text.len);
   return yes;
}

static void mark_suspects (MtCatalog *c)
{
   for (size_t i = 0; i < c->count; i++) {
      MtEntry *en = c->entries[i];
      if (strcmp (en->kind, "intent") || is_own_intent (c, en))
         continue;
      MtVal what = field (en->body, "what");
      const char *table = own_text (en->arena, field (en->body, "table"));
      bool writes = is_one_of (what, WRITING, sizeof WRITING / sizeof *WRITING);
      MtEntry **at = table && writes ? find_entry (c, "table", table) : NULL;
      if (at && (*at)->table)
         suspect_all_but_one (*at);
   }
}

/* Returns all tables that are not damaged. */
static const MtTable *const *all_tables (MtCatalog *c, size_t *count)
{
   const MtTable **list = MT_NEW_N (c->lists, const MtTable *, c->count + 1);
   *count = 0;
   for (size_t i = 0; i < c->count; i++)
      if (c->entries[i]->table)
         list[(*count)++] = c->entries[i]->table;
   return list;
}

bool mt_catalog_look (MtCatalog *c, MtError *err)
{
   size_t count;
   const MtTable *const *tables = all_tables (c, &count);
   return mt_partitions_look (c->e, tables, count, err);
}

/* Reads the permanent objects again if the catalog's version has changed. Then sets *changed,
 * unless `changed` is NULL. */
static bool read_again (MtCatalog *c, bool *changed, MtError *err)
{
   int64_t version = c->version;
   c->looked_us = mt_now_us ();
   if (c->loaded && !c->stored)
      return true;
   if (c->stored && !mt_catalog_read_version (c, &version, err))
      return false;
   if (c->loaded && version == c->version) {
      mark_suspects (c); /* marks tables that were saved since the last refresh */
      return true;
   }
   MtError ignored; /* a failure is harmless, because statistics are only estimates */
   if (c->loaded && c->stored && mt_engine_caps (c->e)->adjusts && !mt_engine_in_txn (c->e))
      mt_catalog_save_counts (c, &ignored);
   clear_side (c, false);
   c->loaded = false;
   c->generation++;
   if (c->file ? !load_file (c, err) : !load_collection (c, MT_CATALOG_COLLECTION, err))
      return false;
   c->loaded = true;
   c->version = version;
   mark_suspects (c);
   if (changed)
      *changed = true;
   return true;
}

/* Reads the temporary objects again if they may be out of date. Only this session changes them. */
static bool read_temporary (MtCatalog *c, bool *changed, MtError *err)
{
   if (!c->stale)
      return true;
   clear_side (c, true);
   c->stale = !load_collection (c, MT_TEMPORARY_CATALOG, err);
   if (changed)
      *changed = true;
   return !c->stale;
}

bool mt_catalog_refresh (MtCatalog *c, bool *changed, MtError *err)
{
   if (changed)
      *changed = false;
   next_generation (c);
   return read_again (c, changed, err) && read_temporary (c, changed, err) &&
          mt_catalog_look (c, err);
}

int64_t mt_catalog_age_us (const MtCatalog *c)
{
   return c->loaded ? mt_now_us () - c->looked_us : INT64_MAX;
}

void mt_catalog_keep (MtCatalog *c)
{
   next_generation (c);
   mark_suspects (c);
}

bool mt_catalog_assume (MtCatalog *c)
{
   if (!c->loaded || !c->stored || c->stale)
      return false;
   c->assumed_us = mt_now_us ();
   mt_catalog_keep (c);
   return true;
}

MtBeside mt_catalog_version (MtArena *a)
{
   return (MtBeside) {MT_CATALOG_COLLECTION, version_id (a)};
}

bool mt_catalog_confirm (MtCatalog *c, bool found, const bson_t *version, bool *same, MtError *err)
{
   int64_t n = version_of (version);
   *same = false;
   if (!found && !mt_catalog_read_version (c, &n, err))
      return false;
   *same = c->loaded && n == c->version;
   if (*same)
      c->looked_us = c->assumed_us;
   return true;
}

bool mt_catalog_unchanged (MtCatalog *c, bool *same, MtError *err)
{
   int64_t version = c->version, now = mt_now_us ();
   if (c->stored && !mt_catalog_read_version (c, &version, err))
      return false;
   *same = version == c->version;
   if (*same)
      c->looked_us = now;
   return true;
}

int64_t mt_catalog_known (const MtCatalog *c) { return c->version; }

uint64_t mt_catalog_generation (const MtCatalog *c) { return c->generation; }

bool mt_catalog_take_changed (MtCatalog *c)
{
   bool changed = c->changed;
   c->changed = false;
   return changed;
}

/* A catalog that is only in memory stays valid: it can't be read again, and a rollback does not
 * undo changes in it. */
void mt_catalog_invalidate (MtCatalog *c)
{
   c->stale = mt_engine_temporary (c->e) != NULL;
   c->generation++;
   if (c->stored)
      c->loaded = false;
}

/* ---- tables ---- */

const MtTable *const *mt_catalog_tables (MtCatalog *c, size_t *count)
{
   MtError ignored; /* without statistics, a list of tables is still right */
   mt_error_clear (&ignored);
   for (size_t i = 0; i < c->count; i++)
      mt_catalog_read_counts (c, c->entries[i], &ignored);
   return all_tables (c, count);
}

static bool is_among (const MtEntry *en, MtTableScope scope)
{
   return !strcmp (en->kind, "table") &&
          (scope == MT_ANY_TABLE || en->temporary == (scope == MT_TEMPORARY_TABLES));
}

/* Returns the table's name as SQL statements use it. */
static const char *name_of (const MtEntry *en)
{
   return en->temporary ? en->name + sizeof MT_TEMPORARY - 1 : en->name;
}

bool mt_catalog_find_among (MtCatalog *c, MtTableScope scope, const char *name, bool exact_only,
                            const MtTable **out, MtError *err)
{
   MtEntry *found = NULL;
   size_t matches = 0;
   *out = NULL;
   if (scope == MT_TEMPORARY_TABLES && !mt_engine_temporary (c->e))
      return true;
   for (size_t i = 0; i < c->count; i++) {
      MtEntry *en = c->entries[i];
      bool exact = is_among (en, scope) && !strcmp (name_of (en), name);
      if (!exact && (exact_only || !is_among (en, scope) || !mt_ieq (name_of (en), name)))
         continue;
      found = en;
      matches = exact ? 1 : matches + 1;
      if (exact)
         break;
   }
   if (matches > 1)
      return mt_error (err, MT_E_AMBIGUOUS_COLUMN, "table reference \"%s\" is ambiguous", name);
   if (found && !found->table) {
      *err = found->damage;
      return false;
   }
   *out = found ? found->table : NULL;
   return !found || mt_catalog_read_counts (c, found, err);
}

bool mt_catalog_find (MtCatalog *c, const char *name, bool exact_only, const MtTable **out,
                      MtError *err)
{
   return mt_catalog_find_among (c, MT_TEMPORARY_TABLES, name, exact_only, out, err) &&
          (*out || mt_catalog_find_among (c, MT_PERMANENT_TABLES, name, exact_only, out, err));
}

/* Fails with 0A000 if the catalog can't be changed now: it is in a file or in memory, and a
 * transaction block is open. A rollback could not undo the change. */
static bool may_change (const MtCatalog *c, bool temporary, MtError *err)
{
   if (c->stored || temporary || !mt_engine_in_txn (c->e))
      return true;
   mt_error (err, MT_E_FEATURE,
             "definitions over a read-only target are not supported in a transaction block");
   return mt_error_hint (err, "They could not be rolled back: make them before the block.");
}

/* Checks again that the name of a new table is free. Fails with 42P07 if another session has
 * created the table, since it believed that this session was dead. */
static bool stays_free (MtCatalog *c, const MtEntry *en, MtError *err)
{
   bson_t *other = NULL;
   if (!en->table || en->temporary || !c->stored || !mt_engine_caps (c->e)->adjusts ||
       find_entry (c, en->kind, en->name))
      return true;
   MtArena *a = mt_arena_new ("catalog entry", NULL);
   bool ok = mt_engine_find_id (c->e, a, MT_CATALOG_COLLECTION, mt_v_cstr (en->name), &other, err);
   mt_arena_free (a);
   return ok && (!other ||
                 mt_error (err, MT_E_DUPLICATE_TABLE, "relation \"%s\" already exists", en->name));
}

bool mt_catalog_keep_entry (MtCatalog *c, const bson_t *doc, bool write, MtEntry **out,
                            MtError *err)
{
   if (!may_change (c, is_temporary (doc), err))
      return false;
   MtEntry *en = mt_catalog_read_entry (doc);
   if (!en)
      return mt_error (err, MT_E_INTERNAL, "a catalog entry can't be read back");
   if (!strcmp (en->kind, "table") && !en->table) {
      *err = en->damage;
      mt_arena_free (en->arena);
      return false;
   }
   if (write && !(stays_free (c, en, err) && write_entry (c, doc, err))) {
      mt_arena_free (en->arena);
      return false;
   }
   put_entry (c, en);
   *out = en;
   const MtTable *made = en->table;
   if (made && !mt_partitions_look (c->e, &made, 1, err))
      return false;
   return c->file && !en->temporary ? save_file (c, err) : true;
}

bool mt_catalog_save (MtCatalog *c, const MtTable *t, const MtTable **out, MtError *err)
{
   bson_t doc = BSON_INITIALIZER;
   MtArena *a = mt_arena_new ("catalog table", NULL);
   bool apart = mt_catalog_counts_apart (c) && !t->temporary;
   MtTable next = apart ? mt_catalog_uncounted (a, t) : *t;
   MtEntry *en = NULL;
   next.version++;
   next.made = next.made || !c->stored || !mt_engine_caps (c->e)->adjusts ? next.made
                                                                          : mt_wall_ms ();
   bool ok = mt_table_to_bson (&next, &doc, err);
   if (ok && doc.len > MT_MAX_DOC_BYTES)
      ok = mt_error (err, MT_E_LIMIT, "description of table \"%s\" is larger than %u bytes",
                     t->name, MT_MAX_DOC_BYTES);
   ok = ok && mt_catalog_keep_entry (c, &doc, true, &en, err) &&
        (!apart || mt_catalog_write_counts (c, en, t, err));
   bson_destroy (&doc);
   mt_arena_free (a);
   if (ok && out)
      *out = en->table;
   return ok;
}

/* Deletes a document of the catalog. *gone: it existed. apart: in a transaction that commits its
 * steps one by one, the document is deleted at once, and a rollback does not restore it. */
static bool delete_stored (MtCatalog *c, MtVal id, bool apart, bool *gone, MtError *err)
{
   return apart ? mt_engine_delete_apart (c->e, MT_CATALOG_COLLECTION, id, gone, err)
                : mt_engine_delete_id (c->e, MT_CATALOG_COLLECTION, id, gone, err);
}

static bool drop_entry (MtCatalog *c, const char *kind, const char *name, MtVal id, bool *dropped,
                        MtError *err)
{
   MtEntry **at = find_entry (c, kind, name);
   bool gone = false;
   *dropped = at != NULL && !c->stored;
   if (!at)
      return true;
   if ((*at)->temporary) {
      bool ok = mt_engine_delete_id (c->e, MT_TEMPORARY_CATALOG, id, dropped, err);
      if (ok)
         remove_entry (c, at);
      return ok;
   }
   if (!may_change (c, false, err))
      return false;
   c->changed |= c->stored && !is_note (kind);
   bool apart = !strcmp (kind, "intent");
   bool ok = !c->stored || (delete_stored (c, id, apart, &gone, err) && mt_catalog_bump (c, err));
   if (ok && !strcmp (kind, "table") && mt_catalog_counts_apart (c))
      ok = mt_catalog_drop_counts (c, name, err);
   if (!ok)
      return false;
   *dropped = gone || !c->stored;
   remove_entry (c, at);
   return c->file ? save_file (c, err) : true;
}

bool mt_catalog_drop (MtCatalog *c, const char *id, bool *dropped, MtError *err)
{
   return drop_entry (c, "table", id, mt_v_cstr (id), dropped, err);
}

/* ---- functions and layouts ---- */

MtVal mt_catalog_object_id (MtArena *a, const char *kind, const char *name)
{
   MtStr keys[] = {MT_STR ("kind"), MT_STR ("name")};
   MtVal vals[] = {mt_v_cstr (kind), mt_v_cstr (name)}, out;
   mt_v_make_doc (a, keys, vals, 2, &out, NULL);
   return out;
}

static bool is_object (const MtEntry *en, const char *kind)
{
   return en->body && !strcmp (en->kind, kind);
}

static MtCatalogObject object_of (const MtEntry *en)
{
   return (MtCatalogObject) {en->kind, en->name, en->body};
}

const MtCatalogObject *mt_catalog_objects (MtCatalog *c, const char *kind, size_t *count)
{
   MtCatalogObject *list = MT_NEW_N (c->lists, MtCatalogObject, c->count + 1);
   *count = 0;
   for (size_t i = 0; i < c->count; i++)
      if (is_object (c->entries[i], kind))
         list[(*count)++] = object_of (c->entries[i]);
   return list;
}

bool mt_catalog_has_object (const MtCatalog *c, const char *kind)
{
   for (size_t i = 0; i < c->count; i++)
      if (is_object (c->entries[i], kind))
         return true;
   return false;
}

void mt_catalog_find_object (MtCatalog *c, const char *kind, const char *name,
                             const MtCatalogObject **out)
{
   const MtEntry *found = NULL;
   for (size_t i = 0; i < c->count; i++) {
      const MtEntry *en = c->entries[i];
      if (is_object (en, kind) && (!strcmp (en->name, name) || (!found && mt_ieq (en->name, name))))
         found = en;
   }
   MtCatalogObject *o = found ? MT_NEW (c->lists, MtCatalogObject) : NULL;
   if (o)
      *o = object_of (found);
   *out = o;
}

bool mt_catalog_save_object (MtCatalog *c, const char *kind, const char *name, const bson_t *body,
                             MtError *err)
{
   MtArena *a = mt_arena_new ("catalog object", NULL);
   MtBson b = {0};
   bson_t doc;
   MtEntry *en;
   mt_bson_start (&b);
   mt_bson_put (&b, "_id", mt_catalog_object_id (a, kind, name));
   mt_bson_put (&b, "kind", mt_v_cstr (kind));
   mt_bson_put (&b, "name", mt_v_cstr (name));
   mt_bson_put (&b, "body", mt_v_doc (body));
   bool ok = mt_bson_finish (&b, &doc) && doc.len <= MT_MAX_DOC_BYTES
                ? mt_catalog_keep_entry (c, &doc, true, &en, err)
                : mt_error (err, MT_E_LIMIT, "description of %s \"%s\" is larger than %u bytes",
                            kind, name, MT_MAX_DOC_BYTES);
   mt_bson_free (&b);
   mt_arena_free (a);
   return ok;
}

bool mt_catalog_withdraw_object (MtCatalog *c, const char *kind, const char *name, MtError *err)
{
   bool gone;
   MtArena *a = mt_arena_new ("catalog object", NULL);
   bool ok = may_change (c, false, err) &&
             (!c->stored ||
              (delete_stored (c, mt_catalog_object_id (a, kind, name), true, &gone, err) &&
               mt_catalog_bump (c, err)));
   mt_arena_free (a);
   return ok;
}

void mt_catalog_beat (MtCatalog *c, const char *kind, const char (*names)[25], size_t count)
{
   MtArena *a = mt_arena_new ("catalog object", NULL);
   MtBson b = {0};
   bson_t ids;
   mt_bson_start (&b);
   for (size_t i = 0; i < count && c->stored; i++)
      mt_bson_put_at (&b, (uint32_t) i, mt_catalog_object_id (a, kind, names[i]));
   if (mt_bson_finish (&b, &ids))
      mt_engine_beat (c->e, MT_CATALOG_COLLECTION, MT_BEATS, &ids);
   mt_bson_free (&b);
   mt_arena_free (a);
}

bool mt_catalog_documents (MtCatalog *c, const char *kind, MtCursor **out, MtError *err)
{
   MtBson b = {0};
   bson_t pipeline;
   mt_bson_start (&b);
   size_t stage = mt_bson_doc_at (&b, 0), match = mt_bson_doc (&b, "$match");
   mt_bson_put (&b, "kind", mt_v_cstr (kind));
   mt_bson_end (&b, match);
   mt_bson_end (&b, stage);
   bool ok = mt_bson_finish (&b, &pipeline) &&
             mt_engine_aggregate (c->e,
                                  &(MtAggregateArgs) {.collection = MT_CATALOG_COLLECTION,
                                                      .pipeline = &pipeline},
                                  out, err);
   mt_bson_free (&b);
   return ok;
}

bool mt_catalog_object_stands (MtCatalog *c, const char *kind, const char *name, bool *yes,
                               int64_t *beats, MtError *err)
{
   bson_t *doc = NULL;
   MtArena *a = mt_arena_new ("catalog object", NULL);
   bool ok = mt_engine_find_id (c->e, a, MT_CATALOG_COLLECTION,
                                mt_catalog_object_id (a, kind, name), &doc, err);
   MtVal n = ok && doc ? field (doc, MT_BEATS) : mt_v_missing ();
   *yes = doc != NULL;
   *beats = n.type == MT_INT64 || n.type == MT_INT32 ? n.i : 0;
   mt_arena_free (a);
   return ok;
}

bool mt_catalog_drop_object (MtCatalog *c, const char *kind, const char *name, bool *dropped,
                             MtError *err)
{
   MtArena *a = mt_arena_new ("catalog object", NULL);
   bool ok = drop_entry (c, kind, name, mt_catalog_object_id (a, kind, name), dropped, err);
   mt_arena_free (a);
   return ok;
}
