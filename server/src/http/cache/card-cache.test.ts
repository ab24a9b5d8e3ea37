import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { patience } from '../../../test/patience.ts';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { Card } from '../../domain/public/cards/index.ts';
import { ProcessError } from '../../platform/processes/job.ts';
import { CardCache } from './card-cache.ts';

const card = (main: string): Card => ({
  ...{ cover: null, initial: 'N', direction: 'ltr', isQuote: false, main },
  language: 'en',
  ...{ lead: '', byline: '', facts: '' },
  colors: { ground: '#000000', ink: '#ffffff', muted: '#cccccc', tint: '#222222' },
});
const show = (id: string) => ({ id, aiTraining: 'allow' }) as const;
const from = (network: string, leaving = new AbortController().signal) => ({ network, leaving });

/** Draws cards when it is told to, and says in which order they have begun. */
function createDrawing() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const draw = (name: string) => async () => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
    return Buffer.from(name);
  };
  const end = async () => {
    ends.shift()?.();
    await setTimeout();
  };
  return { begun, draw, end };
}

it('a card that several requests wait for is drawn once, and then kept', async () => {
  const cards = new CardCache(() => 0);
  let drawn = 0;
  const draw = async () => {
    drawn += 1;
    await setImmediate();
    return Buffer.from('picture');
  };
  const networks = ['here', 'here', 'there'];
  const all = networks.map((network) => cards.get(show('one'), card('One'), draw, from(network)));
  const payloads = await Promise.all(all);
  expect([drawn, new Set(payloads).size]).toEqual([1, 1]);
  const has = (main: string) => cards.has(show('one'), card(main));
  expect([has('One'), has('Two')]).toEqual([true, false]);
  // Another show has the same card.
  await cards.get(show('other'), card('One'), draw, from('here'));
  expect(drawn).toBe(1);
});

it('a card of one network is drawn at a time, and two in all', async () => {
  const cards = new CardCache(() => 0);
  const { begun, draw, end } = createDrawing();
  const names = ['a1', 'a2', 'b1', 'c1'] as const;
  const all = names.map((name) =>
    cards.get(show(name), card(name), draw(name), from(name.charAt(0))),
  );
  await setTimeout();
  expect(begun).toEqual(['a1', 'b1']);
  while (begun.length < names.length) await end();
  await Promise.all([end(), end(), ...all]);
  expect(begun).toHaveLength(4);
});

it('a network that requests the cards of many shows delays no other network', async () => {
  const cards = new CardCache(() => 0);
  const { begun, draw, end } = createDrawing();
  const get = (name: string, network: string) =>
    cards.get(show(name), card(name), draw(name), from(network)).catch(() => undefined);
  const flood = Array.from({ length: 50 }, (_, at) => get(`show ${at}`, 'flood'));
  // Also a card for which the flood waits already.
  const honest = ['show 40', 'another'].map((name) => get(name, 'honest'));
  await setTimeout();
  expect(begun).toEqual(['show 0', 'show 40']);
  await end();
  await end();
  expect(begun.slice(2).toSorted()).toEqual(['another', 'show 1']);
  while (begun.length < 51) await end();
  await Promise.all([end(), end(), ...flood, ...honest]);
});

it('a client that waits too long for a card gets 503, and the card when it asks again', async () => {
  const cards = new CardCache(() => 0, { mostWaitMs: 1 });
  const { draw, end } = createDrawing();
  const get = () => cards.get(show('one'), card('One'), draw('One'), from('here'));
  await expect(get()).rejects.toMatchObject({ kind: 'service_unavailable', retryAfterSeconds: 10 });
  await end();
  await vi.waitUntil(() => cards.has(show('one'), card('One')), patience);
  expect((await get()).totalBytes).toBeGreaterThan(0);
});

it('a card that nobody waits for any more is not drawn', async () => {
  const cards = new CardCache(() => 0);
  const first = Promise.withResolvers<Buffer>();
  const drawing = cards.get(show('one'), card('One'), () => first.promise, from('here'));
  const client = new AbortController();
  let isDrawn = false;
  const left = cards.get(
    show('one'),
    card('Two'),
    async () => {
      isDrawn = true;
      return Buffer.from('x');
    },
    from('here', client.signal),
  );
  client.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  first.resolve(Buffer.from('picture'));
  await drawing;
  expect(isDrawn).toBe(false);
});

it('a card that cannot be drawn is tried again a minute later, and one that had to wait at once', async () => {
  let nowMs = 0;
  let drawn = 0;
  const cards = new CardCache(() => nowMs);
  const get = (name: string, reason: 'time' | 'busy') => {
    const draw = async () => {
      drawn += 1;
      const cause = new ProcessError(reason, reason);
      throw new DomainError('service_unavailable', 'It cannot be drawn.', { cause });
    };
    return cards.get(show(name), card(name), draw, from('here'));
  };
  const tryTo = async (name: string, reason: 'time' | 'busy') => {
    await expect(get(name, reason)).rejects.toThrow('It cannot be drawn.');
    return drawn;
  };
  // Of two at once, the second joins the first.
  expect(await Promise.all([tryTo('hard', 'time'), tryTo('hard', 'time')])).toEqual([1, 1]);
  nowMs = 59_999;
  expect(await tryTo('hard', 'time')).toBe(1);
  nowMs = 60_000;
  expect(await tryTo('hard', 'time')).toBe(2);
  expect([await tryTo('other', 'busy'), await tryTo('other', 'busy')]).toEqual([3, 4]);
});
