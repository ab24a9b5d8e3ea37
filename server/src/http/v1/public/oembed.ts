import Type, { type Static } from 'typebox';
import {
  docsUrl,
  embedUrl,
  imageUrl,
  latestEmbedUrl,
} from '../../../domain/foundation/addresses.ts';
import type { Installation } from '../../../domain/foundation/context.ts';
import { notFound, requireFound } from '../../../domain/foundation/errors.ts';
import {
  findCurrentEpisodeSlug,
  findCurrentSlug,
  getPublicEpisode,
  type ImageRef,
  type PublicEpisode,
  type PublicPodcast,
} from '../../../domain/public/catalogue/index.ts';
import { imageBoxesPx, variantSize } from '../../../domain/publishing/images/index.ts';
import { isSlug } from '../../../lib/slug.ts';
import type { HttpContext } from '../../http-context.ts';
import { HttpError } from '../../http-errors.ts';
import { exampleBaseUrl } from '../../openapi/described-fields.ts';
import { html } from '../../responses/html.ts';
import { defineRoute } from '../../route.ts';
import { OEmbed } from '../public-schemas.ts';
import { publicResponses } from '../responses.ts';

const defaultWidth = 600;
const defaultHeight = 180;

/** Any positive integer; a consumer may name more pixels than a number holds, to mean "no limit". */
const pixels = (name: string, example: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `The ${name} the player may have, in pixels`,
      examples: [example],
    }),
  );

export const oembedRoute = defineRoute({
  method: 'GET',
  path: '/v1/oembed',
  access: 'public',
  query: Type.Object({
    url: Type.String({
      description: 'URL of a listen page',
      examples: [`${exampleBaseUrl}/listen/night-signals`],
      minLength: 1,
      maxLength: 4096,
    }),
    maxwidth: pixels('width', 480),
    maxheight: pixels('height', 120),
    format: Type.Optional(
      Type.String({
        description: '`json`, which is the default; other formats get a 501',
        examples: ['json'],
      }),
    ),
  }),
  operation: {
    id: 'getOEmbed',
    tag: 'oEmbed',
    summary: 'The player for a listen page',
    description:
      'oEmbed 1.0. Listen pages link to this endpoint, so consumers can discover it. Unknown parameters are ignored.',
    responses: publicResponses('The player as an iframe.', OEmbed),
    errors: [404, 501],
  },
  async handle(http, { query }) {
    refuseOtherFormats(query.format);
    const { show, episode } = await findListenPage(http, query.url);
    return { kind: 'json', body: describe(http, show, episode, query) };
  },
});

function refuseOtherFormats(format: string | undefined): void {
  if (format === undefined || format === 'json') return;
  throw new HttpError({
    status: 501,
    code: 'not_implemented',
    message: 'oEmbed responses are available in JSON only.',
  });
}

/** A listen page, by URL; accepts old slugs, a query, and either scheme: behind a proxy people paste either. */
async function findListenPage(
  http: HttpContext,
  address: string,
): Promise<{ show: PublicPodcast; episode: PublicEpisode | undefined }> {
  const page = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = page?.username === '' && /^https?:$/.test(page.protocol);
  const found = isPlain ? await findPageAt(http, page) : undefined;
  const { podcastId, episodeSlug } = requireFound(found, 'listen page');
  const show = await http.podcasts.get(podcastId, 'oembed', 'listen page');
  // The domain has just been lost.
  if (found?.domain !== undefined && show.domain !== found.domain) throw notFound('listen page');
  if (episodeSlug === undefined) return { show, episode: undefined };
  const episode = isSlug(episodeSlug)
    ? await findCurrentEpisodeSlug(http.ctx, show.id, episodeSlug)
    : undefined;
  // As for an episode that isn't public.
  if (episode === undefined) throw notFound('episode');
  return { show, episode: await getPublicEpisode(http.ctx, show, episode) };
}

interface PageAt {
  readonly podcastId: string;
  readonly episodeSlug: string | undefined;
  /** Set for a page on a show's own domain. */
  readonly domain?: string;
}

/** On our host, or on a show's own domain. */
async function findPageAt(http: HttpContext, page: URL): Promise<PageAt | undefined> {
  const { baseUrl } = http.ctx.installation;
  if (page.host === new URL(baseUrl).host) {
    const [, slug, episodeSlug] = /^\/listen\/([^/]+)(?:\/([^/]+))?\/?$/.exec(page.pathname) ?? [];
    const current =
      slug !== undefined && isSlug(slug) ? await findCurrentSlug(http.ctx, slug) : undefined;
    return current && { podcastId: current.podcastId, episodeSlug };
  }
  const domain = page.hostname.replace(/\.$/, '');
  const podcastId = http.domains.find(domain);
  const path = /^\/(?:([^/]+)\/?)?$/.exec(page.pathname);
  if (podcastId === undefined || path === null) return undefined;
  if (page.port !== new URL(baseUrl).port) return undefined;
  return { podcastId, episodeSlug: path[1], domain };
}

interface Bounds {
  readonly maxwidth?: number;
  readonly maxheight?: number;
}

function describe(
  http: HttpContext,
  show: PublicPodcast,
  episode: PublicEpisode | undefined,
  bounds: Bounds,
): Static<typeof OEmbed> {
  const hosts = http.ctx.installation;
  const width = Math.min(defaultWidth, bounds.maxwidth ?? defaultWidth);
  const height = Math.min(defaultHeight, bounds.maxheight ?? defaultHeight);
  const title = episode?.title ?? show.title;
  const player = episode ? embedUrl(hosts, episode.id) : latestEmbedUrl(hosts, show.slug);
  const artwork = episode?.artwork ?? show.artwork;
  return {
    type: 'rich',
    version: '1.0',
    title,
    author_name: show.author,
    provider_name: 'Podstead',
    provider_url: hosts.baseUrl,
    documentation: docsUrl(hosts),
    cache_age: 3600,
    html: iframe(compact(height) ? `${player}?layout=compact` : player, title, width, height),
    width,
    height,
    ...(artwork && describeThumbnail(hosts, artwork, bounds)),
  };
}

/** The largest copy within the bounds (oEmbed 2.3.4), but not the original; nothing if none fits. */
function describeThumbnail(
  hosts: Installation,
  artwork: ImageRef,
  { maxwidth = Infinity, maxheight = Infinity }: Bounds,
) {
  for (const boxPx of imageBoxesPx.toReversed()) {
    const { width, height } = variantSize(artwork, boxPx);
    if (width <= maxwidth && height <= maxheight) {
      return {
        thumbnail_url: imageUrl(hosts, artwork, boxPx),
        thumbnail_width: width,
        thumbnail_height: height,
      };
    }
  }
  return undefined;
}

const compact = (height: number) => height <= 120;

/** Returns one iframe with a title and nothing else: WordPress lets nothing more through. */
function iframe(src: string, title: string, width: number, height: number): string {
  return html`<iframe src="${src}" title="${title}" width="${width}" height="${height}" frameborder="0" scrolling="no" loading="lazy" allow="autoplay; clipboard-write"></iframe>`
    .text;
}
