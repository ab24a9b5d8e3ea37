import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import * as make from '../../server/test/make-audio-bytes.ts';
import {
  emptySegments,
  manyScans,
  nestedFrames,
  openTags,
} from '../../server/test/make-hostile-files.ts';

export type Purpose = 'image' | 'audio' | 'transcript' | 'chapters' | 'table';

/** A file that is made to end or to block the process that reads it. */
export interface HostileFile {
  readonly name: string;
  readonly purpose: Purpose;
  readonly filename: string;
  readonly bytes: Buffer;
}

const MB = 1024 * 1024;
const side = 4_000;

/** The text, repeated up to `size` bytes. */
function fill(text: string, size: number, around: readonly [string, string] = ['', '']): Buffer {
  const [before, after] = around;
  const times = Math.floor((size - before.length - after.length) / Buffer.byteLength(text));
  return Buffer.from(before + text.repeat(times) + after);
}

export async function makeHostileFiles(): Promise<readonly HostileFile[]> {
  return [...(await pictures()), ...(await audio()), ...transcripts(), ...chapters(), ...tables()];
}

async function pictures(): Promise<HostileFile[]> {
  const plain = () =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#336699' } });
  const head = Buffer.from(
    await sharp({ create: { width: 2, height: 2, channels: 3, background: '#000' } })
      .png()
      .toBuffer(),
  );
  head.writeUInt32BE(60_000, 16);
  head.writeUInt32BE(60_000, 20);
  head.writeUInt32BE(crc32(head.subarray(12, 29)), 29);
  const picture = (name: string, filename: string, bytes: Buffer): HostileFile => ({
    ...{ name, purpose: 'image', filename, bytes },
  });
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const noisy = sharp({
    create: { width: 2_500, height: 2_500, channels: 3, background: '#888', noise },
  });
  return [
    picture('JPEG of 6,000 scans', 'a.jpg', await manyScans(600, 6_000)),
    picture('JPEG of 90 large scans', 'b.jpg', await manyScans(side, 90)),
    picture('PNG of 16 million pixels', 'a.png', await plain().png().toBuffer()),
    picture('PNG that claims 3,600 million', 'b.png', head),
    picture(
      'WebP of 16 million pixels',
      'a.webp',
      await plain().webp({ lossless: true, effort: 0 }).toBuffer(),
    ),
    picture('AVIF of 16 million pixels', 'a.avif', await plain().avif({ effort: 0 }).toBuffer()),
    picture('JPEG of noise', 'c.jpg', await noisy.jpeg({ quality: 90 }).toBuffer()),
    picture('GIF of 2,000 frames', 'a.gif', await animation('gif')),
    picture('WebP of 2,000 frames', 'b.webp', await animation('webp')),
  ];
}

async function animation(format: 'gif' | 'webp'): Promise<Buffer> {
  const [size, count] = [64, 2_000];
  const pixels = Buffer.alloc(size * size * count * 3);
  for (let at = 0; at < count; at += 1) {
    pixels.fill(at % 251, at * size * size * 3, (at + 1) * size * size * 3);
  }
  const raw = { width: size, height: size * count, channels: 3, pageHeight: size } as const;
  return await sharp(pixels, { raw, limitInputPixels: false })
    .toFormat(format, { effort: 1 })
    .toBuffer();
}

async function audio(): Promise<HostileFile[]> {
  const frames = make.repeated(make.mpegFrame({ kbps: 64 }), 400);
  const sound = (name: string, filename: string, ...parts: Buffer[]): HostileFile => ({
    ...{ name, purpose: 'audio', filename, bytes: Buffer.concat(parts) },
  });
  const track = make.mp4Track({ handler: 'soun', codec: 'mp4a', ticks: 441_000 });
  const nested = (depth: number) => {
    let inner: Buffer = Buffer.alloc(0);
    for (let at = 0; at < depth; at += 1) inner = make.box('moov', inner);
    return inner;
  };
  const samples = make.box('stsz', make.words(0, 0, 0xffff_ffff));
  const page = make.oggPage({ granule: 2 ** 40 }, Buffer.alloc(1));
  const comment = Buffer.concat([
    Buffer.from('OpusTags\xff\xff\xff\x7f', 'latin1'),
    Buffer.alloc(8 * MB, 1),
  ]);
  const opus = make.oggPage({ granule: 0, begins: true }, make.opusHead());
  const emptyBlock = make.words(0x0400_0000);
  const flac = make.flac(44_100, 2 ** 35, 0).subarray(0, 42);
  return [
    sound('MP3 with a million frames of ID3', 'a.mp3', nestedFrames(100, 9_990), frames),
    sound('MP3 with 10,000 tags', 'b.mp3', make.repeated(make.id3v2(100), 10_000), frames),
    sound(
      'MP3 of two million broken frames',
      'c.mp3',
      Buffer.alloc(8 * MB, '\xff\xfb\x90\0', 'latin1'),
    ),
    sound(
      'MP4 with 60,000 tracks',
      'a.m4a',
      make.ftyp('M4A '),
      make.box('moov', make.repeated(track, 60_000)),
    ),
    sound('MP4 of boxes 3,000 deep', 'b.m4a', make.ftyp('M4A '), nested(3_000)),
    sound(
      'MP4 of 4 billion samples',
      'c.m4a',
      make.ftyp('M4A '),
      make.box('moov', track, samples),
      make.box('mdat', Buffer.alloc(MB)),
    ),
    sound('Ogg of 200,000 pages', 'a.ogg', opus, make.repeated(page, 200_000)),
    sound(
      'Ogg with a comment of 8 MB',
      'b.ogg',
      opus,
      make.oggPage({ granule: 0 }, comment.subarray(0, 60_000)),
      comment,
    ),
    sound('FLAC with two million blocks', 'a.flac', flac, Buffer.alloc(8 * MB, emptyBlock)),
    sound('WAV that claims 4 GB', 'a.wav', make.wav(MB, { dataSize: 0xffff_fff0 })),
    sound('MP3 whose sound is noise', 'd.mp3', make.repeated(make.mpegFrame({ kbps: 320 }), 8_000)),
  ];
}

