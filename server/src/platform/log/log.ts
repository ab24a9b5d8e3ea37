import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines. By default on standard error: standard output belongs to what a command prints. */
export function createLog(level: LogLevel, destination: DestinationStream = stderr): Log {
  const timestamp = pino.stdTimeFunctions.isoTime;
  return pino({ level, base: null, timestamp, serializers: { err: describeError } }, destination);
}

/** Without the connection that the PostgreSQL driver hangs on its errors: pages of its insides. */
function describeError(error: Error): object {
  const { client: _client, ...rest } = pino.stdSerializers.err(error);
  return rest;
}

const stderr: DestinationStream = { write: (line) => process.stderr.write(line) };
