#include "shell/edit/keys.h"
#include "shell/edit/terminal.h"
#include "shell/format/width.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { ESC = 0x1B, SEQUENCE_MS = 50 };

/* Returns whether a byte arrives within this many milliseconds. */
static bool follows (const MtKeys *k, int ms)
{
   struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
   return k->again >= 0 || poll (&p, 1, ms) > 0;
}

bool mt_keys_pending (const MtKeys *k) { return follows (k, 0); }

/* Returns the event (MT_KEY_INTERRUPT, MT_KEY_REDRAW) of a signal that arrived; 0: none. */
static int signalled (const MtKeys *k)
{
   if (k->host->take_interrupt ())
      return MT_KEY_INTERRUPT;
   bool resized = k->host->take_resize (), continued = mt_terminal_take_continued ();
   return resized || continued ? MT_KEY_REDRAW : 0;
}

/* Waits until a byte can be read or a signal arrives. Returns the event of the signal, or 0. The
 * signals are blocked between the check and the wait, so that none is missed. */
static int wait_for_byte (const MtKeys *k)
{
   sigset_t blocked, before;
   struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
   sigemptyset (&blocked);
   sigaddset (&blocked, SIGINT);
   sigaddset (&blocked, SIGWINCH);
   sigaddset (&blocked, SIGCONT);
   sigaddset (&blocked, SIGTSTP);
   sigprocmask (SIG_BLOCK, &blocked, &before);
   struct timespec most = {k->wait_ms / 1000, k->wait_ms % 1000 * 1000000L};
   int event, ready = 0;
   while (!(event = signalled (k)) &&
          (ready = ppoll (&p, 1, k->wait_ms ? &most : NULL, &before)) < 0 && errno == EINTR)
      ;
   sigprocmask (SIG_SETMASK, &before, NULL);
   if (event)
      return event;
   if (ready == 0)
      return MT_KEY_TIMEOUT;
   return ready < 0 ? MT_KEY_EOF : 0;
}

/* Returns the next byte, or an event. Reads only one byte, because the following ones may be input
 * for a program that the statement starts. */
static int next_byte (MtKeys *k)
{
   int c = k->again;
   k->again = -1;
   while (c < 0) {
      unsigned char byte;
      int event = wait_for_byte (k);
      if (event)
         return event;
      ssize_t got = read (STDIN_FILENO, &byte, 1);
      if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
         return MT_KEY_EOF;
      c = got > 0 ? byte : -1;
   }
   return c;
}

/* Reads the rest of the UTF-8 character that begins with byte `first`, and returns its code point.
 * Invalid bytes become U+FFFD. */
static int character (MtKeys *k, int first)
{
   char bytes[4] = {(char) first};
   size_t len = 2 + (size_t) (first >= 0xE0) + (size_t) (first >= 0xF0);
   if (first < 0xC2 || first > 0xF4)
      return 0xFFFD;
   int cp = first & (0x7F >> len);
   for (size_t i = 1; i < len; i++) {
      int c = next_byte (k);
      if (c > 0xFF)
         return c;
      if ((c & 0xC0) != 0x80) {
         k->again = c;
         return 0xFFFD;
      }
      bytes[i] = (char) c;
      cp = cp << 6 | (c & 0x3F);
   }
   return mt_utf8_valid (bytes, len) ? cp : 0xFFFD;
}

/* ---- pasted text ---- */

static bool ends_with (const MtBuf *b, const char *end)
{
   size_t n = strlen (end);
   return b->n >= n && memcmp (b->p + b->n - n, end, n) == 0;
}

/* Converts all line ends to '\n', and removes the other control characters except tabs. Invalid
 * UTF-8 becomes U+FFFD, as when it is typed. */
static void clean (MtBuf *b)
{
   MtBuf kept = {0};
   uint32_t c;
   int width;
   for (size_t i = 0, n; i < b->n; i += n) {
      char utf8[4];
      n = mt_text_step (b->p + i, b->n - i, &c, &width);
      if (c == '\r' && i + 1 < b->n && b->p[i + 1] == '\n')
         continue;
      if (c == '\r')
         c = '\n';
      if ((c >= ' ' && c != 0x7F) || c == '\n' || c == '\t')
         mt_buf_add (&kept, utf8, mt_utf8_put (utf8, c));
   }
   mt_buf_free (b);
   *b = kept;
}

