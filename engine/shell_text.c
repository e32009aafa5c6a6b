#include "engine/shell_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void shell_value (MtVal v, MtShellStyle style, MtBuf *out);

/* Returns whether the field `key` of a stage contains a pipeline. Its stages are printed on
 * separate lines. */
static bool is_pipeline (const char *key, MtVal v)
{
   return v.type == MT_ARRAY && v.len > 5 &&
          (strcmp (key, "pipeline") == 0 || strcmp (key, "prepare") == 0 ||
           strcmp (key, "$_mtRemote") == 0);
}

/* An array of more than LONG_LIST constants (IN with thousands of values) is shortened to
 * LONG_LIST_SHOWN when printed, unless style.whole. */
enum { LONG_LIST = 100, LONG_LIST_SHOWN = 10 };

/* Printed in place of omitted values. It is a syntax error in mongosh, so that nobody runs a
 * shortened pipeline by mistake. */
#define ELLIPSIS "... "

/* Prints the members of a document or array. The stages of pipelines in it begin on new lines. */
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
            mt_buf_printf (out, ELLIPSIS "/* %zu more, which VERBOSE shows */",
                           count - LONG_LIST_SHOWN);
            break;
         }
         if (!array) {
            mt_json_string (out, bson_iter_key (&it), bson_iter_key_len (&it));
            mt_buf_adds (out, ": ");
         }
         MtVal member = mt_v_from_iter (&it);
         bson_t stages;
         if (!array && is_pipeline (bson_iter_key (&it), member) &&
             bson_init_static (&stages, member.p, member.len)) {
            mt_buf_adds (out, "[\n");
            mt_shell_pipeline (
               &stages, (MtShellStyle) {style.indent + 2, style.whole, style.alone, style.mark},
               out);
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
   else if (d == floor (d)) /* mongosh would read a double without a fraction as an integer */
      mt_buf_printf (out, "Double(%.17g)", d);
   else
      mt_buf_printf (out, "%.17g", d);
}

/* Prints CONSTRUCTOR("text") for a date, decimal, ObjectId or binary value. The text is taken from
 * the value's extended JSON. */
static void shell_wrapped (const char *constructor, MtVal v, MtBuf *out)
{
   MtBuf json = {0};
   mt_v_to_json (v, v.type != MT_DATE, &json);
   const char *from = strstr (json.p, ":\""), *quote = from ? from + 1 : NULL,
              *end = quote ? strchr (quote + 1, '"') : NULL;
   if (end)
      mt_buf_printf (out, "%s(%.*s\")", constructor, (int) (end - quote), quote);
   mt_buf_free (&json);
}

/* Prints a date as ISODate("…"), or as new Date(number) if it is out of the range of extended
 * JSON's texts. */
static void shell_date (MtVal v, MtBuf *out)
{
   if (v.i < 0 || v.i > 253402300799999)
      mt_buf_printf (out, "new Date(%" PRId64 ")", v.i);
   else
      shell_wrapped ("ISODate", v, out);
}

static void shell_binary (MtVal v, MtBuf *out)
{
   if (v.sub == 4 && v.len == 16) {
      mt_buf_adds (out, "UUID(\"");
      for (int i = 0; i < 16; i++)
         mt_buf_printf (out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", v.p[i]);
      mt_buf_adds (out, "\")");
      return;
   }
   MtBuf text = {0};
   shell_wrapped ("", v, &text);
   mt_buf_printf (out, "BinData(%d, %s", v.sub, text.p + 1);
   mt_buf_free (&text);
}

static void shell_text (const char *constructor, MtVal v, MtBuf *out)
{
   const char *p = (const char *) v.p, *options = v.type == MT_REGEX ? p + strlen (p) + 1 : NULL;
   mt_buf_printf (out, "%s(", constructor);
   mt_json_string (out, p, options ? strlen (p) : v.len);
   if (options) {
      mt_buf_adds (out, ", ");
      mt_json_string (out, options, strlen (options));
   }
   mt_buf_addc (out, ')');
}

static void shell_other (MtVal v, MtBuf *out)
{
   uint64_t bits = (uint64_t) v.i;
   switch (v.type) {
   case MT_DATE: shell_date (v, out); break;
   case MT_DECIMAL: shell_wrapped ("NumberDecimal", v, out); break;
   case MT_OID: shell_wrapped ("ObjectId", v, out); break;
   case MT_BINARY: shell_binary (v, out); break;
   case MT_REGEX: shell_text ("BSONRegExp", v, out); break;
   case MT_CODE: shell_text ("Code", v, out); break;
   case MT_SYMBOL: shell_text ("BSONSymbol", v, out); break;
   case MT_TIMESTAMP:
      mt_buf_printf (out, "Timestamp(%u, %u)", (unsigned) (bits >> 32),
                     (unsigned) (bits & 0xFFFFFFFFu));
      break;
   case MT_MINKEY: mt_buf_adds (out, "MinKey()"); break;
   case MT_MAXKEY: mt_buf_adds (out, "MaxKey()"); break;
   default: mt_v_to_json (v, false, out); /* mongosh has no constructor for other types */
   }
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
   default: shell_other (v, out);
   }
}

