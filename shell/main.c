#include "shell/shell.h"

int main (int argc, char **argv) { return mt_shell_main (argc, argv); }
