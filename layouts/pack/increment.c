/* Converts a document of new records into increments ($inc) of the stored document. So no document
 * needs to be read, and several writers can write at the same time. A record with its own field or
 * array element is set there, if that is still empty. */
#include "layouts/pack/build_int.h"

/* ---- converting a document into increments ---- */

typedef struct Split {
   const MtStoreDesc *s;
   const MtNode *records; /* the level with records; NULL: the store keeps only sums */
   MtIncrementParts *to;
} Split;

/* Removes `prefix` and a dot from the beginning of a path, and returns the rest; NULL: the path
 * does not begin with the prefix. */
static const char *behind (const char *path, const char *prefix)
{
   size_t n = strlen (prefix);
   if (!n)
      return path;
   if (strncmp (path, prefix, n) || (path[n] && path[n] != '.'))
      return NULL;
   return path + n + (path[n] == '.');
}

/* Removes the path of a cell (element) of level n from a path, and returns the rest. For slots it
 * removes only the array's path. NULL: the path does not lead into such a cell. */
static const char *below_cell (const MtNode *n, const char *path)
{
   if (!n->parent)
      return path;
   const char *rest = below_cell (n->parent, path);
   rest = rest && (*rest || !*n->at) ? behind (rest, n->at) : NULL;
   if (!rest || n->kind != MT_NODE_MAP)
      return rest;
   size_t key = strcspn (rest, ".");
   return !key ? NULL : rest + key + (rest[key] == '.');
}

static bool is_record (const Split *x, const char *path)
{
   const char *rest = x->records ? below_cell (x->records, path) : NULL;
   return rest && !*rest;
}

/* Returns whether a column or time that the root level binds is stored at the path, the first n
 * bytes of `path`: 1 if it is, -1 if one is stored below it, else 0. */
static int bound_at (const MtStoreDesc *s, const char *path, size_t n)
{
   int found = 0;
   for (size_t i = 0; i < s->root->bind_count; i++) {
      const char *at = s->root->binds[i].at;
      if (at && strncmp (at, path, n) == 0 && (at[n] == 0 || at[n] == '.'))
         found = at[n] == 0 || found > 0 ? 1 : -1;
   }
   return found;
}

/* Adds the value v of field `key` at the current path to the increment x->to, as an amount, a first
 * value, or a new field. bound: a column or time that the root level binds may be stored at this
 * path or below it. */
static bool split_value (Split *x, MtStr key, MtVal v, bool bound);

static bool split_document (Split *x, MtVal v, bool bound)
{
   MtBuf *path = &x->to->path;
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal each;
   bool ok = true;
   mt_buf_addc (path, '.');
   while (ok && mt_doc_next (&it, &key, &each))
      ok = split_value (x, key, each, bound);
   path->n--;
   return ok;
}

static bool put (MtBson *w, const MtBuf *path, MtVal v)
{
   mt_bson_head (w, v.type, path->p, path->n + 1);
   mt_bson_tail (w, v);
   return !w->failed && w->n < INT32_MAX / 4; /* the increment must fit into one document */
}

static bool split_value (Split *x, MtStr key, MtVal v, bool bound)
{
   MtBuf *path = &x->to->path;
   size_t before = path->n;
   mt_buf_add (path, key.p, key.n);
   int here = bound ? bound_at (x->s, path->p, path->n) : 0;
   bool ok = true;
   if (is_record (x, path->p))
      ok = put (x->records->kind == MT_NODE_SLOTS ? &x->to->slots : &x->to->fresh, path, v);
   else if (v.type == MT_ARRAY && !here)
      ok = false; /* $inc can't add to an array */
   else if (here > 0 || (!mt_is_number (v) && v.type != MT_DOC))
      ok = put (&x->to->first, path, v);
   else if (v.type != MT_DOC)
      ok = put (&x->to->amounts, path, v);
   else
      ok = split_document (x, v, here != 0);
   path->n = before;
   return ok;
}

bool mt_document_increments (const MtStoreDesc *s, MtVal doc, MtVal *id, MtIncrementParts *out,
                             MtError *err)
{
   Split x = {s, mt_store_records (s), out};
   MtBson *const parts[] = {&out->amounts, &out->first, &out->fresh, &out->slots};
   MtDocIter it = mt_doc_iter (doc);
   MtStr key;
   MtVal v;
   bool ok = true;
   mt_buf_clear (&out->path);
   for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      mt_bson_start (parts[i]);
   while (ok && mt_doc_next (&it, &key, &v))
      if (mt_str_is (key, "_id"))
         *id = v;
      else
         ok = split_value (&x, key, v, true);
   for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      mt_bson_end (parts[i], 0);
   return ok ||
          mt_error (err, MT_E_LIMIT, "increments of a document of collection \"%s\" are too large",
                    s->collection);
}

bool mt_document_adds (const MtTable *t, const MtStoreDesc *s, const bson_t *doc, bson_t *amounts,
                       bson_t *first)
{
   MtIncrementParts p = {0};
   MtVal id;
   MtError ignored;
   bson_t view;
   bool ok = mt_store_increments (t, s) &&
             mt_document_increments (s, mt_v_doc (doc), &id, &p, &ignored);
   ok = ok && bson_init_static (&view, p.amounts.p, p.amounts.n) && bson_concat (amounts, &view) &&
        bson_init_static (&view, p.first.p, p.first.n) && bson_concat (first, &view);
   mt_increment_parts_free (&p);
   return ok;
}

void mt_increment_parts_free (MtIncrementParts *p)
{
   MtBson *const parts[] = {&p->amounts, &p->first, &p->fresh, &p->slots};
   for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      mt_bson_free (parts[i]);
   mt_buf_free (&p->path);
}
