// The smallest honest C program for the same job, as a floor to measure against: keeps gpsd's latest fix, and when a
// client of its socket asks for it stores the alert durably and posts it. Same libraries and settings as soteriad.
//
// Usage: floor GPS_PORT DATABASE URL CA_BUNDLE SOCKET [durable]     (CA_BUNDLE "-" for plain http)
// With `durable` a second thread commits, so that a disk that stalls does not stall the program, and the answer is
// stored too, so that a restart does not send again: not the floor, but what these two promises cost.
#define _GNU_SOURCE
#include <curl/curl.h>
#include <gps.h>
#include <poll.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct gps_data_t gps;
static double latitude, longitude;
static sqlite3 *database;
static sqlite3_stmt *insert, *settle;
static char body[512];
static int wanted = -1, stored = -1;  // Descriptors between the two threads; -1 where there is one.

static size_t drop(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes, (void)context;
  return size * count;
}

static void run(sqlite3_stmt *statement) {
  if (sqlite3_step(statement) != SQLITE_DONE) abort();
  sqlite3_reset(statement);
}

static void store(void) {
  sqlite3_bind_text(insert, 1, body, -1, SQLITE_STATIC);
  run(insert);
}

// One alert at a time is all that is asked of it, so `body` needs no lock: the two descriptors order its use.
static void *store_thread(void *unused) {
  eventfd_t job;
  while (eventfd_read(wanted, &job) == 0) {
    // Both may have come by now: a two is an answer to note, a one an alert to store.
    if (job >= 2) run(settle);
    if (job % 2 == 1) {
      store();
      eventfd_write(stored, 1);
    }
  }
  return unused;
}

static void begin(CURLM *multi, const char *url, const char *ca, struct curl_slist *headers) {
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
  unlink(path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 8) != 0) exit(1);
  return listener;
}

static int take_trigger(int listener) {
  char line[64];
  int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (read(client, line, sizeof line) <= 0) exit(1);
  snprintf(body, sizeof body,
           "{\"text\":\"help\",\"position\":{\"lat\":%.6f,\"lon\":%.6f},"
           "\"map_url\":\"https://maps.google.com/?q=%.6f,%.6f\"}",
           latitude, longitude, latitude, longitude);
  return client;
}

int main(int count, char **arguments) {
  if (count != 6 && count != 7) return 2;
  int listener = listen_at(arguments[5]);
  if (sqlite3_open(arguments[2], &database) != SQLITE_OK) return 1;
  sqlite3_exec(database, "PRAGMA cache_size=-256; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                         "CREATE TABLE IF NOT EXISTS alerts(id INTEGER PRIMARY KEY, sent INTEGER, body TEXT)",
               NULL, NULL, NULL);
  sqlite3_prepare_v2(database, "INSERT INTO alerts(body) VALUES (?1)", -1, &insert, NULL);
  sqlite3_prepare_v2(database, "UPDATE alerts SET sent = 1 WHERE id = last_insert_rowid()", -1, &settle, NULL);
  if (!insert || !settle) return 1;
  if (count == 7) {
    pthread_t thread;
    wanted = eventfd(0, EFD_CLOEXEC), stored = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (pthread_create(&thread, NULL, store_thread, NULL) != 0) return 1;
  }
  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM *multi = curl_multi_init();
  struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
  headers = curl_slist_append(headers, "Expect:");
  int has_gps = gps_open("127.0.0.1", arguments[1], &gps) == 0;
  if (has_gps) gps_stream(&gps, WATCH_ENABLE | WATCH_JSON, NULL);
  printf("ready\n");
  fflush(stdout);

  for (;;) {
    struct curl_waitfd entries[3] = {
        {.fd = listener, .events = CURL_WAIT_POLLIN}, {.events = CURL_WAIT_POLLIN}, {.events = CURL_WAIT_POLLIN}};
    struct curl_waitfd *fix = NULL, *commit = NULL;
    unsigned entry_count = 1;
    if (has_gps) (fix = &entries[entry_count++])->fd = (int)gps.gps_fd;
    if (stored >= 0) (commit = &entries[entry_count++])->fd = stored;
    curl_multi_poll(multi, entries, entry_count, 86400000, NULL);
    if (fix && fix->revents) {
      do {
        if (gps_read(&gps, NULL, 0) < 0) {
          has_gps = 0;
          break;
        }
        if (gps.fix.mode >= MODE_2D) latitude = gps.fix.latitude, longitude = gps.fix.longitude;
      } while (gps_waiting(&gps, 0));
    }
    if (entries[0].revents) {
      int client = take_trigger(listener);
      if (stored >= 0) {
        eventfd_write(wanted, 1);
      } else {
        store();
        begin(multi, arguments[3], arguments[4], headers);
      }
      if (write(client, "{}\n", 3) != 3) return 1;
      close(client);
    }
    eventfd_t ignored;
    if (commit && commit->revents && eventfd_read(stored, &ignored) == 0) {
      begin(multi, arguments[3], arguments[4], headers);
    }
    int running, left;
    curl_multi_perform(multi, &running);
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
      CURL *easy = message->easy_handle;
      curl_multi_remove_handle(multi, easy);
      curl_easy_cleanup(easy);
      if (stored >= 0) eventfd_write(wanted, 2);
    }
  }
}
