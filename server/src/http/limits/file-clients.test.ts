import type { IncomingMessage } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { DomainError } from '../../domain/foundation/errors.ts';
import { FileClients } from './file-clients.ts';

function createClients(most: number) {
  const onRefused = vi.fn();
  const networkOf = ({ url = '' }: IncomingMessage) => url;
  const clients = new FileClients({ most, networkOf, onRefused });
  const open: Disposable[] = [];
  const admit = (network: string) =>
    void open.push(clients.admit({ url: network } as IncomingMessage));
  /** How many of this network are admitted until one is refused. */
  const fill = (network: string): number => {
    for (let admitted = 0; ; admitted += 1) {
      try {
        admit(network);
      } catch (error) {
        expect(error).toBeInstanceOf(DomainError);
        expect(error).toMatchObject({ kind: 'service_unavailable', retryAfterSeconds: 10 });
        return admitted;
      }
    }
  };
  return { clients, fill, onRefused, leave: () => open.shift()?.[Symbol.dispose]() };
}

describe('clients that are sent files', () => {
  it('one network gets three places of eight, and others a smaller share of what is left', () => {
    const { fill } = createClients(100);
    expect(['one', 'two', 'three', 'four'].map(fill)).toEqual([39, 19, 11, 7]);
  });

  it('ten networks that take all they can leave a tenth of all places to others', () => {
    const { clients, fill } = createClients(2_000);
    const taken = Array.from({ length: 10 }, (_, at) => fill(`network ${at}`));
    expect(2_000 - taken.reduce((sum, own) => sum + own)).toBeGreaterThan(200);
    expect(clients.hasPlace({ url: 'another' } as IncomingMessage)).toBe(true);
    expect(fill('another')).toBeGreaterThan(10);
  });

  it('a client that leaves makes a place for its own network', () => {
    const { clients, fill, onRefused, leave } = createClients(10);
    const one = { url: 'one' } as IncomingMessage;
    fill('one');
    expect(onRefused).toHaveBeenCalledTimes(1);
    expect(clients.hasPlace(one)).toBe(false);
    leave();
    expect(clients.hasPlace(one)).toBe(true);
    expect(fill('one')).toBe(1);
  });

  it('all places can be taken, and none is lost', () => {
    const { fill, leave } = createClients(8);
    const networks = Array.from({ length: 20 }, (_, at) => `network ${at}`);
    const all = () => networks.map(fill).reduce((sum, own) => sum + own, 0);
    expect(all()).toBe(8);
    for (let left = 0; left < 8; left += 1) leave();
    expect(all()).toBe(8);
  });

  it('a place that is given up twice is one place', () => {
    const { clients, fill } = createClients(8);
    const place = clients.admit({ url: 'one' } as IncomingMessage);
    place[Symbol.dispose]();
    place[Symbol.dispose]();
    expect(fill('one')).toBe(4);
  });
});
