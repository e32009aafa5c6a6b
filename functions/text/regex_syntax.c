/* Parses a PostgreSQL pattern once, and writes it in PCRE2's syntax. Syntax that PCRE2 would read
 * differently is an error. */
#include "base/pcre.h"
#include "functions/text/regex_syntax.h"

#include <ctype.h>
#include <string.h>

#define MAX_NESTING 200
#define MAX_REPETITIONS 255

typedef struct Source {
   MtError *err;
   const char *p, *end;
   bool expanded, plain;
   bool stops; /* "." and negated brackets match no newline */
   int depth, lookarounds;
   unsigned groups; /* number of the user's groups that were opened */
   /* for each group of the user's pattern, its number in PCRE2's pattern (an array of unsigned); 0
    * until the group is closed */
   MtBuf closed;
   MtRegexText *to;
} Source;

static bool wrong (Source *s, const char *why)
{
   return mt_error (s->err, MT_E_REGULAR_EXPRESSION, "invalid regular expression: %s", why);
}

static bool at (const Source *s, const char *chars)
{
   return s->p < s->end && strchr (chars, *s->p) && *s->p;
}

/* ---- escapes ---- */

static bool code_point (Source *s, unsigned base, int least, int most)
{
   unsigned long c = 0;
   int n = 0;
   for (; n < most && s->p < s->end; n++, s->p++) {
      int d = mt_hex_digit (*s->p);
      if (d < 0 || (unsigned) d >= base)
         break;
      c = c > 0x10ffff ? c : c * base + (unsigned) d;
   }
   if (n < least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
      return wrong (s, "invalid escape \\ sequence");
   mt_buf_printf (&s->to->pattern, "\\x{%lx}", c);
   return true;
}

/* Reads an octal escape, up to three digits from s->p on, and writes the character. */
static bool octal (Source *s)
{
   const char *from = s->p;
   unsigned c = 0;
   while (s->p < s->end && s->p - from < 3 && *s->p >= '0' && *s->p <= '7' &&
          c * 8 + (unsigned) (*s->p - '0') <= 0xff)
      c = c * 8 + (unsigned) (*s->p++ - '0');
   if (s->p == from)
      return wrong (s, "invalid escape \\ sequence");
   mt_buf_printf (&s->to->pattern, "\\x{%x}", c);
   return true;
}

static unsigned *closed (Source *s, unsigned group) { return (unsigned *) s->closed.p + group - 1; }

static bool back_reference (Source *s, unsigned group)
{
   unsigned number = group <= s->groups ? *closed (s, group) : 0;
   if (s->lookarounds || !number)
      return wrong (s, "invalid backreference number");
   s->to->back_references = true;
   mt_buf_printf (&s->to->pattern, "(?:\\g{%u})", number);
   return true;
}

/* Converts a backslash and digits: to a back reference if it has one digit or a group with this
 * number exists, otherwise to the character with this octal code. */
static bool numbered (Source *s, bool in_brackets)
{
   const char *from = s->p, *q = from;
   unsigned n = 0;
   while (q < s->end && isdigit ((unsigned char) *q) && n < 100000)
      n = n * 10 + (unsigned) (*q++ - '0');
   if (in_brackets || *from == '0' || (q - from > 1 && n > s->groups))
      return octal (s);
   s->p = q;
   return back_reference (s, n);
}

static const char *word_bound (char c)
{
   switch (c) {
   case 'm':
   case '<': return "\\b(?=\\w)";
   case 'M':
   case '>': return "\\b(?<=\\w)";
   case 'y': return "\\b";
   case 'Y': return "\\B";
   case 'A': return "\\A";
   case 'Z': return "\\z";
   default: return NULL;
   }
}

/* Converts an escape; s->p is behind the backslash. */
static bool escape (Source *s, bool in_brackets)
{
   if (s->p == s->end)
      return wrong (s, "invalid escape \\ sequence");
   char c = *s->p++;
   if (!isalnum ((unsigned char) c) || s->plain || strchr ("adDefnrsStvwW", c)) {
      const char *keep = c == 'v' ? "\\x0b" : "\\%c";
      if (isalnum ((unsigned char) c) && s->plain)
         keep = "%c";
      mt_buf_printf (&s->to->pattern, keep, c);
      return true;
   }
   const char *bound = in_brackets ? NULL : word_bound (c);
   if (bound) {
      mt_buf_adds (&s->to->pattern, bound);
      s->to->tricky = true;
      return true;
   }
   switch (c) {
   case 'b': mt_buf_adds (&s->to->pattern, "\\x08"); return true;
   case 'B': mt_buf_adds (&s->to->pattern, "\\\\"); return true;
   case 'u': return code_point (s, 16, 4, 4);
   case 'U': return code_point (s, 16, 8, 8);
   case 'x': return code_point (s, 16, 1, 255);
   case 'c':
      if (s->p == s->end)
         return wrong (s, "invalid escape \\ sequence");
      mt_buf_printf (&s->to->pattern, "\\x{%x}", *s->p++ & 31);
      return true;
   default:
      s->p--;
      return isdigit ((unsigned char) c) ? numbered (s, in_brackets)
                                         : wrong (s, "invalid escape \\ sequence");
   }
}

/* ---- brackets ---- */

static bool known_class (const char *p, size_t n)
{
   static const char *const names[] = {"alnum", "alpha",  "blank", "cntrl", "digit",
                                       "graph", "lower",  "print", "punct", "space",
                                       "upper", "xdigit", "word"};
   for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (strlen (names[i]) == n && memcmp (names[i], p, n) == 0)
         return true;
   return false;
}

/* Converts [:alpha:], [.a.] or [=a=] in a bracket expression. *range is true if it may begin or end
 * a range. */
static bool named (Source *s, bool *range)
{
   char kind = s->p[1];
   const char *name = s->p + 2, *q = name;
   while (q + 1 < s->end && !(q[0] == kind && q[1] == ']'))
      q++;
   if (q + 1 >= s->end)
      return wrong (s, "brackets [] not balanced");
   size_t n = (size_t) (q - name);
   *range = kind == '.';
   if (kind == ':' && !known_class (name, n))
      return wrong (s, "invalid character class");
   if (kind == ':')
      mt_buf_printf (&s->to->pattern, "[:%.*s:]", (int) n, name);
   else if (mt_utf8_length (name, n) != 1)
      return wrong (s, "invalid collating element");
   else
      mt_buf_printf (&s->to->pattern, isalnum ((unsigned char) *name) ? "%.*s" : "\\%.*s", (int) n,
                     name);
   s->p = q + 2;
   return true;
}

/* Converts one element of a bracket expression: a character, an escape or a named class. *range is
 * true if it may begin or end a range. */
static bool element (Source *s, bool *range)
{
   char c = *s->p;
   *range = true;
   if (c == '[' && s->p + 1 < s->end && strchr (":.=", s->p[1]))
      return named (s, range);
   s->p++;
   if (c == '\\' && !s->plain) {
      *range = !at (s, "dDsSwW");
      return escape (s, true);
   }
   if (strchr ("[]\\^-", c))
      mt_buf_addc (&s->to->pattern, '\\');
   mt_buf_addc (&s->to->pattern, c);
   while (s->p < s->end && (*s->p & 0xC0) == 0x80)
      mt_buf_addc (&s->to->pattern, *s->p++);
   return true;
}

/* Returns whether a "-" in a bracket expression forms a range, as in [a-z]. The last character in
 * brackets never does. */
static bool at_range (const Source *s)
{
   return s->end - s->p > 1 && s->p[0] == '-' && s->p[1] != ']';
}

static bool range_or_element (Source *s)
{
   bool from, to;
   if (!element (s, &from))
      return false;
   if (!at_range (s))
      return true;
   if (!from)
      return wrong (s, "invalid character range");
   s->p++;
   mt_buf_addc (&s->to->pattern, '-');
   if (!element (s, &to))
      return false;
   return (to && !at_range (s)) || wrong (s, "invalid character range");
}

static bool brackets (Source *s)
{
   bool negated = s->p < s->end && *s->p == '^';
   mt_buf_adds (&s->to->pattern, negated ? "[^" : "[");
   s->p += negated;
   for (bool first = true; s->p < s->end; first = false) {
      if (*s->p == ']' && !first) {
         s->p++;
         mt_buf_adds (&s->to->pattern, negated && s->stops ? "\\n]" : "]");
         return true;
      }
      if (!range_or_element (s))
         return false;
   }
   return wrong (s, "brackets [] not balanced");
}

/* ---- quantifiers ---- */

static bool at_bounds (const Source *s)
{
   return s->end - s->p > 1 && *s->p == '{' && isdigit ((unsigned char) s->p[1]);
}

static bool at_quantifier (const Source *s) { return at (s, "*+?") || at_bounds (s); }

static bool bound (Source *s, int *out)
{
   for (*out = 0; s->p < s->end && isdigit ((unsigned char) *s->p); s->p++) {
      *out = *out * 10 + (*s->p - '0');
      if (*out > MAX_REPETITIONS)
         return wrong (s, "invalid repetition count(s)");
   }
   return true;
}

/* Reads {m}, {m,} or {m,n}; s->p is behind the brace. *fixed: it is {m}. *none: the maximum is
 * 0. */
static bool bounds (Source *s, bool *fixed, bool *none)
{
   int least, most;
   if (!bound (s, &least))
      return false;
   *fixed = !at (s, ",");
   most = *fixed ? least : MAX_REPETITIONS + 1;
   if (!*fixed) {
      s->p++;
      if (s->p < s->end && isdigit ((unsigned char) *s->p) && !bound (s, &most))
         return false;
   }
   if (s->p == s->end)
      return wrong (s, "braces {} not balanced");
   if (*s->p++ != '}' || most < least)
      return wrong (s, "invalid repetition count(s)");
   *none = most == 0;
   return true;
}

/* Converts the quantifier behind an atom, if there is one. `can`: the atom may have one. *taste is
 * the atom's match preference, and is replaced by that of the quantifier if it has one. */
static bool quantifier (Source *s, bool can, MtTaste *taste)
{
   bool fixed = false, none = false;
   if (!at_quantifier (s))
      return true;
   if (!can)
      return wrong (s, "quantifier operand invalid");
   const char *from = s->p;
   if (*s->p++ == '{' && !bounds (s, &fixed, &none))
      return false;
   bool lazy = !s->plain && at (s, "?");
   s->p += lazy;
   mt_buf_add (&s->to->pattern, from, (size_t) (s->p - from));
   if (none)
      *taste = MT_TASTE_NONE;
   else if (!fixed)
      *taste = lazy ? MT_TASTE_SHORT : MT_TASTE_LONG;
   return !at_quantifier (s) || wrong (s, "quantifier operand invalid");
}

/* ---- groups ---- */

static bool alternatives (Source *s, MtTaste *taste, bool *several);

/* Writes the beginning of a group. All groups are captured, except those in lookarounds. `number`
 * is the group's number in the user's pattern, 0 for (?:. */
static void open_group (Source *s, unsigned number)
{
   MtRegexGroup g = {.number = number};
   mt_buf_adds (&s->to->pattern, s->lookarounds ? "(?:" : "(");
   if (!s->lookarounds)
      mt_buf_add (&s->to->groups, &g, sizeof g);
   if (number)
      mt_buf_add (&s->closed, &(unsigned) {0}, sizeof (unsigned));
}

/* Reads what follows the "(" of a group: "?:", a lookaround such as "?=", or nothing for a
 * capturing group. Writes the group's beginning. */
static bool opening (Source *s, bool *lookaround)
{
   static const char *const kinds[] = {"?:", "?=", "?!", "?<=", "?<!"};
   size_t left = (size_t) (s->end - s->p);
   *lookaround = false;
   if (!at (s, "?") || s->plain) {
      open_group (s, s->lookarounds ? 0 : ++s->groups);
      return true;
   }
   for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
      size_t n = strlen (kinds[i]);
      if (left >= n && memcmp (s->p, kinds[i], n) == 0) {
         s->p += n;
         *lookaround = i > 0;
         if (i == 0)
            open_group (s, 0);
         else
            mt_buf_printf (&s->to->pattern, "(%s", kinds[i]);
         return true;
      }
   }
   return wrong (s, "quantifier operand invalid");
}

