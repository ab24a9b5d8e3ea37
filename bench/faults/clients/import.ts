import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeTestFeed } from '../../../server/test/hosts/podcast-host.ts';
import { id3v2, mpegFrame, repeated } from '../../../server/test/make-audio-bytes.ts';
import { password } from '../world.ts';
import { Asker, type Client, dataOf, isClear, type Surroundings } from './client.ts';

const items = 4;
const audio = Buffer.concat([id3v2(1_000), repeated(mpegFrame(), 400)]);
const chunkBytes = 40_000;
const chunkEveryMs = 40;
const endsWithinMs = 180_000;
/** Documented: who wants to can resume it. */
const stoppedTwice = 'Two processes stopped';

export interface SlowHost extends AsyncDisposable {
  readonly url: string;
}

/** A host that sends the audio of each item slowly, so that imports are killed while they read it. */
export async function openSlowHost(): Promise<SlowHost> {
  const server = createServer((request, response) => void respond(request, response)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const respond = async ({ url: path = '' }: IncomingMessage, response: ServerResponse) => {
    response.on('error', () => undefined);
    if (path.endsWith('.xml')) {
      const list = Array.from({ length: items }, (_, n) => ({
        ...{ guid: `${path}-${n}`, title: `Item ${n}`, audio: `${url}${path}-${n}.mp3` },
        date: `0${n + 1} Jan 2020 10:00:00 GMT`,
      }));
      response.end(writeTestFeed({ items: list }));
      return;
    }
    response.writeHead(200, {
      'content-type': 'audio/mpeg',
      'content-length': audio.length,
      etag: '"a"',
    });
    for (let at = 0; at < audio.length && !response.destroyed; at += chunkBytes) {
      response.write(audio.subarray(at, at + chunkBytes));
      await sleep(chunkEveryMs);
    }
    response.end();
  };
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Import {
  readonly id: string;
  readonly state: string;
  readonly podcast: { readonly id: string; readonly slug: string } | null;
  readonly error: { readonly message: string } | null;
}

/** Imports shows with their audio, waits until they have ended, and deletes some. */
export function createImporter(around: Surroundings, host: SlowHost): Client {
  const { findings, random, signal } = around;
  const asker = new Asker(around);
  let made = 0;

  const giveUp = (why: string): undefined => {
    findings.problem(why);
    return undefined;
  };

  const waitFor = async (id: string): Promise<Import | undefined> => {
    const fromMs = performance.now();
    let calmSinceMs: number | undefined;
    for (;;) {
      if (signal.aborted) calmSinceMs ??= performance.now();
      const answer = await asker.ask(`/app/api/imports/${id}`);
      if (answer?.status === 404) return giveUp('an import is gone');
      const found = answer?.status === 200 ? dataOf<Import>(answer) : undefined;
      const tookMs = performance.now() - fromMs;
      if (found?.error?.message.startsWith(stoppedTwice) === true) {
        findings.count('imports stopped after two kills, and resumed');
        await asker.insist(`/app/api/imports/${id}/resume`, { method: 'POST', body: {} });
      } else if (found !== undefined && found.state !== 'running') {
        findings.took('an import', tookMs);
        return found;
      }
      // While processes are killed all the time, it may never end.
      if (calmSinceMs !== undefined && performance.now() - calmSinceMs > endsWithinMs)
        return giveUp(`an import still runs ${endsWithinMs} ms after the faults`);
      await sleep(150);
    }
  };

  const compare = async (ended: Import): Promise<void> => {
    const { podcast } = ended;
    if (podcast === null) return findings.problem('an import has no show');
    const answer = await asker.insist(`/v1/podcasts/${podcast.slug}/episodes?limit=50`, {
      isAnonymous: true,
    });
    const found =
      answer?.status === 200 ? dataOf<{ id: string; audio: { url: string } | null }[]>(answer) : [];
    if (answer !== undefined && (found.length !== items || found.some((one) => one.audio === null)))
      findings.problem(
        `an import has ${found.length} episodes: ${answer.status} ${JSON.stringify(ended)}`,
      );
    for (const one of found.slice(0, 1)) {
      const path = new URL(one.audio?.url ?? '').pathname;
      const heard = await asker.insist(path, { isAnonymous: true });
      if (heard !== undefined && !heard.body.equals(audio))
        findings.problem(`imported audio: ${heard.status}, ${heard.body.length} bytes`);
    }
  };

  return {
    name: 'import',
    async step() {
      made += 1;
      const slug = `imported-${made}`;
      const body = { url: `${host.url}/${made}.xml`, slug, copy_audio: true };
      const begun = await asker.ask('/app/api/imports', { method: 'POST', body });
      if (begun?.status !== 201) {
        if (isClear(begun) && begun.status !== 429)
          findings.problem(`import: ${begun.status} ${begun.body}`);
        await sleep(500);
        return;
      }
      const ended = await waitFor(dataOf<Import>(begun).id);
      if (ended === undefined) return;
      if (ended.state !== 'finished')
        return findings.problem(`an import ${ended.state}: ${ended.error?.message}`);
      findings.count('imports');
      await compare(ended);
      if (ended.podcast === null || random.chance(0.2)) return;
      const path = `/app/api/podcasts/${ended.podcast.id}`;
      const question = { method: 'DELETE', body: { slug, current_password: password } };
      const gone = await asker.insist(path, question);
      if (gone === undefined) return;
      if (gone.status !== 204 && gone.status !== 404)
        return findings.problem(`delete: ${gone.status} ${gone.body}`);
      const after = await asker.insist(path);
      if (after !== undefined && after.status !== 404) findings.problem('a deleted show is there');
      findings.count('shows deleted');
    },
  };
}
