/* Files as tables: detects the form of a file, and remembers it as long as the file does not
 * change. */
#include "session/files/files_int.h"

#include "base/bson.h"
#include "layouts/descriptor/descriptor.h"
#include "layouts/presets/preset.h"

#include <string.h>
#include <unistd.h>

enum { REMEMBERED = 16 }; /* the largest number of files in the session's list */

/* ---- references ---- */

void mt_file_hold (MtFileTable *f) { f->refs++; }

void mt_file_release (MtSession *s, MtFileTable *f)
{
   if (--f->refs)
      return;
   for (MtFileTable **p = &s->files; *p; p = &(*p)->next)
      if (*p == f) {
         *p = f->next;
         break;
      }
   mt_arena_free (f->arena);
}

/* A reference to a file's table, which an arena releases when it is freed. */
typedef struct Hold {
   MtSession *session;
   MtFileTable *file;
} Hold;

static void release_hold (void *ctx)
{
   Hold *h = ctx;
   mt_file_release (h->session, h->file);
}

static void hold_for (MtSession *s, MtArena *a, MtFileTable *f)
{
   Hold *h = MT_NEW (a, Hold);
   *h = (Hold) {s, f};
   mt_file_hold (f);
   mt_arena_defer (a, release_hold, h);
}

/* Drops the session's references to all files but the newest `most` ones. */
static void keep_newest (MtSession *s, size_t most)
{
   size_t n = 0;
   for (MtFileTable *f = s->files, *next; f; f = next) {
      next = f->next;
      if (f->remembered && ++n > most) {
         f->remembered = false;
         mt_file_release (s, f);
      }
   }
}

/* ---- the call as a text ---- */

static const char *key_of (MtArena *a, const MtFileCall *call)
{
   MtBuf b = {0};
   mt_buf_printf (&b, "%s(", call->function);
   mt_json_string (&b, call->path.p, call->path.n);
   for (size_t i = 0; i < call->option_count; i++) {
      mt_buf_printf (&b, ",%s=", call->options[i].name);
      for (size_t k = 0; k < call->options[i].count; k++)
         mt_json_string (&b, call->options[i].values[k].p, call->options[i].values[k].n);
   }
   const char *key = mt_strndup (a, b.p, b.n);
   mt_buf_free (&b);
   return key;
}

/* Returns a name for the table: the file's name without folder and extensions, in arena a. */
static const char *stem_of (MtArena *a, MtStr path)
{
   size_t ending, from = path.n;
   mt_compression_of_name (path, &ending);
   path.n -= ending;
   while (from && path.p[from - 1] != '/')
      from--;
   MtStr name = {path.p + from, path.n > from ? path.n - from : 0};
   const char *dot = name.n ? memrchr (name.p, '.', name.n) : NULL;
   if (dot && dot > name.p)
      name.n = (size_t) (dot - name.p);
   char *out = mt_strndup (a, name.p, name.n > 63 ? 63 : name.n);
   if (strpbrk (out, "*?[") || !*out || !mt_utf8_valid (out, strlen (out)))
      return "file";
   return out;
}

/* ---- detecting the form ---- */

static bool ends_in (MtStr s, const char *end)
{
   size_t n = strlen (end);
   return s.n > n && mt_str_ieq ((MtStr) {s.p + s.n - n, n}, mt_str (end));
}

/* Returns the kind of the files (CSV, JSON, BSON): by the function that is called, such as
 * read_json, else by the extension of the first file. */
static MtReadKind kind_of (const MtFileCall *call, const MtFileTable *f)
{
   MtStr path = mt_str (f->files[0].path);
   size_t ending;
   mt_compression_of_name (path, &ending);
   path.n -= ending;
   if (strcmp (call->function, "read_json") == 0)
      return MT_KIND_JSON;
   if (strcmp (call->function, "read_bson") == 0)
      return MT_KIND_BSON;
   if (strcmp (call->function, "read_csv") == 0)
      return MT_KIND_CSV;
   if (ends_in (path, ".bson"))
      return MT_KIND_BSON;
   return ends_in (path, ".json") || ends_in (path, ".jsonl") || ends_in (path, ".ndjson")
             ? MT_KIND_JSON
             : MT_KIND_CSV;
}

