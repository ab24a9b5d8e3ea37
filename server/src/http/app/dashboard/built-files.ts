import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { createPayload, immutableCaching, type Payload } from '../../payload.ts';
import { PreloadLinks, type Preloads } from './preloads.ts';

const dist = new URL('../../../../../dashboard/dist/', import.meta.url);

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

export interface Shell {
  /** The HTML page of the app, the same at all its addresses. */
  readonly page: string;
  readonly preloads: PreloadLinks;
}

/** Undefined if `npm run dashboard` has not built the app. */
export function readShell(): Shell | undefined {
  try {
    const page = readFileSync(new URL('index.html', dist), 'utf8');
    const preloads = JSON.parse(readFileSync(new URL('preloads.json', dist), 'utf8')) as Preloads;
    return { page, preloads: new PreloadLinks(preloads) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The names of the files in `assets/`, each with the hash of its content. */
function listAssets(): readonly string[] {
  try {
    return readdirSync(new URL('assets/', dist));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const payloads = new Map<string, Promise<Payload> | undefined>(
  listAssets().map((name) => [name, undefined]),
);

/** A file of `assets/`, compressed once per process; undefined if there is none of this name. */
export function findAsset(name: string): Promise<Payload> | undefined {
  if (!payloads.has(name)) return undefined;
  const payload = payloads.get(name) ?? compress(name);
  payloads.set(name, payload);
  return payload;
}

function compress(name: string): Promise<Payload> {
  const contentType = contentTypes[extname(name)] ?? 'application/octet-stream';
  const bytes = readFileSync(new URL(`assets/${name}`, dist));
  return createPayload(contentType, bytes, { caching: immutableCaching, thorough: true });
}

let worker: Promise<Payload> | undefined;

/** The service worker. Its name never changes; browsers compare its content with their copy. */
export function readWorker(): Promise<Payload> | undefined {
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
