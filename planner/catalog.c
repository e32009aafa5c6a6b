/* The catalog's cache over its documents: in the engine, in a file, or nowhere else. */
#include "planner/catalog.h"
#include "base/memory.h"

#include "layouts/growth.h"
#include "layouts/leaves.h"
#include "layouts/partition.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Entry {
   MtArena *arena;        /* the entry's own: freed a refresh after it was replaced */
   const char *kind, *name;
   bson_t *doc;           /* as stored */
   MtTable *table;        /* tables that could be read */
   MtStoreStats **kept;   /* by layout and store: bounds and NULLs as others know them, where `table` has counted on; NULL: it hasn't */
   MtError damage;        /* why one couldn't */
   bson_t *body;          /* other objects */
   bool temporary;
} Entry;

struct MtCatalog {
   MtEngine *e;
   const char *file;
   bool stored;           /* in the engine */
   MtArena *arena;        /* the catalog's */
   MtArena *lists;        /* arrays given out since the last refresh */
   int64_t assumed_us;    /* when a statement began without asking, on the same clock */
   int64_t looked_us;     /* when the last one asked for the version, on the monotonic clock */
   Entry **entries;
   size_t count, cap;
   MtArena *retired[2];   /* parents of what was replaced: in this statement, and in the one before */
   int64_t version;
   bool loaded;
   bool stale;            /* what there is in the temporary store has to be read again */
   const char (*own_intents)[25];
   const size_t *own_intent_count;
};

static MtVal field (const bson_t *doc, const char *name) { return mt_doc_get (mt_v_doc (doc), name, strlen (name)); }

/* ---- entries ---- */

static int compare_entries (const void *a, const void *b)
{
   const Entry *x = *(Entry *const *) a, *y = *(Entry *const *) b;
   int c = strcmp (x->kind, y->kind);
   return c ? c : strcmp (x->name, y->name);
}

static const char *own_text (MtArena *a, MtVal v)
{
   return v.type == MT_STRING && !memchr (v.p, 0, v.len) ? mt_strndup (a, (const char *) v.p, v.len) : NULL;
}

static void destroy_bson (void *b) { bson_destroy (b); }

/* Whether a document is about a temporary table: by its own name, or that of its table. */
static bool is_temporary (const bson_t *doc)
{
   static const char *const fields[] = {"_id", "name"};
   MtVal body = field (doc, "body"), table = body.type == MT_DOC ? mt_doc_get (body, "table", 5) : mt_v_missing ();
   size_t n = sizeof MT_TEMPORARY - 1;
   for (size_t i = 0; i < 3; i++) {
      MtVal v = i < 2 ? field (doc, fields[i]) : table;
      if (v.type == MT_STRING && v.len > n && memcmp (v.p, MT_TEMPORARY, n) == 0)
         return true;
   }
   return false;
}

/* Reads a stored document; NULL when it is none of the catalog's. */
static Entry *read_entry (const bson_t *stored)
{
   MtArena *a = mt_arena_new ("catalog entry", NULL);
   Entry *en = MT_NEW (a, Entry);
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
   /* libbson wants a bson_t on a multiple of 128; the arena aligns to 16. */
   en->body = (bson_t *) (((uintptr_t) mt_alloc (a, sizeof (bson_t) + 128) + 127) & ~(uintptr_t) 127);
   if (!bson_init_static (en->body, body.p, body.len)) {
      mt_arena_free (a);
      return NULL;
   }
   return en;
}

static void free_arena (void *a) { mt_arena_free (a); }

static void retire (MtCatalog *c, Entry *en) { mt_arena_defer (c->retired[0], free_arena, en->arena); }

static Entry **find_entry (MtCatalog *c, const char *kind, const char *name)
{
   for (size_t i = 0; i < c->count; i++)
      if (!strcmp (c->entries[i]->kind, kind) && !strcmp (c->entries[i]->name, name))
         return &c->entries[i];
   return NULL;
}

