/* PCRE2's memory: with these contexts it is served as base/memory.h says, and an expression that needs much fails with the shortage recorded. */
#ifndef MT_PCRE_H
#define MT_PCRE_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

pcre2_general_context *mt_pcre_general (void); /* for match data and match contexts; lives as long as the process */
pcre2_compile_context *mt_pcre_compile (void);

#endif
