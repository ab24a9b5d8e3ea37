import { describe, expect, it } from 'vitest';
import { Thread } from './thread.ts';

const script = new URL('../../../test/programs/answering-thread.ts', import.meta.url);
const roomy = { heapMb: 64, cpuMs: 120_000, answerWithinMs: 600_000 };

describe('a thread', () => {
  it('answers, each question with its own answer', async () => {
    await using thread = new Thread(script, roomy);
    const answers = [1, 2, 3].map((number) => thread.ask('double', number));
    expect(await Promise.all(answers)).toEqual([2, 4, 6]);
    const refused = thread.ask('refuse', 'because');
    await expect(refused).rejects.toMatchObject({ message: 'no', reason: 'because' });
    expect(await thread.ask('double', 4)).toBe(8);
  });

  it('is ended when an answer takes too much work', async () => {
    await using thread = new Thread(script, { ...roomy, cpuMs: 100 });
    await expect(thread.ask('loop', undefined)).rejects.toMatchObject({ reason: 'time' });
    await expect(thread.ask('double', 1)).rejects.toMatchObject({ reason: 'time' });
  });

  it('is not ended because others have the processor', async () => {
    await using thread = new Thread(script, { ...roomy, cpuMs: 200 });
    expect(await thread.ask('wait', 1_000)).toBe('waited');
    expect(await thread.ask('wait', 1_000)).toBe('waited');
  });

  it('is ended when an answer never comes', async () => {
    await using thread = new Thread(script, { ...roomy, answerWithinMs: 100 });
    await expect(thread.ask('wait', 60_000)).rejects.toMatchObject({ reason: 'time' });
  });

  it('is ended when it needs more memory than it may have, and nothing else is', async () => {
    await using thread = new Thread(script, roomy);
    await expect(thread.ask('hoard', undefined)).rejects.toMatchObject({ reason: 'memory' });
  });
});
