#define _GNU_SOURCE
#include "CCurl.h"

#include <curl/curl.h>
#include <malloc.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#if LIBCURL_VERSION_NUM < 0x075700
#error "libcurl 7.87 or later is needed: CURLOPT_QUICK_EXIT keeps a dead resolver from blocking the loop"
#endif

typedef struct {
  uint8_t *bytes;
  size_t length, capacity;
} buffer;

struct sot_http {
  CURLM *multi;
  char *user_agent;
  size_t body_limit, header_limit;
  size_t running;
  // The last plain transfer that went well, to be used again: to make a handle and to set it up costs more than all
  // else that comes before libcurl's own work.
  sot_transfer *spare;
};

struct sot_transfer {
  CURL *easy;
  struct curl_slist *headers;
  uint64_t id;
  buffer body, head;
  size_t body_limit, header_limit;
  // The authorities it trusts; NULL for the system's.
  char *ca_file;
  // A POST with a body: one request of that kind has nothing set that the next one does not set too.
  bool plain;
  bool truncated, malformed, went_well;
  // How often libcurl sent it: again where the connection had died meanwhile.
  unsigned sendings;
  sot_http_result result;
  long status;
  char detail[CURL_ERROR_SIZE];
};

static bool append(buffer *into, const void *bytes, size_t length) {
  if (into->length + length + 1 > into->capacity) {
    size_t capacity = (into->length + length + 1) * 2;
    uint8_t *larger = realloc(into->bytes, capacity);
    if (!larger) return false;
    into->bytes = larger;
    into->capacity = capacity;
  }
  memcpy(into->bytes + into->length, bytes, length);
  into->length += length;
  into->bytes[into->length] = 0;
  return true;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
  sot_transfer *transfer = context;
  size_t length = size * count;
  size_t room = transfer->body_limit - transfer->body.length;
  if (length > room) {
    transfer->truncated = true;
    append(&transfer->body, bytes, room);
    return 0;  // Ends the transfer: nobody's answer is longer.
  }
  return append(&transfer->body, bytes, length) ? length : 0;
}

static size_t on_header(char *bytes, size_t size, size_t count, void *context) {
  sot_transfer *transfer = context;
  size_t length = size * count;
  // A new status line (after 100 Continue or a proxy's answer) begins the headers anew.
  if (length >= 5 && memcmp(bytes, "HTTP/", 5) == 0) {
    transfer->head.length = 0;
    return length;
  }
  if (transfer->head.length + length > transfer->header_limit) {
    transfer->malformed = true;
    return 0;
  }
  while (length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == '\r')) length--;
  if (length > 0 && !(append(&transfer->head, bytes, length) && append(&transfer->head, "\n", 1))) return 0;
  return size * count;
}

static int on_sending(void *context, char *server, char *own, int server_port, int own_port) {
  (void)server, (void)own, (void)server_port, (void)own_port;
  ((sot_transfer *)context)->sendings++;
  return CURL_PREREQFUNC_OK;
}

sot_http *sot_http_create(const char *user_agent, size_t body_limit, size_t header_limit) {
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0) return NULL;
  sot_http *http = calloc(1, sizeof *http);
  if (!http) return NULL;
  http->multi = curl_multi_init();
  http->user_agent = strdup(user_agent);
  http->body_limit = body_limit;
  http->header_limit = header_limit;
  if (!http->multi || !http->user_agent) {
    sot_http_destroy(http);
    return NULL;
  }
  curl_multi_setopt(http->multi, CURLMOPT_MAXCONNECTS, 16L);
  return http;
}

static void transfer_free(sot_transfer *transfer) {
  if (!transfer) return;
  if (transfer->easy) curl_easy_cleanup(transfer->easy);
  curl_slist_free_all(transfer->headers);
  free(transfer->ca_file);
  free(transfer->body.bytes);
  free(transfer->head.bytes);
  free(transfer);
}

void sot_http_destroy(sot_http *http) {
  if (!http) return;
  transfer_free(http->spare);
  if (http->multi) curl_multi_cleanup(http->multi);
  free(http->user_agent);
  free(http);
}

