import { expect, it } from 'vitest';
import { type TestItem, writeTestFeed } from '../../../../../test/hosts/podcast-host.ts';
import { parseFeed } from '../../../../../test/parse-feed.ts';
import { sourceKeyOf } from './source-key.ts';

async function keyOf(item: TestItem): Promise<string> {
  const { items } = await parseFeed(writeTestFeed({ items: [item] }));
  return sourceKeyOf(items[0]!);
}

it('the key of an item is its GUID, trimmed and otherwise unchanged', async () => {
  expect(await keyOf({ guid: ' HTTP://Example.com/%7e  1\u00a0', title: 'One' })).toBe(
    'HTTP://Example.com/%7e  1',
  );
});

it('the key of an item without a GUID is the address of its audio', async () => {
  expect(await keyOf({ guid: '', audio: 'https://cdn.example/1.mp3?a=1' })).toBe(
    'enclosure:https://cdn.example/1.mp3?a=1',
  );
});

it('the key of an item with neither is a short hash of its other fields', async () => {
  const title = 'One';
  const date = '01 Jan 2020 00:00:00 GMT';
  const key = await keyOf({ title, date });
  expect(key).toMatch(/^item:[0-9a-f]{64}$/);
  expect(await keyOf({ title, date, xml: '<itunes:season>2</itunes:season>' })).toBe(key);
  expect(await keyOf({ title: 'Two', date })).not.toBe(key);
  const long = await keyOf({ audio: `https://cdn.example/${'ö'.repeat(1500)}.mp3` });
  expect(long).toMatch(/^item:/);
});
