import { describe, expect, it } from 'vitest';
import { readAhead } from './read-ahead.ts';

/** Numbers from 1; `asked` says of how many somebody has asked. */
function countTo(last: number, failAfter = Number.POSITIVE_INFINITY) {
  const state = { asked: 0, isClosed: false };
  async function* numbers() {
    try {
      while (state.asked < last) {
        state.asked += 1;
        if (state.asked > failAfter) throw new Error('no more');
        yield state.asked;
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { state, numbers: numbers() };
}

describe('reading ahead', () => {
  it('gives all items in order, and asks for one more than is taken', async () => {
    const { state, numbers } = countTo(4);
    const taken: number[][] = [];
    for await (const number of readAhead(numbers)) taken.push([number, state.asked]);
    expect(taken).toEqual([
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 4],
    ]);
  });

  it('takes items that need no waiting', async () => {
    const taken: number[] = [];
    for await (const number of readAhead([1, 2])) taken.push(number);
    for await (const number of readAhead<number>([])) taken.push(number);
    expect(taken).toEqual([1, 2]);
  });

  it('fails where its source does, after the items before', async () => {
    const { numbers } = countTo(4, 2);
    const taken: number[] = [];
    const all = (async () => {
      for await (const number of readAhead(numbers)) taken.push(number);
    })();
    await expect(all).rejects.toThrow('no more');
    expect(taken).toEqual([1, 2]);
  });

  it.each([Number.POSITIVE_INFINITY, 1])(
    'closes its source when its reader leaves, also if the next item fails (%d)',
    async (failAfter) => {
      const { state, numbers } = countTo(4, failAfter);
      for await (const _ of readAhead(numbers)) break;
      expect(state.isClosed).toBe(true);
    },
  );
});
