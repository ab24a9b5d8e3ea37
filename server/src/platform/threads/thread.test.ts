import { describe, expect, it } from 'vitest';
import { Thread } from './thread.ts';

const script = new URL('../../../test/programs/answering-thread.ts', import.meta.url);
const roomy = { heapMb: 64, cpuMs: 120_000, answerWithinMs: 600_000 };

describe('a thread', () => {
  it('returns each answer to its own question', async () => {
    await using thread = new Thread(script, roomy);
    const answers = [1, 2, 3].map((number) => thread.ask('double', number));
    expect(await Promise.all(answers)).toEqual([2, 4, 6]);
    const refused = thread.ask('refuse', 'because');
    await expect(refused).rejects.toMatchObject({ message: 'no', reason: 'because' });
    expect(await thread.ask('double', 4)).toBe(8);
  });

  it('is ended if an answer takes too much processor time', async () => {
    await using thread = new Thread(script, { ...roomy, cpuMs: 100 });
    await expect(thread.ask('loop', undefined)).rejects.toMatchObject({ reason: 'time' });
    await expect(thread.ask('double', 1)).rejects.toMatchObject({ reason: 'time' });
  });

  it('is not ended because other threads use the processor', async () => {
    await using thread = new Thread(script, { ...roomy, cpuMs: 200 });
    expect(await thread.ask('wait', 1_000)).toBe('waited');
    expect(await thread.ask('wait', 1_000)).toBe('waited');
  });

  it('is ended if an answer never comes', async () => {
    await using thread = new Thread(script, { ...roomy, answerWithinMs: 100 });
    await expect(thread.ask('wait', 60_000)).rejects.toMatchObject({ reason: 'time' });
  });

  it('is ended if it exceeds its memory limit, without effect on others', async () => {
    await using thread = new Thread(script, roomy);
    await expect(thread.ask('hoard', undefined)).rejects.toMatchObject({ reason: 'memory' });
  });
});
