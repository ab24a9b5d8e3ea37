import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './log-levels.ts';

export type Log = Logger;

/** JSON lines, on standard error by default: standard output is for the output of commands. */
export function createLog(level: LogLevel, destination: DestinationStream = stderr): Log {
  const timestamp = pino.stdTimeFunctions.isoTime;
  return pino({ level, base: null, timestamp, serializers: { err: describeError } }, destination);
}

function describeError(error: Error): object {
  return withoutSecrets(pino.stdSerializers.err(error));
}

/**
 * Without what drivers attach to errors, because it may contain a password or personal data: a connection
 * of PostgreSQL and the values of the row that it refuses, a command of Redis, which may be AUTH, and a URL
 * that is not valid.
 */
function withoutSecrets({
  aggregateErrors,
  ...described
}: ReturnType<typeof pino.stdSerializers.err>): object {
  const { client: _client, command, input: _input, detail, where, ...rest } = described;
  // What PostgreSQL says of a conflict between transactions names processes, not values.
  const isConflict = String(rest['code']).startsWith('40');
  return {
    ...rest,
    ...(typeof command === 'string' && { command }),
    ...(isConflict && { detail, where }),
    ...(aggregateErrors && { aggregateErrors: aggregateErrors.map(withoutSecrets) }),
  };
}

const stderr: DestinationStream = { write: (line) => process.stderr.write(line) };