void mt_shell_value (MtVal v, MtBuf *out) { shell_value (v, (MtShellStyle) {.whole = true}, out); }

/* Prints a $_mtTable stage, which contains a system table's rows, with only the number of rows.
 * Returns false if `stage` is another stage. */
static bool shell_table (MtVal stage, MtBuf *out)
{
   MtVal spec = stage.type == MT_DOC ? mt_doc_field (stage, "$_mtTable") : mt_v_missing ();
   if (spec.type != MT_DOC)
      return false;
   MtVal name = mt_doc_field (spec, "name"), documents = mt_doc_field (spec, "documents");
   mt_buf_adds (out, "{\"$_mtTable\": {\"name\": ");
   mt_shell_value (name, out);
   mt_buf_printf (out, ", \"documents\": [" ELLIPSIS "/* %zu */]}}",
                  documents.type == MT_ARRAY ? mt_doc_count (documents) : 0);
   return true;
}

/* ---- unions of many collections ---- */

/* Returns the argument of a $unionWith stage; MT_MISSING for any other stage. */
static MtVal united (MtVal stage)
{
   return stage.type == MT_DOC ? mt_doc_field (stage, "$unionWith") : mt_v_missing ();
}

static bool is_alike (MtVal a, MtVal b, bool but_times)
{
   MtStr k, l;
   MtVal v, w;
   if (a.type != b.type || (a.type != MT_DOC && a.type != MT_ARRAY))
      return a.type == b.type &&
             ((but_times && a.type == MT_DATE) || mt_v_compare_strict (a, b) == 0);
   for (MtDocIter i = mt_doc_iter (a), j = mt_doc_iter (b);;) {
      bool more = mt_doc_next (&i, &k, &v), other = mt_doc_next (&j, &l, &w);
      if (!more || !other)
         return more == other;
      /* $addFields may add different times: planner/cut/ends.c does that in unions that are equal
       * otherwise. */
      if (!mt_str_eq (k, l) || !is_alike (v, w, but_times || mt_str_is (k, "$addFields")))
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

/* Returns whether two pipelines have equal stages, ignoring $unionWith stages. */
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

/* Returns the number of collections in a $unionWith and in the $unionWith stages nested in it, or 0
 * if one of their pipelines differs from `like`. *last is the name of the last collection. */
static size_t count_alike (MtVal spec, MtVal like, MtVal *last)
{
   MtVal coll = spec.type == MT_DOC ? mt_doc_field (spec, "coll") : mt_v_missing (), stage;
   MtVal pipeline = spec.type == MT_DOC ? mt_doc_field (spec, "pipeline") : mt_v_missing ();
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

/* Counts the collections of this $unionWith stage and of the stages behind it with equal pipelines.
 * Moves *it to the last of these stages, and sets *last to the name of its collection. */
static size_t alike_from (bson_iter_t *it, MtVal *last)
{
   MtVal spec = united (mt_v_from_iter (it)),
         like = spec.type == MT_DOC ? mt_doc_field (spec, "pipeline") : mt_v_missing ();
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
   mt_buf_printf (out, "%zu similar stages omitted (the last reads %.*s); VERBOSE shows them",
                  count, (int) last.n, last.p);
}

/* Prints a $unionWith stage. If many equal ones over other collections follow, prints a comment
 * with their number instead of them, and moves *it to the last of them. */
static void shell_unions (bson_iter_t *it, MtShellStyle style, MtBuf *out)
{
   MtVal first = mt_v_from_iter (it), last = mt_v_missing ();
   bson_iter_t end = *it;
   size_t count = style.whole ? 0 : alike_from (&end, &last);
   style.alone = count > MT_UNIONS_SHOWN;
   shell_value (first, style, out);
   if (!style.alone)
      return;
   mt_buf_printf (out, ",\n%*s" ELLIPSIS "/* ", style.indent, "");
   mt_shell_more (count - 1, (MtStr) {(const char *) last.p, last.len}, out);
   mt_buf_adds (out, " */");
   *it = end;
}

/* ---- stages and operators that mtsql alone has ---- */

#define OWN "$_mt"

static bool is_listed (const MtBuf *names, MtStr name)
{
   const char *at = names->n ? memmem (names->p, names->n, name.p, name.n) : NULL;
   while (at && at[name.n] && at[name.n] != ',')
      at = memmem (at + 1, names->n - (size_t) (at + 1 - names->p), name.p, name.n);
   return at;
}

/* Counts the uses of mtsql's own operators ($_mt…) in a value, including its nested pipelines if
 * `all`. Appends their names to `out`, each once; `out` may be NULL. */
static size_t own_names (MtVal v, bool all, MtBuf *out)
{
   size_t n = 0;
   MtStr key;
   MtVal e;
   for (MtDocIter it = mt_doc_iter (v); mt_doc_next (&it, &key, &e);) {
      bool doc = v.type == MT_DOC,
           own = doc && key.n > strlen (OWN) && memcmp (key.p, OWN, strlen (OWN)) == 0;
      n += own;
      if (own && out && !is_listed (out, key))
         mt_buf_printf (out, "%s%.*s", out->n ? ", " : "", (int) key.n, key.p);
      if (!(doc && mt_str_is (key, "$literal")) && (all || !doc || !is_pipeline (key.p, e)))
         n += own_names (e, all, out);
   }
   return n;
}

size_t mt_shell_pastes (const bson_t *stages)
{
   bson_iter_t it;
   size_t n = 0;
   for (bool ok = bson_iter_init (&it, stages);
        ok && bson_iter_next (&it) && !own_names (mt_v_from_iter (&it), true, NULL);)
      n++;
   return n;
}

static void shell_mark (MtVal stage, MtShellStyle style, MtBuf *out)
{
   MtBuf names = {0};
   if (style.mark && own_names (stage, false, &names))
      mt_buf_printf (out, " // only mtsql: %s", names.p);
   mt_buf_free (&names);
}

/* ---- pipelines ---- */

void mt_shell_pipeline (const bson_t *stages, MtShellStyle style, MtBuf *out)
{
   bson_iter_t it;
   bool alone = style.alone;
   MtVal before = mt_v_missing ();
   style.alone = false;
   if (!bson_iter_init (&it, stages))
      return;
   while (bson_iter_next (&it)) {
      MtVal stage = mt_v_from_iter (&it);
      bool unites = united (stage).type != MT_MISSING;
      if (unites && alone)
         continue;
      if (before.type != MT_MISSING) {
         mt_buf_addc (out, ',');
         shell_mark (before, style, out);
         mt_buf_addc (out, '\n');
      }
      before = stage;
      mt_buf_printf (out, "%*s", style.indent, "");
      if (unites)
         shell_unions (&it, style, out);
      else if (!shell_table (stage, out))
         shell_value (stage, style, out);
   }
   shell_mark (before, style, out);
   mt_buf_adds (out, before.type == MT_MISSING ? "" : "\n");
}

void mt_json_pipeline (const bson_t *stages, MtBuf *out)
{
   mt_v_to_json (mt_v_array (stages), false, out);
}