/* Converts a group; s->p is behind "(". *taste is its match preference. Lookarounds have none, and
 * can have no quantifier (*can). */
static bool group (Source *s, MtTaste *taste, bool *can)
{
   bool lookaround, several;
   size_t before = mt_regex_groups (s->to);
   if (!opening (s, &lookaround))
      return false;
   s->to->tricky |= lookaround;
   s->lookarounds += lookaround;
   if (++s->depth > MAX_NESTING)
      return wrong (s, "regular expression is too complex");
   if (!alternatives (s, taste, &several))
      return false;
   s->depth--;
   s->lookarounds -= lookaround;
   if (s->p == s->end)
      return wrong (s, "parentheses () not balanced");
   s->p++;
   mt_buf_addc (&s->to->pattern, ')');
   *can = !lookaround;
   if (lookaround)
      *taste = MT_TASTE_NONE;
   else if (!s->lookarounds) {
      MtRegexGroup *g = mt_regex_group (s->to, before);
      g->shortest = *taste == MT_TASTE_SHORT;
      g->choice = several;
      if (g->number)
         *closed (s, g->number) = (unsigned) before + 1;
   }
   return true;
}

/* ---- atoms ---- */

/* Skips one comment (?#…); or in the expanded syntax, white space or a comment. Returns whether
 * anything was skipped. */