static void put_entry (MtCatalog *c, Entry *en)
{
   Entry **at = find_entry (c, en->kind, en->name);
   if (at) {
      retire (c, *at);
      *at = en;
      return;
   }
   if (c->count == c->cap) {
      c->cap = c->cap ? c->cap * 2 : 16;
      c->entries = mt_realloc ("catalog", c->entries, c->cap * sizeof *c->entries);
   }
   c->entries[c->count++] = en;
   qsort (c->entries, c->count, sizeof *c->entries, compare_entries);
}

static void remove_entry (MtCatalog *c, Entry **at)
{
   size_t i = (size_t) (at - c->entries);
   retire (c, *at);
   memmove (at, at + 1, (--c->count - i) * sizeof *at);
}

/* Those of one side go. */
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

/* ---- the file ---- */

static bool file_error (MtCatalog *c, const char *what, MtError *err)
{
   int e = errno;
   return mt_error (err, e == ENOSPC ? MT_E_DISK_FULL : MT_E_IO, "could not %s catalog file \"%s\": %s", what, c->file, strerror (e));
}

static bool read_line (MtCatalog *c, const char *line, size_t n, size_t number, MtError *err)
{
   bson_error_t e;
   bson_t *doc = bson_new_from_json ((const uint8_t *) line, (ssize_t) n, &e);
   if (!doc) {
      mt_error (err, MT_E_CORRUPT, "catalog file \"%s\" is damaged at line %zu", c->file, number);
      return mt_error_detail (err, "%s", e.message);
   }
   Entry *en = read_entry (doc);
   bson_destroy (doc);
   if (!en)
      return mt_error (err, MT_E_CORRUPT, "catalog file \"%s\" is damaged at line %zu", c->file, number);
   put_entry (c, en);
   return true;
}

