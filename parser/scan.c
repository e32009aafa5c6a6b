/* Finds the end of a statement in a text by psql's rules. */
#include "parser/lexer_int.h"

#include <string.h>
#include <strings.h>

static MtScanState state_of (MtRawToken r)
{
   switch (r.kind) {
   case MT_RAW_QUOTED: return MT_SCAN_DOUBLE_QUOTE;
   case MT_RAW_DOLLAR: return MT_SCAN_DOLLAR_QUOTE;
   case MT_RAW_COMMENT: return MT_SCAN_COMMENT;
   case MT_RAW_STRING:
   case MT_RAW_ESTRING:
   case MT_RAW_BITS:
   case MT_RAW_UNICODE:
   case MT_RAW_END:
   case MT_RAW_IDENT:
   case MT_RAW_INTEGER:
   case MT_RAW_DECIMAL:
   case MT_RAW_PARAM:
   case MT_RAW_OPERATOR:
   case MT_RAW_PUNCT:
   case MT_RAW_JUNK: break;
   }
   return MT_SCAN_SINGLE_QUOTE;
}

/* State for recognizing CREATE [OR REPLACE] FUNCTION | PROCEDURE … BEGIN ATOMIC …; END. A ';'
 * between BEGIN and END does not end the statement. */
typedef struct Body {
   int words;    /* number of words read so far; only the first four are counted */
   bool creates; /* the first words are CREATE [OR REPLACE], so FUNCTION or PROCEDURE may follow */
   bool routine;
   size_t depth; /* number of BEGIN and CASE that are not yet closed by END */
} Body;

static void see_word (Body *b, const char *p, size_t n)
{
   static const char *const begin[] = {"create", "or", "replace"};
   bool is_routine = n == 8 ? strncasecmp (p, "function", n) == 0
                            : n == 9 && strncasecmp (p, "procedure", n) == 0;
   if (b->routine) {
      bool opens = (n == 5 && strncasecmp (p, "begin", n) == 0) ||
                   (b->depth && n == 4 && strncasecmp (p, "case", n) == 0);
      b->depth += opens;
      b->depth -= b->depth && n == 3 && strncasecmp (p, "end", n) == 0;
   } else if (b->words < 4) {
      bool next = b->words < 3 && n == strlen (begin[b->words]) &&
                  strncasecmp (p, begin[b->words], n) == 0 && (b->words == 0 || b->creates);
      b->routine = is_routine && b->creates && (b->words == 1 || b->words == 3);
      b->creates = next;
      b->words++;
   }
}

bool mt_scan_statement (const char *text, size_t len, size_t *end, MtScanState *state)
{
   size_t pos = 0, parens = 0;
   Body body = {0};
   bool any = false;
   if (len > INT32_MAX)
      len = INT32_MAX;
   for (;;) {
      MtRawToken r = mt_lex_raw (text, len, pos);
      if (r.open) {
         *state = state_of (r);
         return false;
      }
      if (r.kind == MT_RAW_END) {
         *state = MT_SCAN_READY;
         if (any)
            *state = parens ? MT_SCAN_PAREN : MT_SCAN_CONTINUE;
         return false;
      }
      if (r.kind == MT_RAW_PUNCT) {
         char c = text[r.start];
         if (c == '(')
            parens++;
         if (c == ')' && parens)
            parens--;
         if (c == ';' && !parens && !body.depth) {
            *end = r.end;
            *state = MT_SCAN_READY;
            return true;
         }
      }
      if (r.kind == MT_RAW_IDENT && !parens)
         see_word (&body, text + r.start, r.end - r.start);
      any = true;
      pos = r.end;
   }
}

bool mt_scan_next (const char *text, size_t len, size_t *at, size_t *end)
{
   size_t n;
   MtScanState state;
   for (*at = *end; *at < len; *at = *end) {
      bool whole = mt_scan_statement (text + *at, len - *at, &n, &state);
      if (!whole && state == MT_SCAN_READY)
         return false;
      *end = whole ? *at + n : len;
      if (!whole || mt_lex_raw (text + *at, n - 1, 0).kind != MT_RAW_END)
         return true;
   }
   return false;
}
