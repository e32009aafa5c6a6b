/* Recognizes regular expressions that mean the same in PostgreSQL, in PCRE2 and in Python, whose
 * engines servers use. Only whether a text matches is compared, so the order of alternatives does
 * not matter. */
#include "functions/text/pattern.h"

#include "base/str.h"

#include <ctype.h>
#include <string.h>

#define MAX_DEPTH 8
/* The maximum number of * and +, because each one can multiply the steps of a match by the length
 * of the text. */
#define MAX_UNBOUNDED 2

/* Beside the other case, PCRE2 takes these characters for the letters s and k. */
#define LONG_S "\xc5\xbf"
#define KELVIN "\xe2\x84\xaa"

typedef struct Reader {
   MtStr p;
   size_t at;
   MtBuf *out;
   int depth, unbounded;
   bool caseless; /* letters of both cases are written, instead of an option of the server's */
} Reader;

static int peek (const Reader *r) { return r->at < r->p.n ? (unsigned char) r->p.p[r->at] : -1; }

static void put_literal (MtBuf *out, int c)
{
   if (c < 0x80 && !isalnum (c) && c != '_' && c != ' ')
      mt_buf_addc (out, '\\');
   mt_buf_addc (out, (char) c);
}

/* Reads one literal character of a bracket expression. Returns false if it has a special
 * meaning. */
static bool class_char (Reader *r, int *c)
{
   *c = peek (r);
   if (*c < ' ' || *c >= 0x7f || strchr ("[]\\^-", *c))
      return false;
   r->at++;
   return true;
}

/* A class that is being read: its members in the server's syntax. */
typedef struct Class {
   MtBuf members;
   bool negated, s, k; /* s, k: it has this letter, of any case */
} Class;

/* Adds a character, or a range of digits or of letters of one case. */
static void add_range (const Reader *r, Class *to, int first, int last)
{
   put_literal (&to->members, first);
   if (last != first)
      mt_buf_printf (&to->members, "-%c", last);
   if (!r->caseless || !isalpha (first))
      return;
   int other = first ^ ('a' ^ 'A'), end = last ^ ('a' ^ 'A');
   mt_buf_addc (&to->members, (char) other);
   if (last != first)
      mt_buf_printf (&to->members, "-%c", end);
   to->s |= tolower (first) <= 's' && tolower (last) >= 's';
   to->k |= tolower (first) <= 'k' && tolower (last) >= 'k';
}

/* Writes a class, and frees its members. */
static void put_class (Reader *r, Class *c)
{
   mt_buf_addc (&c->members, 0);
   const char *more = c->k ? KELVIN : "", *s = c->s ? LONG_S : "", *or = c->s && c->k ? "|" : "";
   if (!c->s && !c->k)
      mt_buf_printf (r->out, "[%s%s]", c->negated ? "^" : "", c->members.p);
   else if (c->negated)
      mt_buf_printf (r->out, "(?:(?!%s%s%s)[^%s])", s, or, more, c->members.p);
   else
      mt_buf_printf (r->out, "(?:[%s]|%s%s%s)", c->members.p, s, or, more);
   mt_buf_free (&c->members);
}

/* Reads the members of a class, and its end. */
static bool members (Reader *r, Class *to)
{
   int c, last, n = 0;
   for (; peek (r) != ']'; n++) {
      if (!class_char (r, &c))
         return false;
      last = c;
      if (peek (r) == '-') {
         r->at++;
         if (!class_char (r, &last) || last < c ||
             !((isdigit (c) && isdigit (last)) || (islower (c) && islower (last)) ||
               (isupper (c) && isupper (last))))
            return false;
      }
      add_range (r, to, c, last);
   }
   r->at++;
   return n > 0;
}

/* Copies [abc], [^abc] or [a-z]. Ranges are of digits or of letters of one case. */
static bool class_of (Reader *r)
{
   Class c = {0};
   r->at++;
   if (peek (r) == '^') {
      c.negated = true;
      r->at++;
   }
   if (members (r, &c)) {
      put_class (r, &c);
      return true;
   }
   mt_buf_free (&c.members);
   return false;
}

static bool branches (Reader *r, bool top);

/* Copies a group (…), as (?:…). */
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

/* Copies one atom: a character, a class or a group. *repeats is true if * or + may follow (after a
 * group only ? may). */
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
   if (r->caseless && (c >= 0x80 || isalpha (c))) {
      Class both = {0};
      if (c >= 0x80)
         return false;
      add_range (r, &both, c, c);
      put_class (r, &both);
      return true;
   }
   put_literal (r->out, c);
   for (; c >= 0x80 && (peek (r) & 0xc0) == 0x80; r->at++) {
      *repeats = false;
      mt_buf_addc (r->out, (char) peek (r));
   }
   return true;
}

/* Copies a quantifier *, + or ?, if there is one. Returns false if another quantifier or too many
 * of them follow. */
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

/* Copies one alternative, which must not be empty. Only the alternatives of the whole pattern
 * (`top`) may have anchors, at their ends. */
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

const char *mt_regex_simple (MtArena *a, MtStr pattern, bool caseless)
{
   MtBuf out = {0};
   Reader r = {.p = pattern, .out = &out, .caseless = caseless};
   const char *copy = NULL;
   if (pattern.n >= 3 && memcmp (pattern.p, "***", 3) == 0)
      return NULL;
   if (branches (&r, true) && r.at == pattern.n)
      copy = mt_strndup (a, out.p, out.n);
   mt_buf_free (&out);
   return copy;
}
