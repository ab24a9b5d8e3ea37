import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Card } from '../../domain/public/cards/index.ts';
import { CardCache } from './card-cache.ts';

const card = (main: string): Card => ({
  ...{ cover: null, initial: 'N', direction: 'ltr', isQuote: false, main },
  ...{ lead: '', byline: '', facts: '' },
  colors: { ground: '#000000', ink: '#ffffff', muted: '#cccccc', tint: '#222222' },
});
const show = (id: string) => ({ id, aiTraining: 'allow' }) as const;
const waiting = { client: 'somebody', leaving: new AbortController().signal };

it('a card that several requests wait for is drawn once, and then kept', async () => {
  const cards = new CardCache(() => 0);
  let drawn = 0;
  const draw = async () => {
    drawn += 1;
    await setImmediate();
    return Buffer.from('picture');
  };
  const all = [1, 2, 3].map(() => cards.get(show('one'), card('One'), draw, waiting));
  const payloads = await Promise.all(all);
  expect([drawn, new Set(payloads).size]).toEqual([1, 1]);
  const has = (main: string) => cards.has(show('one'), card(main));
  expect([has('One'), has('Two')]).toEqual([true, false]);
  // Another show has the same card.
  await cards.get(show('other'), card('One'), draw, waiting);
  expect(drawn).toBe(1);
});

it('a card of one show is drawn at a time, and two in all', async () => {
  const cards = new CardCache(() => 0);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const draw = (name: string) => async () => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
    return Buffer.from(name);
  };
  const names = ['a1', 'a2', 'b1', 'c1'] as const;
  const all = names.map((name) => cards.get(show(name.charAt(0)), card(name), draw(name), waiting));
  await setImmediate();
  expect(begun).toEqual(['a1', 'b1']);
  while (begun.length < names.length || ends.length > 0) {
    ends.shift()?.();
    await setImmediate();
  }
  await Promise.all(all);
  expect(begun).toHaveLength(4);
});

it('a card that nobody waits for any more is not drawn', async () => {
  const cards = new CardCache(() => 0);
  const first = Promise.withResolvers<Buffer>();
  const drawing = cards.get(show('one'), card('One'), () => first.promise, waiting);
  const client = new AbortController();
  let isDrawn = false;
  const left = cards.get(
    show('one'),
    card('Two'),
    async () => {
      isDrawn = true;
      return Buffer.from('x');
    },
    { ...waiting, leaving: client.signal },
  );
  client.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  first.resolve(Buffer.from('picture'));
  await drawing;
  expect(isDrawn).toBe(false);
});

it('a network that requests ever new cards of a show delays only itself', async () => {
  const cards = new CardCache(() => 0);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const request = (client: string, name: string) => {
    const draw = async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return Buffer.from(name);
    };
    return cards.get(show('one'), card(name), draw, { ...waiting, client });
  };
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => request('flood', name));
  all.push(request('reader', 'b1'));
  await setImmediate();
  while (ends.length > 0) {
    ends.shift()?.();
    await setImmediate();
    await setImmediate();
  }
  await Promise.all(all);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
});
