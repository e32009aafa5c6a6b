/* Translates PostgreSQL's regular expressions (section 9.7.3 of its manual) to PCRE2 syntax. */
#ifndef MT_REGEX_SYNTAX_H
#define MT_REGEX_SYNTAX_H

#include "base/error.h"
#include "base/str.h"

typedef struct MtRegexFlags {
   uint32_t options; /* PCRE2's options */
   bool global;
   bool literal; /* the pattern is plain text without special characters */
   /* POSIX's extended expressions: without escapes, lookarounds and lazy quantifiers. */
   bool plain;
} MtRegexFlags;

/* Which match wins: the longest, the shortest, or not decided (PostgreSQL manual, section
 * 9.7.3.5). */
typedef enum MtTaste { MT_TASTE_NONE, MT_TASTE_LONG, MT_TASTE_SHORT } MtTaste;

/* A capture group of the translated pattern. */
typedef struct MtRegexGroup {
   /* The group's number in the original pattern. 0: a "(?:" group, captured to compare match
    * lengths. */
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
   /* PCRE2's first match may not be the one PostgreSQL takes, because of alternatives, lazy
    * quantifiers, quantified groups or lookarounds. */
   bool tricky;
} MtRegexText;

/* Parses a flags argument such as "gi". Fails with 22023 if a letter is unknown. */
bool mt_regex_flags (MtStr letters, MtRegexFlags *flags, MtError *err);
/* Translates a pattern into *out, which the caller frees with mt_regex_text_free. Options at the
 * pattern's start may change *flags. Fails with 2201B if the pattern is invalid. */
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