static bool load_file (MtCatalog *c, MtError *err)
{
   FILE *f = fopen (c->file, "re");
   if (!f)
      return errno == ENOENT ? true : file_error (c, "open", err);
   char *line = NULL;
   size_t cap = 0, number = 0;
   ssize_t n;
   bool ok = true;
   while (ok && (n = getline (&line, &cap, f)) >= 0) {
      number++;
      while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r' || line[n - 1] == ' '))
         n--;
      if (n)
         ok = read_line (c, line, (size_t) n, number, err);
   }
   if (ok && ferror (f))
      ok = file_error (c, "read", err);
   free (line);
   fclose (f);
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

/* All documents, one a line, under another name first: the file is the old one or the new one. */
static bool save_file (MtCatalog *c, MtError *err)
{
   MtBuf text = {0}, path = {0};
   for (size_t i = 0; i < c->count; i++) {
      if (c->entries[i]->temporary)
         continue;
      mt_v_to_json (mt_v_doc (c->entries[i]->doc), true, &text);
      mt_buf_addc (&text, '\n');
   }
   mt_buf_printf (&path, "%s.XXXXXX", c->file);
   int fd = mkostemp (path.p, O_CLOEXEC);
   bool ok = fd >= 0 && write_all (fd, text.p ? text.p : "", text.n) && fsync (fd) == 0;
   if (fd >= 0 && close (fd) != 0)
      ok = false;
   ok = ok && rename (path.p, c->file) == 0;
   if (!ok) {
      file_error (c, "write", err);
      if (fd >= 0)
         unlink (path.p);
   }
   mt_buf_free (&text);
   mt_buf_free (&path);
   return ok;
}

/* ---- the engine ---- */

static MtVal version_id (MtArena *a)
{
   MtVal kind = mt_v_str ("version", 7), out;
   MtStr key = MT_STR ("kind");
   mt_v_make_doc (a, &key, &kind, 1, &out, NULL);
   return out;
}

/* doc NULL: there is none. */
static int64_t version_of (const bson_t *doc)
{
   MtVal n = doc ? field (doc, "n") : mt_v_missing ();
   return n.type == MT_INT64 || n.type == MT_INT32 ? n.i : 0;
}

static bool read_version (MtCatalog *c, int64_t *version, MtError *err)
{
   MtArena *a = mt_arena_new ("catalog version", NULL);
   bson_t *doc;
   bool ok = mt_engine_find_id (c->e, a, MT_CATALOG_COLLECTION, version_id (a), &doc, err);
   *version = version_of (ok ? doc : NULL);
   mt_arena_free (a);
   return ok;
}

/* Others' changes in between are read at the next refresh: the number isn't the one that is expected then. */
static bool bump_beside_others (MtCatalog *c, bool within, MtError *err)
{
   MtArena *a = mt_arena_new ("catalog version", NULL);
   bson_t add = BSON_INITIALIZER, first = BSON_INITIALIZER;
   bool found, ok = mt_v_append (&add, "n", -1, mt_v_int64 (1)) && mt_v_append (&first, "kind", -1, mt_v_str ("version", 7)) &&
                    mt_engine_adjust (c->e, MT_CATALOG_COLLECTION, version_id (a), &(MtAdjust){.add = &add, .first = &first, .within = within}, &found, err);
   c->version += ok && c->loaded;
   bson_destroy (&first);
   bson_destroy (&add);
   mt_arena_free (a);
   return ok;
}

static bool bump_version (MtCatalog *c, MtError *err)
{
   int64_t now;
   if (mt_engine_caps (c->e)->adjusts)
      return bump_beside_others (c, true, err);
   if (!read_version (c, &now, err))
      return false;
   MtArena *a = mt_arena_new ("catalog version", NULL);
   bson_t doc = BSON_INITIALIZER;
   mt_v_append (&doc, "_id", -1, version_id (a));
   mt_v_append (&doc, "kind", -1, mt_v_str ("version", 7));
   mt_v_append (&doc, "n", -1, mt_v_int64 (now + 1));
   bool ok = mt_engine_replace (c->e, MT_CATALOG_COLLECTION, &doc, err);
   /* Another session's change in between is read at the next refresh. */
   if (ok && c->loaded && now == c->version)
      c->version = now + 1;
   bson_destroy (&doc);
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
   bool ok = mt_engine_aggregate (c->e, &(MtAggregateArgs){.collection = collection, .pipeline = &pipeline}, &cur, err);
   bson_destroy (&pipeline);
   if (!ok)
      return false;
   while ((ok = mt_cursor_next (cur, &doc, err)) && doc) {
      Entry *en = read_entry (doc);
      if (en)
         put_entry (c, en);
   }
   mt_cursor_free (cur);
   return ok;
}

static bool write_entry (MtCatalog *c, const bson_t *doc, MtError *err)
{
   if (is_temporary (doc))
      return mt_engine_replace (c->e, MT_TEMPORARY_CATALOG, doc, err);
   if (!c->stored)
      return true;
   return mt_engine_replace (c->e, MT_CATALOG_COLLECTION, doc, err) && bump_version (c, err);
}

static bool save_counts (MtCatalog *c, MtError *err);

/* ---- opening and refreshing ---- */

bool mt_catalog_open (MtEngine *e, const char *file, MtCatalog **out, MtError *err)
{
   MtArena *a = mt_arena_new ("catalog", NULL);
   MtCatalog *c = MT_NEW (a, MtCatalog);
   *c = (MtCatalog){.e = e, .arena = a, .stored = !file && !mt_engine_caps (e)->read_only};
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
}

void mt_catalog_own_intents (MtCatalog *c, const char (*names)[25], const size_t *count)
{
   c->own_intents = names;
   c->own_intent_count = count;
}

static bool is_own_intent (const MtCatalog *c, const Entry *en)
{
   for (size_t i = 0; c->own_intents && i < *c->own_intent_count; i++)
      if (!strcmp (c->own_intents[i], en->name))
         return true;
   return false;
}

static void suspect_all_but_one (Entry *en)
{
   size_t n;
   const MtLeafWay *ways = mt_leaf_ways (en->arena, en->table, &n), *right = mt_leaf_trusted (en->table, ways, n, -1);
   for (size_t i = 0; i < en->table->layout_count && right; i++)
      for (size_t j = 0; j < en->table->layouts[i].store_count; j++)
         en->table->layouts[i].stores[j].suspect = i != right->layout || j != right->store;
}

static void mark_suspects (MtCatalog *c)
{
   for (size_t i = 0; i < c->count; i++) {
      Entry *en = c->entries[i];
      if (strcmp (en->kind, "intent") || is_own_intent (c, en))
         continue;
      MtVal what = field (en->body, "what");
      const char *table = own_text (en->arena, field (en->body, "table"));
      Entry **at = table && what.type == MT_STRING && what.len == 5 && !memcmp (what.p, "write", 5) ? find_entry (c, "table", table) : NULL;
      if (at && (*at)->table)
         suspect_all_but_one (*at);
   }
}

bool mt_catalog_look (MtCatalog *c, MtError *err)
{
   size_t count;
   const MtTable *const *tables = mt_catalog_tables (c, &count);
   return mt_partitions_look (c->e, tables, count, err);
}

/* What changed of the documents. */
static bool read_again (MtCatalog *c, bool *changed, MtError *err)
{
   int64_t version = c->version;
   c->looked_us = mt_now_us ();
   if (c->loaded && !c->stored)
      return true;
   if (c->stored && !read_version (c, &version, err))
      return false;
   if (c->loaded && version == c->version) {
      mark_suspects (c); /* tables that were saved since are other ones */
      return true;
   }
   MtError ignored; /* what was counted is an estimate */
   if (c->loaded && c->stored && mt_engine_caps (c->e)->adjusts && !mt_engine_in_txn (c->e))
      save_counts (c, &ignored);
   clear_side (c, false);
   c->loaded = false;
   if (c->file ? !load_file (c, err) : !load_collection (c, MT_CATALOG_COLLECTION, err))
      return false;
   c->loaded = true;
   c->version = version;
   mark_suspects (c);
   if (changed)
      *changed = true;
   return true;
}

/* Nobody else changes what is temporary. */
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
   return read_again (c, changed, err) && read_temporary (c, changed, err) && mt_catalog_look (c, err);
}

