import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { reliedSettings, sessionLimits } from './session-settings.ts';
import { UnpooledClient } from './unpooled-client.ts';
import { withinTime } from './within-time.ts';

/** What lasts from one transaction of a connection to its next. */
export interface ServerSessions {
  /** False behind a pooler that gives each transaction another session: no SET, LISTEN or lock lasts. */
  readonly areKept: boolean;
  /** Whether statements that are prepared by name can be run later. */
  readonly prepare: boolean;
  /** Whether the connection leads to PostgreSQL itself. */
  readonly areDirect: boolean;
  /** Run when a connection begins, if sessions are not kept: the pooler remembers these settings. */
  readonly remembered: string;
  /** For the log: what to set. */
  readonly advice: readonly string[];
}

export const directSessions: ServerSessions = {
  areKept: true,
  prepare: true,
  areDirect: true,
  remembered: '',
  advice: [],
};

/** The sessions behind a pooler have settings with which statements would return other values. */
class PoolerSettingsError extends Error {
  constructor(commands: string) {
    super(
      'DATABASE_URL points to a connection pooler in transaction mode, where Podstead can’t change the ' +
        `settings of its sessions. Run this in the database, and reconnect the pooler: ${commands}`,
    );
    this.name = 'PoolerSettingsError';
  }
}

const ANSWER_TIMEOUT_MS = 2_000;
const ROUNDS = 4;
/** Poolers follow changes of these, and restore them for each connection. */
const followed = new Set([
  'client_encoding',
  'timezone',
  'datestyle',
  'standard_conforming_strings',
]);
const equalZones = new Set(['UTC', 'Etc/UTC', 'Etc/UCT', 'UCT', 'Universal', 'Zulu', 'GMT']);

/**
 * Finds out by trying, because poolers don't say what they are. Throws PoolerSettingsError if the settings
 * of the sessions are wrong and can't be changed by a connection.
 */
export async function detectSessions(config: pg.ClientConfig): Promise<ServerSessions> {
  await using lines = new AsyncDisposableStack();
  const open = async () => {
    const line = lines.use(new UnpooledClient(config));
    await line.connect();
    return line.client;
  };
  const [first, second] = [await open(), await open()];
  if (!(await isShared(first, second))) return { ...directSessions, areDirect: false };
  const prepare = await keepsStatements(first, second);
  const { remembered, missingLimits } = await checkSettings(first, second);
  return {
    ...{ areKept: false, areDirect: false, prepare, remembered },
    advice: prepare ? missingLimits : [unpreparedAdvice, ...missingLimits],
  };
}

const unpreparedAdvice =
  'The pooler of DATABASE_URL keeps no prepared statements, so each one is parsed every time: use ' +
  'PgBouncer 1.21 or newer with max_prepared_statements, or session mode, if the database has much to do.';

/** Whether the second connection can get the session that the first one has just used. */
async function isShared(first: pg.Client, second: pg.Client): Promise<boolean> {
  // Poolers usually take the session that was free last. Others take turns.
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await askPid(first);
    await ask(second, 'begin');
    const others = await askPid(second);
    const after = await askPid(first);
    await ask(second, 'rollback');
    if (before !== after || others === before) return true;
    const [one, other] = await Promise.all([askPid(first), askPid(second)]);
    if (one !== before || one === other) return true;
  }
  return false;
}

/** Whether a statement can be run in another session than the one where it was prepared. */
async function keepsStatements(first: pg.Client, second: pg.Client): Promise<boolean> {
  const name = `podstead_${randomBytes(6).toString('hex')}`;
  const run = async () =>
    await withinTime(
      first.query<{ pid: number }>({ name, text: 'select pg_backend_pid() as pid' }),
      ANSWER_TIMEOUT_MS,
    );
  const pids = new Set<number | undefined>();
  try {
    for (let round = 0; round < ROUNDS && pids.size < 2; round += 1) {
      pids.add((await run()).rows[0]?.pid);
      await ask(second, 'begin');
      await askPid(second);
      pids.add((await run()).rows[0]?.pid);
      await ask(second, 'rollback');
    }
    return true;
  } catch {
    // The first session still has it, and this connection may be in that session.
    await ask(second, `deallocate ${name}`).catch(() => undefined);
    await ask(second, 'rollback').catch(() => undefined);
    return false;
  }
}

async function checkSettings(
  first: pg.Client,
  second: pg.Client,
): Promise<{ readonly remembered: string; readonly missingLimits: readonly string[] }> {
  let wrong = await findWrong(first);
  const toRemember = wrong.filter((name) => followed.has(name));
  const remembered = toRemember.map((name) => `set ${name} = ${reliedSettings[name]};`).join('');
  if (remembered !== '') {
    await ask(first, remembered);
    await ask(second, 'begin');
    await askPid(second);
    wrong = await findWrong(first);
    await ask(second, 'rollback');
  }
  const role = await askRole(first);
  const commands = (names: readonly string[], values: Readonly<Record<string, string | number>>) =>
    names.map((name) => `ALTER ROLE ${role} SET ${name} = ${values[name]};`).join(' ');
  if (wrong.length > 0) throw new PoolerSettingsError(commands(wrong, reliedSettings));
  const limits = await readSettings(first, Object.keys(sessionLimits));
  const missing = Object.keys(sessionLimits).filter((name) => limits.get(name) === '0');
  return {
    remembered,
    missingLimits:
      missing.length === 0
        ? []
        : [
            'Behind a pooler in transaction mode, statements have no limit of time unless the role has ' +
              `one. Run this in the database: ${commands(missing, sessionLimits)}`,
          ],
  };
}

async function findWrong(client: pg.Client): Promise<readonly string[]> {
  // To be slow is not to be wrong.
  const names = Object.keys(reliedSettings).filter((name) => name !== 'jit');
  const found = await readSettings(client, names);
  return names.filter((name) => {
    const value = found.get(name) ?? '';
    if (name === 'timezone') return !equalZones.has(value);
    return value !== String(reliedSettings[name]).replaceAll(`'`, '');
  });
}

async function readSettings(
  client: pg.Client,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const list = names.map((name) => `'${name}'`).join(', ');
  const query = client.query<{ name: string; value: string }>(
    `select name, current_setting(name) as value from unnest(array[${list}]) as names (name)`,
  );
  const { rows } = await withinTime(query, ANSWER_TIMEOUT_MS);
  return new Map(rows.map(({ name, value }) => [name, value]));
}

async function askRole(client: pg.Client): Promise<string> {
  const query = client.query<{ role: string }>('select quote_ident(current_user) as role');
  return (await withinTime(query, ANSWER_TIMEOUT_MS)).rows[0]?.role ?? 'CURRENT_USER';
}

async function askPid(client: pg.Client): Promise<number | undefined> {
  const query = client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return (await withinTime(query, ANSWER_TIMEOUT_MS)).rows[0]?.pid;
}

async function ask(client: pg.Client, text: string): Promise<void> {
  await withinTime(client.query(text), ANSWER_TIMEOUT_MS);
}
