/* The mode of the terminal while a line is edited. */
#ifndef MT_EDIT_TERMINAL_H
#define MT_EDIT_TERMINAL_H

#include <stdbool.h>

/* Returns whether the terminal can move its cursor. A dumb terminal can't. */
bool mt_terminal_moves (void);
/* Returns whether the user wants colours: the environment variable NO_COLOR is not set. */
bool mt_terminal_wants_colours (void);
/* What the terminal is used for. */
typedef enum MtTerminalUse {
   MT_TERMINAL_EDITS, /* a line: pasted text is marked, and Ctrl-C is a key */
   MT_TERMINAL_DRAWS  /* pictures on a screen of their own, without a cursor; Ctrl-C is SIGINT */
} MtTerminalUse;
/* Begins to read key by key, without echo. Until mt_terminal_leave, signals that stop or end the
 * process first restore the mode of the terminal; so does exit (). Returns false if the mode can't
 * be set. */
bool mt_terminal_enter (MtTerminalUse use);
/* Restores the mode of the terminal. */
void mt_terminal_leave (void);
/* Stops the process, as Ctrl-Z does, until it is continued. */
void mt_terminal_stop (void);
/* Returns whether the process was stopped and continued since the last call. */
bool mt_terminal_take_continued (void);

#endif
