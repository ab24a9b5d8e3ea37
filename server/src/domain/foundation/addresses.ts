/** All public URLs of the service are built here (PAGE-1 to PAGE-12, COUNT-1 to COUNT-3). */
interface Hosts {
  readonly baseUrl: string;
  readonly embedUrl: string;
}

/** Where an audio URL is published: in the feed, a player or a listen page. */
export const mediaMarkers = { feed: 'f', player: 'p', listenPage: 'l' } as const;
export type MediaMarker = (typeof mediaMarkers)[keyof typeof mediaMarkers];

/** What decides where a show's pages and feed are. */
export interface ShowPlace {
  readonly slug: string;
  /** Its own domain, if that is verified; null: its pages are at BASE_URL. */
  readonly domain: string | null;
}

/** Where a show with its own domain is: with the scheme and port of BASE_URL. */
function ownOrigin({ baseUrl }: Pick<Hosts, 'baseUrl'>, domain: string): string {
  const { protocol, port } = new URL(baseUrl);
  return `${protocol}//${domain}${port === '' ? '' : `:${port}`}`;
}

/** `cursor`: of a page of older episodes. */
export function feedUrl(hosts: Hosts, { slug, domain }: ShowPlace, cursor?: string): string {
  const feed =
    domain === null
      ? `${hosts.baseUrl}/feeds/${slug}.xml`
      : `${ownOrigin(hosts, domain)}${ownPaths.feed}`;
  return cursor === undefined ? feed : `${feed}?cursor=${cursor}`;
}

export function listenUrl(hosts: Hosts, { slug, domain }: ShowPlace, episodeSlug?: string): string {
  if (domain !== null) return `${ownOrigin(hosts, domain)}/${episodeSlug ?? ''}`;
  const show = `${hosts.baseUrl}/listen/${slug}`;
  return episodeSlug === undefined ? show : `${show}/${episodeSlug}`;
}

/** The comments on an episode, which its page loads: at the same host. */
export function commentsUrl(hosts: Hosts, { domain }: ShowPlace, episodeId: string): string {
  const origin = domain === null ? hosts.baseUrl : ownOrigin(hosts, domain);
  return `${origin}/comments/${episodeId}`;
}

/** The list of a show's pages for search engines; `cursor`: a part of a long one. */
export function sitemapUrl(hosts: Hosts, show: ShowPlace, cursor?: string): string {
  const sitemap =
    show.domain === null
      ? `${listenUrl(hosts, show)}/sitemap.xml`
      : `${ownOrigin(hosts, show.domain)}${ownPaths.sitemap}`;
  return cursor === undefined ? sitemap : `${sitemap}?cursor=${cursor}`;
}

/** Paths on a show's own domain. No episode's page has such a path: slugs have no dots. */
export const ownPaths = { feed: '/feed.xml', sitemap: '/sitemap.xml' } as const;

/** The URL of a show's own domain, also before that is verified. */
export function ownDomainUrl(hosts: Pick<Hosts, 'baseUrl'>, domain: string): string {
  return `${ownOrigin(hosts, domain)}/`;
}

/** `token`: the secret that opens the preview. Its audio and pictures are below it. */
export function previewUrl({ baseUrl }: Pick<Hosts, 'baseUrl'>, token: string): string {
  return `${baseUrl}/preview/${token}`;
}

export function embedUrl(hosts: Hosts, episodeId: string): string {
  return `${hosts.embedUrl}/ep/${episodeId}`;
}

/** The page that writes the code of an episode's player for other sites (PAGE-28). */
export function embedCodeUrl(hosts: Hosts, episodeId: string): string {
  return `${embedUrl(hosts, episodeId)}/code`;
}

export function latestEmbedUrl(hosts: Hosts, podcastSlug: string): string {
  return `${hosts.embedUrl}/latest/${podcastSlug}`;
}

/** The script of the web component, or one version of it. */
export function playerUrl(hosts: Hosts, fileName = 'v1.js'): string {
  return `${hosts.embedUrl}/player/${fileName}`;
}

