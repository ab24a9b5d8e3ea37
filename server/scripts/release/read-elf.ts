/** What a program or library for Linux says of itself. */
export interface ElfFile {
  readonly machine: 'amd64' | 'arm64' | 'other';
  /** The names of the libraries that it needs, such as `libc.so.6`. */
  readonly needed: readonly string[];
  /** The path of the loader, of programs alone. */
  readonly interpreter: string | undefined;
}

const magic = Buffer.from('\x7fELF');
const machines: ReadonlyMap<number, ElfFile['machine']> = new Map([
  [62, 'amd64'],
  [183, 'arm64'],
]);
const segment = { load: 1, dynamic: 2, interpreter: 3 };
const tag = { needed: 1n, strings: 5n };

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly bytes: number;
}

/** undefined: it isn't an ELF file of 64 bits in little-endian order. */
export function readElf(content: Uint8Array): ElfFile | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!bytes.subarray(0, 4).equals(magic) || bytes[4] !== 2 || bytes[5] !== 1) return undefined;
  const segments = readSegments(bytes);
  const interpreter = segments.find(({ type }) => type === segment.interpreter);
  return {
    machine: machines.get(bytes.readUInt16LE(18)) ?? 'other',
    needed: readNeeded(bytes, segments),
    interpreter: interpreter && readString(bytes, interpreter.offset),
  };
}

function readSegments(bytes: Buffer): readonly Segment[] {
  const start = Number(bytes.readBigUInt64LE(32));
  const [size, count] = [bytes.readUInt16LE(54), bytes.readUInt16LE(56)];
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * size;
    return {
      type: bytes.readUInt32LE(at),
      offset: Number(bytes.readBigUInt64LE(at + 8)),
      address: Number(bytes.readBigUInt64LE(at + 16)),
      bytes: Number(bytes.readBigUInt64LE(at + 32)),
    };
  });
}

function readNeeded(bytes: Buffer, segments: readonly Segment[]): readonly string[] {
  const dynamic = segments.find(({ type }) => type === segment.dynamic);
  if (dynamic === undefined) return [];
  const names: number[] = [];
  let strings = 0;
  for (let at = dynamic.offset; at < dynamic.offset + dynamic.bytes; at += 16) {
    const [key, value] = [bytes.readBigInt64LE(at), Number(bytes.readBigUInt64LE(at + 8))];
    if (key === tag.needed) names.push(value);
    if (key === tag.strings) strings = value;
  }
  // The table's place is an address in memory.
  const loaded = segments.find(
    ({ type, address, bytes: size }) =>
      type === segment.load && strings >= address && strings < address + size,
  );
  const table = strings - (loaded?.address ?? 0) + (loaded?.offset ?? 0);
  return names.map((name) => readString(bytes, table + name));
}

function readString(bytes: Buffer, start: number): string {
  return bytes.toString('latin1', start, bytes.indexOf(0, start));
}
