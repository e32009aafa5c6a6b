/* Makes the _id of a document: a column of the root, a text composed of several values, an ObjectId
 * made from a hash of the key, or a new ObjectId. */
#include "layouts/pack/build_int.h"

#include <xxhash.h>

static bool composed_id (MtBuilder *b, const MtVal *key)
{
   const MtStoreDesc *s = b->x.store;
   MtBuf part = {0};
   bool ok = true;
   mt_buf_clear (&b->id_text);
   for (size_t i = 0; ok && i < s->id_count; i++) {
      const MtIdPart *p = &s->id[i];
      if (p->literal) {
         mt_buf_adds (&b->id_text, p->literal);
         continue;
      }
      size_t k = 0;
      while (!mt_same_binding (&s->root->binds[k], &p->bind))
         k++;
      if (mt_is_nullish (key[k])) {
         ok = mt_refuse_null (b, b->root, k);
         break;
      }
      if (s->id_count == 1) {
         ok = mt_encode (&p->bind.encoding, mt_binding_type (b->x.t, &p->bind), key[k], &b->id_text,
                         &b->id, b->err);
         if (ok && b->id.type == MT_STRING && !b->id_text.n)
            mt_buf_add (&b->id_text, b->id.p, b->id.len);
         if (ok && b->id.type != MT_STRING)
            return true;
         break;
      }
      mt_buf_clear (&part);
      ok = mt_encode_text (&p->bind.encoding, mt_binding_type (b->x.t, &p->bind), key[k], &part,
                           b->err);
      ok = ok && mt_id_add_part (b->x.t, s, i, (MtStr) {part.p, part.n}, &b->id_text, b->err);
   }
   mt_buf_free (&part);
   b->id = mt_v_str (b->id_text.p ? b->id_text.p : "", b->id_text.n);
   return ok;
}

/* Makes an ObjectId from a hash of the collection's name and the key, so that the document of this
 * key can be found again. */
static void hashed_id (MtBuilder *b, const MtVal *key, size_t count)
{
   mt_buf_clear (&b->id_text);
   mt_buf_adds (&b->id_text, b->to->part.collection);
   for (size_t i = 0; i < count; i++) {
      bool fixed = key[i].type == MT_DOUBLE || key[i].type == MT_DATE || key[i].type == MT_INT32 ||
                   key[i].type == MT_INT64 || key[i].type == MT_BOOL;
      mt_buf_addc (&b->id_text, 0);
      mt_buf_addc (&b->id_text, (char) key[i].type);
      if (fixed)
         mt_buf_add (&b->id_text, &key[i].i, 8);
      else if (key[i].type != MT_NULL) {
         size_t n = mt_v_size (key[i]);
         mt_buf_add (&b->id_text, &n, sizeof n);
         mt_buf_add (&b->id_text, key[i].p, n);
      }
   }
   XXH128_hash_t h = XXH3_128bits (b->id_text.p, b->id_text.n);
   memcpy (b->oid, &h, 12);
   b->id = (MtVal) {.type = MT_OID, .len = 12, .p = b->oid};
}

/* Sets *out to the _id if bindings of the root level define it: the value of a column or of the
 * time, or a document of several such values, whose bytes are in b->doc. */
static bool bound_id (MtBuilder *b, MtVal *out)
{
   uint8_t decimal[16];
   const MtFieldW *f = &b->root->fields[0];
   if (f->kind == MT_F_BIND)
      return mt_field_value (b, f, out, decimal);
   mt_bson_start (&b->doc);
   if (!mt_write_fields (b, &b->doc, f->fields, f->field_count))
      return false;
   mt_bson_end (&b->doc, 0);
   if (b->doc.failed)
      return mt_doc_too_large (b);
   *out = (MtVal) {.type = MT_DOC, .len = (uint32_t) b->doc.n, .p = b->doc.p};
   return true;
}

bool mt_make_id (MtBuilder *b, const MtVal *key)
{
   const MtStoreDesc *s = b->x.store;
   if (mt_root_binds_id (s))
      return bound_id (b, &b->id);
   if (s->id_count)
      return composed_id (b, key);
   if (!s->repeats && !b->rows) {
      hashed_id (b, key, s->root->bind_count);
      return true;
   }
   bson_oid_t oid;
   mt_engine_new_id (b->x.e, &oid);
   memcpy (b->oid, oid.bytes, 12);
   b->id = (MtVal) {.type = MT_OID, .len = 12, .p = b->oid};
   return true;
}
