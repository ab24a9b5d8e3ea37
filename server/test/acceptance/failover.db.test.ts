import { afterAll, afterEach, beforeAll, describe, it, vi } from 'vitest';
import { expectToSurvive } from '../expect-failover.ts';
import { type FailoverInstallation, openFailoverInstallation } from '../failover-installation.ts';
import { openHandledPair } from '../hosts/database-pair.ts';
import { hasPostgresPrograms } from '../hosts/postgres-server.ts';
import { isOnServer } from '../which-database.ts';

// A service on two database servers loses one of them under load.

vi.setConfig({ testTimeout: 300_000 });

describe.runIf(isOnServer && hasPostgresPrograms)('a service on two database servers', () => {
  const opened = new AsyncDisposableStack();
  let installation: FailoverInstallation;

  beforeAll(async () => {
    const pair = opened.use(await openHandledPair());
    installation = opened.use(await openFailoverInstallation(pair));
  });
  afterEach(() => installation.pair.restore());
  afterAll(() => opened.disposeAsync());

  // DB-4, DB-6
  it('a service survives that its primary is killed, and loses nothing that it acknowledged', async () => {
    await expectToSurvive(installation, 'kill');
  });

  // DB-4
  it('a service survives a switchover back, after which the old primary is a standby', async () => {
    await expectToSurvive(installation, 'switchover');
  });
});
