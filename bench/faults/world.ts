import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signIn } from '../../server/src/domain/access/sessions/index.ts';
import { system } from '../../server/src/domain/foundation/principal.ts';
import { loadSeedFile } from '../../server/src/domain/service/seeding/index.ts';
import { openMailHost } from '../../server/test/hosts/mail-host.ts';
import { makeSite } from '../../server/test/make-site.ts';
import { locateAudio } from '../downloads/locate-audio.ts';
import type { AudioBytes } from '../downloads/ranges.ts';
import { createBenchDatabase } from '../installation/bench-database.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { openSlowHost } from './clients/import.ts';
import { origin, secret } from './fleet.ts';

export const password = 'correct horse battery staple';
const email = 'ana@example.com';
const savedEpisodes = 4;
const uploadedEpisodes = 3;

interface MadeShow {
  readonly id: string;
  readonly slug: string;
  readonly episodeIds: readonly string[];
}

/** What clients know of an installation: one user, her shows and her site. */
export interface FaultWorld {
  readonly email: string;
  readonly cookie: string;
  /** Only listened to. */
  readonly heard: MadeShow & AudioBytes & { readonly paths: readonly string[] };
  /** Its episodes' titles are numbers; a site follows it. */
  readonly saved: MadeShow;
  readonly uploaded: MadeShow;
  readonly timed: MadeShow;
  readonly site: { readonly id: string; readonly key: string };
}

export async function makeFaultWorld(place: Place, folder: string): Promise<FaultWorld> {
  const settings = { ...place.settings, SECRET: secret, BASE_URL: origin };
  await using app = await openInstallation({ ...place, settings });
  const path = join(folder, 'seeds.json');
  await writeFile(path, JSON.stringify(seeds));
  const made = await loadSeedFile(app.ctx, app.geo, { path });
  const show = (slug: string): MadeShow => {
    const { id, episodes } = made.podcasts[slug]!;
    return { id, slug, episodeIds: Object.values(episodes).map((episode) => episode.id) };
  };
  const heard = show('heard');
  const user = Object.values(made.users)[0]!;
  const site = await makeSite(app.ctx, user, [show('saved')]);
  const ctx = app.contextFor(system);
  const client = { network: 'bench', userAgent: 'bench' };
  const { token } = await signIn(ctx, { email, password, client });
  return {
    ...{ email, cookie: `podstead_session=${token}` },
    heard: {
      ...heard,
      ...(await locateAudio(app.ctx, heard.episodeIds[0] ?? '')),
      paths: heard.episodeIds.map((id, n) => `/media/${id}/f/e${n}.mp3`),
    },
    ...{ saved: show('saved'), uploaded: show('uploaded'), timed: show('timed') },
    site: { id: site.siteId, key: site.secret },
  };
}

/**
 * A filled installation on the embedded database, or on a new one of PostgreSQL, with the hosts that its clients
 * use. `opened` removes all of it.
 */
export async function openFaultPlace(opened: AsyncDisposableStack, name: string) {
  const folder = opened.use(await makeTempFolder());
  const database = name === 'embedded' ? undefined : opened.use(await createBenchDatabase());
  const dataDir = join(folder.path, 'data');
  const place: Place = { dataDir, ...(database && { databaseUrl: database.url }) };
  const world = await makeFaultWorld(place, folder.path);
  const mail = opened.use(await openMailHost());
  const feeds = opened.use(await openSlowHost());
  return { folder, place, world, mail, feeds };
}

const episodes = (count: number, entry: object) =>
  Array.from({ length: count }, (_, n) => ({ ref: `e${n}`, slug: `e${n}`, title: '0', ...entry }));
const audio = { tone_seconds: 120 };
const show = (slug: string, of: readonly object[]) => ({
  ...{ ref: slug, owner: 'ana', slug, title: slug, description: 'A show', episodes: of },
});
const seeds = {
  users: [{ ref: 'ana', email, name: 'Ana', password }],
  podcasts: [
    show('heard', episodes(10, { status: 'published', audio })),
    show('saved', episodes(savedEpisodes, { status: 'published', audio })),
    show('uploaded', episodes(uploadedEpisodes, { status: 'published' })),
    show('timed', []),
  ],
};
