// A small typed face on libcurl's multi interface: its own setters are variadic and do not import.
#ifndef SOTERIA_CCURL_H
#define SOTERIA_CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sot_http sot_http;
typedef struct sot_transfer sot_transfer;

// A descriptor to wait for beside the transfers. `ready` is set to what happened.
typedef struct {
  int fd;
  bool wants_write;
  bool ready;
} sot_poll_entry;

// Why a transfer brought no answer.
typedef enum {
  SOT_HTTP_ANSWERED = 0,
  SOT_HTTP_RESOLVING,
  SOT_HTTP_CONNECTING,
  SOT_HTTP_SECURING,
  SOT_HTTP_TIMED_OUT,
  SOT_HTTP_BROKEN,
  SOT_HTTP_MISCONFIGURED,
} sot_http_result;

// NULL when out of memory. Loads the system's certificate authorities on the first https transfer only.
sot_http *sot_http_create(const char *user_agent, size_t body_limit, size_t header_limit);
void sot_http_destroy(sot_http *);

// Begins a transfer. `head` is the method, the URL and `header_count` lines "Name: value", a zero behind each. A NULL
// body sends none. `ca_file` is a PEM file of all authorities to trust, or NULL for the system's. NULL when out of
// memory. Everything is copied.
sot_transfer *sot_http_start(sot_http *, uint64_t id, const char *head, size_t header_count, const uint8_t *body,
                             size_t body_length, int64_t timeout_ms, const char *ca_file, bool connect_only);
// Ends it without an answer and frees it.
void sot_http_abandon(sot_http *, sot_transfer *);

// Waits until a transfer, an entry or nothing within `limit_ns` (-1: for ever) is ready. -1 on failure.
int sot_http_wait(sot_http *, sot_poll_entry *entries, size_t count, int64_t limit_ns);
// Lets all transfers go on without blocking.
void sot_http_perform(sot_http *);
// The next finished transfer, or NULL. It stays valid until sot_http_free.
sot_transfer *sot_http_finished(sot_http *);
void sot_http_free(sot_http *, sot_transfer *);

uint64_t sot_transfer_id(const sot_transfer *);
sot_http_result sot_transfer_result(const sot_transfer *);
// libcurl's words for what went wrong; "" when it has none.
const char *sot_transfer_detail(const sot_transfer *);
long sot_transfer_status(const sot_transfer *);
const uint8_t *sot_transfer_body(const sot_transfer *, size_t *length);
bool sot_transfer_truncated(const sot_transfer *);
// The header lines of the last response, joined by '\n'.
const char *sot_transfer_headers(const sot_transfer *, size_t *length);

// Whether name resolution happens without blocking (a resolver thread or c-ares).
bool sot_http_resolves_asynchronously(void);

#endif
