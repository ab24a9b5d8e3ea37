import { join } from 'node:path';
import type { App } from '../../server/src/app.ts';
import { createUser } from '../../server/src/domain/accounts/index.ts';
import { createEpisode } from '../../server/src/domain/episodes/index.ts';
import { attachTone, findAudio } from '../../server/src/domain/media/index.ts';
import { createPodcast } from '../../server/src/domain/podcasts/index.ts';
import { hasNginx, startNginx } from '../../server/test/start-nginx.ts';
import type { Figure, Part } from '../bench.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { chooseLoadTool, connections } from '../load.ts';
import { median } from '../median.ts';
import { startServe } from '../memory/running-server.ts';
import { findFreePort } from '../public/serve-process.ts';
import { makeTempFolder } from '../temp-folder.ts';

const pairs = 5;
/** 4.8 MB, as five minutes at 128 kbit/s, so that all connections get some in a run of a second. */
const toneSeconds = 1_200;
const aim = { atLeast: 0.95 } as const;
const scenarios = [
  { name: 'whole files', range: undefined },
  { name: 'ranges of 1 MB', range: 'bytes=1000000-1999999' },
  { name: 'ranges of 64 KB', range: 'bytes=1000000-1065535' },
] as const;

export const handedOverPart: Part = {
  name: 'handed-over',
  about: 'audio by X-Accel-Redirect, with its log followed, against plain nginx with the same file',
  async measure({ say, signal }) {
    if (!hasNginx) {
      say('  no nginx: there is nothing to measure');
      return [];
    }
    await using folder = await makeTempFolder();
    const dataDir = join(folder.path, 'data');
    const audio = await fill(dataDir);
    const nginxFolder = join(folder.path, 'nginx');
    const settings = {
      X_ACCEL_REDIRECT: '/stored/',
      ACCESS_LOG: join(nginxFolder, 'access.log'),
      TRUST_PROXY: '1',
    };
    await using server = await startServe({ dataDir, settings, signal });
    const plainPort = await findFreePort();
    const plain = `server { listen 127.0.0.1:${plainPort}; root ${dataDir}/blobs;
      access_log ${nginxFolder}/plain.log podstead; }`;
    const ownPort = Number(new URL(server.url).port);
    await using nginx = await startNginx(nginxFolder, ownPort, dataDir, plain);
    const urls = {
      ours: nginx.url + audio.path,
      plain: `http://127.0.0.1:${plainPort}/${audio.blobKey}`,
    };
    const tool = await chooseLoadTool();
    const figures: Figure[] = [];
    for (const { name, range } of scenarios) {
      say(`  ${name}`);
      const headers: Record<string, string> = range === undefined ? {} : { range };
      const rate = async (url: string) => {
        const { requests, seconds } = await tool.put({ url, headers }, signal);
        return requests / seconds;
      };
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let pair = 0; pair < pairs; pair += 1) {
        if (pair % 2 === 0) ours.push(await rate(urls.ours));
        theirs.push(await rate(urls.plain));
        if (pair % 2 === 1) ours.push(await rate(urls.ours));
      }
      const value = median(ours.map((one, pair) => one / (theirs[pair] ?? Number.NaN)));
      const perSecond = (rates: readonly number[]) =>
        Math.round(median(rates)).toLocaleString('en');
      const note = `${perSecond(ours)} requests per second, plain ${perSecond(theirs)}`;
      figures.push({ name, value, unit: 'ratio', aim, note });
    }
    const title = `Audio that nginx sends for Podstead: plain nginx = 1 (${tool.name}, ${connections} connections)`;
    return [{ title, figures }];
  },
};

async function fill(dataDir: string): Promise<{ path: string; blobKey: string }> {
  await using app: App = await openInstallation({ dataDir });
  const { ctx } = app;
  const password = 'correct horse battery staple';
  const owner = await createUser(ctx, { email: 'ana@example.com', password });
  const podcast = await createPodcast(ctx, { slug: 'show', title: 'Show', owner });
  const { id } = await createEpisode(ctx, {
    ...{ podcastId: podcast.id, slug: 'one', title: 'One', status: 'published' },
    publishedAt: new Date(Date.now() - 3_600_000),
  });
  await attachTone(ctx, id, toneSeconds);
  const audio = await findAudio(ctx, id);
  return { path: `/media/${id}/f/one.mp3`, blobKey: audio?.blobKey ?? '' };
}
