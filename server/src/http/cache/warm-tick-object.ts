import { executionAsyncResource } from 'node:async_hooks';

const kept = new Set<object>();

/**
 * Keeps one of the objects that Node creates for each `process.nextTick`. V8 drops the shape of an
 * object when the last such object is collected; new ones are then slow to create for the rest of
 * the process's life. A response needs five, which would cost 2 µs of the 13 µs of a cached response
 * (`npm run bench -- public throughput`). Call it early.
 */
export function warmTickObject(): void {
  process.nextTick(() => {
    if (kept.size === 0) kept.add(executionAsyncResource());
  });
}
