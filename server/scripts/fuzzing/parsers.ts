import sharp from 'sharp';
import type { Job } from '../../src/platform/processes/job.ts';
import * as make from '../../test/make-audio-bytes.ts';
import { chapteredFiles } from '../../test/make-chapters.ts';

/** A parser of foreign bytes, as the service calls it. */
export interface FuzzedParser {
  readonly module: URL;
  readonly task: string;
  readonly input?: unknown;
  readonly limits: Pick<Job['limits'], 'memoryMb' | 'cpuMs'>;
  readonly samples: () => Promise<readonly Buffer[]>;
  readonly tokens: readonly string[];
  /** It gets the file's path instead of its bytes, or its text, or asks for spans of it. */
  readonly gives?: 'path' | 'text' | 'spans';
}

const domain = (path: string) => new URL(`../../src/domain/${path}`, import.meta.url);
const texts =
  (...samples: string[]) =>
  async () =>
    samples.map((text) => Buffer.from(text));
const repeat = (text: string) => text.repeat(20);

async function pictures(): Promise<Buffer[]> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const picture = () =>
    sharp({ create: { width: 96, height: 64, channels: 3, background: '#336699', noise } });
  return await Promise.all([
    picture().jpeg().toBuffer(),
    picture()
      .jpeg({ progressive: true })
      .withExif({ IFD0: { Copyright: 'x' } })
      .toBuffer(),
    picture().png().toBuffer(),
    picture().png({ palette: true, progressive: true }).toBuffer(),
    picture().webp().toBuffer(),
    picture().webp({ lossless: true }).toBuffer(),
    picture().gif().toBuffer(),
    picture().avif({ effort: 0 }).toBuffer(),
  ]);
}

async function audio(): Promise<Buffer[]> {
  const track = make.mp4Track({ handler: 'soun', codec: 'mp4a', ticks: 441_000 });
  return [
    Buffer.concat([make.id3v2(300), make.repeated(make.mpegFrame({ kbps: 64 }), 40)]),
    make.repeated(make.adtsFrame(364), 40),
    Buffer.concat([
      make.oggPage({ granule: 0, begins: true }, make.opusHead()),
      make.oggPage({ granule: 0 }, Buffer.from('OpusTags\x04\0\0\0test\0\0\0\0', 'latin1')),
      make.oggPage({ granule: 48_312 }, Buffer.alloc(800, 3)),
    ]),
    Buffer.concat([
      make.ftyp('M4A '),
      make.box('moov', track),
      make.box('mdat', Buffer.alloc(500)),
    ]),
    make.flac(44_100, 441_000, 500),
  ];
}

/** An ID3v2.3 tag with a table of contents and that many chapters. */
function chapterTag(count: number): Buffer {
  const frame = (id: string, body: Buffer) =>
    Buffer.concat([Buffer.from(id), make.words(body.length), Buffer.alloc(2), body]);
  const title = frame('TIT2', Buffer.from('\0Title'));
  const times = make.words(0, 1000, 0xffffffff, 0xffffffff);
  const chapter = frame('CHAP', Buffer.concat([Buffer.from('c\0'), times, title]));
  const contents = frame('CTOC', Buffer.from('toc\0\x03\x01c\0'));
  const body = Buffer.concat([contents, make.repeated(chapter, count)]);
  const size = [21, 14, 7, 0].map((bits) => (body.length >> bits) & 0x7f);
  return Buffer.concat([Buffer.from('ID3\x03\0\0'), Buffer.from(size), body]);
}

const small = { memoryMb: 512, cpuMs: 10_000 };
const chaptersOf = (contentType: string): Omit<FuzzedParser, 'samples' | 'tokens'> => ({
  ...{ module: domain('publishing/audio/file-chapters/chapters-task.ts'), task: 'taggedChapters' },
  ...{ input: { contentType }, gives: 'spans', limits: small },
});
const taggedChapters = Array.from({ length: 20 }, (_, at) => ({
  ...{ startMs: at * 1000, title: `Chapter ${at}`, linkUrl: 'https://a.example/?x=1' },
}));
const textTokens = ['<', '&', '&amp;', '"', '\n\n', ' ', '\0', '\u{1f600}', '-->', '00:00:01.000'];
const jsonTokens = ['{', '}', '[', ']', '{},', '[[', '"', ':', 'null', '1e999', '"start":', '\\u'];
const vtt = `WEBVTT\n\n${repeat('00:01.000 --> 00:02.000\n<v Ana>Hi &amp; <c.x>you</c>\n\n')}`;
const srt = repeat('1\n00:00:01,000 --> 00:00:02,000\nAna: Hi\n\n');
const segments = `{"version":"1.0.0","segments":[${repeat('{"startTime":1,"endTime":2,"speaker":"A","body":"x"},')}{}]}`;
const chapters = `{"version":"1.2.0","chapters":[${repeat('{"startTime":1,"title":"x","url":"https://a.example"},')}{}]}`;
const reply =
  '{"id":"2","in_reply_to_id":"1","created_at":"2026-11-01T10:00:00Z","visibility":"public","url":"https://a.example/2","content":"<p>Hi <a href=\\"https://b.example\\">b</a></p>","account":{"acct":"ana"}}';
const replies = `{"descendants":[${repeat(`${reply},`)}${reply}]}`;
const item =
  '<item><title>A &amp; b</title><guid>1</guid><enclosure url="https://a.example/1.mp3" length="1" type="audio/mpeg"/><description><![CDATA[<p>x</p>]]></description><podcast:person role="guest">Bo</podcast:person><psc:chapters><psc:chapter start="00:00:01" title="x"/></psc:chapters></item>';
