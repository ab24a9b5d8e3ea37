import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { makeTone } from '../../server/src/domain/publishing/audio/make-tone.ts';
import { buildPlayer, listLocales, readWords } from '../scripts/build.ts';
import type { ChapterFile, Episode, Podcast } from '../src/api/wire.ts';
import { anEpisode, aPodcast, chaptersOf, transcript, waveform } from './show.ts';

export interface RecordedRequest {
  readonly path: string;
  readonly referrer: string | undefined;
  readonly range: string | undefined;
}

/**
 * A service with one show on one origin, and pages of another site on a second one. Responses have
 * the shape of the public API; the audio is real.
 */
export class Stage implements AsyncDisposable {
  readonly service: string;
  /** Origin of the other site's pages. */
  readonly pages: string;
  readonly #servers: Server[];
  readonly #files: Map<string, { type: string; body: Buffer }>;
  readonly requests: RecordedRequest[] = [];
  podcast: Podcast;
  chapters: ChapterFile;
  /** Newest first. */
  episodes: (Episode & { chapters_url: string | null })[];
  /** Statuses to respond with, by a part of the path; a negative one means no response. */
  readonly failures = new Map<string, number>();
  /** Every audio response stops there and never ends. */
  holdAfterBytes: number | undefined;
  readonly #held = new Set<ServerResponse>();
  readonly #pages = new Map<string, { html: string; headers: Record<string, string> }>();

  private constructor(servers: Server[], files: Map<string, { type: string; body: Buffer }>) {
    const origin = (server: Server, host: string) =>
      `http://${host}:${(server.address() as AddressInfo).port}`;
    this.#servers = servers;
    this.#files = files;
    this.service = origin(servers[0]!, '127.0.0.1');
    this.pages = origin(servers[1]!, 'localhost');
    this.podcast = aPodcast(this.service);
    this.chapters = chaptersOf(this.service);
    this.episodes = [3, 2, 1].map((number) => anEpisode(this.service, number));
  }

  static async open(): Promise<Stage> {
    const handlers: ((request: IncomingMessage, response: ServerResponse) => void)[] = [];
    const servers = [0, 1].map((i) =>
      createServer((request, response) => handlers[i]?.(request, response)),
    );
    files ??= makeFiles();
    for (const server of servers) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }
    const stage = new Stage(servers, await files);
    handlers.push(
      (request, response) => stage.#serve(request, response),
      (request, response) => stage.#servePage(request, response),
    );
    return stage;
  }

  get newest(): Episode & { chapters_url: string | null } {
    return this.episodes[0] as Episode & { chapters_url: string | null };
  }

  /** Adds a page to the other site; returns its address. */
  page(html: string, headers: Record<string, string> = {}, path = `/${this.#pages.size}`): string {
    this.#pages.set(path, { html, headers });
    return this.pages + path;
  }

  /** The same, on the service's own origin. */
  ownPage(html: string, path = `/own/${this.#pages.size}`): string {
    this.#pages.set(path, { html, headers: {} });
    return this.service + path;
  }

  paths(): string[] {
    return this.requests.map(({ path }) => path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  #servePage(request: IncomingMessage, response: ServerResponse): void {
    const page = this.#pages.get(request.url ?? '');
    if (!page) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...page.headers });
    response.end(page.html);
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', this.service);
    if (this.#pages.has(url.pathname)) {
      this.#servePage(request, response);
      return;
    }
    const { referer: referrer, range } = request.headers;
    this.requests.push({ path: url.pathname + url.search, referrer, range });
    response.setHeader('Access-Control-Allow-Origin', '*');
    const failure = [...this.failures].find(([part]) => url.pathname.includes(part))?.[1];
    // Negative: no response at all.
    if (failure && failure < 0) return;
    if (failure) return void response.writeHead(failure).end('{}');
    const json = this.#respond(url);
    const file = this.#files.get(url.pathname) ?? this.#files.get(url.pathname.split('/')[1] ?? '');
    if (json !== undefined) {
      response.setHeader('Content-Type', 'application/json');
      return void response.end(JSON.stringify(json));
    }
    if (!file) return void response.writeHead(404).end('{}');
    const isAudio = url.pathname.startsWith('/media/');
    if (!isAudio) return void sendRange(file, range, response);
    if (this.holdAfterBytes !== undefined) this.#held.add(response);
    sendRange(file, range, response, this.holdAfterBytes);
  }

  /** Aborts the responses that are held; later ones are complete. */
  breakOff(): void {
    this.holdAfterBytes = undefined;
    for (const response of this.#held) response.destroy();
  }

  #respond({ pathname, searchParams }: URL): unknown {
    const [, version, kind, ref, sub, which] = pathname.split('/');
    if (version === 'chapters') return this.chapters;
    if (version === 'waveforms') return waveform;
    if (version !== 'v1') return undefined;
    const find = (name = '') => {
      const data = this.episodes.find(({ id, slug }) => id === name || slug === name);
      return data && { data };
    };
    if (kind === 'episodes') return find(ref);
    if (ref !== this.podcast.slug && ref !== this.podcast.id) return undefined;
    if (!sub) return { data: this.podcast };
    if (which) return which === 'latest' ? { data: this.episodes[0] } : find(which);
    return this.#list(searchParams);
  }

  /** List items lack the fields that only the response for one episode has. */
  #list(query: URLSearchParams): unknown {
    const season = query.get('season');
    const from = Number(query.get('cursor') ?? 0);
    const to = from + Number(query.get('limit') ?? 20);
    const chosen = this.episodes.filter(
      ({ season_number }) => season === null || season_number === Number(season),
    );
    const data = chosen.slice(from, to).map((episode) => {
      const { chapters_url: _, podcast: __, ...item } = episode;
      const { waveform_url: ___, ...audio } = item.audio;
      return { ...item, audio };
    });
    return { data, pagination: { next_cursor: to < chosen.length ? String(to) : null } };
  }
}

