import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLines } from '../../test/run-command.ts';
import type { EndedProgram } from '../../test/start-program.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { isOnServer } from '../../test/which-database.ts';
import { writeEmptyDatabase } from '../../test/write-empty-database.ts';

// Command lines in this process. The tests of main.ts start some as processes.

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-command-line-'));
  await writeFile(join(folder, 'nobody.json'), '{}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Environment = Readonly<Record<string, string>>;

const runAll = (typed: readonly (readonly string[])[], env: Environment) =>
  runCommandLines(typed, { cwd: folder, env });

async function run(argv: readonly string[], env: Environment): Promise<EndedProgram> {
  const [ended] = await runAll([argv], env);
  return ended ?? expect.unreachable();
}

// What happens before a database is opened, or in the folder of the embedded one.
describe.skipIf(isOnServer)('a command line', () => {
  it('a command line is refused at once if DATA_DIR cannot be created', async () => {
    await writeFile(join(folder, 'a-file'), '');
    for (const dataDir of [join(folder, 'a-file'), join(folder, 'a-file/data'), '/proc/nope']) {
      const { code, stderr } = await run(['serve'], { DATA_DIR: dataDir });
      expect(code, dataDir).toBe(1);
      expect(stderr).toMatch(/^ {2}DATA_DIR: the folder .* cannot be created: .*[.]$/m);
    }
  });

  // CLI-6
  it('reads the settings of the service from --env-file', async () => {
    const dataDir = join(folder, 'of-the-service');
    const file = join(folder, 'podstead.env');
    const lines = ['# A comment', 'NODE_ENV=production', `DATA_DIR=${dataDir}`, "LOG_LEVEL='warn'"];
    await writeFile(file, lines.join('\n'));
    const env = { NODE_ENV: '', DATA_DIR: '', DATABASE_URL: '', SECRET: '' };
    const { stdout } = await run(['--env-file', 'podstead.env', 'config'], env);
    expect(JSON.parse(stdout)).toMatchObject({
      LOG_LEVEL: { value: 'warn', source: file },
    });
    const refused = await run(['user', 'list', `--env-file=${file}`], env);
    expect(refused.stderr).toContain(dataDir);
    const wrong = join(folder, 'misspelt.env');
    await writeFile(wrong, `NODE_ENV=production\nDATA_DIR=${dataDir}\nDATBASE_URL=postgres://x/y`);
    const given = { NODE_ENV: '', DATA_DIR: '', SECRET: '' };
    const misspelt = await run(['user', 'list', `--env-file=${wrong}`], given);
    expect(misspelt.stderr).toContain('DATBASE_URL is not a setting. Did you mean DATABASE_URL?');
    const missing = await run(['user', 'list', '--env-file', 'nowhere.env'], env);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('nowhere.env') });
  });
});

describe.skipIf(isOnServer)('a command in production', () => {
  // CLI-5
  it('creates no installation without --new', async () => {
    const dataDir = join(folder, 'nobody-made');
    const env = { DATA_DIR: dataDir };
    const refused = await run(['user', 'list'], env);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(dataDir);
    expect(refused.stderr).toMatch(/--env-file FILE, or add --new/);
    expect((await run(['worker'], env)).stderr).toContain('There is no installation');
    expect(existsSync(dataDir)).toBe(false);
    expect(await run(['user', 'list', '--new'], env)).toMatchObject({
      code: 0,
      stdout: '{"users":[]}\n',
    });
  });

  // CLI-5
  it('a command that creates an installation says where, once', async () => {
    const env = { NODE_ENV: '', DATA_DIR: join(folder, 'without-settings') };
    const created = await run(['user', 'list'], env);
    expect(created).toMatchObject({ code: 0, stdout: '{"users":[]}\n' });
    expect(created.stderr).toContain(`A new installation was created in ${env.DATA_DIR}, because`);
    expect(await run(['user', 'list'], env)).toMatchObject({ code: 0, stderr: '' });
  });

  it('creates no database in a folder that holds other files, but uses one that exists', async () => {
    const dataDir = join(folder, 'of-a-service-with-postgresql');
    await mkdir(join(dataDir, 'blobs'), { recursive: true });
    const env = { DATA_DIR: dataDir };
    const refused = await run(['user', 'list'], env);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`${dataDir} (DATA_DIR) contains no database`);
    expect(await readdir(dataDir)).toEqual(['blobs']);
    expect(await run(['seed', 'nobody.json'], env)).toMatchObject({ code: 0 });
    expect((await run(['user', 'list'], env)).code).toBe(0);
  });
});

describe.runIf(isOnServer)('a command in production, with PostgreSQL', () => {
  const hasTables = async ({ connection }: TestDatabase<unknown>) => {
    const found = `select to_regclass('schema_migrations') is not null as found`;
    return (await connection.pool.query(found)).rows[0].found;
  };
  const environment = (url: string) => ({
    DATABASE_URL: url,
    SECRET: 'x'.repeat(32),
    DATA_DIR: join(folder, 'data'),
  });

  it('creates tables in an empty database only with --new, and names the database', async () => {
    await using empty = await createTestDatabase<unknown>();
    await empty.connection.pool.query('drop schema public cascade; create schema public');
    const address = new URL(empty.url ?? expect.unreachable());
    address.password = 'very-secret';
    const env = environment(address.href);
    const refused = await run(['user', 'list'], env);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    const name = `${address.pathname.slice(1)} at ${address.hostname}:${address.port}`;
    expect(refused.stderr).toContain(`The database ${name} has no Podstead tables.`);
    expect(refused.stderr).toMatch(/Check DATABASE_URL\..*run `migrate` first/);
    expect(refused.stderr).not.toContain('very-secret');
    expect(await hasTables(empty)).toBe(false);
    expect((await run(['user', 'list', '--new'], env)).code).toBe(0);
    expect((await run(['user', 'list'], env)).code).toBe(0);
  });

  it.each([['migrate'], ['seed', 'nobody.json']])(
    'creates tables in an empty database: %s',
    async (...argv) => {
      await using empty = await createTestDatabase<unknown>();
      await empty.connection.pool.query('drop schema public cascade; create schema public');
      expect(await run(argv, environment(empty.url ?? ''))).toMatchObject({ code: 0 });
      expect(await hasTables(empty)).toBe(true);
    },
  );
});

// One of them has the database; the others ask it through its socket, or wait.
describe.skipIf(isOnServer)('commands without a server', () => {
  it('commands without a server run at the same time', async () => {
    const env = { DATA_DIR: join(folder, 'both') };
    await writeEmptyDatabase(env.DATA_DIR);
    const create = (name: string) => [
      ...['user', 'create', '--email', `${name}@example.com`],
      ...['--password', 'a good horse'],
    ];
    const ended = await runAll([create('ana'), create('bo'), create('cy')], env);
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it('commands wait for each other on a file system without sockets', async () => {
    const env = { DATA_DIR: join(folder, 'no-sockets') };
    await writeEmptyDatabase(env.DATA_DIR);
    await mkdir(join(env.DATA_DIR, 'podstead.sock/in-its-place'), { recursive: true });
    const ended = await runAll([['migrate'], ['migrate']], env);
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
  });
});
