import { threadId } from 'node:worker_threads';
import { answerInThread } from '../../src/platform/threads/answer-in-thread.ts';

const hoard: unknown[] = [];

answerInThread({
  id: () => threadId,
  double: (number: number) => number * 2,
  refuse(reason: string) {
    throw Object.assign(new Error('no'), { reason });
  },
  loop() {
    for (;;);
  },
  /** Simulates a busy machine. */
  wait(ms: number) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return 'waited';
  },
  hoard() {
    for (;;) hoard.push(Array.from({ length: 10_000 }, () => ({})));
  },
});
