import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../../test/make-sound.ts';
import { alignAudio, type MatchedPart } from './align-audio.ts';
import { bandCount, type Envelope, framesPerSecond } from './envelope.ts';

const frameMs = 1000 / framesPerSecond;

/** Sounds like speech: syllables of random loudness. */
function speech(seed: number, seconds: number): Uint8Array {
  const random = randomNumbers(seed);
  const levels = new Uint8Array(seconds * framesPerSecond * bandCount);
  let syllable = [0, 0, 0, 0];
  for (let at = 0; at < levels.length; at += bandCount) {
    if (random() < 0.12) syllable = syllable.map(() => 80 + random() * 100);
    for (const [band, level] of syllable.entries()) levels[at + band] = level + random() * 6;
  }
  return levels;
}

const part = (levels: Uint8Array, from: number, to?: number) =>
  levels.subarray(
    from * framesPerSecond * bandCount,
    to === undefined ? undefined : to * framesPerSecond * bandCount,
  );

const silence = (seconds: number) => new Uint8Array(seconds * framesPerSecond * bandCount);

function join(...parts: readonly Uint8Array[]): Envelope {
  const levels = Uint8Array.from(Buffer.concat(parts));
  return { frames: levels.length / bandCount, levels };
}

/** The same recording after another encoder and at another volume. */
function reencode({ frames, levels }: Envelope, louder: number, noise: number): Envelope {
  const random = randomNumbers(99);
  const changed = levels.map((level) =>
    Math.max(0, Math.min(255, level + louder + (random() - 0.5) * noise)),
  );
  return { frames, levels: changed };
}

const seconds = (parts: readonly MatchedPart[] | undefined) =>
  parts?.map(({ oldStartMs, oldEndMs, newStartMs }) =>
    [oldStartMs, oldEndMs, newStartMs].map((ms) => Math.round(ms / 100) / 10),
  );

const talk = speech(1, 120);
const intro = speech(2, 20);

describe('alignAudio', () => {
  it.each<[string, Envelope, number[][] | undefined]>([
    ['the same', join(talk), [[0, 120, 0]]],
    ['an intro', join(intro, talk), [[0, 120, 20]]],
    [
      'a cut',
      join(part(talk, 0, 50), part(talk, 58)),
      [
        [0, 50, 0],
        [58, 120, 50],
      ],
    ],
    [
      'an insertion',
      join(part(talk, 0, 50), intro, part(talk, 50)),
      [
        [0, 50, 0],
        [50, 120, 70],
      ],
    ],
    [
      'another passage in the place of one',
      join(part(talk, 0, 50), intro, part(talk, 80)),
      [
        [0, 50, 0],
        [80, 120, 70],
      ],
    ],
    [
      'a second that is bleeped out',
      join(part(talk, 0, 50), part(intro, 0, 1), part(talk, 51)),
      [[0, 120, 0]],
    ],
    ['another recording', join(speech(3, 120)), undefined],
    ['another recording with the same jingle', join(speech(3, 200), part(talk, 0, 10)), undefined],
    ['silence', join(silence(120)), undefined],
    ['nothing', join(), undefined],
  ])('%s', (_name, fresh, expected) => {
    const found = seconds(alignAudio(join(talk), reencode(fresh, 12, 6)));
    expect(found === undefined).toBe(expected === undefined);
    expect(found?.length).toBe(expected?.length);
    for (const [index, numbers] of (expected ?? []).entries()) {
      for (const [place, second] of numbers.entries()) {
        expect(Math.abs((found?.[index]?.[place] ?? -1) - second)).toBeLessThan(0.2);
      }
    }
  });

  it('alignAudio does not match a shortened loop, but everything around it', () => {
    const bar = speech(4, 2);
    const loop = (bars: number) => Array<Uint8Array>(bars).fill(bar);
    const old = join(intro, ...loop(20), talk);
    const parts = seconds(alignAudio(old, join(intro, ...loop(15), talk))) ?? [];
    expect(parts).toHaveLength(2);
    expect(parts[0]).toEqual([0, expect.closeTo(20, 0), 0]);
    const [start = 0, end, moved = 0] = parts[1] ?? [];
    expect(end).toBe(180);
    expect(moved - start).toBe(-10);
  });

  it('matches only one of two passages that changed places', () => {
    const parts = alignAudio(join(talk), join(part(talk, 40, 120), part(talk, 0, 40)));
    expect(seconds(parts)).toEqual([[40, 120, 0]]);
  });

  it('alignAudio has less confidence in parts that sound less alike', () => {
    const [same] = alignAudio(join(talk), join(talk)) ?? [];
    const [other] = alignAudio(join(talk), reencode(join(talk), 0, 30)) ?? [];
    expect(same?.confidence).toBeGreaterThan(0.95);
    expect(other?.confidence).toBeLessThan(same?.confidence ?? 0);
  });
});

