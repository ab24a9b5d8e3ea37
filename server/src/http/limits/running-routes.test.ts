import { expect, it } from 'vitest';
import { RunningRoutes } from './running-routes.ts';

const long = 60_000;

it('a server waits for all routes at work, also for those that fail', async () => {
  const running = new RunningRoutes();
  await running.ended(long);
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const failing = running.run(() => one.promise);
  const answering = running.run(() => other.promise);
  let isOver = false;
  const ended = running.ended(long).then(() => {
    isOver = true;
  });
  one.reject(new Error('a mistake'));
  await expect(failing).rejects.toThrow('a mistake');
  expect(isOver).toBe(false);
  other.resolve();
  await answering;
  await ended;
});

it('a server does not wait for a route that does not end', async () => {
  const running = new RunningRoutes();
  void running.run(() => new Promise(() => undefined));
  await running.ended(1);
});
