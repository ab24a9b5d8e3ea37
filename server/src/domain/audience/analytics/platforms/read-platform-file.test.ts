import { describe, expect, it } from 'vitest';
import { longestTaskMs } from '../../../../../test/watch-event-loop.ts';
import { type PlatformSource, platformSources } from './platform-figures.ts';
import { readPlatformFile } from './read-platform-file.ts';

/** In parts of a few bytes, as a network may deliver them. */
async function* inParts(bytes: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const today = '2026-05-10';
const read = (text: string, source: PlatformSource = 'apple') =>
  readPlatformFile(inParts(Buffer.from(text)), source, today);
const readBytes = (bytes: Uint8Array, source: PlatformSource = 'apple') =>
  readPlatformFile(inParts(bytes), source, today);

const appleEpisodes = `Show Name,Episode ID,Episode GUID,Episode Number,Episode Title,Release Date,Duration,Unique Listeners,Unique Engaged Listeners,Plays,Average Consumption
"Night Signals",1000676248116,tag:one,NaN,"First light",2026-03-01,1189,430,360,1972,0.8997
"Night Signals",1000676248117,tag:two,2,"Second, ""wind""
of the year",2026-03-08,1300,-,,"1,204",-
`;

describe('Apple Podcasts Connect', () => {
  it('gives the episodes, and adds up plays but no people', async () => {
    const file = await read(appleEpisodes);
    expect(file).toEqual({
      rows: 2,
      asOf: null,
      shows: [
        {
          name: 'Night Signals',
          showMetrics: { plays: 3176 },
          entries: [
            {
              guid: 'tag:one',
              title: 'First light',
              releasedOn: '2026-03-01',
              metrics: { plays: 1972, engagedListeners: 360 },
            },
            {
              guid: 'tag:two',
              title: 'Second, "wind" of the year',
              releasedOn: '2026-03-08',
              metrics: { plays: 1204 },
            },
          ],
        },
      ],
    });
  });

  it('adds up the days of a show', async () => {
    const file = await read(
      'Date,Total Time Listened,Plays,Unique Listeners,Unique Engaged Listeners\n' +
        '20260301,3600,10,8,5\n20260303,1800,5,4,2\n20260302,,,,\n',
    );
    expect(file).toMatchObject({
      rows: 3,
      asOf: '2026-03-03',
      shows: [{ showMetrics: { plays: 15, timeListenedSeconds: 5400 }, entries: [] }],
    });
    expect(file.shows[0]?.showMetrics).not.toHaveProperty('engagedListeners');
  });

  it('adds up the months of an episode', async () => {
    const file = await read(
      'Date,Episode Title,Plays,Unique Listeners,Total Time Listened\n' +
        '202602,One,10,8,100\n202603,One,5,4,50\n202603,Two,1,1,9\n',
    );
    expect(file.asOf).toBe('2026-03-31');
    expect(file.shows[0]).toMatchObject({
      showMetrics: { plays: 16, timeListenedSeconds: 159 },
      entries: [
        { title: 'One', metrics: { plays: 15, timeListenedSeconds: 150 } },
        { title: 'Two', metrics: { plays: 1, timeListenedSeconds: 9 } },
      ],
    });
  });

  it('gives the followers of the last day, in any order of rows', async () => {
    const text =
      'Date,Net Followers,Gross Followers,Gross Unfollowers\n' +
      '20260303,120,130,10\n20260304,125,137,12\n20260301,100,109,9\n';
    expect((await read(text)).shows[0]?.showMetrics).toEqual({ followers: 125 });
    const days = 'Date;Followers\n3/4/2026;125\n3/25/2026;130\n3/5/2026;9\n';
    expect((await read(days)).shows[0]?.showMetrics).toEqual({ followers: 130 });
    const unclear = 'Date;Followers\n3/4/2026;125\n4/3/2026;130\n';
    expect((await read(unclear)).shows[0]?.showMetrics).toEqual({});
  });

  describe('dates whose order of day and month is open', () => {
    /** `d/m` for each day of a year. */
    const series = (year: number, ...dates: string[]) =>
      read(`Date,Followers\n${dates.map((date, at) => `${date}/${year},${101 + at}\n`).join('')}`);
    const fromTo = (from: number, to: number, write: (number: number) => string) =>
      Array.from({ length: to - from + 1 }, (_, at) => write(from + at));
    const of = async (file: ReturnType<typeof read>) => {
      const { asOf, shows } = await file;
      return [asOf, shows[0]?.showMetrics.followers];
    };

    it('dates whose order of day and month is open are read as the order that makes them consecutive days', async () => {
      const february = fromTo(1, 12, (day) => `${String(day).padStart(2, '0')}/02`);
      expect(await of(series(2025, ...february))).toEqual(['2025-02-12', 112]);
      expect(await of(series(2025, ...february.toReversed()))).toEqual(['2025-02-12', 101]);
      const november = fromTo(5, 12, (day) => `11/${day}`);
      expect(await of(series(2025, ...november))).toEqual(['2025-11-12', 108]);
    });

    it('dates whose order of day and month is open are not read as days where they may be months', async () => {
      const ones = fromTo(1, 12, (number) => `${number}/1`);
      // The last day has these followers in both orders.
      expect(await of(series(2025, ...ones))).toEqual([null, 112]);
      // Of this year, most of these months are not over.
      expect(await of(series(2026, ...ones))).toEqual(['2026-01-12', 112]);
    });

    it('dates whose order of day and month is open are not in the future', async () => {
      expect(await of(series(2026, '3/1', '4/8', '5/4'))).toEqual(['2026-05-04', 103]);
    });

    it('dates whose order of day and month is open give no last day, not even one of the dates that are clear', async () => {
      expect(await of(series(2025, '1/6', '2/2', '5/3'))).toEqual([null, undefined]);
      expect(await of(series(2025, '25/3', '1/2', '3/26'))).toEqual([null, undefined]);
      expect(await of(series(2025, '1/3', '3/1', '1/2'))).toEqual(['2025-03-01', undefined]);
    });

    it('dates whose order of day and month is open do not matter before a later day that is clear', async () => {
      const text = 'Date,Followers\n2/3/2026,7\n2026-03-30,8\n3/5/2026,9\n';
      expect(await of(read(text))).toEqual([null, undefined]);
      const later = 'Date,Followers\n2/3/2026,7\n2026-04-30,8\n3/4/2026,9\n';
      expect(await of(read(later))).toEqual(['2026-04-30', 8]);
    });
  });

  it('gives no followers if one day has two counts', async () => {
    const file = await read('Date,Followers\n20260301,7\n20260302,8\n2026-03-02,9\n');
    expect(file).toMatchObject({ asOf: '2026-03-02', shows: [{ showMetrics: {} }] });
  });

  it('takes rows without a date, and a release in the future', async () => {
    const text = 'Date,Plays,Followers\n20260501,5,9\n,,\n-,3,\nNaN,,7\n';
    expect(await read(text)).toMatchObject({
      asOf: '2026-05-01',
      shows: [{ showMetrics: { plays: 8, followers: 9 } }],
    });
    const { shows } = await read(
      'Episode Title,Release Date,Plays\nOne,2026-09-01,5\nTwo,soon,5\n',
    );
    expect(shows[0]?.entries.map(({ releasedOn }) => releasedOn)).toEqual([
      '2026-09-01',
      undefined,
    ]);
  });

  it('Apple Podcasts Connect does not say a last day that is not over', async () => {
    const months = await read('Date,Plays,Followers\n202604,1,8\n202605,1,9\n');
    expect(months).toMatchObject({ asOf: null, shows: [{ showMetrics: { followers: 9 } }] });
    expect((await read('Date,Plays\n2026-05-11,1\n')).asOf).toBeNull();
  });

  it('reads hours, with a comma and as h:mm:ss', async () => {
    const text =
      'Folgentitel;Wiedergaben;Gesamte Hördauer (Stunden)\nEins;1.204;1,5\nZwei;7;2:00:30\n';
    expect((await read(text)).shows[0]).toMatchObject({
      showMetrics: { plays: 1211, timeListenedSeconds: 12_630 },
      entries: [{ title: 'Eins' }, { title: 'Zwei', metrics: { timeListenedSeconds: 7230 } }],
    });
  });

  it('takes rows without a title: of an episode by its id, of a show if no row has one', async () => {
    const ids = 'Episode ID,Episode Title,Plays\n1000,One,5\n1001,,7\n,,\n';
    expect((await read(ids)).shows[0]).toMatchObject({
      showMetrics: { plays: 12 },
      entries: [{ title: 'One' }, { title: '1001', metrics: { plays: 7 } }],
    });
    const show = 'Date,Episode Title,Plays,Unique Engaged Listeners\n20260301,,5,3\n';
    expect((await read(show)).shows[0]).toMatchObject({
      showMetrics: { plays: 5, engagedListeners: 3 },
      entries: [],
    });
  });

  it('keeps several shows apart', async () => {
    const { shows } = await read('Show Name,Followers,Plays\nA,10,100\nB,20,200\n');
    expect(shows.map(({ name, showMetrics }) => [name, showMetrics])).toEqual([
      ['A', { plays: 100, followers: 10 }],
      ['B', { plays: 200, followers: 20 }],
    ]);
  });
});

describe('Spotify for Creators', () => {
  it('gives the episodes', async () => {
    const text =
      '"name","plays","streams","audience_size","releaseDate"\n"One","20","18","16","2026-03-01"\n' +
      '"Two","10","9","8","2026-03-08"\n';
    expect(await read(text, 'spotify')).toEqual({
      rows: 2,
      asOf: null,
      shows: [
        {
          name: undefined,
          showMetrics: { plays: 30, streams: 27 },
          entries: [
            {
              guid: undefined,
              title: 'One',
              releasedOn: '2026-03-01',
              metrics: { plays: 20, streams: 18, listeners: 16 },
            },
            {
              guid: undefined,
              title: 'Two',
              releasedOn: '2026-03-08',
              metrics: { plays: 10, streams: 9, listeners: 8 },
            },
          ],
        },
      ],
    });
  });

  it('gives the show by days', async () => {
    const text =
      'Date,Plays,Consumption hours,Followers\n2026-03-01,20,3.51,100\n2026-03-02,30,4.2,104\n';
    expect(await read(text, 'spotify')).toMatchObject({
      asOf: '2026-03-02',
      shows: [{ showMetrics: { plays: 50, followers: 104 } }],
    });
  });

  it('gives the listeners of a single row', async () => {
    const text = 'Date,Starts,Streams,Listeners,Followers\n2026-03-01,30,20,10,5\n';
    expect((await read(text, 'spotify')).shows[0]?.showMetrics).toEqual({
      streams: 20,
      listeners: 10,
      followers: 5,
    });
  });
});

describe('the form of a file', () => {
  const text = 'Episode Title;Plays\n"Über; alles";1.204\n日本;7\n';
  const expected = {
    rows: 2,
    shows: [
      {
        entries: [
          { title: 'Über; alles', metrics: { plays: 1204 } },
          { title: '日本', metrics: { plays: 7 } },
        ],
      },
    ],
  };

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 LE', Buffer.from(text, 'utf16le')],
    ['UTF-16 LE with a mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 BE with a mark', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['UTF-16 BE', Buffer.from(text, 'utf16le').swap16()],
    ['tabs and CRLF', Buffer.from(text.replace(/;(?! )/g, '\t').replace(/\n/g, '\r\n'))],
    ["Excel's first line", Buffer.from(`sep=;\r\n${text}`)],
    ['empty lines', Buffer.from(`\n\n${text}\n;;\n`)],
    ['a row that is too long', Buffer.from(text.replace('日本;7', '日本;7;8;9'))],
  ])('the form of a file may be %s', async (_form, bytes) => {
    expect(await readBytes(bytes)).toMatchObject(expected);
  });

  it('the form of a file may be windows-1252', async () => {
    const file = await readBytes(Buffer.from('Episode Title,Plays\nÜber,5\n', 'latin1'));
    expect(file.shows[0]?.entries[0]?.title).toBe('Über');
  });

  it('the form of a file may have nothing the database refuses in its texts', async () => {
    const file = await read(`Episode Title,Plays\n"a\0b${'x'.repeat(600)}",5\n`);
    const title = file.shows[0]?.entries[0]?.title ?? '';
    expect(title.startsWith('a b')).toBe(true);
    expect(title).toHaveLength(500);
  });
});

