/* Functions over the catalog, and the types regclass … regrole, whose values are OIDs. Their hidden
 * last argument is a document {OID: text, …} of catalog objects, which the session makes
 * (MtBindEnv.lookup). */
#include "functions/core/rows.h"
#include "functions/core/row.h"
#include "functions/routine.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static MtVal by_oid (MtVal list, int64_t oid)
{
   char key[32];
   int n = snprintf (key, sizeof key, "%lld", (long long) oid);
   MtVal v = list.type == MT_DOC ? mt_doc_get (list, key, (size_t) n) : mt_v_null ();
   return v.type == MT_MISSING ? mt_v_null () : v;
}

/* Returns the text for an OID. Arguments: OID, …, document {OID: text, …}. NULL if there is
 * none. */
static bool fn_look_up (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = by_oid (a[n - 1], a[0].i);
   return true;
}

/* Returns the value for a name, ignoring case. Arguments: name [, whether it may be missing],
 * document {name: value, …}. A missing name gives NULL, or if MT_USER (ev) is 1, fails with
 * 42704. */
static bool fn_look_up_text (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtDocIter it = mt_doc_iter (a[n - 1]);
   MtStr key;
   MtVal v;
   *out = mt_v_null ();
   while (a[n - 1].type == MT_DOC && mt_doc_next (&it, &key, &v))
      if (mt_str_ieq (key, mt_v_text (a[0])))
         *out = v;
   bool missing_ok = !MT_USER (ev) || (n == 3 && a[1].i);
   return missing_ok || out->type != MT_NULL ||
          mt_error (ev->err, MT_E_UNDEFINED_OBJECT, "unrecognized configuration parameter \"%.*s\"",
                    (int) a[0].len, (const char *) a[0].p);
}

/* Returns the value for a column. Arguments: OID of the relation, column number [, pretty],
 * document {"OID.number": value, …}. If MT_USER (ev) is 1 and the number is 0, the value is that of
 * the relation: of the key "OID", or with `pretty` "OID.0". */
static bool fn_look_up_column (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal list = a[n - 1];
   char key[64];
   int len = snprintf (key, sizeof key, "%lld.%lld", (long long) a[0].i, (long long) a[1].i);
   if (MT_USER (ev) && a[1].i == 0 && !a[2].i)
      return fn_look_up (ev, a, n, out);
   *out = list.type == MT_DOC ? mt_doc_get (list, key, (size_t) len) : mt_v_null ();
   if (out->type == MT_MISSING)
      *out = mt_v_null ();
   return true;
}

/* Returns the sequence of a column. Arguments: OID of the table, name of the column, document
 * {"OID.column": name of the sequence, …}. */
static bool fn_serial (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const char *name = mt_printf (ev->arena, "%lld.%.*s", (long long) a[0].i, (int) a[1].len,
                                 (const char *) a[1].p);
   MtDocIter it = mt_doc_iter (a[2]);
   MtStr key;
   MtVal v;
   *out = mt_v_null ();
   while (a[2].type == MT_DOC && mt_doc_next (&it, &key, &v))
      if (mt_str_ieq (key, mt_str (name)))
         *out = v;
   return true;
}

/* Sets *out to the row {names[0]: a, names[1]: b} of a set-returning function. */
static bool add_pair (MtEval *ev, const char *const names[2], MtVal a, MtVal b, MtVal *out)
{
   MtStr keys[2] = {mt_str (names[0]), mt_str (names[1])};
   MtVal pair[2] = {a, b};
   return mt_v_make_doc (ev->arena, keys, pair, 2, out, ev->err);
}

/* Returns rows (x, n): each element of an array, and its position counted from 1. */
static bool fn_expand (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static const char *const names[2] = {"x", "n"};
   MtVal *rows = MT_NEW_N (ev->arena, MtVal, mt_doc_count (a[0]) + 1), v;
   MtDocIter it = mt_doc_iter (a[0]);
   MtStr key;
   int32_t i = 0;
   for (; mt_doc_next (&it, &key, &v); i++)
      if (!add_pair (ev, names, v, mt_v_int32 (i + 1), &rows[i]))
         return false;
   return mt_v_make_array (ev->arena, rows, (size_t) i, out, ev->err);
}

/* Returns rows (option_name, option_value) from an array of texts "name=value". */
static bool fn_options (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static const char *const names[2] = {"option_name", "option_value"};
   MtVal *rows = MT_NEW_N (ev->arena, MtVal, mt_doc_count (a[0]) + 1), v;
   MtDocIter it = mt_doc_iter (a[0]);
   MtStr key;
   size_t i = 0;
   while (mt_doc_next (&it, &key, &v)) {
      const char *text = (const char *) v.p, *equals = v.len ? memchr (text, '=', v.len) : NULL;
      size_t name = equals ? (size_t) (equals - text) : v.len;
      MtVal value = equals ? mt_v_str (equals + 1, v.len - name - 1) : mt_v_null ();
      if (v.type == MT_STRING && !add_pair (ev, names, mt_v_str (text, name), value, &rows[i++]))
         return false;
   }
   return mt_v_make_array (ev->arena, rows, i, out, ev->err);
}

