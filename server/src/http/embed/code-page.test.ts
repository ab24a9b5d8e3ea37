import { DomUtils } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { anEpisode, aShow, hosts, ReadPage } from '../../../test/example-show.ts';
import { createView } from '../pages/listen/view.ts';
import { type CodeQuery, renderCodePage } from './code-page.ts';

const show = aShow({ playerColor: '#224466' });
const episode = anEpisode();
const read = (query: CodeQuery = {}) =>
  new ReadPage(renderCodePage({ ...createView(hosts, show), episode }, query));
const fieldOf = (page: ReadPage, id: string) =>
  page.all('input').find(({ attribs }) => attribs['id'] === id)?.attribs['value'];
const problem = (page: ReadPage) =>
  DomUtils.textContent(page.all('p', { id: 'start-problem' })).trim();
const preview = (page: ReadPage) => page.all('podstead-player')[0]?.attribs;

// PAGE-28
describe('the page with the code of a player', () => {
  it('the code of a player has only the episode until something is chosen', () => {
    const page = read();
    expect(preview(page)).toEqual({ episode: episode.id });
    expect(fieldOf(page, 'player-code')).toMatch(
      new RegExp(`^<iframe src="https://play.example/ep/${episode.id}" title="First light" `),
    );
    expect(fieldOf(page, 'player-element')).toContain(
      `<podstead-player episode="${episode.id}" style`,
    );
    expect(fieldOf(page, 'color')).toBe('#224466');
  });

  it('the code of a player has what was chosen, and the preview shows it', () => {
    const chosen = { layout: 'compact', theme: 'dark', color: '#AA3300', t: ' 1:30 ' };
    const page = read(chosen);
    expect(preview(page)).toEqual({
      episode: episode.id,
      layout: 'compact',
      theme: 'dark',
      color: '#aa3300',
      start: '1:30',
    });
    expect(fieldOf(page, 'player-code')).toContain(
      '?layout=compact#t=1:30&amp;theme=dark&amp;color=aa3300"',
    );
    expect(page.all('option').filter(({ attribs }) => 'selected' in attribs)).toHaveLength(2);
  });

  it.each(['newest', 'list'])(
    'a player of %s follows the show, and starts at its beginning',
    (plays) => {
      const page = read({ plays, t: '90' });
      expect(preview(page)).toEqual({
        podcast: show.id,
        ...(plays === 'list' && { playlist: '5' }),
      });
      expect(fieldOf(page, 'player-code')).toContain(
        '<iframe src="https://play.example/latest/night-signals',
      );
      expect(fieldOf(page, 'player-code')).toContain('title="Night Signals"');
    },
  );

  it('the color of the show is not a choice', () => {
    expect(preview(read({ color: '#224466' }))).not.toHaveProperty('color');
  });

  it('a start that is no time is named, and is not in the code', () => {
    const page = read({ t: '1:99' });
    expect(preview(page)).not.toHaveProperty('start');
    expect(problem(page)).toBe('Enter a time such as 1:30.');
    expect(fieldOf(page, 'start')).toBe('1:99');
    expect(problem(read({ t: '1:30' }))).toBe('');
  });

  it.each([
    { layout: ['compact', 'full'], theme: {}, color: 5, t: null, plays: [] },
    { layout: '"><script>', theme: '<', color: '#12345"', t: '"onload=', plays: '__proto__' },
    { t: '1'.repeat(100_000), color: '#'.repeat(100_000) },
  ])('what is not offered counts as not chosen: %#', (query) => {
    expect(preview(read(query))).toEqual({ episode: episode.id });
    for (const name of ['script', 'input', 'option', 'a']) {
      expect(read(query).all(name).length, name).toBe(read().all(name).length);
    }
  });
});