int64_t mt_catalog_age_us (const MtCatalog *c) { return c->loaded ? mt_now_us () - c->looked_us : INT64_MAX; }

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

MtBeside mt_catalog_version (MtArena *a) { return (MtBeside){MT_CATALOG_COLLECTION, version_id (a)}; }

bool mt_catalog_confirm (MtCatalog *c, bool found, const bson_t *version, bool *same, MtError *err)
{
   int64_t n = version_of (version);
   *same = false;
   if (!found && !read_version (c, &n, err))
      return false;
   *same = c->loaded && n == c->version;
   if (*same)
      c->looked_us = c->assumed_us;
   return true;
}

/* What lives in memory only can't be read again, and no engine's rollback undoes it. */
void mt_catalog_invalidate (MtCatalog *c)
{
   c->stale = mt_engine_temporary (c->e) != NULL;
   if (c->stored)
      c->loaded = false;
}

/* ---- tables ---- */

const MtTable *const *mt_catalog_tables (MtCatalog *c, size_t *count)
{
   const MtTable **list = MT_NEW_N (c->lists, const MtTable *, c->count + 1);
   *count = 0;
   for (size_t i = 0; i < c->count; i++)
      if (c->entries[i]->table)
         list[(*count)++] = c->entries[i]->table;
   return list;
}

static bool is_among (const Entry *en, MtTableScope scope)
{
   return !strcmp (en->kind, "table") && (scope == MT_ANY_TABLE || en->temporary == (scope == MT_TEMPORARY_TABLES));
}

/* The name in SQL. */
static const char *name_of (const Entry *en) { return en->temporary ? en->name + sizeof MT_TEMPORARY - 1 : en->name; }

