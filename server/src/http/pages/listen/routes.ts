import Type from 'typebox';
import { listenUrl } from '../../../domain/addresses.ts';
import {
  countEpisodes,
  type EpisodePosition,
  getPublicEpisode,
  listPublicEpisodes,
  type Show,
} from '../../../domain/catalogue/index.ts';
import { invalid } from '../../../domain/errors.ts';
import { findChapters, findPublishedTranscript } from '../../../domain/transcripts/index.ts';
import type { CursorScope } from '../../../lib/cursor.ts';
import { type Answer, defineRoute, type Route } from '../../route.ts';
import type { Web } from '../../web.ts';
import { cachedPage } from '../cached-page.ts';
import type { Page } from '../page.ts';
import { renderEpisodePage } from './episode-page.ts';
import { getEpisodeOfPage, getShowOfPage } from './find-listen-page.ts';
import { renderShowPage } from './show-page.ts';
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
  async handle(web, { params: { slug }, query: { cursor } }) {
    const show = await getShowOfPage(web, slug);
    if (show.slug !== slug) return redirectTo(web, show.slug);
    const scope = { endpoint: 'GET /listen/{slug}', resource: show.id, filters: {} };
    const after = cursor === undefined ? undefined : readCursor(web, scope, cursor);
    return cachedPage(web, show, `show page ${cursor ?? ''}`, () =>
      readShowPage(web, show, scope, after),
    );
  },
});

const episodePageRoute = defineRoute({
  method: 'GET',
  path: '/listen/:slug/:episode',
  access: 'public',
  params: episodeParams,
  async handle(web, { params: { slug, episode } }) {
    const { show, episodeSlug } = await getEpisodeOfPage(web, slug, episode);
    if (show.slug !== slug || episodeSlug !== episode) {
      return redirectTo(web, show.slug, episodeSlug);
    }
    return cachedPage(web, show, `episode page ${episodeSlug}`, () =>
      readEpisodePage(web, show, episodeSlug),
    );
  },
});

/** The same addresses with a slash at the end lead to those without. */
const slashRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/listen/:slug/',
    access: 'public',
    params: showParams,
    async handle(web, { params }) {
      return redirectTo(web, (await getShowOfPage(web, params.slug)).slug);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/listen/:slug/:episode/',
    access: 'public',
    params: episodeParams,
    async handle(web, { params }) {
      const { show, episodeSlug } = await getEpisodeOfPage(web, params.slug, params.episode);
      await getPublicEpisode(web.ctx, show, episodeSlug);
      return redirectTo(web, show.slug, episodeSlug);
    },
  }),
];

export const listenRoutes: readonly Route[] = [showPageRoute, episodePageRoute, ...slashRoutes];

async function readShowPage(
  web: Web,
  show: Show,
  scope: CursorScope,
  after: EpisodePosition | undefined,
): Promise<Page> {
  const query = { limit: episodesOnPage, after };
  const { items, next } = await listPublicEpisodes(web.ctx, show, query);
  const position = next && [next.publishedAt.toISOString(), next.id];
  return renderShowPage(createView(web.ctx.installation, show), {
    episodes: items,
    episodeCount: await countEpisodes(web.ctx, show),
    nextCursor: position && web.cursors.encode(scope, position),
    isFirst: after === undefined,
  });
}

async function readEpisodePage(web: Web, show: Show, slug: string): Promise<Page> {
  const episode = await getPublicEpisode(web.ctx, show, slug);
  const view = { ...createView(web.ctx.installation, show), episode };
  const chapters = episode.hasChapters ? await findChapters(web.ctx, episode.id) : undefined;
  const transcript =
    episode.transcriptLanguage === null
      ? undefined
      : await findPublishedTranscript(web.ctx, episode.id);
  return renderEpisodePage(view, { chapters: chapters ?? [], transcript });
}

function redirectTo(web: Web, slug: string, episodeSlug?: string): Answer {
  const location = listenUrl(web.ctx.installation, slug, episodeSlug);
  return { kind: 'redirect', status: 301, location };
}

function readCursor(web: Web, scope: CursorScope, text: string): EpisodePosition {
  const [publishedAt, id] = web.cursors.decode(scope, text) ?? [];
  if (typeof publishedAt !== 'string' || typeof id !== 'string') {
    throw invalid('cursor', 'This page of the list does not exist (any more).');
  }
  return { publishedAt: new Date(publishedAt), id };
}
