/* The operators with regular expressions. They use PCRE2, as mongod does. Each thread caches the
 * patterns that it compiled last. */
#include "engine/local/expr/op_int.h"
#include "engine/local/expr/regex.h"

#include <pthread.h>
#include <stdlib.h>

#define CACHED 16

typedef struct Compiled {
   char *key; /* what identifies the compiled pattern: options, NUL, pattern */
   size_t key_len;
   MtPcre pcre;
   uint64_t used;
} Compiled;

typedef struct Cache {
   Compiled slots[CACHED];
   uint64_t clock;
} Cache;

static pthread_key_t cache_key;
static pthread_once_t cache_once = PTHREAD_ONCE_INIT;

static void drop (Compiled *c)
{
   free (c->key);
   mt_pcre_free (&c->pcre);
   *c = (Compiled) {0};
}

static void free_cache (void *p)
{
   Cache *cache = p;
   for (int i = 0; i < CACHED; i++)
      drop (&cache->slots[i]);
   free (cache);
}

/* Frees the main thread's cached patterns at the end of the process, because exit() does not run
 * the destructors of thread-specific data. */
static void free_main_cache (void)
{
   Cache *cache = pthread_getspecific (cache_key);
   if (cache) {
      pthread_setspecific (cache_key, NULL);
      free_cache (cache);
   }
}

static void make_key (void)
{
   pthread_key_create (&cache_key, free_cache);
   atexit (free_main_cache);
}

static Cache *thread_cache (void)
{
   pthread_once (&cache_once, make_key);
   Cache *cache = pthread_getspecific (cache_key);
   if (!cache) {
      cache = mt_calloc ("regular expressions", 1, sizeof *cache);
      pthread_setspecific (cache_key, cache);
   }
   return cache;
}

static Compiled *find (MtEval *ev, const char *name, MtStr pattern, MtStr options)
{
   Cache *cache = thread_cache ();
   size_t n = options.n + 1 + pattern.n;
   Compiled *oldest = &cache->slots[0];
   for (int i = 0; i < CACHED; i++) {
      Compiled *c = &cache->slots[i];
      if (c->key && c->key_len == n && memcmp (c->key, options.p, options.n) == 0 &&
          c->key[options.n] == 0 && memcmp (c->key + options.n + 1, pattern.p, pattern.n) == 0) {
         c->used = ++cache->clock;
         return c;
      }
      if (c->used < oldest->used)
         oldest = c;
   }
   drop (oldest);
   if (!mt_regex_new (&oldest->pcre, name, pattern, options, ev->err)) {
      drop (oldest);
      return NULL;
   }
   oldest->key = malloc (n + 1);
   if (oldest->key) {
      memcpy (oldest->key, options.p, options.n);
      oldest->key[options.n] = 0;
      memcpy (oldest->key + options.n + 1, pattern.p, pattern.n);
      oldest->key_len = n;
   }
   oldest->used = ++cache->clock;
   return oldest;
}

/* Reads the arguments of $regexMatch, $regexFind or $regexFindAll (`name`), and compiles the
 * pattern. *c is NULL if an argument is null. */
static bool prepare (MtEval *ev, const char *name, const MtVal *args, MtStr *input, Compiled **c)
{
   MtStr pattern = MT_STR (""), options = MT_STR ("");
   *c = NULL;
   if (!mt_is_nullish (args[0]) && args[0].type != MT_STRING)
      return MT_OP_FAIL (MT_E_PARAMETER, 51104, "%s needs 'input' to be of type string", name);
   if (args[1].type == MT_REGEX) {
      pattern = mt_str ((const char *) args[1].p);
      options = mt_str (pattern.p + pattern.n + 1);
   } else if (args[1].type == MT_STRING)
      pattern = (MtStr) {(const char *) args[1].p, args[1].len};
   else if (!mt_is_nullish (args[1]))
      return MT_OP_FAIL (MT_E_PARAMETER, 51105, "%s needs 'regex' to be of type string or regex",
                         name);
   if (args[2].type == MT_STRING) {
      if (options.n)
         return MT_OP_FAIL (
            MT_E_PARAMETER, 51107,
            "%s: found regex option(s) specified in both 'regex' and 'option' fields", name);
      options = (MtStr) {(const char *) args[2].p, args[2].len};
   } else if (!mt_is_nullish (args[2]))
      return MT_OP_FAIL (MT_E_PARAMETER, 51106, "%s needs 'options' to be of type string", name);
   if (mt_is_nullish (args[0]) || mt_is_nullish (args[1]))
      return true;
   *input = args[0].len ? (MtStr) {(const char *) args[0].p, args[0].len} : MT_STR ("");
   *c = find (ev, name, pattern, options.n ? options : MT_STR (""));
   return *c != NULL;
}

