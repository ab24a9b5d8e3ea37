import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { patience } from '../../../../test/patience.ts';
import { longestTaskMs } from '../../../../test/watch-event-loop.ts';
import { deleteEpisode } from '../episodes/index.ts';
import {
  findPublishedTranscript,
  findQuote,
  findTranscriptFacts,
  measureTranscript,
  removeTranscript,
  setFurtherTranscripts,
  setTranscript,
} from './index.ts';
import { maxSegmentLength } from './transcript.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const transcriptOf = (count: number, word: string) => ({
  language: 'en',
  wordCount: count,
  durationMs: count,
  segments: Array.from({ length: count }, (_, at) => ({
    startMs: at,
    endMs: at + 1,
    speaker: '',
    text: `${word}${at}`,
  })),
});

it.each([1, 1_999, 2_000, 2_001, 5_000])('a transcript of %s cues is read whole', async (count) => {
  const podcast = await makePodcast(test.ctx);
  const { id } = await makeEpisode(test.ctx, podcast, { publishTranscript: true });
  const transcript = transcriptOf(count, 'a');
  await setTranscript(test.ctx, id, transcript);
  expect((await findPublishedTranscript(test.ctx, id))?.segments).toEqual(transcript.segments);
});

// A file of 10 MB in pieces as long as they may be, the short ones last.
it('a transcript of long cues is written and read whole, and holds nobody up', async () => {
  const podcast = await makePodcast(test.ctx);
  const { id } = await makeEpisode(test.ctx, podcast, { publishTranscript: true });
  const { segments: short } = transcriptOf(3_000, 'a');
  const segments = short.map((segment, at) =>
    at < 1_000 ? { ...segment, text: 'ä'.repeat(maxSegmentLength) } : segment,
  );
  const transcript = { ...transcriptOf(3_000, ''), segments };
  expect(await longestTaskMs(() => setTranscript(test.ctx, id, transcript), 20)).toBeLessThan(20);
  const read = async () => {
    expect((await findPublishedTranscript(test.ctx, id))?.segments).toHaveLength(3_000);
  };
  expect(await longestTaskMs(read, 20)).toBeLessThan(20);
  expect((await findPublishedTranscript(test.ctx, id))?.segments).toEqual(segments);
});

// An export that somebody has changed may bring one.
it('a transcript is read whole although its count of segments is wrong', async () => {
  const podcast = await makePodcast(test.ctx);
  const { id } = await makeEpisode(test.ctx, podcast, { publishTranscript: true });
  const transcript = transcriptOf(5_000, 'a');
  await setTranscript(test.ctx, id, transcript);
  await test.ctx.db.updateTable('transcripts').set({ segment_count: 1 }).execute();
  expect((await findPublishedTranscript(test.ctx, id))?.segments).toEqual(transcript.segments);
});

it('a transcript is only read as far as needed', async () => {
  const podcast = await makePodcast(test.ctx);
  const { id } = await makeEpisode(test.ctx, podcast, { publishTranscript: true });
  const { segments } = transcriptOf(12_000, 'a');
  await setTranscript(test.ctx, id, { ...transcriptOf(12_000, 'a') });
  const countUpTo = async (maxChars: number) => {
    const found = await findPublishedTranscript(test.ctx, id, undefined, { maxChars });
    expect(segments.slice(0, found?.segments.length)).toEqual(found?.segments);
    return found?.segments.length;
  };
  expect(await countUpTo(100)).toBe(2_000);
  const charsOfFirst = segments.slice(0, 2_000).reduce((sum, { text }) => sum + text.length, 0);
  expect(await countUpTo(charsOfFirst)).toBe(4_000);
  expect(await countUpTo(1_000_000)).toBe(12_000);
});

it('a transcript that is replaced while it is read is not mixed with the new one', async () => {
  const podcast = await makePodcast(test.ctx);
  const { id } = await makeEpisode(test.ctx, podcast, { publishTranscript: true });
  const [before, after] = [transcriptOf(12_000, 'a'), transcriptOf(12_000, 'b')];
  await setTranscript(test.ctx, id, before);
  const reading = findPublishedTranscript(test.ctx, id);
  await setTranscript(test.ctx, id, after);
  expect([before.segments, after.segments]).toContainEqual((await reading)?.segments);
  expect((await findPublishedTranscript(test.ctx, id))?.segments).toEqual(after.segments);
});

it('a transcript is measured without being read', async () => {
  const podcast = await makePodcast(test.ctx);
  const { id } = await makeEpisode(test.ctx, podcast, { publishTranscript: true });
  expect(await measureTranscript(test.ctx, id)).toBe(0);
  await setTranscript(test.ctx, id, transcriptOf(12_000, 'a'));
  await setFurtherTranscripts(test.ctx, id, [{ ...transcriptOf(10, 'b'), language: 'de' }]);
  expect(await measureTranscript(test.ctx, id)).toBeGreaterThan(12_000 * 100);
  expect(await measureTranscript(test.ctx, id, 'de')).toBe(10 * (100 + 2));
  expect(await measureTranscript(test.ctx, id, 'fr')).toBe(0);
});

// PAGE-16
it.each([1, 2, 3, 4_097])(
  'the quote of a second is what began last by then, of %i cues',
  async (count) => {
    const podcast = await makePodcast(test.ctx);
    const { id } = await makeEpisode(test.ctx, podcast, { publishTranscript: true });
    // They begin at 3 s, two at once, and each is said by somebody else.
    const segments = Array.from({ length: count }, (_, at) => {
      const startMs = 3_000 + Math.floor(at / 2) * 2_500;
      return { startMs, endMs: startMs + 2_000, speaker: `${at}`, text: `Words ${at}.` };
    });
    await setTranscript(test.ctx, id, { ...transcriptOf(count, ''), segments });
    const last = Math.ceil((segments.at(-1)?.startMs ?? 0) / 1000);
    for (const second of [0, 1, 2, 3, 4, 5, 8, last >> 1, last - 3, last - 1, last, last + 5]) {
      const begun = segments.findLast(({ startMs }) => startMs < (second + 1) * 1000);
      const expected = begun && { speaker: begun.speaker, text: begun.text };
      expect(await findQuote(test.ctx, id, second), `${second}`).toEqual(expected);
    }
  },
);

// LIM-24
it.each([
  ['long transcripts', removeTranscript],
  ['an episode with long transcripts', deleteEpisode],
])('a turn is taken to delete %s', async (_what, remove) => {
  const podcast = await makePodcast(test.ctx);
  const { id } = await makeEpisode(test.ctx, podcast);
  await setTranscript(test.ctx, id, transcriptOf(5_000, 'a'));
  const take = vi.spyOn(test.ctx.longWrites, 'take');
  const others = await test.ctx.longWrites.take({ owner: 'others' });
  const removing = remove(test.ctx, id);
  await vi.waitFor(() => expect(take).toHaveBeenCalledTimes(2), patience);
  expect(await findTranscriptFacts(test.ctx, id)).toBeDefined();
  others[Symbol.dispose]();
  await removing;
  expect(await findTranscriptFacts(test.ctx, id)).toBeUndefined();
  take.mockRestore();
});
