# Bars of both questions, a pair a layout, as SVG. Input: lesson.sh's table, fields between bars ("|").
{ name[NR] = $1; q[1, NR] = $4; q[2, NR] = $8; for (k = 1; k <= 2; k++) if (q[k, NR] > most) most = q[k, NR] }
END {
   height = 40 + NR * 46
   printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">\n", height
   print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
   print "<text x=\"180\" y=\"20\"><tspan fill=\"#4477aa\">Q1</tspan> and <tspan fill=\"#cc6677\">Q2</tspan> on each layout, milliseconds</text>"
   for (i = 1; i <= NR; i++) {
      y = 34 + (i - 1) * 46
      printf "<text x=\"170\" y=\"%d\" text-anchor=\"end\">%s</text>\n", y + 20, name[i]
      for (k = 1; k <= 2; k++) {
         width = most > 0 ? q[k, i] / most * 480 : 0
         printf "<rect x=\"180\" y=\"%d\" width=\"%.1f\" height=\"16\" fill=\"%s\"/>", y + (k - 1) * 18, width < 1 ? 1 : width, k == 1 ? "#4477aa" : "#cc6677"
         printf "<text x=\"%.1f\" y=\"%d\" font-size=\"11\">%.1f</text>\n", 186 + width, y + (k - 1) * 18 + 12, q[k, i]
      }
   }
   print "</svg>"
}
