// The smallest honest C program for the same job, as a floor to measure against: keeps gpsd's latest fix, and when a
// client of its socket asks for it stores the alert durably and posts it. Same libraries and settings as soteriad.
//
// Usage: floor GPS_PORT DATABASE URL CA_BUNDLE SOCKET     (CA_BUNDLE "-" for plain http)
#define _GNU_SOURCE
#include <curl/curl.h>
#include <gps.h>
#include <poll.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct gps_data_t gps;
static double latitude, longitude;
static sqlite3 *database;
static sqlite3_stmt *insert;

static size_t drop(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes, (void)context;
  return size * count;
}

static void store(const char *body) {
  sqlite3_bind_text(insert, 1, body, -1, SQLITE_STATIC);
  if (sqlite3_step(insert) != SQLITE_DONE) abort();
  sqlite3_reset(insert);
}

static void begin(CURLM *multi, const char *url, const char *ca, const char *body, struct curl_slist *headers) {
  CURL *easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
  if (strcmp(ca, "-") != 0) curl_easy_setopt(easy, CURLOPT_CAINFO, ca);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 15000L);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, body);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
  curl_multi_add_handle(multi, easy);
}

static int listen_at(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 8) != 0) exit(1);
  return listener;
}

int main(int count, char **arguments) {
  if (count != 6) return 2;
  int listener = listen_at(arguments[5]);
  if (sqlite3_open(arguments[2], &database) != SQLITE_OK) return 1;
  sqlite3_exec(database, "PRAGMA cache_size=-256; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                         "CREATE TABLE IF NOT EXISTS alerts(id INTEGER PRIMARY KEY, body TEXT)", NULL, NULL, NULL);
  if (sqlite3_prepare_v2(database, "INSERT INTO alerts(body) VALUES (?1)", -1, &insert, NULL) != SQLITE_OK) return 1;
  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM *multi = curl_multi_init();
  struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
  headers = curl_slist_append(headers, "Expect:");
  int has_gps = gps_open("127.0.0.1", arguments[1], &gps) == 0;
  if (has_gps) gps_stream(&gps, WATCH_ENABLE | WATCH_JSON, NULL);
  printf("ready\n");
  fflush(stdout);

  for (;;) {
    struct curl_waitfd entries[2] = {{.fd = listener, .events = CURL_WAIT_POLLIN}, {.fd = -1, .events = CURL_WAIT_POLLIN}};
    if (has_gps) entries[1].fd = (int)gps.gps_fd;
    curl_multi_poll(multi, entries, has_gps ? 2 : 1, 86400000, NULL);
    if (has_gps && entries[1].revents) {
      do {
        if (gps_read(&gps, NULL, 0) < 0) {
          has_gps = 0;
          break;
        }
        if (gps.fix.mode >= MODE_2D) latitude = gps.fix.latitude, longitude = gps.fix.longitude;
      } while (gps_waiting(&gps, 0));
    }
    if (entries[0].revents) {
      int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
      char line[64], body[512];
      if (read(client, line, sizeof line) <= 0) return 1;
      snprintf(body, sizeof body,
               "{\"text\":\"help\",\"position\":{\"lat\":%.6f,\"lon\":%.6f},"
               "\"map_url\":\"https://maps.google.com/?q=%.6f,%.6f\"}",
               latitude, longitude, latitude, longitude);
      store(body);
      begin(multi, arguments[3], arguments[4], body, headers);
      if (write(client, "{}\n", 3) != 3) return 1;
      close(client);
    }
    int running, left;
    curl_multi_perform(multi, &running);
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
      CURL *easy = message->easy_handle;
      curl_multi_remove_handle(multi, easy);
      curl_easy_cleanup(easy);
    }
  }
}