static const char *keyword_use (char where)
{
   switch (where) {
   case 'U': return "unreserved";
   case 'C': return "unreserved (cannot be function or type name)";
   case 'T': return "reserved (can be function or type name)";
   default: return "reserved";
   }
}

/* Keywords as rows, of a document {word: class and whether it may be a bare label}: {"as": "R0"}.
 * */
static bool fn_keywords (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static const char *const names[] = {"word", "catcode", "barelabel", "catdesc", "baredesc"};
   enum { WIDTH = sizeof names / sizeof *names };
   MtVal *rows = MT_NEW_N (ev->arena, MtVal, mt_doc_count (a[0]) + 1), v;
   MtDocIter it = mt_doc_iter (a[0]);
   MtStr keys[WIDTH], key;
   size_t count = 0;
   for (size_t i = 0; i < WIDTH; i++)
      keys[i] = mt_str (names[i]);
   while (mt_doc_next (&it, &key, &v)) {
      const char *text = (const char *) v.p;
      bool bare = text[1] == '1';
      MtVal row[WIDTH] = {mt_v_str (key.p, key.n), mt_v_str (text, 1), mt_v_bool (bare),
                          mt_v_cstr (keyword_use (text[0])),
                          mt_v_cstr (bare ? "can be bare label" : "requires AS")};
      if (!mt_v_make_doc (ev->arena, keys, row, WIDTH, &rows[count++], ev->err))
         return false;
   }
   return mt_v_make_array (ev->arena, rows, count, out, ev->err);
}

static bool fn_given (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[n - 1];
   return true;
}

/* Returns the schemas of search_path as an array, with those that are always searched if a[0] is
 * true. If MT_USER (ev) is 1, returns the first schema that search_path names. */
static bool fn_searched (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   bool first = MT_USER (ev), implicit = !first && a[0].i;
   MtVal list = mt_doc_get (a[n - 1], implicit ? "t" : "f", 1);
   *out = first && list.type == MT_ARRAY ? mt_doc_get (list, "0", 1) : list;
   if (out->type == MT_MISSING)
      *out = mt_v_null ();
   return true;
}

static bool fn_backend_pid (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_int32 ((int32_t) getpid ());
   return true;
}

/* ---- sizes ---- */

static int64_t half_rounded (int64_t x) { return (x + (x < 0 ? -1 : 1)) / 2; }

static bool fn_size_pretty (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static const char *const units[] = {"kB", "MB", "GB", "TB", "PB"};
   int64_t size = a[0].i, limit = 10 * 1024, twice = 2 * limit - 1;
   MtBuf b = {0};
   size_t u = 0;
   if (size > -limit && size < limit) {
      mt_buf_printf (&b, "%lld bytes", (long long) size);
   } else { /* one more bit than is shown decides how to round */
      for (size /= 512; (size <= -twice || size >= twice) && u + 1 < sizeof units / sizeof *units;
           u++)
         size /= 1024;
      mt_buf_printf (&b, "%lld %s", (long long) half_rounded (size), units[u]);
   }
   *out = mt_text_result (ev, &b);
   return true;
}

/* ---- types ---- */

/* Computes format_type, the text of a type. Arguments: OID, modifier as in pg_attribute.atttypmod,
 * document {OID: name} of user-defined types. */
static bool fn_format_type (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtType t;
   const char *text = "???";
   if (mt_is_nullish (a[0])) {
      *out = mt_v_null ();
      return true;
   }
   if (a[0].i == 0)
      text = "-";
   else if (mt_type_of_oid (a[0].i, mt_is_nullish (a[1]) ? -1 : (int32_t) a[1].i, &t))
      text = mt_type_display (ev->arena, t);
   else if (by_oid (a[2], a[0].i).type == MT_STRING) {
      *out = by_oid (a[2], a[0].i);
      return true;
   }
   int64_t oid;
   const char *pseudo;
   for (size_t i = 0; (pseudo = mt_pseudo_type (i, &oid)); i++)
      text = oid == a[0].i ? pseudo : text;
   *out = mt_v_cstr (text);
   return true;
}

/* ---- names to OIDs ---- */

/* A parsed name of a catalog object: [schema.]name[(argument types)]. */
typedef struct Named {
   const char *schema, *name; /* schema NULL: none */
   bool schema_quoted, quoted;
   const char *rest; /* the text after the name */
} Named;

static const char *read_part (MtArena *a, const char *p, const char **part, bool *quoted)
{
   MtBuf b = {0};
   p += strspn (p, " ");
   *quoted = *p == '"';
   if (*quoted) {
      for (p++; *p && (*p != '"' || p[1] == '"'); p++) {
         p += *p == '"';
         mt_buf_addc (&b, *p);
      }
      p += *p == '"';
   } else {
      size_t n = strcspn (p, ".( ");
      mt_buf_add (&b, p, n);
      p += n;
   }
   *part = mt_strndup (a, b.p ? b.p : "", b.n);
   mt_buf_free (&b);
   return p + strspn (p, " ");
}

