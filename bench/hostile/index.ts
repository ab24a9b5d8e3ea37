import type { Bench } from '../bench.ts';
import { survivalPart } from './survival.ts';

/** Everything at once that attackers send. */
export const hostileBench: Bench = {
  name: 'hostile',
  about: 'vanishing clients, hostile files and floods, while honest clients are served',
  parts: [survivalPart],
};
