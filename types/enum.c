#include "types/enum.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define HANDLE "enum:"
#define MADE 24

/* The definition of a type (name, labels) at some time. Replaced definitions are never freed,
 * because results may still use them. */
typedef struct Definition {
   MtEnum e;
   struct Definition *before;
} Definition;

static struct {
   char handle[1 + sizeof HANDLE + MADE]; /* array type: "_enum:…"; the type: without "_" */
   _Atomic (Definition *) now;
} types[MT_MAX_ENUMS];
static atomic_uint type_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned slot (MtTypeId id) { return mt_type_element (id) - MT_T_ENUM; }

static MtStr made_of (unsigned i) { return (MtStr) {types[i].handle + sizeof HANDLE, MADE}; }

static bool same (MtStr a, MtStr b) { return a.n == b.n && memcmp (a.p, b.p, a.n) == 0; }

static unsigned find (MtStr made)
{
   unsigned i = 0, n = atomic_load (&type_count);
   while (i < n && !same (made_of (i), made))
      i++;
   return i;
}

static char *copy (const char *s)
{
   size_t n = strlen (s) + 1;
   return memcpy (mt_calloc ("enum", n, 1), s, n);
}

static void define (unsigned i, const char *name, const uint32_t oids[2], const char *const *labels,
                    size_t count)
{
   Definition *d = mt_calloc ("enum", 1, sizeof *d);
   char *shown = mt_calloc ("enum", strlen (name) + 3, 1),
        *array = mt_calloc ("enum", strlen (name) + 2, 1);
   const char **list = mt_calloc ("enum", count + 1, sizeof *list);
   strcat (strcpy (shown, name), "[]");
   strcat (strcpy (array, "_"), name);
   for (size_t k = 0; k < count; k++)
      list[k] = copy (labels[k]);
   const char *own = copy (name);
   *d = (Definition) {.e = {.info = {own, own, 'E', false, oids[0]},
                            .array = {array, shown, 'A', false, oids[1]},
                            .handle = types[i].handle + 1,
                            .array_handle = types[i].handle,
                            .labels = list,
                            .count = count},
                      .before = atomic_load (&types[i].now)};
   atomic_store (&types[i].now, d);
}

MtTypeId mt_enum_id (MtStr made)
{
   if (made.n != MADE)
      return MT_T_UNKNOWN;
   pthread_mutex_lock (&lock);
   unsigned i = find (made);
   if (i == atomic_load (&type_count) && i < MT_MAX_ENUMS) {
      memcpy (types[i].handle, "_" HANDLE, sizeof HANDLE);
      memcpy (types[i].handle + sizeof HANDLE, made.p, MADE);
      define (i, "?", (const uint32_t[2]) {0, 0}, NULL, 0);
      atomic_store (&type_count, i + 1);
   }
   pthread_mutex_unlock (&lock);
   return i < MT_MAX_ENUMS ? (MtTypeId) (MT_T_ENUM + i) : MT_T_UNKNOWN;
}

static bool is_defined (const MtEnum *e, const char *name, const uint32_t oids[2],
                        const char *const *labels, size_t count)
{
   bool is = strcmp (e->info.name, name) == 0 && e->info.oid == oids[0] &&
             e->array.oid == oids[1] && e->count == count;
   for (size_t i = 0; is && i < count; i++)
      is = strcmp (e->labels[i], labels[i]) == 0;
   return is;
}

void mt_enum_define (MtTypeId id, const char *name, const uint32_t oids[2],
                     const char *const *labels, size_t count)
{
   pthread_mutex_lock (&lock);
   if (!is_defined (mt_enum_of (id), name, oids, labels, count))
      define (slot (id), name, oids, labels, count);
   pthread_mutex_unlock (&lock);
}

const MtEnum *mt_enum_of (MtTypeId id) { return &atomic_load (&types[slot (id)].now)->e; }

int mt_enum_rank (MtTypeId id, MtStr label)
{
   const MtEnum *e = mt_enum_of (id);
   for (size_t i = 0; i < e->count; i++)
      if (strlen (e->labels[i]) == label.n && memcmp (e->labels[i], label.p, label.n) == 0)
         return (int) i;
   return -1;
}

bool mt_enum_by_handle (MtStr handle, MtTypeId *out)
{
   size_t n = sizeof HANDLE - 1;
   if (handle.n != n + MADE || memcmp (handle.p, HANDLE, n) != 0)
      return false;
   *out = mt_enum_id ((MtStr) {handle.p + n, MADE});
   return *out != MT_T_UNKNOWN;
}

bool mt_enum_by_oid (int64_t oid, MtTypeId *out)
{
   unsigned n = atomic_load (&type_count);
   for (unsigned i = n; oid > 0 && i-- > 0;) {
      const MtEnum *e = mt_enum_of ((MtTypeId) (MT_T_ENUM + i));
      *out = (MtTypeId) (MT_T_ENUM + i);
      if (e->array.oid == oid)
         *out = mt_type_array (*out);
      if (e->info.oid == oid || e->array.oid == oid)
         return true;
   }
   return false;
}

int mt_enum_compare (MtTypeId id, MtStr a, MtStr b)
{
   int x = mt_enum_rank (id, a), y = mt_enum_rank (id, b);
   return (x > y) - (x < y);
}