static Named read_name (MtArena *a, const char *text)
{
   Named n = {0};
   const char *p = read_part (a, text, &n.name, &n.quoted);
   if (*p == '.') {
      n.schema = n.name;
      n.schema_quoted = n.quoted;
      p = read_part (a, p + 1, &n.name, &n.quoted);
   }
   n.rest = p;
   return n;
}

static bool same (const char *have, const char *want, bool quoted)
{
   return quoted ? strcmp (have, want) == 0 : mt_ieq (have, want);
}

#define FIRST_USER_OID 16384

/* Returns whether `want`, a quoted name, is "schema.name": the stored name of a relation in the
 * catalog. */
static bool is_stored_form (const char *want, const char *schema, const char *name)
{
   size_t n = strlen (schema);
   return strncmp (want, schema, n) == 0 && want[n] == '.' && strcmp (want + n + 1, name) == 0;
}

/* Returns whether the name `want` refers to the catalog object with name `shown` and this OID.
 * `own` is the schema of an object whose shown name lacks it. NULL: the object is in pg_catalog,
 * public or pg_temp, as its OID says. */
static bool is_meant (const Named *want, const Named *shown, const char *own, int64_t oid)
{
   const char *in = own ? own : shown->schema;
   if (want->quoted && !want->schema && in && is_stored_form (want->name, in, shown->name))
      return true;
   if (!same (shown->name, want->name, want->quoted) ||
       (*want->rest && strcmp (want->rest, shown->rest) != 0))
      return false;
   if (shown->schema || !want->schema)
      return shown->schema ? want->schema && same (shown->schema, want->schema, want->schema_quoted)
                           : true;
   if (own)
      return same (own, want->schema, want->schema_quoted);
   const char *schema = oid < MT_FIRST_TEMPORARY_OID ? "public" : "pg_temp";
   return same (oid < FIRST_USER_OID ? "pg_catalog" : schema, want->schema, want->schema_quoted);
}

/* Replaces the type names of an argument list by standard ones: "(int, text)" becomes
 * "(integer,text)". Returns a new text in arena a, or `text` if it is no such list. */
static const char *shown_types (MtArena *a, const char *text)
{
   size_t n = strlen (text);
   MtBuf b = {0};
   MtTypeId t;
   bool ok = n >= 2 && *text == '(' && text[n - 1] == ')';
   for (const char *p = text + 1; ok && p < text + n - 1;) {
      size_t m = strcspn (p, ",)");
      MtStr name = mt_str_trim ((MtStr) {p, m}, " ");
      mt_buf_adds (&b, b.n ? "," : "");
      if (mt_type_by_name (name, &t))
         mt_buf_adds (&b, mt_type_display (a, mt_type (t)));
      else
         mt_buf_add (&b, name.p, name.n);
      p += m + 1;
   }
   const char *out = ok ? mt_printf (a, "(%.*s)", (int) b.n, b.p ? b.p : "") : text;
   mt_buf_free (&b);
   return out;
}

static const char *schema_of (MtArena *a, MtVal list, int64_t oid)
{
   char key[40];
   int n = snprintf (key, sizeof key, "%lld.schema", (long long) oid);
   MtVal v = mt_doc_get (list, key, (size_t) n);
   return v.type == MT_STRING ? mt_strndup (a, (const char *) v.p, v.len) : NULL;
}

static int64_t find_oid (MtArena *a, MtVal list, const char *text, int *count)
{
   Named want = read_name (a, text);
   want.rest = shown_types (a, want.rest);
   MtDocIter it = mt_doc_iter (list);
   MtStr key;
   MtVal v;
   int64_t found = 0;
   *count = 0;
   while (list.type == MT_DOC && mt_doc_next (&it, &key, &v)) {
      if (memchr (key.p, '.', key.n)) /* "OID.schema" */
         continue;
      Named shown = read_name (a, mt_strndup (a, (const char *) v.p, v.len));
      int64_t oid = strtoll (mt_strndup (a, key.p, key.n), NULL, 10);
      if (!is_meant (&want, &shown, schema_of (a, list, oid), oid))
         continue;
      if (!*count || oid < found)
         found = oid;
      ++*count;
   }
   return found;
}

static bool find_type (MtArena *a, const char *text, int64_t *oid)
{
   Named n = read_name (a, text);
   const char *name = n.schema || n.quoted ? mt_printf (a, "%s%s", n.name, n.rest) : text;
   MtStr s = mt_str (name);
   MtTypeId t;
   const char *mods = strchr (name, '(');
   if (!mt_type_by_name (s, &t) && mods &&
       strchr (mods, ')')) /* numeric (10,2), timestamp (3) with time zone */
      s = mt_str (mt_printf (a, "%.*s%s", (int) (mods - name) - (mods > name && mods[-1] == ' '),
                             name, strchr (mods, ')') + 1));
   bool ok = mt_type_by_name (s, &t);
   *oid = ok ? mt_type_info (t)->oid : 0;
   int64_t pseudo;
   for (size_t i = 0; !ok && mt_pseudo_type (i, &pseudo); i++)
      if (mt_str_ieq (s, mt_str (mt_pseudo_type (i, &pseudo)))) {
         *oid = pseudo;
         return true;
      }
   return ok;
}

