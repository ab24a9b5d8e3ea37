import { createKey } from '../../server/src/domain/access/keys/index.ts';
import type { Figure, Part } from '../bench.ts';
import { compareSides, describeRates, pairs } from '../downloads/rates.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { connections, secondsPerRun } from '../load.ts';
import { startServe } from '../memory/running-server.ts';
import { makeTempFolder } from '../temp-folder.ts';

const slug = 'night-signals';
/** A refusal that costs more than a served response would help a flood. */
const aim = { atLeast: 0.9 } as const;
const cached = `/v1/podcasts/${slug}`;

export const refusalsPart: Part = {
  name: 'refusals',
  about: 'requests beyond a limit against a cached response',
  async measure({ say, signal }) {
    await using folder = await makeTempFolder();
    await using other = await makeTempFolder();
    const secret = await fill(folder.path, signal);
    await fill(other.path, signal);
    // Also the first request of each minute is refused only after it.
    const settings = { PUBLIC_RATE_LIMIT: '1' };
    await using refusing = await startServe({ dataDir: folder.path, settings, signal });
    await using serving = await startServe({ dataDir: other.path, signal });
    const figures: Figure[] = [];
    for (const { name, path, key } of [
      { name: 'a cached address', path: cached, key: undefined },
      { name: 'an address that is not cached', path: `${cached}/episodes?limit=3`, key: undefined },
      { name: 'no key', path: '/v1/me/podcasts', key: 'none' },
      { name: 'a key that is out of requests', path: '/v1/me/podcasts', key: secret },
    ]) {
      say(`  ${name}`);
      const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
      const refused = { url: refusing.url + path, pids: [refusing.pid], mayRefuse: true };
      const served = { url: serving.url + cached, pids: [serving.pid] };
      const runs = await compareSides(refused, served, headers, signal);
      figures.push(...describeRates({ name, theirs: 'served', aim }, runs));
    }
    const how = `${connections} connections, ${pairs} pairs of ${secondsPerRun} s`;
    return [{ title: `Refusals: a cached response = 1 (${how})`, figures }];
  },
};

async function fill(dataDir: string, signal: AbortSignal): Promise<string> {
  await using app = await openInstallation({ dataDir });
  const size = { slug, episodes: 20, notesChars: 500, distinctNotes: 5 };
  const { ownerId: userId } = await fillShow(app, size, signal);
  const wanted = { userId, name: 'Bench', podcasts: 'all', expiresInDays: 30 } as const;
  return (await createKey(app.ctx, { ...wanted, scopes: ['podcasts:read'] })).secret;
}
