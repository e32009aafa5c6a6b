/* States of two-step aggregates: their stored form, rollup, and casts. */
#include "functions/timeseries/summary.h"

#include "functions/core/rows.h"
#include "types/jsonb.h"

#include <string.h>

/* ---- reading ---- */

static MtVal field (MtSummaryReader *r, const char *name)
{
   MtVal v = r->doc.type == MT_DOC ? mt_doc_field (r->doc, name) : mt_v_missing ();
   r->ok &= v.type != MT_MISSING;
   return v;
}

/* Reads v as a double. Other programs may have stored a whole number as an integer. */
static double to_double (MtSummaryReader *r, MtVal v)
{
   if (v.type == MT_DOUBLE)
      return v.d;
   bool whole = v.type == MT_INT32 || v.type == MT_INT64;
   r->ok &= whole;
   return whole ? (double) v.i : 0;
}

static int64_t to_int (MtSummaryReader *r, MtVal v)
{
   MtVal i;
   if (v.type == MT_INT32 || v.type == MT_INT64)
      return v.i;
   bool ok = mt_value_normalize (NULL, mt_type (MT_T_INT8), v, &i, NULL) && i.type == MT_INT64;
   r->ok &= ok;
   return ok ? i.i : 0;
}

double mt_read_double (MtSummaryReader *r, const char *name)
{
   return to_double (r, field (r, name));
}

int64_t mt_read_int (MtSummaryReader *r, const char *name) { return to_int (r, field (r, name)); }

int64_t mt_read_time (MtSummaryReader *r, const char *name)
{
   MtVal v = field (r, name);
   r->ok &= v.type == MT_DATE;
   return v.type == MT_DATE ? v.i : 0;
}

MtVal mt_read_array (MtSummaryReader *r, const char *name)
{
   MtVal v = field (r, name);
   r->ok &= v.type == MT_ARRAY;
   return v.type == MT_ARRAY ? v : mt_v_missing ();
}

MtTypeId mt_read_type (MtSummaryReader *r, const char *name)
{
   MtVal v = field (r, name);
   MtTypeId t = MT_T_UNKNOWN;
   r->ok &= v.type == MT_STRING && mt_type_by_name (mt_v_text (v), &t);
   return t;
}

MtVal mt_read_element (MtSummaryReader *r, MtArena *a, MtTypeId t, MtVal v)
{
   MtVal out = mt_v_null ();
   r->ok &= mt_value_normalize (a, mt_type (t), v, &out, NULL) && !mt_is_nullish (out);
   return out;
}

MtSummaryReader mt_read_doc (MtSummaryReader *r, const char *name)
{
   MtVal v = field (r, name);
   return (MtSummaryReader) {v, v.type == MT_DOC, r->type};
}

void mt_read_end (MtSummaryReader *r, const MtSummaryReader *inner) { r->ok &= inner->ok; }

MtSummaryList mt_read_list (MtSummaryReader *r, const char *name)
{
   MtVal v = field (r, name);
   r->ok &= v.type == MT_ARRAY;
   return (MtSummaryList) {mt_doc_iter (v.type == MT_ARRAY ? v : mt_v_null ())};
}

size_t mt_list_count (const MtSummaryList *l)
{
   MtSummaryList ahead = *l;
   size_t n = 0;
   MtStr key;
   MtVal v;
   while (mt_doc_next (&ahead.it, &key, &v))
      n++;
   return n;
}

bool mt_list_more (const MtSummaryList *l) { return l->it.p < l->it.end && *l->it.p; }

static MtVal next_of (MtSummaryList *l)
{
   MtStr key;
   MtVal v;
   return mt_doc_next (&l->it, &key, &v) ? v : mt_v_missing ();
}

double mt_list_double (MtSummaryReader *r, MtSummaryList *l) { return to_double (r, next_of (l)); }

int64_t mt_list_int (MtSummaryReader *r, MtSummaryList *l) { return to_int (r, next_of (l)); }

MtVal mt_read_binary (MtSummaryReader *r, const char *name)
{
   MtVal v = r->doc.type == MT_DOC ? mt_doc_field (r->doc, name) : mt_v_null ();
   return v.type == MT_BINARY ? mt_v_bytes (v) : mt_v_null ();
}

static bool read_state (MtEval *ev, const MtStateKind *s, MtVal v, void *state)
{
   MtSummaryReader r = {v, true, s->type};
   r.ok = mt_v_is_text (field (&r, "k"), mt_type_info (s->type)->name) &&
          mt_read_int (&r, "v") == MT_SUMMARY_VERSION;
   if (r.ok)
      s->read (ev, &r, state);
   return r.ok;
}

bool mt_summary_read (MtEval *ev, const MtStateKind *s, MtVal v, void *state)
{
   if (read_state (ev, s, v, state))
      return true;
   mt_error (ev->err, MT_E_CORRUPT, "invalid state of type %s", mt_type_info (s->type)->display);
   return mt_error_hint (ev->err, "It is damaged, or a later version of mtsql wrote it.");
}

bool mt_summary_type (MtTypeId type, MtVal named, MtError *err)
{
   MtTypeId t = MT_T_UNKNOWN;
   if (mt_type_by_name (mt_v_text (named), &t) && t == type)
      return true;
   mt_error (err, MT_E_DATATYPE_MISMATCH, "the state has values of type %s, not %s",
             mt_type_info (type)->display, mt_type_info (t)->display);
   return mt_error_hint (err, "Pass a value of type %s.", mt_type_info (type)->display);
}

