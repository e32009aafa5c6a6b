#include "base/pcre.h"

#include "base/cancel.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Texts of at most SHORT_TEXT bytes are first searched without checks for cancel. At each position
 * where a match may start, PCRE2 then takes at most FEW_STEPS steps. If this limit is exceeded, the
 * search is repeated with checks. */
#define SHORT_TEXT 500
#define FEW_STEPS 5000

#define STEPS_PER_POLL 1024 /* the number of callouts, some 20 ns each, between two polls */
#define MANY_STEPS 1000000  /* steps at one position of the text, before a DFA repeats the search */
#define MAX_WORKSPACE (1 << 20) /* the largest workspace of one DFA match, in ints */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pcre2_general_context *general;
static pcre2_compile_context *compile;
static pcre2_match_context *few_steps;

static void *allocate (PCRE2_SIZE size, void *ctx)
{
   return mt_try_malloc ("regular expression", size);
}

static void release (void *p, void *ctx) { free (p); }

static void make (void)
{
   general = pcre2_general_context_create (allocate, release, NULL);
   compile = pcre2_compile_context_create (general);
   few_steps = pcre2_match_context_create (general);
   if (few_steps)
      pcre2_set_match_limit (few_steps, FEW_STEPS);
}

static pcre2_general_context *general_context (void)
{
   pthread_once (&once, make);
   return general;
}

static pcre2_compile_context *compile_context (void)
{
   pthread_once (&once, make);
   return compile;
}

static pcre2_code *compiled (const MtPcre *p, uint32_t options, int *code, size_t *at)
{
   PCRE2_SIZE where = 0;
   const char *pattern = p->pattern_len ? p->pattern : "";
   pcre2_code *c = pcre2_compile ((PCRE2_SPTR) pattern, p->pattern_len, options, code, &where,
                                  compile_context ());
   *at = where;
   return c;
}

int mt_pcre_new (MtPcre *p, MtStr pattern, uint32_t options, size_t *at)
{
   int error = PCRE2_ERROR_NOMEMORY, code;
   *p = (MtPcre) {.pattern_len = pattern.n, .options = options};
   p->pattern = mt_try_malloc ("regular expression", pattern.n + 1);
   if (p->pattern && pattern.n)
      memcpy (p->pattern, pattern.p, pattern.n);
   if (p->pattern && !(p->code = compiled (p, p->options, &code, at)))
      error = code;
   p->match = p->code ? pcre2_match_data_create_from_pattern (p->code, general_context ()) : NULL;
   if (p->match)
      return 0;
   mt_pcre_free (p);
   return error;
}

void mt_pcre_free (MtPcre *p)
{
   pcre2_code_free (p->code);
   pcre2_code_free (p->watched);
   pcre2_code_free (p->exact);
   pcre2_match_data_free (p->match);
   free (p->pattern);
   *p = (MtPcre) {0};
}

/* The callout function, which PCRE2 calls between two items of the pattern. It checks for cancel
 * from time to time. For callouts written in the pattern, it calls w->at_callout. */
static int look (pcre2_callout_block *b, void *ctx)
{
   MtPcreWatch *w = ctx;
   if (b->callout_number != 255)
      return w->at_callout ? w->at_callout (b, w->ctx) : 0;
   if (++w->polls % STEPS_PER_POLL)
      return 0;
   return mt_cancel_check (w->cancel, w->err) ? 0 : PCRE2_ERROR_CALLOUT;
}

/* Returns p->watched, the pattern compiled with callouts. Compiles it at the first call. NULL:
 * memory is exhausted. */
static pcre2_code *watched (MtPcre *p)
{
   int code;
   size_t at, jit = 0;
   if (p->watched)
      return p->watched;
   p->watched = compiled (p, p->options | PCRE2_AUTO_CALLOUT, &code, &at);
   if (p->watched && pcre2_pattern_info (p->code, PCRE2_INFO_JITSIZE, &jit) == 0 && jit)
      pcre2_jit_compile (p->watched, PCRE2_JIT_COMPLETE);
   return p->watched;
}

