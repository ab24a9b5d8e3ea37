import { OutboundError, type OutboundHttp } from '../src/platform/outbound-http/outbound-http.ts';

const refuse = (): Promise<never> =>
  Promise.reject(new OutboundError('unreachable', 'there is no network here'));

/** Fails every request at once, for imports whose pictures do not matter. */
export const noNetwork: OutboundHttp = {
  request: refuse,
  fetchBytes: refuse,
  [Symbol.asyncDispose]: async () => undefined,
};
