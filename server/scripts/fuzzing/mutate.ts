/** Numbers from 0 to below 1 that depend on the seed only (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const interesting = [0, 1, 0x7f, 0x80, 0xfe, 0xff, 0x0a, 0x20, 0x22, 0x26, 0x3c, 0x5b, 0x7b];
const mostBytes = 4 * 1024 * 1024;

/** A file that is like one of these, but damaged in a few places. */
export function mutate(
  samples: readonly Buffer[],
  tokens: readonly Buffer[],
  random: () => number,
): Buffer {
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  let bytes = Buffer.from(pick(samples));
  const splice = (at: number, removed: number, inserted: Buffer) => {
    bytes = Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
  };
  const changes: readonly (() => void)[] = [
    () => bytes.fill(below(256), below(bytes.length + 1)).subarray(0, 0),
    () => {
      for (let count = 1 + below(8); count > 0 && bytes.length > 0; count -= 1) {
        bytes[below(bytes.length)] = random() < 0.5 ? pick(interesting) : below(256);
      }
    },
    () => splice(below(bytes.length + 1), below(64), Buffer.alloc(0)),
    () => splice(below(bytes.length + 1), below(4), pick(tokens)),
    () => {
      const from = below(bytes.length + 1);
      const piece = bytes.subarray(from, from + 1 + below(256));
      const count = Math.min(2 ** below(16), Math.floor(mostBytes / (piece.length + 1)));
      splice(below(bytes.length + 1), 0, Buffer.alloc(piece.length * count, piece));
    },
    () => splice(below(bytes.length + 1), 0, pick(samples).subarray(below(200))),
    () => splice(below(bytes.length + 1), bytes.length, Buffer.alloc(0)),
    () => {
      if (bytes.length >= 4)
        bytes.writeUInt32BE(pick([0, 1, 0xff, 2 ** 31, 2 ** 32 - 1]), below(bytes.length - 3));
    },
  ];
  // The first one is rare: it makes most files hopeless.
  for (let count = 1 + below(6); count > 0; count -= 1) {
    pick(random() < 0.02 ? changes : changes.slice(1))();
  }
  return bytes.subarray(0, mostBytes);
}
