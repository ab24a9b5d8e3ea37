import type { Group } from '../bench.ts';
import type { Findings } from './findings.ts';

/** Decides all random choices; what processes do in the meantime depends on the machine, too. */
export const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000);

export function describeFindings(
  title: string,
  findings: Findings,
  remarks: readonly string[] = [],
): Group {
  return {
    title,
    figures: [
      {
        ...{ name: 'broken promises', unit: 'ratio', aim: { atMost: 0 } },
        value: findings.problemCount,
      },
      {
        ...{ name: 'an episode was public after its second, at most', unit: 'ms' },
        ...{
          value: findings.longest('an episode that is due was not public'),
          aim: { atMost: 1_000 },
        },
      },
      { name: 'longest response', value: findings.longest('a response'), unit: 'ms' },
    ],
    remarks: [...remarks, ...findings.remarks],
  };
}
