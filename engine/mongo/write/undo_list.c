/* The undo list: what a rollback has to undo. Generated _ids are consecutive ObjectIds, so a range
 * is recorded. Other _ids are recorded one by one, up to UNDO_BYTES. Beyond that limit a rollback
 * leaves documents, and their collections are added to m->leftover, for an error message. */
#include "engine/mongo/write/write.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define UNDO_BYTES ((size_t) 64 << 20)
#define UNDO_CHUNK (1u << 20) /* most bytes of _ids in one delete command */
/* Maximum number of _ids in one delete command. DocumentDB announces 100,000, but accepts at most
 * 25,000. */
#define UNDO_IDS 10000u

void mt_mongo_leave (MtMongo *m, const char *name)
{
   MtBuf b = {0};
   mt_buf_printf (&b, "\"%s\"", name);
   const char *had = m->leftover.n ? strstr (m->leftover.p, b.p) : NULL;
   if (!had)
      mt_buf_printf (&m->leftover, "%s%s", m->leftover.n ? ", " : "", b.p);
   mt_buf_free (&b);
}

static void free_undo (MtUndo *u)
{
   bson_destroy (u->doc);
   bson_free (u->name);
   free (u);
}

bool mt_mongo_keeps (const MtMongo *m)
{
   return m->step != MT_STEP_TRANSACTION && (!m->base.own_step || m->base.in_pieces);
}

void mt_mongo_forget_undo (MtMongo *m)
{
   while (m->undo) {
      MtUndo *u = m->undo;
      m->undo = u->next;
      free_undo (u);
   }
   m->undo_bytes = 0;
   m->undo_full = false;
}

MtUndo *mt_undo_add (MtMongo *m, MtUndoKind kind, const char *name)
{
   MtUndo *u = mt_calloc ("connection", 1, sizeof *u);
   u->kind = kind;
   u->name = bson_strdup (name);
   u->next = m->undo;
   m->undo = u;
   m->undo_bytes += sizeof *u;
   return u;
}

/* Returns the newest element of this kind for the collection, within the open step (an uncommitted
 * batch) only. An older element would be undone too late. NULL: none. */
static MtUndo *undo_find (MtMongo *m, MtUndoKind kind, const char *name)
{
   MtUndo *u = m->undo;
   while (u && u->kind != MT_UNDO_STEP && !(u->kind == kind && strcmp (u->name, name) == 0))
      u = u->next;
   return u && u->kind == kind ? u : NULL;
}

/* Called when there is too much to undo: stops recording, and adds the collection to m->leftover,
 * because a rollback may leave documents in it. */
static void forgo_undo (MtMongo *m, const char *name)
{
   m->undo_full = true;
   mt_mongo_leave (m, name);
}

bool mt_undo_too_much (MtError *err)
{
   mt_error (err, MT_E_LIMIT,
             "a transaction block changes more than %zu MB, which can't be undone on this server",
             UNDO_BYTES >> 20);
   return mt_error_hint (err, "A single statement outside of a block may change any amount.");
}

/* ---- remembering ---- */

void mt_mongo_remember_oid (MtMongo *m, const char *name, const bson_oid_t *oid)
{
   if (m->step == MT_STEP_TRANSACTION)
      return;
   MtUndo *u = undo_find (m, MT_UNDO_OID_RANGE, name);
   if (!u || memcmp (u->from.bytes, oid->bytes, sizeof m->oid_prefix) != 0) {
      u = mt_undo_add (m, MT_UNDO_OID_RANGE, name);
      u->from = *oid;
      u->fresh = true;
   }
   u->to = *oid;
}

bson_t *mt_mongo_undo_document (MtMongo *m, MtUndoKind kind, const char *name)
{
   MtUndo *u = undo_find (m, kind, name);
   if (u && u->doc->len <= UNDO_CHUNK)
      return u->doc;
   m->undo_bytes += u ? u->doc->len : 0;
   if (m->undo_bytes >= UNDO_BYTES) {
      forgo_undo (m, name);
      return NULL;
   }
   u = mt_undo_add (m, kind, name);
   u->doc = bson_new ();
   return u->doc;
}

void mt_mongo_remember_id (MtMongo *m, const char *name, MtVal id, bool fresh)
{
   if (m->undo_bytes >= UNDO_BYTES) {
      forgo_undo (m, name);
      return;
   }
   MtUndo *u = undo_find (m, MT_UNDO_IDS, name);
   if (!u || u->doc->len > UNDO_CHUNK || u->count >= UNDO_IDS || u->fresh != fresh) {
      u = mt_undo_add (m, MT_UNDO_IDS, name);
      u->doc = bson_new ();
      u->fresh = fresh;
   }
   size_t before = u->doc->len;
   char room[MT_INDEX_SIZE];
   mt_doc_add (u->doc, mt_index_key (u->count++, room), id);
   m->undo_bytes += u->doc->len - before;
}

