/* What the presets' build functions share. Private to layouts/preset*.c. */
#ifndef MT_PRESET_INT_H
#define MT_PRESET_INT_H

#include "layouts/layout_int.h"
#include "layouts/preset.h"

struct MtPresetBuild {
   MtArena *a;
   const MtTable *t;
   const MtPresetRow *row;
   const MtPresetOption *options;
   size_t option_count;
   const char *collection;
   const char *time_encoding; /* "date", "epoch_s", "epoch_ms" */
   int64_t preallocate;       /* one hit in so many; 0: none */
   MtBuf json;
   MtError *err;
};

const MtPresetOption *mt_preset_option (const MtPresetBuild *b, const char *name);
/* 22023; what: what it must be, a sentence. */
bool mt_preset_bad_value (MtPresetBuild *b, const MtPresetOption *o, const char *what);
/* *out stays as it is where the option isn't given. */
bool mt_preset_bool (MtPresetBuild *b, const char *name, bool *out);
/* The index of the option's value among two words; *out stays as it is where it isn't given. */
bool mt_preset_either (MtPresetBuild *b, const char *name, const char *first, const char *second,
                       bool *out_second);

/* Adds text to the descriptor: as it is, and as a JSON string. */
void mt_preset_raw (MtPresetBuild *b, const char *s);
void mt_preset_str (MtPresetBuild *b, const char *s);
/* A store's collection, and by what it is partitioned. */
void mt_preset_collection (MtPresetBuild *b, const char *name);
/* Everything up to the first store's collection; "}]}" ends it. */
void mt_preset_begin (MtPresetBuild *b, const char *keeps);
bool mt_preset_need_time (MtPresetBuild *b);

/* One document a counter and day (preset_counters.c). */
bool mt_preset_daily_metrics (MtPresetBuild *b);
bool mt_preset_mms (MtPresetBuild *b);
extern const MtPresetOptionRow mt_preset_daily_metrics_options[], mt_preset_mms_options[];

#endif
