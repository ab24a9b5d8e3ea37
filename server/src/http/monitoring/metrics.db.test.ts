import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../test/create-test-context.ts';
import { describeParts } from '../../describe-parts.ts';
import { DownloadCounts } from '../../domain/audience/downloads/index.ts';
import { NotificationCounts } from '../../domain/exchange/feed-notifications/index.ts';
import { PingCounts } from '../../domain/exchange/sites/pings/index.ts';
import { WebhookCounts } from '../../domain/exchange/webhooks/index.ts';
import { queueEmail, sendEmails } from '../../domain/foundation/emails/index.ts';
import { createMetrics, type DownloadSources } from './metrics.ts';
import { RequestCounts } from './request-counts.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const noDownloads: DownloadSources = {
  counts: new DownloadCounts(),
  journal: () => ({ lagSeconds: 0, journalBytes: 0, newerJournalBytes: 0, dropped: 0 }),
};
const queue = () =>
  queueEmail(test.ctx, {
    template: 'member-removed',
    to: 'ana@example.com',
    values: { podcast: 'x' },
  });

it('the metrics count the emails of the installation, and work without its database', async () => {
  const notifications = new NotificationCounts();
  notifications.add('podping', 'failed');
  notifications.add('podping', 'failed');
  const metrics = createMetrics({
    ctx: test.ctx,
    serving: {
      requests: new RequestCounts(),
      limitFaults: () => 3,
      keyUses: { droppedCount: 4 },
    },
    downloads: noDownloads,
    pings: Object.assign(new PingCounts(), { sent: 5, failed: 2 }),
    notifications,
    webhooks: Object.assign(new WebhookCounts(), { delivered: 7, failed: 3 }),
    parts: describeParts(test),
  });
  await queue();
  await sendEmails(test.ctx);
  await queue();
  const text = await metrics.metrics();
  expect(text).toContain('podstead_limit_faults_total 3\n');
  expect(text).toContain('podstead_key_uses_dropped_total 4\n');
  expect(text).toContain('podstead_pings_total{result="sent"} 5\n');
  expect(text).toContain('podstead_pings_total{result="failed"} 2\n');
  expect(text).toContain('podstead_ping_sites{state="due"} 0\n');
  // NOTIFY-11
  expect(text).toContain(
    'podstead_feed_notifications_total{channel="podping",result="failed"} 2\n',
  );
  expect(text).toContain('podstead_webhook_deliveries_total{result="delivered"} 7\n');
  expect(text).toContain('podstead_webhook_deliveries_total{result="failed"} 3\n');
  expect(text).toContain('podstead_webhooks{state="off"} 0\n');
  expect(text).toContain('podstead_emails{state="waiting"} 1\n');
  expect(text).toContain('podstead_emails{state="sent"} 1\n');
  expect(text).toContain('podstead_emails{state="given_up"} 0\n');
  for (const part of ['database', 'migrations', 'store'])
    expect(text).toContain(`podstead_part_up{part="${part}"} 1\n`);
  await test.database[Symbol.asyncDispose]();
  const without = await metrics.metrics();
  expect(without).toContain('process_cpu_seconds_total');
  expect(without).not.toContain('podstead_emails{');
  expect(without).toContain('podstead_part_up{part="database"} 0\n');
  expect(without).toContain('podstead_part_up{part="store"} 1\n');
});

// COUNT-18
it('the metrics show the state of the download counter', async () => {
  const counts = new DownloadCounts();
  counts.add({ requests: 9, counted: 4, rejected: { bot: 2, probe: 1 }, withoutDetails: 0 });
  counts.add({ requests: 1, counted: -1, rejected: { bot: 1 }, withoutDetails: 0 });
  const metrics = createMetrics({
    ctx: test.ctx,
    downloads: {
      counts,
      journal: () => ({ lagSeconds: 1.5, journalBytes: 700, newerJournalBytes: 90, dropped: 3 }),
    },
    pings: new PingCounts(),
    notifications: new NotificationCounts(),
    webhooks: new WebhookCounts(),
    parts: describeParts(test),
  });
  const text = await metrics.metrics();
  for (const line of [
    'requests_total 10',
    'counted_total 4',
    'rejected_total{reason="bot"} 3',
    'rejected_total{reason="probe"} 1',
    'dropped_total 3',
    'lag_seconds 1.5',
    'journal_bytes 700',
    'newer_journal_bytes 90',
  ]) {
    expect(text).toContain(`\npodstead_downloads_${line}\n`);
  }
});
