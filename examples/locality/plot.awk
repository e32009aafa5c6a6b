# Shares of four shards over time, stacked, a band a kind of id, as SVG. Input: kind|step|shard|share, sorted.
BEGIN { split ("#4477aa #66ccee #ccbb44 #cc6677", colour, " ") }
{
   if (!($1 in place)) { place[$1] = kinds + 0; name[kinds++] = $1 }
   if ($2 > steps) steps = $2
   share[place[$1], $2, $3] = $4
}
END {
   wide = 9
   printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">\n", 150 + steps * wide, 60 + kinds * 90
   print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
   printf "<text x=\"120\" y=\"20\">Share of the writes of"
   for (s = 1; s <= 4; s++)
      printf " <tspan fill=\"%s\">shard %d%s</tspan>", colour[s], s, s < 4 ? "," : ""
   print " over two hours</text>"
   for (k = 0; k < kinds; k++) {
      printf "<text x=\"110\" y=\"%d\" text-anchor=\"end\">%s</text>\n", 75 + k * 90, name[k]
      for (t = 1; t <= steps; t++) {
         y = 112 + k * 90
         for (s = 1; s <= 4; s++)
            if (share[k, t, s] > 0) {
               y -= share[k, t, s] * 80
               printf "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"%s\"/>", 120 + (t - 1) * wide, y, wide, share[k, t, s] * 80, colour[s]
            }
         print ""
      }
   }
   for (m = 0; m <= steps * 2 + 2; m += 30) # a step is two minutes
      printf "<text x=\"%d\" y=\"%d\" font-size=\"11\" text-anchor=\"middle\">%d min</text>\n", 120 + (m / 2 - 1) * wide, 50 + kinds * 90, m
   print "</svg>"
}
