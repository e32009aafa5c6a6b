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
            mt_shell_pipeline (&stages, (MtShellStyle){style.indent + 2, style.whole}, out);
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
   shell_value (v, (MtShellStyle){0, true}, out);
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

void mt_shell_pipeline (const bson_t *stages, MtShellStyle style, MtBuf *out)
{
   bson_iter_t it;
   bool first = true;
   if (!bson_iter_init (&it, stages))
      return;
   while (bson_iter_next (&it)) {
      if (!first)
         mt_buf_adds (out, ",\n");
      first = false;
      mt_buf_printf (out, "%*s", style.indent, "");
      if (!shell_table (mt_v_from_iter (&it), out))
         shell_value (mt_v_from_iter (&it), style, out);
   }
   mt_buf_addc (out, '\n');
}

void mt_json_pipeline (const bson_t *stages, MtBuf *out)
{
   mt_v_to_json (mt_v_array (stages), false, out);
}
