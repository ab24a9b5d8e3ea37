import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { createReadingContext } from '../../../../test/create-reading-context.ts';
import { TextReader } from './text-reader.ts';

const ctx = createReadingContext();
afterAll(() => ctx[Symbol.asyncDispose]());

describe('TextReader', () => {
  it('ends its process when it is aborted', async () => {
    const stop = new AbortController();
    const reader = new TextReader(ctx, stop.signal);
    const waiting = reader.transcript(Buffer.from('x '.repeat(1_000_000)), undefined);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await expect(reader.chapters(Buffer.from('[]'))).rejects.toThrow('stopped');
  });

  it('sends a large transcript in chunks without blocking the event loop', async () => {
    const reader = new TextReader(ctx);
    const all = Array.from({ length: 20_000 }, (_, at) => ({ start: at, body: `word ${at}` }));
    let turns = 0;
    let isDone = false;
    const read = reader.transcript(Buffer.from(JSON.stringify(all)), 'application/json');
    void read.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await setImmediate();
      turns += 1;
    }
    const { segments, wordCount } = await read;
    expect(segments).toHaveLength(20_000);
    expect(segments.at(-1)).toMatchObject({ startMs: 19_999_000, text: 'word 19999' });
    expect(wordCount).toBe(40_000);
    expect(turns).toBeGreaterThan(10);
  });

  it('names the fault of invalid transcripts and chapters', async () => {
    const reader = new TextReader(ctx);
    await expect(reader.transcript(Buffer.from(' '), undefined)).rejects.toMatchObject({
      name: 'TranscriptError',
      reason: 'empty',
    });
    await expect(reader.chapters(Buffer.from('no'))).rejects.toMatchObject({
      name: 'ChaptersError',
      reason: 'not_chapters',
    });
    const { chapters } = await reader.chapters(Buffer.from('[{"startTime":1,"title":"One"}]'));
    expect(chapters).toEqual([{ startMs: 1000, title: 'One' }]);
  });
});
