import type { Plugin, Rolldown } from 'vite';

/** A screen that people open by its address, and what it shows first. */
interface Screen {
  readonly address: string;
  /** Those of them that are loaded when the screen is opened. */
  readonly modules: readonly string[];
  /** As the screen sends them; a value of the address stands for its name. */
  readonly requests: readonly string[];
}

const show = '/app/shows/:podcastId';
const myShow = '/app/api/podcasts?podcast=:podcastId';

/** A wrong request here costs time, and nothing else: `preloads.browser.test.ts` finds it. */
const screens: readonly Screen[] = [
  { address: '/app', modules: [], requests: ['/app/api/home'] },
  {
    address: `${show}/episodes`,
    modules: ['screens/episodes/episodes.tsx'],
    requests: [myShow, '/app/api/podcasts/:podcastId/episodes?limit=100'],
  },
  {
    address: `${show}/episodes/:episodeId`,
    modules: ['screens/episode/episode.tsx'],
    requests: [myShow, '/app/api/me', '/app/api/episodes/:episodeId'],
  },
  {
    address: `${show}/statistics`,
    modules: ['screens/statistics/statistics.tsx'],
    requests: [
      myShow,
      '/app/api/podcasts/:podcastId/analytics/downloads?preset=30d&interval=day&compare=previous',
    ],
  },
];

/**
 * Writes `preloads.json`, from which the server names in its page what the screen of an address needs. So
 * a browser loads everything at once, in the place of one after the other.
 */
export const writePreloads: Plugin = {
  name: 'write-preloads',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const catalogs = chunks.flatMap((chunk) => {
        const locale = /[\\/]words[\\/]([a-z]+)\.po$/.exec(chunk.facadeModuleId ?? '')?.[1];
        return locale === undefined ? [] : [[locale, addressOf(chunk.fileName)]];
      });
      const preloads = {
        screens: screens.map(({ address, modules, requests }) => ({
          address,
          scripts: [...filesOf(modules, chunks)].map(addressOf),
          requests,
        })),
        catalogs: Object.fromEntries(catalogs),
      };
      this.emitFile({
        type: 'asset',
        fileName: 'preloads.json',
        source: JSON.stringify(preloads, undefined, 2),
      });
    },
  },
};

const addressOf = (fileName: string) => `/app/${fileName}`;

/** The files of these modules with all that they import, without those that the page names anyway. */
function filesOf(modules: readonly string[], chunks: readonly Rolldown.OutputChunk[]): Set<string> {
  const files = new Set<string>();
  const collect = (fileName: string | undefined) => {
    const chunk = chunks.find((candidate) => candidate.fileName === fileName);
    if (chunk === undefined || files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const imported of chunk.imports) collect(imported);
  };
  collect(chunks.find(({ isEntry, name }) => isEntry && name === 'index')?.fileName);
  const named = [...files];
  for (const module of modules) {
    const chunk = chunks.find(({ facadeModuleId }) =>
      facadeModuleId?.replaceAll('\\', '/').endsWith(`/src/${module}`),
    );
    if (chunk === undefined) throw new Error(`${module} is no file of its own`);
    collect(chunk.fileName);
  }
  for (const fileName of named) files.delete(fileName);
  return files;
}
