/* The mode of the terminal while a line is edited. */
#ifndef MT_EDIT_TERMINAL_H
#define MT_EDIT_TERMINAL_H

#include <stdbool.h>

/* Returns whether the terminal can move its cursor. A dumb terminal can't. */
bool mt_terminal_moves (void);
/* Returns whether the user wants colours: the environment variable NO_COLOR is not set. */
bool mt_terminal_wants_colours (void);
/* Begins to read key by key, without echo. Pasted text is then marked. Until mt_terminal_leave,
 * signals that stop or end the process first restore the mode of the terminal; so does exit ().
 * Returns false if the mode can't be set. */
bool mt_terminal_enter (void);
/* Restores the mode of the terminal. */
void mt_terminal_leave (void);
/* Stops the process, as Ctrl-Z does, until it is continued. */
void mt_terminal_stop (void);
/* Returns whether the process was stopped and continued since the last call. */
bool mt_terminal_take_continued (void);

#endif
