import { describe, expect, it } from 'vitest';
import { directoryNames } from '../domain/publishing/distribution/index.ts';
import { followSchemes, listApplePages, listFollowLinks } from './follow-apps.ts';

const show = {
  feed: 'https://pods.example/feeds/night-signals.xml',
  guid: '917393e3-1b1e-5cef-ace4-edaa54e1f810',
};
const bare = 'pods.example/feeds/night-signals.xml';
const encoded = 'https%3A%2F%2Fpods.example%2Ffeeds%2Fnight-signals.xml';
const base64 = 'aHR0cHM6Ly9wb2RzLmV4YW1wbGUvZmVlZHMvbmlnaHQtc2lnbmFscy54bWw';
const hex =
  '68747470733a2f2f706f64732e6578616d706c652f66656564732f6e696768742d7369676e616c732e786d6c';

const linksOf = (given: Parameters<typeof listFollowLinks>[0]) =>
  new Map(listFollowLinks(given).map(({ name, url }) => [name, url]));

/** What each app gets without and with the show's number in Apple Podcasts; null: the app is not offered. */
const rows: readonly (readonly [app: string, without: string | null, withApple: string])[] = [
  ['Apple Podcasts', `podcast://${bare}`, 'https://podcasts.apple.com/podcast/id42'],
  ...same('YouTube Music', `https://music.youtube.com/library/podcasts?addrssfeed=${base64}`),
  ['Pocket Casts', `pktc://subscribe/${bare}`, 'https://pca.st/itunes/42'],
  ['Overcast', `overcast://x-callback-url/add?url=${encoded}`, 'https://overcast.fm/itunes42'],
  ...same('AntennaPod', `https://antennapod.org/deeplink/subscribe?url=${encoded}`),
  ...same('Podcast Addict', `https://podcastaddict.com/feed/${encoded}`),
  ['Castbox', null, 'https://castbox.fm/vic/42'],
  ['Castro', `castros://subscribe/${bare}`, 'https://castro.fm/itunes/42'],
  ...same('Player FM', `https://player.fm/subscribe?id=${encoded}`),
  ['Goodpods', null, 'https://www.goodpods.com/podcasts-aid/42'],
  ['Podbean', null, 'https://www.podbean.com/itunes/42'],
  ...same('TrueFans', `https://truefans.fm/${show.guid}`),
  ...same('Castamatic', `https://castamatic.com/guid/${show.guid}`),
  ...same('Metacast', `https://open.metacast.app/podcasts/${show.guid}`),
  [
    ...(['Podcast Guru', `https://app.podcastguru.io/podcast/X${hex}`] as const),
    'https://app.podcastguru.io/podcast/42',
  ],
  ...same('Steno.fm', `https://steno.fm/show/${show.guid}`),
  ['Moon FM', null, 'https://moon.fm/itunes/42'],
  ['Sonnet', null, 'https://sonnet.fm/p/42'],
  ...same('Anytime', `https://anytimeplayer.app/subscribe?url=${encoded}`),
  ...same('Breez', `https://breez.link/p?feedURL=${encoded}`),
  ...same('gPodder', `https://gpodder.net/subscribe?url=${encoded}`),
  ...same('podStation', `https://podstation.github.io/subscribe-ext/?feedURL=${encoded}`),
  [
    ...(['Podcast Republic', `podcastrepublic://subscribe/${bare}`] as const),
    'https://www.podcastrepublic.net/podcast/42',
  ],
  ...same('Podkicker', `podkicker://subscribe/${bare}`),
  ...same('Downcast', `downcast://${bare}`),
  ...same('iCatcher', `icatcher://${bare}`),
  ...same('RSSRadio', `rssradio://${bare}`),
  ...same('Podcat', `podcat://${bare}`),
  ...same('PodLP', `https://link.podlp.app/${show.guid}`),
  ...same('Podcast Index', `https://podcastindex.org/podcast/${show.guid}`),
  ['Podchaser', null, 'https://podchaser.com/f/pod/42'],
  ...same('Podnews', `https://podnews.net/podcast/${show.guid}`),
  ['Plink', null, 'https://plinkhq.com/i/42?to=page'],
  ['podfollow', null, 'https://podfollow.com/42'],
  ['pod.link', `https://pod.link/${base64}`, 'https://pod.link/42'],
];

function same(name: string, url: string) {
  return [[name, url, url]] as const;
}

// PAGE-13
describe('links to podcast apps', () => {
  it.each(rows)('%s gets its link', (name, without, withApple) => {
    expect(linksOf(show).get(name) ?? null).toBe(without);
    expect(linksOf({ ...show, pages: listApplePages('42') }).get(name)).toBe(withApple);
  });

  it('the number in Apple Podcasts reaches at least twelve apps, and nothing else is offered', () => {
    const [without, withApple] = [linksOf(show), linksOf({ ...show, pages: listApplePages('42') })];
    expect([...withApple.keys()]).toEqual(rows.map(([name]) => name));
    const changed = [...withApple].filter(([name, url]) => without.get(name) !== url);
    expect(changed.length).toBeGreaterThanOrEqual(12);
    expect(changed.every(([, url]) => url.includes('42'))).toBe(true);
  });

  it('the page of a show in a directory is better than any link that is made', () => {
    const all = new Map(directoryNames.map(([id, name]) => [name, `https://${id}.example/show`]));
    const links = linksOf({ ...show, pages: all });
    for (const [name, url] of all) expect(links.get(name), name).toBe(url);
  });

  it('a feed that is no URL breaks nothing', () => {
    expect(linksOf({ ...show, feed: 'https://ünï \ud800' }).get('AntennaPod')).toContain('https');
  });

  it('each link has a scheme that pages allow', () => {
    const schemes = [...linksOf(show).values()].map((url) => url.split(':', 1)[0]);
    expect(schemes.filter((scheme) => !followSchemes.includes(scheme ?? ''))).toEqual([]);
  });
});
