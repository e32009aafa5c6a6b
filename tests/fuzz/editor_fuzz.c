/* libFuzzer: any keys, pastes and sizes of the window leave a text of valid UTF-8 in the line
 * editor. The first byte is the size of the window. The keys come through a pseudo-terminal. */
#include "tests/fuzz/fuzz.h"
#include "shell/edit/edit.h"

#include <ctype.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>

enum { MOST_KEYS = 3000 }; /* a terminal takes no more at once */

static int controller = -1;
static const char *keys; /* to be typed when the editor has drawn its prompt */
static size_t key_count;
static int columns, lines;

static bool is_ready (void *ctx, const char *text, size_t n, const char **why)
{
   if (n && text[n - 1] == '(')
      *why = "not complete";
   return n && text[n - 1] == ';';
}

static void put_prompts (void *ctx, const char *text, size_t n, MtBuf *out)
{
   const char *prompt = "mt=> ";
   mt_buf_add (out, prompt, strlen (prompt) + 1);
   for (size_t i = 0; i < n; i++)
      if (text[i] == '\n')
         mt_buf_add (out, "-> ", 4);
   if (key_count && write (controller, keys, key_count) != (ssize_t) key_count)
      abort ();
   key_count = 0;
}

static void set_styles (void *ctx, const char *text, size_t n, size_t cursor, uint8_t *styles)
{
   for (size_t i = 0; i < n; i++)
      styles[i] = (uint8_t) ((unsigned char) text[i] % MT_STYLES);
}

static void find_words (void *ctx, const char *text, size_t cursor, MtChoices *out)
{
   static const char *words[] = {"SELECT", "select", "sélection", "sum (", "t.\"a b\""};
   size_t start = cursor;
   while (start && isalnum ((unsigned char) text[start - 1]))
      start--;
   out->start = start;
   out->v = (void *) fuzz_copy (words, sizeof words);
   out->n = out->cap = cursor % (FUZZ_COUNT (words) + 1);
}

static void put_hint (void *ctx, const char *text, size_t n, MtBuf *out)
{
   if (n % 3 == 0)
      mt_buf_add (out, text, n);
}

static bool edit_elsewhere (void *ctx, MtBuf *text)
{
   mt_buf_adds (text, "\nfrom elsewhere");
   return true;
}

/* The keys have come to their end. */
static bool take_end (void)
{
   struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
   return !key_count && poll (&p, 1, 0) == 0;
}

static bool take_resize (void)
{
   static unsigned turn;
   if (turn++ % 50)
      return false;
   columns = columns % 60 + 1;
   return true;
}

static void get_size (int *c, int *l)
{
   *c = columns;
   *l = lines;
}

static const MtEditHost host = {.ready = is_ready,
                                .prompts = put_prompts,
                                .style = set_styles,
                                .complete = find_words,
                                .hint = put_hint,
                                .external = edit_elsewhere,
                                .take_interrupt = take_end,
                                .take_resize = take_resize,
                                .window_size = get_size};

static void open_terminal (void)
{
   int terminal, nowhere = open ("/dev/null", O_WRONLY);
   setenv ("TERM", "xterm", 1);
   if (openpty (&controller, &terminal, NULL, NULL, NULL) != 0 || nowhere < 0 ||
       dup2 (terminal, STDIN_FILENO) < 0 || dup2 (nowhere, STDOUT_FILENO) < 0)
      abort ();
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
   static MtHistory history;
   char typed[MOST_KEYS];
   MtBuf text = {0};
   if (controller < 0)
      open_terminal ();
   if (!size)
      return 0;
   columns = data[0] % 100; /* 0: not known */
   lines = data[0] % 7;
   key_count = size - 1 < MOST_KEYS ? size - 1 : MOST_KEYS;
   memcpy (typed, data + 1, key_count);
   for (size_t i = 0; i < key_count; i++) /* keys that are signals */
      if (typed[i] == 3 || typed[i] == 26 || typed[i] == 28)
         typed[i] = ' ';
   keys = typed;
   mt_edit (&host, &history, &text);
   if (text.n && !mt_utf8_valid (text.p, text.n))
      fuzz_fail ("the edited text is not valid UTF-8");
   mt_history_put (&history, text.p ? text.p : "", 0);
   if (history.n > 20)
      mt_history_free (&history);
   mt_buf_free (&text);
   for (struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN}; poll (&p, 1, 0) > 0;)
      if (read (STDIN_FILENO, typed, sizeof typed) <= 0) /* what came behind Enter */
         break;
   return 0;
}
