#include <sqlite3.h>

// Neither twenty pages nor a pool of small blocks are set aside in advance. To be called before any connection is
// opened. Source: sqlite.org/c3ref/c_config_covering_index_scan.html, SQLITE_CONFIG_PAGECACHE and _LOOKASIDE.
static inline int sot_sqlite_frugal(void) {
  int code = sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
  return code == SQLITE_OK ? sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) : code;
}