function transcripts(): HostileFile[] {
  const size = 10 * MB;
  const text = (name: string, filename: string, bytes: Buffer): HostileFile => ({
    ...{ name, purpose: 'transcript', filename, bytes },
  });
  const cue = '00:01.000 --> 00:02.000\n<v Ana><c.x>Hi &amp; you</c>\n\n';
  const braces = '1\n00:00:01,000 --> 00:00:02,000\n{\\an8}{{{{{{{{Ana: <i><b>Hi\n\n';
  const ttml = '<tt xmlns="http://www.w3.org/ns/ttml"><body>';
  return [
    text('JSON of empty segments', 'a.json', emptySegments()),
    text('JSON of open brackets', 'b.json', fill('[', size)),
    text('JSON of nested objects', 'c.json', fill('{"segments":', size)),
    text(
      'JSON of words',
      'd.json',
      fill('{"word":"a","start":1,"end":2},', size, ['{"words":[', '{}]}']),
    ),
    text('WebVTT of open tags', 'a.vtt', openTags()),
    text('WebVTT of 170,000 cues', 'b.vtt', fill(cue, size, ['WEBVTT\n\n', ''])),
    text(
      'WebVTT of one cue',
      'c.vtt',
      fill('a & b ', size, ['WEBVTT\n\n00:00.000 --> 00:01.000\n', '']),
    ),
    text('WebVTT of arrows', 'd.vtt', fill('-->', size, ['WEBVTT\n\n', ''])),
    text('SRT of braces', 'a.srt', fill(braces, size)),
    text('SRT of numbers', 'b.srt', fill('1\n', size)),
    text('TTML of nested elements', 'a.ttml', fill('<div>', size, [ttml, ''])),
    text(
      'TTML of paragraphs',
      'b.ttml',
      fill('<p begin="1s" end="2s">a<br/></p>', size, [ttml, '</body></tt>']),
    ),
    text('text of names', 'a.txt', fill('Ana: [00:01] hello you\n', size)),
    text('text of colons', 'b.txt', fill(':', size)),
    text('HTML of open tags', 'a.html', fill('<cite>Ana<time>0:01', size)),
    text('ampersands', 'c.txt', fill('&', size)),
    text(
      'UTF-16 of surrogates',
      'd.txt',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(size - 2, 0xd8)]),
    ),
  ];
}

function chapters(): HostileFile[] {
  const text = (name: string, filename: string, bytes: Buffer): HostileFile => ({
    ...{ name, purpose: 'chapters', filename, bytes },
  });
  return [
    text(
      'JSON of chapters',
      'a.json',
      fill('{"startTime":1,"title":"x"},', MB, ['{"version":"1.2.0","chapters":[', '{}]}']),
    ),
    text('JSON of open brackets', 'b.json', fill('[', MB)),
    text('a list of chapters', 'a.txt', fill('00:00:01.000 [A](https://a.example)\n', MB)),
    text(
      'XML of nested chapters',
      'a.xml',
      fill('<psc:chapter start="1" title="a">', MB, ['<psc:chapters>', '']),
    ),
  ];
}

function tables(): HostileFile[] {
  const size = 8 * MB;
  const head = '"name","plays","streams","listeners","releaseDate"\n';
  const text = (name: string, bytes: Buffer): HostileFile => ({
    ...{ name, purpose: 'table', filename: 'a.csv', bytes },
  });
  return [
    text('CSV of 300,000 rows', fill('"A, b","1","2","3","2025-01-02"\n', size, [head, ''])),
    text('CSV of quotation marks', fill('"', size)),
    text('CSV of commas', fill(',', size)),
    text('CSV of one row', fill('a,', size, [head, ''])),
  ];
}
