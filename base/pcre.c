#include "base/pcre.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pcre2_general_context *general;
static pcre2_compile_context *compile;

static void *allocate (PCRE2_SIZE size, void *ctx) { return mt_try_malloc ("regular expression", size); }

static void release (void *p, void *ctx) { free (p); }

static void make (void)
{
   general = pcre2_general_context_create (allocate, release, NULL);
   compile = pcre2_compile_context_create (general);
}

pcre2_general_context *mt_pcre_general (void)
{
   pthread_once (&once, make);
   return general;
}

pcre2_compile_context *mt_pcre_compile (void)
{
   pthread_once (&once, make);
   return compile;
}
