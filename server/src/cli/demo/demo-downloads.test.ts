import { describe, expect, it } from 'vitest';
import { type DemoEpisode, listDemoRequests } from './demo-downloads.ts';

const now = new Date('2026-03-10T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const file = {
  hash: 'ab'.repeat(32),
  sizeBytes: 720_000,
  durationMs: 180_000,
  bitrateBps: 32_000,
  leadingTagBytes: 0,
};
const episode = (episodeId: string, publishedAt: Date): DemoEpisode => ({
  podcastId: 'show',
  ...{ episodeId, publishedAt, file },
});
const episodes = [episode('new', daysAgo(2.5)), episode('old', daysAgo(200))];

describe('the downloads of the demo', () => {
  const requests = [...listDemoRequests(episodes, now)];

  it('the downloads of the demo come from the last 200 days, after the publication', () => {
    for (const { at, episodeId } of requests) {
      expect(at <= now && at >= daysAgo(201)).toBe(true);
      if (episodeId === 'new') expect(at >= daysAgo(2.5)).toBe(true);
    }
  });

  it('the downloads of the demo are most on the first days of an episode, and some on every other day', () => {
    const of = (id: string) => requests.filter(({ episodeId }) => episodeId === id).length;
    expect(of('new')).toBeGreaterThan(30);
    expect(of('old')).toBeGreaterThan(200);
    expect(of('old')).toBeLessThan(900);
  });

  it('the downloads of the demo are of two episodes at a time for some listeners', () => {
    const both = requests.filter(({ episodeId, at, address }) =>
      requests.some(
        (other) => other.episodeId !== episodeId && other.at === at && other.address === address,
      ),
    );
    const share = both.length / 2 / requests.filter(({ episodeId }) => episodeId === 'new').length;
    expect(share).toBeGreaterThan(0.1);
    expect(share).toBeLessThan(0.3);
  });

  it('the downloads of the demo vary, and are the same for the same time', () => {
    const kinds = (read: (request: (typeof requests)[number]) => unknown) =>
      new Set(requests.map(read)).size;
    expect(kinds(({ userAgent }) => userAgent)).toBeGreaterThan(8);
    expect(kinds(({ source }) => source)).toBe(3);
    expect(kinds(({ address }) => address)).toBeGreaterThan(requests.length * 0.8);
    expect([...listDemoRequests(episodes, now)]).toEqual(requests);
  });
});
