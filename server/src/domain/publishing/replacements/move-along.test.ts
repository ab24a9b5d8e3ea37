import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chapter, Segment } from '../transcripts/index.ts';
import type { MatchedPart } from './alignment/align-audio.ts';
import { moveChapters } from './move-chapters.ts';
import { SegmentMover } from './move-transcript.ts';

const matched = (oldStart: number, oldEnd: number, newStart: number): MatchedPart => ({
  oldStartMs: oldStart * 1000,
  oldEndMs: oldEnd * 1000,
  newStartMs: newStart * 1000,
  confidence: 1,
});
/** An intro of ten seconds; 100 to 160 is cut; 30 seconds are inserted at 200. */
const edits = [matched(0, 100, 10), matched(160, 200, 110), matched(200, 300, 180)];
const oldMs = 300_000;

const chapter = (start: number, title: string, end?: number): Chapter => ({
  startMs: start * 1000,
  ...(end === undefined ? {} : { endMs: end * 1000 }),
  title,
});
const said = (start: number, end: number, text = 'words'): Segment => ({
  startMs: start * 1000,
  endMs: end * 1000,
  speaker: 'Ana',
  text,
});

describe('moveChapters', () => {
  it.each<[string, Chapter[], Chapter[], Chapter[]]>([
    ['all of it', [chapter(0, 'a'), chapter(50, 'b')], [chapter(10, 'a'), chapter(60, 'b')], []],
    [
      'a chapter that was cut',
      [chapter(105, 'a'), chapter(155, 'b')],
      [chapter(110, 'b')],
      [chapter(105, 'a')],
    ],
    ['a chapter whose beginning was cut', [chapter(120, 'a')], [chapter(110, 'a')], []],
    ['a chapter with an insertion', [chapter(190, 'a', 250)], [chapter(140, 'a', 230)], []],
    ['a chapter that begins behind the insertion', [chapter(200, 'a')], [chapter(180, 'a')], []],
    [
      'an end that was cut',
      [chapter(90, 'a', 120), chapter(170, 'b')],
      [chapter(100, 'a', 110), chapter(120, 'b')],
      [],
    ],
    [
      'two at one time',
      [chapter(60, 'a'), chapter(60, 'b')],
      [chapter(70, 'a'), chapter(70, 'b')],
      [],
    ],
    ['one behind the end', [chapter(400, 'a')], [], [chapter(400, 'a')]],
    ['none', [], [], []],
  ])('%s', (_name, before, chapters, lost) => {
    expect(moveChapters(before, edits, oldMs)).toEqual({ chapters, lost });
  });

  it('keeps the pause before a chapter, if it is there', () => {
    const parts = [matched(0, 100, 0), matched(161, 300, 101.5)];
    expect(moveChapters([chapter(160, 'a')], parts, oldMs).chapters).toEqual([chapter(100.5, 'a')]);
    const close = [matched(0, 100, 0), matched(161, 300, 100.2)];
    expect(moveChapters([chapter(160, 'a')], close, oldMs).chapters).toEqual([chapter(100, 'a')]);
  });
});

describe('SegmentMover', () => {
  it.each<[string, Segment, Segment | undefined]>([
    ['moved', said(20, 24), said(30, 34)],
    ['moved back', said(170, 175), said(120, 125)],
    ['cut away', said(110, 115), undefined],
    ['cut for the lesser part', said(98, 101), said(108, 110)],
    ['cut for the greater part', said(99, 104), undefined],
    ['cut in the middle', said(90, 180), undefined],
    ['with an insertion', said(195, 203), said(145, 150)],
    ['behind the end', said(400, 401), undefined],
  ])('%s', (_name, before, after) => {
    const moved = new SegmentMover(edits).move([before]);
    expect(moved.segments).toEqual(after === undefined ? [] : [after]);
    expect(moved.lost).toEqual(after === undefined ? [before] : []);
  });

  it('counts those whose text may say more than the audio', () => {
    expect(new SegmentMover(edits).move([said(20, 24), said(98, 101)]).shortened).toBe(1);
  });
});

describe('any mapping', () => {
  const parts = fc
    .array(
      fc.record({ skip: fc.nat(20), length: fc.integer({ min: 1, max: 40 }), added: fc.nat(20) }),
      { maxLength: 9 },
    )
    .map((list) => {
      let [old, fresh] = [0, 0];
      return list.map(({ skip, length, added }) => {
        old += skip;
        fresh += added;
        const part = matched(old, old + length, fresh);
        old += length;
        fresh += length;
        return part;
      });
    });
  const times = fc
    .array(fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 60 })), { maxLength: 30 })
    .map((list) => list.sort(([one], [other]) => one - other));

  it('reports all that is lost, and keeps the rest in order and within the new audio', () => {
    fc.assert(
      fc.property(parts, times, (mapping, list) => {
        const last = mapping.at(-1);
        const newMs = last === undefined ? 0 : last.newStartMs + last.oldEndMs - last.oldStartMs;
        const before = list.map(([start, length], index) =>
          said(start, start + length, `${index}`),
        );
        const { segments, lost } = new SegmentMover(mapping).move(before);
        expect([...segments, ...lost].map(({ text }) => text).sort()).toEqual(
          before.map(({ text }) => text).sort(),
        );
        const moved = moveChapters(
          list.map(([start], index) => chapter(start, `${index}`)),
          mapping,
          oldMs,
        );
        expect(moved.chapters.length + moved.lost.length).toBe(list.length);
        const moving = new SegmentMover(mapping);
        const inTurns = before.flatMap((segment) => moving.move([segment]).segments);
        expect(inTurns).toEqual(segments);
        for (const times of [moved.chapters]) {
          const starts = times.map(({ startMs }) => startMs);
          expect(starts).toEqual([...starts].sort((one, other) => one - other));
          for (const start of starts) expect(start).toBeLessThanOrEqual(newMs);
        }
      }),
    );
  });
});