const rss = `<?xml version="1.0" encoding="UTF-8"?><rss><channel><title>T</title>${repeat(item)}</channel></rss>`;
const notes = repeat(
  '<h1>A</h1><p>b <a href="https://a.example?x=1">c</a><img src="https://a.example/1.png"/></p><ul><li>d</li></ul>',
);

export const parsers: Readonly<Record<string, FuzzedParser>> = {
  pictures: {
    module: domain('publishing/images/picture-task.ts'),
    task: 'picture',
    limits: { memoryMb: 1_280, cpuMs: 40_000 },
    samples: pictures,
    tokens: ['\xff\xda', '\xff\xc2', 'IDAT', 'VP8X', 'ANMF', 'meta', 'ispe', '\x21\xf9', '\x2c'],
  },
  'audio files': {
    module: domain('publishing/audio/audio-task.ts'),
    task: 'facts',
    gives: 'path',
    limits: small,
    samples: audio,
    tokens: ['ID3\x04', 'OggS', 'moov', 'trak', 'stts', '\xff\xfb', '\xff\xf1', 'fLaC', 'TAG'],
  },
  'tags of audio': {
    ...chaptersOf('audio/mpeg'),
    samples: async () => [chapterTag(20)],
    tokens: ['CHAP\0\0\0\x10', 'CTOC', 'TIT2\0\0\0\0\0\0', 'WXXX', 'APIC', '\xff\0', '\0\0'],
  },
  'chapters of FLAC': {
    ...chaptersOf('audio/flac'),
    samples: async () => [chapteredFiles.flac(taggedChapters)],
    tokens: ['fLaC', '\x04\0\0\xff', '\x0c\0\0\0CHAPTER001=0', 'CHAPTER001NAME=', '\0\0', '\xff'],
  },
  'chapters of Ogg': {
    ...chaptersOf('audio/ogg'),
    samples: async () => [chapteredFiles.opus(taggedChapters)],
    tokens: ['OggS\0\0', 'OpusTags', '\x03vorbis', '\x0c\0\0\0CHAPTER001=0', '\0\0', '\xff'],
  },
  'chapters of MP4': {
    ...chaptersOf('audio/mp4'),
    samples: async () => [chapteredFiles.m4a(taggedChapters)],
    tokens: ['moov', 'udta', 'chpl', 'trak', 'tref', 'chap', 'text', 'stco', '\0\0\0\x08', '\xff'],
  },
  'sound of MP3': {
    module: domain('publishing/audio/sound-tasks.ts'),
    task: 'loudness',
    input: { durationSeconds: 1, parts: 20 },
    limits: { memoryMb: 512, cpuMs: 30_000 },
    samples: async () => [make.repeated(make.mpegFrame({ kbps: 64 }), 40)],
    tokens: ['\xff\xfb\x90\0', 'Xing', 'LAME', '\xff\xe3'],
  },
  transcripts: {
    module: domain('publishing/transcripts/text-tasks.ts'),
    task: 'transcript',
    input: { type: undefined },
    limits: { memoryMb: 512, cpuMs: 30_000 },
    samples: texts(
      vtt,
      srt,
      segments,
      `<cite>Ana</cite><time>0:01</time><p>${repeat('x ')}</p>`,
      repeat('Ana: hello you\n'),
    ),
    tokens: [...textTokens, ...jsonTokens, '<v ', '<c.', '{\\an8}', 'WEBVTT'],
  },
  chapters: {
    module: domain('publishing/transcripts/text-tasks.ts'),
    task: 'chapters',
    limits: small,
    samples: texts(chapters, vtt, repeat('00:01 A\n')),
    tokens: [...textTokens, ...jsonTokens],
  },
  feeds: {
    module: domain('exchange/imports/read/reader-tasks.ts'),
    task: 'feed',
    input: {},
    limits: { memoryMb: 512, cpuMs: 60_000 },
    samples: texts(rss),
    tokens: [...textTokens, '<![CDATA[', ']]>', '<!ENTITY', '<item>', '</item>', '<a b="', '<?'],
  },
  tables: {
    module: domain('audience/analytics/platforms/platform-file-task.ts'),
    task: 'platformFile',
    input: { source: 'spotify', today: '2026-01-31' },
    limits: { memoryMb: 640, cpuMs: 60_000 },
    samples: texts(
      `"name","plays","streams","listeners","releaseDate"\n${repeat('"A, b","1","2","3","2025-01-02"\n')}`,
    ),
    tokens: [',', ';', '\t', '"', '""', '\r\n', '1e9', '-', '٣'],
  },
  comments: {
    module: domain('public/comments/thread-task.ts'),
    task: 'thread',
    input: { id: '1', host: 'a.example' },
    limits: { memoryMb: 512, cpuMs: 10_000 },
    samples: texts(replies),
    tokens: [...textTokens, ...jsonTokens, '"in_reply_to_id":"2"', '<a href=\\"', '<blockquote>'],
  },
  'show notes': {
    module: domain('publishing/podcasts/notes/notes-task.ts'),
    task: 'clean',
    gives: 'text',
    limits: { memoryMb: 512, cpuMs: 10_000 },
    samples: texts(notes),
    tokens: [
      ...textTokens,
      '<div>',
      '<a href="',
      '<!--',
      '<table>',
      '<ul><li>',
      '</',
      'https://a.b/',
    ],
  },
};