void mt_mongo_remember_old (MtMongo *m, const char *name, bson_t *old)
{
   if (m->undo_bytes + old->len > UNDO_BYTES) {
      bson_destroy (old);
      forgo_undo (m, name);
      return;
   }
   mt_undo_add (m, MT_UNDO_RESTORE, name)->doc = old;
   m->undo_bytes += old->len;
}

bool mt_mongo_remember_stored (MtMongo *m, const char *name, MtVal id, MtError *err)
{
   bson_t *old;
   if (!mt_mongo_keeps (m))
      return true;
   if (m->base.in_pieces && m->undo_bytes >= UNDO_BYTES)
      return mt_undo_too_much (err);
   if (!mt_mongo_find_with (m, name, id, NULL, &old, err))
      return false;
   if (old)
      mt_mongo_remember_old (m, name, old);
   else
      mt_mongo_remember_id (m, name, id, false);
   return true;
}

void mt_mongo_remember_made (MtMongo *m, const char *collection, MtVal id, MtVal first)
{
   bson_t *undo = mt_mongo_undo_document (m, MT_UNDO_MADE, collection);
   if (undo)
      mt_doc_printf (undo, ": {id: %p, first: %p}", (void *) &id, (void *) &first);
}

/* ---- collections that a step makes or drops ---- */

bool mt_undo_makes_collections (const MtMongo *m)
{
   const MtUndo *u = m->undo;
   while (u && u->kind != MT_UNDO_CREATE)
      u = u->next;
   return u != NULL;
}

bool mt_mongo_made_in_step (const MtMongo *m, const char *name)
{
   for (const MtUndo *u = m->undo; u; u = u->next)
      if (u->kind == MT_UNDO_CREATE && strcmp (u->name, name) == 0)
         return true;
   return false;
}

void mt_undo_disown (MtMongo *m)
{
   MtUndo **at = &m->undo;
   while (*at) {
      MtUndo *u = *at;
      /* The list begins with the newest element, so MT_UNDO_CREATE comes last, and
       * mt_mongo_made_in_step still finds it. */
      if (u->fresh || !mt_mongo_made_in_step (m, u->name)) {
         at = &u->next;
         continue;
      }
      if (u->kind != MT_UNDO_CREATE)
         mt_mongo_leave (m, u->name);
      *at = u->next;
      free_undo (u);
   }
}

void mt_drops_rename (MtMongo *m, const char *name, const char *now)
{
   for (size_t i = 0; i < m->drop_count; i++)
      if (strcmp (m->drops[i], name) == 0) {
         bson_free (m->drops[i]);
         m->drops[i] = bson_strdup (now);
         return;
      }
}

void mt_drops_forget (MtMongo *m, size_t kept)
{
   while (m->drop_count > kept)
      bson_free (m->drops[--m->drop_count]);
   if (kept)
      return;
   bson_free (m->drops);
   m->drops = NULL;
}

/* ---- steps in the list ---- */

const char *mt_undo_text (const MtUndo *u, const char *field)
{
   bson_iter_t it;
   return bson_iter_init_find (&it, u->doc, field) && BSON_ITER_HOLDS_UTF8 (&it)
             ? bson_iter_utf8 (&it, NULL)
             : "";
}

MtUndo *mt_undo_cut_step (MtMongo *m)
{
   MtUndo **at = &m->undo;
   for (; *at && (*at)->kind != MT_UNDO_STEP; at = &(*at)->next)
      if ((*at)->kind == MT_UNDO_RENAME)
         mt_drops_rename (m, mt_undo_text (*at, "to"), (*at)->name);
   MtUndo *mark = *at, *rest = mark ? mark->next : NULL;
   *at = NULL;
   if (mark)
      free_undo (mark);
   return rest;
}

void mt_undo_remove_marks (MtMongo *m)
{
   MtUndo **at = &m->undo;
   while (*at) {
      MtUndo *u = *at;
      if (u->kind != MT_UNDO_STEP) {
         at = &u->next;
         continue;
      }
      *at = u->next;
      free_undo (u);
   }
}

void mt_mongo_write_fini (MtMongo *m)
{
   mt_drops_forget (m, 0);
   mt_mongo_forget_undo (m);
   mt_mongo_forget_handles (m);
   mt_buf_free (&m->leftover);
}
