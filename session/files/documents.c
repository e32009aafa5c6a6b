/* JSON and BSON files as tables. A sample of the documents (the first ones, and some from the whole
 * file) gives the columns, as for an undeclared collection. Each document is checked while it is
 * read, so a value of another type is an error, never a wrong sum. */
#include "session/files/files_int.h"

#include "base/bson.h"
#include "base/memory.h"
#include "base/shown.h"
#include "layouts/infer/infer.h"

#include <stdlib.h>
#include <string.h>

#define NEAR_BYTES ((size_t) 32 << 20) /* how many bytes of the first documents are sampled */

/* ---- reading ---- */

typedef struct DocumentStream {
   MtDocStream base;
   MtSession *session;
   MtFileTable *f;  /* has a reference */
   size_t at;       /* the index of the next file to open */
   uint64_t number; /* the number of the document in its file, from 1 */
   bool open, raw;  /* raw: documents are neither checked nor converted */
   MtFileInput input;
   MtDocStream *in;
   MtArena *a;
   MtBson bytes;
   bson_t doc;
} DocumentStream;

static bool open_next (DocumentStream *s, MtError *err)
{
   const char *path = s->f->files[s->at].path;
   if (!mt_file_input_open (s->session, path, MT_NO_SPAN, &s->input, err))
      return false;
   s->in = s->f->kind == MT_KIND_JSON ? mt_json_stream (s->input.unpack, path)
                                      : mt_bson_stream (s->input.unpack, path);
   s->open = true;
   s->number = 0;
   s->at++;
   return true;
}

static void close_current (DocumentStream *s)
{
   if (!s->open)
      return;
   mt_doc_stream_close (s->in);
   mt_file_input_close (&s->input);
   s->open = false;
}

/* Sets *doc to the next document of all files, unchecked; NULL: there is none. */
static bool next_raw (DocumentStream *s, const bson_t **doc, MtError *err)
{
   for (;;) {
      *doc = NULL;
      if (!s->open && s->at == s->f->count)
         return true;
      if (!s->open && !open_next (s, err))
         return false;
      if (!s->in->next (s->in, doc, err)) {
         if (mt_error_is_set (&s->input.io))
            *err = s->input.io;
         return false;
      }
      s->number++;
      if (*doc)
         return true;
      if (!mt_file_input_same (&s->input, err))
         return false;
      close_current (s);
   }
}

/* ---- checking ---- */

/* Returns whether a column of type t can represent value v without loss. */
static bool fits (MtTypeId t, MtVal v)
{
   if (mt_is_nullish (v) || v.type == MT_UNDEFINED || t == MT_T_JSONB || t == MT_T_DOCUMENT)
      return true;
   switch (t) {
   case MT_T_INT8: return v.type == MT_INT32 || v.type == MT_INT64;
   case MT_T_FLOAT8: return v.type == MT_INT32 || v.type == MT_INT64 || v.type == MT_DOUBLE;
   case MT_T_NUMERIC: return v.type == MT_INT32 || v.type == MT_INT64 || v.type == MT_DECIMAL;
   case MT_T_TEXT: return v.type == MT_STRING;
   case MT_T_BOOL: return v.type == MT_BOOL;
   case MT_T_TIMESTAMPTZ:
   case MT_T_TIMESTAMP:
   case MT_T_DATE: return v.type == MT_DATE;
   case MT_T_OBJECTID: return v.type == MT_OID;
   case MT_T_UUID:
   case MT_T_BYTEA: return v.type == MT_BINARY;
   default: break;
   }
   return mt_type_is_array (t) ? v.type == MT_ARRAY : true;
}

/* Returns the value at a dotted path below v. *inner: an inner name of the path has a value that is
 * no document. */
static MtVal at_path (MtVal v, const char *path, bool *inner)
{
   MtStr name;
   *inner = false;
   while (mt_path_next (&path, &name) && !mt_is_nullish (v) && !*inner) {
      *inner = v.type != MT_DOC;
      v = *inner ? v : mt_doc_get (v, name.p, name.n);
   }
   return v;
}

