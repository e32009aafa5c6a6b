/* Reads input: lines of files and of the terminal. */
#ifndef MT_SHELL_INPUT_H
#define MT_SHELL_INPUT_H

#include "shell/core/shell.h"
#include "shell/edit/edit.h"

/* ---- input.c ---- */

/* Returns whether commands and statements run here: no \if excludes them. */
bool mt_shell_active (const MtShell *sh);
/* Frees the buffers of a source. */
void mt_input_free (MtInput *src);
/* Reads a line of f, with its line feed. Returns false at the end of the file, or after an error,
 * which is reported. */
bool mt_input_read_line (MtShell *sh, FILE *f, MtBuf *line);
/* Reads a line of COPY's data from the innermost source, with its line feed. Returns false at the
 * end of the data. */
bool mt_input_data_line (MtShell *sh, MtBuf *line);

/* ---- editor.c: text typed at the terminal ---- */

/* What other rooms do for the editor. */
typedef struct MtEditorHelp {
   /* Finds the words that can stand at a place of the text, which begins with the statement so
    * far. The editor frees out->v and out->arena. */
   void (*complete) (MtShell *sh, const char *text, size_t cursor, MtChoices *out);
   /* Sets the style of each byte of the text. */
   void (*style) (const char *text, size_t n, size_t cursor, uint8_t *styles);
   /* Adds the line that helps with the text before the cursor, or nothing. */
   void (*hint) (MtShell *sh, const char *text, size_t cursor, MtBuf *out);
   /* Lets the user edit the text with another program. Returns false if the text stays. */
   bool (*edit_elsewhere) (MtShell *sh, MtBuf *text);
} MtEditorHelp;

/* Opens the line editor and the history. A process has one editor. sh, src and help are borrowed
 * until mt_editor_close. */
void mt_editor_open (MtShell *sh, MtInput *src, const MtEditorHelp *help);
/* Returns whether Readline's start-up file sets its editing-mode to vi. */
bool mt_inputrc_wants_vi (void);
/* Closes the editor and the history. */
void mt_editor_close (void);
/* Reads a line without its line feed. If no line of the text typed last is left, the user types
 * another text, after the prompt in the variable prompt_name. The line is borrowed until the next
 * call. Returns NULL at the end of the input, or after Ctrl-C, which also sets *interrupted. */
const char *mt_editor_line (const char *prompt_name, int *n, bool *interrupted);
/* Prints `prompt` and reads the user's answer without its line feed. Returns false if the user gave
 * no answer, or the editor is not open. */
bool mt_editor_ask (const char *prompt, MtBuf *line);
/* Reads a line of COPY's data, with its line feed. False at the end, or after Ctrl-C. */
bool mt_editor_data_line (MtBuf *line);
/* Returns whether the line consists of the word, in any case, and perhaps a ';'. */
bool mt_plain_word (const char *line, const char *word);

/* ---- history.c ---- */

/* Reads the history file. The history is owned by this module until mt_history_close. */
const MtHistory *mt_history_open (MtShell *sh);
/* Adds a statement, without the passwords of its URIs, unless HISTCONTROL excludes it. The history
 * file, which only its owner can read, gets it at once. */
void mt_history_add (MtShell *sh, const char *text);
/* Writes the entries of the history to f. Returns false if the history is not open. */
bool mt_history_write (FILE *f);
/* Frees the history. Reports if it could not be saved. */
void mt_history_close (MtShell *sh);

#endif
