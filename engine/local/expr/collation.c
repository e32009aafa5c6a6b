/* Collations, by ICU. This library has 40 MB of tables, and few pipelines need a collation. So the
 * library is loaded when the first collation is opened. */
#include "engine/local/expr/collation.h"

#include "base/loaded.h"
#include "base/memory.h"
#include "engine/local/expr/codes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/ucol.h>
#include <unicode/uiter.h>
#include <xxhash.h>

_Thread_local const MtTextOrder *mt_x_order;

#define CODE_VERSION 161 /* IncompatibleCollationVersion */

/* ---- loading the library ---- */

#define FUNCTIONS(f) \
   f (ucol_open) f (ucol_close) f (ucol_getAttribute) f (ucol_setAttribute) \
      f (ucol_setMaxVariable) f (ucol_getLocaleByType) f (ucol_strcollUTF8) \
         f (ucol_nextSortKeyPart) f (uiter_setUTF8)

/* By macros, ICU's headers append the library's version to the name of each function. */
#define AS_TEXT(name) #name
#define MEMBER(name) __typeof__ (name) *name;
#define NAME(name) AS_TEXT (name),

typedef struct Icu {
   FUNCTIONS (MEMBER)
} Icu;

static Icu icu;
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load (void)
{
   static const char *const names[] = {FUNCTIONS (NAME) NULL};
   MtError ignored;
   loaded = mt_load_functions ("libicui18n.so." U_ICU_VERSION_SHORT, names, &icu, &ignored);
}

static bool have_icu (MtError *err)
{
   pthread_once (&once, load);
   if (loaded)
      return true;
   mt_error_coded (err, MT_E_FEATURE, 115,
                   "collations other than \"simple\" need the library ICU " U_ICU_VERSION_SHORT);
   return mt_error_hint (err, "Install the package libicu" U_ICU_VERSION_SHORT ".");
}

/* ---- comparing and hashing ---- */

typedef struct Collation {
   MtTextOrder order;
   UCollator *icu; /* no function changes it while pipelines run, so threads may share it */
} Collation;

static int compare (const MtTextOrder *o, MtVal a, MtVal b)
{
   UErrorCode status = U_ZERO_ERROR;
   return icu.ucol_strcollUTF8 (((const Collation *) o)->icu, a.len ? (const char *) a.p : "",
                                (int32_t) a.len, b.len ? (const char *) b.p : "", (int32_t) b.len,
                                &status);
}

/* Hashes a string by its collation sort key. Two strings are equal by the collation if and only if
 * their sort keys are equal. */
static uint64_t hash (const MtTextOrder *o, MtVal v, uint64_t seed)
{
   uint8_t part[512];
   uint32_t state[2] = {0, 0};
   UErrorCode status = U_ZERO_ERROR;
   UCharIterator text;
   int32_t n;
   icu.uiter_setUTF8 (&text, v.len ? (const char *) v.p : "", (int32_t) v.len);
   do {
      n = icu.ucol_nextSortKeyPart (((const Collation *) o)->icu, &text, state, part, sizeof part,
                                    &status);
      seed = XXH3_64bits_withSeed (part, (size_t) n, seed);
   } while (n == (int32_t) sizeof part && U_SUCCESS (status));
   return seed;
}

/* ---- opening ---- */

#define DEFAULT (-1) /* UCOL_DEFAULT: the locale chooses */

