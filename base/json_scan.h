/* Reads the tokens of JSON text. The callers make the error messages. */
#ifndef MT_JSON_SCAN_H
#define MT_JSON_SCAN_H

#include "base/str.h"

#include <stdbool.h>

/* The unread part of a text, from p to end. Borrowed. All functions below move p. */
typedef struct MtJsonScan {
   const char *p, *end;
} MtJsonScan;

/* Why a string is invalid. The comments tell where the scan then stops. */
typedef enum MtJsonFault {
   MT_JSON_OK,
   MT_JSON_UNTERMINATED, /* at the end of the text */
   MT_JSON_CONTROL,      /* at a control character that is not escaped */
   MT_JSON_ESCAPE,       /* behind the character that follows the backslash */
   MT_JSON_HEX,          /* \u without four hexadecimal digits */
   MT_JSON_ZERO,         /* \u0000 */
   MT_JSON_LOW_ALONE,    /* a low surrogate without a high one */
   MT_JSON_HIGH_ALONE,   /* a high surrogate that no \u follows */
   MT_JSON_LOW_HEX,      /* a high surrogate, then \u without four hexadecimal digits */
   MT_JSON_TWO_HIGH,     /* a high surrogate after another one */
   MT_JSON_NOT_LOW       /* a high surrogate, then another character */
} MtJsonFault;

void mt_json_scan_space (MtJsonScan *s);
/* Skips the word `word`. Returns false, and skips nothing, if the text does not continue with
 * it. */
bool mt_json_scan_word (MtJsonScan *s, const char *word);
/* Reads a number in JSON's syntax. *out borrows its text. Sets *integer if the number has neither a
 * fraction nor an exponent. If the number is invalid, returns false; the scan then stops at the
 * first wrong character. */
bool mt_json_scan_number (MtJsonScan *s, MtStr *out, bool *integer);
/* Reads a string from after its opening quote to its closing quote. If the string has no escapes,
 * *out borrows from the text. Otherwise the unescaped string is appended to `copy`, and *out
 * borrows from `copy`. */
MtJsonFault mt_json_scan_string (MtJsonScan *s, MtBuf *copy, MtStr *out);

/* Counts brackets to find the end of a JSON object or array whose bytes are passed one by one.
 * Zero-initialise it. */
typedef struct MtJsonExtent {
   size_t depth;
   bool in_string, escaped;
} MtJsonExtent;

/* Passes the next byte of the text. Returns true if it is the bracket that closes the object or
 * array. */
static inline bool mt_json_extent (MtJsonExtent *e, char c)
{
   if (e->in_string) {
      if (e->escaped)
         e->escaped = false;
      else if (c == '\\')
         e->escaped = true;
      else
         e->in_string = c != '"';
      return false;
   }
   if (c == '{' || c == '[')
      e->depth++;
   e->in_string = c == '"';
   return (c == '}' || c == ']') && --e->depth == 0;
}

#endif