static bool skipped (Source *s)
{
   char until;
   if (!s->plain && s->end - s->p > 2 && memcmp (s->p, "(?#", 3) == 0)
      until = ')';
   else if (s->expanded && *s->p == '#')
      until = '\n';
   else if (s->expanded && isspace ((unsigned char) *s->p)) {
      s->p++;
      return true;
   } else
      return false;
   while (s->p < s->end && *s->p != until)
      s->p++;
   s->p += s->p < s->end;
   return true;
}

static void skip (Source *s)
{
   while (s->p < s->end && skipped (s))
      ;
}

static bool at_word_bound (const Source *s)
{
   return s->end - s->p >= 6 &&
          (memcmp (s->p, "[:<:]]", 6) == 0 || memcmp (s->p, "[:>:]]", 6) == 0);
}

static void plain_character (Source *s, char c)
{
   if (strchr ("{}]# ", c))
      mt_buf_addc (&s->to->pattern, '\\');
   mt_buf_addc (&s->to->pattern, c);
   while (s->p < s->end && (*s->p & 0xC0) == 0x80)
      mt_buf_addc (&s->to->pattern, *s->p++);
}

static bool unquantified (Source *s, MtTaste *taste, bool *can)
{
   char c = *s->p++;
   *can = true;
   switch (c) {
   case '[':
      if (!at_word_bound (s))
         return brackets (s);
      mt_buf_adds (&s->to->pattern, word_bound (s->p[2]));
      s->to->tricky = true;
      s->p += 6;
      *can = false;
      return true;
   case '(': return group (s, taste, can);
   case '\\': *can = s->plain || !at (s, "mMyYAZ"); return escape (s, false);
   case '^':
   case '$':
      *can = false;
      mt_buf_addc (&s->to->pattern, c);
      return true;
   default: plain_character (s, c); return true;
   }
}

