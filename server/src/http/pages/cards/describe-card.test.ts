import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anEpisode, aShow, hosts, picture } from '../../../../test/example-show.ts';
import { versionedCardUrl } from '../../../domain/public/cards/index.ts';
import type { PageEpisode, PublicPodcast } from '../../../domain/public/catalogue/index.ts';
import { contrast, formatColor, tryParseColor } from '../../../lib/color.ts';
import { createCardColors } from './card-colors.ts';
import { describeEpisodeCard, describeQuoteCard, describeShowCard } from './describe-card.ts';

const other = { ...picture, id: '0197a3c4-7e31-7a90-b2c4-d5e6f7a8b9c1', color: '#aa0000' };
const shows: Partial<PublicPodcast>[] = [
  ...[{ title: 'Other' }, { author: 'Other' }, { language: 'ar' }, { brandColor: '#123456' }],
  ...[{ artwork: other }, { timezone: 'Pacific/Auckland' }, { description: 'Other' }],
  ...[{ subtitle: 'Other' }, { explicit: true }, { slug: 'other' }],
];
const audio = { ...anEpisode().audio!, durationMs: 60_000 };
const episodes: Partial<PageEpisode>[] = [
  ...[{ title: 'Other' }, { artwork: other }, { audio }, { publishedAt: new Date(0) }],
  ...[{ givenNumber: 99 }, { givenNumber: null }, { episodeType: 'bonus' as const }],
  { episodeDisplay: 'Special 2' },
  ...[{ season: 3 }, { description: 'Other' }, { subtitle: 'Other' }, { explicit: true }],
];

// PAGE-17
describe('the version in the URL of a card', () => {
  const versionOf = (url: string) => url.split('?v=')[1];

  it.each(shows)('the version in the URL of a card changes with its show: %j', (change) => {
    const [before, after] = [aShow(), aShow(change)];
    const isOther =
      JSON.stringify(describeShowCard(before)) !== JSON.stringify(describeShowCard(after));
    const urls = [before, after].map((show) => versionOf(versionedCardUrl(hosts, show)));
    expect(new Set(urls).size).toBe(isOther ? 2 : 1);
  });

  it.each(shows)(
    'the version in the URL of an episode’s card changes with its show: %j',
    (change) => {
      const cards = [aShow(), aShow(change)].map((show) => ({
        card: JSON.stringify(describeEpisodeCard(show, anEpisode())),
        version: versionOf(versionedCardUrl(hosts, show, anEpisode())),
      }));
      const isOther = cards[0]?.card !== cards[1]?.card;
      expect(cards[0]?.version === cards[1]?.version).toBe(!isOther);
    },
  );

  it.each(episodes)('the version in the URL of a card changes with its episode: %j', (change) => {
    const cards = [anEpisode(), anEpisode(change)].map((episode) => ({
      card: JSON.stringify(describeEpisodeCard(aShow(), episode)),
      version: versionOf(versionedCardUrl(hosts, aShow(), episode)),
    }));
    const isOther = cards[0]?.card !== cards[1]?.card;
    expect(cards[0]?.version === cards[1]?.version).toBe(!isOther);
  });
});

describe('what a card says', () => {
  it('the card of an episode has its show, number, date and duration', () => {
    expect(describeEpisodeCard(aShow(), anEpisode())).toMatchObject({
      lead: 'Night Signals',
      main: 'First light',
      byline: '',
      facts: 'Episode 7 · March 1, 2026 · 31 min',
    });
  });

  it('the card of an episode has the name that stands for its number', () => {
    const facts = (episodeDisplay: string) =>
      describeEpisodeCard(aShow(), anEpisode({ episodeDisplay })).facts;
    expect(facts('Special 2')).toMatch(/^Special 2 · March/);
    expect(facts('204.5')).toMatch(/^Episode 204\.5 · March/);
  });

  it('the card of a quote has its speaker, or the title of the episode', () => {
    const quote = (speaker: string) =>
      describeQuoteCard(aShow(), anEpisode(), { speaker, text: 'Bees!' });
    expect(quote('Bo')).toMatchObject({
      ...{ isQuote: true, main: 'Bees!', byline: 'Bo', facts: 'Night Signals · First light' },
    });
    expect(quote('')).toMatchObject({ byline: 'First light', facts: 'Night Signals' });
  });

  it('the card of a show that is named after its author says so once', () => {
    expect(describeShowCard(aShow({ author: 'Night Signals' })).byline).toBe('');
  });
});

it('every text of a card is legible on its ground, whatever the color of the show', () => {
  const part = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(part, part, part), (color) => {
      const { ground, ink, muted, tint } = createCardColors(formatColor(color));
      const on = (one: string, two: string) =>
        contrast(tryParseColor(one) as never, tryParseColor(two) as never);
      expect(on(ink, ground)).toBeGreaterThanOrEqual(5.9);
      expect(on(muted, ground)).toBeGreaterThanOrEqual(4.5);
      expect(on(muted, tint)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});