/** Created once for a test file. */
let files: ReturnType<typeof makeFiles> | undefined;

async function makeFiles(): Promise<Map<string, { type: string; body: Buffer }>> {
  const { script, module } = await buildPlayer();
  const words = (await listLocales()).map(async (locale) => {
    const body = Buffer.from(await readWords(locale));
    const hash = createHash('sha256').update(body).digest('hex');
    const file = { type: 'application/json', body };
    return [`/player/v1.${locale}.${hash}.json`, file] as const;
  });
  return new Map([
    ...(await Promise.all(words)),
    ['media', { type: 'audio/mpeg', body: await buffer(makeTone(60)) }],
    ['transcripts', { type: 'text/vtt', body: Buffer.from(transcript) }],
    ['images', { type: 'image/svg+xml', body: makePicture() }],
    ['player', { type: 'text/javascript', body: Buffer.from(script) }],
    ['module', { type: 'text/javascript', body: Buffer.from(module) }],
  ]);
}

/** Cover art: dusk over a row of masts. */
function makePicture(): Buffer {
  const masts = [60, 110, 170, 250]
    .map((x, i) => `<path d="M${x} 320V${200 - i * 32}l6-14 6 14v120z" fill="#0b1d2a"/>`)
    .join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320">
    <linearGradient id="dusk" x2="0" y2="1"><stop stop-color="#0d2b45"/>
    <stop offset=".6" stop-color="#1f6f8b"/><stop offset="1" stop-color="#f2b872"/></linearGradient>
    <rect width="320" height="320" fill="url(#dusk)"/>
    <circle cx="236" cy="84" r="26" fill="#f6e7c8"/>${masts}</svg>`;
  return Buffer.from(svg);
}

function sendRange(
  { type, body }: { type: string; body: Buffer },
  range: string | undefined,
  response: ServerResponse,
  partBytes?: number,
): void {
  const headers = { 'Content-Type': type, 'Accept-Ranges': 'bytes' };
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (first === undefined) return void response.writeHead(200, headers).end(body);
  const end = Math.min(last ? Number(last) : body.length - 1, body.length - 1);
  const contentRange = `bytes ${first}-${end}/${body.length}`;
  response.writeHead(206, { ...headers, 'Content-Range': contentRange });
  const bytes = body.subarray(Number(first), end + 1);
  if (partBytes === undefined) return void response.end(bytes);
  response.write(bytes.subarray(0, partBytes));
}
