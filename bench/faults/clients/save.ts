import { Asker, type Client, dataOf, isClear, type Surroundings } from './client.ts';

interface Saved {
  readonly id: string;
  tried: number;
  acknowledged: number;
}

/** Saves episodes. Their titles are numbers, and never go back behind an acknowledged one. */
export function createSaver(around: Surroundings, at: number): Client {
  const asker = new Asker(around);
  const { world, findings } = around;
  const saved: Saved = { id: world.saved.episodeIds[at]!, tried: 0, acknowledged: 0 };
  const path = `/app/api/episodes/${saved.id}`;
  const read = async () => {
    const answer = await asker.insist(path);
    if (answer === undefined) return;
    if (answer.status !== 200) return findings.problem(`an episode is ${answer.status}`);
    const title = Number(dataOf<{ title: string }>(answer).title);
    if (title < saved.acknowledged || title > saved.tried)
      findings.problem(`title ${title}, acknowledged ${saved.acknowledged}, tried ${saved.tried}`);
  };
  return {
    name: 'save',
    async step() {
      saved.tried += 1;
      const body = { title: String(saved.tried) };
      const answer = await asker.ask(path, { method: 'PATCH', body });
      if (answer?.status === 200) {
        saved.acknowledged = saved.tried;
        findings.count('saves');
      } else if (isClear(answer)) findings.problem(`save: ${answer.status} ${answer.body}`);
      await read();
    },
    check: read,
  };
}
