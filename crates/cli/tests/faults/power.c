// Journals what a program does to the files of a folder, so that a test can rebuild what a disk without power
// would have: only what was synchronised. Loaded with LD_PRELOAD; NOUGHTS_POWER_FOLDER names the folder, and
// NOUGHTS_POWER_JOURNAL the journal.
//
// A record is an operation (one byte), the length of the file's name, the name, a number (the offset of a write,
// or the new size), the length of the data, and the data. Lengths and numbers have 64 bits.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_FILES = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *names[MAX_FILES]; // by file descriptor; "" is the folder
static int journal = -1;

// The name of a file in the folder, "" for the folder itself, or null.
static const char *name_of(const char *path) {
    static __thread char full[PATH_MAX];
    const char *folder = getenv("NOUGHTS_POWER_FOLDER");
    if (!folder || !path) return NULL;
    if (path[0] != '/') {
        if (!getcwd(full, sizeof full - strlen(path) - 2)) return NULL;
        strcat(strcat(full, "/"), path);
        path = full;
    }
    size_t length = strlen(folder);
    if (strncmp(path, folder, length)) return NULL;
    if (!path[length]) return "";
    return path[length] == '/' ? path + length + 1 : NULL;
}

static void write_all(const void *data, size_t length) {
    const char *rest = data;
    while (length) {
        ssize_t written = syscall(SYS_write, journal, rest, length);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) abort();
        rest += written;
        length -= written;
    }
}

// Needs the lock.
static void record(char operation, const char *name, uint64_t number, const void *data, size_t length) {
    if (journal < 0) {
        journal = syscall(SYS_openat, AT_FDCWD, getenv("NOUGHTS_POWER_JOURNAL"),
                          O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (journal < 0) abort();
    }
    uint64_t name_length = strlen(name), data_length = length;
    // One buffer, one write: the program may be killed at any time.
    size_t size = 1 + 8 + name_length + 8 + 8 + length;
    char *buffer = malloc(size), *at = buffer;
    if (!buffer) abort();
    *at++ = operation;
    at = mempcpy(at, &name_length, 8);
    at = mempcpy(at, name, name_length);
    at = mempcpy(at, &number, 8);
    at = mempcpy(at, &data_length, 8);
    if (length) memcpy(at, data, length);
    write_all(buffer, size);
    free(buffer);
}

static int is_followed(int fd) {
    return fd >= 0 && fd < MAX_FILES && names[fd];
}

static int opened(int fd, const char *path, int flags, int existed) {
    const char *name = fd >= 0 && fd < MAX_FILES ? name_of(path) : NULL;
    if (!name) return fd;
    pthread_mutex_lock(&lock);
    free(names[fd]);
    names[fd] = strdup(name);
    if (!existed) record('c', name, 0, NULL, 0);
    if (flags & O_TRUNC) record('t', name, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return fd;
}

static int open_file(int folder, const char *path, int flags, mode_t mode) {
    struct stat found;
    int existed = !name_of(path) || stat(path, &found) == 0;
    return opened(syscall(SYS_openat, folder, path, flags, mode), path, flags, existed);
}

#define OPEN(name)                                   \
    int name(const char *path, int flags, ...) {     \
        va_list rest;                                \
        va_start(rest, flags);                       \
        mode_t mode = va_arg(rest, int);             \
        va_end(rest);                                \
        return open_file(AT_FDCWD, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                         \
    int name(int folder, const char *path, int flags, ...) { \
        va_list rest;                                        \
        va_start(rest, flags);                               \
        mode_t mode = va_arg(rest, int);                     \
        va_end(rest);                                        \
        return open_file(folder, path, flags, mode);         \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int fd) {
    pthread_mutex_lock(&lock);
    if (is_followed(fd)) {
        free(names[fd]);
        names[fd] = NULL;
    }
    pthread_mutex_unlock(&lock);
    return syscall(SYS_close, fd);
}

static ssize_t write_at(int fd, const void *data, size_t length, off_t offset) {
    pthread_mutex_lock(&lock);
    ssize_t written = syscall(SYS_pwrite64, fd, data, length, offset);
    if (written > 0) record('w', names[fd], offset, data, written);
    pthread_mutex_unlock(&lock);
    return written;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
    if (!is_followed(fd)) return syscall(SYS_pwrite64, fd, data, length, offset);
    return write_at(fd, data, length, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off_t offset) {
    return pwrite(fd, data, length, offset);
}

ssize_t write(int fd, const void *data, size_t length) {
    if (!is_followed(fd)) return syscall(SYS_write, fd, data, length);
    off_t offset = lseek(fd, 0, SEEK_CUR);
    ssize_t written = write_at(fd, data, length, offset);
    if (written > 0) lseek(fd, offset + written, SEEK_SET);
    return written;
}

int ftruncate(int fd, off_t size) {
    pthread_mutex_lock(&lock);
    int result = syscall(SYS_ftruncate, fd, size);
    if (!result && is_followed(fd)) record('t', names[fd], size, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate64(int fd, off_t size) {
    return ftruncate(fd, size);
}

// Nothing need reach the disk of this machine, whose power stays on.
static int synchronise(int fd) {
    pthread_mutex_lock(&lock);
    if (is_followed(fd)) record('s', names[fd], 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return 0;
}

int fsync(int fd) {
    return synchronise(fd);
}

int fdatasync(int fd) {
    return synchronise(fd);
}

int unlink(const char *path) {
    pthread_mutex_lock(&lock);
    const char *name = name_of(path);
    int result = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (!result && name) record('u', name, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int rename(const char *from, const char *to) {
    // Nothing that is tested renames files of the folder.
    if (name_of(from) || name_of(to)) abort();
    return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
