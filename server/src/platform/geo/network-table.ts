/** Ranges of addresses in ascending order, as bytes: 4 for each address of IPv4, 16 of IPv6. */
export interface NetworkRanges {
  readonly addressBytes: number;
  readonly starts: Uint8Array<ArrayBuffer>;
  /** The last address of each. */
  readonly ends: Uint8Array<ArrayBuffer>;
  /** Of each range: which of the networks below. */
  readonly owners: Uint32Array<ArrayBuffer>;
}

export interface NetworkData {
  readonly ranges: readonly NetworkRanges[];
  /** Of each network: the number of its autonomous system. */
  readonly numbers: Uint32Array<ArrayBuffer>;
  /** Of each network: where its name begins in `names`; and where the last one ends. */
  readonly nameOffsets: Uint32Array<ArrayBuffer>;
  /** UTF-8, one after the other. */
  readonly names: Uint8Array<ArrayBuffer>;
}

/** Finds the network of an address, in numbers and bytes alone: half a million objects are too many. */
export class NetworkTable {
  readonly #data: NetworkData;

  constructor(data: NetworkData) {
    this.#data = data;
  }

  /** `AS13335 Cloudflare, Inc.` The address in 4 or 16 bytes. */
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
