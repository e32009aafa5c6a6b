/* The functions jsonb_path_query and similar, and the operators @? and @@. A path is text, and is
 * parsed at each call. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/jsonb.h"
#include "functions/json/path.h"

/* Values of MT_USER (ev): which jsonb_path_… function to compute, plus the flag SILENT for the
 * operators, which suppress errors. */
enum { EXISTS, MATCH, QUERY, ARRAY, FIRST, SILENT = 8 };

static bool matches (MtEval *ev, const MtJsonFound *f, bool silent, MtVal *out)
{
   if (f->count == 1 && f->items[0].type == MT_BOOL)
      *out = f->items[0];
   else if (!silent && !(f->count == 1 && f->items[0].type == MT_NULL))
      return mt_error (ev->err, MT_E_JSON_SINGLETON, "single boolean result is expected");
   return true;
}

static bool fn_path (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtJsonFound f;
   MtVal target, vars = mt_v_null ();
   int what = MT_USER (ev) & ~SILENT;
   bool silent = (MT_USER (ev) & SILENT) || (n > 3 && a[3].i);
   int how = (silent ? MT_PATH_SILENT : 0) | (what == EXISTS ? MT_PATH_ANY : 0);
   *out = mt_v_null ();
   if (!mt_jsonb_canonical (ev->arena, a[0], &target, ev->err) ||
       (n > 2 && !mt_jsonb_canonical (ev->arena, a[2], &vars, ev->err)) ||
       !mt_json_path_query (ev, target, mt_v_text (a[1]), vars, how, &f))
      return false;
   switch (what) {
   case EXISTS: *out = f.failed ? mt_v_null () : mt_v_bool (f.any); return true;
   case MATCH: return matches (ev, &f, silent, out);
   case FIRST: *out = f.count ? mt_jsonb_from_element (f.items[0]) : mt_v_null (); return true;
   case QUERY:
      for (size_t i = 0; i < f.count; i++)
         f.items[i] = mt_jsonb_from_element (f.items[i]);
   }
   return mt_v_make_array (ev->arena, f.items, f.count, out, ev->err);
}

#define OPER MT_F_OPERATOR
#define CALL(name_, flags_, ret, what, s, ex) \
   {.name = name_, \
    .signature = "target jsonb, path text, vars jsonb, silent bool -> " ret, \
    .flags = flags_, \
    .op = MT_OPN ("json_path_" #what, path, what), \
    .defaults = (const char *const[]) {NULL, NULL, "'{}'", "false"}, \
    .summary = s, \
    .example = ex}

const MtFunc mt_fn_json_path[] = {
   MT_ROW ("@?", "jsonb, text -> bool", OPER, NULL,
           MT_OPN ("json_path_exists_op", path, EXISTS | SILENT), "whether a path finds an item",
           "SELECT '{\"a\": [1, 2]}'::jsonb @? '$.a[*] ? (@ > 1)' => t"),
   MT_ROW ("@@", "jsonb, text -> bool", OPER, NULL,
           MT_OPN ("json_path_match_op", path, MATCH | SILENT), "result of a path's predicate",
           "SELECT '{\"a\": [1, 2]}'::jsonb @@ '$.a[*] > 1' => t"),
   CALL ("jsonb_path_exists", 0, "bool", EXISTS, "whether a path finds an item",
         "SELECT jsonb_path_exists('{\"a\": 1}', '$.a') => t"),
   CALL ("jsonb_path_match", 0, "bool", MATCH, "result of a path's predicate",
         "SELECT jsonb_path_match('{\"a\": 1}', '$.a == 1') => t"),
   CALL ("jsonb_path_query_array", 0, "jsonb", ARRAY, "items that a path finds, as an array",
         "SELECT jsonb_path_query_array('[1, 2, 3]', '$[*] ? (@ > 1)') => [2, 3]"),
   CALL ("jsonb_path_query_first", 0, "jsonb", FIRST, "first item that a path finds",
         "SELECT jsonb_path_query_first('[1, 2, 3]', '$[*] ? (@ > 1)') => 2"),
   CALL ("jsonb_path_query", MT_F_SET, "jsonb", QUERY, "items that a path finds, as rows",
         "SELECT jsonb_path_query('[1, 2]', '$[*] ? (@ > 1)') => 2"),
   {.name = NULL},
};
