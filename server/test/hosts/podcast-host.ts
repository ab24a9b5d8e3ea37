import type { IncomingMessage, ServerResponse } from 'node:http';
import sharp from 'sharp';
import { makeTone } from '../../src/domain/publishing/audio/index.ts';
import { openHttpHost } from './http-host.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Another podcast host. Tests set its responses by path. */
export interface PodcastHost extends AsyncDisposable {
  readonly url: string;
  /** The requested paths, in order. */
  requested(): string[];
  purge(): void;
  serve(path: string, body: Buffer | string, contentType?: string): void;
  respond(path: string, handle: Handle): void;
  /** Makes the path a 404, like all paths that were never set. */
  remove(path: string): void;
}

export async function openPodcastHost(): Promise<PodcastHost> {
  const handles = new Map<string, Handle>();
  const server = await openHttpHost((request, response) => {
    const path = request.url ?? '';
    const handle = handles.get(path) ?? handles.get(path.split('?', 1)[0] ?? '');
    if (handle !== undefined) handle(request, response);
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<html>Not found</html>');
  });
  let purged = 0;
  return {
    url: server.url,
    requested: () => server.requests.slice(purged).map(({ path }) => path),
    purge: () => {
      purged = server.requests.length;
    },
    serve: (path, body, contentType = 'application/octet-stream') => {
      handles.set(path, (_request, response) => {
        response.writeHead(200, {
          'content-type': contentType,
          'content-length': Buffer.byteLength(body),
        });
        response.end(body);
      });
    },
    respond: (path, handle) => void handles.set(path, handle),
    remove: (path) => void handles.delete(path),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export interface TestItem {
  readonly guid?: string;
  readonly title?: string;
  readonly date?: string;
  readonly audio?: string;
  /** More elements, as XML. */
  readonly xml?: string;
}

const usual = '<language>en</language><itunes:author>Ana</itunes:author>';

/** A feed with these items, newest first. `channel` replaces the usual elements. */
export function writeTestFeed(feed: {
  readonly title?: string;
  readonly channel?: string;
  readonly usual?: string;
  readonly items: readonly TestItem[];
}): string {
  const items = feed.items.map(({ guid, title, date, audio, xml = '' }) => {
    const parts = [
      guid === undefined ? '' : `<guid isPermaLink="false">${guid}</guid>`,
      title === undefined ? '' : `<title>${title}</title>`,
      date === undefined ? '' : `<pubDate>${date}</pubDate>`,
      audio === undefined ? '' : `<enclosure url="${audio}" type="audio/mpeg" length="1000"/>`,
      xml,
    ];
    return `<item>${parts.join('')}</item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
  xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:atom="http://www.w3.org/2005/Atom"
  xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:psc="http://podlove.org/simple-chapters">
<channel><title>${feed.title ?? 'Night Signals'}</title>${feed.channel ?? ''}${feed.usual ?? usual}
${items.join('\n')}
</channel></rss>`;
}

/**
 * Serves a show with one episode at /feed.xml, whose audio at /1.mp3 begins and never ends. Resolves when
 * that is requested.
 */
export function serveStalledShow(host: PodcastHost): Promise<void> {
  const asked = Promise.withResolvers<void>();
  const audio = `${host.url}/1.mp3`;
  host.serve('/feed.xml', writeTestFeed({ items: [{ guid: '1', title: 'One', audio }] }));
  host.respond('/1.mp3', (_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': 1_000_000 });
    response.write(Buffer.alloc(1_000), () => asked.resolve());
  });
  return asked.promise;
}

/** A real MP3. */
export async function toneBytes(seconds: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of makeTone(seconds)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A real picture; each color gives another file. */
export function pictureBytes(background: string, side = 1400): Promise<Buffer> {
  return sharp({ create: { width: side, height: side, channels: 3, background } })
    .png()
    .toBuffer();
}
