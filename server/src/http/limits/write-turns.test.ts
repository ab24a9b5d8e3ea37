import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PacedResponse, WriteTurns } from './write-turns.ts';

const kB = 1024;
const piece = 256 * kB;

class Response extends EventEmitter {}

function begin(turns: WriteTurns) {
  const response = new Response();
  return { response, paced: new PacedResponse(turns, response as unknown as ServerResponse) };
}

it('responses share the bytes of each turn of the event loop, in the order in which they came', async () => {
  const turns = new WriteTurns();
  const all = Array.from({ length: 10 }, () => begin(turns).paced.turn(piece));
  expect(all.filter((turn) => turn === undefined)).toHaveLength(4);
  const order: number[] = [];
  for (const [n, turn] of all.entries()) turn?.then(() => order.push(n));
  await setImmediate();
  expect(order).toEqual([4, 5, 6, 7]);
  await setImmediate();
  expect(order).toEqual([4, 5, 6, 7, 8, 9]);
  await setImmediate();
  expect(begin(turns).paced.turn(piece)).toBeUndefined();
});

it('a response whose client leaves gives up its turn to the next one', async () => {
  const turns = new WriteTurns();
  expect(turns.tryTake(1024 * kB)).toBe(true);
  const gone = Array.from({ length: 8 }, () => begin(turns));
  const left = gone.map(({ paced }) => paced.turn(piece));
  const next = begin(turns).paced.turn(piece);
  for (const { response } of gone) response.emit('close');
  await Promise.all(left);
  expect(turns.tryTake(1)).toBe(false);
  await setImmediate();
  await next;
  // The turn has had only one piece.
  expect(turns.tryTake(1)).toBe(true);
});
