import { tryParseObject } from '../../lib/parse-json.ts';
import { ProtocolError, protocolVersion } from './frames.ts';
import type { GivenSettings } from './given-settings.ts';

/** A caller's first message: its command and its terminal. */
export interface Hello {
  readonly version: number;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly isTerminal: boolean;
  readonly canAsk: boolean;
  readonly columns: number;
  /** What the caller's environment sets; callers of earlier versions do not say it. */
  readonly settings?: GivenSettings;
}

export function writeHello(hello: Omit<Hello, 'version'>): string {
  return JSON.stringify({ version: protocolVersion, ...hello });
}

/** Throws ProtocolError. For another version, reads only the version. */
export function parseHello(payload: Buffer): Hello {
  const hello = parseObject(payload);
  const { version, argv, cwd, isTerminal, canAsk, columns, settings = {} } = hello;
  if (typeof version !== 'number') throw new ProtocolError('a hello without a version');
  if (version !== protocolVersion) {
    throw new ProtocolError(
      'The server that uses the database runs another version of Podstead. Restart it, then try again.',
    );
  }
  const isSound =
    Array.isArray(argv) &&
    argv.every((argument) => typeof argument === 'string') &&
    typeof cwd === 'string' &&
    typeof isTerminal === 'boolean' &&
    typeof canAsk === 'boolean' &&
    typeof columns === 'number' &&
    isRecordOfTexts(settings);
  if (!isSound) throw new ProtocolError('a malformed hello');
  return { version, argv, cwd, isTerminal, canAsk, columns, settings };
}

function isRecordOfTexts(value: unknown): value is GivenSettings {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((text) => typeof text === 'string');
}

function parseObject(payload: Buffer): Record<string, unknown> {
  const value = tryParseObject(payload.toString('utf8'));
  if (value === undefined) throw new ProtocolError('a hello that is not a JSON object');
  return value;
}
