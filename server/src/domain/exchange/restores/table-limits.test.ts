import { describe, expect, it } from 'vitest';
import { TableLimits } from './table-limits.ts';

function limitsOf(name: string, columns: readonly string[]) {
  const table = { name, columns: [...columns], rows: 0, digest: '' };
  return new TableLimits(table, new Map([['downloads', 'bigint']]));
}

// BACKUP-13
describe('TableLimits', () => {
  it.each([
    ['podcast_slugs', 200],
    ['people', 5_000],
    ['platform_episodes', 20_000],
  ])('a show has no more %s than %i', (name, most) => {
    const limits = limitsOf(name, ['title']);
    for (let row = 0; row < most; row += 1) limits.add(['x']);
    expect(() => limits.add(['x'])).toThrow('their number exceeds the limit');
  });

  it('what belongs to each episode is counted by episode', () => {
    const limits = limitsOf('episode_credits', ['episode_id']);
    for (const episode of ['one', 'two'])
      for (let row = 0; row < 200; row += 1) limits.add([episode]);
    expect(() => limits.add(['two'])).toThrow('their number exceeds the limit');
  });

  it('a transcript has only as much text as a file can have', () => {
    const limits = limitsOf('further_transcript_segments', ['episode_id', 'language', 'body']);
    const body = 'x'.repeat(10_000);
    for (const language of ['de', 'fr'])
      for (let row = 0; row < 2_000; row += 1) limits.add(['one', language, body]);
    expect(() => {
      for (let row = 0; row < 200; row += 1) limits.add(['one', 'fr', body]);
    }).toThrow('their text exceeds the limit');
  });

  it('figures can be added up', () => {
    const limits = limitsOf('episode_download_totals', ['episode_id', 'downloads']);
    limits.add(['one', '90000000000000']);
    limits.add(['two', null]);
    expect(() => limits.add(['three', '90000000000000'])).toThrow('the sum of downloads');
  });
});
