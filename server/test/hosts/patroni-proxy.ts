import { readDeployFile } from '../deploy/deploy-files.ts';
import { freePort } from '../free-port.ts';
import { Haproxy } from './haproxy.ts';
import { PgBouncer } from './pgbouncer.ts';
import { PostgresAddress, untilTrue } from './postgres-address.ts';

/** A machine with PostgreSQL, and with Patroni, which says whether it is the primary. */
export interface DatabaseMachine {
  readonly name: string;
  readonly address: PostgresAddress;
  readonly restPort: number;
}

/** A way to the primary of a cluster, and the settings with which the service takes it. */
export interface PatroniProxy extends AsyncDisposable {
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * HAProxy with deploy/haproxy.cfg, before the machines `db1` and `db2`. The service's settings are those of
 * its comments. `pooled`: through a PgBouncer on each machine, in transaction mode.
 */
export async function startPatroniProxy(
  machines: readonly DatabaseMachine[],
  way: 'direct' | 'pooled',
): Promise<PatroniProxy> {
  await using opened = new AsyncDisposableStack();
  const example = new ExampleFile();
  const port = await freePort();
  const pooledPort = await freePort();
  example.replace('bind 127.0.0.1:5000', `bind 127.0.0.1:${port}`);
  example.replace('bind 127.0.0.1:5001', `bind 127.0.0.1:${pooledPort}`);
  for (const { name, address, restPort } of machines) {
    const pooler = opened.use(await PgBouncer.start(address.urlOf('postgres'), 'transaction'));
    const pooled = new URL(pooler.urlOf('postgres')).port;
    const host = `server ${name} ${name}.example.com`;
    const check = `check port ${restPort}`;
    example.replace(
      `${host}:5432 check port 8008`,
      `server ${name} 127.0.0.1:${address.port} ${check}`,
    );
    example.replace(`${host}:6432`, `server ${name} 127.0.0.1:${pooled}`);
  }
  example.replace('podstead:CHANGE-ME@127.0.0.1:5000', `postgres@127.0.0.1:${port}`);
  example.replace('podstead:CHANGE-ME@127.0.0.1:5001', `postgres@127.0.0.1:${pooledPort}`);
  opened.use(await Haproxy.configured(port, () => example.text));
  await untilChecked(port);
  await untilChecked(pooledPort);
  const resources = opened.move();
  return {
    settings: example.settingsOf(way),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** HAProxy takes all servers for suitable, and in turn, until it has checked them. */
async function untilChecked(port: number): Promise<void> {
  const way = new PostgresAddress(port);
  const ask = async () => {
    const [row] = await way.query<{ is: boolean }>('select pg_is_in_recovery() as is');
    return row?.is === false;
  };
  await untilTrue('HAProxy finds no primary', async () => (await ask()) && (await ask()));
}

/** deploy/haproxy.cfg. */
class ExampleFile {
  text = readDeployFile('haproxy.cfg');

  replace(part: string, by: string): void {
    const pieces = this.text.split(part);
    if (pieces.length < 2) throw new Error(`deploy/haproxy.cfg has no "${part}"`);
    this.text = pieces.join(by);
  }

  /** Its comments show the settings of both ways, in this order. */
  settingsOf(way: 'direct' | 'pooled'): Readonly<Record<string, string>> {
    const [direct, ...pooled] = this.text.matchAll(/^# +(DATABASE_\w+)=(\S+)$/gm);
    const found = way === 'direct' ? [direct] : pooled;
    return Object.fromEntries(found.map((match) => [match?.[1] ?? '', match?.[2] ?? '']));
  }
}
