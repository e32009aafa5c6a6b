/* Chooses among functions or operators of the same name by PostgreSQL's rules
 * (func_select_candidate in parse_func.c). */
#include "analyze/calls/choose.h"

#include "analyze/types/coerce.h"

#include <string.h>

#define MAX_CANDIDATES 128

MtTypeId mt_sig_param (const MtSig *s, int i) { return s->args[i < s->argc ? i : s->argc - 1]; }

static bool arity_fits (const MtSig *s, int argc)
{
   return s->variadic ? argc >= s->argc : argc == s->argc;
}

/* Checks that all arguments of polymorphic parameters (anyelement, anyarray …) have the same
 * element type. *t: the element type of the arguments so far. Returns false if the type of this
 * argument, `arg`, differs. */
static bool same_element (MtTypeId param, MtTypeId arg, MtTypeId *t)
{
   if (arg == MT_T_UNKNOWN)
      return true;
   if (param == MT_SIG_ARRAY)
      arg = mt_type_element (arg);
   if (*t != MT_T_UNKNOWN && *t != arg)
      return false;
   *t = arg;
   return true;
}

bool mt_sig_agree (const MtSig *s, const MtTypeId *args, int argc, MtPolymorphic *out)
{
   MtTypeId compatible[argc + 1];
   int n = 0, bad;
   bool array = false;
   *out = (MtPolymorphic) {MT_T_UNKNOWN, MT_T_UNKNOWN};
   for (int i = 0; i < argc; i++) {
      MtTypeId p = mt_sig_param (s, i);
      if ((p == MT_SIG_ELEMENT || p == MT_SIG_ARRAY || p == MT_SIG_NONARRAY || p == MT_SIG_ENUM) &&
          !same_element (p, args[i], &out->element))
         return false;
      array |= p == MT_SIG_COMPATIBLE_ARRAY;
      if (p == MT_SIG_COMPATIBLE || p == MT_SIG_COMPATIBLE_ARRAY)
         compatible[n++] = p == MT_SIG_COMPATIBLE_ARRAY ? mt_type_element (args[i]) : args[i];
   }
   return mt_common_type_of (compatible, n, &out->compatible, &bad) &&
          !(array && mt_type_is_array (out->compatible));
}

MtTypeId mt_sig_actual (MtTypeId t, const MtPolymorphic *p)
{
   MtTypeId element = p->element == MT_T_UNKNOWN ? MT_T_TEXT : p->element,
            compatible = p->compatible == MT_T_UNKNOWN ? MT_T_TEXT : p->compatible;
   if (t == MT_SIG_ELEMENT || t == MT_SIG_NONARRAY || t == MT_SIG_ENUM)
      return element;
   if (t == MT_SIG_ARRAY)
      return mt_type_array (element);
   if (t == MT_SIG_COMPATIBLE)
      return compatible;
   return t == MT_SIG_COMPATIBLE_ARRAY ? mt_type_array (compatible) : t;
}

static bool exact (const MtSig *s, const MtTypeId *args, int argc)
{
   for (int i = 0; i < argc; i++)
      if (mt_sig_param (s, i) != args[i])
         return false;
   return true;
}

static bool possible (const MtSig *s, const MtTypeId *args, int argc)
{
   for (int i = 0; i < argc; i++)
      if (!mt_can_coerce (args[i], mt_sig_param (s, i), MT_COERCE_IMPLICIT))
         return false;
   MtPolymorphic p;
   return mt_sig_agree (s, args, argc, &p);
}

/* Returns text for varchar and char; otherwise t. */
static MtTypeId base_type (MtTypeId t)
{
   return t == MT_T_VARCHAR || t == MT_T_BPCHAR ? MT_T_TEXT : t;
}

static int count_exact (const MtSig *s, const MtTypeId *args, int argc)
{
   int n = 0;
   for (int i = 0; i < argc; i++)
      n += args[i] != MT_T_UNKNOWN && mt_sig_param (s, i) == base_type (args[i]);
   return n;
}

static char category (MtTypeId t) { return mt_type_exists (t) ? mt_type_info (t)->category : 'P'; }

static bool preferred (MtTypeId t) { return mt_type_exists (t) && mt_type_info (t)->preferred; }

static int count_preferred (const MtSig *s, const MtTypeId *args, int argc)
{
   int n = 0;
   for (int i = 0; i < argc; i++) {
      MtTypeId p = mt_sig_param (s, i);
      if (args[i] != MT_T_UNKNOWN &&
          (p == base_type (args[i]) || (preferred (p) && category (p) == category (args[i]))))
         n++;
   }
   return n;
}

/* Keeps only the candidates of the list that have the highest score. Returns their number. */
static int keep_best (const MtSig **list, int n, const MtTypeId *args, int argc,
                      int (*score) (const MtSig *, const MtTypeId *, int))
{
   int best = -1, kept = 0;
   for (int i = 0; i < n; i++) {
      int s = score (list[i], args, argc);
      if (s > best) {
         best = s;
         kept = 0;
      }
      if (s == best)
         list[kept++] = list[i];
   }
   return kept;
}

/* Returns the type category of parameter i, for which the call has an untyped literal. If the
 * candidates have several categories, the string category wins; without it the result is '\0'.
 * *has_preferred: a candidate has the preferred type of the category. */
