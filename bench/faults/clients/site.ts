import { setTimeout as sleep } from 'node:timers/promises';
import { Asker, type Client, dataOf, type Surroundings } from './client.ts';

interface Change {
  readonly seq: number;
  readonly episode_id: string;
}

interface Page {
  readonly cursor: number;
  readonly data: readonly Change[];
}

/** Reads a site's changes as the plugin does: each number once, in order. */
export function createSiteReader(around: Surroundings): Client {
  const { world, findings } = around;
  const asker = new Asker(around);
  let cursor = 0;
  const seen = new Set<number>();
  const held = new Map<string, string>();

  const read = async (): Promise<number> => {
    const path = `/v1/me/sites/${world.site.id}/changes?after=${cursor}&limit=20`;
    const answer = await asker.insist(path, { key: world.site.key });
    if (answer === undefined) return 0;
    if (answer.status !== 200) {
      findings.problem(`changes after ${cursor}: ${answer.status} ${answer.body}`);
      return 0;
    }
    const page = answer.json as Page;
    let last = cursor;
    for (const change of page.data) {
      if (change.seq <= last || seen.has(change.seq))
        findings.problem(`seq ${change.seq} after ${last}`);
      last = change.seq;
      seen.add(change.seq);
      findings.count('changes read');
      const title = /"title":"([^"]*)"/.exec(JSON.stringify(change))?.[1] ?? '';
      held.set(change.episode_id, title);
    }
    if (page.cursor !== last) findings.problem(`cursor ${page.cursor} after ${last}`);
    cursor = last;
    return page.data.length;
  };

  return {
    name: 'site',
    async step() {
      await read();
      await sleep(200);
    },
    async check() {
      while ((await read()) > 0);
      for (const id of world.saved.episodeIds) {
        const answer = await asker.insist(`/app/api/episodes/${id}`);
        if (answer === undefined) continue;
        const { title } = dataOf<{ title: string }>(answer);
        if (held.get(id) !== title)
          findings.problem(`a site has title ${held.get(id)}, not ${title}`);
      }
    },
  };
}