bool mt_catalog_find_among (MtCatalog *c, MtTableScope scope, const char *name, bool exact_only, const MtTable **out, MtError *err)
{
   Entry *found = NULL;
   size_t matches = 0;
   *out = NULL;
   if (scope == MT_TEMPORARY_TABLES && !mt_engine_temporary (c->e))
      return true;
   for (size_t i = 0; i < c->count; i++) {
      Entry *en = c->entries[i];
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
   return true;
}

bool mt_catalog_find (MtCatalog *c, const char *name, bool exact_only, const MtTable **out, MtError *err)
{
   return mt_catalog_find_among (c, MT_TEMPORARY_TABLES, name, exact_only, out, err) &&
          (*out || mt_catalog_find_among (c, MT_PERMANENT_TABLES, name, exact_only, out, err));
}

/* What isn't kept in the engine has no part in its transactions. */
static bool may_change (const MtCatalog *c, bool temporary, MtError *err)
{
   if (c->stored || temporary || !mt_engine_in_txn (c->e))
      return true;
   mt_error (err, MT_E_FEATURE, "definitions over a read-only target are not supported in a transaction block");
   return mt_error_hint (err, "They could not be rolled back: make them before the block.");
}

/* write: it isn't where it is kept yet. */
static bool keep_entry (MtCatalog *c, const bson_t *doc, bool write, Entry **out, MtError *err)
{
   if (!may_change (c, is_temporary (doc), err))
      return false;
   Entry *en = read_entry (doc);
   if (!en)
      return mt_error (err, MT_E_INTERNAL, "a catalog entry can't be read back");
   if (!strcmp (en->kind, "table") && !en->table) {
      *err = en->damage;
      mt_arena_free (en->arena);
      return false;
   }
   if (write && !write_entry (c, doc, err)) {
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
   MtTable next = *t;
   Entry *en = NULL;
   next.version++;
   bool ok = mt_table_to_bson (&next, &doc, err);
   if (ok && doc.len > MT_MAX_DOC_BYTES)
      ok = mt_error (err, MT_E_LIMIT, "description of table \"%s\" is larger than %u bytes", t->name, MT_MAX_DOC_BYTES);
   ok = ok && keep_entry (c, &doc, true, &en, err);
   bson_destroy (&doc);
   if (ok && out)
      *out = en->table;
   return ok;
}

/* ---- counting on ---- */

#define SLACK_MS INT64_C (86400000) /* so much further than it has to be is a bound saved that is likely to move on */

static Entry *entry_of (MtCatalog *c, const MtTable *t)
{
   for (size_t i = 0; i < c->count; i++)
      if (c->entries[i]->table == t)
         return c->entries[i];
   return NULL;
}

/* The statistics as they are saved now. */
static MtStoreStats **copy_stats (MtArena *a, const MtTable *t)
{
   MtStoreStats **all = MT_NEW_N (a, MtStoreStats *, t->layout_count + 1);
   for (size_t i = 0; i < t->layout_count; i++) {
      const MtLayout *l = &t->layouts[i];
      all[i] = MT_NEW_N (a, MtStoreStats, l->store_count + 1);
      if (l->stats)
         memcpy (all[i], l->stats, l->store_count * sizeof *l->stats);
   }
   return all;
}

#define UNSAVED_RECORDS 10000.0 /* so many more than twice what is saved mislead nobody's plans much */

/* Whether what others believe stays true: bounds of the time, which columns have no NULL, and how many records there are, more or less. */
static bool holds (const MtStoreStats *kept, const MtStoreStats *now, const MtStoreStats *more)
{
   if (!kept->present || !kept->nodes || !now->nodes || !more->present || now->records + more->records > 2 * kept->records + UNSAVED_RECORDS)
      return false;
   if (more->has_time && (!kept->has_time || more->min_ms < kept->min_ms || more->max_ms > kept->max_ms))
      return false;
   if (kept->nulls && (!more->nulls || more->null_columns != kept->null_columns))
      return false;
   for (size_t i = 0; kept->nulls && i < kept->null_columns; i++)
      if (more->nulls[i] && !kept->nulls[i])
         return false;
   return true;
}

static void count_on (MtStoreStats *s, const MtStoreDesc *d, const MtStoreStats *more)
{
   s->documents += more->documents;
   s->bytes += more->bytes;
   s->records += more->records;
   for (size_t i = 0; i < d->node_count; i++) {
      s->nodes[i].cells += more->nodes[i].cells;
      s->nodes[i].bytes += more->nodes[i].bytes;
   }
   if (more->has_time) {
      s->min_ms = !s->has_time || more->min_ms < s->min_ms ? more->min_ms : s->min_ms;
      s->max_ms = !s->has_time || more->max_ms > s->max_ms ? more->max_ms : s->max_ms;
      s->has_time = true;
   }
}

/* The table as its description has it, without what was counted since. */
static const MtTable *as_kept (MtArena *a, const Entry *en)
{
   MtTable *t = MT_NEW (a, MtTable);
   *t = *en->table;
   t->layouts = MT_NEW_N (a, MtLayout, t->layout_count + 1);
   memcpy (t->layouts, en->table->layouts, t->layout_count * sizeof *t->layouts);
   for (size_t i = 0; en->kept && i < t->layout_count; i++)
      t->layouts[i].stats = en->kept[i];
   return t;
}

/* One try: *done is false where the description has changed since `kept` was read. */
static bool grow_once (MtCatalog *c, MtGrowth *g, const MtTable *kept, bool *done, MtError *err)
{
   mt_v_append (&g->also, "version", -1, mt_v_int64 (kept->version));
   mt_v_append (&g->add, "writes", -1, mt_v_int64 (1));
   MtAdjust adjust = {.also = &g->also, .add = &g->add, .lower = &g->lower, .raise = &g->raise, .set = &g->set};
   return mt_engine_adjust (c->e, MT_CATALOG_COLLECTION, mt_v_str (kept->name, strlen (kept->name)), &adjust, done, err);
}

static bool changed_meanwhile (const MtTable *t, MtError *err)
{
   mt_error (err, MT_E_SERIALIZATION, "table \"%s\" was changed meanwhile", t->name);
   return mt_error_hint (err, "Run the statement again.");
}

/* The description as it is now; it has to be found. */
static bool look_again (MtCatalog *c, MtArena *a, const MtTable *t, const MtTable **out, MtError *err)
{
   bson_t *doc;
   if (!mt_engine_find_id (c->e, a, MT_CATALOG_COLLECTION, mt_v_str (t->name, strlen (t->name)), &doc, err))
      return false;
   Entry *en = doc ? read_entry (doc) : NULL;
   if (en)
      mt_arena_defer (a, free_arena, en->arena);
   *out = en ? en->table : NULL;
   return *out || changed_meanwhile (t, err);
}

/* What this session believes the description to be now. */
static bool keep_grown (MtCatalog *c, const MtTable *kept, const MtTable *now, MtError *err)
{
   bson_t doc = BSON_INITIALIZER;
   MtTable next = *now;
   Entry *en;
   next.version = kept->version;
   next.writes = kept->writes + 1;
   bool ok = mt_table_to_bson (&next, &doc, err) && keep_entry (c, &doc, false, &en, err);
   bson_destroy (&doc);
   return ok;
}

/* tell: others are to read it again. */
static bool grow (MtCatalog *c, MtArena *a, const MtTable *before, const MtTable *now, bool tell, MtError *err)
{
   enum { MOST_TRIES = 20 };
   const MtTable *kept = before;
   bool done = false, ok = true;
   for (int tries = 0; ok && !done; tries++) {
      MtGrowth g;
      if (tries && !look_again (c, a, before, &kept, err))
         return false;
      ok = mt_table_growth (a, kept, before, now, &g);
      if (!ok && !tries) {
         mt_growth_free (&g);
         return !tell || mt_catalog_save (c, now, NULL, err);
      }
      ok = ok && tries < MOST_TRIES ? grow_once (c, &g, kept, &done, err) : changed_meanwhile (now, err);
      mt_growth_free (&g);
   }
   if (!ok || (tell && !bump_beside_others (c, false, err)))
      return false;
   if (kept == before)
      return keep_grown (c, kept, now, err);
   c->loaded = false;
   return true;
}

bool mt_catalog_grow (MtCatalog *c, const MtTable *before, const MtTable *now, MtError *err)
{
   const Entry *en = entry_of (c, before);
   if (!c->stored || before->temporary || !mt_engine_caps (c->e)->adjusts || mt_engine_in_txn (c->e))
      return mt_catalog_save (c, now, NULL, err);
   MtArena *a = mt_arena_new ("catalog growth", NULL);
   bool ok = grow (c, a, en && en->kept ? as_kept (a, en) : before, now, true, err);
   mt_arena_free (a);
   return ok;
}

bool mt_catalog_count (MtCatalog *c, const MtTable *t, MtStoreStats *const *written)
{
   Entry *en = entry_of (c, t);
   if (!en || !c->stored || en->temporary)
      return false;
   MtStoreStats **kept = en->kept ? en->kept : copy_stats (en->arena, t);
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count; j++)
         if (!t->layouts[i].stats || !holds (&kept[i][j], &t->layouts[i].stats[j], &written[i][j]))
            return false;
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count; j++)
         count_on (&en->table->layouts[i].stats[j], &t->layouts[i].stores[j], &written[i][j]);
   en->kept = kept;
   return true;
}

