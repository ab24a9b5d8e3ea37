import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines. By default on standard error: standard output belongs to what a command prints. */
export function createLog(level: LogLevel, destination: DestinationStream = stderr): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

const stderr: DestinationStream = { write: (line) => process.stderr.write(line) };
