import type { AudioRequest } from '../src/domain/audience/downloads/index.ts';

/** A request that is a download. */
export const exampleRequest: AudioRequest = {
  at: new Date('2026-03-10T12:00:00Z'),
  requests: 1,
  podcastId: '0192c0de-0000-7000-8000-000000000001',
  episodeId: '0192c0de-0000-7000-8000-000000000002',
  listener: 'a'.repeat(32),
  addressHash: null,
  userAgent: 'AntennaPod/3.4',
  network: null,
  country: 'DE',
  source: 'feed',
  referrer: null,
  refusal: null,
  file: '0'.repeat(16),
  neededBytes: 100,
  audio: [{ start: 0, end: 99 }],
};
