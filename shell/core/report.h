/* Errors and notices, in psql's form. */
#ifndef MT_SHELL_REPORT_H
#define MT_SHELL_REPORT_H

#include "shell/core/shell.h"

/* The SQLSTATE of the shell's own errors. */
#define MT_E_OF_SHELL ""

/* Records that a statement or command failed. Ends the input if the variable ON_ERROR_STOP is set.
 * Always returns false. */
bool mt_fail (MtShell *sh);
/* Prints an error and the line of sql that the error points to (sql NULL: no line). Sets the
 * variables LAST_ERROR_…. If the connection is lost, the shell reconnects at a terminal; otherwise
 * the input ends with exit status 2. */
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
