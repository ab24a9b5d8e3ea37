import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.ts';
import { loadConfig } from '../config/config.ts';
import { DatabaseInUseError } from '../platform/database/lock-file.ts';
import { createLog, type Log, type LogLevel } from '../platform/log/log.ts';
import { UsageError } from './arguments.ts';
import type { Work } from './command.ts';
import type { CommandIo } from './command-io.ts';
import { commands } from './commands.ts';
import { callHost } from './control/call-host.ts';
import type { CarryOut } from './control/serve-caller.ts';
import { CommandError, describeFailure, isFault } from './describe-failure.ts';
import { findCommand } from './find-command.ts';
import { type Installation, openInstallation } from './installation.ts';

// Whoever holds the database may still be starting, or be about to end.
const patienceMs = 30_000;
const retryMs = 100;

/**
 * Carries out what was typed and returns the exit code: 0, 1 for refused or failed, 2 for wrongly
 * typed. What goes wrong is said, never thrown.
 */
export async function runCommandLine(argv: readonly string[], io: CommandIo): Promise<number> {
  return await settle(io, async () => {
    const work = findWork(argv, io);
    if (work === undefined) return 0;
    if (work.kind === 'app') return await runOnInstallation(work, argv, io);
    await work.run(io, (config) => open(config, createLog(config.logLevel), io.signal));
    return 0;
  });
}

/** How the process that holds `app` carries out what others typed. */
export function carryOutOn(app: App): CarryOut {
  return (argv, io) =>
    settle(io, async () => {
      const work = findWork(argv, io);
      if (work === undefined) return 0;
      if (work.kind !== 'app') throw new CommandError('This is a process of its own.');
      await work.run(app, io);
      return 0;
    });
}

/** undefined: help was asked for, and given. */
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
): Promise<number> {
  const config = loadConfig();
  const log = createLog(quieter(config.logLevel));
  for (const end = Date.now() + patienceMs; ; await sleep(retryMs)) {
    const opened = await tryOpen(() => open(config, log, io.signal));
    if (!(opened instanceof DatabaseInUseError)) {
      await using installation = opened;
      io.signal.throwIfAborted();
      await work.run(installation.app, io);
      return 0;
    }
    const code = await callHost(config.dataDir, argv, io);
    if (code !== undefined) return code;
    io.signal.throwIfAborted();
    if (Date.now() > end) throw opened;
  }
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

function open(
  config: ReturnType<typeof loadConfig>,
  log: Log,
  stopping: AbortSignal,
): Promise<Installation> {
  return openInstallation(config, { log, stopping, carryOut: carryOutOn });
}

/** A command's own words say what it does; `info` is how a server tells of its day. */
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