describe('any edits', () => {
  const edit = fc.record({
    keep: fc.integer({ min: 7, max: 40 }),
    kind: fc.constantFrom('cut', 'insert', 'replace', 'pause'),
    length: fc.integer({ min: 3, max: 25 }),
  });

  it('any edits are found to within 50 ms, and only equal parts are matched', () => {
    fc.assert(
      fc.property(
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: -30, max: 30 }),
        fc.integer({ min: 0, max: 12 }),
        fc.nat(1000),
        (edits, louder, noise, seed) => {
          const { old, fresh, kept } = carryOut(edits, seed);
          const parts = alignAudio(old, reencode(fresh, louder, noise)) ?? [];
          expectForward(parts);
          for (const { from, to, offset } of kept) {
            const inside = parts.filter(
              ({ oldStartMs, oldEndMs }) => oldStartMs < to - 100 && oldEndMs > from + 100,
            );
            for (const found of inside) {
              expect(Math.abs(found.newStartMs - found.oldStartMs - offset)).toBeLessThan(50);
            }
            const first = Math.min(...inside.map(({ oldStartMs }) => oldStartMs));
            const last = Math.max(...inside.map(({ oldEndMs }) => oldEndMs));
            expect(first).toBeLessThan(from + 500);
            expect(last).toBeGreaterThan(to - 500);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  function expectForward(parts: readonly MatchedPart[]) {
    for (const [index, { oldStartMs, oldEndMs, newStartMs }] of parts.entries()) {
      const before = parts[index - 1];
      expect(oldEndMs).toBeGreaterThan(oldStartMs);
      if (before === undefined) continue;
      expect(oldStartMs).toBeGreaterThanOrEqual(before.oldEndMs);
      expect(newStartMs).toBeGreaterThanOrEqual(
        before.newStartMs + before.oldEndMs - before.oldStartMs,
      );
    }
  }

  interface Edit {
    readonly keep: number;
    readonly kind: string;
    readonly length: number;
  }

  /** The recordings before and after, and the kept parts of the old one, in milliseconds. */
  function carryOut(edits: readonly Edit[], seed: number) {
    const total = edits.reduce((sum, { keep, length }) => sum + keep + length + 4, 10);
    const levels = speech(seed, total);
    const pieces: Uint8Array[] = [];
    const kept: { from: number; to: number; offset: number }[] = [];
    let at = 0;
    const keep = (length: number) => {
      const start = pieces.reduce((sum, piece) => sum + piece.length, 0) / bandCount;
      const offset = start * frameMs - at * 1000;
      const last = kept.at(-1);
      if (last?.offset === offset && last.to === at * 1000) last.to += length * 1000;
      else kept.push({ from: at * 1000, to: (at + length) * 1000, offset });
      pieces.push(part(levels, at, at + length));
      at += length;
    };
    for (const [index, { keep: length, kind, length: edited }] of edits.entries()) {
      keep(length);
      if (kind === 'insert') pieces.push(speech(seed + index + 2000, edited));
      if (kind === 'pause') pieces.push(silence(edited));
      if (kind === 'replace') pieces.push(speech(seed + index + 3000, edited + 3));
      if (kind === 'cut' || kind === 'replace') at += edited;
      if (kind === 'insert' || kind === 'pause') keep(edited + 4);
    }
    keep(total - at);
    return { old: join(levels), fresh: join(...pieces), kept };
  }
});
