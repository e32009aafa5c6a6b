/* PostgreSQL's regular expressions (the manual's 9.7.3) as PCRE2's. */
#ifndef MT_REGEX_SYNTAX_H
#define MT_REGEX_SYNTAX_H

#include "base/error.h"
#include "base/str.h"

typedef struct MtRegexFlags {
   uint32_t options; /* PCRE2's */
   bool global;
   bool literal; /* no character is special */
   bool plain;   /* POSIX's extended expressions: no escapes, lookarounds and lazy quantifiers */
} MtRegexFlags;

/* Which of several matches is taken; by the manual's 9.7.3.5. */
typedef enum MtTaste { MT_TASTE_NONE, MT_TASTE_LONG, MT_TASTE_SHORT } MtTaste;

/* A group that PCRE2 captures. */
typedef struct MtRegexGroup {
   unsigned number; /* the user's; 0: "(?:", captured because its extent decides between matches */
   bool shortest;
   bool repeated; /* it or what it is in */
   bool choice;   /* it has alternatives */
} MtRegexGroup;

typedef struct MtRegexText {
   MtBuf pattern; /* PCRE2's */
   MtBuf groups;  /* of MtRegexGroup, in PCRE2's order */
   MtTaste taste;
   bool back_references;
   bool tricky; /* PCRE2's first match may be another than the longest: alternatives, lazy
                   quantifiers, quantified groups, lookarounds */
} MtRegexText;

/* Letters as the functions' flags have them. 22023. */
bool mt_regex_flags (MtStr letters, MtRegexFlags *flags, MtError *err);
/* 2201B; flags: changed by what the pattern begins with. The caller frees *out. */
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
