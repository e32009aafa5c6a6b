/* Computes parse_ident: the components of a qualified name. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include <ctype.h>
#include <string.h>

typedef struct Reader {
   MtEval *ev;
   MtVal text;
   const char *p, *end;
   MtVals names;
} Reader;

static bool not_valid (Reader *r, const char *detail)
{
   mt_error (r->ev->err, MT_E_PARAMETER, "string is not a valid identifier: \"%.*s\"",
             (int) r->text.len, (const char *) r->text.p);
   return detail ? mt_error_detail (r->ev->err, "%s", detail) : false;
}

static void skip_spaces (Reader *r)
{
   while (r->p < r->end && isspace ((unsigned char) *r->p))
      r->p++;
}

static void add (Reader *r, const char *s, size_t n)
{
   mt_vals_add (&r->names, r->ev->arena, mt_v_str (s, n));
}

static bool quoted (Reader *r)
{
   char *name = mt_alloc (r->ev->arena, (size_t) (r->end - r->p) + 1);
   size_t n = 0;
   for (r->p++; r->p < r->end; name[n++] = *r->p++) {
      if (*r->p != '"')
         continue;
      if (r->p + 1 == r->end || r->p[1] != '"') {
         r->p++;
         add (r, name, n);
         return n || not_valid (r, "Quoted identifier must not be empty.");
      }
      r->p++;
   }
   return not_valid (r, "String has unclosed double quotes.");
}

static bool begins_name (char c) { return isalpha ((unsigned char) c) || c == '_' || (c & 0x80); }

static void unquoted (Reader *r)
{
   const char *from = r->p;
   while (r->p < r->end && (begins_name (*r->p) || isdigit ((unsigned char) *r->p) || *r->p == '$'))
      r->p++;
   char *name = mt_strndup (r->ev->arena, from, (size_t) (r->p - from));
   for (char *c = name; *c; c++)
      *c = (char) (*c >= 'A' && *c <= 'Z' ? *c | 0x20 : *c);
   add (r, name, (size_t) (r->p - from));
}

static bool one_name (Reader *r, bool after_dot)
{
   if (r->p < r->end && *r->p == '"')
      return quoted (r);
   if (r->p < r->end && begins_name (*r->p)) {
      unquoted (r);
      return true;
   }
   if (r->p < r->end && *r->p == '.')
      return not_valid (r, "No valid identifier before \".\".");
   return not_valid (r, after_dot ? "No valid identifier after \".\"." : NULL);
}

static bool fn_parse_ident (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Reader r = {
      .ev = ev, .text = a[0], .p = (const char *) a[0].p, .end = (const char *) a[0].p + a[0].len};
   for (bool after_dot = false;; after_dot = true) {
      skip_spaces (&r);
      if (!one_name (&r, after_dot))
         return false;
      skip_spaces (&r);
      if (r.p == r.end || *r.p != '.')
         break;
      r.p++;
   }
   if (r.p < r.end && a[1].i)
      return not_valid (&r, NULL);
   return mt_v_make_array (ev->arena, r.names.v, r.names.n, out, ev->err);
}

const MtFunc mt_fn_ident[] = {
   {.name = "parse_ident",
    .signature = "text, strict bool -> text[]",
    .flags = MT_NN,
    .op = MT_OPN ("parse_ident", parse_ident, 0),
    .defaults = (const char *const[]) {NULL, "true"},
    .summary = "parts of a qualified name; strict: an error if other text follows",
    .example = "SELECT parse_ident('\"SomeSchema\".someTable') => {SomeSchema,sometable}"},
   {.name = NULL},
};