// With all that is the same for every request.
static sot_transfer *transfer_create(sot_http *http, const char *ca_file) {
  sot_transfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return NULL;
  transfer->body_limit = http->body_limit;
  transfer->header_limit = http->header_limit;
  transfer->easy = curl_easy_init();
  if (ca_file) transfer->ca_file = strdup(ca_file);
  if (!transfer->easy || (ca_file && !transfer->ca_file)) {
    transfer_free(transfer);
    return NULL;
  }
  CURL *easy = transfer->easy;
  curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->detail);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, http->user_agent);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  // Without it one curl_multi_perform blocked 8 s joining the resolver's thread when DNS was dead.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  // With a CApath set libcurl reads the whole bundle again for each connection: 34 ms instead of 2.4.
  curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, 3600L);
  curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 16384L);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_sending);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer);
  if (ca_file) curl_easy_setopt(easy, CURLOPT_CAINFO, ca_file);
  return transfer;
}

static bool is_same(const char *left, const char *right) {
  return left && right ? strcmp(left, right) == 0 : left == right;
}

static sot_transfer *transfer_take(sot_http *http, bool plain, const char *ca_file) {
  sot_transfer *spare = http->spare;
  if (!plain || !spare || !is_same(spare->ca_file, ca_file)) return transfer_create(http, ca_file);
  http->spare = NULL;
  curl_slist_free_all(spare->headers);
  spare->headers = NULL;
  spare->body.length = spare->head.length = 0;
  spare->detail[0] = 0;
  spare->sendings = 0;
  return spare;
}

static bool add_header(sot_transfer *transfer, const char *line) {
  struct curl_slist *longer = curl_slist_append(transfer->headers, line);
  if (longer) transfer->headers = longer;
  return longer != NULL;
}

sot_transfer *sot_http_start(sot_http *http, uint64_t id, const char *head, size_t header_count,
                             const uint8_t *body, size_t body_length, int64_t timeout_ms, const char *ca_file,
                             bool connect_only) {
  const char *method = head, *url = method + strlen(method) + 1, *header = url + strlen(url) + 1;
  bool is_post = strcmp(method, "POST") == 0, plain = is_post && body && !connect_only;
  sot_transfer *transfer = transfer_take(http, plain, ca_file);
  if (!transfer) return NULL;
  transfer->id = id;
  transfer->plain = plain;
  bool has_type = false;
  for (; header_count > 0; header_count--, header += strlen(header) + 1) {
    has_type = has_type || strncasecmp(header, "Content-Type:", 13) == 0;
    if (!add_header(transfer, header)) goto failed;
  }
  // No wait for "100 Continue", which many servers never send, and no type that the request does not name.
  if (!add_header(transfer, "Expect:") || (!has_type && !add_header(transfer, "Content-Type:"))) goto failed;

  CURL *easy = transfer->easy;
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)timeout_ms);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)timeout_ms);
  if (connect_only) {
    curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
  } else if (body || is_post) {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body_length);
    if (curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, body ? (const char *)body : "") != CURLE_OK) goto failed;
    if (!is_post) curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method);
  } else if (strcmp(method, "HEAD") == 0) {
    // As a custom method libcurl would wait for the body that never comes.
    curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
  } else if (strcmp(method, "GET") != 0) {
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method);
  }
  if (curl_multi_add_handle(http->multi, easy) != CURLM_OK) goto failed;
  http->running++;
  return transfer;

failed:
  transfer_free(transfer);
  return NULL;
}

void sot_http_abandon(sot_http *http, sot_transfer *transfer) {
  curl_multi_remove_handle(http->multi, transfer->easy);
  http->running--;
  transfer_free(transfer);
}

