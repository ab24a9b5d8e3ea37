import { threadCpuUsage } from 'node:process';
import { describe, expect, it } from 'vitest';
import { PictureUses } from './picture-uses.ts';

const nowhere = { what: 'A picture', set: async () => {} };

describe('PictureUses', () => {
  it('collects each use of one image once', () => {
    const uses = new PictureUses();
    for (const key of ['a', 'b', 'a']) uses.add('https://example.org/x.jpg', key, () => nowhere);
    uses.add(undefined, 'c', () => nowhere);
    expect([...uses].map(([url, places]) => [url, places.size])).toEqual([
      ['https://example.org/x.jpg', 2],
    ]);
  });

  it('collects 80,000 uses of one image quickly', () => {
    const uses = new PictureUses();
    const begun = threadCpuUsage();
    for (let i = 0; i < 80_000; i += 1)
      uses.add('https://example.org/x.jpg', `${i}`, () => nowhere);
    const { user, system } = threadCpuUsage(begun);
    // Copying the list for each new use would take over a minute.
    expect((user + system) / 1e6).toBeLessThan(10);
  });
});
