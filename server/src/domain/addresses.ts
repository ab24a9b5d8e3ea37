/** Every public address of ours, made in one place (decisions: "Addresses outside /v1"). */
interface Hosts {
  readonly baseUrl: string;
  readonly embedUrl: string;
}

/** Where an audio address was published: the feed, a player, a listen page. */
export const mediaMarkers = { feed: 'f', player: 'p', listenPage: 'l' } as const;
export type MediaMarker = (typeof mediaMarkers)[keyof typeof mediaMarkers];

export function feedUrl({ baseUrl }: Hosts, slug: string, page = 1): string {
  return `${baseUrl}/feeds/${slug}.xml${page === 1 ? '' : `?page=${page}`}`;
}

export function listenUrl({ baseUrl }: Hosts, podcastSlug: string, episodeSlug?: string): string {
  const show = `${baseUrl}/listen/${podcastSlug}`;
  return episodeSlug === undefined ? show : `${show}/${episodeSlug}`;
}

export function embedUrl(hosts: Hosts, episodeId: string): string {
  return `${hosts.embedUrl}/ep/${episodeId}`;
}

export function latestEmbedUrl(hosts: Hosts, podcastSlug: string): string {
  return `${hosts.embedUrl}/latest/${podcastSlug}`;
}

/** The web component; with a file name, one of its versions. */
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

export function transcriptUrl(
  { baseUrl }: Hosts,
  episodeId: string,
  format: 'vtt' | 'srt' | 'json' = 'vtt',
): string {
  return `${baseUrl}/transcripts/${episodeId}.${format}`;
}

export function chaptersUrl({ baseUrl }: Hosts, episodeId: string): string {
  return `${baseUrl}/chapters/${episodeId}.json`;
}

export function waveformUrl({ baseUrl }: Hosts, episodeId: string): string {
  return `${baseUrl}/waveforms/${episodeId}.json`;
}

/** `width` names one of the smaller copies; without it the picture as it was given. */
export function imageUrl(
  { baseUrl }: Hosts,
  image: { readonly id: string; readonly contentType: string },
  width?: number,
): string {
  if (width !== undefined) return `${baseUrl}/images/${image.id}/${width}.jpg`;
  return `${baseUrl}/images/${image.id}.${image.contentType === 'image/png' ? 'png' : 'jpg'}`;
}

export function docsUrl({ baseUrl }: Hosts, anchor?: string): string {
  return `${baseUrl}/docs${anchor === undefined ? '' : `/${anchor}`}`;
}

/** Pages of the app that letters lead to. */
const appPages = {
  signIn: '/app/sign-in',
  confirmSignUp: '/app/sign-up/confirm',
  resetPassword: '/app/reset',
  confirmEmail: '/app/email/confirm',
  invitation: '/app/invitation',
  ownershipOffer: '/app/ownership',
  keys: '/app/settings/keys',
} as const;
export type AppPage = keyof typeof appPages;

/** `token`: what a letter's link holds besides. */
export function appUrl({ baseUrl }: Hosts, page: AppPage, token?: string): string {
  return `${baseUrl}${appPages[page]}${token === undefined ? '' : `?token=${token}`}`;
}