/* Searches s for the next match, from byte `from` on. Sets *found if there is one; c then has the
 * positions of its groups. */
static bool match (MtEval *ev, const char *name, Compiled *c, MtStr s, size_t from, bool *found)
{
   MtPcreWatch watch = {.cancel = ev->cancel, .err = ev->err};
   return mt_regex_ended (mt_pcre_match (&c->pcre, s, from, 0, &watch), name, found, ev->err);
}

bool mt_op_regex_match (MT_OP_ARGS)
{
   MtStr s;
   Compiled *c;
   bool found = false;
   if (!prepare (ev, "$regexMatch", args, &s, &c) ||
       (c && !mt_regex_test (&c->pcre, "$regexMatch", s, ev, &found)))
      return false;
   return mt_op_put (out, mt_v_bool (found));
}

/* Makes *out the document {match, idx, captures} of the last match. */
static bool describe (MtEval *ev, Compiled *c, MtStr s, MtVal *out)
{
   static const MtStr keys[] = {{"match", 5}, {"idx", 3}, {"captures", 8}};
   const PCRE2_SIZE *at = pcre2_get_ovector_pointer (c->pcre.match);
   uint32_t groups = 0;
   pcre2_pattern_info (c->pcre.code, PCRE2_INFO_CAPTURECOUNT, &groups);
   MtVal *captured = MT_NEW_N (ev->arena, MtVal, groups), vals[3];
   for (uint32_t i = 0; i < groups; i++) {
      PCRE2_SIZE from = at[2 * i + 2], to = at[2 * i + 3];
      captured[i] = from == PCRE2_UNSET ? mt_v_null () : mt_v_str (s.p + from, to - from);
   }
   vals[0] = mt_v_str (s.p + at[0], at[1] - at[0]);
   vals[1] = mt_v_int32 ((int32_t) mt_utf8_length (s.p, at[0]));
   return mt_v_make_array (ev->arena, captured, groups, &vals[2], ev->err) &&
          mt_v_make_doc (ev->arena, keys, vals, 3, out, ev->err);
}

bool mt_op_regex_find (MT_OP_ARGS)
{
   MtStr s;
   Compiled *c;
   bool found = false;
   if (!prepare (ev, "$regexFind", args, &s, &c) ||
       (c && !match (ev, "$regexFind", c, s, 0, &found)))
      return false;
   return found ? describe (ev, c, s, out) : mt_op_null (out);
}

bool mt_op_regex_find_all (MT_OP_ARGS)
{
   MtStr s;
   Compiled *c;
   if (!prepare (ev, "$regexFindAll", args, &s, &c))
      return false;
   MtVal *all = NULL;
   size_t n = 0, cap = 0, from = 0;
   for (bool found; c && (from < s.n || n == 0);
        /* An empty match at the end of the text counts only if the text is empty. */
        n++) {
      if (!match (ev, "$regexFindAll", c, s, from, &found))
         return false;
      if (!found)
         break;
      if (n == cap) {
         MtVal *more = MT_TRY_NEW_N (ev->arena, MtVal, cap ? 2 * cap : 8);
         if (!more)
            return mt_memory_check (ev->err);
         memcpy (more, all ? all : more, n * sizeof *more);
         all = more;
         cap = cap ? 2 * cap : 8;
      }
      if (!describe (ev, c, s, &all[n]))
         return false;
      const PCRE2_SIZE *at = pcre2_get_ovector_pointer (c->pcre.match);
      from = at[1];
      if (at[1] == at[0]) /* after an empty match, continue behind the next character */
         do
            from++;
         while (from < s.n && ((unsigned char) s.p[from] & 0xC0) == 0x80);
   }
   return mt_v_make_array (ev->arena, all, n, out, ev->err);
}