/* The fields of a collation's specification, with their types and valid values. */
static const struct Field {
   const char *name;
   uint8_t type;
   int attribute; /* UColAttribute; DEFAULT: none */
   struct {
      const char *name;
      int value; /* UColAttributeValue, or UColReorderCode of maxVariable */
   } values[3];
} fields[] = {
   {"locale", MT_STRING, DEFAULT, {{NULL, 0}}},
   {"strength", MT_INT32, UCOL_STRENGTH, {{NULL, 0}}},
   {"caseLevel", MT_BOOL, UCOL_CASE_LEVEL, {{NULL, 0}}},
   {"caseFirst",
    MT_STRING,
    UCOL_CASE_FIRST,
    {{"off", UCOL_OFF}, {"upper", UCOL_UPPER_FIRST}, {"lower", UCOL_LOWER_FIRST}}},
   {"numericOrdering", MT_BOOL, UCOL_NUMERIC_COLLATION, {{NULL, 0}}},
   {"alternate",
    MT_STRING,
    UCOL_ALTERNATE_HANDLING,
    {{"non-ignorable", UCOL_NON_IGNORABLE}, {"shifted", UCOL_SHIFTED}}},
   {"maxVariable",
    MT_STRING,
    DEFAULT,
    {{"punct", UCOL_REORDER_CODE_PUNCTUATION}, {"space", UCOL_REORDER_CODE_SPACE}}},
   {"backwards", MT_BOOL, UCOL_FRENCH_COLLATION, {{NULL, 0}}},
   {"normalization", MT_BOOL, UCOL_NORMALIZATION_MODE, {{NULL, 0}}},
   {"version", MT_STRING, DEFAULT, {{NULL, 0}}},
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

static const struct Field *field_of (MtStr key)
{
   for (size_t i = 0; i < FIELD_COUNT; i++)
      if (mt_str_is (key, fields[i].name))
         return &fields[i];
   return NULL;
}

/* Returns ICU's number for the value v of a field; v has the right type. DEFAULT: the value is not
 * valid. */
static int value_of (const struct Field *f, MtVal v)
{
   static const int strengths[] = {UCOL_PRIMARY, UCOL_SECONDARY, UCOL_TERTIARY, UCOL_QUATERNARY,
                                   UCOL_IDENTICAL};
   if (f->type == MT_BOOL)
      return v.i ? UCOL_ON : UCOL_OFF;
   for (int i = 0; f->type == MT_INT32 && i < 5; i++)
      if (mt_v_compare_numbers (v, mt_v_int32 (i + 1)) == 0)
         return strengths[i];
   for (size_t i = 0; i < 3 && f->values[i].name; i++)
      if (mt_v_is_text (v, f->values[i].name))
         return f->values[i].value;
   return DEFAULT;
}

static bool check_field (MtStr key, MtVal v, MtError *err)
{
   const struct Field *f = field_of (key);
   if (!f)
      return mt_error_coded (err, MT_E_PARAMETER, 40415, "collation has an unknown field \"%.*s\"",
                             (int) (key.n > 60 ? 60 : key.n), key.p);
   if (f->type == MT_INT32 ? !mt_is_number (v) : v.type != f->type)
      return mt_error_coded (err, MT_E_PARAMETER, MT_CODE_TYPE_MISMATCH,
                             "field \"%s\" of collation has the wrong type %s", f->name,
                             mt_v_type_name (v));
   if (f->type == MT_INT32 && value_of (f, v) == DEFAULT)
      return mt_error_coded (err, MT_E_PARAMETER, 51024, "\"%s\" of collation must be 1 to 5",
                             f->name);
   return !f->values[0].name || value_of (f, v) != DEFAULT ||
          mt_error_coded (err, MT_E_PARAMETER, MT_CODE_BAD_VALUE,
                          "\"%s\" of collation has an unknown value", f->name);
}

/* Opens ICU's collator for a locale. Fails if ICU does not have this locale, and would use another
 * one instead. */
static bool open_locale (MtVal locale, UCollator **out, MtError *err)
{
   UErrorCode status = U_ZERO_ERROR;
   const char *name = (const char *) locale.p, *valid = NULL;
   *out = icu.ucol_open (name, &status);
   if (*out && U_SUCCESS (status))
      valid = icu.ucol_getLocaleByType (*out, ULOC_VALID_LOCALE, &status);
   if (valid && locale.len && mt_v_is_text (locale, valid))
      return true;
   mt_error_coded (err, MT_E_PARAMETER, MT_CODE_BAD_VALUE,
                   "the collation's locale \"%.*s\" is unknown",
                   (int) (locale.len > 60 ? 60 : locale.len), name);
   if (valid && *valid && strcmp (valid, "root") != 0)
      mt_error_hint (err, "Did you mean \"%s\"?", valid);
   if (*out)
      icu.ucol_close (*out);
   return false;
}

static bool set_fields (UCollator *c, MtVal spec, MtError *err)
{
   UErrorCode status = U_ZERO_ERROR;
   MtStr key;
   MtVal v;
   for (MtDocIter it = mt_doc_iter (spec); mt_doc_next (&it, &key, &v);) {
      const struct Field *f = field_of (key);
      if (f->attribute != DEFAULT)
         icu.ucol_setAttribute (c, (UColAttribute) f->attribute,
                                (UColAttributeValue) value_of (f, v), &status);
      else if (f->values[0].name)
         icu.ucol_setMaxVariable (c, (UColReorderCode) value_of (f, v), &status);
      else if (mt_str_is (key, "version") && !mt_v_is_text (v, U_ICU_VERSION))
         return mt_error_coded (err, MT_E_PARAMETER, CODE_VERSION,
                                "the collation's version is not " U_ICU_VERSION);
   }
   if (U_FAILURE (status))
      return mt_error_coded (err, MT_E_PARAMETER, 96, "ICU refused the collation");
   int strength = icu.ucol_getAttribute (c, UCOL_STRENGTH, &status);
   if (strength == UCOL_PRIMARY &&
       icu.ucol_getAttribute (c, UCOL_FRENCH_COLLATION, &status) == UCOL_ON)
      return mt_error_coded (err, MT_E_PARAMETER, MT_CODE_BAD_VALUE,
                             "\"backwards\" is invalid with the strength 1");
   if (strength < UCOL_TERTIARY &&
       icu.ucol_getAttribute (c, UCOL_CASE_LEVEL, &status) == UCOL_OFF &&
       icu.ucol_getAttribute (c, UCOL_CASE_FIRST, &status) != UCOL_OFF)
      return mt_error_coded (err, MT_E_PARAMETER, MT_CODE_BAD_VALUE,
                             "\"caseFirst\" is invalid unless \"caseLevel\" is true or the "
                             "strength is at least 3");
   return true;
}

bool mt_collation_open (MtVal spec, MtTextOrder **out, MtError *err)
{
   MtStr key;
   MtVal v, locale = mt_doc_field (spec, "locale");
   UCollator *c;
   *out = NULL;
   for (MtDocIter it = mt_doc_iter (spec); mt_doc_next (&it, &key, &v);)
      if (!check_field (key, v, err))
         return false;
   if (locale.type == MT_MISSING)
      return mt_error_coded (err, MT_E_PARAMETER, 40414, "collation needs a field \"locale\"");
   if (mt_v_is_text (locale, "simple"))
      return mt_doc_count (spec) == 1 ||
             mt_error_coded (err, MT_E_PARAMETER, MT_CODE_BAD_VALUE,
                             "the collation \"simple\" has no other fields");
   if (!have_icu (err) || !open_locale (locale, &c, err))
      return false;
   if (!set_fields (c, spec, err)) {
      icu.ucol_close (c);
      return false;
   }
   Collation *own = mt_calloc ("collation", 1, sizeof *own);
   *own = (Collation) {{compare, hash}, c};
   *out = &own->order;
   return true;
}

void mt_collation_free (void *collation)
{
   if (collation)
      icu.ucol_close (((Collation *) collation)->icu);
   free (collation);
}

MtVal mt_sort_key (MtVal v, int dir)
{
   if (v.type != MT_ARRAY)
      return v;
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e, best = {.type = MT_UNDEFINED};
   bool any = false;
   while (mt_doc_next (&it, &key, &e)) {
      if (!any || mt_x_compare (e, best) * dir < 0)
         best = e;
      any = true;
   }
   return best;
}
