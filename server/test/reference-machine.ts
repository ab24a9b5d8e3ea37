import { threadCpuUsage } from 'node:process';

const rounds = 20;
/** How long a round takes on the reference machine: an ordinary server, with nothing beside the test. */
const referenceRoundMs = 2;

const rows = Array.from({ length: 4_000 }, (_, at) => ({
  at,
  text: `Some words of row ${at}`,
  parts: [at, `${at}`],
}));
const text = JSON.stringify(rows);

/**
 * Converts CPU time that was just measured into that of the reference machine, for which limits in tests
 * are set. A slow machine, or a core that is shared with another busy thread, takes several times as long
 * for the same work. Fixed work, timed now, says how many times; a faster machine changes nothing.
 */
export function onReferenceMachine(cpuMs: number): number {
  const begun = threadCpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    JSON.stringify(JSON.parse(text)).replaceAll(/w[aeiou]r/g, '');
  }
  const { user, system } = threadCpuUsage(begun);
  return cpuMs / Math.max(1, (user + system) / 1000 / (rounds * referenceRoundMs));
}
