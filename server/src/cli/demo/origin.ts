import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { makeTone, type Quietness } from '../../domain/publishing/audio/index.ts';
import { formatRfc2822, parseMoment } from '../../lib/time.ts';

/** The demo show's original host: a feed and its files. */
export interface Origin extends AsyncDisposable {
  readonly feedUrl: string;
}

interface File {
  readonly contentType: string;
  readonly body: Buffer | string;
}

const folder = new URL('../../../demo/', import.meta.url);

/** Serves it on a free local port, with dates relative to `now`. */
export async function openOrigin(now: Date): Promise<Origin> {
  const server = createServer(async (request, response) => {
    try {
      const file = await makeFile(request.url ?? '', originOf(server), now);
      if (file === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'Content-Type': file.contentType }).end(file.body);
    } catch (error) {
      response.destroy(error as Error);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    feedUrl: `${originOf(server)}/feed.xml`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Generates audio of the length in its name and images; other files are in the repository. */
async function makeFile(path: string, origin: string, now: Date): Promise<File | undefined> {
  const [, name = '', extension] =
    /^\/(?:audio\/)?([a-z-]+(?:\d+|\.chapters)?)\.([a-z0-9]+)$/.exec(path) ?? [];
  switch (extension) {
    case 'xml':
      return { contentType: 'application/rss+xml', body: await readFeed(origin, now) };
    case 'mp3':
      return { contentType: 'audio/mpeg', body: await makeAudio(name) };
    case 'png':
      return {
        contentType: 'image/png',
        body: await sharp(await read(`${name}.svg`))
          .png()
          .toBuffer(),
      };
    case 'vtt':
      return { contentType: 'text/vtt', body: await read(`${name}.vtt`) };
    case 'json':
      return { contentType: 'application/json', body: await read(`${name}.json`) };
    default:
      return undefined;
  }
}

/** Varies like speech, so that the waveform shows something. */
const swell: Quietness = (at) => {
  const breath = Math.abs(Math.sin(at * 0.9) * Math.sin(at * 0.23 + 1));
  return Math.round(14 * (1 - breath));
};

function makeAudio(name: string): Promise<Buffer> {
  return buffer(makeTone(Number(/(?<!\d)\d+$/.exec(name)?.[0]), swell));
}

async function readFeed(origin: string, now: Date): Promise<string> {
  const template = (await read('feed.xml')).toString('utf8');
  return template.replaceAll('{{origin}}', origin).replace(/\{\{(-\d+d)\}\}/g, (_, ago: string) => {
    return formatRfc2822(parseMoment(ago, now));
  });
}

function read(name: string): Promise<Buffer> {
  return readFile(new URL(name, folder));
}
