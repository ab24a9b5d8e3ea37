/** The screen on which a problem of the show is solved, by the rule. */
const screens = {
  feed_is_public: '/shows/$podcastId/show/end',
  feed_is_current: '/shows/$podcastId/show/end',
  has_an_episode: '/shows/$podcastId/episodes',
  artwork: '/shows/$podcastId/show/cover',
  artwork_square: '/shows/$podcastId/show/cover',
  artwork_size: '/shows/$podcastId/show/cover',
  artwork_bytes: '/shows/$podcastId/show/cover',
  title: '/shows/$podcastId/show/texts',
  description: '/shows/$podcastId/show/texts',
  description_length: '/shows/$podcastId/show/texts',
  category: '/shows/$podcastId/show/texts',
  category_known: '/shows/$podcastId/show/texts',
  language: '/shows/$podcastId/show/texts',
  author: '/shows/$podcastId/show/texts',
  owner_email: '/shows/$podcastId/show/texts',
  not_hidden: '/shows/$podcastId/show/texts',
  copyright: '/shows/$podcastId/show/texts',
} as const;

/** Undefined: it is solved on the screens of the episodes, or not in the app. */
export function screenOfFinding(rule: string) {
  return Object.hasOwn(screens, rule) ? screens[rule as keyof typeof screens] : undefined;
}
