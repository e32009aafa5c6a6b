/* Converts PostgreSQL's regular expressions (section 9.7.3 of its manual) to PCRE2's syntax. */
#ifndef MT_REGEX_SYNTAX_H
#define MT_REGEX_SYNTAX_H

#include "base/error.h"
#include "base/str.h"

typedef struct MtRegexFlags {
   uint32_t options; /* PCRE2's options */
   bool global;
   bool literal; /* the pattern is plain text without special characters */
   /* the pattern has the syntax of POSIX's extended expressions: no escapes, lookarounds or lazy
    * quantifiers */
   bool plain;
} MtRegexFlags;

/* Match preference: which of several possible matches wins, the longest or the shortest
 * (PostgreSQL's manual, section 9.7.3.5). NONE: undecided, no quantifier decides it. */
typedef enum MtTaste { MT_TASTE_NONE, MT_TASTE_LONG, MT_TASTE_SHORT } MtTaste;

/* A capture group of the translated pattern. */
typedef struct MtRegexGroup {
   /* the group's number in the user's pattern; 0: a (?:…) group, which is captured only to compare
    * the lengths of matches */
   unsigned number;
   bool shortest;
   bool repeated; /* this group or an enclosing group has a quantifier */
   bool choice;   /* the group has alternatives (|) */
} MtRegexGroup;

typedef struct MtRegexText {
   MtBuf pattern; /* in PCRE2's syntax */
   MtBuf groups;  /* of MtRegexGroup, in PCRE2's order */
   MtTaste taste;
   bool back_references;
   /* PCRE2's first match may differ from PostgreSQL's, because of alternatives, lazy quantifiers,
    * groups with quantifiers, or lookarounds */
   bool tricky;
} MtRegexText;

/* Parses a flags argument such as "gi" into *flags. Fails with 22023 for an unknown letter. */
bool mt_regex_flags (MtStr letters, MtRegexFlags *flags, MtError *err);
/* Converts a pattern to *out, which the caller frees by mt_regex_text_free. Options at the
 * pattern's beginning can change *flags. Fails with 2201B if the pattern is invalid. */
bool mt_regex_translate (MtStr pattern, MtRegexFlags *flags, MtRegexText *out, MtError *err);
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
