import { existsSync, readFileSync } from 'node:fs';
import Type from 'typebox';
import { notFound, requireFound } from '../../../domain/foundation/errors.ts';
import { readSnapshot } from '../../../domain/publishing/episodes/index.ts';
import { sendBlob } from '../../files/send-blob.ts';
import { pageWords } from '../../pages/page-words.ts';
import { html } from '../../responses/html.ts';
import { createPayload, immutableCaching, type Payload } from '../../responses/payload.ts';
import { defineRoute, type Route } from '../../route.ts';
import { encodePosition } from '../events/position.ts';
import { createFrontPage } from '../pages/frame.ts';
import { signInFirst } from '../pages/page-route.ts';
import { forAnyRequester } from '../requester.ts';
import { pageResponse, seeOther } from '../response.ts';
import { findPageAtBase } from '../same-origin.ts';
import { findCookie } from '../session-cookie.ts';
import { findKeptAsset, listAssets, typeOfAsset, urlOfAsset } from './kept-assets.ts';
import { PreloadLinks, type Preloads } from './preloads.ts';

const dist = new URL('../../../../../dashboard/dist/', import.meta.url);

interface Shell {
  /** The HTML page of the app, the same at all its addresses. */
  readonly page: string;
  readonly preloads: PreloadLinks;
}

/** Undefined if `npm run dashboard` has not built the app. */
function readShell(): Shell | undefined {
  try {
    const page = readFileSync(new URL('index.html', dist), 'utf8');
    const preloads = JSON.parse(readFileSync(new URL('preloads.json', dist), 'utf8')) as Preloads;
    return { page, preloads: new PreloadLinks(preloads) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const payloads = new Map<string, Promise<Payload> | undefined>(
  listAssets().map((name) => [name, undefined]),
);

/** A file of `assets/`, read once per process; undefined if there is none of this name. */
function findAsset(name: string): Promise<Payload> | undefined {
  if (!payloads.has(name)) return undefined;
  const payload = payloads.get(name) ?? readAsset(name);
  payloads.set(name, payload);
  return payload;
}

/**
 * The build has compressed it (`dashboard/scripts/compress-assets.ts`), unless an earlier version has built
 * the app.
 */
function readAsset(name: string): Promise<Payload> {
  const isCompressed = existsSync(urlOfAsset(name, '.gz')) && existsSync(urlOfAsset(name, '.br'));
  return createPayload(typeOfAsset(name), readFileSync(urlOfAsset(name)), {
    caching: immutableCaching,
    ...(isCompressed
      ? {
          compressed: {
            gzip: readFileSync(urlOfAsset(name, '.gz')),
            br: readFileSync(urlOfAsset(name, '.br')),
          },
        }
      : { thorough: true }),
  });
}

let worker: Promise<Payload> | undefined;

/** The service worker. Its name never changes; browsers compare its content with their copy. */
function readWorker(): Promise<Payload> | undefined {
  const file = new URL('worker.js', dist);
  if (!existsSync(file)) return undefined;
  worker ??= createPayload('text/javascript; charset=utf-8', readFileSync(file), {
    caching: { cacheControl: 'no-cache', vary: 'Accept-Encoding' },
    // Allows it to control `/app`, which is above its own folder.
    extra: { 'Service-Worker-Allowed': '/app' },
    thorough: true,
  });
  return worker;
}

/** Shown if the app has not been built. */
const notBuiltPage = createFrontPage({
  words: pageWords('en'),
  title: 'The dashboard is not built',
  body: html`<p>Run <code>npm ci</code> in the folder of Podstead, and start it again.</p>`,
});

/**
 * Allows nothing inline and no other hosts but that of players, for their preview. Pictures and audio that
 * the user selects are blobs.
 */
const policyWith = (embedUrl: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // React Aria adds this style for elements that can be pressed.
    "style-src 'self' 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='",
    "worker-src 'self'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    `frame-src 'self' ${embedUrl}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

const shellHeaders = (embedUrl: string) => ({
  'Content-Security-Policy': policyWith(embedUrl),
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
});

const shell = readShell();

/**
 * The app's page, whose script shows the screen. Only its preload links depend on the address. It
 * names a position: what the app reads later has all earlier changes, so it hears of later ones.
 */
function shellRoute(path: string): Route {
  return defineRoute({
    ...forAnyRequester,
    method: 'GET',
    path,
    async handle(http, { caller, request }) {
      const url = request.raw.url ?? path;
      if (url.startsWith('/app/api/')) throw notFound('endpoint');
      const atBase = findPageAtBase(request.raw, http.ctx.installation);
      if (atBase !== undefined) return seeOther(atBase);
      if (caller.session === undefined) return signInFirst(url);
      if (shell === undefined) return pageResponse(notBuiltPage);
      const { language } = caller.ctx;
      const links = shell.preloads.for(url, language);
      const scheme = findCookie(request.headers.cookie, 'podstead-scheme');
      const position = encodePosition(http, await readSnapshot(caller.ctx));
      const head = html`<meta name="podstead-position" content="${position}">
<meta name="podstead-language" content="${language}">
${links}</head>`;
      const text = withScheme(shell.page, scheme).replace('</head>', () => String(head));
      const headers = shellHeaders(http.ctx.installation.embedUrl);
      return pageResponse({ text, headers });
    },
  });
}

/** Adds the user's color scheme, so that the first paint has its colors. */
function withScheme(page: string, scheme: string | undefined): string {
  if (scheme !== 'light' && scheme !== 'dark') return page;
  return page.replace('<html', `<html data-scheme="${scheme}"`);
}

const assetRoute = defineRoute({
  method: 'GET',
  path: '/app/assets/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  async handle(http, { params: { file }, request, reply }) {
    const payload = await findAsset(file);
    if (payload !== undefined) return { kind: 'payload', payload };
    const kept = requireFound(await findKeptAsset(http.ctx.blobs, file), 'file of the app');
    reply.header('Cache-Control', immutableCaching.cacheControl);
    await sendBlob(http, request, reply, kept);
    return { kind: 'sent' };
  },
});

const workerRoute = defineRoute({
  method: 'GET',
  path: '/app/worker.js',
  access: 'public',
  async handle() {
    return { kind: 'payload', payload: requireFound(await readWorker(), 'file of the app') };
  },
});

/** The dashboard. The router prefers other routes under `/app` to `/app/*`, in any order. */
export const dashboardRoutes: readonly Route[] = [
  shellRoute('/app'),
  shellRoute('/app/*'),
  assetRoute,
  workerRoute,
];
