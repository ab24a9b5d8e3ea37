import type { PostgresAddress } from './postgres-address.ts';
import { PostgresServer } from './postgres-server.ts';

/**
 * How the primary of a pair is lost. One that is frozen accepts connections, but doesn't respond.
 */
export type Exchange = 'kill' | 'freeze' | 'switchover';

/**
 * Two database servers: a primary, and a standby for which its commits wait. They can be exchanged in
 * several ways, so that a service on them can be measured in one.
 */
export interface DatabasePair extends AsyncDisposable {
  readonly servers: readonly [PostgresAddress, PostgresAddress];
  /** Which are which after the last exchange. */
  readonly primary: PostgresAddress;
  readonly standby: PostgresAddress;
  /** Ends the primary in this way. The standby may take over later: ask it whether it accepts writes. */
  exchange(how: Exchange): Promise<void>;
  /** After an exchange: both servers run, and commits of the new primary wait for the old one. */
  restore(): Promise<void>;
}

/** A pair without a cluster manager: the standby is promoted at once. */
export async function openHandledPair(): Promise<DatabasePair> {
  await using opened = new AsyncDisposableStack();
  let primary = opened.use(await PostgresServer.create());
  let standby = opened.use(await PostgresServer.createStandby(primary));
  const servers = [primary, standby] as const;
  let last: Exchange | undefined;
  const resources = opened.move();
  return {
    servers,
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    exchange: async (how) => {
      [primary, standby] = [standby, primary];
      last = how;
      if (how === 'kill') await standby.kill();
      else if (how === 'freeze') standby.freeze();
      else await standby.stop();
      await primary.promote();
    },
    restore: async () => {
      if (last === 'switchover') return await standby.rejoin(primary);
      // Nobody tells a frozen one that it is no longer the primary.
      await standby.kill();
      await standby.follow(primary);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