bool mt_catalog_save_ahead (MtCatalog *c, const MtTable *before, const MtTable *t, MtError *err)
{
   MtArena *a = mt_arena_new ("catalog ahead", NULL);
   MtTable wide = *t;
   wide.layouts = MT_NEW_N (a, MtLayout, t->layout_count + 1);
   memcpy (wide.layouts, t->layouts, t->layout_count * sizeof *wide.layouts);
   MtStoreStats **stats = copy_stats (a, t);
   for (size_t i = 0; i < t->layout_count; i++) {
      if (wide.layouts[i].stats)
         wide.layouts[i].stats = stats[i];
      for (size_t j = 0; j < wide.layouts[i].store_count; j++)
         if (stats[i][j].has_time) {
            stats[i][j].min_ms -= SLACK_MS;
            stats[i][j].max_ms += SLACK_MS;
         }
   }
   bool ok = mt_catalog_grow (c, before, &wide, err); /* as wide for this session: others count on within them, and change nothing here */
   mt_arena_free (a);
   return ok;
}

/* Beside others. Nobody relies on how many there are: nobody is told. */
static bool save_counts (MtCatalog *c, MtError *err)
{
   bool ok = true;
   MtArena *a = mt_arena_new ("catalog counts", NULL);
   for (size_t i = 0; ok && i < c->count; i++)
      if (c->entries[i]->kept)
         ok = grow (c, a, as_kept (a, c->entries[i]), c->entries[i]->table, false, err);
   mt_arena_free (a);
   return ok;
}

