import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { BenchShow, ListedEpisode } from './open-show.ts';

/** A page with one player for each episode, made with one of the players that are compared. */
export interface Candidate {
  readonly name: string;
  readonly html: string;
  /** Other files of the page, by path. */
  readonly files: ReadonlyMap<string, ServedFile>;
  /** JavaScript: whether every visible player can be used. */
  readonly isReady: string;
  /** JavaScript: whether each of them shows its title. */
  readonly isWhole: string;
  /** CSS selector; the first match is pressed. */
  readonly playButton: string;
}

export interface ServedFile {
  readonly type: string;
  readonly body: Buffer;
}

const seen = (selector: string) =>
  `[...document.querySelectorAll('${selector}')].filter((e) => e.getBoundingClientRect().top < innerHeight)`;

export function createPodstead({ url, episodes }: BenchShow): Candidate {
  const players = episodes.map(
    ({ id }) =>
      `<podstead-player episode="${id}" style="display:block;min-height:180px"></podstead-player>`,
  );
  return {
    name: 'podstead',
    html: pageOf(`<script async src="${url}/player/v1.js"></script>`, players),
    files: new Map(),
    isReady: `${seen('podstead-player')}.every((e) => e.shadowRoot?.querySelector('[part~="play-button"]:enabled'))`,
    isWhole: `${seen('podstead-player')}.every((e) => e.shadowRoot?.querySelector('[part~="title"]')?.textContent)`,
    playButton: 'podstead-player [part~="play-button"]',
  };
}

/** The other players have no metadata: the page has title and picture, and they play the audio. */
export async function createPlyr(show: BenchShow): Promise<Candidate> {
  const options = {
    controls: [
      'play',
      'rewind',
      'fast-forward',
      'progress',
      'current-time',
      'mute',
      'volume',
      'settings',
    ],
    settings: ['speed'],
    seekTime: 15,
    iconUrl: '/plyr.svg',
  };
  const start = `<script type="module">for (const audio of document.querySelectorAll('audio')) new Plyr(audio, ${JSON.stringify(options)});</script>`;
  const figures = show.episodes.map((episode) =>
    figureOf(show, episode, `<audio preload="none" controls src="${episode.audioUrl}"></audio>`),
  );
  return {
    name: 'plyr',
    html: pageOf(
      '<link rel="stylesheet" href="/plyr.css"><script defer src="/plyr.min.js"></script>',
      [...figures, start],
    ),
    files: new Map([
      ['/plyr.css', await packaged('plyr/dist/plyr.css', 'text/css')],
      ['/plyr.min.js', await packaged('plyr/dist/plyr.min.js', 'text/javascript')],
      ['/plyr.svg', await packaged('plyr/dist/plyr.svg', 'image/svg+xml')],
    ]),
    isReady: `${seen('figure')}.every((e) => e.querySelector('.plyr__controls [data-plyr="play"]'))`,
    isWhole: 'true',
    playButton: '.plyr__controls [data-plyr="play"]',
  };
}

const mediaChromeParts = [
  'media-controller',
  'media-control-bar',
  'media-play-button',
  'media-seek-backward-button',
  'media-seek-forward-button',
  'media-time-range',
  'media-time-display',
  'media-mute-button',
  'media-volume-range',
  'media-playback-rate-button',
];

/** With the elements that are needed for the comparison, bundled as documented. */
export async function createMediaChrome(show: BenchShow): Promise<Candidate> {
  const [controller = '', bar = '', ...controls] = mediaChromeParts;
  const inside = controls.map((name) => `<${name}></${name}>`).join('');
  const figures = show.episodes.map((episode) =>
    figureOf(
      show,
      episode,
      `<${controller} audio><audio slot="media" preload="none" src="${episode.audioUrl}"></audio><${bar}>${inside}</${bar}></${controller}>`,
    ),
  );
  return {
    name: 'media-chrome',
    html: pageOf('<script type="module" src="/media-chrome.js"></script>', figures),
    files: new Map([['/media-chrome.js', { type: 'text/javascript', body: await bundle() }]]),
    isReady: `${seen('figure')}.every((e) => e.querySelector('media-play-button')?.shadowRoot)`,
    isWhole: 'true',
    playButton: 'media-play-button',
  };
}

async function bundle(): Promise<Buffer> {
  const { outputFiles } = await build({
    stdin: {
      contents: mediaChromeParts.map((name) => `import 'media-chrome/dist/${name}.js';`).join(''),
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
  });
  return Buffer.from(outputFiles[0]?.contents ?? []);
}

async function packaged(name: string, type: string): Promise<ServedFile> {
  const [, folder = '', path = ''] = /^([^/]+)\/(.*)$/.exec(name) ?? [];
  const root = new URL(`../../node_modules/${folder}/`, import.meta.url);
  return { type, body: await readFile(new URL(path, root)) };
}

function figureOf({ pictureUrl }: BenchShow, { title }: ListedEpisode, player: string): string {
  return `<figure><img src="${pictureUrl}" width="152" height="152" alt="" loading="lazy"><figcaption>${title}</figcaption>${player}</figure>`;
}

function pageOf(head: string, parts: readonly string[]): string {
  const text = '<p>Words of the page between one player and the next.</p>';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>A page</title>
<link rel="icon" href="data:,">${head}</head><body>${parts.join(text)}${text}</body></html>`;
}
