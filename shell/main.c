#include "shell/program.h"

int main (int argc, char **argv)
{
   mt_memory_serve_driver ();
   return mt_shell_main (argc, argv);
}
