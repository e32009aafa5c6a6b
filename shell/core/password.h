/* Passwords of connection strings: kept out of what is shown, and found where the string has
 * none. */
#ifndef MT_SHELL_PASSWORD_H
#define MT_SHELL_PASSWORD_H

#include "base/str.h"

/* The text with "***" for each password in a mongodb:// URI in it. Owned by the caller (free). */
char *mt_without_passwords (const char *text);
/* The same in place, a '*' for each byte: for argv, which others see. */
void mt_blank_passwords (char *text);

/* A URI without its password, which goes to *password, decoded (NULL: it has none). Both owned by
 * the caller; mt_password_free. */
char *mt_split_password (const char *target, char **password);
void mt_password_free (char *password); /* overwrites it; NULL is allowed */

/* Whether the URI names a user who needs a password, and has none. */
bool mt_needs_password (const char *target);

/* From MTSQL_PASSWORD, else from the password file (MTSQL_PASSFILE, ~/.mtsqlpass), else typed at
 * the terminal. NULL: nowhere. Owned by the caller. */
char *mt_find_password (const char *target, bool may_ask);

#endif
