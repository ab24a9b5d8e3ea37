import {
  failoverDatabase,
  openFailoverInstallation,
} from '../../server/test/failover-installation.ts';
import { type Exchange, openHandledPair } from '../../server/test/hosts/database-pair.ts';
import { hasHaproxy } from '../../server/test/hosts/haproxy.ts';
import { describeMissingPatroni, PatroniCluster } from '../../server/test/hosts/patroni-cluster.ts';
import { startPatroniProxy } from '../../server/test/hosts/patroni-proxy.ts';
import { hasPgBouncer, PgBouncer } from '../../server/test/hosts/pgbouncer.ts';
import { urlOfAll } from '../../server/test/hosts/postgres-address.ts';
import { hasPostgresPrograms } from '../../server/test/hosts/postgres-server.ts';
import type { Bench, Group, Run } from '../bench.ts';
import { measureLosses } from './losses.ts';
import { measureRounds } from './rounds.ts';

/** A service whose database servers are exchanged under load. */
export const failoverBench: Bench = {
  name: 'failover',
  about: 'two database servers, one of them lost: refusals, losses, time until the first save',
  parts: [
    {
      name: 'kill',
      about: 'the primary is killed, and the standby promoted at once',
      measure: (run) => measureHandled('kill', run),
    },
    {
      name: 'freeze',
      about: 'the primary responds no more, and the standby is promoted at once',
      measure: (run) => measureHandled('freeze', run),
    },
    {
      name: 'switchover',
      about: 'the primary is stopped, the standby promoted, and the old one is its standby',
      measure: (run) => measureHandled('switchover', run),
    },
    {
      name: 'poolers',
      about: 'kill, with a PgBouncer in transaction mode before each server',
      measure: measureBehindPoolers,
    },
    {
      name: 'patroni',
      about: 'kill, freeze and switchover with Patroni, with both servers in DATABASE_URL',
      measure: (run) => measurePatroni(run),
    },
    {
      name: 'haproxy',
      about: 'the same through HAProxy, which asks Patroni',
      measure: (run) => measurePatroni(run, 'direct'),
    },
    {
      name: 'pooled',
      about: 'the same with PgBouncer in transaction mode between HAProxy and each server',
      measure: (run) => measurePatroni(run, 'pooled'),
    },
    {
      name: 'losses',
      about: 'with Patroni, something other than the machine of the primary is lost',
      measure: async (run) => {
        const lacking = describeMissingPatroni();
        return lacking === undefined ? await measureLosses(run) : missing(lacking, run);
      },
    },
  ],
};

async function measureHandled(how: Exchange, run: Run): Promise<readonly Group[]> {
  if (!hasPostgresPrograms) return missing('no PostgreSQL here', run);
  await using pair = await openHandledPair();
  await using installation = await openFailoverInstallation(pair);
  return [await measureRounds(installation, how, run)];
}

/** Poolers don't say whether others can still write: the servers past them do. */
async function measureBehindPoolers(run: Run): Promise<readonly Group[]> {
  if (!hasPostgresPrograms || !hasPgBouncer) return missing('no PostgreSQL or PgBouncer here', run);
  await using opened = new AsyncDisposableStack();
  const pair = opened.use(await openHandledPair());
  const hosts: string[] = [];
  for (const server of pair.servers) {
    const pooler = opened.use(
      await PgBouncer.start(server.urlOf('postgres'), 'transaction', [
        'server_connect_timeout = 2',
        'query_wait_timeout = 3',
      ]),
    );
    hosts.push(new URL(pooler.urlOf('postgres')).host);
  }
  const settings = {
    DATABASE_URL: `postgres://postgres@${hosts.join(',')}/${failoverDatabase}`,
    DATABASE_LISTEN_URL: urlOfAll(pair.servers, failoverDatabase),
  };
  const installation = opened.use(await openFailoverInstallation(pair, settings));
  return [await measureRounds(installation, 'kill', run)];
}

/** `way`: through HAProxy, rather than with both servers in DATABASE_URL. */
async function measurePatroni(run: Run, way?: 'direct' | 'pooled'): Promise<readonly Group[]> {
  const lacking = describeMissingPatroni();
  if (lacking !== undefined) return missing(lacking, run);
  if (way !== undefined && !(hasHaproxy && hasPgBouncer))
    return missing('no HAProxy or PgBouncer here', run);
  await using opened = new AsyncDisposableStack();
  const cluster = opened.use(await PatroniCluster.open());
  const proxy = way && opened.use(await startPatroniProxy(cluster.members, way));
  const installation = opened.use(await openFailoverInstallation(cluster, proxy?.settings));
  return [
    await measureRounds(installation, 'kill', run),
    await measureRounds(installation, 'freeze', run),
    await measureRounds(installation, 'switchover', run),
  ];
}

function missing(what: string, run: Run): readonly Group[] {
  run.say(`  ${what}`);
  return [];
}
