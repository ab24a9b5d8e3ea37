import { ProtocolError, protocolVersion } from './frames.ts';

/** How a caller introduces itself: what it wants carried out, and what its output looks like. */
export interface Hello {
  readonly version: number;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly isTerminal: boolean;
  readonly columns: number;
}

export function writeHello(hello: Omit<Hello, 'version'>): string {
  return JSON.stringify({ version: protocolVersion, ...hello });
}

/** Throws ProtocolError. Of another version's hello only the version is looked at. */
export function parseHello(payload: Buffer): Hello {
  const hello = parseObject(payload);
  const { version, argv, cwd, isTerminal, columns } = hello;
  if (typeof version !== 'number') throw new ProtocolError('a hello without a version');
  if (version !== protocolVersion) {
    throw new ProtocolError(
      'The server that holds the database runs another version of Podstead: restart it, then try again.',
    );
  }
  const isSound =
    Array.isArray(argv) &&
    argv.every((argument) => typeof argument === 'string') &&
    typeof cwd === 'string' &&
    typeof isTerminal === 'boolean' &&
    typeof columns === 'number';
  if (!isSound) throw new ProtocolError('a hello of another form');
  return { version, argv, cwd, isTerminal, columns };
}

function parseObject(payload: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(payload.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new ProtocolError('a hello that is no JSON object');
}