bool mt_any_null (const MtVal *args, int n)
{
   bool any = false;
   for (int i = 0; i < n; i++)
      any |= mt_is_nullish (args[i]);
   return any;
}

/* ---- writing ---- */

bool mt_summary_write (MtEval *ev, const MtStateKind *s, const void *state, MtVal *out)
{
   MtBson b = {0};
   bson_t doc;
   *out = mt_v_null ();
   mt_bson_start (&b);
   mt_bson_put (&b, "k", mt_v_cstr (mt_type_info (s->type)->name));
   mt_bson_put (&b, "v", mt_v_int32 (MT_SUMMARY_VERSION));
   bool rows = s->write (ev, state, &b);
   bool ok = mt_bson_finish (&b, &doc) ||
             mt_error (ev->err, MT_E_LIMIT, "a state of type %s is too large",
                       mt_type_info (s->type)->display);
   if (ok && rows)
      *out = mt_v_copy (ev->arena, mt_v_doc (&doc));
   mt_bson_free (&b);
   return ok && !mt_error_is_set (ev->err);
}

/* ---- values that a state keeps ---- */

void mt_keep (MtArena *a, MtKept *k, MtVal v)
{
   size_t n = mt_v_has_bytes (v.type) ? mt_v_size (v) : 0;
   if (n > k->size_bytes) {
      size_t size = 16;
      while (size < n)
         size *= 2;
      k->room = mt_try_alloc (a, size);
      k->size_bytes = k->room ? size : 0;
   }
   k->v = n > k->size_bytes ? mt_v_null () : v;
   if (!n || k->v.type != v.type)
      return;
   memcpy (k->room, v.p, n);
   k->v.p = k->room;
}

int mt_kept_compare (MtVal a, MtVal b)
{
   int c = mt_v_compare (a, b);
   if (c || (a.type == b.type && (a.type == MT_STRING || a.type == MT_INT64)))
      return c;
   bool bytes = mt_v_has_bytes (a.type) && mt_v_has_bytes (b.type);
   size_t n = bytes ? mt_v_size (a) : sizeof a.i, m = bytes ? mt_v_size (b) : n;
   c = (a.type > b.type) - (a.type < b.type);
   c = c ? c : (a.sub > b.sub) - (a.sub < b.sub);
   c = c ? c : (n > m) - (n < m);
   return c || !n ? c : memcmp (bytes ? a.p : (void *) &a.i, bytes ? b.p : (void *) &b.i, n);
}

/* ---- the rows of an aggregate ---- */

bool mt_summary_merge (MtEval *ev, void *into, const void *from)
{
   const MtStateKind *s = ev->user;
   return s->merge (ev, into, from);
}

bool mt_summary_save (MtEval *ev, const void *state, MtVal *out)
{
   return mt_summary_write (ev, ev->user, state, out);
}

bool mt_summary_load (MtEval *ev, void *state, MtVal saved)
{
   return mt_is_nullish (saved) || read_state (ev, ev->user, saved, state);
}

bool mt_summary_rollup (MtEval *ev, void *state, const MtVal *args, int argc)
{
   const MtStateKind *s = ev->user;
   MtArena *scratch = mt_arena_new ("state", NULL);
   MtEval inner = *ev;
   inner.arena = scratch;
   void *other = mt_alloc (scratch, s->size);
   bool ok = mt_summary_read (&inner, s, args[0], other) && s->merge (ev, state, other);
   (void) argc;
   mt_arena_free (scratch);
   return ok;
}

/* ---- casts ---- */

static bool fn_state_text (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuf b = {0};
   (void) n;
   mt_document_print (a[0], &b);
   *out = mt_text_result (ev, &b);
   return true;
}

static bool fn_text_state (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   (void) n;
   return mt_value_parse (ev->arena, mt_type ((MtTypeId) MT_USER (ev)), mt_v_text (a[0]), NULL, out,
                          ev->err);
}

static bool fn_state_jsonb (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   (void) n;
   return mt_jsonb_canonical (ev->arena, a[0], out, ev->err);
}

#define STATE(name) "'{\"k\": \"" name "\", \"v\": 1}'"
#define CASTS(id, name, display, category, preferred, oid, array_oid) \
   MT_ROW ("text", name " -> text", MT_F_CAST | MT_F_CAST_ASSIGN, NULL, \
           MT_OPN ("text_from_state", state_text, 0), "cast", \
           "SELECT " STATE (name) "::" name "::text => {\"k\": \"" name "\", \"v\": 1}"), \
      MT_ROW (name, "text -> " name, MT_F_CAST, NULL, \
              MT_OPN (name "_from_text", text_state, MT_T_##id), "cast", \
              "SELECT " STATE (name) "::text::" name " => {\"k\": \"" name "\", \"v\": 1}"), \
      MT_ROW ("jsonb", name " -> jsonb", MT_F_CAST, NULL, \
              MT_OPN ("jsonb_from_state", state_jsonb, 0), "cast", \
              "SELECT " STATE (name) "::" name "::jsonb => {\"k\": \"" name "\", \"v\": 1}"),

const MtFunc mt_fn_summary[] = {MT_STATE_TYPES (CASTS){.name = NULL}};