/* Finds a user's type. The name of an array type may be that in pg_type: an underscore before the
 * element type's name. */
static int64_t find_own_type (MtArena *a, MtVal list, const char *text, int *count)
{
   int64_t oid = find_oid (a, list, text, count);
   Named n = read_name (a, text);
   if (*count || n.name[0] != '_' || *n.rest)
      return oid;
   const char *schema = n.schema ? mt_printf (a, "%s.", n.schema) : "";
   return find_oid (a, list, mt_printf (a, n.quoted ? "%s\"%s\"[]" : "%s%s[]", schema, n.name + 1),
                    count);
}

static bool is_number (const char *s) { return *s && !s[strspn (s, "0123456789")]; }

static bool unknown (MtArena *a, MtError *err, MtTypeId t, const char *text, int count)
{
   Named n = read_name (a, text);
   if (!*n.rest && n.name[0])
      text = n.schema ? mt_printf (a, "%s.%s", n.schema, n.name) : n.name;
   const char *what = "function", *state = MT_E_UNDEFINED_FUNCTION;
   if (t == MT_T_REGCLASS) {
      what = "relation";
      state = MT_E_UNDEFINED_TABLE;
   } else if (t == MT_T_REGNAMESPACE) {
      what = "schema";
      state = MT_E_SCHEMA;
   } else if (t == MT_T_REGTYPE || t == MT_T_REGROLE) {
      what = t == MT_T_REGTYPE ? "type" : "role";
      state = MT_E_UNDEFINED_OBJECT;
   }
   if (count > 1)
      return mt_error (err, MT_E_AMBIGUOUS_FUNCTION, "more than one function named \"%s\"", text);
   return mt_error (err, state, "%s \"%s\" does not exist", what, text);
}

/* Converts a name to a value of regclass, regtype, …. MT_USER (ev) is the type; plus 256 if a
 * missing object gives NULL instead of an error. */
static bool fn_reg_in (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId t = (MtTypeId) (MT_USER (ev) & 255);
   const char *text = mt_strndup (ev->arena, (const char *) a[0].p, a[0].len);
   int64_t oid = 0;
   int count = 1;
   if (is_number (text))
      oid = strtoll (text, NULL, 10);
   else if (t == MT_T_REGTYPE && strcmp (text, "-") != 0)
      count = find_type (ev->arena, text, &oid) ||
              (oid = find_own_type (ev->arena, a[1], text, &count));
   else if (t == MT_T_REGPROCEDURE && strcmp (text, "-") != 0 && !strchr (text, '('))
      return mt_error (ev->err, MT_E_TEXT_REPRESENTATION, "expected a left parenthesis");
   else if (strcmp (text, "-") != 0)
      oid = find_oid (ev->arena, a[1], text, &count);
   bool ok = t == MT_T_REGPROC ? count == 1 : count > 0;
   if (!ok && !(MT_USER (ev) & 256))
      return unknown (ev->arena, ev->err, t, text, count);
   *out = ok ? mt_v_int64 (oid) : mt_v_null ();
   return true;
}

/* Converts a value of regclass, regtype, … to text. MT_USER (ev) is the type. */
static bool fn_reg_out (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal name = by_oid (a[1], a[0].i);
   MtBuf b = {0};
   if (name.type == MT_STRING) {
      *out = name;
      return true;
   }
   if (!mt_value_print (mt_type ((MtTypeId) MT_USER (ev)), a[0], NULL, &b, ev->err))
      return false;
   *out = mt_text_result (ev, &b);
   return true;
}

static bool fn_keep_oid (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_is_number (a[0]) ? mt_v_int64 (a[0].i) : a[0];
   return true;
}

/* Casts an integer to oid. A bigint (MT_USER (ev) is 1) out of range is an error; smaller types
 * wrap around, as in PostgreSQL. */
static bool fn_oid_from_int (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (MT_USER (ev) && (a[0].i < 0 || a[0].i > UINT32_MAX))
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "OID out of range");
   *out = mt_v_int64 ((uint32_t) a[0].i);
   return true;
}

static bool fn_oid_int (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_int32 ((int32_t) (uint32_t) a[0].i);
   return true;
}

#define I (MT_F_CAST | MT_F_CAST_IMPLICIT | MT_NN)
#define A (MT_F_CAST | MT_F_CAST_ASSIGN | MT_NN)
#define E (MT_F_CAST | MT_NN)
#define ONE_CAST(to, sig, flags, op, ex) MT_ROW (to, sig " -> " to, flags, NULL, op, "cast", ex)
#define KEEP MT_OPN ("oid_keep", keep_oid, 0)
/* Rows of the casts that oid and the reg… types share. t is the type; v is a value for the
 * examples. */
