import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { loadEnvFile } from '../config/env-file.ts';
import { parseSettings, readDotEnv, readEnvironment } from '../config/environment.ts';
import { findMisspeltSettings } from '../config/misspelt-settings.ts';
import { DatabaseInUseError } from '../platform/database/embedded/lock-file.ts';
import type { LogLevel } from '../platform/log/log-levels.ts';
import { UsageError } from './arguments.ts';
import type { Needs, Work } from './command.ts';
import { type CommandIo, printLine } from './command-io.ts';
import { commands } from './commands.ts';
import { callHost } from './control/call-host.ts';
import type { CommandRunner } from './control/serve-command.ts';
import { CommandError, describeFailure, isFault } from './describe-failure.ts';
import { findCommand } from './find-command.ts';
import type { Installation, InstallationOptions } from './installation.ts';
import { readProgramOptions } from './program-options.ts';

// The process that holds the database may be starting or stopping, and a slow machine takes its time.
const patienceMs = 60_000;
const retryMs = 100;

/**
 * Runs a command line and returns the exit code: 0, 1 for refused or failed, 2 for wrong usage.
 * Errors are printed, never thrown.
 */
export async function runCommandLine(typed: readonly string[], io: CommandIo): Promise<number> {
  return await settle(io, async () => {
    const { argv, envFile, isNew } = readProgramOptions(typed);
    const warnings =
      envFile === undefined ? [] : loadEnvFile(resolve(io.cwd, envFile), process.env);
    for (const warning of warnings) printLine(io, warning);
    const work = findWork(argv, io);
    if (work === undefined) return 0;
    const { needs } = work;
    const isCareful = needs === 'existing' || (process.env['NODE_ENV'] === 'production' && !isNew);
    if (isCareful && needs !== 'nothing') refuseNewInstallation(process.env, needs);
    const needsTables = needs === 'existing' || needs === 'installation';
    const opening = { stopping: io.signal, mayBegin: !isCareful || !needsTables };
    if (work.kind === 'app') return await runOnInstallation(work, argv, io, opening);
    await work.run(io, (config, options) =>
      open(config, config.logLevel, { ...opening, ...options }),
    );
    return 0;
  });
}

/** Returns how the process that holds `app` runs the commands of others. */
export function createCommandRunner(app: App): CommandRunner {
  return (argv, io) =>
    settle(io, async () => {
      const work = findWork(argv, io);
      if (work === undefined) return 0;
      if (work.kind !== 'app')
        throw new CommandError(
          'This command cannot run inside a server. Start it as its own process.',
        );
      await work.run(app, io);
      return 0;
    });
}

/** undefined: help was printed. */
function findWork(argv: readonly string[], io: CommandIo): Work | undefined {
  const request = findCommand(commands, argv);
  if (request.kind === 'command') return request.command.prepare(request.argv);
  io.stdout.write(request.text);
  return undefined;
}

async function runOnInstallation(
  work: Extract<Work, { kind: 'app' }>,
  argv: readonly string[],
  io: CommandIo,
  opening: Opening,
): Promise<number> {
  const config = loadConfig();
  for (const end = Date.now() + patienceMs; ; await sleep(retryMs)) {
    // Asking a running server is fast; opening the database is slow.
    const code = await tryCallHost(config, argv, io);
    if (code !== undefined) return code;
    io.signal.throwIfAborted();
    const isFirst = isWithoutDatabase(config);
    const opened = await tryOpen(() => open(config, quieter(config.logLevel), opening));
    if (!(opened instanceof DatabaseInUseError)) {
      await using installation = opened;
      io.signal.throwIfAborted();
      if (isFirst) printLine(io, describeCreation(config));
      await work.run(installation.app, io);
      return 0;
    }
    if (Date.now() > end) throw opened;
  }
}

function isWithoutDatabase({ database, dataDir }: Config): boolean {
  return database.kind === 'embedded' && !existsSync(join(dataDir, 'database'));
}

/** Who forgot the settings of a service would otherwise wonder where its users are. */
function describeCreation({ dataDir }: Config): string {
  return (
    `A new installation was created in ${dataDir}, because DATABASE_URL is unset.\n` +
    'To use another one, pass its settings with --env-file FILE.'
  );
}

/** Only the embedded database is held by a process. */
async function tryCallHost(
  { database, dataDir }: Config,
  argv: readonly string[],
  io: CommandIo,
): Promise<number | undefined> {
  return database.kind === 'embedded' ? await callHost(dataDir, argv, io) : undefined;
}

async function tryOpen(
  attempt: () => Promise<Installation>,
): Promise<Installation | DatabaseInUseError> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof DatabaseInUseError) return error;
    throw error;
  }
}

type Opening = Pick<InstallationOptions, 'stopping' | 'mayBegin' | 'migrations'>;

/** Loads the modules of an installation, half of the program, only now. */
async function open(config: Config, level: LogLevel, opening: Opening): Promise<Installation> {
  const [{ openInstallation }, { createLog }] = await Promise.all([
    import('./installation.ts'),
    import('../platform/log/log.ts'),
  ]);
  return await openInstallation(config, {
    log: createLog(level),
    ...opening,
    runCommand: createCommandRunner,
  });
}

/** A command prints its own messages; `info` is for servers. */
function quieter(level: LogLevel): LogLevel {
  return level === 'info' ? 'warn' : level;
}

async function settle(io: CommandIo, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) {
      io.stderr.write(`${error.message} See --help.\n`);
      return 2;
    }
    io.stderr.write(`${describeFailure(error)}\n`);
    if (isFault(error)) io.stderr.write(`${(error as Error).stack}\n`);
    return 1;
  }
}

/**
 * In production, a command that finds no installation probably lacks its settings, and would create
 * a second installation by mistake. Whether a PostgreSQL database is one is seen when it is opened.
 */
function refuseNewInstallation(env: NodeJS.ProcessEnv, needs: Needs): void {
  const dotEnv = readDotEnv(env);
  const misspelt = findMisspeltSettings(Object.keys({ ...dotEnv, ...env }));
  const settings = parseSettings(readEnvironment(env, dotEnv), misspelt);
  if (settings.DATABASE_URL !== undefined) return;
  const folder = resolve(settings.DATA_DIR);
  const isMissing = !existsSync(folder);
  // The first server beside us may still be creating the files in it.
  const isWithoutDatabase = needs !== 'database' && !existsSync(join(folder, 'database'));
  if (!isMissing && !isWithoutDatabase) return;
  const trouble = isMissing ? 'does not exist' : 'contains no database';
  throw new CommandError(
    [
      `There is no installation: DATABASE_URL is unset, and ${folder} (DATA_DIR) ${trouble}.`,
      ...(needs === 'existing'
        ? ["Pass the service's settings with --env-file FILE."]
        : [
            `This would create ${isMissing ? `${folder} with ` : ''}an embedded database, as the service's first`,
            "start does. Pass the service's settings with --env-file FILE, or add --new to create a new installation.",
          ]),
      ...misspelt,
    ].join('\n'),
  );
}
