import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as make from '../../../../test/make-audio-bytes.ts';
import { AudioError } from './audio-facts.ts';
import { makeTone } from './make-tone.ts';
import { readAudioFile } from './read-audio-file.ts';

let path: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audio-damage-'));
  path = join(folder, 'damaged.bin');
});
afterAll(() => rm(folder, { recursive: true }));

const track = make.mp4Track({ handler: 'soun', codec: 'mp4a', ticks: 441_000 });
const samples: Readonly<Record<string, () => Promise<Buffer> | Buffer>> = {
  tone: () => buffer(makeTone(2)),
  tagged: () =>
    Buffer.concat([
      make.id3v2(200, 0x41),
      make.repeated(make.mpegFrame({ kbps: 32 }), 60),
      make.apeTag(300, { header: true }),
      make.id3v1(),
    ]),
  aac: () => make.repeated(make.adtsFrame(200), 40),
  ogg: () =>
    Buffer.concat([
      make.oggPage({ granule: 0, begins: true }, make.opusHead()),
      make.oggPage({ granule: 48_000 }, Buffer.alloc(3000, 1)),
    ]),
  flac: () => make.flac(44_100, 441_000, 3000),
  wav: () => make.wav(8000),
  m4a: () =>
    Buffer.concat([
      make.ftyp('M4A '),
      make.box('moov', track, make.box('mvex', make.box('trex', make.words(0, 1, 1, 960, 0, 0)))),
      make.box(
        'moof',
        make.box('traf', make.box('tfhd', make.words(0, 1)), make.box('trun', make.words(0, 9))),
      ),
      make.box('mdat', Buffer.alloc(3000)),
    ]),
};

const edits = fc.array(
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) }),
  { maxLength: 12 },
);

describe('any damage results in valid facts or an AudioError', () => {
  it.each(Object.keys(samples))('%s', async (name) => {
    const whole = await samples[name]!();
    const damage = fc.record({ edits, keep: fc.double({ min: 0.02, max: 1, noNaN: true }) });
    await fc.assert(
      fc.asyncProperty(damage, async (how) => {
        const bytes = Buffer.from(whole.subarray(0, Math.ceil(whole.length * how.keep)));
        // Half of the damage is in the heads, which are short and decide most.
        for (const [index, { at, byte }] of how.edits.entries()) {
          bytes[Math.floor(at * (index % 2 === 0 ? Math.min(400, bytes.length) : bytes.length))] =
            byte;
        }
        await writeFile(path, bytes);
        const facts = await readAudioFile(path).catch((error: unknown) => error);
        if (facts instanceof AudioError) return;
        expect(facts).toMatchObject({ sizeBytes: bytes.length });
        const { durationMs, bitrateBps, leadingTagBytes } = facts as Record<string, number>;
        for (const figure of [durationMs, bitrateBps]) {
          expect(Number.isInteger(figure) && figure! >= 1 && figure! < 2 ** 31).toBe(true);
        }
        expect(leadingTagBytes).toBeGreaterThanOrEqual(0);
        expect(leadingTagBytes).toBeLessThan(bytes.length);
      }),
      { numRuns: 300 },
    );
  });
});
