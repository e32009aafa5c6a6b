typedef int mt_empty; /* what check-headers compiles each header in front of */
