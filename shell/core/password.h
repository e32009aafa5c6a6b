/* Passwords of connection URIs: hiding them in texts, and looking them up. */
#ifndef MT_SHELL_PASSWORD_H
#define MT_SHELL_PASSWORD_H

#include "base/str.h"

/* Returns the text with "***" in place of each secret in its mongodb:// URIs. Owned by the
 * caller (free). */
char *mt_without_passwords (const char *text);
/* Overwrites each byte of each secret in the URIs of a text with '*'. Used for argv, which other
 * users can see. */
void mt_blank_passwords (char *text);

/* Returns a copy of the URI without its password. *password is the decoded password; NULL: the URI
 * has none. The caller owns both: free, mt_password_free. */
char *mt_split_password (const char *target, char **password);
/* Overwrites and frees a password. NULL is allowed. */
void mt_password_free (char *password);

/* Returns whether the URI has a user without a password who needs one. */
bool mt_needs_password (const char *target);

/* Looks up the password for a target: in MTSQL_PASSWORD, then in the password file (MTSQL_PASSFILE
 * or ~/.mtsqlpass), then, if may_ask, from the user at the terminal. NULL: not found. Owned by the
 * caller: mt_password_free. */
char *mt_find_password (const char *target, bool may_ask);
/* Asks for a password at the terminal. NULL: there is no terminal. Owned by the caller:
 * mt_password_free. */
char *mt_ask_password (const char *user);

#endif
