/* The interface of the drawing library for charts in files. shell/chart/cairo implements it as a
 * shared object, which is loaded when the first file is drawn, so that the shell starts without it.
 *
 * Positions and sizes are in pixels from the upper left corner. Colours are 0xRRGGBB. */
#ifndef MT_SHELL_CHART_PICTURE_H
#define MT_SHELL_CHART_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct MtPicture MtPicture;

typedef struct MtPictureText {
   double x, y;   /* y is the middle of the text's height */
   double anchor; /* the part of the text that lies left of x: 0, 0.5 or 1 */
   double size;   /* the size of the font */
   double widest; /* a longer text ends with "…"; 0: any width */
   uint32_t color;
   bool bold;
} MtPictureText;

enum { MT_MARK_CIRCLE, MT_MARK_SQUARE, MT_MARK_TRIANGLE, MT_MARK_DIAMOND, MT_PICTURE_MARKS };

typedef struct MtPictureStroke {
   double width;
   uint32_t color;
   int dash; /* 0: a whole line, 1 and 2: dashes and dots */
} MtPictureStroke;

typedef struct MtPictureBackend {
   /* sizeof (MtPictureBackend) when the library was built */
   uint32_t size;
   /* Starts a picture filled with the background colour. Returns NULL after an error, with its
    * reason in `error`. */
   MtPicture *(*begin) (double width, double height, bool svg, uint32_t background,
                        char error[256]);
   /* Returns the width in pixels of a text of n bytes in a font of this size. */
   double (*text_width) (MtPicture *p, const char *text, size_t n, double size);
   void (*text) (MtPicture *p, const MtPictureText *how, const char *text, size_t n);
   /* Draws a line through n points; xy has x and y of each. */
   void (*line) (MtPicture *p, const double *xy, size_t n, const MtPictureStroke *how);
   void (*rectangle) (MtPicture *p, const double box[4], uint32_t color); /* x, y, width, height */
   void (*mark) (MtPicture *p, double x, double y, double radius, int mark, uint32_t color);
   /* Passes the bytes of the finished file to `write`, and frees the picture. Returns false after
    * an error, with its reason in `error`. */
   bool (*finish) (MtPicture *p, bool (*write) (void *ctx, const void *bytes, size_t n), void *ctx,
                   char error[256]);
} MtPictureBackend;

/* The name of the variable in the shared object that has the table of functions. */
#define MT_PICTURE_BACKEND "mt_picture_backend"

#endif
