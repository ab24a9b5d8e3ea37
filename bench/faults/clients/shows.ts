import { setTimeout as sleep } from 'node:timers/promises';
import { Asker, type Client, dataOf, isClear, type Surroundings } from './client.ts';

/** Duplicates and deletes episodes, and reads exports. */
export function createDuplicator(around: Surroundings): Client {
  const { world, findings, random } = around;
  const asker = new Asker(around);
  const there = new Set<string>();
  const gone = new Set<string>();

  const look = async (id: string, isThere: boolean): Promise<void> => {
    const answer = await asker.insist(`/app/api/episodes/${id}`);
    if (answer !== undefined && answer.status !== (isThere ? 200 : 404))
      findings.problem(`an episode that should ${isThere ? '' : 'not '}be there: ${answer.status}`);
  };

  const duplicate = async (): Promise<void> => {
    const source = random.pick(world.uploaded.episodeIds);
    const answer = await asker.ask(`/app/api/episodes/${source}/duplicate`, {
      method: 'POST',
      body: {},
    });
    if (answer?.status === 201) {
      there.add(dataOf<{ id: string }>(answer).id);
      findings.count('episodes duplicated');
    } else if (isClear(answer)) findings.problem(`duplicate: ${answer.status} ${answer.body}`);
  };

  const remove = async (id: string): Promise<void> => {
    there.delete(id);
    const answer = await asker.insist(`/app/api/episodes/${id}`, { method: 'DELETE' });
    if (answer === undefined) return;
    if (answer.status !== 204 && answer.status !== 404)
      return findings.problem(`delete: ${answer.status} ${answer.body}`);
    gone.add(id);
    findings.count('episodes deleted');
  };

  return {
    name: 'duplicate',
    async step() {
      await duplicate();
      const [oldest] = there;
      if (oldest !== undefined && there.size > 10) {
        await look(oldest, true);
        await remove(oldest);
      }
      await sleep(100);
    },
    async check() {
      for (const id of there) await look(id, true);
      for (const id of [...gone].slice(-20)) await look(id, false);
    },
  };
}

const endOfZip = Buffer.from([0x50, 0x4b, 5, 6]);

/** Reads exports of a show; one that is complete is a whole archive. */
export function createExporter(around: Surroundings): Client {
  const { world, findings } = around;
  const asker = new Asker(around);
  return {
    name: 'export',
    async step() {
      const answer = await asker.ask(`/app/api/podcasts/${world.saved.id}/export`);
      if (answer?.status === 200) {
        findings.count('exports');
        if (answer.body.lastIndexOf(endOfZip) < answer.body.length - 100)
          findings.problem(`an export of ${answer.body.length} bytes has no end`);
      } else if (isClear(answer) && answer.status !== 429)
        findings.problem(`export: ${answer.status}`);
      await sleep(1_000);
    },
  };
}
