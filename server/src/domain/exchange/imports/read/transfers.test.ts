import { describe, expect, it } from 'vitest';
import {
  OutboundError,
  type OutboundFailure,
  type OutboundHttp,
} from '../../../../platform/outbound-http/outbound-http.ts';
import type { Context } from '../../../foundation/context.ts';
import { importLimits } from '../import-limits.ts';
import { Transfers } from './transfers.ts';

/** Transfers that have these outcomes, one after the other. */
function transfersFrom(outcomes: (OutboundError | 'ok')[]) {
  const request: string[] = [];
  const pauses: number[] = [];
  const outbound: Pick<OutboundHttp, 'fetchBytes'> = {
    async fetchBytes(url) {
      request.push(url);
      const outcome = outcomes.shift();
      if (outcome !== 'ok') throw outcome;
      return { bytes: Buffer.from('ok'), response: undefined as never };
    },
  };
  const { signal } = new AbortController();
  const delay = async (delayMs: number) => void pauses.push(delayMs);
  const ctx = { outbound } as Context;
  return { transfers: new Transfers(ctx, importLimits, signal, delay), request, pauses };
}

const failure = (reason: OutboundFailure, status?: number) =>
  new OutboundError(reason, reason, status === undefined ? {} : { status });
const url = 'https://cdn.example/1.png';

describe('a busy host', () => {
  it('a busy host is tried again after a pause', async () => {
    const busy = [failure('http_status', 429), failure('http_status', 503), 'ok' as const];
    const { transfers, request, pauses } = transfersFrom(busy);
    expect(await transfers.bytes(url, 10)).toEqual(Buffer.from('ok'));
    expect(request).toHaveLength(3);
    expect(pauses).toEqual([2_000, 10_000]);
  });

  it('a busy host is tried for a limited time', async () => {
    const { transfers, request } = transfersFrom(
      Array.from({ length: 9 }, () => failure('http_status', 429)),
    );
    await expect(transfers.bytes(url, 10)).rejects.toMatchObject({ status: 429 });
    expect(request).toHaveLength(4);
  });

  it('a busy host differs from a host that refuses', async () => {
    const { transfers, pauses } = transfersFrom([failure('http_status', 404)]);
    await expect(transfers.bytes(url, 10)).rejects.toMatchObject({ status: 404 });
    expect(pauses).toEqual([]);
  });
});

describe('a host that does not respond', () => {
  it.each(['timeout', 'too_slow'] as const)(
    'a host that does not respond is not tried again after %s several times; other hosts are',
    async (reason) => {
      const silence = Array.from({ length: 8 }, () => failure(reason));
      const { transfers, request } = transfersFrom([...silence, 'ok']);
      for (let number = 0; number < 12; number += 1) {
        await expect(transfers.bytes(url, 10)).rejects.toThrow(OutboundError);
      }
      expect(request).toHaveLength(8);
      expect(await transfers.bytes('https://other.example/1.png', 10)).toBeDefined();
    },
  );

  it('a host that does not respond is tried again after it has responded once', async () => {
    const seven = () => Array.from({ length: 7 }, () => failure('unreachable'));
    const { transfers, request } = transfersFrom([...seven(), 'ok', ...seven(), 'ok']);
    for (let number = 0; number < 16; number += 1) await transfers.bytes(url, 10).catch(() => {});
    expect(request).toHaveLength(16);
  });
});

it('sends no request after an abort', async () => {
  // This context has no outbound client.
  const ctx = {} as Context;
  const transfers = new Transfers(ctx, importLimits, AbortSignal.abort(new Error('stop')));
  await expect(transfers.bytes(url, 10)).rejects.toThrow('stop');
});
