import { AudioError } from '../audio-facts.ts';

/** Up to `length` bytes at `at`; fewer only at the end of the file. */
export type ReadBytes = (at: number, length: number) => Promise<Buffer>;

/** One box of an MP4 file: its body is [bodyAt, end). */
export interface Box {
  readonly name: string;
  readonly bodyAt: number;
  readonly end: number;
}

/**
 * Reads the headers of boxes and not their bodies. Gives up on files with very many boxes: a few
 * megabytes of empty ones keep general readers busy for half a minute.
 */
export interface BoxReader {
  /** The neighboring boxes in [from, to). Throws AudioError `damaged`. */
  list(from: number, to: number): Promise<Box[]>;
  children(box: Box): Promise<Box[]>;
  /** The first `length` bytes of the body at most. */
  read(box: Box, length: number): Promise<Buffer>;
  /** Other bytes of the file. */
  readAt(at: number, length: number): Promise<Buffer>;
}

// A fragment has seven boxes, so this is enough for four hours in fragments of a second.
const maxBoxes = 100_000;
const blockBytes = 4096;

export function boxReader(readBytes: ReadBytes, limit = maxBoxes): BoxReader {
  let left = limit;
  // Small boxes are close together, so one read gets the headers of many.
  let block: { readonly at: number; readonly bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) };

  async function readNear(at: number, length: number): Promise<Buffer> {
    const end = block.at + block.bytes.length;
    if (at < block.at || at + length > end) {
      block = { at, bytes: await readBytes(at, Math.max(length, blockBytes)) };
    }
    return block.bytes.subarray(at - block.at, at - block.at + length);
  }

  async function list(from: number, to: number): Promise<Box[]> {
    const boxes: Box[] = [];
    for (let at = from; at + 8 <= to; ) {
      left -= 1;
      const box = parseBox(await readNear(at, 16), at, to);
      if (left < 0 || box === undefined) {
        throw new AudioError('damaged', 'The MP4 file is cut off or damaged.');
      }
      boxes.push(box);
      at = box.end;
    }
    return boxes;
  }

  return {
    list,
    children: (box) => list(box.bodyAt, box.end),
    read: (box, length) => readNear(box.bodyAt, Math.min(length, box.end - box.bodyAt)),
    readAt: readNear,
  };
}

/** Undefined if the box exceeds the box that contains it. */
function parseBox(header: Buffer, at: number, limit: number): Box | undefined {
  if (header.length < 8) return undefined;
  const name = header.toString('latin1', 4, 8);
  const short = header.readUInt32BE(0);
  if (short === 0) return { name, bodyAt: at + 8, end: limit };
  if (short !== 1) {
    return short < 8 || at + short > limit ? undefined : { name, bodyAt: at + 8, end: at + short };
  }
  if (header.length < 16) return undefined;
  const long = Number(header.readBigUInt64BE(8));
  return long < 16 || at + long > limit ? undefined : { name, bodyAt: at + 16, end: at + long };
}
