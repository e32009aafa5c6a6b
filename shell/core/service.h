/* Services: targets with a name, which are defined in the service file. */
#ifndef MT_SHELL_SERVICE_H
#define MT_SHELL_SERVICE_H

#include "base/str.h"

/* A section of the service file. Members are owned by the caller: mt_service_free. */
typedef struct MtService {
   char *target;
   bool read_only;
} MtService;

/* If the target has the form "service=NAME", returns its NAME (borrowed); otherwise NULL. */
const char *mt_service_name (const char *target);
/* Finds a service in the file that MTSQL_SERVICEFILE names, or in ~/.mtsql_service.conf. Returns
 * false after an error, with its text in *why, owned by the caller (free). */
bool mt_service_find (const char *name, MtService *out, char **why);
void mt_service_free (MtService *s);

#endif
