import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFeed } from '../../../../../../test/parse-feed.ts';
import {
  type FeedChannel,
  type FeedItem,
  feedChunks,
  writeFeed,
} from '../../../../../../test/write-feed.ts';
import type { ExtraElement } from '../../../../publishing/podcasts/index.ts';
import { dropForbidden, tryParseLine } from './field-text.ts';

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(
        ...[']]>', ']]', '>', '<![CDATA[', '&amp;', '&#0;', '&eacute;', '&', '</title>', '<item>'],
        ...[
          '<b>',
          '<br/>',
          '"',
          "'",
          '<!--',
          '-->',
          '<?',
          '<3',
          '\r\n',
          '\n',
          '\0',
          '\u0085',
          ' a',
        ],
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

const address = fc
  .tuple(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.nat(99))
  .map(([url, count]) => `${url}&count=${count}`);
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });
const date = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((moment) => new Date(Math.floor(moment.getTime() / 1000) * 1000));
const extra: fc.Arbitrary<ExtraElement> = fc.letrec<{ element: ExtraElement }>((tie) => ({
  element: fc.record({
    name: fc.constantFrom('podcast:value', 'podcast:newTag', 'podcast:a.b-c_9'),
    attributes: fc.uniqueArray(
      fc.tuple(fc.constantFrom('url', 'feedGuid', 'xml:lang', 'constructor'), nasty),
      { maxLength: 3, selector: ([name]) => name },
    ),
    text: nasty,
    children: fc.oneof(
      { maxDepth: 4 },
      fc.constant([]),
      fc.array(tie('element'), { maxLength: 2 }),
    ),
  }),
})).element;
const extraElements = fc.array(extra, { maxLength: 2 });

function readExtra(written: ExtraElement): ExtraElement {
  return {
    name: written.name,
    attributes: written.attributes.map(([name, value]) => [
      name,
      dropForbidden(value).replace(/[\t\n\r]/g, ' '),
    ]),
    text: block(written.text) ?? '',
    children: written.children.map(readExtra),
  };
}
const person = fc.record({
  // The report of an import names persons without a name.
  name: nasty.filter((text) => tryParseLine(text) !== undefined),
  role: fc.constantFrom('host', 'guest', 'cover art designer'),
  group: fc.constantFrom('cast', 'visuals'),
  imageUrl: optional(address),
  linkUrl: optional(address),
});
const people = fc.uniqueArray(person, { maxLength: 3, selector: ({ name }) => tryParseLine(name) });

const chapter = fc.record({
  startMs: fc.nat(100_000_000),
  title: nasty.filter((text) => tryParseLine(text) !== undefined),
  linkUrl: optional(address),
  imageUrl: optional(address),
});
const chapters = fc
  .uniqueArray(chapter, { maxLength: 3, selector: ({ startMs }) => startMs })
  .map((all) => all.toSorted((one, other) => one.startMs - other.startMs));

const item: fc.Arbitrary<FeedItem> = fc.record({
  guid: nasty.map((text) => `g${text}`),
  guidIsPermalink: fc.boolean(),
  title: nasty.map((text) => `T${text}`),
  itunesTitle: optional(nasty),
  publishedAt: date,
  linkUrl: address,
  enclosure: fc.record({
    url: address,
    lengthBytes: optional(fc.integer({ min: 1, max: 2 ** 40 })),
    type: fc.constantFrom('audio/mpeg', 'audio/x-m4a', 'video/mp4'),
  }),
  durationSeconds: optional(fc.integer({ min: 1, max: 100_000 })),
  season: optional(fc.nat(9_999)),
  seasonName: optional(nasty),
  episode: optional(fc.nat(1_000_000)),
  episodeDisplay: optional(fc.oneof(nasty, fc.constant('204.5'))),
  episodeType: fc.constantFrom('full', 'trailer', 'bonus'),
  explicit: fc.boolean(),
  itunesBlock: fc.boolean(),
  description: nasty,
  contentHtml: optional(nasty),
  subtitle: optional(nasty),
  imageUrl: optional(address),
  images: fc.constant([]),
  people,
  transcripts: fc.array(
    fc.record({
      url: address,
      type: fc.constantFrom('text/vtt', 'application/x-subrip'),
      language: optional(fc.constantFrom('en', 'de-AT')),
      rel: optional(fc.constant('captions' as const)),
    }),
    { maxLength: 3 },
  ),
  chapters,
  chaptersUrl: optional(address),
  extraElements,
});

const channel: fc.Arbitrary<FeedChannel> = fc.record({
  title: nasty.map((text) => `T${text}`),
  description: nasty.map((text) => `D${text}`),
  linkUrl: address,
  selfUrl: address,
  language: fc.constantFrom('en', 'pt-BR'),
  author: nasty,
  guid: fc.uuid(),
  explicit: fc.boolean(),
  showType: fc.constantFrom('episodic', 'serial'),
  categories: fc.uniqueArray(
    fc.record({ category: fc.constantFrom('Arts', 'A & B', 'C'), subcategory: optional(nasty) }),
    { maxLength: 3, selector: ({ category }) => category },
  ),
  lastBuildAt: date,
  locked: fc.boolean(),
  lockedOwner: optional(nasty),
  imageUrl: optional(address),
  images: fc.constant([]),
  copyright: optional(nasty),
  owner: optional(fc.record({ name: optional(nasty), email: fc.emailAddress() })),
  funding: fc.uniqueArray(fc.record({ url: address, text: optional(fc.constant('Give & take')) }), {
    maxLength: 3,
    selector: ({ url }) => url,
  }),
  medium: fc.constantFrom('podcast', 'music', 'publisher', 'podcastL'),
  complete: fc.boolean(),
  itunesBlock: fc.boolean(),
  people,
  trailers: fc.constant([]),
  newFeedUrl: optional(address),
  paging: optional(fc.record({ next: optional(address) })),
  extraElements,
});