static bool misfit (const DocumentStream *s, const MtColumn *c, MtVal v, MtError *err)
{
   mt_error (err, MT_E_DATATYPE_MISMATCH, "column \"%s\" is of type %s but the field is %s",
             c->name, mt_type_info (mt_type_element (c->type.id))->display, mt_v_type_name (v));
   mt_error_hint (err,
                  "The types come from a sample. Take them from all documents: read_%s (%s, "
                  "sample_size => -1).",
                  s->f->kind == MT_KIND_JSON ? "json" : "bson",
                  mt_shown_sql (s->f->arena, '\'', s->f->path));
   return mt_error_context (err, "%s, document %llu", s->input.path,
                            (unsigned long long) s->number);
}

static bool check (const DocumentStream *s, const bson_t *doc, MtError *err)
{
   const MtTable *t = &s->f->table;
   for (size_t i = 0; i < t->column_count; i++) {
      bool inner;
      MtVal v = at_path (mt_v_doc (doc), t->columns[i].field, &inner);
      if (inner || !fits (t->columns[i].type.id, v))
         return misfit (s, &t->columns[i], v, err);
   }
   return true;
}

/* ---- texts that are times ---- */

/* Returns the column of a top-level field whose texts are read as times; NULL: it is no such
 * field. */
static const MtColumn *time_column (const MtFileTable *f, MtStr field)
{
   for (size_t i = 0; i < f->table.column_count; i++)
      if (f->times[i] && mt_str_is (field, f->table.columns[i].field))
         return &f->table.columns[i];
   return NULL;
}

/* Replaces *doc by a copy in which the texts of time columns are dates. */
static bool convert (DocumentStream *s, const bson_t **doc, MtError *err)
{
   MtTextStyle style = {.zone = s->session->settings.zone, .now_ms = s->session->statement_ms};
   MtDocIter it = mt_doc_iter (mt_v_doc (*doc));
   MtStr key;
   MtVal v;
   mt_arena_reset (s->a);
   mt_bson_start (&s->bytes);
   while (mt_doc_next (&it, &key, &v)) {
      const MtColumn *c = v.type == MT_STRING ? time_column (s->f, key) : NULL;
      if (c &&
          !mt_value_parse (s->a, c->type, (MtStr) {(const char *) v.p, v.len}, &style, &v, err))
         return mt_error_context (err, "%s, document %llu, column %s", s->input.path,
                                  (unsigned long long) s->number, c->name);
      mt_bson_put_named (&s->bytes, key.p, key.n, v);
   }
   if (!mt_bson_finish (&s->bytes, &s->doc))
      return mt_memory_check (err);
   *doc = &s->doc;
   return true;
}

static bool next_document (MtDocStream *base, const bson_t **doc, MtError *err)
{
   DocumentStream *s = (DocumentStream *) base;
   if (!next_raw (s, doc, err))
      return false;
   if (!*doc || s->raw)
      return true;
   return (!s->f->has_times || convert (s, doc, err)) && check (s, *doc, err);
}

static void close_documents (MtDocStream *base)
{
   DocumentStream *s = (DocumentStream *) base;
   close_current (s);
   mt_bson_free (&s->bytes);
   mt_arena_free (s->a);
   if (!s->raw)
      mt_file_release (s->session, s->f);
   free (s);
}

static MtDocStream *new_stream (MtSession *session, MtFileTable *f, bool raw)
{
   DocumentStream *s = mt_aligned ("file", _Alignof (DocumentStream), sizeof *s);
   s->base = (MtDocStream) {next_document, close_documents, NULL};
   s->session = session;
   s->f = f;
   s->raw = raw;
   s->a = mt_arena_new ("document", NULL);
   return &s->base;
}

MtDocStream *mt_file_documents (MtSession *s, MtFileTable *f)
{
   mt_file_hold (f);
   return new_stream (s, f, false);
}

/* ---- detecting columns ---- */

/* Whether the texts of a top-level field are times, and of which type. */
typedef struct Texts {
   const char *field;
   MtTypeId type; /* MT_T_UNKNOWN: some texts are not times */
   struct Texts *next;
} Texts;