#define NUMBERS(t, v) \
   ONE_CAST (t, "int2", I, MT_OPN ("oid_from_int", oid_from_int, 0), \
             "SELECT 0::int2::" t " = 0 => t"), \
      ONE_CAST (t, "int4", I, MT_OPN ("oid_from_int", oid_from_int, 0), \
                "SELECT 0::" t " = 0 => t"), \
      ONE_CAST (t, "int8", I, MT_OPN ("oid_from_long", oid_from_int, 1), \
                "SELECT 0::int8::" t " = 0 => t"), \
      ONE_CAST ("int8", t, A, KEEP, "SELECT " v "::" t "::int8 = " v "::" t " => t"), \
      ONE_CAST ("int4", t, A, MT_OPN ("oid_int", oid_int, 0), \
                "SELECT " v "::" t "::int4 = " v "::" t " => t")
#define CASTS(t, id, in, list, v, text) \
   NUMBERS (t, v), ONE_CAST (t, "oid", I, KEEP, "SELECT 0::oid::" t " => -"), \
      ONE_CAST ("oid", t, I, KEEP, "SELECT " v "::" t "::oid = " v "::" t " => t"), \
      ONE_CAST ("text", t ", " list " document", A, MT_OPN ("text_from_" t, reg_out, id), \
                "SELECT " v "::" t "::text => " text), \
      ONE_CAST ("varchar", t ", " list " document", A, MT_OPN ("text_from_" t, reg_out, id), \
                "SELECT " v "::" t "::varchar => " text), \
      ONE_CAST (t, "text, " list " document", in, MT_OPN (t "_from_text", reg_in, id), \
                "SELECT " v "::text::" t " => " text), \
      ONE_CAST (t, "varchar, " list " document", in, MT_OPN (t "_from_text", reg_in, id), \
                "SELECT " v "::varchar::" t " => " text)
#define TO_REG(name, t, id, list, v, text) \
   MT_ROW (name, "text, " list " document -> " t, MT_F_STABLE, NULL, \
           MT_OPN (name, reg_in, (id) + 256), "OID of the object with a name, or NULL", \
           "SELECT " name "(" v ") => " text)

#define CONSTANT(name, hidden, type, what, ex) \
   MT_ROW (name, hidden " " type " -> " type, MT_F_STABLE, NULL, MT_OPN ("given", given, 0), what, \
           ex)
#define BY_OID(name, sig, list, ret, what, ex) \
   MT_ROW (name, sig ", " list " document -> " ret, MT_F_STABLE, NULL, \
           MT_OPN ("look_up", look_up, 0), what, ex)
#define SQL(name_, sig_, body_, what_, ex_) \
   {.name = name_, \
    .signature = sig_, \
    .flags = MT_F_STABLE, \
    .sql = body_, \
    .summary = what_, \
    .example = ex_}
#define VISIBLE(name, what) \
   SQL (name, "oid oid -> bool", "true", "always true: the name of " what " needs no schema", \
        "SELECT " name "(1) => t")
#define MAY(name, what, arg, ex) \
   SQL (name, arg ", privilege text -> bool", "true", "always true: there are no privileges", \
        "SELECT " name "(" ex ") => t"), \
      SQL (name, "role text, " arg ", privilege text -> bool", "true", \
           "always true: there are no privileges", "SELECT " name "('a', " ex ") => t")
#define SIZE(name, what) \
   BY_OID (name, "relation regclass", "_sizes", "int8", what, "SELECT " name "('pg_class') => 0")

