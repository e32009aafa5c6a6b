#include "types/record.h"

#include <string.h>

bool mt_record_make (MtArena *a, const MtVal *parts, size_t n, MtVal *out, MtError *err)
{
   static const MtStr keys[] = {{"n", 1}, {"t", 1}, {"v", 1}};
   MtVal fields[3] = {parts[0], parts[1]};
   return mt_v_make_array (a, parts + 2, n - 2, &fields[2], err) &&
          mt_v_make_doc (a, keys, fields, 3, out, err);
}

MtRecordIter mt_record_iter (MtVal record)
{
   return (MtRecordIter) {mt_doc_iter (mt_doc_field (record, "n")),
                          mt_doc_iter (mt_doc_field (record, "t")),
                          mt_doc_iter (mt_doc_field (record, "v"))};
}

bool mt_record_next (MtRecordIter *it, MtRecordField *out)
{
   MtStr key;
   MtVal name, type;
   if (!mt_doc_next (&it->names, &key, &name) || !mt_doc_next (&it->types, &key, &type) ||
       !mt_doc_next (&it->values, &key, &out->value))
      return false;
   out->name = (MtStr) {(const char *) name.p, name.len};
   out->type = (MtTypeId) type.i;
   return name.type == MT_STRING && mt_type_exists (out->type);
}

size_t mt_record_count (MtVal record) { return mt_doc_count (mt_doc_field (record, "v")); }

MtVal mt_record_at (MtVal record, size_t i) { return mt_doc_at (mt_doc_field (record, "v"), i); }

/* Returns whether a field's text must be printed in quotes: it has a blank, or a character with a
 * meaning in the text of records, such as ',' or ')'. The empty text must be quoted, too, because
 * NULL is printed as nothing. */
static bool needs_quotes (const char *p, size_t n)
{
   for (size_t i = 0; i < n; i++)
      if (p[i] && strchr ("\"\\(), \t\n\r\v\f", p[i]))
         return true;
   return n == 0;
}

static void add_field (const MtBuf *text, MtBuf *out)
{
   if (!needs_quotes (text->p, text->n)) {
      mt_buf_add (out, text->p, text->n);
      return;
   }
   mt_buf_addc (out, '"');
   for (size_t i = 0; i < text->n; i++) {
      if (text->p[i] == '"' || text->p[i] == '\\')
         mt_buf_addc (out, text->p[i]);
      mt_buf_addc (out, text->p[i]);
   }
   mt_buf_addc (out, '"');
}

bool mt_record_print (MtVal record, const MtTextStyle *style, MtBuf *out, MtError *err)
{
   MtRecordIter it = mt_record_iter (record);
   MtRecordField f;
   MtBuf text = {0};
   bool ok = true;
   mt_buf_addc (out, '(');
   for (int i = 0; ok && mt_record_next (&it, &f); i++) {
      if (i)
         mt_buf_addc (out, ',');
      text.n = 0;
      if (mt_is_nullish (f.value))
         continue;
      ok = mt_value_print (mt_type (f.type), f.value, style, &text, err);
      if (ok)
         add_field (&text, out);
   }
   mt_buf_addc (out, ')');
   mt_buf_free (&text);
   return ok;
}
