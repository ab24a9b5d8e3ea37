/** A kind of device. `web` is all of them. */
export type Platform = 'ios' | 'mac' | 'android' | 'kaios' | 'web';

/** What the links of podcast apps are made of. */
export interface FollowedShow {
  /** The feed's URL. */
  readonly feed: string;
  /** The podcast GUID. */
  readonly guid: string;
  /** Its pages that are known, by the name of the app. They are better than any other link. */
  readonly pages?: ReadonlyMap<string, string>;
}

export interface FollowLink {
  readonly name: string;
  readonly url: string;
  readonly platforms: readonly Platform[];
}

type App = readonly [name: string, platforms: string, link?: string];

/**
 * Those with the most listeners first. In links, `{feed}` is the feed's URL encoded for a query, `{bare}` the URL
 * without its scheme, `{base64}` and `{hex}` the URL in another form, and `{guid}` the podcast GUID. Apps without
 * a link are known by their pages alone.
 */
const apps: readonly App[] = [
  ['Apple Podcasts', 'ios mac', 'podcast://{bare}'],
  ['Spotify', 'web'],
  ['YouTube Music', 'web', 'https://music.youtube.com/library/podcasts?addrssfeed={base64}'],
  ['Amazon Music', 'web'],
  ['Pocket Casts', 'ios android', 'pktc://subscribe/{bare}'],
  ['Overcast', 'ios mac', 'overcast://x-callback-url/add?url={feed}'],
  ['AntennaPod', 'android', 'https://antennapod.org/deeplink/subscribe?url={feed}'],
  ['Podcast Addict', 'android', 'https://podcastaddict.com/feed/{feed}'],
  ['Castbox', 'ios android'],
  ['Castro', 'ios', 'castros://subscribe/{bare}'],
  ['iHeart', 'web'],
  ['Deezer', 'web'],
  ['Player FM', 'web', 'https://player.fm/subscribe?id={feed}'],
  ['Goodpods', 'ios android'],
  ['Podbean', 'ios android'],
  ['TrueFans', 'web', 'https://truefans.fm/{guid}'],
  ['Castamatic', 'ios mac', 'https://castamatic.com/guid/{guid}'],
  ['Metacast', 'ios android', 'https://open.metacast.app/podcasts/{guid}'],
  ['Podcast Guru', 'ios android', 'https://app.podcastguru.io/podcast/X{hex}'],
  ['Steno.fm', 'web', 'https://steno.fm/show/{guid}'],
  ['Moon FM', 'ios mac'],
  ['Sonnet', 'ios android'],
  ['Anytime', 'ios android', 'https://anytimeplayer.app/subscribe?url={feed}'],
  ['Breez', 'ios android', 'https://breez.link/p?feedURL={feed}'],
  ['gPodder', 'web', 'https://gpodder.net/subscribe?url={feed}'],
  ['podStation', 'web', 'https://podstation.github.io/subscribe-ext/?feedURL={feed}'],
  ['Podcast Republic', 'android', 'podcastrepublic://subscribe/{bare}'],
  ['Podkicker', 'android', 'podkicker://subscribe/{bare}'],
  ['Downcast', 'ios mac', 'downcast://{bare}'],
  ['iCatcher', 'ios', 'icatcher://{bare}'],
  ['RSSRadio', 'ios', 'rssradio://{bare}'],
  ['Podcat', 'ios', 'podcat://{bare}'],
  ['PodLP', 'kaios', 'https://link.podlp.app/{guid}'],
  ['Podcast Index', 'web', 'https://podcastindex.org/podcast/{guid}'],
  ['Podchaser', 'web'],
  ['Podnews', 'web', 'https://podnews.net/podcast/{guid}'],
  ['Plink', 'web'],
  ['podfollow', 'web'],
  ['pod.link', 'web', 'https://pod.link/{base64}'],
];

/**
 * The show's pages in apps that know it by its number in Apple Podcasts. The player has no use for them, and
 * does not contain them.
 */
export const listApplePages = (id: string): ReadonlyMap<string, string> =>
  new Map([
    ['Apple Podcasts', `https://podcasts.apple.com/podcast/id${id}`],
    ['Pocket Casts', `https://pca.st/itunes/${id}`],
    ['Overcast', `https://overcast.fm/itunes${id}`],
    ['Castbox', `https://castbox.fm/vic/${id}`],
    ['Castro', `https://castro.fm/itunes/${id}`],
    ['Goodpods', `https://www.goodpods.com/podcasts-aid/${id}`],
    ['Podbean', `https://www.podbean.com/itunes/${id}`],
    ['Podcast Guru', `https://app.podcastguru.io/podcast/${id}`],
    ['Moon FM', `https://moon.fm/itunes/${id}`],
    ['Sonnet', `https://sonnet.fm/p/${id}`],
    ['Podcast Republic', `https://www.podcastrepublic.net/podcast/${id}`],
    ['Podchaser', `https://podchaser.com/f/pod/${id}`],
    ['Plink', `https://plinkhq.com/i/${id}?to=page`],
    ['podfollow', `https://podfollow.com/${id}`],
    ['pod.link', `https://pod.link/${id}`],
  ]);

/** The schemes of these links. Pages and players allow no others. */
export const followSchemes: readonly string[] = apps.flatMap(
  ([, , link]) => link?.split(':', 1) ?? [],
);

/** The show in each podcast app that can be reached, those with the most listeners first. */
export function listFollowLinks({ feed, guid, pages }: FollowedShow): FollowLink[] {
  // A URL is ASCII; other signs would make btoa throw, and the player may be given anything.
  const url = feed.replace(/[^!-~]/g, '');
  const forms: Readonly<Record<string, string>> = {
    feed: encodeURIComponent(url),
    bare: url.replace(/^https?:\/\//, ''),
    base64: btoa(url).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
    hex: Array.from(url, (sign) => sign.charCodeAt(0).toString(16)).join(''),
    guid,
  };
  return apps.flatMap(([name, platforms, link]) => {
    const address = pages?.get(name) ?? link?.replace(/\{(\w+)\}/, (_, form) => forms[form] ?? '');
    if (address === undefined) return [];
    return [{ name, url: address, platforms: platforms.split(' ') as Platform[] }];
  });
}

type Device = { readonly userAgent: string; readonly maxTouchPoints: number };

/** The reader's device. An iPad says that it is a Mac. Pages have this function as text, so it needs no other. */
export function detectPlatform({ userAgent, maxTouchPoints }: Device): Platform {
  if (/android/i.test(userAgent)) return 'android';
  if (/kaios/i.test(userAgent)) return 'kaios';
  const isMac = /macintosh/i.test(userAgent);
  if (/iphone|ipad/i.test(userAgent) || (isMac && maxTouchPoints > 1)) return 'ios';
  return isMac ? 'mac' : 'web';
}