bool mt_catalog_flush (MtCatalog *c, MtError *err)
{
   int64_t version;
   bool any = false, ok = true;
   for (size_t i = 0; i < c->count; i++)
      any |= c->entries[i]->kept != NULL;
   if (!any || !c->loaded || mt_engine_in_txn (c->e))
      return true;
   if (mt_engine_caps (c->e)->adjusts)
      return save_counts (c, err);
   if (!mt_engine_begin (c->e, err))
      return false;
   ok = read_version (c, &version, err);
   for (size_t i = 0; ok && version == c->version && i < c->count; i++)
      if (c->entries[i]->kept)
         ok = mt_catalog_save (c, c->entries[i]->table, NULL, err);
   ok = ok && mt_engine_commit (c->e, err);
   if (!ok)
      mt_engine_rollback (c->e);
   return ok;
}

static bool drop_entry (MtCatalog *c, const char *kind, const char *name, MtVal id, bool *dropped, MtError *err)
{
   Entry **at = find_entry (c, kind, name);
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
   if (c->stored && (!mt_engine_delete_id (c->e, MT_CATALOG_COLLECTION, id, &gone, err) || !bump_version (c, err)))
      return false;
   *dropped = gone || !c->stored;
   remove_entry (c, at);
   return c->file ? save_file (c, err) : true;
}

