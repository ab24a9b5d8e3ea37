import { setTimeout as sleep } from 'node:timers/promises';
import { Asker, type Client, dataOf, isClear, type Surroundings } from './client.ts';

const stepMs = 40;
const patienceMs = 30_000;

/** Schedules an episode for a second, and watches whether it is public then, and not before. */
export function createPublisher(around: Surroundings, at: number): Client {
  const asker = new Asker(around);
  const { world, findings, random, signal } = around;
  let made = 0;
  const published: string[] = [];

  const isPublic = async (id: string): Promise<boolean | undefined> => {
    const fromMs = Date.now();
    const answer = await asker.ask(`/v1/episodes/${id}`, { isAnonymous: true });
    if (answer?.status === 404) return false;
    if (answer?.status === 200) return true;
    if (isClear(answer)) findings.problem(`a public episode: ${answer.status}`);
    return fromMs > 0 ? undefined : false;
  };

  const watch = async (id: string, momentMs: number): Promise<void> => {
    for (;;) {
      const fromMs = Date.now();
      const found = await isPublic(id);
      if (found === true) {
        if (Date.now() < momentMs) findings.problem(`public ${momentMs - Date.now()} ms early`);
        return void published.push(id);
      }
      if (found === false)
        findings.took('an episode that is due was not public', fromMs - momentMs);
      if (Date.now() > momentMs + patienceMs && found === false)
        return findings.problem(`not public ${fromMs - momentMs} ms after its second`);
      if (signal.aborted && Date.now() > momentMs + patienceMs) return;
      await sleep(stepMs);
    }
  };

  return {
    name: 'publish',
    async step() {
      made += 1;
      const episodes = `/app/api/podcasts/${world.timed.id}/episodes`;
      const body = { title: `${at} ${made}`, slug: `t-${at}-${made}` };
      const draft = await asker.ask(episodes, { method: 'POST', body });
      if (draft?.status !== 201) return;
      const { id } = dataOf<{ id: string }>(draft);
      const momentMs = (Math.ceil(Date.now() / 1_000) + 2 + random.below(5)) * 1_000;
      const scheduled = await asker.ask(`/app/api/episodes/${id}/schedule`, {
        method: 'POST',
        body: { scheduled_for: new Date(momentMs).toISOString(), confirm: ['without_audio'] },
      });
      if (scheduled?.status !== 200) {
        if (isClear(scheduled) && Date.now() < momentMs)
          findings.problem(`schedule: ${scheduled.status} ${scheduled.body}`);
        return;
      }
      await watch(id, momentMs);
      findings.count('publications');
    },
    async check() {
      for (const id of published.slice(-20)) {
        const answer = await asker.insist(`/v1/episodes/${id}`, { isAnonymous: true });
        if (answer !== undefined && answer.status !== 200)
          findings.problem('a publication is gone');
      }
    },
  };
}
