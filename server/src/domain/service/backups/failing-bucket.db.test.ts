import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/create-test-app.ts';
import { loadSeed } from '../../../../test/load-seed.ts';
import { hasS3, openTestS3Store } from '../../../../test/s3-store.ts';
import {
  StoreProxy,
  sendUnchanged,
  storeFaults,
  storeRefusals,
} from '../../../../test/store-proxy.ts';
import {
  backedUpSeed,
  backUp,
  backupSecret,
  codeOf,
  openFolder,
  openInstallation,
  restore,
} from '../../../../test/use-backups.ts';
import { isOnServer } from '../../../../test/which-database.ts';
import { receiveInScratch } from '../../../platform/blob-store/receive-file.ts';
import { BackupRepository, verifyBackup } from './index.ts';

const faults = {
  ...storeFaults,
  '503 SlowDown': storeRefusals['503 SlowDown'],
  '403 ExpiredToken': storeRefusals['403 ExpiredToken'],
  'a reset': storeRefusals['a reset'],
};
/** After how many of its requests the bucket begins to fail. */
const sharesOfRequests = [0.3, 0.95];
const cases = Object.entries(faults).flatMap(([name, fault]) =>
  sharesOfRequests.map((share) => ({ name, fault, share })),
);

const shared = new AsyncDisposableStack();
let proxy: StoreProxy;
const prefix = `test-${randomUUID()}`;

/** A repository in the tests' bucket: through the proxy, and past it. */
async function openRepositories() {
  const scratchDir = await openFolder();
  const ours = `${prefix}/${randomUUID()}`;
  const [throughProxy, direct] = await Promise.all([
    openTestS3Store({ scratchDir, prefix: ours, endpoint: proxy.url }),
    openTestS3Store({ scratchDir, prefix: ours }),
  ]);
  return {
    broken: shared.use(new BackupRepository(receiveInScratch(throughProxy))),
    direct: shared.use(new BackupRepository(receiveInScratch(direct))),
  };
}

/** How many requests the work sends to the bucket. */
async function countRequests(work: () => Promise<unknown>): Promise<number> {
  proxy.inject(({ response }) => void response.destroy(), 0);
  await work();
  return proxy.requests;
}

/** Lets so many requests pass, and then fails all others until the work ends. */
async function failAfter(
  passed: number,
  fault: (typeof cases)[number]['fault'],
  work: () => Promise<unknown>,
): Promise<string> {
  let count = 0;
  proxy.inject(async (exchange) => {
    count += 1;
    await (count > passed ? fault : sendUnchanged)?.(exchange);
  });
  try {
    return await codeOf(work());
  } finally {
    proxy.restore();
  }
}

// The database makes no difference to a bucket.
describe.skipIf(!hasS3 || !isOnServer)('a bucket that fails', { timeout: 120_000 }, () => {
  let app: TestApp;
  let requests: { readonly ofBackup: number; readonly ofRestore: number };
  beforeAll(async () => {
    proxy = shared.use(await StoreProxy.open(process.env['TEST_S3_ENDPOINT'] ?? ''));
    app = shared.use(await createTestApp({ SECRET: backupSecret }));
    const { users, podcasts } = backedUpSeed;
    await loadSeed(app, await openFolder(), { users, podcasts });
    const { broken } = await openRepositories();
    const ofBackup = await countRequests(() => backUp(app, broken));
    const [snapshot = ''] = await broken.list();
    const target = await openInstallation();
    const ofRestore = await countRequests(() => restore(target, broken, snapshot));
    requests = { ofBackup, ofRestore };
  });
  afterAll(() => shared.disposeAsync());

  it.each(cases)(
    'a backup into a bucket with $name after $share of its requests is whole or is not there, and the next one succeeds',
    async ({ fault, share }) => {
      const { broken, direct } = await openRepositories();
      const ended = await failAfter(requests.ofBackup * share, fault, () => backUp(app, broken));
      expect(ended).toMatch(/^done$|BlobStoreAwayError/);
      // What was acknowledged last may be there although its response got lost.
      const there = await direct.list();
      if (ended === 'done') expect(there).toHaveLength(1);
      for (const snapshot of there) {
        expect((await verifyBackup(direct, snapshot)).damaged).toEqual([]);
      }
      const { snapshot } = await backUp(app, broken);
      expect((await verifyBackup(direct, snapshot)).damaged).toEqual([]);
    },
  );

  it.each(cases)(
    'a restore from a bucket with $name after $share of its requests ends with a reason, and goes on afterwards',
    async ({ fault, share }) => {
      const { broken, direct } = await openRepositories();
      const { snapshot } = await backUp(app, direct);
      const target = await openInstallation();
      const ended = await failAfter(requests.ofRestore * share, fault, () =>
        restore(target, broken, snapshot),
      );
      expect(ended).toMatch(/^done$|BlobStoreAwayError|DamagedBackupError/);
      if (ended === 'done') return;
      const { differences } = await restore(target, broken, snapshot);
      expect(differences).toEqual([]);
    },
  );
});