static void make_columns (MtFileTable *f)
{
   MtArena *a = f->arena;
   size_t n = f->form.column_count;
   MtTable *t = &f->table;
   t->columns = MT_NEW_N (a, MtColumn, n);
   f->null_forced = MT_NEW_N (a, bool, n);
   f->kept = MT_NEW_N (a, bool, n);
   t->time_column = -1;
   for (size_t i = 0; i < n; i++) {
      const MtSniffColumn *c = &f->form.columns[i];
      t->columns[i] = (MtColumn) {.name = c->name,
                                  .field = c->name,
                                  .type = c->type,
                                  .role = c->role,
                                  .counter = c->counter};
      if (strcmp (c->name, "_id") == 0) /* documents of a stream have no _id */
         t->columns[i].field = "id_";
      if (c->role == MT_COL_TIME)
         t->time_column = (int) i;
      f->null_forced[i] = c->force_null;
      f->kept[i] = c->force_not_null;
   }
   t->column_count = n;
}

/* Makes the layout by which the planner reads the stream, with one document for each row, and its
 * statistics. */
static bool make_layout (MtFileTable *f, double documents, double bytes, MtError *err)
{
   MtArena *a = f->arena;
   MtTable *t = &f->table;
   bson_t *descriptor = mt_doc_new (a);
   MtPresetUse plain = {.preset = MT_PRESET_PLAIN, .collection = f->collection};
   MtLayout *l = t->layouts = MT_NEW (a, MtLayout);
   if (!mt_preset_descriptor (a, t, &plain, descriptor, err) ||
       !mt_layout_parse (a, t, MT_PRESET_PLAIN, descriptor, l, err))
      return false;
   t->layout_count = 1;
   l->preset = MT_PRESET_PLAIN;
   l->options_text = "";
   l->stats = MT_NEW (a, MtStoreStats);
   *l->stats = (MtStoreStats) {.present = true,
                               .documents = documents,
                               .bytes = bytes,
                               .records = documents,
                               .nodes = MT_NEW_N (a, MtNodeStats, l->stores->node_count)};
   l->stats->nodes[0] = (MtNodeStats) {documents, bytes};
   return true;
}

/* Adds the file's name and its position in the statement to an error of detecting a CSV file.
 * Returns false. */
static bool sniff_failed (const MtFileTable *f, const MtFileCall *call, MtError *err)
{
   MtError why = *err;
   mt_error_clear (err);
   mt_error_at (err, call->path_span, why.sqlstate, "could not read \"%s\": %s", f->files[0].path,
                why.message);
   return mt_error_hint (err, "%s",
                         *why.hint ? why.hint
                                   : "Options of read_csv say how to read it: delimiter, quote, "
                                     "header, skip, encoding.");
}

static bool recognise_csv (MtSession *s, MtFileTable *f, const MtFileCall *call, MtError *err)
{
   MtSniffGiven given;
   MtFileSample sample;
   MtArena *a = mt_arena_new ("sample of a file", NULL);
   double size = 0, sampled = 1;
   bool ok = mt_file_csv_options (f->arena, call, &given, err) &&
             mt_file_sample (s, a, f, call->path_span, &sample, err);
   if (ok && !mt_sniff (f->arena, &given, sample.pieces, sample.count, &f->form, err))
      ok = sniff_failed (f, call, err);
   if (ok) {
      for (size_t i = 0; i < f->count; i++)
         size += (double) f->files[i].size;
      for (size_t i = 0; i < sample.count; i++)
         sampled += (double) sample.pieces[i].bytes.n;
      double records = (double) f->form.records * (size > sampled ? size / sampled : 1);
      make_columns (f);
      ok = make_layout (f, records, size, err);
   }
   mt_arena_free (a);
   return ok;
}

static bool look_at_files (MtSession *s, MtFileTable *f, const MtFileCall *call, MtError *err)
{
   const char **paths;
   if (!mt_file_expand (f->arena, call->path, call->path_span, &paths, &f->count, err))
      return false;
   f->files = MT_NEW_N (f->arena, MtFileState, f->count);
   for (size_t i = 0; i < f->count; i++) {
      MtFileInput in;
      if (!mt_file_input_open (s, paths[i], call->path_span, &in, err))
         return false;
      mt_file_state (&in, &f->files[i]);
      mt_file_input_close (&in);
   }
   return true;
}

static void tell_doubts (MtSession *s, const MtFileTable *f)
{
   for (size_t i = 0; i < f->form.doubt_count; i++)
      mt_notice (s, "NOTICE", NULL, "%s: %s", f->files[0].path, f->form.doubts[i]);
}