static bool atom (Source *s, MtTaste *taste)
{
   char c = *s->p;
   size_t before = mt_regex_groups (s->to);
   bool can;
   if (at_quantifier (s))
      return wrong (s, "quantifier operand invalid");
   if (!unquantified (s, taste, &can))
      return false;
   skip (s);
   const char *behind = s->p;
   if (!quantifier (s, can, taste))
      return false;
   s->to->tricky |= s->p > behind && (c == '(' || *taste == MT_TASTE_SHORT);
   for (size_t i = before; s->p > behind && i < mt_regex_groups (s->to); i++)
      mt_regex_group (s->to, i)->repeated = true;
   return true;
}

static bool alternatives (Source *s, MtTaste *taste, bool *several)
{
   *several = false;
   *taste = MT_TASTE_NONE;
   for (skip (s); s->p < s->end && *s->p != ')'; skip (s)) {
      MtTaste one = MT_TASTE_NONE;
      if (*s->p == '|') {
         *several = s->to->tricky = true;
         mt_buf_addc (&s->to->pattern, *s->p++);
         continue;
      }
      if (!atom (s, &one))
         return false;
      if (*taste == MT_TASTE_NONE)
         *taste = one;
   }
   if (*several)
      *taste = MT_TASTE_LONG;
   return true;
}

