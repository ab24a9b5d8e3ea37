import { closeSync, openSync, readSync } from 'node:fs';
import type { NetworkData, NetworkRanges } from './network-table.ts';

const comma = 0x2c;

/**
 * Reads files with lines of `start,end,number,name` in ascending order; addresses are decimal
 * numbers, names may be quoted. One file each for IPv4 and IPv6.
 */
export function readNetworks(paths: { ipv4: string; ipv6: string }): NetworkData {
  const networks = new NetworkCollector();
  const ranges = [readRanges(paths.ipv4, 4, networks), readRanges(paths.ipv6, 16, networks)];
  return { ranges, ...networks.collected() };
}

function readRanges(path: string, addressBytes: number, networks: NetworkCollector): NetworkRanges {
  const count = countLines(path);
  const starts = Buffer.from(new ArrayBuffer(count * addressBytes));
  const ends = Buffer.from(new ArrayBuffer(count * addressBytes));
  const owners = new Uint32Array(count);
  const write = addressBytes === 4 ? writeIpv4 : writeIpv6;
  let index = 0;
  for (const line of readLines(path)) {
    const second = line.indexOf(comma) + 1;
    const third = line.indexOf(comma, second) + 1;
    const fourth = line.indexOf(comma, third) + 1;
    write(starts, index, line.toString('latin1', 0, second - 1));
    write(ends, index, line.toString('latin1', second, third - 1));
    const number = Number(line.toString('latin1', third, fourth - 1));
    owners[index] = networks.place(number, () => line.toString('utf8', fourth));
    index += 1;
  }
  return { addressBytes, starts, ends, owners };
}

function countLines(path: string): number {
  let count = 0;
  for (const _ of readLines(path)) count += 1;
  return count;
}

function writeIpv4(addresses: Buffer, index: number, text: string): void {
  addresses.writeUInt32BE(Number(text), index * 4);
}

function writeIpv6(addresses: Buffer, index: number, text: string): void {
  const address = BigInt(text);
  addresses.writeBigUInt64BE(address >> 64n, index * 16);
  addresses.writeBigUInt64BE(address & 0xffff_ffff_ffff_ffffn, index * 16 + 8);
}

/** Stores each network once for all its ranges. */
class NetworkCollector {
  readonly #places = new Map<number, number>();
  readonly #names: string[] = [];

  place(number: number, readName: () => string): number {
    const known = this.#places.get(number);
    if (known !== undefined) return known;
    this.#places.set(number, this.#names.length);
    return this.#names.push(unquote(readName())) - 1;
  }

  collected(): Pick<NetworkData, 'numbers' | 'nameOffsets' | 'names'> {
    const nameOffsets = new Uint32Array(this.#names.length + 1);
    this.#names.forEach((name, index) => {
      nameOffsets[index + 1] = (nameOffsets[index] ?? 0) + Buffer.byteLength(name);
    });
    const names = Buffer.from(new ArrayBuffer(nameOffsets.at(-1) ?? 0));
    names.write(this.#names.join(''), 'utf8');
    return { numbers: Uint32Array.from(this.#places.keys()), nameOffsets, names };
  }
}

function unquote(field: string): string {
  return field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
}

const lineEnd = 0x0a;
/** Longer than any line. */
const pieceBytes = 256 * 1024;

/**
 * The lines of a file without their ends, for a thread that may wait for the disk. A line is valid
 * until the next one: the file is read in pieces, because all of it would take tens of megabytes.
 * Throws RangeError for a line that is longer than a piece.
 */
function* readLines(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.alloc(pieceBytes);
    let filled = 0;
    for (;;) {
      if (filled === piece.length) throw new RangeError(`${path} contains a line that is too long`);
      const read = readSync(file, piece, filled, piece.length - filled, null);
      filled += read;
      const known = piece.subarray(0, filled);
      let at = 0;
      for (let end = known.indexOf(lineEnd); end >= 0; end = known.indexOf(lineEnd, at)) {
        yield known.subarray(at, end);
        at = end + 1;
      }
      if (read === 0) {
        if (at < filled) yield known.subarray(at);
        return;
      }
      piece.copyWithin(0, at, filled);
      filled -= at;
    }
  } finally {
    closeSync(file);
  }
}
