/** A feed that attacks us, or looks like it. */
export interface HostileFeed {
  readonly name: string;
  /** `host` is the origin of its files, `ours` that of our own service. */
  write(place: { readonly host: string; readonly ours: string }): string;
  /** A second version, imported into the same show. */
  readonly again?: HostileFeed['write'];
  /** The files that the feed links to, by path. */
  readonly files?: Readonly<Record<string, () => string>>;
  /** The error of a feed that cannot be imported. */
  readonly refusal?: string;
  /** Only a dry run, because creating so many episodes takes minutes. */
  readonly isDryRun?: boolean;
  /** Its weight is in the text of few items, which a dry run reads in the same way. */
  readonly hasFewItems?: boolean;
}

export interface HostileSizes {
  /** The number of items that become episodes; each takes milliseconds in the database. */
  readonly items: number;
  /** The number of elements that are read but not stored. */
  readonly many: number;
}

/** Feeds with all attacks that we know, in the given sizes. */
export function hostileFeeds({ items, many }: HostileSizes): readonly HostileFeed[] {
  const each = (count: number, write: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => write(at)).join('');
  const notes = (html: string) => ({
    write: () => feedOf(item(1, `<description>${text(html)}</description>`)),
    hasFewItems: true,
  });
  const audio = (url: string) => `<enclosure url="${url}" type="audio/mpeg" length="1"/>`;
  const cues = (words: string) => () =>
    `WEBVTT\n\n${each(many, (at) => `${clock(at)} --> ${clock(at + 1)}\n<v Ana>${words} ${at}\n\n`)}`;
  return [
    { name: 'a run of 400,000 spaces within <pre>', ...notes(`<pre>${' '.repeat(400_000)}x`) },
    { name: 'a run of 400,000 line ends', ...notes(`<p>${'\n'.repeat(400_000)}x</p>`) },
    { name: '<pre> 100,000 times', ...notes('<pre>'.repeat(100_000)) },
    { name: '<div> 100,000 deep in show notes', ...notes('<div>'.repeat(100_000)) },
    {
      name: 'links 50,000 times',
      ...notes('<a href="https://a.example/?b=c">d</a> '.repeat(50_000)),
    },
    {
      name: 'characters written as references',
      ...notes('&amp;#65;&#38;amp;'.repeat(150_000)),
    },
    {
      name: 'elements 100,000 deep',
      write: () => feedOf('<a>'.repeat(100_000)),
      refusal: 'too_deep',
    },
    {
      name: `one picture ${items} times`,
      write: ({ host }) =>
        feedOf(each(items, (at) => item(at, `<itunes:image href="${host}/none.png"/>`))),
    },
    {
      name: 'one picture of 9,000 people',
      write: ({ host }) =>
        feedOf(
          item(
            1,
            each(9_000, (at) => `<podcast:person img="${host}/none.png">P${at}</podcast:person>`),
          ),
        ),
    },
    {
      name: 'all audio at our own addresses',
      write: ({ ours }) =>
        feedOf(each(many, (at) => item(at, audio(`${ours}/media/${uuid(at)}/f/${at}.mp3`)))),
      refusal: 'feed_is_ours',
    },
    {
      name: 'a third of the audio at our own addresses',
      write: ({ ours, host }) =>
        feedOf(
          each(items, (at) => {
            const base = at % 3 === 0 ? ours : host;
            return item(at, audio(`${base}/media/${uuid(at)}/f/${at}.mp3`));
          }),
        ),
    },
    {
      name: 'attributes of 3,000,000 characters',
      hasFewItems: true,
      write: () =>
        feedOf(
          item(1, audio(`https://a.example/${'a'.repeat(3_000_000)}.mp3`)),
          item(
            2,
            `<podcast:person href="https://a.example/${'%20'.repeat(1_000_000)}">A</podcast:person>`,
          ),
          item(3, `<podcast:value type="${'a&amp;'.repeat(600_000)}"/>`),
        ),
    },
    {
      name: `${items} tiny items`,
      write: () => feedOf(each(items, (at) => `<item><guid>${at}</guid><title>x</title></item>`)),
    },
    {
      name: `${many} items of no order`,
      write: () =>
        feedOf(each(many, (at) => item((at * 7_919) % many, audio(`https://a.example/${at}.mp3`)))),
      isDryRun: true,
    },
    {
      name: `${many} items with a problem, and a GUID of 200 parameters`,
      write: () =>
        feedOf(each(many, () => `<item><guid>http://e/#?${'a&amp;'.repeat(200)}</guid></item>`)),
    },
    {
      name: `${many} items that share one GUID`,
      write: () => feedOf(each(many, (at) => `<item><guid>1</guid><title>${at}</title></item>`)),
    },
    {
      name: `${items} items, then all with other GUIDs`,
      write: () => feedOf(each(items, (at) => item(at, audio(`https://a.example/${at}.mp3`)))),
      again: () =>
        feedOf(
          each(items, (at) =>
            item(at, audio(`https://a.example/${at}.mp3`)).replace('guid-', 'new-'),
          ),
        ),
    },
    {
      name: '9,000 elements of one item that are passed on',
      write: () =>
        feedOf(
          item(
            1,
            each(9_000, (at) => `<podcast:soundbite startTime="${at}">x</podcast:soundbite>`),
          ),
        ),
    },
    {
      name: 'a channel of 9,000 people and categories',
      write: () =>
        feedOf(
          each(
            4_500,
            (at) => `<podcast:person>P${at}</podcast:person><itunes:category text="C${at}"/>`,
          ),
        ),
    },
    {
      name: `a transcript of ${many} cues, then another one`,
      write: ({ host }) => feedOf(item(1, transcript(`${host}/one.vtt`))),
      again: ({ host }) => feedOf(item(1, transcript(`${host}/two.vtt`))),
      files: { '/one.vtt': cues('Hello'), '/two.vtt': cues('Hallo') },
    },
    {
      name: 'chapters that take a megabyte',
      hasFewItems: true,
      write: ({ host }) =>
        feedOf(
          item(1, `<podcast:chapters url="${host}/c.json" type="application/json+chapters"/>`),
        ),
      files: {
        '/c.json': () => JSON.stringify({ version: '1.2.0', chapters: chaptersOf(25_000) }),
      },
    },
  ];
}

function feedOf(...parts: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
  xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Hostile</title>
<language>en</language><itunes:author>Ana</itunes:author>${parts.join('\n')}</channel></rss>`;
}

function item(at: number, xml: string): string {
  const date = new Date(Date.UTC(2020, 0, 1, 0, at)).toUTCString();
  return `<item><guid isPermaLink="false">guid-${at}</guid><title>Episode ${at}</title><pubDate>${date}</pubDate>${xml}</item>`;
}

const transcript = (url: string) => `<podcast:transcript url="${url}" type="text/vtt"/>`;
const text = (html: string) => `<![CDATA[${html}]]>`;
const chaptersOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ startTime: at, title: `Chapter ${at}` }));
const uuid = (at: number) => `0199f3a0-0000-7000-8000-${String(at).padStart(12, '0')}`;

function clock(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(11, 19)}.000`;
}
