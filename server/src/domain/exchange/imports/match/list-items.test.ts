import { describe, expect, it } from 'vitest';
import { type TestItem, writeTestFeed } from '../../../../../test/hosts/podcast-host.ts';
import { parseFeed } from '../../../../../test/parse-feed.ts';
import { addProblems, packItems, unpackHeads } from '../read/packed-items.ts';
import { mostListed, ProblemList } from '../report/problem-list.ts';
import { listItems } from './list-items.ts';

const list = async (...pages: TestItem[][]) => {
  const read = await Promise.all(pages.map((items) => readPage(writeTestFeed({ items }))));
  const problems = new ProblemList();
  for (const page of read) problems.addAll(page.problems);
  return listItems({ items: read.flatMap((page) => page.heads), problems });
};
const readPage = async (xml: string) => {
  const { items, problems } = await parseFeed(xml);
  const list = new ProblemList();
  addProblems(list, problems);
  return unpackHeads(packItems(items, list.take()).heads);
};
const day = (number: number) => `0${number} Jan 2020 00:00:00 GMT`;
const titles = ({ items }: Awaited<ReturnType<typeof list>>) =>
  items.map(({ item }) => item.title).join(' ');

describe('the order of items', () => {
  it('the order of items is by date, oldest first, with any order in the feed', async () => {
    const items = [3, 1, 2].map((number) => ({ title: `${number}`, date: day(number) }));
    expect(titles(await list(items))).toBe('1 2 3');
  });

  it('the order of items is the reverse of the feed if there are no dates, across all pages', async () => {
    expect(
      titles(await list([{ title: '4' }, { title: '3' }], [{ title: '2' }, { title: '1' }])),
    ).toBe('1 2 3 4');
  });

  it('puts an item without a date after its older neighbor, with its date', async () => {
    const items = [
      { title: '4', date: day(4) },
      { title: '3' },
      { title: '2', date: day(2) },
      { title: '1' },
    ];
    const listed = await list(items);
    expect(titles(listed)).toBe('1 2 3 4');
    expect(listed.items.map(({ date }) => date?.getUTCDate())).toEqual([undefined, 2, 2, 4]);
  });
});

describe('items with the same identity', () => {
  it('items with the same identity count as one, the first; the others are reported', async () => {
    const { items, problems } = await list(
      [{ guid: 'a', title: 'One' }, { audio: 'https://cdn.example/1.mp3' }],
      [
        { guid: 'a', title: 'One again' },
        { title: 'The same audio', audio: 'https://cdn.example/1.mp3' },
        { title: 'One' },
        { title: 'One' },
      ],
    );
    expect(items.map(({ item }) => item.title)).toEqual(['One', undefined, 'One']);
    expect(problems.listed.map(({ guid, title, reason }) => [guid, title, reason])).toEqual([
      ['a', 'One again', 'duplicate_guid'],
      [null, 'The same audio', 'duplicate_item'],
      [null, 'One', 'duplicate_item'],
    ]);
  });
});

it('a GUID with a credential is not in the report', async () => {
  const guid = 'https://example.com/1?token=hush';
  const { problems } = await list([
    { guid, title: 'One' },
    { guid, title: 'Again' },
  ]);
  expect(problems.listed).toMatchObject([{ guid: null, title: 'Again' }]);
});

it('items left out on all pages are kept together, as many as a report lists', async () => {
  const page = (guid: string) => Array.from({ length: 600 }, () => ({ guid, title: 'One' }));
  const { items, problems } = await list(page('a'), page('b'), [{ guid: 'c' }]);
  expect(items).toHaveLength(2);
  expect(problems.listed).toHaveLength(mostListed);
  expect(problems.more).toEqual({ leftOut: 2 * 599 + 1 - mostListed, flawed: 0 });
});
