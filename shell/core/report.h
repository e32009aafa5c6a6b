/* Errors and notices, in psql's form. */
#ifndef MT_SHELL_REPORT_H
#define MT_SHELL_REPORT_H

#include "shell/core/shell.h"

/* The SQLSTATE of the shell's own errors. */
#define MT_E_OF_SHELL ""

/* Records a failure, and ends the input if ON_ERROR_STOP says so. Always returns false. */
bool mt_fail (MtShell *sh);
/* Prints an error, with the line of sql that it points to, and sets the variables LAST_ERROR_….
 * sql NULL: without a line. After a lost connection it reconnects at a terminal; otherwise it ends
 * the input with exit status 2. */
void mt_report_error (MtShell *sh, const MtError *err, const char *sql, size_t n);
/* Prints the last error again, with all of its fields. */
void mt_report_last_error (MtShell *sh);
/* Prints an error of mt_open or mt_reconnect, without passwords. */
void mt_report_no_connection (const MtShell *sh, const MtError *err);
/* Prints a notice or a warning of the session; ctx is the MtShell. See MtOpenOptions.notice. */
void mt_report_notice (void *ctx, const char *severity, const char *message, const char *hint);
/* Prints an error of the shell itself, after the program's or the file's name. A format that begins
 * with "warning: " makes it a warning. */
void mt_complain (MtShell *sh, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));

#endif
