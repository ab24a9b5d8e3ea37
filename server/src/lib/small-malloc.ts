/**
 * Options of glibc, for the environment of a process. Threads share freed memory, and large blocks (pictures,
 * sources) are returned to the system. By default, glibc raises both thresholds up to 64 MB and keeps that much
 * memory.
 */
export const smallMalloc = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;
