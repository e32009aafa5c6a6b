#include "planner/shell_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void shell_value (MtVal v, MtShellStyle style, MtBuf *out);

/* A pipeline within a stage: its stages on lines of their own. */
static bool is_pipeline (const char *key, MtVal v)
{
   return v.type == MT_ARRAY && v.len > 5 && (strcmp (key, "pipeline") == 0 || strcmp (key, "prepare") == 0 || strcmp (key, "$_mtRemote") == 0);
}

/* Of a list of constants (IN with thousands of values), unless all are wanted, what a reader can take in. */
enum { LONG_LIST = 100, LONG_LIST_SHOWN = 10 };

/* Pipelines below begin lines of their own. */
static void shell_members (MtVal v, MtShellStyle style, MtBuf *out)
{
   size_t count = v.type == MT_ARRAY && !style.whole ? mt_doc_count (v) : 0, n = 0;
   bson_t view;
   bson_iter_t it;
   bool array = v.type == MT_ARRAY, first = true;
   mt_buf_addc (out, array ? '[' : '{');
   if (bson_init_static (&view, v.p, v.len) && bson_iter_init (&it, &view)) {
      while (bson_iter_next (&it)) {
         if (!first)
            mt_buf_adds (out, ", ");
         first = false;
         if (count > LONG_LIST && n++ == LONG_LIST_SHOWN) {
            mt_buf_printf (out, "/* %zu more, which VERBOSE shows */", count - LONG_LIST_SHOWN);
            break;
         }
         if (!array) {
            mt_json_string (out, bson_iter_key (&it), bson_iter_key_len (&it));
            mt_buf_adds (out, ": ");
         }
         MtVal member = mt_v_from_iter (&it);
         bson_t stages;
         if (!array && is_pipeline (bson_iter_key (&it), member) && bson_init_static (&stages, member.p, member.len)) {
            mt_buf_adds (out, "[\n");
            mt_shell_pipeline (&stages, (MtShellStyle){style.indent + 2, style.whole, style.alone}, out);
            mt_buf_printf (out, "%*s]", style.indent, "");
         } else
            shell_value (member, style, out);
      }
   }
   mt_buf_addc (out, array ? ']' : '}');
}

static void shell_double (double d, MtBuf *out)
{
   if (isnan (d))
      mt_buf_adds (out, "NaN");
   else if (isinf (d))
      mt_buf_adds (out, d > 0 ? "Infinity" : "-Infinity");
   else if (d == floor (d) && fabs (d) < 1e15)
      mt_buf_printf (out, "Double(%.1f)", d);
   else
      mt_buf_printf (out, "%.17g", d);
}

/* The text that canonical extended JSON has for the value under its $-key: dates, decimals, ObjectIds. */
static void shell_wrapped (const char *constructor, MtVal v, MtBuf *out)
{
   MtBuf json = {0};
   mt_v_to_json (v, v.type != MT_DATE, &json);
   const char *from = json.p ? strstr (json.p, ": \"") : NULL;
   if (!from && json.p)
      from = strstr (json.p, ":\"");
   const char *quote = from ? strchr (from + 1, '"') : NULL, *end = quote ? strchr (quote + 1, '"') : NULL;
   if (end)
      mt_buf_printf (out, "%s(%.*s\")", constructor, (int) (end - quote), quote);
   else if (json.p)
      mt_buf_add (out, json.p, json.n);
   mt_buf_free (&json);
}

static void shell_value (MtVal v, MtShellStyle style, MtBuf *out)
{
   switch (v.type) {
   case MT_DOC:
   case MT_ARRAY: shell_members (v, style, out); break;
   case MT_STRING: mt_json_string (out, (const char *) v.p, v.len); break;
   case MT_BOOL: mt_buf_adds (out, v.i ? "true" : "false"); break;
   case MT_NULL: mt_buf_adds (out, "null"); break;
   case MT_INT32: mt_buf_printf (out, "%" PRId64, v.i); break;
   case MT_INT64: mt_buf_printf (out, "NumberLong(\"%" PRId64 "\")", v.i); break;
   case MT_DOUBLE: shell_double (v.d, out); break;
   case MT_DATE: shell_wrapped ("ISODate", v, out); break;
   case MT_DECIMAL: shell_wrapped ("NumberDecimal", v, out); break;
   case MT_OID: shell_wrapped ("ObjectId", v, out); break;
   default: mt_v_to_json (v, false, out);
   }
}

void mt_shell_value (MtVal v, MtBuf *out)
{
   shell_value (v, (MtShellStyle){.whole = true}, out);
}

/* A table of the catalog says how many rows it has. */
static bool shell_table (MtVal stage, MtBuf *out)
{
   MtVal spec = stage.type == MT_DOC ? mt_doc_get (stage, "$_mtTable", 9) : mt_v_missing ();
   if (spec.type != MT_DOC)
      return false;
   MtVal name = mt_doc_get (spec, "name", 4), documents = mt_doc_get (spec, "documents", 9);
   mt_buf_adds (out, "{\"$_mtTable\": {\"name\": ");
   mt_shell_value (name, out);
   mt_buf_printf (out, ", \"documents\": [/* %zu */]}}", documents.type == MT_ARRAY ? mt_doc_count (documents) : 0);
   return true;
}

