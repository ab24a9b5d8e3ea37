import Type from 'typebox';
import { listenUrl } from '../../../domain/foundation/addresses.ts';
import { invalid } from '../../../domain/foundation/errors.ts';
import {
  countEpisodes,
  type EpisodePosition,
  findNewestToHear,
  getPublicEpisode,
  listPublicEpisodes,
  type PublicPodcast,
} from '../../../domain/public/catalogue/index.ts';
import { findChapters } from '../../../domain/publishing/transcripts/index.ts';
import type { CursorScope } from '../../../lib/cursor.ts';
import type { HttpContext } from '../../http-context.ts';
import type { Build } from '../../large-builds.ts';
import { byPublication } from '../../requests/positions.ts';
import { type Answer, defineRoute, type Route } from '../../route.ts';
import { clientLeaves } from '../../while-awaited.ts';
import { cachedPage } from '../cached-page.ts';
import type { Page } from '../page.ts';
import { withPodcast } from '../with-podcast.ts';
import { listenAudioUrl } from './audio.ts';
import { renderEpisodePage } from './episode-page.ts';
import { getEpisodeOfPage, getPodcastOfPage } from './find-listen-page.ts';
import { renderShowPage } from './show-page.ts';
import { findPageTranscript } from './transcript.ts';
import { createView } from './view.ts';

const episodesOnPage = 30;

const showParams = Type.Object({ slug: Type.String() });
const episodeParams = Type.Object({ slug: Type.String(), episode: Type.String() });

const showPageRoute = defineRoute({
  method: 'GET',
  path: '/listen/:slug',
  access: 'public',
  params: showParams,
  query: Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 2048 })) }),
  async handle(http, { params: { slug }, query: { cursor }, reply }) {
    const show = await getPodcastOfPage(http, slug);
    if (show.slug !== slug) return redirectTo(http, show.slug);
    const scope = { endpoint: 'GET /listen/{slug}', resource: show.id, filters: {} };
    const after = cursor === undefined ? undefined : readCursor(http, scope, cursor);
    const from = after === undefined ? '' : byPublication.write(after).join(' ');
    const read = (build: Build) => readShowPage(http, build, show, scope, after);
    return cachedPage(http, show, `show page ${from}`, read, clientLeaves(reply));
  },
});

const episodePageRoute = defineRoute({
  method: 'GET',
  path: '/listen/:slug/:episode',
  access: 'public',
  params: episodeParams,
  async handle(http, { params: { slug, episode }, reply }) {
    const { show, episodeSlug } = await getEpisodeOfPage(http, slug, episode);
    if (show.slug !== slug || episodeSlug !== episode) {
      return redirectTo(http, show.slug, episodeSlug);
    }
    const key = `episode page ${episodeSlug}`;
    const read = (build: Build) => readEpisodePage(http, build, show, episodeSlug);
    return withPodcast(show, () => cachedPage(http, show, key, read, clientLeaves(reply)));
  },
});

/** The same URLs with a trailing slash redirect. */
const slashRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/listen/:slug/',
    access: 'public',
    params: showParams,
    async handle(http, { params }) {
      return redirectTo(http, (await getPodcastOfPage(http, params.slug)).slug);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/listen/:slug/:episode/',
    access: 'public',
    params: episodeParams,
    async handle(http, { params }) {
      const { show, episodeSlug } = await getEpisodeOfPage(http, params.slug, params.episode);
      await getPublicEpisode(http.ctx, show, episodeSlug);
      return redirectTo(http, show.slug, episodeSlug);
    },
  }),
];

export const listenRoutes: readonly Route[] = [showPageRoute, episodePageRoute, ...slashRoutes];

async function readShowPage(
  http: HttpContext,
  build: Build,
  show: PublicPodcast,
  scope: CursorScope,
  after: EpisodePosition | undefined,
): Promise<Page> {
  const query = { limit: episodesOnPage, after };
  const { items, next } = await listPublicEpisodes(http.ctx, show, query, (bytes) =>
    build.grow(bytes, 0),
  );
  const isFirst = after === undefined;
  const heard = items.find((episode) => listenAudioUrl(http.ctx.installation, episode));
  // Rarely needed: only if a whole page of episodes has no audio.
  const further = isFirst && !heard && next ? await findNewestToHear(http.ctx, show) : undefined;
  return renderShowPage(createView(http.ctx.installation, show), {
    episodes: items,
    newest: heard ?? further,
    episodeCount: await countEpisodes(http.ctx, show),
    nextCursor: next && http.cursors.encode(scope, byPublication.write(next)),
    isFirst,
  });
}

async function readEpisodePage(
  http: HttpContext,
  build: Build,
  show: PublicPodcast,
  slug: string,
): Promise<Page> {
  const episode = await getPublicEpisode(http.ctx, show, slug);
  const view = { ...createView(http.ctx.installation, show), episode };
  const chapters = episode.hasChapters ? await findChapters(http.ctx, episode.id) : undefined;
  const transcript =
    episode.transcriptLanguage === null
      ? undefined
      : await findPageTranscript(http.ctx, build, episode.id);
  return renderEpisodePage(view, { chapters: chapters ?? [], transcript });
}

function redirectTo(http: HttpContext, slug: string, episodeSlug?: string): Answer {
  const location = listenUrl(http.ctx.installation, slug, episodeSlug);
  return { kind: 'redirect', status: 301, location };
}

function readCursor(http: HttpContext, scope: CursorScope, text: string): EpisodePosition {
  const position = http.cursors.decode(scope, text);
  if (position === undefined) throw invalid('cursor', 'This page of the list does not exist.');
  return byPublication.read(position);
}
