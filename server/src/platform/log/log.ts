import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './log-levels.ts';

export type Log = Logger;

/** JSON lines, on standard error by default: standard output is for the output of commands. */
export function createLog(level: LogLevel, destination: DestinationStream = stderr): Log {
  const timestamp = pino.stdTimeFunctions.isoTime;
  return pino({ level, base: null, timestamp, serializers: { err: describeError } }, destination);
}

/**
 * Without what drivers attach to errors, because it may contain a password: a connection of PostgreSQL,
 * a command of Redis, which may be AUTH, and a URL that is not valid.
 */
function describeError(error: Error): object {
  const { client: _client, command, input: _input, ...rest } = pino.stdSerializers.err(error);
  return typeof command === 'string' ? { ...rest, command } : rest;
}

const stderr: DestinationStream = { write: (line) => process.stderr.write(line) };
