# Writes a second against the hour of the day, a line a form of documents, as SVG. Input: form, hour, writes a second, separated by tabs.
BEGIN { FS = "\t"; split ("#c0392b #2471a3 #1e8449", colour, " ") }
{
   if (!($1 in place)) { place[$1] = ++forms; name[forms] = $1 }
   v[place[$1], $2] = $3
   if ($3 > most) most = $3
}
END {
   for (step = 1; step * 5 < most; step *= 10)
      ;
   if (step >= 10)
      step = step / 5 * 5 >= most ? step / 5 : step / 2 * 5 >= most ? step / 2 : step
   most = step * 5
   print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"560\" height=\"320\" font-family=\"sans-serif\" font-size=\"11\">"
   print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
   print "<text x=\"70\" y=\"18\" font-size=\"13\">Writes a second, by the hour of the day</text><path d=\"M70 30v230h470\" fill=\"none\" stroke=\"black\"/>"
   for (i = 1; i <= 5; i++)
      printf "<path d=\"M70 %d h470\" stroke=\"#ddd\"/><text x=\"65\" y=\"%d\" text-anchor=\"end\">%d</text>\n", 260 - 46 * i, 264 - 46 * i, step * i
   for (h = 0; h <= 24; h += 6)
      printf "<text x=\"%d\" y=\"275\" text-anchor=\"middle\">%d:00</text>\n", 70 + 470 * h / 24, h
   for (f = 1; f <= forms; f++) {
      printf "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour[f]
      for (h = 0; h < 24; h++)
         printf "%.1f,%.1f ", 70 + 470 * (h + 0.5) / 24, 260 - 230 * v[f, h] / most
      printf "\"/><text x=\"%d\" y=\"300\" fill=\"%s\">%s</text>\n", 70 + 140 * (f - 1), colour[f], name[f]
   }
   print "</svg>"
}
