/* Arrow's C data interface and C stream interface: structures that programs of any language share
 * without copying. The names, members and flags are those of the Arrow specification
 * (https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html). Headers of
 * other libraries define them under the same guards, so a program may include both. */
#ifndef MT_ARROW_C_DATA_H
#define MT_ARROW_C_DATA_H

#include <stdint.h>

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

/* The type of an array. The receiver calls release once; release is NULL afterwards. */
struct ArrowSchema {
   const char *format;
   const char *name;
   const char *metadata;
   int64_t flags;
   int64_t n_children;
   struct ArrowSchema **children;
   struct ArrowSchema *dictionary;
   void (*release) (struct ArrowSchema *);
   void *private_data;
};

/* The values of an array. The receiver calls release once; release is NULL afterwards. */
struct ArrowArray {
   int64_t length;
   int64_t null_count;
   int64_t offset;
   int64_t n_buffers;
   int64_t n_children;
   const void **buffers;
   struct ArrowArray **children;
   struct ArrowArray *dictionary;
   void (*release) (struct ArrowArray *);
   void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

/* A sequence of arrays of one type, as defined by Arrow's C stream interface. Functions return 0 or
 * an errno code. get_next returns a released array (release is NULL) at the end. The text of
 * get_last_error is valid until the next call. */
struct ArrowArrayStream {
   int (*get_schema) (struct ArrowArrayStream *, struct ArrowSchema *out);
   int (*get_next) (struct ArrowArrayStream *, struct ArrowArray *out);
   const char *(*get_last_error) (struct ArrowArrayStream *);
   void (*release) (struct ArrowArrayStream *);
   void *private_data;
};

#endif

#endif
