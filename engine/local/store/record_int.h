/* A record of the manifest describes a commit as a list of operations. record.c writes records,
 * and record_apply.c applies them. */
#ifndef MT_RECORD_INT_H
#define MT_RECORD_INT_H

#include "engine/local/store/store_int.h"

/* The operations of a record. The comment of each operation lists its operands with their sizes
 * in bytes. Numbers are little-endian. */
enum {
   MT_OP_CREATE = 1, /* id:8 name:str */
   MT_OP_DROP,       /* id:8 */
   MT_OP_FIELDS,     /* id:8 n:1 name:str… */
   MT_OP_BLOCK,     /* id:8 serial:4 offset:8 data_at:4 size:4 documents:4 head_hash:8 n:1 range… */
   MT_OP_RANGES,    /* id:8 serial:4 first:1 n:1 range… */
   MT_OP_GONE,      /* id:8 serial:4 bytes:8 n:4 ordinal:4… */
   MT_OP_GONE_BITS, /* id:8 serial:4 bytes:8 n:4 bits */
   MT_OP_MERGE,     /* id:8 first:4 count:4 with:4 */
   MT_OP_NEXT_ID,   /* id:8 */
   MT_OP_EVENTS,    /* id:8 n:4 increments: events.c */
   MT_OP_FOLDED,    /* id:8. All earlier increments are now written into the documents. */
   /* id:8 number:4 field:4 first:4 end:4 entries:8 hash:8. Adds a run, a file of sorted keys
    * (runs.c). It replaces runs of the same field that cover only blocks with first <= serial
    * number < end. */
   MT_OP_RUN,
   MT_OP_MEASURES, /* id:8 serial:4 n:4 ranges: measure.c */
   MT_OP_COLUMNS,  /* id:8 serial:4 bytes:4 directory:4 hash:8: MtColumns */
   MT_OP_REBUILT,  /* like MT_OP_BLOCK, then bytes:4 directory:4 hash:8: only columns are stored */
   /* id:8 serial:4 size:4 documents:4 n:1 range… bytes[size]. A small block, whose documents are in
    * the record itself. */
   MT_OP_LOGGED,
   /* id:8 serial:4 first:4 count:4. Joins `count` blocks of the log, from index `first` on, into
    * one block with this serial number, without their deleted documents. */
   MT_OP_JOIN
};

/* Applies the operations of a record, n bytes at p, to the store. Returns n, or the offset of the
 * first operation that is invalid. */
size_t mt_record_apply (MtStore *s, const uint8_t *p, size_t n);
/* Writes the whole state of the store as one record into s->record, to compact the manifest. */
void mt_record_whole (MtStore *s);
/* Adds a collection named salvaged_ID, because its name is lost. ID is `id`. */
MtColl *mt_salvage_unnamed (MtStore *s, uint64_t id);
void mt_record_create (MtStore *s, const MtColl *c);
void mt_record_drop (MtStore *s, const MtColl *c);
void mt_record_fields (MtStore *s, const MtColl *c);
void mt_record_block (MtStore *s, const MtColl *c, const MtStoreBlock *b);
void mt_record_ranges (MtStore *s, const MtColl *c, const MtStoreBlock *b, uint32_t first_field);
/* Appends an operation to the record that marks `count` documents of one block as deleted. */
void mt_record_gone (MtStore *s, const MtColl *c, const MtGone *gone, size_t count);
void mt_record_merge (MtStore *s, const MtColl *c, size_t first, size_t count, size_t with);
void mt_record_join (MtStore *s, const MtColl *c, size_t first, size_t count);
void mt_record_events (MtBuf *record, const MtColl *c, const void *ops, size_t n);
void mt_record_folded (MtStore *s, const MtColl *c);
void mt_record_run (MtStore *s, const MtColl *c, const MtRunInfo *run);

#endif
