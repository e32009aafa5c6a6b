/* Reads the tokens of JSON text. The callers make the error messages. */
#ifndef MT_JSON_SCAN_H
#define MT_JSON_SCAN_H

#include "base/str.h"

#include <stdbool.h>

/* The text that is not read yet, from p to end. Borrowed. */
typedef struct MtJsonScan {
   const char *p, *end;
} MtJsonScan;

/* The reason why a string is not valid. The scan stops at the place named here. */
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
/* Reads the given word. Returns false without reading if the text does not continue with this
 * word. */
bool mt_json_scan_word (MtJsonScan *s, const char *word);
/* Reads a number by JSON's grammar. *out borrows the text. *integer is set if the number has
 * neither a fraction nor an exponent. On failure the scan stops at the first wrong character. */
bool mt_json_scan_number (MtJsonScan *s, MtStr *out, bool *integer);
/* Reads a string up to its closing quote. The scan must stand behind the opening quote. If the
 * string has no escapes, *out borrows the text. Otherwise the string is appended to `copy`, and
 * *out borrows from `copy`. */
MtJsonFault mt_json_scan_string (MtJsonScan *s, MtBuf *copy, MtStr *out);

/* Finds the end of an object or array whose bytes are given one by one. Zero-initialise it. */
typedef struct MtJsonExtent {
   size_t depth;
   bool in_string, escaped;
} MtJsonExtent;

/* Reads the next byte. Returns true if the byte is the bracket that closes the object or array. */
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
