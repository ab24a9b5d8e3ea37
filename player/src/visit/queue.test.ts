import { beforeEach, describe, expect, it } from 'vitest';
import { type Entry, Queue } from './queue.ts';

const key = 'podstead-queue';
const stored = new Map<string, string>();
const storage = {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, text: string) => void stored.set(name, text),
  removeItem: (name: string) => void stored.delete(name),
};

function anEntry(id: string): Entry {
  return { id, podcast: 'show', title: `Episode ${id}`, show: 'Night Signals', color: '#224466' };
}

function fill(...ids: string[]): Queue {
  const queue = new Queue();
  for (const id of ids) queue.add(anEntry(id));
  return queue;
}

const idsOf = (queue: Queue) => queue.entries.map(({ id }) => id);

// PAGE-19
describe('the queue of a listener', () => {
  beforeEach(() => {
    stored.clear();
    Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
    return () => Reflect.deleteProperty(globalThis, 'localStorage');
  });

  it('the queue of a listener keeps each episode once, in the order in which they came', () => {
    expect(idsOf(fill('a', 'b', 'a', 'c'))).toEqual(['a', 'b', 'c']);
    expect(idsOf(new Queue())).toEqual(['a', 'b', 'c']);
  });

  it('the queue of a listener has at most a hundred episodes, the latest', () => {
    const ids = Array.from({ length: 103 }, (_, i) => String(i));
    expect(idsOf(fill(...ids))).toEqual(ids.slice(3));
  });

  it.each([
    ['a', 1, ['b', 'a', 'c'], 1],
    ['c', 1, ['a', 'b', 'c'], 2],
    ['a', -1, ['a', 'b', 'c'], 0],
    ['c', -1, ['a', 'c', 'b'], 1],
  ] as const)('the queue of a listener moves %s by %i', (id, by, order, to) => {
    const queue = fill('a', 'b', 'c');
    expect(queue.move(id, by)).toBe(to);
    expect(idsOf(queue)).toEqual(order);
  });

  it('the queue of a listener stays as it is if what should move is not there', () => {
    const queue = fill('a', 'b');
    queue.move('x', 1);
    queue.remove('x');
    expect(idsOf(queue)).toEqual(['a', 'b']);
  });

  it('the queue of a listener gives its first, then nothing', () => {
    const queue = fill('a');
    expect(queue.shift()?.id).toBe('a');
    expect(queue.shift()).toBeUndefined();
  });

  it('the queue of a listener remembers whether the next episode follows', () => {
    const queue = fill('a');
    expect(queue.continues).toBe(true);
    queue.continues = false;
    queue.clear();
    expect(new Queue().continues).toBe(false);
  });

  it.each(['{', 'null', '7', '[]', '{"entries":7}', '{"entries":[null,[],{"id":1}]}'])(
    'the queue of a listener is empty if %s is stored',
    (text) => {
      stored.set(key, text);
      const queue = new Queue();
      expect(queue.entries).toEqual([]);
      queue.add(anEntry('a'));
      expect(idsOf(new Queue())).toEqual(['a']);
    },
  );

  it('the queue of a listener works while the storage is full', () => {
    const queue = fill('a');
    const full = {
      ...storage,
      setItem: () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      },
    };
    Object.defineProperty(globalThis, 'localStorage', { value: full, configurable: true });
    queue.add(anEntry('b'));
    expect(idsOf(queue)).toEqual(['a', 'b']);
    expect(queue.shift()?.id).toBe('a');
    expect(queue.shift()?.id).toBe('b');
    expect(queue.shift()).toBeUndefined();
    Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
    queue.add(anEntry('c'));
    expect(idsOf(new Queue())).toEqual(['c']);
  });

  it('the queue of a listener works without storage', () => {
    Reflect.deleteProperty(globalThis, 'localStorage');
    const queue = fill('a', 'b');
    expect(queue.move('a', 1)).toBe(1);
    expect(idsOf(queue)).toEqual(['b', 'a']);
    expect(new Queue().entries).toEqual([]);
  });
});
