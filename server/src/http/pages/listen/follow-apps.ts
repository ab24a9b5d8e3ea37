/** Podcast apps, and the URL with which each accepts a feed. */
export const followApps: readonly (readonly [name: string, address: (feed: string) => string])[] = [
  ['Apple Podcasts', (feed) => feed.replace(/^https?:/, 'podcast:')],
  ['Pocket Casts', (feed) => feed.replace(/^https?:\/\//, 'pktc://subscribe/')],
  ['Overcast', (feed) => `overcast://x-callback-url/add?url=${encodeURIComponent(feed)}`],
  [
    'AntennaPod',
    (feed) => `https://antennapod.org/deeplink/subscribe?url=${encodeURIComponent(feed)}`,
  ],
];