/* Adds a text of field `key` to the list: the field's type stays a time type as long as all its
 * texts are times of this type. */
static void note_text (MtArena *a, Texts **list, MtStr key, MtStr text)
{
   Texts *t = *list;
   while (t && !mt_str_is (key, t->field))
      t = t->next;
   MtTypeId id = t && t->type == MT_T_UNKNOWN ? MT_T_UNKNOWN : mt_sniff_iso_time (text);
   if (!t) {
      t = MT_NEW (a, Texts);
      *t = (Texts) {mt_strndup (a, key.p, key.n), id, *list};
      *list = t;
   } else if (t->type != id)
      t->type = MT_T_UNKNOWN;
}

typedef struct Looking {
   MtArena *a;
   MtSeen *root;
   Texts *texts;
   bool plain_lines; /* each document is one line of JSON without MongoDB's types */
} Looking;

static void see_document (void *ctx, const bson_t *doc)
{
   Looking *l = ctx;
   MtDocIter it = mt_doc_iter (mt_v_doc (doc));
   MtStr key;
   MtVal v;
   mt_seen_add (l->a, l->root, mt_v_doc (doc));
   while (mt_doc_next (&it, &key, &v))
      if (v.type == MT_STRING)
         note_text (l->a, &l->texts, key, (MtStr) {(const char *) v.p, v.len});
}

/* Reads the option sample_size into *most: a number of documents, UINT64_MAX for all (-1); 0: not
 * given. */
static bool sample_option (MtArena *a, const MtFileCall *call, uint64_t *most, MtError *err)
{
   *most = 0;
   for (size_t i = 0; i < call->option_count; i++) {
      const MtFileOption *o = &call->options[i];
      char *end = NULL;
      if (strcmp (o->name, "sample_size") != 0)
         return mt_error_at (err, o->span, MT_E_PARAMETER, "option \"%s\" of %s not recognized",
                             o->name, call->function);
      long long n = o->count == 1
                       ? strtoll (mt_strndup (a, o->values[0].p, o->values[0].n), &end, 10)
                       : 0;
      if (!end || *end || n == 0 || n < -1)
         return mt_error_at (err, o->span, MT_E_PARAMETER,
                             "option \"sample_size\" must be a number of documents, or -1 for all");
      *most = n < 0 ? UINT64_MAX : (uint64_t) n;
   }
   return true;
}

/* Adds the first documents to the sample: at most `most` ones, and at most NEAR_BYTES unless all
 * are wanted. *ended: there are no further documents. */
static bool see_first (MtDocStream *in, uint64_t most, Looking *l, bool *ended, MtError *err)
{
   const bson_t *doc;
   size_t bytes = 0;
   *ended = false;
   for (uint64_t n = 0; n < most && (most == UINT64_MAX || bytes < NEAR_BYTES); n++) {
      if (!in->next (in, &doc, err))
         return false;
      *ended = !doc;
      if (!doc)
         break;
      see_document (l, doc);
      bytes += doc->len;
   }
   return true;
}

/* Adds documents spread over the rest of the open file to the sample. A damaged document ends the
 * sample of this file; the error is reported later, when the file is read. */
static bool see_rest_of_file (DocumentStream *s, MtSpread *spread, MtError *err)
{
   uint64_t bytes = mt_file_input_is_packed (&s->input) ? MT_UNPACKED_BYTES / s->f->count
                                                        : (uint64_t) s->input.before.st_size;
   MtError damage = {0};
   MtStr document;
   mt_spread_begin (spread, bytes);
   while (spread->at < bytes && s->in->pass (s->in, &document, &damage) && document.p)
      mt_spread_add (spread, document);
   mt_spread_end (spread);
   if (mt_error_is_set (&s->input.io))
      *err = s->input.io;
   return !mt_error_is_set (&s->input.io);
}

/* Adds documents spread over the rest of the current file and over all later files to the
 * sample. */
