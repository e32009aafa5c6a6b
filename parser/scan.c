/* Where a statement ends, as psql decides it. */
#include "parser/lexer_int.h"

static MtScanState state_of (MtRaw r)
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

bool mt_scan_statement (const char *text, size_t len, size_t *end, MtScanState *state)
{
   size_t pos = 0, parens = 0;
   bool any = false;
   if (len > INT32_MAX) len = INT32_MAX;
   for (;;) {
      MtRaw r = mt_lex_raw (text, len, pos);
      if (r.open) {
         *state = state_of (r);
         return false;
      }
      if (r.kind == MT_RAW_END) {
         *state = !any ? MT_SCAN_READY : parens ? MT_SCAN_PAREN : MT_SCAN_CONTINUE;
         return false;
      }
      if (r.kind == MT_RAW_PUNCT) {
         char c = text[r.start];
         if (c == '(') parens++;
         if (c == ')' && parens) parens--;
         if (c == ';' && !parens) {
            *end = r.end;
            *state = MT_SCAN_READY;
            return true;
         }
      }
      any = true;
      pos = r.end;
   }
}
