/* Draws charts into PNG and SVG files with cairo and pango. Built as a shared object; see
 * shell/chart/picture.h. */
#include "shell/chart/picture.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <cairo-svg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct MtPicture {
   cairo_t *to;
   cairo_surface_t *surface;
   PangoLayout *layout;
   bool svg;
   /* the bytes of an SVG file, which cairo writes while it draws */
   GByteArray *bytes;
};

static void set_color (MtPicture *p, uint32_t color)
{
   cairo_set_source_rgb (p->to, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0,
                         (color & 255) / 255.0);
}

static cairo_status_t keep (void *closure, const unsigned char *bytes, unsigned n)
{
   g_byte_array_append (closure, bytes, n);
   return CAIRO_STATUS_SUCCESS;
}

static bool fail (char error[256], const char *why)
{
   snprintf (error, 256, "%s", why);
   return false;
}

static void release (MtPicture *p)
{
   if (p->layout)
      g_object_unref (p->layout);
   cairo_destroy (p->to);
   cairo_surface_destroy (p->surface);
   g_byte_array_free (p->bytes, TRUE);
   free (p);
}

static bool has_fonts (void)
{
   PangoFontFamily **families = NULL;
   int n = 0;
   pango_font_map_list_families (pango_cairo_font_map_get_default (), &families, &n);
   g_free (families);
   return n > 0;
}

static MtPicture *begin (double width, double height, bool svg, uint32_t background,
                         char error[256])
{
   MtPicture *p = calloc (1, sizeof *p);
   if (!p || !has_fonts ()) {
      free (p);
      fail (error, p ? "no fonts are installed" : "not enough memory");
      return NULL;
   }
   p->svg = svg;
   p->bytes = g_byte_array_new ();
   p->surface = svg ? cairo_svg_surface_create_for_stream (keep, p->bytes, width, height)
                    : cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) width, (int) height);
   if (svg)
      cairo_svg_surface_set_document_unit (p->surface, CAIRO_SVG_UNIT_PX);
   p->to = cairo_create (p->surface);
   if (cairo_status (p->to) != CAIRO_STATUS_SUCCESS) {
      fail (error, cairo_status_to_string (cairo_status (p->to)));
      release (p);
      return NULL;
   }
   p->layout = pango_cairo_create_layout (p->to);
   set_color (p, background);
   cairo_paint (p->to);
   return p;
}

/* ---- text ---- */

static void set_text (MtPicture *p, const char *text, size_t n, double size, bool bold)
{
   PangoFontDescription *font = pango_font_description_from_string ("sans-serif");
   pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
   if (bold)
      pango_font_description_set_weight (font, PANGO_WEIGHT_BOLD);
   pango_layout_set_font_description (p->layout, font);
   pango_font_description_free (font);
   pango_layout_set_single_paragraph_mode (p->layout, TRUE);
   pango_layout_set_width (p->layout, -1);
   pango_layout_set_text (p->layout, text, (int) n);
}

static double text_width (MtPicture *p, const char *text, size_t n, double size)
{
   int width, height;
   set_text (p, text, n, size, false);
   pango_layout_get_size (p->layout, &width, &height);
   return (double) width / PANGO_SCALE;
}

static void draw_text (MtPicture *p, const MtPictureText *how, const char *text, size_t n)
{
   int width, height;
   set_text (p, text, n, how->size, how->bold);
   pango_layout_get_size (p->layout, &width, &height);
   if (how->widest > 0 && width > how->widest * PANGO_SCALE) {
      pango_layout_set_width (p->layout, (int) (how->widest * PANGO_SCALE));
      pango_layout_set_ellipsize (p->layout, PANGO_ELLIPSIZE_END);
      width = (int) (how->widest * PANGO_SCALE);
   } else {
      pango_layout_set_ellipsize (p->layout, PANGO_ELLIPSIZE_NONE);
   }
   set_color (p, how->color);
   cairo_move_to (p->to, how->x - how->anchor * width / PANGO_SCALE,
                  how->y - (double) height / PANGO_SCALE / 2);
   pango_cairo_show_layout (p->to, p->layout);
}

/* ---- shapes ---- */

static void draw_line (MtPicture *p, const double *xy, size_t n, const MtPictureStroke *how)
{
   static const double dashes[][2] = {{0, 0}, {5, 2.5}, {1.5, 2.5}};
   double dash[2] = {dashes[how->dash][0] * how->width, dashes[how->dash][1] * how->width};
   cairo_new_path (p->to);
   for (size_t i = 0; i < n; i++)
      cairo_line_to (p->to, xy[2 * i], xy[2 * i + 1]);
   cairo_set_dash (p->to, dash, how->dash ? 2 : 0, 0);
   cairo_set_line_width (p->to, how->width);
   cairo_set_line_join (p->to, CAIRO_LINE_JOIN_ROUND);
   cairo_set_line_cap (p->to, how->dash ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
   set_color (p, how->color);
   cairo_stroke (p->to);
}

static void draw_rectangle (MtPicture *p, const double box[4], uint32_t color)
{
   set_color (p, color);
   cairo_rectangle (p->to, box[0], box[1], box[2], box[3]);
   cairo_fill (p->to);
}

/* Adds a polygon with n corners on a circle to the path. The first corner is at the angle
 * `turn`. */
static void polygon (MtPicture *p, const double center[2], double radius, int n, double turn)
{
   for (int i = 0; i < n; i++)
      cairo_line_to (p->to, center[0] + radius * cos (turn + 2 * G_PI * i / n),
                     center[1] + radius * sin (turn + 2 * G_PI * i / n));
   cairo_close_path (p->to);
}

static void draw_mark (MtPicture *p, double x, double y, double radius, int mark, uint32_t color)
{
   const double center[2] = {x, y};
   cairo_new_path (p->to);
   set_color (p, color);
   switch (mark) {
   case MT_MARK_SQUARE: polygon (p, center, radius * 1.2, 4, G_PI / 4); break;
   case MT_MARK_TRIANGLE: polygon (p, center, radius * 1.3, 3, -G_PI / 2); break;
   case MT_MARK_DIAMOND: polygon (p, center, radius * 1.3, 4, 0); break;
   default: cairo_arc (p->to, x, y, radius, 0, 2 * G_PI);
   }
   cairo_fill (p->to);
}

/* ---- the end ---- */

static bool finish (MtPicture *p, bool (*write) (void *ctx, const void *bytes, size_t n), void *ctx,
                    char error[256])
{
   cairo_status_t status = CAIRO_STATUS_SUCCESS;
   if (!p->svg)
      status = cairo_surface_write_to_png_stream (p->surface, keep, p->bytes);
   cairo_surface_finish (p->surface);
   if (status == CAIRO_STATUS_SUCCESS)
      status = cairo_surface_status (p->surface);
   bool ok = status == CAIRO_STATUS_SUCCESS || fail (error, cairo_status_to_string (status));
   ok = ok && (write (ctx, p->bytes->data, p->bytes->len) || fail (error, "not enough memory"));
   release (p);
   return ok;
}

__attribute__ ((visibility ("default"))) extern const MtPictureBackend mt_picture_backend;
const MtPictureBackend mt_picture_backend = {.size = sizeof (MtPictureBackend),
                                             .begin = begin,
                                             .text_width = text_width,
                                             .text = draw_text,
                                             .line = draw_line,
                                             .rectangle = draw_rectangle,
                                             .mark = draw_mark,
                                             .finish = finish};
