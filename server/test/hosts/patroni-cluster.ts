import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import type { DatabasePair, Exchange } from './database-pair.ts';
import { Etcd, hasEtcd } from './etcd.ts';
import { hasPatroni, PatroniMember, type PatroniSettings, patroniScope } from './patroni-member.ts';
import { type PostgresAddress, untilTrue } from './postgres-address.ts';
import { hasPostgresPrograms, makeServerFolder, serverUser } from './postgres-server.ts';

/** What is missing here for a cluster; undefined: nothing. */
export function describeMissingPatroni(): string | undefined {
  const missing = [
    ...(hasPatroni ? [] : ['patroni']),
    ...(hasEtcd ? [] : ['etcd']),
    ...(hasPostgresPrograms ? [] : ['PostgreSQL']),
  ];
  return missing.length === 0 ? undefined : `no ${missing.join(', ')} here`;
}

/** Patroni's own values, and what keeps acknowledged commits. */
const usualSettings: PatroniSettings = {
  ...{ ttl: 30, loop_wait: 10, retry_timeout: 10, synchronous_mode: true },
};

const patienceMs = 180_000;

/** Two servers of which Patroni promotes one when the other one is lost, as etcd permits. */
export class PatroniCluster implements DatabasePair {
  readonly etcd: Etcd;
  readonly members: readonly [PatroniMember, PatroniMember];
  readonly #resources: AsyncDisposableStack;
  #leader: PatroniMember;
  #follower: PatroniMember;

  private constructor(
    etcd: Etcd,
    members: readonly [PatroniMember, PatroniMember],
    resources: AsyncDisposableStack,
  ) {
    this.etcd = etcd;
    this.members = members;
    [this.#leader, this.#follower] = members;
    this.#resources = resources;
  }

  /** `settings`: other than the usual ones. */
  static async open(settings: Partial<PatroniSettings> = {}): Promise<PatroniCluster> {
    await using opened = new AsyncDisposableStack();
    const etcd = opened.use(await Etcd.start());
    const create = async (name: string) => {
      const ports = { postgres: await freePort(), rest: await freePort() };
      const member = opened.use(new PatroniMember(name, await makeServerFolder(), ports));
      await member.configure(etcd.port, { ...usualSettings, ...settings });
      return member;
    };
    const members = [await create('db1'), await create('db2')] as const;
    // The first one initializes the cluster.
    await members[0].start();
    await untilTrue('Patroni starts no server', () => members[0].isLeader(), patienceMs);
    await members[1].start();
    const cluster = new PatroniCluster(etcd, members, opened.move());
    try {
      await cluster.#untilPaired();
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
    return cluster;
  }

  get servers(): readonly [PostgresAddress, PostgresAddress] {
    return [this.members[0].address, this.members[1].address];
  }

  get primary(): PostgresAddress {
    return this.#leader.address;
  }

  get standby(): PostgresAddress {
    return this.#follower.address;
  }

  get leader(): PatroniMember {
    return this.#leader;
  }

  get follower(): PatroniMember {
    return this.#follower;
  }

  /** The switchover is done when it resolves; of other losses, Patroni has still to learn. */
  async exchange(how: Exchange): Promise<void> {
    [this.#leader, this.#follower] = [this.#follower, this.#leader];
    const [to, from] = [this.#leader, this.#follower];
    if (how === 'kill') return await from.kill();
    if (how === 'freeze') return from.freeze();
    const argv = ['switchover', patroniScope, `--leader=${from.name}`, `--candidate=${to.name}`];
    const config = `--config-file=${to.configPath}`;
    await promisify(execFile)('patronictl', [config, ...argv, '--force'], {
      ...{ cwd: '/', ...serverUser() },
    });
  }

  /** Members that were killed start again, and a frozen one continues as the primary that it was. */
  async restore(): Promise<void> {
    for (const member of this.members) {
      if (member.isRunning) member.thaw();
      else await member.start();
    }
    await this.#untilPaired();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }

  async #untilPaired(): Promise<void> {
    try {
      await untilTrue('Patroni’s cluster does not come up', () => this.#isPaired(), patienceMs);
    } catch (error) {
      const logs = await Promise.all(this.members.map((member) => member.readLog()));
      throw new Error(logs.join('\n\n'), { cause: error });
    }
  }

  /** Commits wait for the follower, and Patroni knows that it may promote it. */
  async #isPaired(): Promise<boolean> {
    const response = await fetch(`http://127.0.0.1:${this.#leader.restPort}/cluster`);
    const { members } = (await response.json()) as {
      readonly members: readonly { readonly name: string; readonly role: string }[];
    };
    const roleOf = ({ name }: PatroniMember) =>
      members.find((member) => member.name === name)?.role;
    if (roleOf(this.#leader) !== 'leader' || roleOf(this.#follower) !== 'sync_standby')
      return false;
    const following = `select from pg_stat_replication where sync_state = 'sync'`;
    return (await this.primary.query(following)).length > 0;
  }
}
