import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../../domain/foundation/errors.ts';
import { eventStreamLimits, StreamCount } from './stream-count.ts';

function createCount(mostOfAll = eventStreamLimits.mostOfAll) {
  const count = new StreamCount({ ...eventStreamLimits, mostOfAll }, ({ url = '' }) => url);
  const open = (userId: string, network: string) =>
    count.add(userId, { url: network } as IncomingMessage);
  /** How many streams are opened until one is refused, each user with as many as they may have. */
  const fill = (network: string): number => {
    for (let opened = 0; ; opened += 1) {
      try {
        open(`${network} ${Math.floor(opened / eventStreamLimits.mostOfOneUser)}`, network);
      } catch (error) {
        expect(error).toBeInstanceOf(DomainError);
        expect(error).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 60 });
        return opened;
      }
    }
  };
  return { open, fill };
}

describe('open event streams', () => {
  // LIM-22
  it('two networks with a hundred accounts leave streams to others', () => {
    const { fill } = createCount();
    const taken = fill('one') + fill('two');
    expect(taken).toBeLessThan(1_200);
    expect(fill('three')).toBeGreaterThan(200);
  });

  // LIM-22
  it('a user has 20 streams, from whatever networks', () => {
    const { open } = createCount();
    const streams = Array.from({ length: 20 }, (_, n) => open('user', `network ${n}`));
    expect(() => open('user', 'another')).toThrow(DomainError);
    streams[0]?.[Symbol.dispose]();
    open('user', 'another');
    open('other', 'another');
  });

  it('a stream that has ended makes a place for its user and its network', () => {
    const { open } = createCount(4);
    const first = open('one', 'network');
    open('two', 'network');
    expect(() => open('three', 'network')).toThrow(DomainError);
    first[Symbol.dispose]();
    open('three', 'network');
  });
});
