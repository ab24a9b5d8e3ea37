import { afterEach, expect, it, vi } from 'vitest';
import { makeCertificate, testHost } from '../../../../../test/hosts/certificate.ts';
import { createSiteClient } from '../../../../../test/hosts/hostile-sites.ts';
import { openHttpHost } from '../../../../../test/hosts/http-host.ts';
import { systemClock } from '../../../../platform/clock/clock.ts';
import { postDelivery } from './post-delivery.ts';

const certificate = makeCertificate();
afterEach(() => void vi.useRealTimers());

// HOOK-13
it.skipIf(certificate === undefined)('a request to a webhook ends after ten seconds', async () => {
  const received = Promise.withResolvers<void>();
  await using silent = await openHttpHost(() => received.resolve(), certificate);
  await using outbound = createSiteClient(certificate);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const url = `https://${testHost}:${silent.port}/hook`;
  const attempt = postDelivery(
    { outbound, clock: systemClock },
    { url, secrets: ['whsec_a'] },
    '{}',
    {
      signal: new AbortController().signal,
    },
  );
  const ended = vi.fn<() => void>();
  void attempt.finally(ended);
  await received.promise;
  await vi.advanceTimersByTimeAsync(9_999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await attempt).toMatchObject({ status: null, error: 'timeout' });
});
