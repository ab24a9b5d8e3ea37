import { expect, it } from 'vitest';
import { describeParts } from '../../../src/describe-parts.ts';
import { rollKey } from '../../../src/domain/access/keys/index.ts';
import { createMetrics } from '../../../src/http/monitoring/metrics.ts';
import { createLog } from '../../../src/platform/log/log.ts';
import { createTestApp } from '../../create-test-app.ts';
import { makeKey, makePodcast, makeUser } from '../../make.ts';

it('a secret is in no log, error, metric, email, row or process title', async () => {
  const lines: string[] = [];
  const log = createLog('trace', { write: (line) => void lines.push(line) });
  await using app = await createTestApp({}, { log });
  const owner = await makeUser(app.ctx);
  const podcast = await makePodcast(app.ctx, { owner });
  const made = await makeKey(app.ctx, owner, { scopes: ['podcasts:read'] });
  const rolled = await rollKey(app.ctx, { keyId: made.key.id, grace: '1h', expiresInDays: 30 });
  const secrets = [made.secret, rolled.secret];
  const said: string[] = [];
  const ask = async (url: string, authorization: string) => {
    const { statusCode, headers, body } = await app.request({ url, headers: { authorization } });
    said.push(JSON.stringify(headers), body);
    return statusCode;
  };
  const responses = [];
  for (const secret of secrets) {
    const bearer = `Bearer ${secret}`;
    responses.push([
      await ask('/v1/me', bearer),
      await ask(`/v1/me/podcasts/${podcast.id}/episodes`, bearer),
      await ask(`/v1/me/podcasts/${owner.id}`, bearer),
      await ask('/v1/me/podcasts?limit=x', bearer),
      await ask('/v1/me', `${bearer}x`),
      await ask('/v1/me', `Basic ${secret}`),
      await ask(`/v1/me?q=${secret}`, bearer),
      await ask(`/v1/podcasts?api_key=${secret}`, bearer),
      await ask(`/v1/me/${secret}`, bearer),
    ]);
  }
  const usual = [200, 403, 404, 400, 401, 401, 400, 400, 404];
  expect(responses).toEqual([usual, usual]);
  // Causes an internal error, which is logged with its details.
  await app.database.pool.query('alter table podcast_members rename to away');
  for (const secret of secrets) {
    expect(await ask(`/v1/me/podcasts/${podcast.id}`, `Bearer ${secret}`)).toBe(500);
  }
  const { rows } = await app.database.pool.query(
    `select query_to_xml('select * from ' || tablename, true, false, '')::text as told
      from pg_tables where schemaname = 'public'`,
  );
  const metrics = await createMetrics({
    ctx: app.ctx,
    serving: { requests: app.http.counts, limitFaults: () => 0, keyUses: app.keyUses },
    downloads: {
      counts: app.downloadCounts,
      journal: () => ({ lagSeconds: 0, journalBytes: 0, newerJournalBytes: 0, dropped: 0 }),
    },
    pings: app.pingCounts,
    notifications: app.notificationCounts,
    webhooks: app.webhookCounts,
    parts: describeParts(app),
  }).metrics();
  const everything = [
    ...lines,
    ...said,
    ...rows.map(({ told }) => told),
    metrics,
    process.title,
    process.argv.join(' '),
  ].join('\n');
  // The collected text has all parts.
  for (const word of ['podcast_members', 'request_id', made.key.id, 'podstead_http_requests']) {
    expect(everything).toContain(word);
  }
  for (const secret of secrets) {
    const random = secret.slice('svc_live_'.length);
    // Neither the secret nor its first half.
    expect(everything).not.toContain(random.slice(0, 20));
    expect(everything).not.toContain(random.slice(-20));
  }
});
