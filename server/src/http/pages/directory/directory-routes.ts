import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { sitemapUrl } from '../../../domain/foundation/addresses.ts';
import { invalid, notFound } from '../../../domain/foundation/errors.ts';
import {
  type DirectoryPosition,
  listDirectory,
  listDirectoryCategories,
  listDirectoryPartEnds,
  listDirectorySitemaps,
} from '../../../domain/public/catalogue/index.ts';
import { appleCategories } from '../../../lib/apple-categories.ts';
import { readForAll, waiterOf } from '../../cache/cached.ts';
import type { HttpContext } from '../../http-context.ts';
import { smallestBytes } from '../../limits/large-builds.ts';
import type { Waiters } from '../../limits/waiters.ts';
import { byCreation } from '../../requests/positions.ts';
import {
  createPayload,
  type Payload,
  plainTextType,
  publicCaching,
} from '../../responses/payload.ts';
import { clientLeaves } from '../../responses/while-awaited.ts';
import { defineRoute, type Route, type RouteResponse } from '../../route.ts';
import {
  listSitemapParts,
  pagesOfPart,
  sitemapType,
  writeSitemapIndex,
} from '../listen/sitemap-route.ts';
import { pageType } from '../page.ts';
import { baseLanguageOf } from '../page-language.ts';
import { preferredLanguage } from '../preferred-language.ts';
import { wordsIn } from '../words.ts';
import { renderDirectory } from './directory-page.ts';

const showsOnPage = 48;
const mostSearchChars = 200;
const mostWords = 8;

/** Anything: without the directory, the home page ignores it. */
export interface DirectoryInput {
  readonly q?: unknown;
  readonly category?: unknown;
  readonly cursor?: unknown;
}

/** What a page of the directory depends on. */
interface ReadInput {
  readonly language: string;
  readonly search: string;
  readonly category: string | undefined;
  readonly after: DirectoryPosition | undefined;
}

const caching = { ...publicCaching, vary: `Accept-Language, ${publicCaching.vary}` };

/** Whose turns its searches take: a search reads all shows, and no show's readers should wait for many. */
const searchOwner = 'directory';

/**
 * A page of the public directory (PAGE-15). Only searches aren't cached: they count towards LIM-1. Throws 503 if
 * too many of them wait.
 */
export async function respondWithDirectory(
  http: HttpContext,
  query: DirectoryInput,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RouteResponse> {
  const input = readInput(http, query, request.headers['accept-language']);
  const { language, search, category, after } = input;
  const compute = () => createDirectory(http, input);
  if (search !== '') {
    const client = http.blockOf(request.raw);
    const owner = { podcastId: searchOwner, client, left: clientLeaves(reply) };
    const payload = await http.searches.run(owner, compute);
    return { kind: 'payload', payload };
  }
  const place = after === undefined ? '' : byCreation.write(after).join(' ');
  const key = JSON.stringify(['page', language, category, place]);
  const computeForAll = (waiters: Waiters) => readForAll(http, waiters, compute);
  const waiter = waiterOf(http, clientLeaves(reply));
  const payload = await http.directory.get(http.ctx, key, computeForAll, waiter);
  return { kind: 'payload', payload };
}

function readInput(
  { cursors }: HttpContext,
  query: DirectoryInput,
  acceptLanguage: string | undefined,
): ReadInput {
  const search = readText(query, 'q', mostSearchChars).trim();
  const category = readText(query, 'category', 100) || undefined;
  if (category !== undefined && !Object.hasOwn(appleCategories, category))
    throw invalid('category', 'This is not a category.');
  const cursor = readText(query, 'cursor', 2048);
  const position = cursor === '' ? undefined : cursors.decode(scopeOf(search, category), cursor);
  if (cursor !== '' && position === undefined)
    throw invalid('cursor', 'This page of the list does not exist.');
  const after = position && byCreation.read(position);
  return { language: baseLanguageOf(preferredLanguage(acceptLanguage)), search, category, after };
}

function readText(query: DirectoryInput, name: keyof DirectoryInput, mostChars: number): string {
  const value = query[name] ?? '';
  if (typeof value !== 'string' || value.length > mostChars)
    throw invalid(name, `This must be one text of at most ${mostChars} characters.`);
  return value;
}

const scopeOf = (q: string, category: string | undefined) => ({
  endpoint: 'GET /',
  resource: 'directory',
  filters: { q, category },
});

async function createDirectory(http: HttpContext, input: ReadInput): Promise<Payload> {
  const { ctx, cursors } = http;
  const { language, search, category, after } = input;
  const words = search.split(/[\s\p{Cc}]+/u).filter((word) => word !== '');
  const query = { limit: showsOnPage, after, category, words: words.slice(0, mostWords) };
  const { items, next } = await listDirectory(ctx, query);
  const page = renderDirectory({
    hosts: ctx.installation,
    signUp: ctx.installation.signUp,
    ...{ language, words: wordsIn(language), search, category },
    shows: items,
    categories: await listDirectoryCategories(ctx),
    isFirst: after === undefined,
    nextCursor: next && cursors.encode(scopeOf(search, category), byCreation.write(next)),
  });
  return createPayload(pageType, page.text, { extra: page.headers, caching });
}

/** Shows' sitemaps in one file. The protocol allows 50,000. */
const sitemapsOfPart = 10_000;
const sitemapScope = { endpoint: 'GET /sitemap.xml', resource: 'directory', filters: {} };

/** The sitemaps of all listed shows at BASE_URL. Those of own domains are named there. */
const directorySitemapRoute = defineRoute({
  method: 'GET',
  path: '/sitemap.xml',
  access: 'public',
  query: Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 2048 })) }),
  async handle(http, { query: { cursor }, reply }) {
    if (!http.ctx.installation.publicDirectory) throw notFound('page');
    const position = cursor === undefined ? undefined : http.cursors.decode(sitemapScope, cursor);
    if (cursor !== undefined && position === undefined)
      throw invalid('cursor', 'This part of the sitemap does not exist.');
    const after = position && byCreation.read(position);
    const key = JSON.stringify(['sitemap', ...(position ?? [])]);
    return await respondWithList(http, reply, key, async () =>
      createPayload(sitemapType, writeSitemapIndex(await listSitemaps(http, after))),
    );
  },
});