const MtFunc mt_fn_catalog[] = {
   NUMBERS ("oid", "4294967295"),
   CASTS ("regclass", MT_T_REGCLASS, I, "_regclass", "'pg_class'", "pg_class"),
   CASTS ("regtype", MT_T_REGTYPE, E, "_regtype", "'int4'", "integer"),
   CASTS ("regproc", MT_T_REGPROC, E, "_regproc", "'current_database'", "current_database"),
   CASTS ("regprocedure", MT_T_REGPROCEDURE, E, "_regprocedure", "'lower(text)'", "lower(text)"),
   CASTS ("regnamespace", MT_T_REGNAMESPACE, E, "_regnamespace", "'public'", "public"),
   CASTS ("regrole", MT_T_REGROLE, E, "_regrole", "10", "mtsql"),
   TO_REG ("to_regclass", "regclass", MT_T_REGCLASS, "_regclass", "'nothing'", ""),
   TO_REG ("to_regtype", "regtype", MT_T_REGTYPE, "_regtype", "'numeric(5,2)'", "numeric"),
   TO_REG ("to_regproc", "regproc", MT_T_REGPROC, "_regproc", "'current_database'",
           "current_database"),
   TO_REG ("to_regprocedure", "regprocedure", MT_T_REGPROCEDURE, "_regprocedure", "'lower(text)'",
           "lower(text)"),
   TO_REG ("to_regnamespace", "regnamespace", MT_T_REGNAMESPACE, "_regnamespace", "'public'",
           "public"),
   TO_REG ("to_regrole", "regrole", MT_T_REGROLE, "_regrole", "'nobody'", ""),
   CONSTANT ("current_database", "_database", "text", "name of the connected database",
             "SELECT current_database() = current_catalog => t"),
   CONSTANT ("current_catalog", "_database", "text", "name of the connected database",
             "SELECT current_catalog = current_database() => t"),
   CONSTANT ("current_user", "_user", "text", "name of the current user",
             "SELECT current_user => mtsql"),
   CONSTANT ("current_role", "_user", "text", "name of the current user",
             "SELECT current_role => mtsql"),
   CONSTANT ("session_user", "_user", "text", "name of the current user",
             "SELECT session_user => mtsql"),
   CONSTANT ("user", "_user", "text", "name of the current user", "SELECT user => mtsql"),
   CONSTANT ("version", "_version", "text",
             "version of PostgreSQL whose SQL mtsql follows, and version of mtsql",
             "SELECT substr(version(), 1, 13) => PostgreSQL 15"),
   MT_ROW ("current_schema", "_schemas document -> text", MT_F_STABLE, NULL,
           MT_OPN ("current_schema", searched, 1), "schema in which relations are created",
           "SELECT current_schema() => public"),
   MT_ROW ("current_schemas", "implicit bool, _schemas document -> text[]", MT_F_STABLE, NULL,
           MT_OPN ("current_schemas", searched, 0), "schemas in which names are searched",
           "SELECT current_schemas(true) => {pg_catalog,public}"),
   SQL ("pg_get_serial_sequence", "table_name text, column_name text -> text",
        "pg_column_sequence($1::regclass, $2)", "the sequence of a serial or identity column",
        "SELECT pg_get_serial_sequence('pg_class', 'oid') IS NULL => t"),
   MT_ROW ("pg_column_sequence", "relation oid, column_name text, _serials document -> text",
           MT_F_STABLE, NULL, MT_OP (serial),
           "the sequence of a serial or identity column (not in PostgreSQL)",
           "SELECT pg_column_sequence(1259, 'oid') IS NULL => t"),
   BY_OID ("pg_sequence_last_value", "sequence regclass", "_last_values", "int8",
           "the last value of a sequence; NULL: it was not called yet",
           "SELECT pg_sequence_last_value('pg_class') IS NULL => t"),
   MT_ROW ("pg_backend_pid", "-> int4", MT_F_STABLE, NULL, MT_OP (backend_pid),
           "number of this process", "SELECT pg_backend_pid() > 0 => t"),
   SQL ("pg_my_temp_schema", "-> oid", "coalesce(to_regnamespace('pg_temp_1')::oid, 0::oid)",
        "schema of the session's temporary tables; 0: it has none",
        "SELECT pg_my_temp_schema() => 0"),
   SQL ("acldefault", "kind text, owner oid -> text[]", "NULL::text[]",
        "always NULL: there are no privileges", "SELECT acldefault('r', 10) IS NULL => t"),
   MT_ROW_SET ("pg_options_to_table", "options text[] -> text", 0,
               "option_name text, option_value text", NULL, MT_OP (options),
               "options of foreign data as rows: those of 'a=b'",
               "SELECT option_value FROM pg_options_to_table(ARRAY['a=b']) => b"),
   MT_ROW_SET ("pg_get_keywords", "_keywords document -> text", MT_F_STABLE,
               "word text, catcode text, barelabel bool, catdesc text, baredesc text", NULL,
               MT_OP (keywords), "keywords of SQL, as rows",
               "SELECT catcode FROM pg_get_keywords() WHERE word = 'select' => R"),
   MT_ROW_SET ("_pg_expandarray", "int2[] -> int4", 0, "x int4, n int4", NULL, MT_OP (expand),
               "elements of an array and their places, as rows (in information_schema)",
               "SELECT n FROM _pg_expandarray(ARRAY[7]::int2[]) => 1"),
   SQL ("pg_is_in_recovery", "-> bool", "false", "always false: this is not a standby",
        "SELECT pg_is_in_recovery() => f"),
   SQL ("inet_server_addr", "-> text", "NULL::text", "always NULL: there is no PostgreSQL server",
        "SELECT inet_server_addr() => "),
   SQL ("inet_server_port", "-> int4", "NULL::int", "always NULL: there is no PostgreSQL server",
        "SELECT inet_server_port() => "),
   SQL ("inet_client_addr", "-> text", "NULL::text", "always NULL: there is no client connection",
        "SELECT inet_client_addr() => "),
   SQL ("pg_encoding_to_char", "encoding int4 -> text", "CASE WHEN $1 = 6 THEN 'UTF8' ELSE '' END",
        "name of an encoding", "SELECT pg_encoding_to_char(6) => UTF8"),
   SQL ("pg_char_to_encoding", "name text -> int4",
        "CASE WHEN upper($1) IN ('UTF8', 'UTF-8', 'UNICODE') THEN 6 ELSE -1 END",
        "number of an encoding", "SELECT pg_char_to_encoding('UTF8') => 6"),
   SQL ("getdatabaseencoding", "-> text", "'UTF8'", "encoding of text",
        "SELECT getdatabaseencoding() => UTF8"),
   SQL ("pg_client_encoding", "-> text", "'UTF8'", "encoding of statements and results",
        "SELECT pg_client_encoding() => UTF8"),
   SQL ("pg_get_userbyid", "role oid -> text",
        "CASE WHEN $1 = 10 THEN current_user ELSE 'unknown (OID=' || $1 || ')' END",
        "name of a role", "SELECT pg_get_userbyid(10) => mtsql"),
   SQL ("pg_table_is_visible", "oid oid -> bool",
        "pg_relation_name($1) ~ '^([^.\"]*|\"([^\"]|\"\")*\")$'",
        "whether a relation's name needs no schema", "SELECT pg_table_is_visible(1259) => t"),
   BY_OID ("pg_relation_name", "relation oid", "_regclass", "text",
           "name of a relation, with its schema if needed (not in PostgreSQL)",
           "SELECT pg_relation_name(1259) => pg_class"),
   VISIBLE ("pg_ts_config_is_visible", "a text search configuration"),
   VISIBLE ("pg_ts_dict_is_visible", "a text search dictionary"),
   VISIBLE ("pg_ts_parser_is_visible", "a text search parser"),
   VISIBLE ("pg_ts_template_is_visible", "a text search template"),
   VISIBLE ("pg_conversion_is_visible", "a conversion"),
   VISIBLE ("pg_type_is_visible", "a type"),
   VISIBLE ("pg_function_is_visible", "a function"),
   VISIBLE ("pg_operator_is_visible", "an operator"),
   VISIBLE ("pg_collation_is_visible", "a collation"),
   VISIBLE ("pg_opfamily_is_visible", "an operator family"),
   VISIBLE ("pg_opclass_is_visible", "an operator class"),
   VISIBLE ("pg_statistics_obj_is_visible", "a statistics object"),
   MT_ROW ("format_type", "type oid, modifier int4, _regtype document -> text", MT_F_NOT_STRICT,
           NULL, MT_OP (format_type), "name of a type",
           "SELECT format_type(1043, 7) => character varying(3)"),
   BY_OID ("pg_get_viewdef", "view regclass", "_viewdefs", "text", "query of a view",
           "SELECT pg_get_viewdef(0) => "),
   BY_OID ("pg_get_viewdef", "view regclass, pretty bool", "_viewdefs", "text", "query of a view",
           "SELECT pg_get_viewdef(0, true) => "),
   BY_OID ("pg_get_viewdef", "view regclass, wrap int4", "_viewdefs", "text", "query of a view",
           "SELECT pg_get_viewdef(0, 80) => "),
   BY_OID ("pg_get_indexdef", "index regclass", "_indexdefs", "text",
           "statement that creates an index", "SELECT pg_get_indexdef(0) => "),
   MT_ROW ("pg_get_indexdef", "index oid, column int4, pretty bool, _indexdefs document -> text",
           MT_F_STABLE, NULL, MT_OPN ("index_column", look_up_column, 1),
           "name of a column of an index", "SELECT pg_get_indexdef(0, 1, true) => "),
   BY_OID ("pg_get_constraintdef", "constraint oid", "_constraintdefs", "text",
           "definition of a constraint", "SELECT pg_get_constraintdef(0) => "),
   BY_OID ("pg_get_constraintdef", "constraint oid, pretty bool", "_prettyconstraints", "text",
           "definition of a constraint", "SELECT pg_get_constraintdef(0, true) => "),
   SQL ("pg_get_expr", "expr text, relation oid -> text", "$1", "expression of the catalog as SQL",
        "SELECT pg_get_expr('1 + 1', 0) => 1 + 1"),
   SQL ("pg_get_expr", "expr text, relation oid, pretty bool -> text", "$1",
        "expression of the catalog as SQL", "SELECT pg_get_expr('1 + 1', 0, true) => 1 + 1"),
   BY_OID ("pg_get_functiondef", "function oid", "_functiondefs", "text",
           "statement that creates a function; NULL for built-in functions",
           "SELECT pg_get_functiondef(0) => "),
   BY_OID ("pg_get_function_arguments", "function oid", "_arguments", "text",
           "parameters of a function",
           "SELECT pg_get_function_arguments('lower(text)'::regprocedure) => text"),
   BY_OID ("pg_get_function_identity_arguments", "function oid", "_arguments", "text",
           "parameters of a function",
           "SELECT pg_get_function_identity_arguments('lower(text)'::regprocedure) => text"),
   BY_OID ("pg_get_function_result", "function oid", "_results", "text",
           "result type of a function",
           "SELECT pg_get_function_result('lower(text)'::regprocedure) => text"),
   SQL ("pg_get_function_sqlbody", "function oid -> text", "NULL::text",
        "always NULL: all function bodies are text", "SELECT pg_get_function_sqlbody(0) => "),
   SQL ("pg_get_partkeydef", "relation oid -> text", "NULL::text",
        "always NULL: partitions belong to layouts", "SELECT pg_get_partkeydef(0) => "),
   SQL ("pg_get_ruledef", "rule oid, pretty bool -> text", "NULL::text",
        "always NULL: there are no rules", "SELECT pg_get_ruledef(0, true) => "),
   SQL ("pg_get_triggerdef", "trigger oid, pretty bool -> text", "NULL::text",
        "always NULL: there are no triggers", "SELECT pg_get_triggerdef(0, true) => "),
   SQL ("pg_get_statisticsobjdef_columns", "statistics oid -> text", "NULL::text",
        "always NULL: there are no extended statistics",
        "SELECT pg_get_statisticsobjdef_columns(0) => "),
   SQL ("pg_relation_is_publishable", "relation regclass -> bool", "false",
        "always false: tables can't be published",
        "SELECT pg_relation_is_publishable('pg_class') => f"),
   SQL ("pg_tablespace_location", "tablespace oid -> text", "''",
        "always empty: tablespaces have no location", "SELECT pg_tablespace_location(0) => "),
   BY_OID ("obj_description", "object oid", "_comments", "text", "comment on an object",
           "SELECT obj_description(0) => "),
   BY_OID ("obj_description", "object oid, catalog text", "_comments", "text",
           "comment on an object", "SELECT obj_description(0, 'pg_class') => "),
   SQL ("shobj_description", "object oid, catalog text -> text", "NULL::text",
        "always NULL: there are no shared objects with comments",
        "SELECT shobj_description(0, 'pg_database') => "),
   MT_ROW ("col_description", "relation oid, column int4, _comments document -> text", MT_F_STABLE,
           NULL, MT_OP (look_up_column), "comment on a column", "SELECT col_description(0, 1) => "),
   SIZE ("pg_relation_size", "bytes of a table's documents in all layouts"),
   SIZE ("pg_table_size", "bytes of a table's documents in all layouts"),
   BY_OID ("pg_database_size", "database oid", "_sizes", "int8",
           "bytes of the documents of all tables, in all layouts",
           "SELECT pg_database_size(5) >= 0 => t"),
   SQL ("pg_tablespace_size", "tablespace oid -> int8",
        "pg_database_size(CASE WHEN $1 IS NOT NULL THEN 5::oid END)",
        "bytes of the documents of all tables", "SELECT pg_tablespace_size(1663) >= 0 => t"),
   SQL ("pg_tablespace_size", "name text -> int8",
        "pg_database_size(CASE WHEN $1 = 'pg_default' THEN 5::oid END)",
        "bytes of the documents of all tables; NULL: there is no such tablespace",
        "SELECT pg_tablespace_size('nosuch') IS NULL => t"),
   SQL ("pg_database_size", "name text -> int8",
        "pg_database_size(CASE WHEN $1 = current_database() THEN 5::oid END)",
        "bytes of the documents of all tables; NULL: the name is not that of the target",
        "SELECT pg_database_size('nosuch') IS NULL => t"),
   SIZE ("pg_total_relation_size", "bytes of a table's documents in all layouts"),
   SQL ("pg_indexes_size", "relation regclass -> int8", "0::int8 + 0 * $1::int8",
        "always 0: the size of indexes is not measured", "SELECT pg_indexes_size('pg_class') => 0"),
   MT_ROW ("pg_size_pretty", "int8 -> text", MT_NN, NULL, MT_OP (size_pretty),
           "number of bytes as text with a unit", "SELECT pg_size_pretty(78437076::int8) => 75 MB"),
   SQL ("pg_size_pretty", "numeric -> text", "pg_size_pretty(trunc($1)::int8)",
        "number of bytes as text with a unit", "SELECT pg_size_pretty(10240.5) => 10 kB"),
   MT_ROW ("current_setting", "name text, _settings document -> text", MT_F_STABLE, NULL,
           MT_OPN ("look_up_text", look_up_text, 1), "value of a setting, as shown by SHOW",
           "SELECT current_setting('server_encoding') => UTF8"),
   MT_ROW ("current_setting", "name text, missing_ok bool, _settings document -> text", MT_F_STABLE,
           NULL, MT_OPN ("look_up_text", look_up_text, 1), "value of a setting, as shown by SHOW",
           "SELECT current_setting('a.b', true) => "),
   MAY ("has_table_privilege", "a table", "relation regclass", "'pg_class', 'select'"),
   MAY ("has_any_column_privilege", "a table's columns", "relation regclass",
        "'pg_class', 'select'"),
   MAY ("has_schema_privilege", "a schema", "schema text", "'public', 'usage'"),
   MAY ("has_database_privilege", "a database", "database text", "'a', 'connect'"),
   MAY ("has_function_privilege", "a function", "function oid", "0, 'execute'"),
   MAY ("pg_has_role", "a role", "member_of text", "'mtsql', 'usage'"),
   SQL ("has_column_privilege", "relation regclass, col text, privilege text -> bool", "true",
        "always true: there are no privileges",
        "SELECT has_column_privilege('pg_class', 'oid', 'select') => t"),
   SQL ("has_schema_privilege", "schema oid, privilege text -> bool", "true",
        "always true: there are no privileges", "SELECT has_schema_privilege(11, 'usage') => t"),
   {.name = NULL},
};