/* Detects the form of a file that is not remembered, and makes its table. */
static bool new_file (MtSession *s, const MtFileCall *call, MtFileTable **out, MtError *err)
{
   static unsigned long number;
   MtArena *a = mt_arena_new ("file", NULL); /* lives as long as the last reference */
   MtFileTable *f = MT_NEW (a, MtFileTable);
   f->arena = a;
   f->key = key_of (a, call);
   f->path = mt_strndup (a, call->path.p, call->path.n);
   f->table.name = stem_of (a, call->path);
   f->collection = mt_printf (a, MT_STREAMED "%lu %s",
                              __atomic_add_fetch (&number, 1, __ATOMIC_RELAXED), f->table.name);
   bool ok = look_at_files (s, f, call, err);
   f->kind = ok ? kind_of (call, f) : MT_KIND_CSV;
   ok = ok && (f->kind == MT_KIND_CSV ? recognise_csv (s, f, call, err)
                                      : mt_file_recognise_documents (s, f, call, err));
   if (!ok) {
      mt_arena_free (a);
      return false;
   }
   f->refs = 1;
   f->remembered = true;
   f->next = s->files;
   s->files = f;
   keep_newest (s, REMEMBERED);
   tell_doubts (s, f);
   *out = f;
   return true;
}

/* Returns whether the call still means the same files as f, and none of them has changed since
 * their form was detected. */
static bool is_current (MtArena *a, const MtFileTable *f, const MtFileCall *call)
{
   const char **paths;
   size_t count;
   struct stat now;
   MtError ignored;
   if (!mt_file_expand (a, call->path, call->path_span, &paths, &count, &ignored) ||
       count != f->count)
      return false;
   for (size_t i = 0; i < count; i++)
      if (strcmp (paths[i], f->files[i].path) != 0 || stat (paths[i], &now) != 0 ||
          !mt_file_is_same (&f->files[i], &now))
         return false;
   return true;
}

static bool find (MtSession *s, MtArena *a, const MtFileCall *call, MtFileTable **out, MtError *err)
{
   const char *key = key_of (a, call);
   MtFileTable *f = s->files;
   while (f && (strcmp (f->key, key) != 0 || !is_current (a, f, call)))
      f = f->next;
   if (!f && !new_file (s, call, &f, err))
      return false;
   hold_for (s, a, f);
   *out = f;
   return true;
}

bool mt_file_find (MtSession *s, MtArena *a, const MtFileCall *call, MtFileTable **out,
                   MtError *err)
{
   if (s->options.restricted)
      return mt_error_at (err, call->path_span, MT_E_PRIVILEGE,
                          "reading a file is not allowed in restricted mode");
   return find (s, a, call, out, err);
}

bool mt_file_of_target (MtSession *s, MtArena *a, const char *path, MtFileTable **out, MtError *err)
{
   MtFileCall call = {.function = "read_csv", .path = mt_str (path), .path_span = MT_NO_SPAN};
   if (!find (s, a, &call, out, err) || !mt_engine_keep_temporary (s->engine, err))
      return false;
   s->met_file = true;
   return true;
}

bool mt_file_bind (void *ctx, MtArena *a, const MtFileCall *call, const MtTable **out, MtError *err)
{
   MtSession *s = ctx;
   MtFileTable *f;
   if (!mt_file_find (s, a, call, &f, err) || !mt_engine_keep_temporary (s->engine, err))
      return false;
   s->met_file = true;
   *out = &f->table;
   return true;
}

/* ---- what others ask ---- */

const MtTable *mt_file_table (const MtFileTable *f) { return &f->table; }
const char *mt_file_collection (const MtFileTable *f) { return f->collection; }

bool mt_file_exists (const char *name)
{
   MtArena *a = mt_arena_new ("file", NULL);
   const char **paths;
   size_t count;
   MtError ignored;
   bool exists = mt_file_expand (a, mt_str (name), MT_NO_SPAN, &paths, &count, &ignored);
   mt_arena_free (a);
   return exists;
}

MtFileTable *mt_file_of_table (const MtSession *s, const MtTable *t)
{
   MtFileTable *f = s->files;
   while (f && &f->table != t)
      f = f->next;
   return f;
}

const MtSniffed *mt_file_form (const MtFileTable *f)
{
   return f->kind == MT_KIND_CSV ? &f->form : NULL;
}

const MtSeen *mt_file_seen (const MtFileTable *f) { return f->seen; }
bool mt_file_is_plain_lines (const MtFileTable *f) { return f->plain_lines; }
size_t mt_file_count (const MtFileTable *f) { return f->count; }
const char *mt_file_path (const MtFileTable *f, size_t i) { return f->files[i].path; }

/* ---- the session ---- */

void mt_files_begin (MtSession *s)
{
   s->streams = (MtDocStreams) {mt_file_stream_open, s};
   mt_engine_set_streams (s->engine, &s->streams);
}

void mt_files_end (MtSession *s) { keep_newest (s, 0); }
