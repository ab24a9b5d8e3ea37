import { expect, it } from 'vitest';
import type { ItemHead } from '../read/packed-items.ts';
import type { KnownIdentity } from './known-identities.sql.ts';
import { findLikelyIdentities } from './likely-identities.ts';
import { audioOf, type FeedItem } from './list-items.ts';
import { pairByContent } from './pair-by-content.ts';
import { sourceKeyOf } from './source-key.ts';

const redirects = new Map();
const fingerprint = (url: string) => audioOf(url, redirects);
const day = new Date('2020-01-01T10:00:00Z');

function entry(item: Partial<ItemHead>): FeedItem {
  const head = {
    ...{ guid: undefined, title: undefined, publishedAt: day, episodeType: undefined },
    ...{ enclosure: undefined, hasPictures: false, hasTexts: false, at: 0, length: 0, ...item },
  };
  return { key: sourceKeyOf(head), item: head, date: day };
}

const known = (id: number, identity: Partial<KnownIdentity> = {}): KnownIdentity => ({
  ...{ episodeId: `id-${id}`, isDeleted: false, guid: `id-${id}`, key: null, audio: null },
  ...{ title: null, date: day },
  ...identity,
});

async function* inPages(all: readonly KnownIdentity[]) {
  for (const one of all) yield [one];
}

const likely = async (items: readonly FeedItem[], all: readonly KnownIdentity[]) =>
  findLikelyIdentities(items, inPages(all), redirects);

it('episodes that no item names are not kept, however many the show has', async () => {
  const all = Array.from({ length: 5_000 }, (_, at) =>
    known(at, {
      key: `key-${at}`,
      audio: fingerprint(`https://a.example/${at}`),
      title: `Episode ${at % 10}`,
    }),
  );
  const items = [entry({ guid: 'key-7' }), entry({ guid: 'new', title: 'Episode 3' })];
  const found = await likely(items, all);
  // Two with its title prove that it identifies nothing.
  expect(found.map(({ episodeId }) => episodeId)).toEqual(['id-3', 'id-7', 'id-13']);
});

it('an episode is found by each of its identities', async () => {
  const url = 'https://a.example/1.mp3';
  const items = [entry({ guid: 'GUID', title: 'One', enclosure: { url } })];
  const all = [
    known(1, { key: 'GUID' }),
    known(2, { guid: 'guid', isDeleted: true }),
    known(3, { key: `enclosure:${url}` }),
    known(4, { guid: url }),
    known(5, { title: ' one ' }),
    known(6, { audio: fingerprint(url) }),
    known(7, { title: 'Two', key: 'other', audio: 'other' }),
  ];
  expect((await likely(items, all)).map(({ episodeId }) => episodeId)).toEqual(
    [1, 2, 3, 4, 5, 6].map((id) => `id-${id}`),
  );
});

/** The same numbers each time. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield Math.floor(state / 65_536);
  }
}

it('pairs by audio and title are the same as with all episodes', async () => {
  const random = numbers(7);
  const pick = (most: number) => random.next().value % most;
  for (let round = 0; round < 300; round += 1) {
    const all = Array.from({ length: 12 }, (_, at) =>
      known(at, {
        key: pick(2) === 0 ? `guid-${pick(8)}-${at}` : null,
        audio: fingerprint(`https://a.example/${pick(6)}`),
        title: `T${pick(5)}`,
      }),
    );
    const items = Array.from({ length: 5 }, (_, at) => {
      const url = `https://a.example/${pick(6)}`;
      return entry({ guid: `guid-${at}`, title: `T${pick(5)}`, enclosure: { url } });
    });
    const pairs = async (identities: readonly KnownIdentity[]) => {
      const found = await pairByContent(items, identities, {
        isAllNew: round % 2 === 0,
        isPaired: () => false,
        audioOf: ({ item }) => item.enclosure && fingerprint(item.enclosure.url),
      });
      return found.map(([{ key }, { episodeId }]) => `${key} ${episodeId}`).toSorted();
    };
    expect(await pairs(await likely(items, all))).toEqual(await pairs(all));
  }
});