/* ---- unions of many collections ---- */

/* What a stage unites with; missing: it is another stage. */
static MtVal united (MtVal stage) { return stage.type == MT_DOC ? mt_doc_get (stage, "$unionWith", 10) : mt_v_missing (); }

static bool is_alike (MtVal a, MtVal b, bool but_times)
{
   MtStr k, l;
   MtVal v, w;
   if (a.type != b.type || (a.type != MT_DOC && a.type != MT_ARRAY))
      return a.type == b.type && ((but_times && a.type == MT_DATE) || mt_v_compare_strict (a, b) == 0);
   for (MtDocIter i = mt_doc_iter (a), j = mt_doc_iter (b);;) {
      bool more = mt_doc_next (&i, &k, &v), other = mt_doc_next (&j, &l, &w);
      if (!more || !other)
         return more == other;
      if (!mt_str_eq (k, l) || !is_alike (v, w, but_times || mt_str_is (k, "$addFields"))) /* up to when a part's answer stands: ends.c */
         return false;
   }
}

static bool next_but_unions (MtDocIter *it, MtVal *stage)
{
   MtStr key;
   while (mt_doc_next (it, &key, stage))
      if (united (*stage).type == MT_MISSING)
         return true;
   return false;
}

/* Whether both pipelines have the same stages, but for their unions. */
static bool reads_alike (MtVal a, MtVal b)
{
   MtVal v, w;
   if (a.type != MT_ARRAY || b.type != MT_ARRAY)
      return false;
   for (MtDocIter i = mt_doc_iter (a), j = mt_doc_iter (b);;) {
      bool more = next_but_unions (&i, &v), other = next_but_unions (&j, &w);
      if (!more || !other)
         return more == other;
      if (!is_alike (v, w, false))
         return false;
   }
}

/* How many collections a union reads, with those of the unions within (a tree of a few levels); 0: not all of them alike. */
static size_t count_alike (MtVal spec, MtVal like, MtVal *last)
{
   MtVal coll = spec.type == MT_DOC ? mt_doc_get (spec, "coll", 4) : mt_v_missing (), stage;
   MtVal pipeline = spec.type == MT_DOC ? mt_doc_get (spec, "pipeline", 8) : mt_v_missing ();
   size_t n = 1, more = 1;
   MtStr key;
   if (coll.type != MT_STRING || !reads_alike (pipeline, like))
      return 0;
   *last = coll;
   for (MtDocIter it = mt_doc_iter (pipeline); more && mt_doc_next (&it, &key, &stage);)
      if (united (stage).type != MT_MISSING)
         n += more = count_alike (united (stage), like, last);
   return more ? n : 0;
}

/* The collections of this stage and of those behind it that are unions alike; *it is at the last of these stages then. */
static size_t alike_from (bson_iter_t *it, MtVal *last)
{
   MtVal spec = united (mt_v_from_iter (it)), like = spec.type == MT_DOC ? mt_doc_get (spec, "pipeline", 8) : mt_v_missing ();
   MtVal end = *last;
   bson_iter_t at = *it;
   size_t n, all = 0;
   do {
      if ((n = count_alike (united (mt_v_from_iter (&at)), like, &end))) {
         *it = at;
         *last = end;
      }
      all += n;
   } while (n && bson_iter_next (&at));
   return all;
}

void mt_shell_more (size_t count, MtStr last, MtBuf *out)
{
   mt_buf_printf (out, "%zu more like it, the last one over %.*s, which VERBOSE shows", count, (int) last.n, last.p);
}

/* Of many unions alike the first, which is at *it. */
static void shell_unions (bson_iter_t *it, MtShellStyle style, MtBuf *out)
{
   MtVal first = mt_v_from_iter (it), last = mt_v_missing ();
   bson_iter_t end = *it;
   size_t count = style.whole ? 0 : alike_from (&end, &last);
   style.alone = count > MT_UNIONS_SHOWN;
   shell_value (first, style, out);
   if (!style.alone)
      return;
   mt_buf_adds (out, " /* ");
   mt_shell_more (count - 1, (MtStr){(const char *) last.p, last.len}, out);
   mt_buf_adds (out, " */");
   *it = end;
}

void mt_shell_pipeline (const bson_t *stages, MtShellStyle style, MtBuf *out)
{
   bson_iter_t it;
   bool first = true, alone = style.alone;
   style.alone = false;
   if (!bson_iter_init (&it, stages))
      return;
   while (bson_iter_next (&it)) {
      bool unites = united (mt_v_from_iter (&it)).type != MT_MISSING;
      if (unites && alone)
         continue;
      if (!first)
         mt_buf_adds (out, ",\n");
      first = false;
      mt_buf_printf (out, "%*s", style.indent, "");
      if (unites)
         shell_unions (&it, style, out);
      else if (!shell_table (mt_v_from_iter (&it), out))
         shell_value (mt_v_from_iter (&it), style, out);
   }
   mt_buf_addc (out, '\n');
}

void mt_json_pipeline (const bson_t *stages, MtBuf *out)
{
   mt_v_to_json (mt_v_array (stages), false, out);
}