static bool see_rest (DocumentStream *s, Looking *l, MtError *err)
{
   MtSpread spread = {.kind = s->f->kind, .files = s->f->count, .see = see_document, .ctx = l};
   bool ok = true;
   while (ok && (s->open || s->at < s->f->count)) {
      ok = (s->open || open_next (s, err)) && see_rest_of_file (s, &spread, err);
      close_current (s);
   }
   mt_spread_free (&spread);
   return ok;
}

/* Makes a sample of the first documents and of documents spread over all files. */
static bool see_sample (MtSession *s, MtFileTable *f, const MtFileCall *call, Looking *l,
                        MtError *err)
{
   MtArena *a = mt_arena_new ("sample of a file", NULL);
   MtDocStream *in = new_stream (s, f, true);
   MtScattered scattered = {0};
   bool ended = false;
   bool ok = f->kind == MT_KIND_BSON ||
             mt_file_scattered (s, a, f, call->path_span, &scattered, err);
   ok = ok && see_first (in, MT_NEAR_DOCUMENTS, l, &ended, err);
   if (ok && scattered.lines) {
      MtStr text = scattered.sample.pieces[0].bytes;
      l->plain_lines = f->count == 1 && !memmem (text.p, text.n, "\"$", 2);
   }
   if (ok && !ended)
      ok = scattered.prefix.p ? mt_file_see_scattered (&scattered, see_document, l, err)
                              : see_rest ((DocumentStream *) in, l, err);
   in->close (in);
   mt_arena_free (a);
   return ok;
}

/* Makes a sample of the first `most` documents, as the option sample_size says. */
static bool see_given (MtSession *s, MtFileTable *f, uint64_t most, Looking *l, MtError *err)
{
   MtDocStream *in = new_stream (s, f, true);
   bool ended, ok = see_first (in, most, l, &ended, err);
   in->close (in);
   return ok;
}

static void find_times (MtFileTable *f, const Texts *texts)
{
   f->times = MT_NEW_N (f->arena, bool, f->table.column_count + 1);
   for (const Texts *t = texts; t; t = t->next)
      for (size_t i = 0; i < f->table.column_count; i++) {
         MtColumn *c = &f->table.columns[i];
         if (t->type == MT_T_UNKNOWN || c->type.id != MT_T_TEXT || strcmp (c->field, t->field) != 0)
            continue;
         c->type = mt_type (t->type);
         f->has_times = f->times[i] = true;
      }
}

/* Sets the role of each column (time, measure, dimension), and t->time_column. A number is a
 * measure even if it looks like a time. */
static void find_roles (MtFileTable *f)
{
   MtTable *t = &f->table;
   for (size_t i = 0; i < t->column_count; i++) {
      MtColumn *c = &t->columns[i];
      const MtSeen *seen = mt_seen_at (f->seen, c->field);
      bool always = seen && mt_seen_always (f->seen, seen) && !strchr (c->field, '.');
      if (c->inner || strcmp (c->name, "_id") == 0)
         continue;
      c->role = mt_infer_role (c);
      if (t->time_column >= 0 || !mt_type_is_datetime (c->type.id) || !always)
         continue;
      c->role = MT_COL_TIME;
      t->time_column = (int) i;
   }
}

static bool has_parts (const MtTable *t)
{
   for (size_t i = 0; i < t->column_count; i++)
      if (strchr (t->columns[i].field, '.'))
         return true;
   return false;
}

bool mt_file_recognise_documents (MtSession *s, MtFileTable *f, const MtFileCall *call,
                                  MtError *err)
{
   Looking l = {.a = f->arena, .root = mt_seen_new (f->arena)};
   uint64_t most;
   const char *hidden, *name = f->table.name;
   if (!sample_option (f->arena, call, &most, err) ||
       !(most ? see_given (s, f, most, &l, err) : see_sample (s, f, call, &l, err)) ||
       !mt_seen_table (f->arena, f->collection, l.root, &f->table, &hidden, err))
      return false;
   f->table.name = name;
   f->table.layouts->attached = false;
   f->seen = l.root;
   f->plain_lines = l.plain_lines && !hidden && !has_parts (&f->table);
   find_times (f, l.texts);
   find_roles (f);
   return true;
}
