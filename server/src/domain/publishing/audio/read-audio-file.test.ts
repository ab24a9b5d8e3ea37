import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFile } from 'music-metadata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as make from '../../../../test/make-audio-bytes.ts';
import type { AudioFacts, AudioRefusal } from './audio-facts.ts';
import { readAudioFile } from './read-audio-file.ts';

let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audio-facts-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function written(...parts: readonly Buffer[]): Promise<string> {
  files += 1;
  const path = join(folder, `${files}.bin`);
  await writeFile(path, Buffer.concat(parts));
  return path;
}

async function factsOf(...parts: readonly Buffer[]): Promise<AudioFacts> {
  return readAudioFile(await written(...parts));
}

const frame = make.mpegFrame();
const frames = (count: number, of: make.MpegMake = {}) => make.repeated(make.mpegFrame(of), count);
const ms = (count: number, samples = 1152, rate = 44_100) =>
  Math.round((count * samples * 1000) / rate);
// Bytes without 0xff, so nothing in them looks like a frame.
const junk = (length: number) => Buffer.alloc(length, 0x6a);

describe('MP3, frame by frame', () => {
  it.each<[string, make.MpegMake, number, number]>([
    ['MPEG-1 layer III', {}, 1152, 44_100],
    ['MPEG-1 layer III, 320 kbit/s, 32 kHz', { kbps: 320, rate: 32_000 }, 1152, 32_000],
    ['MPEG-2 layer III', { version: 2, kbps: 64, rate: 22_050 }, 576, 22_050],
    ['MPEG-2.5 layer III', { version: 2.5, kbps: 8, rate: 8000 }, 576, 8000],
    ['MPEG-1 layer II', { layer: 2, kbps: 192, rate: 48_000 }, 1152, 48_000],
    ['MPEG-2 layer II', { version: 2, layer: 2, kbps: 160, rate: 16_000 }, 1152, 16_000],
  ])('%s', async (_name, of, samples, rate) => {
    const bytes = frames(500, of);
    const facts = await factsOf(bytes);
    const durationMs = ms(500, samples, rate);
    expect(facts).toMatchObject({ contentType: 'audio/mpeg', extension: 'mp3', durationMs });
    expect(facts.sizeBytes).toBe(bytes.length);
    expect(facts.leadingTagBytes).toBe(0);
    expect(facts.bitrateBps).toBe(Math.round((bytes.length * 8 * rate) / (500 * samples)));
    expect(facts.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it('counts a variable rate exactly, padded frames included', async () => {
    const cycle = Buffer.concat([
      make.mpegFrame({ kbps: 32 }),
      make.mpegFrame({ kbps: 320, padding: true }),
      make.mpegFrame({ kbps: 96 }),
    ]);
    const facts = await factsOf(make.repeated(cycle, 3000));
    expect(facts.durationMs).toBe(ms(9000));
    expect(facts.bitrateBps).toBe(Math.round((cycle.length * 8 * 44_100) / (3 * 1152)));
  });

  it.each(['Xing', 'Info', 'VBRI'])(
    'counts the %s frame as neither time nor audio',
    async (mark) => {
      const index = make.mpegFrame({ mark });
      const facts = await factsOf(make.id3v2(1000), index, frames(100));
      expect(facts.durationMs).toBe(ms(100));
      expect(facts.leadingTagBytes).toBe(1010 + index.length);
      expect(facts.bitrateBps).toBe(Math.round((frame.length * 8 * 44_100) / 1152));
    },
  );

  it('finds the index frame of a mono and of an MPEG-2 file', async () => {
    const mono = { mono: true, kbps: 64 };
    const facts = await factsOf(make.mpegFrame({ ...mono, mark: 'Info' }), frames(50, mono));
    expect(facts.durationMs).toBe(ms(50));
    const low = { version: 2, kbps: 64, rate: 24_000, mono: true } as const;
    const lowFacts = await factsOf(make.mpegFrame({ ...low, mark: 'Xing' }), frames(50, low));
    expect(lowFacts.durationMs).toBe(ms(50, 576, 24_000));
  });

  it('reads joined files with different rates', async () => {
    const facts = await factsOf(frames(100), frames(100, { rate: 48_000 }));
    expect(facts.durationMs).toBe(Math.round(100 * (1152 / 44.1 + 1152 / 48)));
  });
});

describe('other data around and between the frames', () => {
  const cover = make.repeated(frame, 300);
  it.each<[string, readonly Buffer[], number, readonly Buffer[]]>([
    ['no tag', [], 0, []],
    ['ID3v2 with padding', [make.id3v2(4000)], 4010, []],
    ['ID3v2 with a footer', [make.id3v2(40, 1, true)], 60, []],
    ['ID3v2 twice', [make.id3v2(100), make.id3v2(3)], 123, []],
    ['ID3v2 larger than a window', [make.id3v2(2_000_000, 0xff)], 2_000_010, []],
    [
      'a picture full of frames',
      [replaced(make.id3v2(cover.length), cover)],
      cover.length + 10,
      [],
    ],
    ['zeros behind the tag', [make.id3v2(10), Buffer.alloc(3000)], 3020, []],
    ['a little junk in front', [junk(5000)], 5000, []],
    ['ID3v1 behind', [], 0, [make.id3v1()]],
    ['APE behind, with header', [], 0, [make.apeTag(9000, { header: true })]],
    ['APE behind, footer only', [], 0, [make.apeTag(9000, { header: false })]],
    ['APE and ID3v1', [], 0, [make.apeTag(900, { header: true }), make.id3v1()]],
    ['Lyrics3', [], 0, [Buffer.from(`LYRICSBEGIN${'x'.repeat(89)}000100LYRICS200`), make.id3v1()]],
    ['junk behind', [], 0, [junk(4000)]],
    ['a last frame cut off', [], 0, [frame.subarray(0, 200)]],
  ])('%s', async (_name, before, leadingTagBytes, after) => {
    const facts = await factsOf(...before, frames(400), ...after);
    expect(facts).toMatchObject({ durationMs: ms(400), leadingTagBytes });
    expect(facts.bitrateBps).toBe(Math.round((frame.length * 8 * 44_100) / 1152));
  });

  it.each<[string, Buffer]>([
    ['junk', junk(777)],
    ['junk with something like a frame', Buffer.concat([junk(50), frame.subarray(0, 9), junk(9)])],
    ['all ones', Buffer.alloc(600, 0xff)],
    ['zeros', Buffer.alloc(100_000)],
    ['the tags of two joined files', Buffer.concat([make.id3v1(), make.id3v2(cover.length)])],
    ['a tag full of frames', replaced(make.id3v2(cover.length), cover)],
    ['an APE tag full of frames', make.apeTag(9000, { header: true })],
    ['half a frame', frame.subarray(0, 180)],
  ])('reading continues behind %s', async (_name, between) => {
    const facts = await factsOf(frames(300), between, frames(300));
    expect(facts.durationMs).toBe(ms(600));
  });

  it('the duration does not depend on where the windows begin', async () => {
    for (let shift = 0; shift < 420; shift += 13) {
      const facts = await factsOf(make.id3v2(shift), frames(2600), junk(3), frames(2600));
      expect(facts).toMatchObject({ durationMs: ms(5200), leadingTagBytes: 10 + shift });
    }
  });

  it('reads a file of one frame', async () => {
    expect((await factsOf(frame)).durationMs).toBe(26);
  });
});

function replaced(tag: Buffer, body: Buffer): Buffer {
  return Buffer.concat([tag.subarray(0, 10), body]);
}

describe('other formats, recognized by their content', () => {
  const opus = [
    make.oggPage({ granule: 0, begins: true }, make.opusHead()),
    make.oggPage({ granule: -1 }, Buffer.alloc(60_000, 2)),
    make.oggPage({ granule: 0 }, Buffer.alloc(300, 2)),
    ...Array.from({ length: 60 }, (_, second) =>
      make.oggPage({ granule: 312 + (second + 1) * 48_000 }, Buffer.alloc(8000, second)),
    ),
  ];
  const vorbis = [
    make.oggPage({ granule: 0, begins: true }, make.vorbisHead(44_100)),
    make.oggPage({ granule: 0 }, Buffer.alloc(4000, 1)),
    make.oggPage({ granule: 441_000 }, Buffer.alloc(50_000, 1)),
  ];
  const mdat = make.box('mdat', Buffer.alloc(80_000, 5));
  const sound = make.mp4Track({ handler: 'soun', codec: 'mp4a', ticks: 441_000 });
  const film = make.mp4Track({ handler: 'vide', codec: 'avc1', ticks: 441_000 });
  const stills = make.mp4Track({ handler: 'vide', codec: 'jpeg', ticks: 441_000 });

  it.each<[string, readonly Buffer[], Partial<AudioFacts>]>([
    [
      'AAC',
      [make.repeated(make.adtsFrame(364), 4307)],
      {
        contentType: 'audio/aac',
        extension: 'aac',
        durationMs: 100_008,
        leadingTagBytes: 0,
        bitrateBps: 127_821,
      },
    ],
    [
      'AAC behind a tag',
      [make.id3v2(90), make.repeated(make.adtsFrame(364), 100)],
      { contentType: 'audio/aac', leadingTagBytes: 100 },
    ],
    [
      'AAC, two blocks a frame',
      [make.repeated(make.adtsFrame(700, 3, 2), 375)],
      { durationMs: 16_000 },
    ],
    [
      'Opus',
      opus,
      { contentType: 'audio/ogg', extension: 'opus', durationMs: 60_000, leadingTagBytes: 60_639 },
    ],
    [
      'Vorbis',
      vorbis,
      { contentType: 'audio/ogg', extension: 'ogg', durationMs: 10_000, leadingTagBytes: 4101 },
    ],
    ['Ogg, joined', [...vorbis, ...opus], { extension: 'ogg', durationMs: 70_000 }],
    ['Ogg with junk inside', [...vorbis, junk(999), ...opus], { durationMs: 70_000 }],
    ['Ogg cut off', opus.slice(0, -3), { durationMs: 57_000 }],
    [
      'FLAC',
      [make.flac(44_100, 441_000, 5000)],
      {
        contentType: 'audio/flac',
        extension: 'flac',
        durationMs: 10_000,
        leadingTagBytes: 146,
        bitrateBps: 4000,
      },
    ],
    [
      'FLAC behind ID3',
      [make.id3v2(90), make.flac(44_100, 441_000, 500)],
      { contentType: 'audio/flac', leadingTagBytes: 246 },
    ],
    [
      'WAV',
      [make.wav(160_000)],
      {
        contentType: 'audio/wav',
        extension: 'wav',
        durationMs: 10_000,
        leadingTagBytes: 44,
        bitrateBps: 128_000,
      },
    ],
    [
      'WAV of an interrupted recorder',
      [make.wav(160_000, { dataSize: 0 })],
      { durationMs: 10_000 },
    ],
    [
      'M4A',
      [make.ftyp('M4A '), make.box('moov', sound), mdat],
      { contentType: 'audio/mp4', extension: 'm4a', durationMs: 10_000, bitrateBps: 64_000 },
    ],
    [
      'M4A, head at the end',
      [make.ftyp('isom'), mdat, make.box('moov', sound)],
      { contentType: 'audio/mp4', durationMs: 10_000, leadingTagBytes: 32 },
    ],
    [
      'M4A with chapter pictures',
      [make.ftyp('mp42'), make.box('moov', sound, stills), mdat],
      { contentType: 'audio/mp4' },
    ],
    [
      'audio book with a film of stills',
      [make.ftyp('M4B '), make.box('moov', sound, film), mdat],
      { contentType: 'audio/mp4' },
    ],
    [
      'MP4',
      [make.ftyp('isom'), make.box('moov', film, sound), mdat],
      { contentType: 'video/mp4', extension: 'mp4', durationMs: 10_000 },
    ],
  ])('%s', async (_name, parts, expected) => {
    expect(await factsOf(...parts)).toMatchObject(expected);
  });

  it('adds up the fragments of what a browser recorded', async () => {
    const head = make.box(
      'moov',
      make.mp4Track({ handler: 'soun', codec: 'Opus', timescale: 48_000, ticks: 0 }),
      make.box('mvex', make.box('trex', make.words(0, 1, 1, 960, 0, 0))),
    );
    const byDefault = make.box('tfhd', make.words(0, 1));
    const byHead = make.box('tfhd', make.words(0x08, 1, 480));
    const fragment = (tfhd: Buffer, run: Buffer) => [
      make.box('moof', make.box('traf', tfhd, make.box('trun', run))),
      make.box('mdat', Buffer.alloc(2000)),
    ];
    const facts = await factsOf(
      make.ftyp('isom'),
      head,
      ...fragment(byDefault, make.words(0x201, 50, 0, 1, 1)),
      ...fragment(byHead, make.words(0, 100)),
      ...fragment(byDefault, make.words(0x301, 2, 0, 24_000, 9, 24_000, 9)),
      ...fragment(make.box('tfhd', make.words(0, 9)), make.words(0, 9999)),
    );
    expect(facts).toMatchObject({ contentType: 'audio/mp4', durationMs: 3000 });
  });

  it.each<[string, readonly Buffer[]]>([
    ['Vorbis', vorbis],
    ['FLAC', [make.flac(44_100, 441_000, 5000)]],
    ['WAV', [make.wav(160_000)]],
    ['M4A', [make.ftyp('M4A '), make.box('moov', sound), mdat]],
    ['CBR', [make.id3v2(100), frames(400)]],
  ])('%s: another reader agrees on the length', async (_name, parts) => {
    const path = await written(...parts);
    const { durationMs } = await readAudioFile(path);
    const { format } = await parseFile(path, { duration: true });
    expect(Math.abs((format.duration ?? 0) * 1000 - durationMs)).toBeLessThan(30);
  });
});

describe('refusals', () => {
  const mdat = make.box('mdat', Buffer.alloc(800));
  const track = (codec: string, ticks = 441_000, handler = 'soun') =>
    make.box('moov', make.mp4Track({ handler, codec, ticks }));
  const noise = createNoise(3_000_000);

  it.each<[string, AudioRefusal, readonly Buffer[]]>([
    ['nothing', 'empty', []],
    ['one byte', 'not_audio', [Buffer.from([0xff])]],
    ['text', 'not_audio', [Buffer.from('<!doctype html><title>Not found</title>'.repeat(500))]],
    ['noise', 'not_audio', [noise]],
    ['noise of 20 MB', 'not_audio', [make.repeated(noise, 7)]],
    ['all ones', 'not_audio', [Buffer.alloc(1_000_000, 0xff)]],
    ['zeros', 'not_audio', [Buffer.alloc(1_000_000)]],
    ['two frames in noise', 'not_audio', [noise, frames(2), noise]],
    ['a frame header alone', 'not_audio', [frame.subarray(0, 4)]],
    ['a PNG', 'not_audio', [Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), junk(5000)]],
    ['WebM', 'unsupported', [Buffer.from('1a45dfa39f4286810142f7810142f281', 'hex'), junk(5000)]],
    ['AIFF', 'unsupported', [Buffer.from('FORM....AIFFCOMM'), junk(5000)]],
    ['RF64', 'unsupported', [Buffer.from('RF64....WAVEds64'), junk(5000)]],
    ['a tag and nothing else', 'damaged', [make.id3v2(100)]],
    ['a tag that claims more than there is', 'damaged', [make.id3v2(100).subarray(0, 60)]],
    ['mostly junk', 'damaged', [frames(50), junk(40_000)]],
    ['a download that stopped', 'damaged', [frames(50), Buffer.alloc(100_000)]],
    ['free format', 'unsupported', [make.repeated(make.mpegFrame({ kbps: 0 }), 20)]],
    ['FLAC of unknown length', 'damaged', [make.flac(44_100, 0, 5000)]],
    ['FLAC without audio', 'damaged', [make.flac(44_100, 1000, 0)]],
    ['FLAC of 18 days', 'too_long', [make.flac(44_100, 2 ** 36 - 1, 5000)]],
    ['FLAC cut off in its head', 'damaged', [make.flac(44_100, 1000, 9).subarray(0, 20)]],
    ['WAV cut off', 'damaged', [make.wav(160_000).subarray(0, 90_000)]],
    ['WAV with MP3 inside', 'unsupported', [make.wav(160_000, { coding: 0x55 })]],
    ['WAV without audio', 'damaged', [make.wav(0)]],
    ['M4A cut off', 'damaged', [make.ftyp('M4A '), track('mp4a'), mdat.subarray(0, 500)]],
    ['M4A without its head', 'damaged', [make.ftyp('M4A '), mdat]],
    ['M4A without length', 'damaged', [make.ftyp('M4A '), track('mp4a', 0), mdat]],
    ['M4A of unknown length', 'damaged', [make.ftyp('M4A '), track('mp4a', 0xffff_ffff), mdat]],
    ['protected M4A', 'unsupported', [make.ftyp('M4P '), track('drms'), mdat]],
    ['QuickTime', 'unsupported', [make.ftyp('qt  '), track('mp4a'), mdat]],
    ['MP4 of subtitles', 'not_audio', [make.ftyp('isom'), track('tx3g', 9, 'text'), mdat]],
    ['HEIC', 'not_audio', [make.ftyp('heic'), make.box('meta', junk(500))]],
    [
      'an absurd bit rate',
      'damaged',
      [make.ftyp('M4A '), track('mp4a', 45), make.box('mdat', Buffer.alloc(400_000))],
    ],
    [
      'Ogg with Theora',
      'unsupported',
      [make.oggPage({ granule: 0, begins: true }, Buffer.from('\x80theora-and-so-on', 'latin1'))],
    ],
    ['Ogg without audio', 'damaged', [make.oggPage({ granule: 0, begins: true }, make.opusHead())]],
  ])('%s: %s', async (_name, reason, parts) => {
    await expect(factsOf(...parts)).rejects.toMatchObject({ name: 'AudioError', reason });
  });

  it('a film of a million empty boxes is refused quickly', async () => {
    const boxes = make.repeated(make.box('free'), 1_000_000);
    await expect(factsOf(make.ftyp('M4A '), make.box('moov', boxes), mdat)).rejects.toMatchObject({
      reason: 'damaged',
    });
    const nested = Buffer.alloc(8 * 200_000);
    for (let depth = 0; depth < 200_000; depth += 1) {
      nested.writeUInt32BE(8 * (200_000 - depth), depth * 8);
      nested.write('trak', depth * 8 + 4);
    }
    const film = [make.ftyp('M4A '), make.box('moov', nested), mdat];
    await expect(factsOf(...film)).rejects.toMatchObject({ reason: 'not_audio' });
  });
});

/** Bytes that look random and are the same in every run (xorshift). */
function createNoise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 0x9e3779b9;
  for (let index = 0; index < length; index += 4) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes.writeInt32LE(state | 0, index);
  }
  return bytes;
}