describe('a refused file', () => {
  const refusal = (text: string, source: PlatformSource = 'apple') =>
    read(text, source).then(
      () => undefined,
      (error: Error) => error.message,
    );

  it.each(platformSources)(
    'a file that is not one of %s is refused with what was expected and found',
    async (source) => {
      const message = await refusal('Video title,Views,Watch time\nA,1,2\n', source);
      expect(message).toContain('Expected in the first row:');
      expect(message).toContain('Found: "Video title", "Views", "Watch time".');
    },
  );

  it('a refused file is named as a file of the other platform', async () => {
    expect(await refusal(appleEpisodes, 'spotify')).toContain(
      'It looks like one of Apple Podcasts Connect.',
    );
    const spotify = 'name,plays,streams,audience_size,releaseDate\nOne,1,1,1,2026-03-01\n';
    expect(await refusal(spotify)).toContain('It looks like one of Spotify for Creators.');
  });

  it.each([
    ['The file is empty.', ''],
    ['Found: "PK"', 'PK\u0003\u0004\u0000\u0000'],
    ['Found: "Episode Title".', 'Episode Title\nOne\n'],
    ['Line 2, column "Plays": "12K" is not a figure.', 'Episode Title,Plays\nOne,12K\n'],
    ['Line 2, column "Plays": "١٢٣" is not a figure.', 'Episode Title,Plays\nOne,١٢٣\n'],
    [
      'Line 3, column "Net Followers": "-3" is a change, not a number of followers.',
      'Date,Net Followers\n20260301,4\n20260302,-3\n',
    ],
    [
      'Line 3, column "Date": "2026-02-30" is not a date.',
      'Date,Plays\n2026-02-28,5\n2026-02-30,7\n',
    ],
    ['Line 2, column "Month": "2026-13" is not a date.', 'Month,Plays\n2026-13,7\n'],
    ['"bogus" is not a date.', 'Date,Plays\nbogus,7\n'],
    ['Line 3, column "Date": "Total" is not a date.', 'Date,Plays\n20260501,7\nTotal,7\n'],
    ['Line 2, column "Date": "2026-05-12" is in the future.', 'Date,Plays\n2026-05-12,7\n'],
    ['"6/7/2026" is in the future.', 'Date,Plays\n6/7/2026,7\n'],
    ['"9999-12-31" is in the future.', 'Date,Plays\n9999-12-31,7\n'],
    [
      'Line 4 has figures without an episode, and other lines have episodes.',
      'Episode Title,Plays\nOne,1000\n,\n,7\nTwo,2000\n',
    ],
    ['is not a readable table', 'Episode Title,Plays\n"One,5\nTwo,7\n'],
    ['is not a readable table', `Episode Title,Plays\n"${'x'.repeat(70_000)}`],
    ['too large to be added up', `Episode Title,Plays\n${`One,${'9'.repeat(15)}\n`.repeat(10)}`],
  ])('a refused file is explained: %s', async (words, text) => {
    expect((await refusal(text)) ?? '').toContain(words);
  });

  it('a file is refused for a byte that is not UTF-8 after its beginning', async () => {
    const long = Buffer.from(`Episode Title,Plays\n${'One,5\n'.repeat(12_000)}`);
    const broken = readBytes(Buffer.concat([long, Buffer.from([0xe4, 0x20])]), 'apple');
    await expect(broken).rejects.toThrow('neither UTF-8 nor UTF-16');
  });

  it('a file is refused if it is larger than 32 MB, and is not read to its end', async () => {
    let parts = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('Episode Title,Plays\n');
      for (;;) {
        parts += 1;
        yield Buffer.alloc(1024 * 1024, '\n');
      }
    }
    await expect(readPlatformFile(endless(), 'apple', today)).rejects.toThrow('larger than 32 MB');
    expect(parts).toBeLessThan(40);
  });

  it('a file is refused with advice if it has more than 10,000 empty rows', async () => {
    const write = (emptyRows: number) => `Date,Plays\n20260301,1\n${',\n'.repeat(emptyRows)}`;
    expect(await refusalOf(write(10_000))).toBeUndefined();
    expect(await refusalOf(write(10_001))).toContain(
      'The file has more than 10000 empty rows. Delete them and try again.',
    );
  });

  it('a file is refused if it has too many rows, episodes or shows', async () => {
    const many = (count: number, row: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => row(at)).join('');
    const rows = `Date,Plays\n${'20260301,1\n'.repeat(200_001)}`;
    expect(await refusalOf(rows)).toContain('more than 200000 rows');
    const episodes = `Episode Title,Plays\n${many(20_001, (at) => `E${at},1\n`)}`;
    expect(await refusalOf(episodes)).toContain('more than 20000 episodes');
    const shows = `Show Name,Plays\n${many(101, (at) => `S${at},1\n`)}`;
    expect(await refusalOf(shows)).toContain('more than 100 shows');
  });

  const refusalOf = (text: string) =>
    readPlatformFile(inParts(Buffer.from(text), 65_536), 'apple', today).then(
      () => undefined,
      (error: Error) => error.message,
    );
});

describe('a file of the largest size', () => {
  const dayOf = (at: number) => new Date((at - 180_000) * 86_400_000).toISOString().slice(0, 10);
  const list = (count: number, row: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => row(at)).join('');

  it.each([
    ['days', () => `Date,Followers\n${list(200_000, (at) => `${dayOf(at)},${at}\n`)}`],
    ['episodes', () => `Title,Plays\n${list(20_000, (at) => `${'ü'.repeat(490)}${at},5\n`)}`],
    ['columns', () => `Date,Plays,${'ﬀ b,'.repeat(15_000)}\n20260301,5\n`],
    ['short rows', () => `Title,Plays\n${'a\n'.repeat(4_000)}`],
    ['empty lines', () => `Date,Plays\n${'\n'.repeat(16 * 1024 * 1024)}20260301,5\n`],
  ])('a file of the largest size of %s is read in turns with other tasks', async (_what, write) => {
    // As one piece, with which no other task gets a turn.
    const bytes = Buffer.from(write());
    const piece = () => inParts(bytes, 1024 * 1024);
    expect(await longestTaskMs(() => readPlatformFile(piece(), 'apple', today), 250)).toBeLessThan(
      250,
    );
  });
});
