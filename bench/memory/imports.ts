import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import sharp from 'sharp';
import { callHost } from '../../server/src/cli/control/call-host.ts';
import { createUser } from '../../server/src/domain/foundation/accounts/index.ts';
import { makeTone } from '../../server/src/domain/publishing/audio/index.ts';
import type { Figure, Part, Run } from '../bench.ts';
import { makeNotes } from '../installation/make-notes.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { aims, inMegabytes } from './databases.ts';
import { type RunningServer, startServe } from './running-server.ts';

const imports = 200;
const sampleEvery = 50;
const episodes = 10;
const toneSeconds = 5;
const coverPx = 1_400;
const owner = 'bench@example.com';
/** Random differences stay below this. */
const growthAim = { atMost: 15 };

export const importsPart: Part = {
  name: 'imports',
  about: `what a process takes after ${imports} imports with audio and pictures (embedded)`,
  async measure(run) {
    await using folder = await makeTempFolder();
    const place = { dataDir: folder.path };
    {
      await using app = await openInstallation(place);
      await createUser(app.ctx, { email: owner, password: 'correct horse battery', name: 'Ana' });
    }
    await using host = await openHost();
    await using server = await startServe({ ...place, signal: run.signal });
    const resident = await importAll(server, { ...place, feedUrl: host.url }, run);
    const [, at100 = 0, , at200 = 0] = resident;
    const figures: Figure[] = resident.map((value, i) => ({
      name: `resident after ${(i + 1) * sampleEvery}`,
      value,
      unit: 'MB',
    }));
    const peak = inMegabytes((await server.memory()).peak);
    figures.push(
      { name: 'growth from 100 to 200', value: at200 - at100, unit: 'MB', aim: growthAim },
      { name: 'peak', value: peak, unit: 'MB', aim: aims.embedded.loaded },
    );
    const title = `Memory over ${imports} imports of ${episodes} episodes, with audio and a cover`;
    return [{ title, figures }];
  },
};

async function importAll(
  server: RunningServer,
  { dataDir, feedUrl }: { readonly dataDir: string; readonly feedUrl: string },
  { say, signal }: Run,
): Promise<number[]> {
  const resident: number[] = [];
  const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  for (let i = 1; i <= imports; i += 1) {
    const argv = ['import', `${feedUrl}/${i}.xml`, '--owner', owner, '--slug', `show-${i}`];
    const code = await callHost(dataDir, argv, {
      stdout: nowhere(),
      stderr: nowhere(),
      cwd: dataDir,
      isTerminal: false,
      columns: 80,
      signal,
      canAsk: false,
      ask: async () => '',
      readPassword: () => Promise.reject(new Error('nobody is here')),
    });
    if (code !== 0) throw new Error(`import ${i} ended with ${code}`);
    if (i % sampleEvery !== 0) continue;
    resident.push(inMegabytes((await server.memory()).rss));
    say(`    after ${i}: ${Math.round(resident.at(-1) ?? 0)} MB`);
  }
  return resident;
}

/** Serves a different show for each N under /N.xml, with its audio and its cover. */
async function openHost(): Promise<AsyncDisposable & { readonly url: string }> {
  const tone: Buffer[] = [];
  for await (const chunk of makeTone(toneSeconds)) tone.push(chunk as Buffer);
  const audio = Buffer.concat(tone);
  const server = createServer(async ({ url = '/', headers: { host } }, response) => {
    const [, show = '', file] = /^\/(\d+)[/.](.+)$/.exec(url) ?? [];
    if (file === 'xml') {
      response.setHeader('Content-Type', 'application/rss+xml');
      response.end(writeFeed(`http://${host}/${show}`, Number(show)));
    } else if (file === 'cover.png') {
      response.setHeader('Content-Type', 'image/png');
      response.end(await paintCover(Number(show)));
    } else {
      response.setHeader('Content-Type', 'audio/mpeg');
      response.end(audio);
    }
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function writeFeed(base: string, show: number): string {
  const items = Array.from({ length: episodes }, (_, i) => {
    const notes = makeNotes(show * episodes + i, 3_000);
    return `<item><guid>${show}-${i}</guid><title>Episode ${i} of ${show}</title>
      <pubDate>${new Date(Date.UTC(2020, 0, i + 1)).toUTCString()}</pubDate>
      <description><![CDATA[${notes}]]></description>
      <enclosure url="${base}/${i}.mp3" length="80000" type="audio/mpeg"/></item>`;
  });
  return `<?xml version="1.0"?><rss version="2.0"
    xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Show ${show}</title>
    <link>https://example.com/${show}</link><description>Show ${show}</description>
    <language>en</language><itunes:image href="${base}/cover.png"/>${items.join('')}
    </channel></rss>`;
}

function paintCover(show: number): Promise<Buffer> {
  const background = { r: show % 256, g: (show * 7) % 256, b: 90 };
  return sharp({ create: { width: coverPx, height: coverPx, channels: 3, background } })
    .png()
    .toBuffer();
}