function block(text: string | undefined): string | undefined {
  return (
    dropForbidden(text ?? '')
      .replace(/\r\n?/g, '\n')
      .trim() || undefined
  );
}

function readPeople(written: FeedItem['people']): object[] {
  return written.flatMap(({ name, role, group, imageUrl, linkUrl }) => {
    const line = tryParseLine(name);
    return line === undefined ? [] : [{ name: line, role, group, img: imageUrl, href: linkUrl }];
  });
}

describe('a feed that Podstead has written', () => {
  // FEED-8
  it('a feed that Podstead has written is parsed to the same items, with any text in them', async () => {
    await fc.assert(
      fc.asyncProperty(
        channel,
        fc.uniqueArray(item, { maxLength: 4, selector: ({ guid }) => dropForbidden(guid).trim() }),
        async (written, items) => {
          const feed = await parseFeed(writeFeed(written, items));
          expect(feed.problems).toEqual([]);
          expect(feed.unread).toEqual([]);
          expect(feed.truncated).toBe(false);
          expect(feed.items).toEqual(
            items.map((each, position) => ({
              position,
              guid: dropForbidden(each.guid).trim(),
              guidIsPermalink: false,
              title: tryParseLine(each.title),
              itunesTitle: tryParseLine(each.itunesTitle ?? each.title),
              subtitle: tryParseLine(each.subtitle),
              descriptionHtml: block(each.description),
              contentHtml: block(each.contentHtml),
              summary: undefined,
              link: each.linkUrl,
              publishedAt: each.publishedAt,
              enclosure: { ...each.enclosure },
              durationMs: each.durationSeconds && each.durationSeconds * 1000,
              season: each.season,
              seasonName: each.season === undefined ? undefined : tryParseLine(each.seasonName),
              episode: each.episode,
              episodeDisplay:
                each.episode === undefined && each.episodeDisplay !== '204.5'
                  ? undefined
                  : tryParseLine(each.episodeDisplay),
              episodeType: each.episodeType,
              explicit: each.explicit,
              block: each.itunesBlock,
              imageUrl: each.imageUrl,
              authors: [],
              people: readPeople(each.people),
              transcripts: each.transcripts,
              chapters: each.chaptersUrl && {
                url: each.chaptersUrl,
                type: 'application/json+chapters',
              },
              inlineChapters: each.chapters.map(({ startMs, title, linkUrl, imageUrl }) => ({
                ...{ startMs, title: tryParseLine(title), href: linkUrl, image: imageUrl },
              })),
              extraElements: each.extraElements.map(readExtra),
            })),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  // FEED-8
  it('a feed that Podstead has written is parsed to the same podcast', async () => {
    await fc.assert(
      fc.asyncProperty(channel, async (written) => {
        const { podcast } = await parseFeed(writeFeed(written, []));
        expect(podcast).toEqual({
          title: tryParseLine(written.title),
          subtitle: undefined,
          author: tryParseLine(written.author),
          description: block(written.description),
          language: written.language,
          categories: written.categories.map(({ category, subcategory }) => ({
            category,
            subcategory: tryParseLine(subcategory),
          })),
          explicit: written.explicit,
          showType: written.showType,
          copyright: tryParseLine(written.copyright),
          websiteUrl: written.linkUrl,
          imageUrl: written.imageUrl,
          ownerName: tryParseLine(written.owner?.name),
          ownerEmail: written.owner?.email,
          guid: written.guid,
          locked: { locked: written.locked, owner: tryParseLine(written.lockedOwner) },
          funding: written.funding.map(({ url, text }) => ({ url, text: text ?? url })),
          newFeedUrl: written.newFeedUrl,
          selfUrl: written.selfUrl,
          nextPageUrl: written.paging?.next,
          people: readPeople(written.people),
          complete: written.complete,
          block: written.itunesBlock,
          medium: written.medium,
          generator: 'Podstead',
          extraElements: written.extraElements.map(readExtra),
        });
      }),
      { numRuns: 300 },
    );
  });

  it('a feed that Podstead has written is parsed completely with 5,000 items', async () => {
    const [sample] = fc.sample(item, { numRuns: 1, seed: 1 });
    const [show] = fc.sample(channel, { numRuns: 1, seed: 1 });
    const items = Array.from({ length: 5_000 }, (_, count) => ({ ...sample!, guid: `g${count}` }));
    async function* chunks(): AsyncGenerator<Buffer> {
      for (const chunk of feedChunks(show!, items)) yield Buffer.from(chunk);
    }
    const feed = await parseFeed(chunks());
    expect(feed.items.map((each) => each.guid)).toEqual(items.map((each) => each.guid));
  });
});
