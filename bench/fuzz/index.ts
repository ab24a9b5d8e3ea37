import type { Bench } from '../bench.ts';
import { requestsPart } from './requests.ts';

/** Requests that nobody should send. */
export const fuzzBench: Bench = {
  name: 'fuzz',
  about:
    'random requests to every route of a real server, which must never respond with 500 or end',
  parts: [requestsPart],
};
