/* Regular expressions that mean the same to PostgreSQL, to PCRE2 and to Python, whose engines servers
 * use. Only whether a text matches counts, so the order of branches doesn't. */
#include "functions/text/pattern.h"

#include "base/str.h"

#include <ctype.h>
#include <string.h>

#define MAX_DEPTH 8
/* Each * or + multiplies the steps of a match by the text's length. */
#define MAX_UNBOUNDED 2

typedef struct Reader {
   MtStr p;
   size_t at;
   MtBuf *out;
   int depth, unbounded;
} Reader;

static int peek (const Reader *r) { return r->at < r->p.n ? (unsigned char) r->p.p[r->at] : -1; }

static void put_literal (MtBuf *out, int c)
{
   if (c < 0x80 && !isalnum (c) && c != '_' && c != ' ')
      mt_buf_addc (out, '\\');
   mt_buf_addc (out, (char) c);
}

/* Copies one character of a class. */
static bool class_char (Reader *r, int *c)
{
   *c = peek (r);
   if (*c < ' ' || *c >= 0x7f || strchr ("[]\\^-", *c))
      return false;
   r->at++;
   return true;
}

/* Copies [abc], [^abc] or [a-z]. Ranges are of digits or of letters of one case. */
static bool class_of (Reader *r)
{
   int c, last, n = 0;
   r->at++;
   mt_buf_addc (r->out, '[');
   if (peek (r) == '^') {
      mt_buf_addc (r->out, '^');
      r->at++;
   }
   for (; peek (r) != ']'; n++) {
      if (!class_char (r, &c))
         return false;
      put_literal (r->out, c);
      if (peek (r) != '-')
         continue;
      r->at++;
      if (!class_char (r, &last) || last < c ||
          !((isdigit (c) && isdigit (last)) || (islower (c) && islower (last)) ||
            (isupper (c) && isupper (last))))
         return false;
      mt_buf_printf (r->out, "-%c", last);
   }
   r->at++;
   mt_buf_addc (r->out, ']');
   return n > 0;
}

static bool branches (Reader *r, bool top);

/* Copies (…) as (?:…). */
static bool group (Reader *r)
{
   if (++r->depth > MAX_DEPTH)
      return false;
   r->at++;
   if (peek (r) == '?') {
      if (r->at + 1 >= r->p.n || r->p.p[r->at + 1] != ':')
         return false;
      r->at += 2;
   }
   mt_buf_adds (r->out, "(?:");
   if (!branches (r, false) || peek (r) != ')')
      return false;
   r->at++;
   r->depth--;
   mt_buf_addc (r->out, ')');
   return true;
}

/* Copies one atom. *repeats: a quantifier may follow, other than ?. */
static bool atom (Reader *r, bool *repeats)
{
   int c = peek (r);
   *repeats = true;
   if (c == '.') {
      r->at++;
      mt_buf_addc (r->out, '.');
      return true;
   }
   if (c == '[')
      return class_of (r);
   if (c == '(') {
      *repeats = false;
      return group (r);
   }
   if (c == '\\') {
      c = ++r->at < r->p.n ? (unsigned char) r->p.p[r->at] : 0;
      if (c >= 0x80 || !ispunct (c) || c == '_')
         return false;
   } else if (c < ' ' || strchr ("^$|*+?{})", c)) {
      return false;
   }
   r->at++;
   put_literal (r->out, c);
   for (; c >= 0x80 && (peek (r) & 0xc0) == 0x80; r->at++) {
      *repeats = false;
      mt_buf_addc (r->out, (char) peek (r));
   }
   return true;
}

/* Copies a quantifier *, + or ?, if there is one. */
static bool quantifier (Reader *r, bool repeats)
{
   int c = peek (r);
   if (c < 0 || !strchr ("*+?{", c))
      return true;
   if (c == '{' || (!repeats && c != '?'))
      return false;
   r->unbounded += c != '?';
   mt_buf_addc (r->out, (char) c);
   r->at++;
   c = peek (r);
   return (c < 0 || !strchr ("*+?{", c)) && r->unbounded <= MAX_UNBOUNDED;
}

/* Copies one branch, which isn't empty. Anchors are at the ends of branches of the whole. */
static bool branch (Reader *r, bool top)
{
   bool repeats, any = false;
   if (top && peek (r) == '^') {
      mt_buf_addc (r->out, '^');
      r->at++;
   }
   for (int c; (c = peek (r)) >= 0 && c != '|' && c != ')' && c != '$'; any = true)
      if (!atom (r, &repeats) || !quantifier (r, repeats))
         return false;
   if (top && peek (r) == '$') {
      mt_buf_adds (r->out, "\\z");
      r->at++;
   }
   return any;
}

static bool branches (Reader *r, bool top)
{
   if (!branch (r, top))
      return false;
   while (peek (r) == '|') {
      mt_buf_addc (r->out, '|');
      r->at++;
      if (!branch (r, top))
         return false;
   }
   return true;
}

const char *mt_regex_simple (MtArena *a, MtStr pattern)
{
   MtBuf out = {0};
   Reader r = {.p = pattern, .out = &out};
   const char *copy = NULL;
   if (pattern.n >= 3 && memcmp (pattern.p, "***", 3) == 0)
      return NULL;
   if (branches (&r, true) && r.at == pattern.n)
      copy = mt_strndup (a, out.p, out.n);
   mt_buf_free (&out);
   return copy;
}