export function mediaUrl(
  { baseUrl }: Hosts,
  audio: { readonly episodeId: string; readonly fileName: string },
  marker?: MediaMarker,
): string {
  const place = marker === undefined ? '' : `${marker}/`;
  return `${baseUrl}/media/${audio.episodeId}/${place}${audio.fileName}`;
}

/** The formats of a transcript, the most useful first. */
export function transcriptFormats(
  hasTimes: boolean,
): readonly ['vtt', 'srt', 'json'] | readonly ['html'] {
  return hasTimes ? ['vtt', 'srt', 'json'] : ['html'];
}

/** `further`: the language of a transcript other than the first. */
export function transcriptUrl(
  { baseUrl }: Hosts,
  episodeId: string,
  format: 'vtt' | 'srt' | 'json' | 'html',
  further?: string,
): string {
  const language = further === undefined ? '' : `.${further}`;
  return `${baseUrl}/transcripts/${episodeId}${language}.${format}`;
}

export function chaptersUrl({ baseUrl }: Hosts, episodeId: string): string {
  return `${baseUrl}/chapters/${episodeId}.json`;
}

export function waveformUrl({ baseUrl }: Hosts, episodeId: string): string {
  return `${baseUrl}/waveforms/${episodeId}.json`;
}

/** Of the smaller copies. */
export type ImageWidth = 160 | 320 | 640;

/** `width` selects a smaller copy; without it, the original. */
export function imageUrl(
  { baseUrl }: Hosts,
  image: { readonly id: string; readonly contentType: string },
  width?: number,
): string {
  if (width !== undefined) return `${baseUrl}/images/${image.id}/${width}.jpg`;
  return `${baseUrl}/images/${image.id}.${image.contentType === 'image/png' ? 'png' : 'jpg'}`;
}

/** The picture of a show or an episode for links to it (PAGE-16). `version` changes with the picture. */
export function cardUrl({ baseUrl }: Pick<Hosts, 'baseUrl'>, id: string, version: string): string {
  return `${baseUrl}/cards/${id}.jpg?v=${version}`;
}

/** A path for the members of its podcast, who also see pictures that are not public. */
export function memberImagePath(image: { readonly id: string }, width?: ImageWidth): string {
  return `/app/api/images/${image.id}${width === undefined ? '' : `?width=${width}`}`;
}

/** A path for the members of its podcast, who also hear audio that is not public. */
export function memberAudioPath(episode: { readonly id: string }): string {
  return `/app/api/episodes/${episode.id}/audio/file`;
}

export function docsUrl({ baseUrl }: Hosts, anchor?: string): string {
  return `${baseUrl}/docs${anchor === undefined ? '' : `/${anchor}`}`;
}

/** Paths of the account pages. Emails link to some of them. */
export const appPages = {
  signIn: '/app/sign-in',
  signOut: '/app/sign-out',
  signUp: '/app/sign-up',
  confirmSignUp: '/app/sign-up/confirm',
  forgotPassword: '/app/forgot',
  resetPassword: '/app/reset',
  emailSent: '/app/email-sent',
  confirmEmail: '/app/email/confirm',
  invitation: '/app/invitation',
  ownershipOffer: '/app/ownership',
  profile: '/app/settings',
  changeEmail: '/app/settings/email',
  password: '/app/settings/password',
  sessions: '/app/settings/sessions',
  emails: '/app/settings/emails',
  keys: '/app/settings/keys',
  sites: '/app/settings/sites',
  terms: '/app/settings/terms',
  podcasts: '/app/podcasts',
  home: '/app',
  /** Where a site's plugin sends its admin to approve a connection (SITE-4). */
  connect: '/connect',
} as const;
export type AppPage = keyof typeof appPages;

/** `token`: the secret of an email's link. */
export function appUrl({ baseUrl }: Pick<Hosts, 'baseUrl'>, page: AppPage, token?: string): string {
  return `${baseUrl}${appPages[page]}${token === undefined ? '' : `?token=${token}`}`;
}
