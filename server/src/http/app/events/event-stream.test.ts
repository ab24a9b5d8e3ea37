import { expect, it } from 'vitest';
import { EventStream } from './event-stream.ts';

it('writes events as lines', async () => {
  const stream = new EventStream();
  stream.send({ name: 'episode.changed', data: '{"revision":2}' });
  stream.beat();
  stream.end();
  stream.send({ name: 'late', data: '{}' });
  const text = Buffer.concat(await stream.body.toArray()).toString();
  expect(text).toBe('retry: 2000\n\nevent: episode.changed\ndata: {"revision":2}\n\n:\n\n');
});

it('disconnects a client that does not read', () => {
  const stream = new EventStream();
  const event = JSON.stringify('x'.repeat(1_000));
  for (let n = 0; n < 50; n += 1) stream.send({ name: 'import', data: event });
  expect(stream.body.destroyed).toBe(false);
  for (let n = 0; n < 50; n += 1) stream.send({ name: 'import', data: event });
  expect(stream.body.destroyed).toBe(true);
  expect(stream.body.readableLength).toBeLessThan(100_000);
});
