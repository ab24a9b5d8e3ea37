import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './log-levels.ts';

export type Log = Logger;

/** JSON lines, on standard error by default: standard output is for the output of commands. */
export function createLog(level: LogLevel, destination: DestinationStream = stderr): Log {
  const timestamp = pino.stdTimeFunctions.isoTime;
  return pino({ level, base: null, timestamp, serializers: { err: describeError } }, destination);
}

/** Without the connection that the PostgreSQL driver attaches to errors. */
function describeError(error: Error): object {
  const { client: _client, ...rest } = pino.stdSerializers.err(error);
  return rest;
}

const stderr: DestinationStream = { write: (line) => process.stderr.write(line) };
