/* Unicode's normal forms (UAX 15), computed by the library utf8proc. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>

static bool form_of (MtEval *ev, MtVal name, utf8proc_option_t *out)
{
   static const struct {
      const char *name;
      int options;
   } forms[] = {{"NFC", UTF8PROC_COMPOSE},
                {"NFD", UTF8PROC_DECOMPOSE},
                {"NFKC", UTF8PROC_COMPOSE | UTF8PROC_COMPAT},
                {"NFKD", UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT}};
   for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
      if (strlen (forms[i].name) == name.len &&
          strncasecmp (forms[i].name, (const char *) name.p, name.len) == 0) {
         *out = (utf8proc_option_t) (forms[i].options | UTF8PROC_STABLE);
         return true;
      }
   return mt_error (ev->err, MT_E_PARAMETER, "invalid normalization form: %.*s", (int) name.len,
                    (const char *) name.p);
}

static bool normal_form (MtEval *ev, const MtVal *a, MtVal *out)
{
   utf8proc_option_t options = UTF8PROC_STABLE;
   utf8proc_uint8_t *text;
   if (!form_of (ev, a[1], &options))
      return false;
   utf8proc_ssize_t n = utf8proc_map (a[0].p, a[0].len, &text, options);
   if (n < 0)
      return mt_error (ev->err, MT_E_ENCODING, "invalid byte sequence for encoding \"UTF8\"");
   *out = mt_v_str (mt_strndup (ev->arena, (const char *) text, (size_t) n), (size_t) n);
   free (text);
   return true;
}

static bool fn_normalize (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return normal_form (ev, a, out);
}

static bool fn_is_normalized (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal normal;
   if (!normal_form (ev, a, &normal))
      return false;
   *out = mt_v_bool (normal.len == a[0].len && memcmp (normal.p, a[0].p, a[0].len) == 0);
   return true;
}

#define ROW(name_, ret, what, ex) \
   {.name = #name_, \
    .signature = "text, form text -> " ret, \
    .flags = MT_NN, \
    .op = MT_OPN (#name_, name_, 0), \
    .defaults = (const char *const[]) {NULL, "'NFC'"}, \
    .summary = what, \
    .example = ex}

const MtFunc mt_fn_unicode[] = {
   ROW (normalize, "text", "text in a Unicode normal form: NFC, NFD, NFKC or NFKD",
        "SELECT length(normalize('é', NFC)) => 1"),
   ROW (is_normalized, "bool", "whether the text is in a Unicode normal form",
        "SELECT 'é' IS NFC NORMALIZED => f"),
   {.name = NULL},
};
