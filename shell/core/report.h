/* Prints errors and notices in psql's form. */
#ifndef MT_SHELL_REPORT_H
#define MT_SHELL_REPORT_H

#include "shell/core/shell.h"

/* The SQLSTATE of the shell's own errors: none. */
#define MT_E_OF_SHELL ""

/* Records that a statement or command has failed. Stops all input if the variable ON_ERROR_STOP is
 * set. Always returns false. */
bool mt_fail (MtShell *sh);
/* Prints an error, and the line of `sql` at which it occurred (sql NULL: no line). Sets the
 * variables LAST_ERROR_…. If the connection is lost, an interactive shell reconnects; otherwise all
 * input stops with exit status 2. */
void mt_report_error (MtShell *sh, const MtError *err, const char *sql, size_t n);
/* Prints the last error again, with all its fields, for \errverbose. */
void mt_report_last_error (MtShell *sh);
/* Prints an error of mt_open or mt_reconnect, without passwords. */
void mt_report_no_connection (const MtShell *sh, const MtError *err);
/* Prints a notice or warning of the session; ctx is the MtShell. A callback for
 * MtOpenOptions.notice. */
void mt_report_notice (void *ctx, const char *severity, const char *message, const char *hint);
/* Prints an error of the shell itself, after the name of the program or of the file that is run. If
 * the format begins with "warning: ", it is a warning. */
void mt_complain (MtShell *sh, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));

#endif
