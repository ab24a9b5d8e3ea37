import { setTimeout as sleep } from 'node:timers/promises';
import { openFailoverInstallation } from '../../server/test/failover-installation.ts';
import { PatroniCluster } from '../../server/test/hosts/patroni-cluster.ts';
import type { Group, Run } from '../bench.ts';
import { describeRefusals, describeServed } from './figures.ts';
import { countsExactly, loadDuring } from './rounds.ts';

/** Something other than the machine of the primary is lost for a while. */
interface Loss {
  readonly name: string;
  readonly isFailsafe?: boolean;
  lose(cluster: PatroniCluster): Promise<void>;
  /** Until it is repaired: Patroni needs this long to notice. */
  readonly forMs: number;
  repair(cluster: PatroniCluster): Promise<void>;
}

const rejoinMs = 15_000;
const none = async () => undefined;
const etcd = {
  lose: (cluster: PatroniCluster) => cluster.etcd.kill(),
  forMs: 40_000,
  repair: (cluster: PatroniCluster) => cluster.etcd.start(),
};
const losses: readonly Loss[] = [
  {
    ...{ name: 'PostgreSQL of the primary is killed, its Patroni runs on', forMs: 20_000 },
    lose: ({ leader }) => leader.killPostgres(),
    repair: none,
  },
  {
    ...{ name: 'Patroni of the primary is killed, and starts again 5 s later', forMs: 5_000 },
    lose: ({ leader }) => leader.killPatroni(),
    repair: async ({ leader, follower }) => {
      await leader.start();
      await sleep(rejoinMs);
      // Patroni 3.0.2 no longer lets commits wait for a standby that it finds, only for one that comes.
      await follower.kill();
    },
  },
  {
    ...{ name: 'the standby is killed, and comes back 20 s later', forMs: 20_000, repair: none },
    lose: ({ follower }) => follower.kill(),
  },
  { ...etcd, name: 'etcd is killed, and comes back 40 s later' },
  { ...etcd, name: 'the same with failsafe_mode', isFailsafe: true },
];

export async function measureLosses(run: Run): Promise<readonly Group[]> {
  const groups: Group[] = [];
  for (const isFailsafe of [false, true]) {
    await using cluster = await PatroniCluster.open({ failsafe_mode: isFailsafe });
    await using installation = await openFailoverInstallation(cluster);
    for (const loss of losses.filter((one) => (one.isFailsafe ?? false) === isFailsafe)) {
      run.signal.throwIfAborted();
      run.say(`  ${loss.name}`);
      const loaded = await loadDuring(installation, async () => {
        await loss.lose(cluster);
        await sleep(loss.forMs);
        await loss.repair(cluster);
        await cluster.restore();
      });
      groups.push({
        title: loss.name,
        figures: describeServed([loaded], await countsExactly(installation)),
        remarks: [describeRefusals([loaded])],
      });
    }
  }
  return groups;
}
