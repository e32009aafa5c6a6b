/* Translates PostgreSQL's regular expressions (section 9.7.3 of the manual) to PCRE2's. */
#ifndef MT_REGEX_SYNTAX_H
#define MT_REGEX_SYNTAX_H

#include "base/error.h"
#include "base/str.h"

typedef struct MtRegexFlags {
   uint32_t options; /* PCRE2's options */
   bool global;
   bool literal; /* no character is special */
   /* POSIX's extended expressions: without escapes, lookarounds and lazy quantifiers. */
   bool plain;
} MtRegexFlags;

/* Whether the longest or the shortest match is taken (section 9.7.3.5 of the manual). */
typedef enum MtTaste { MT_TASTE_NONE, MT_TASTE_LONG, MT_TASTE_SHORT } MtTaste;

/* A group that PCRE2 captures. */
typedef struct MtRegexGroup {
   /* The user's number. 0: "(?:", captured because its extent decides between matches. */
   unsigned number;
   bool shortest;
   bool repeated; /* it, or a group around it, is repeated */
   bool choice;   /* it has alternatives */
} MtRegexGroup;

typedef struct MtRegexText {
   MtBuf pattern; /* in PCRE2's syntax */
   MtBuf groups;  /* of MtRegexGroup, in PCRE2's order */
   MtTaste taste;
   bool back_references;
   /* PCRE2's first match may not be the longest: it has alternatives, lazy quantifiers,
    * quantified groups or lookarounds. */
   bool tricky;
} MtRegexText;

/* Reads the letters of a flags argument. 22023: a letter is unknown. */
bool mt_regex_flags (MtStr letters, MtRegexFlags *flags, MtError *err);
/* Translates a pattern. The beginning of the pattern may change *flags. 2201B: it is invalid.
 * The caller frees *out. */
bool mt_regex_translate (MtStr pattern, MtRegexFlags *flags, MtRegexText *out, MtError *err);
/* Frees the buffers of t. */
void mt_regex_text_free (MtRegexText *t);
static inline size_t mt_regex_groups (const MtRegexText *t)
{
   return t->groups.n / sizeof (MtRegexGroup);
}
static inline MtRegexGroup *mt_regex_group (const MtRegexText *t, size_t i)
{
   return (MtRegexGroup *) t->groups.p + i;
}

#endif