static char slot_category (const MtSig **list, int n, int i, bool *has_preferred)
{
   char cat = 0;
   bool conflict = false;
   *has_preferred = false;
   for (int c = 0; c < n; c++) {
      MtTypeId p = mt_sig_param (list[c], i);
      char k = category (p);
      if (k == 'S') {
         if (cat != 'S')
            *has_preferred = false;
         cat = 'S';
         *has_preferred |= preferred (p);
      } else if (cat == 0) {
         cat = k;
         *has_preferred = preferred (p);
      } else if (cat == k)
         *has_preferred |= preferred (p);
      else if (cat != 'S')
         conflict = true;
   }
   return cat == 'S' || !conflict ? cat : 0;
}

static int keep_by_category (const MtSig **list, int n, const MtTypeId *args, int argc)
{
   const MtSig *kept[MAX_CANDIDATES];
   char cats[64];
   bool pref[64];
   for (int i = 0; i < argc && i < 64; i++) {
      cats[i] = args[i] == MT_T_UNKNOWN ? slot_category (list, n, i, &pref[i]) : 1;
      if (cats[i] == 0)
         return n;
   }
   int k = 0;
   for (int c = 0; c < n; c++) {
      bool ok = true;
      for (int i = 0; i < argc && i < 64 && ok; i++) {
         MtTypeId p = mt_sig_param (list[c], i);
         ok = args[i] != MT_T_UNKNOWN || (category (p) == cats[i] && (!pref[i] || preferred (p)));
      }
      if (ok)
         kept[k++] = list[c];
   }
   if (k)
      memcpy (list, kept, (size_t) k * sizeof *list);
   return k ? k : n;
}

/* If all typed arguments have the same type, assumes that untyped literals have it, too. Returns
 * the only candidate that then fits. NULL: none or several fit. */
static const MtSig *assume_same (const MtSig **list, int n, const MtTypeId *args, int argc)
{
   MtTypeId known = MT_T_UNKNOWN, assumed[64];
   bool unknown = false;
   for (int i = 0; i < argc; i++) {
      if (args[i] == MT_T_UNKNOWN)
         unknown = true;
      else if (known == MT_T_UNKNOWN || known == base_type (args[i]))
         known = base_type (args[i]);
      else
         return NULL;
   }
   if (!unknown || known == MT_T_UNKNOWN || argc > 64)
      return NULL;
   for (int i = 0; i < argc; i++)
      assumed[i] = known;
   const MtSig *found = NULL;
   for (int c = 0; c < n; c++)
      if (possible (list[c], assumed, argc)) {
         if (found)
            return NULL;
         found = list[c];
      }
   return found;
}

/* Returns the operator that takes both operands in the same type if one operand is an untyped
 * literal, as in name = 'abc'. NULL: no operand is a literal, or no operator fits. */
static const MtSig *binary_shortcut (const MtSig *const *sigs, int count, const MtTypeId *args)
{
   if (args[0] != MT_T_UNKNOWN && args[1] != MT_T_UNKNOWN)
      return NULL;
   MtTypeId t = base_type (args[args[0] == MT_T_UNKNOWN]);
   if (t == MT_T_UNKNOWN)
      return NULL;
   MtTypeId same[2] = {t, t};
   for (int i = 0; i < count; i++)
      if (sigs[i]->argc == 2 && exact (sigs[i], same, 2))
         return sigs[i];
   return NULL;
}

/* Returns the operator of `sigs` that fits if operands of type document are treated as jsonb. NULL:
 * no operand is a document, or no operator fits. */
static const MtSig *document_shortcut (const MtSig *const *sigs, int count, const MtTypeId *args)
{
   MtTypeId as[2];
   for (int i = 0; i < 2; i++)
      as[i] = args[i] == MT_T_DOCUMENT ? MT_T_JSONB : args[i];
   if (as[0] == args[0] && as[1] == args[1])
      return NULL;
   for (int i = 0; i < count; i++)
      if (sigs[i]->argc == 2 && exact (sigs[i], as, 2))
         return sigs[i];
   return binary_shortcut (sigs, count, as);
}

const MtSig *mt_obvious_operator (const MtSig *const *sigs, int count, const MtTypeId *args)
{
   for (int i = 0; i < count; i++)
      if (sigs[i]->argc == 2 && exact (sigs[i], args, 2))
         return sigs[i];
   const MtSig *s = binary_shortcut (sigs, count, args);
   return s ? s : document_shortcut (sigs, count, args);
}

const MtSig *mt_choose_sig (const MtSig *const *sigs, int count, const MtTypeId *args, int argc,
                            bool is_operator, bool *ambiguous)
{
   const MtSig *list[MAX_CANDIDATES];
   int n = 0;
   *ambiguous = false;
   for (int i = 0; i < count; i++)
      if (arity_fits (sigs[i], argc) && exact (sigs[i], args, argc))
         return sigs[i];
   const MtSig *obvious = is_operator && argc == 2 ? mt_obvious_operator (sigs, count, args) : NULL;
   if (obvious)
      return obvious;
   for (int i = 0; i < count && n < MAX_CANDIDATES; i++)
      if (arity_fits (sigs[i], argc) && possible (sigs[i], args, argc))
         list[n++] = sigs[i];
   if (n <= 1)
      return n ? list[0] : NULL;
   n = keep_best (list, n, args, argc, count_exact);
   if (n > 1)
      n = keep_best (list, n, args, argc, count_preferred);
   if (n > 1)
      n = keep_by_category (list, n, args, argc);
   if (n == 1)
      return list[0];
   const MtSig *s = assume_same (list, n, args, argc);
   *ambiguous = !s;
   return s;
}
