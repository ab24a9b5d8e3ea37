import { executionAsyncResource } from 'node:async_hooks';

const kept = new Set<object>();

/**
 * Keeps one of the objects that stand for a `process.nextTick`. V8 forgets the shape of an object
 * that none is left of: after a full garbage collection between two requests it would build each
 * of the five that an answer needs by its slowest way, for as long as the process lives. That is
 * 2 µs of 13 for a cached answer (`npm run bench -- public throughput`). Call it early.
 */
export function keepTickShape(): void {
  process.nextTick(() => {
    if (kept.size === 0) kept.add(executionAsyncResource());
  });
}
