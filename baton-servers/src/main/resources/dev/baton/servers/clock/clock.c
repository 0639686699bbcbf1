// A wall clock that can be set, for one process. Preloaded, it stands before the C library: readings of the wall clock get
// the offset of a page that the process shares with the program that sets it. The monotonic clocks are left alone.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NANOS 1000000000LL

// As SettableClock has it.
struct page {
    int64_t offset;  // in nanoseconds
    uint64_t reads;  // readings of the wall clock
    uint64_t shifted; // those that an offset changed
};

typedef int (*reader)(clockid_t, struct timespec *);

static struct page *page;
static reader real;

static reader next(void) {
    // Another library may ask before this one is initialized.
    reader found = __atomic_load_n(&real, __ATOMIC_RELAXED);
    if (found == NULL) {
        found = (reader) dlsym(RTLD_NEXT, "clock_gettime");
        __atomic_store_n(&real, found, __ATOMIC_RELAXED);
    }
    return found;
}

__attribute__((constructor)) static void open_page(void) {
    const char *path = getenv("BATON_CLOCK");
    int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    void *mapped = mmap(NULL, sizeof(struct page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    page = mapped == MAP_FAILED ? NULL : mapped;
}

static void shift(struct timespec *time) {
    if (page == NULL) {
        return;
    }
    int64_t offset = __atomic_load_n(&page->offset, __ATOMIC_ACQUIRE);
    __atomic_fetch_add(&page->reads, 1, __ATOMIC_RELAXED);
    if (offset == 0) {
        return;
    }
    __atomic_fetch_add(&page->shifted, 1, __ATOMIC_RELAXED);
    int64_t nanos = time->tv_nsec + offset % NANOS;
    time->tv_sec += offset / NANOS;
    if (nanos >= NANOS) {
        nanos -= NANOS;
        time->tv_sec++;
    } else if (nanos < 0) {
        nanos += NANOS;
        time->tv_sec--;
    }
    time->tv_nsec = nanos;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = next()(clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        shift(time);
    }
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void) zone;
    int result = clock_gettime(CLOCK_REALTIME, &now);
    if (result == 0) {
        time->tv_sec = now.tv_sec;
        time->tv_usec = now.tv_nsec / 1000;
    }
    return result;
}

time_t time(time_t *seconds) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) {
        return (time_t) -1;
    }
    if (seconds != NULL) {
        *seconds = now.tv_sec;
    }
    return now.tv_sec;
}

int timespec_get(struct timespec *time, int base) {
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, time) == 0 ? base : 0;
}