/* Reads pasted text up to the escape sequence that ends it. */
static int paste (MtKeys *k)
{
   static const char end[] = "\x1b[201~";
   mt_buf_clear (&k->pasted);
   while (!ends_with (&k->pasted, end)) {
      int c = next_byte (k);
      if (c == MT_KEY_REDRAW)
         continue;
      if (c > 0xFF)
         return c;
      mt_buf_addc (&k->pasted, (char) c);
   }
   k->pasted.n -= sizeof end - 1;
   clean (&k->pasted);
   return MT_KEY_PASTE;
}

/* ---- sequences that begin with ESC ---- */

static const struct {
   char final; /* the letter of ESC [ LETTER and ESC O LETTER; '~': a numbered key */
   int number, key;
} sequences[] = {{'A', 0, MT_KEY_UP},        {'B', 0, MT_KEY_DOWN},     {'C', 0, MT_KEY_RIGHT},
                 {'D', 0, MT_KEY_LEFT},      {'H', 0, MT_KEY_HOME},     {'F', 0, MT_KEY_END},
                 {'~', 1, MT_KEY_HOME},      {'~', 7, MT_KEY_HOME},     {'~', 4, MT_KEY_END},
                 {'~', 8, MT_KEY_END},       {'~', 3, MT_KEY_DELETE},   {'~', 5, MT_KEY_PAGE_UP},
                 {'~', 6, MT_KEY_PAGE_DOWN}, {'u', 13, MT_KEY_NEWLINE}, {'M', 0, '\r'}};

/* Adds the modifier keys to a key. sent: the number from the terminal, which is 1 plus the sum of 1
 * (Shift), 2 (Alt) and 4 (Control). */
static int with_modifiers (int key, int sent)
{
   int held = sent > 0 ? sent - 1 : 0;
   if (key == MT_KEY_NEWLINE)
      return held & 3 ? key : '\r';
   return key | (held & 2 ? MT_KEY_META : 0) | (held & 4 ? MT_KEY_CTRL : 0);
}

static int find_sequence (MtKeys *k, char final, const int numbers[3])
{
   if (final == '~' && numbers[0] == 200)
      return paste (k);
   if (final == '~' && numbers[0] == 27) /* xterm's form of a modified key */
      return numbers[2] == 13 ? with_modifiers (MT_KEY_NEWLINE, numbers[1]) : MT_KEY_UNKNOWN;
   for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
      if (sequences[i].final == final &&
          (!sequences[i].number || sequences[i].number == numbers[0]))
         return with_modifiers (sequences[i].key, numbers[1]);
   return MT_KEY_UNKNOWN;
}

/* Reads the rest of a sequence after "ESC [": numbers separated by ';', and a final letter. Returns
 * the key. */
static int control_sequence (MtKeys *k)
{
   int numbers[3] = {0}, at = 0, c;
   while ((c = next_byte (k)) <= 0xFF && (c < 0x40 || c > 0x7E)) {
      if (c == ';' && at < 2)
         at++;
      else if (c >= '0' && c <= '9' && numbers[at] < 1000)
         numbers[at] = numbers[at] * 10 + c - '0';
   }
   return c > 0xFF ? c : find_sequence (k, (char) c, numbers);
}

/* Handles a byte ESC. With vi's keys, Escape is a key of its own, and there are no keys with Alt. A
 * terminal sends all bytes of a sequence at once, so a pause means the key Escape. */
static int escape (MtKeys *k)
{
   bool vi = k->host->vi;
   if (vi && !follows (k, SEQUENCE_MS))
      return ESC;
   int c = next_byte (k);
   if (vi && c <= 0xFF && c != '[' && (c != 'O' || !follows (k, SEQUENCE_MS))) {
      k->again = c;
      return ESC;
   }
   if (c == '[')
      return control_sequence (k);
   if (c == 'O') {
      int numbers[3] = {0};
      c = next_byte (k);
      return c > 0xFF ? c : find_sequence (k, (char) c, numbers);
   }
   if (c == '\r' || c == '\n')
      return MT_KEY_NEWLINE;
   if (c == ESC)
      return ESC;
   if (c >= 0x80 && c <= 0xFF)
      c = character (k, c);
   return c >= MT_KEY_INTERRUPT ? c : c | MT_KEY_META;
}

int mt_keys_next (MtKeys *k)
{
   int c = next_byte (k);
   if (c == ESC)
      return escape (k);
   return c >= 0x80 && c <= 0xFF ? character (k, c) : c;
}
