/* Types that users create, in the catalog: objects of the kind "type". The process keeps an id for
 * each enumerated type (types/enum.h), which the session defines as the catalog has it. */
#ifndef MT_SESSION_TYPES_H
#define MT_SESSION_TYPES_H

#include "session/core/core.h"
#include "types/enum.h"

/* A label of an enumerated type. `order` is its place, as in pg_enum.enumsortorder. */
typedef struct MtEnumLabel {
   const char *text;
   int64_t oid;
   double order;
} MtEnumLabel;

typedef struct MtOwnType {
   const char *name;
   const char *made; /* the type's identity; NULL: a new type */
   int64_t oid, array_oid;
   MtEnumLabel *labels; /* in their order */
   size_t count;
   MtTypeId id;
} MtOwnType;

/* Finds a type by its name, in arena a; *out NULL: there is none. XX001 */
bool mt_own_type_find (MtSession *s, MtArena *a, const char *name, MtOwnType **out, MtError *err);
/* Returns all types, sorted by name, in arena a. Damaged ones are left out. */
MtOwnType *mt_own_type_list (MtSession *s, MtArena *a, size_t *count);
/* Saves a type, and gives a new one its identity and OIDs. */
bool mt_own_type_save (MtStatement *st, MtOwnType *t, MtError *err);
/* Makes an OID from two names. It is stored, so it stays when the names change. */
int64_t mt_own_oid (MtStatement *st, const char *type, const char *label);
/* Gives a new label its OID. */
void mt_own_label (MtStatement *st, const MtOwnType *t, MtEnumLabel *label);
/* Defines the types of the catalog for the process, if the catalog has changed. */
void mt_own_types_define (MtSession *s);
/* MtBindEnv.type; ctx is the session. */
bool mt_own_type_named (void *ctx, const char *name, MtTypeId *out);

#endif
