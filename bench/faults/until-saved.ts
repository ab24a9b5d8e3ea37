import { setTimeout as sleep } from 'node:timers/promises';
import type { Findings } from './findings.ts';

const recoversWithinMs = 60_000;
const saves = 4;

/** The time until several saves have succeeded, in ms. NaN: none within a minute. */
export async function untilSaved(findings: Findings): Promise<number> {
  const fromMs = performance.now();
  const before = findings.of('saves');
  while (findings.of('saves') - before < saves) {
    if (performance.now() - fromMs > recoversWithinMs) return Number.NaN;
    await sleep(20);
  }
  return performance.now() - fromMs;
}