/* Returns the compiled pattern to use for a DFA search. NULL: memory is exhausted. */
static pcre2_code *for_dfa (MtPcre *p, bool is_short)
{
   int code;
   size_t at;
   if (!(p->options & PCRE2_MATCH_INVALID_UTF))
      return is_short ? p->code : watched (p);
   if (!p->exact)
      p->exact = compiled (p, (p->options & ~PCRE2_MATCH_INVALID_UTF) | PCRE2_AUTO_CALLOUT, &code,
                           &at);
   return p->exact;
}

/* Makes a PCRE2 match context whose callout function is `look`. NULL: memory is exhausted. */
static pcre2_match_context *context_of (MtPcreWatch *w)
{
   pcre2_match_context *context = pcre2_match_context_create (general_context ());
   if (!context)
      return NULL;
   pcre2_set_callout (context, look, w);
   if (w->most_steps)
      pcre2_set_match_limit (context, w->most_steps);
   return context;
}

/* Calls pcre2_match. If the stack of the JIT code is too small, calls it again without the JIT. */
static int search (const MtPcre *p, const pcre2_code *code, MtStr text, size_t from,
                   uint32_t options, pcre2_match_context *context)
{
   PCRE2_SPTR s = (PCRE2_SPTR) text.p;
   int rc = pcre2_match (code, s, text.n, from, options, p->match, context);
   if (rc != PCRE2_ERROR_JIT_STACKLIMIT)
      return rc;
   return pcre2_match (code, s, text.n, from, options | PCRE2_NO_JIT, p->match, context);
}

int mt_pcre_match (MtPcre *p, MtStr text, size_t from, uint32_t options, MtPcreWatch *w)
{
   if (text.n - from <= SHORT_TEXT && !w->at_callout) {
      int rc = search (p, p->code, text, from, options, few_steps);
      if (rc != PCRE2_ERROR_MATCHLIMIT)
         return rc;
   }
   const pcre2_code *code = watched (p);
   pcre2_match_context *context = code ? context_of (w) : NULL;
   int rc = context ? search (p, code, text, from, options, context) : PCRE2_ERROR_NOMEMORY;
   pcre2_match_context_free (context);
   return rc;
}

int mt_pcre_dfa_match (MtPcre *p, MtStr text, size_t from, uint32_t options, MtPcreWatch *w)
{
   int rc, few[1000], *more = NULL;
   bool is_short = text.n - from <= SHORT_TEXT;
   const pcre2_code *code = for_dfa (p, is_short);
   pcre2_match_context *context = code && !is_short ? context_of (w) : NULL;
   if (!code || (!is_short && !context))
      return PCRE2_ERROR_NOMEMORY;
   rc = pcre2_dfa_match (code, (PCRE2_SPTR) text.p, text.n, from, options, p->match, context, few,
                         sizeof few / sizeof *few);
   for (size_t n = 8000; rc == PCRE2_ERROR_DFA_WSSIZE && n <= MAX_WORKSPACE; n *= 8) {
      free (more);
      more = mt_try_malloc ("regular expression", n * sizeof *more);
      rc = more ? pcre2_dfa_match (code, (PCRE2_SPTR) text.p, text.n, from, options, p->match,
                                   context, more, n)
                : PCRE2_ERROR_NOMEMORY;
   }
   free (more);
   pcre2_match_context_free (context);
   return rc;
}

int mt_pcre_test (MtPcre *p, MtStr text, MtPcreWatch *w)
{
   w->most_steps = p->any_order ? MANY_STEPS : 0;
   int rc = mt_pcre_match (p, text, 0, 0, w);
   if (rc != PCRE2_ERROR_MATCHLIMIT || !p->any_order)
      return rc;
   rc = mt_pcre_dfa_match (p, text, 0, 0, w);
   if (rc >= PCRE2_ERROR_NOMATCH || rc == PCRE2_ERROR_CALLOUT || rc == PCRE2_ERROR_NOMEMORY)
      return rc;
   w->most_steps = 0;
   return mt_pcre_match (p, text, 0, 0, w);
}
