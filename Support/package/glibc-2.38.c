// What Debian 13's Swift runtime asks of the C library and Debian 12's does not have: the names that C23 gave these
// functions in glibc 2.38. They differ in that they read binary numbers (0b1) too, which the runtime never gives them.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }

long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int count = vsscanf(text, format, values);
  va_end(values);
  return count;
}
