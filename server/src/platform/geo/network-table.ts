/** Address ranges in ascending order, as bytes: 4 for each IPv4 address, 16 for IPv6. */
export interface NetworkRanges {
  readonly addressBytes: number;
  readonly starts: Uint8Array<ArrayBuffer>;
  /** The last address of each range. */
  readonly ends: Uint8Array<ArrayBuffer>;
  /** The network of each range, as an index. */
  readonly owners: Uint32Array<ArrayBuffer>;
}

export interface NetworkData {
  readonly ranges: readonly NetworkRanges[];
  /** The autonomous system number of each network. */
  readonly numbers: Uint32Array<ArrayBuffer>;
  /** The offset of each network's name in `names`, and the end of the last. */
  readonly nameOffsets: Uint32Array<ArrayBuffer>;
  /** UTF-8, concatenated. */
  readonly names: Uint8Array<ArrayBuffer>;
}

/**
 * Finds the network of an address. It stores numbers and bytes only, because half a million objects
 * are too many.
 */
export class NetworkTable {
  readonly #data: NetworkData;

  constructor(data: NetworkData) {
    this.#data = data;
  }

  /** `AS13335 Cloudflare, Inc.` for an address of 4 or 16 bytes. */
  find(address: Uint8Array): string | null {
    const ranges = this.#data.ranges.find((table) => table.addressBytes === address.length);
    const owner = ranges && findOwner(ranges, address);
    return owner === undefined ? null : this.#nameOf(owner);
  }

  #nameOf(owner: number): string {
    const { numbers, nameOffsets, names } = this.#data;
    const name = names.subarray(nameOffsets[owner], nameOffsets[owner + 1]);
    return `AS${numbers[owner]} ${Buffer.from(name).toString('utf8')}`.trim();
  }
}

function findOwner(ranges: NetworkRanges, address: Uint8Array): number | undefined {
  const { starts, ends, owners } = ranges;
  let [low, high] = [0, owners.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareAt(starts, middle, address) <= 0) low = middle + 1;
    else high = middle;
  }
  const index = low - 1;
  return index >= 0 && compareAt(ends, index, address) >= 0 ? owners[index] : undefined;
}

function compareAt(addresses: Uint8Array, index: number, address: Uint8Array): number {
  const begin = index * address.length;
  for (let offset = 0; offset < address.length; offset += 1) {
    const difference = (addresses[begin + offset] ?? 0) - (address[offset] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