/** Whose turns the lists of all shows take. */
const listOwner = 'directory';

/**
 * A list of all shows reads entries of all their episodes, and is computed again after any change
 * of any show: somebody who edits a show all the time must not keep the database busy with it. So
 * its builds count as large, and rest in between.
 */
async function respondWithList(
  http: HttpContext,
  reply: FastifyReply,
  key: string,
  build: () => Promise<Payload>,
): Promise<RouteResponse> {
  const compute = async (waiters: Waiters) => {
    using turn = http.largeBuilds.begin(listOwner, waiters);
    await turn.grow(smallestBytes, 0);
    return await readForAll(http, waiters, build);
  };
  const waiter = waiterOf(http, clientLeaves(reply));
  const payload = await http.directory.get(http.ctx, key, compute, waiter);
  return { kind: 'payload', payload };
}

async function listSitemaps(
  http: HttpContext,
  after: DirectoryPosition | undefined,
): Promise<string[]> {
  const options = { limit: sitemapsOfPart, after, pagesOfShow: pagesOfPart };
  const urls: string[] = [];
  for (const show of await listDirectorySitemaps(http.ctx, options)) {
    // A list of sitemaps may not name another list.
    if (show.isLong) urls.push(...(await listSitemapParts(http, show)));
    else urls.push(sitemapUrl(http.ctx.installation, show));
  }
  return urls;
}

/** Public pages may be indexed; private ones not. */
const rules = `User-agent: *
Disallow: /app
Disallow: /connect
`;

const robotsRoute = defineRoute({
  method: 'GET',
  path: '/robots.txt',
  access: 'public',
  async handle(http, { reply }) {
    const { ctx, cursors } = http;
    const { publicDirectory, baseUrl } = ctx.installation;
    if (!publicDirectory) return { kind: 'text', contentType: plainTextType, text: rules };
    return await respondWithList(http, reply, 'robots', async () => {
      const ends = await listDirectoryPartEnds(ctx, sitemapsOfPart);
      const parts = ends.map((end) => cursors.encode(sitemapScope, byCreation.write(end)));
      const sitemap = `${baseUrl}/sitemap.xml`;
      const urls = [sitemap, ...parts.map((part) => `${sitemap}?cursor=${part}`)];
      return createPayload(plainTextType, rules + urls.map((url) => `Sitemap: ${url}\n`).join(''));
    });
  },
});

export const directoryRoutes: readonly Route[] = [directorySitemapRoute, robotsRoute];
