import { afterAll, afterEach, beforeAll, describe, it, vi } from 'vitest';
import { expectToSurvive } from '../expect-failover.ts';
import { type FailoverInstallation, openFailoverInstallation } from '../failover-installation.ts';
import { describeMissingPatroni, PatroniCluster } from '../hosts/patroni-cluster.ts';
import { isOnServer } from '../which-database.ts';

// The same as failover.db.test.ts, with servers that Patroni promotes.

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const missing = describeMissingPatroni();
if (isOnServer && missing !== undefined)
  process.stderr.write(`SKIPPED: a failover by Patroni is not tested, ${missing}.\n`);

/** Shorter than usual, so that the test needn't wait for half a minute. */
const hasty = { ttl: 10, loop_wait: 1, retry_timeout: 3 };

describe.runIf(isOnServer && missing === undefined)('a service on a cluster of Patroni', () => {
  const opened = new AsyncDisposableStack();
  let installation: FailoverInstallation;

  beforeAll(async () => {
    const cluster = opened.use(await PatroniCluster.open(hasty));
    installation = opened.use(await openFailoverInstallation(cluster));
  });
  afterEach(() => installation.pair.restore());
  afterAll(() => opened.disposeAsync());

  // DB-4
  it('a service survives a switchover by Patroni, after which the old primary is a standby', async () => {
    await expectToSurvive(installation, 'switchover');
  });

  // DB-4, DB-6
  it('a service survives that its primary is killed with its Patroni, and loses nothing', async () => {
    await expectToSurvive(installation, 'kill');
  });
});
