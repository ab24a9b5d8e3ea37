import { join } from 'node:path';
import { hasNginx, startNginx } from '../../server/test/start-nginx.ts';
import type { Figure, Part } from '../bench.ts';
import { Child } from '../child.ts';
import { inTurns } from '../in-turns.ts';
import { chooseLoadTool, connections, type LoadTool } from '../load.ts';
import { storeAudio } from '../make-audio.ts';
import { median } from '../median.ts';
import { startServe } from '../memory/running-server.ts';
import { findFreePort } from '../public/serve-process.ts';
import { makeTempFolder } from '../temp-folder.ts';
import type { BareResponse, BareServer } from './bare-server.ts';

const pairs = 5;
/** 4.8 MB, as five minutes at 128 kbit/s, so that all connections get some in a run of a second. */
const toneSeconds = 1_200;
const aim = { atLeast: 0.95 } as const;
const small = { name: 'ranges of 64 KB', headers: { range: 'bytes=1000000-1065535' } };
const scenarios = [
  { name: 'whole files', headers: {} },
  { name: 'ranges of 1 MB', headers: { range: 'bytes=1000000-1999999' } },
  small,
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
    const { path, blobKey } = await storeAudio({ dataDir }, toneSeconds);
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
    const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port);
    await using nginx = await startNginx(nginxFolder, portOf(server), dataDir, {
      otherServers: plain,
    });
    const plainUrl = `http://127.0.0.1:${plainPort}/${blobKey}`;
    const tool = await chooseLoadTool();
    const compare = (url: string, { name, headers }: (typeof scenarios)[number]) => {
      say(`  ${name}`);
      return compareUrls(tool, [url, plainUrl], headers, signal);
    };
    const figures: Figure[] = [];
    for (const scenario of scenarios) {
      const { value, note } = await compare(nginx.url + path, scenario);
      figures.push({ name: scenario.name, value, unit: 'ratio', aim, note });
    }
    const script = new URL('bare-server.ts', import.meta.url);
    const response: BareResponse = { accelRedirect: `/stored/${blobKey}` };
    const { child, ready } = await Child.start<BareServer>(script, response, signal);
    await using _child = child;
    await using front = await startNginx(join(folder.path, 'bare'), portOf(ready), dataDir);
    const limit = await compare(front.url, { ...small, name: 'ranges of 64 KB, bare server' });
    const title = `Audio that nginx sends for Podstead: plain nginx = 1 (${tool.name}, ${connections} connections)`;
    const remark = `A bare server that only responds with X-Accel-Redirect: ${limit.value.toFixed(2)} (${limit.note}).`;
    return [{ title, figures, remarks: [remark] }];
  },
};

async function compareUrls(
  tool: LoadTool,
  [ours, plain]: readonly [string, string],
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ readonly value: number; readonly note: string }> {
  const rate = async (url: string) => {
    const { requests, seconds } = await tool.put({ url, headers }, signal);
    return requests / seconds;
  };
  const runs = await inTurns(
    pairs,
    () => rate(ours),
    () => rate(plain),
  );
  const perSecond = (side: 0 | 1) =>
    Math.round(median(runs.map((run) => run[side]))).toLocaleString('en');
  const note = `${perSecond(0)} requests per second, plain ${perSecond(1)}`;
  return { value: median(runs.map(([one, other]) => one / other)), note };
}