/* ---- flags and directors ---- */

static bool one_flag (char c, MtRegexFlags *f)
{
   switch (c) {
   case 'g': f->global = true; break;
   case 'i': f->options |= PCRE2_CASELESS; break;
   case 'c': f->options &= ~PCRE2_CASELESS; break;
   case 'x': f->options |= PCRE2_EXTENDED; break;
   case 't': f->options &= ~PCRE2_EXTENDED; break;
   case 'n':
   case 'm': f->options = (f->options & ~PCRE2_DOTALL) | PCRE2_MULTILINE; break;
   case 'p': f->options &= ~(PCRE2_DOTALL | PCRE2_MULTILINE); break;
   case 'w': f->options |= PCRE2_DOTALL | PCRE2_MULTILINE; break;
   case 's': f->options = (f->options | PCRE2_DOTALL) & ~PCRE2_MULTILINE; break;
   case 'q':
      f->literal = true;
      f->plain = false;
      break;
   case 'e':
      f->literal = false;
      f->plain = true;
      break;
   default: return false;
   }
   return true;
}

bool mt_regex_flags (MtStr letters, MtRegexFlags *flags, MtError *err)
{
   for (size_t i = 0; i < letters.n; i++)
      if (letters.p[i] == 'b')
         return mt_error (err, MT_E_FEATURE, "basic regular expressions are not supported");
      else if (!one_flag (letters.p[i], flags))
         return mt_error (err, MT_E_PARAMETER, "invalid regular expression option: \"%c\"",
                          letters.p[i]);
   return true;
}

/* Reads the prefix ***= (the rest is literal text) or ***: (it is a regular expression) of a
 * pattern. */
static bool director (Source *s, MtRegexFlags *f)
{
   if (s->end - s->p < 4 || memcmp (s->p, "***", 3) != 0)
      return true;
   switch (s->p[3]) {
   case '=': f->literal = true; break;
   case ':': f->plain = false; break;
   case '?': return wrong (s, "invalid regexp (reg version 0.8)");
   default: return wrong (s, "quantifier operand invalid");
   }
   s->p += 4;
   return true;
}

/* Reads options at the beginning of a pattern, such as (?i), into *f. */
static bool embedded_flags (Source *s, MtRegexFlags *f)
{
   if (f->literal || f->plain || s->end - s->p < 3 || memcmp (s->p, "(?", 2) != 0 ||
       !isalpha ((unsigned char) s->p[2]))
      return true;
   for (s->p += 2; s->p < s->end && isalpha ((unsigned char) *s->p); s->p++) {
      if (*s->p == 'b')
         return mt_error (s->err, MT_E_FEATURE, "basic regular expressions are not supported");
      if (*s->p == 'g' || !one_flag (*s->p, f))
         return wrong (s, "invalid embedded option");
   }
   if (!at (s, ")"))
      return wrong (s, "invalid embedded option");
   s->p++;
   return true;
}

static void literally (Source *s)
{
   for (; s->p < s->end; s->p++) {
      if (strchr ("\\^$.[]|()?*+{}", *s->p))
         mt_buf_addc (&s->to->pattern, '\\');
      mt_buf_addc (&s->to->pattern, *s->p);
   }
}

bool mt_regex_translate (MtStr pattern, MtRegexFlags *flags, MtRegexText *out, MtError *err)
{
   bool several;
   Source s = {.err = err, .p = pattern.p, .end = pattern.p + pattern.n, .to = out};
   bool ok = flags->literal || (director (&s, flags) && embedded_flags (&s, flags));
   s.plain = flags->plain;
   s.stops = !(flags->options & PCRE2_DOTALL);
   s.expanded = flags->options & PCRE2_EXTENDED;
   if (ok && flags->literal)
      literally (&s);
   else if (ok && (ok = alternatives (&s, &out->taste, &several)) && s.p < s.end)
      ok = wrong (&s, "parentheses () not balanced");
   mt_buf_free (&s.closed);
   return ok;
}

void mt_regex_text_free (MtRegexText *t)
{
   mt_buf_free (&t->pattern);
   mt_buf_free (&t->groups);
}
