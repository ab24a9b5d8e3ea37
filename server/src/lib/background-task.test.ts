import { expect, it } from 'vitest';
import { BackgroundTask } from './background-task.ts';

it('tasks run one after the other, while their caller continues', async () => {
  await using background = new BackgroundTask();
  const { promise, resolve } = Promise.withResolvers<void>();
  const done: string[] = [];
  await background.start(async () => {
    await promise;
    done.push('first');
  });
  const second = background.start(async () => {
    done.push('second');
  });
  done.push('caller');
  resolve();
  await second;
  await background.end();
  expect(done).toEqual(['caller', 'first', 'second']);
});

it('a failure is that of the next start, and of the end', async () => {
  const background = new BackgroundTask();
  await background.start(() => Promise.reject(new Error('no')));
  let isStarted = false;
  const next = background.start(async () => {
    isStarted = true;
  });
  await expect(next).rejects.toThrow('no');
  await expect(background.end()).rejects.toThrow('no');
  expect(isStarted).toBe(false);
});

it('disposing waits for the last task, and does not fail', async () => {
  const background = new BackgroundTask();
  const { promise, reject } = Promise.withResolvers<void>();
  await background.start(() => promise);
  let isDisposed = false;
  const disposed = background[Symbol.asyncDispose]().then(() => {
    isDisposed = true;
  });
  await Promise.resolve();
  expect(isDisposed).toBe(false);
  reject(new Error('no'));
  await disposed;
});