bool mt_catalog_drop (MtCatalog *c, const char *id, bool *dropped, MtError *err)
{
   return drop_entry (c, "table", id, mt_v_str (id, strlen (id)), dropped, err);
}

/* ---- functions and layouts ---- */

static MtVal object_id (MtArena *a, const char *kind, const char *name)
{
   MtStr keys[] = {MT_STR ("kind"), MT_STR ("name")};
   MtVal vals[] = {mt_v_str (kind, strlen (kind)), mt_v_str (name, strlen (name))}, out;
   mt_v_make_doc (a, keys, vals, 2, &out, NULL);
   return out;
}

static void fill_object (const Entry *en, MtCatalogObject *o) { *o = (MtCatalogObject){en->kind, en->name, en->body}; }

const MtCatalogObject *mt_catalog_objects (MtCatalog *c, const char *kind, size_t *count)
{
   MtCatalogObject *list = MT_NEW_N (c->lists, MtCatalogObject, c->count + 1);
   *count = 0;
   for (size_t i = 0; i < c->count; i++)
      if (c->entries[i]->body && !strcmp (c->entries[i]->kind, kind))
         fill_object (c->entries[i], &list[(*count)++]);
   return list;
}

void mt_catalog_find_object (MtCatalog *c, const char *kind, const char *name, const MtCatalogObject **out)
{
   size_t count;
   const MtCatalogObject *list = mt_catalog_objects (c, kind, &count);
   *out = NULL;
   for (size_t i = 0; i < count; i++)
      if (!strcmp (list[i].name, name) || (!*out && mt_ieq (list[i].name, name)))
         *out = &list[i];
}

bool mt_catalog_save_object (MtCatalog *c, const char *kind, const char *name, const bson_t *body, MtError *err)
{
   MtArena *a = mt_arena_new ("catalog object", NULL);
   bson_t doc = BSON_INITIALIZER;
   Entry *en;
   bool ok = mt_v_append (&doc, "_id", -1, object_id (a, kind, name)) && mt_v_append (&doc, "kind", -1, mt_v_str (kind, strlen (kind))) &&
             mt_v_append (&doc, "name", -1, mt_v_str (name, strlen (name))) && bson_append_document (&doc, "body", -1, body);
   ok = ok && doc.len <= MT_MAX_DOC_BYTES ? keep_entry (c, &doc, true, &en, err)
                                          : mt_error (err, MT_E_LIMIT, "description of %s \"%s\" is larger than %u bytes", kind, name, MT_MAX_DOC_BYTES);
   bson_destroy (&doc);
   mt_arena_free (a);
   return ok;
}

bool mt_catalog_withdraw_object (MtCatalog *c, const char *kind, const char *name, MtError *err)
{
   bool gone;
   MtArena *a = mt_arena_new ("catalog object", NULL);
   bool ok = may_change (c, false, err) && (!c->stored || (mt_engine_delete_id (c->e, MT_CATALOG_COLLECTION, object_id (a, kind, name), &gone, err) && bump_version (c, err)));
   mt_arena_free (a);
   return ok;
}

bool mt_catalog_object_stands (MtCatalog *c, const char *kind, const char *name, bool *yes, MtError *err)
{
   bson_t *doc = NULL;
   MtArena *a = mt_arena_new ("catalog object", NULL);
   bool ok = mt_engine_find_id (c->e, a, MT_CATALOG_COLLECTION, object_id (a, kind, name), &doc, err);
   *yes = doc != NULL;
   mt_arena_free (a);
   return ok;
}

bool mt_catalog_drop_object (MtCatalog *c, const char *kind, const char *name, bool *dropped, MtError *err)
{
   MtArena *a = mt_arena_new ("catalog object", NULL);
   bool ok = drop_entry (c, kind, name, object_id (a, kind, name), dropped, err);
   mt_arena_free (a);
   return ok;
}