int sot_http_wait(sot_http *http, sot_poll_entry *entries, size_t count, int64_t limit_ns) {
  struct curl_waitfd fds[64];
  struct pollfd seen[64];
  if (count > sizeof fds / sizeof fds[0]) count = sizeof fds / sizeof fds[0];
  for (size_t i = 0; i < count; i++)
    seen[i] = (struct pollfd){.fd = entries[i].fd, .events = POLLIN | (entries[i].wants_write ? POLLOUT : 0)};
  int ready = 0;
  if (http->running == 0) {
    // Nothing to wait for but the entries: libcurl's way is long, and its time is in milliseconds.
    struct timespec limit = {.tv_sec = limit_ns / 1000000000, .tv_nsec = limit_ns % 1000000000};
    ready = ppoll(seen, count, limit_ns < 0 ? NULL : &limit, NULL);
  } else {
    for (size_t i = 0; i < count; i++) {
      short events = CURL_WAIT_POLLIN | (entries[i].wants_write ? CURL_WAIT_POLLOUT : 0);
      fds[i] = (struct curl_waitfd){.fd = entries[i].fd, .events = events};
    }
    // libcurl takes no "for ever"; a day is as good, and it wakes by itself for its own timers. Rounded up, so that a
    // wait is never cut short into a spin.
    int limit = limit_ns < 0 || limit_ns >= 86400000000000 ? 86400000 : (int)((limit_ns + 999999) / 1000000);
    if (curl_multi_poll(http->multi, fds, (unsigned)count, limit, &ready) != CURLM_OK) ready = -1;
    // It wakes for POLLHUP, POLLERR and POLLNVAL but does not tell them: a broken descriptor would spin unseen.
    if (ready > 0) poll(seen, count, 0);
  }
  for (size_t i = 0; i < count; i++) entries[i].ready = ready > 0 && seen[i].revents != 0;
  return ready;
}

static sot_http_result classified(CURLcode code) {
  switch (code) {
    case CURLE_OK: return SOT_HTTP_ANSWERED;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: return SOT_HTTP_RESOLVING;
    case CURLE_COULDNT_CONNECT:
    case CURLE_PROXY: return SOT_HTTP_CONNECTING;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR: return SOT_HTTP_SECURING;
    case CURLE_OPERATION_TIMEDOUT: return SOT_HTTP_TIMED_OUT;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_OUT_OF_MEMORY: return SOT_HTTP_MISCONFIGURED;
    default: return SOT_HTTP_BROKEN;
  }
}

void sot_http_perform(sot_http *http) {
  int running;
  curl_multi_perform(http->multi, &running);
}

sot_transfer *sot_http_finished(sot_http *http) {
  int left;
  CURLMsg *message;
  while ((message = curl_multi_info_read(http->multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    CURLcode code = message->data.result;
    CURL *easy = message->easy_handle;
    sot_transfer *transfer = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&transfer);
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &transfer->status);
    curl_multi_remove_handle(http->multi, easy);
    http->running--;
    transfer->went_well = code == CURLE_OK;
    bool cut_off_by_us = code == CURLE_WRITE_ERROR && transfer->truncated;
    transfer->result = cut_off_by_us ? SOT_HTTP_ANSWERED : classified(code);
    // The same code tells of a URL that is none and of a server that speaks no HTTP.
    curl_off_t sent_at = 0;
    curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &sent_at);
    if (code == CURLE_UNSUPPORTED_PROTOCOL && sent_at > 0) transfer->result = SOT_HTTP_BROKEN;
    if (transfer->malformed) transfer->result = SOT_HTTP_BROKEN;
    if (transfer->result != SOT_HTTP_ANSWERED && !transfer->detail[0])
      strncpy(transfer->detail, curl_easy_strerror(code), sizeof transfer->detail - 1);
    return transfer;
  }
  return NULL;
}

void sot_http_free(sot_http *http, sot_transfer *transfer) {
  long connections = 0;
  curl_easy_getinfo(transfer->easy, CURLINFO_NUM_CONNECTS, &connections);
  // A handle counts for life how often it sent again, and gives up beyond five.
  if (transfer->plain && transfer->went_well && transfer->sendings == 1 && !http->spare) {
    http->spare = transfer;
  } else {
    transfer_free(transfer);
  }
  // A handshake leaves holes of 100 kB in the heap that nothing else fills.
  if (connections > 0) malloc_trim(0);
}

uint64_t sot_transfer_id(const sot_transfer *transfer) { return transfer->id; }
sot_http_result sot_transfer_result(const sot_transfer *transfer) { return transfer->result; }
const char *sot_transfer_detail(const sot_transfer *transfer) { return transfer->detail; }
long sot_transfer_status(const sot_transfer *transfer) { return transfer->status; }
bool sot_transfer_truncated(const sot_transfer *transfer) { return transfer->truncated; }

const uint8_t *sot_transfer_body(const sot_transfer *transfer, size_t *length) {
  *length = transfer->body.length;
  return transfer->body.bytes;
}

const char *sot_transfer_headers(const sot_transfer *transfer, size_t *length) {
  *length = transfer->head.length;
  return (const char *)transfer->head.bytes;
}

bool sot_http_resolves_asynchronously(void) {
  return (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_ASYNCHDNS) != 0;
}
