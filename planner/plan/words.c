#include "planner/plan/words.h"

#include "planner/plan/average.h"
#include "planner/plan/trunc.h"
#include "functions/words.h"

#include <string.h>

/* Rewrites {op: args} with other operators. Returns NULL if it can't. Operators nested in args are
 * not rewritten yet. */
typedef const bson_t *(*Words) (MtArena *a, MtVal args);

/* Rewrites a $regexMatch whose input is computed: the input becomes a $let variable. */
static const bson_t *regex_of_variable (MtArena *a, MtVal args)
{
   MtVal input = mt_doc_field (args, "input");
   if (input.type == MT_STRING)
      return NULL;
   bson_t *of_variable = mt_doc_new (a), *match = mt_doc_new (a);
   MtDocIter it = mt_doc_iter (args);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      mt_doc_add (of_variable, mt_strndup (a, key.p, key.n),
                  mt_str_is (key, "input") ? mt_v_cstr ("$$text") : v);
   mt_doc_add_doc (match, "$regexMatch", of_variable);
   return mt_mql_let (a, "text", mt_doc_of (a, input), mt_doc_of (a, mt_v_doc (match)));
}

static const struct Row {
   const char *op;
   const char *lacking; /* name of the missing feature in MtCaps.lacking; NULL: no server has it */
   Words words;
} rows[] = {
   {"$dateTrunc", "$dateTrunc", mt_trunc_by_modulo},
   {"$regexMatch", MT_REGEX_OF_COMPUTED, regex_of_variable},
   {"$_mtAvg", NULL, mt_average_words},
   {"$_mt_to_char", NULL, mt_to_char_words},
   {"$_mt_regex", NULL, mt_regex_words},
   {"$_mt_not_regex", NULL, mt_not_regex_words},
   {"$_mt_iregex", NULL, mt_iregex_words},
   {"$_mt_not_iregex", NULL, mt_not_iregex_words},
};

#define ROWS (sizeof rows / sizeof *rows)

typedef struct Rewrite {
   MtArena *a;
   bool wanted[ROWS];
} Rewrite;

static bson_t *rebuilt (const Rewrite *r, MtVal v);

/* Returns v with all operators rewritten. The recursion is no deeper than the stages. */
static MtVal reworded (const Rewrite *r, MtVal v)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal args;
   if (v.type == MT_ARRAY)
      return mt_v_array (rebuilt (r, v));
   if (v.type != MT_DOC)
      return v;
   bool any = mt_doc_next (&it, &key, &args) && key.n && key.p[0] == '$';
   for (size_t i = 0; any && i < ROWS; i++)
      if (r->wanted[i] && mt_str_is (key, rows[i].op)) {
         const bson_t *words = rows[i].words (r->a, args);
         if (words)
            /* once more, for operators in the arguments */
            return reworded (r, mt_doc_value (words));
      }
   return mt_v_doc (rebuilt (r, v));
}

static bson_t *rebuilt (const Rewrite *r, MtVal v)
{
   bson_t *out = mt_doc_new (r->a);
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   while (mt_doc_next (&it, &key, &x))
      mt_doc_add (out, mt_strndup (r->a, key.p, key.n),
                  mt_str_is (key, "$literal") ? x : reworded (r, x));
   return out;
}

MtVal mt_server_words (MtArena *a, const MtCaps *caps, MtVal v)
{
   Rewrite r = {.a = a};
   bool any = false;
   if (caps->local_operators || (v.type != MT_DOC && v.type != MT_ARRAY))
      return v;
   for (size_t i = 0; i < ROWS; i++) {
      r.wanted[i] = (!rows[i].lacking || mt_caps_lack (caps, rows[i].lacking)) &&
                    memmem (v.p, v.len, rows[i].op, strlen (rows[i].op) + 1);
      any |= r.wanted[i];
   }
   return any ? reworded (&r, v) : v;
}
