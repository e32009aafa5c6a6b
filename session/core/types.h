/* Types that users create, stored in the catalog as objects of the kind "type". The process has an
 * id (MtTypeId) for each enumerated type (types/enum.h); the session defines the type for the
 * process as the catalog has it. */
#ifndef MT_SESSION_TYPES_H
#define MT_SESSION_TYPES_H

#include "session/core/core.h"
#include "types/enum.h"

/* A label of an enumerated type. `order` is the number by which labels are sorted, as in
 * pg_enum.enumsortorder. */
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

/* Finds a user's type by its name and copies it to arena a; *out NULL: there is none. Error: XX001
 * the catalog's entry is damaged. */
bool mt_own_type_find (MtSession *s, MtArena *a, const char *name, MtOwnType **out, MtError *err);
/* Returns all types of users, sorted by name, in arena a. Damaged entries are left out. */
MtOwnType *mt_own_type_list (MtSession *s, MtArena *a, size_t *count);
/* Saves a type in the catalog. A new type also gets its id and its OIDs. */
bool mt_own_type_save (MtStatement *st, MtOwnType *t, MtError *err);
/* Returns a new OID, a hash of the two names that no other type or label has. The caller stores it,
 * so a later change of the names does not change the OID. */
int64_t mt_own_oid (MtStatement *st, const char *type, const char *label);
/* Sets the OID of a new label of type t. */
void mt_own_label (MtStatement *st, const MtOwnType *t, MtEnumLabel *label);
/* Defines all types of the catalog for the process again, if the catalog has changed since the last
 * call. */
void mt_own_types_define (MtSession *s);
/* Finds a user's type by name for the binder (MtBindEnv.type). ctx is the session. */
bool mt_own_type_named (void *ctx, const char *name, MtTypeId *out);

#endif
