import type { Box, BoxReader } from '../audio-formats/mp4-boxes.ts';

/** The place of a sample of a track in the file. */
export interface SamplePlace {
  readonly at: number;
  readonly bytes: number;
}

/** More than the tables of a thousand samples need. */
const maxTableBytes = 64 * 1024;

/** The first samples of a track, by the tables of its `stbl` (ISO 14496-12, 8.7). */
export async function readSamplePlaces(
  reader: BoxReader,
  tables: readonly Box[],
  limit: number,
): Promise<SamplePlace[]> {
  const sizes = parseSizes(await tableOf(reader, tables, 'stsz'), limit);
  const runs = parseRows(await tableOf(reader, tables, 'stsc'), 4, 3);
  const wide = await tableOf(reader, tables, 'co64');
  const offsets =
    wide.length > 0
      ? parseWide(wide)
      : parseRows(await tableOf(reader, tables, 'stco'), 4, 1).flat();
  const places: SamplePlace[] = [];
  let run = 0;
  for (const [index, offset] of offsets.entries()) {
    // Chunks are numbered from 1.
    while ((runs[run + 1]?.[0] ?? Number.POSITIVE_INFINITY) <= index + 1) run += 1;
    let at = offset;
    for (let sample = 0; sample < (runs[run]?.[1] ?? 1); sample += 1) {
      const bytes = sizes[places.length];
      if (bytes === undefined) return places;
      places.push({ at, bytes });
      at += bytes;
    }
  }
  return places;
}

/** When each of the first samples begins, in ticks of the track. */
export async function readSampleTimes(
  reader: BoxReader,
  tables: readonly Box[],
  count: number,
): Promise<number[]> {
  const times: number[] = [];
  let at = 0;
  for (const [samples = 0, ticks = 0] of parseRows(await tableOf(reader, tables, 'stts'), 4, 2)) {
    for (let sample = 0; sample < samples && times.length < count; sample += 1) {
      times.push(at);
      at += ticks;
    }
  }
  return times;
}

async function tableOf(reader: BoxReader, tables: readonly Box[], name: string): Promise<Buffer> {
  const box = tables.find((table) => table.name === name);
  return box === undefined ? Buffer.alloc(0) : await reader.read(box, maxTableBytes);
}

/** One size for all samples, or one for each. */
function parseSizes(table: Buffer, limit: number): number[] {
  if (table.length < 12) return [];
  const [each, count] = [table.readUInt32BE(4), Math.min(limit, table.readUInt32BE(8))];
  if (each > 0) return Array<number>(count).fill(each);
  return parseRows(table, 8, 1).flat().slice(0, count);
}

/** The rows of a table with that many words each, after a head that ends with their number. */
function parseRows(table: Buffer, countAt: number, words: number): number[][] {
  if (table.length < countAt + 4) return [];
  const there = Math.floor((table.length - countAt - 4) / (4 * words));
  return Array.from({ length: Math.min(there, table.readUInt32BE(countAt)) }, (_, row) =>
    Array.from({ length: words }, (_, word) =>
      table.readUInt32BE(countAt + 4 + (row * words + word) * 4),
    ),
  );
}

function parseWide(table: Buffer): number[] {
  if (table.length < 8) return [];
  const there = Math.floor((table.length - 8) / 8);
  return Array.from({ length: Math.min(there, table.readUInt32BE(4)) }, (_, row) =>
    Number(table.readBigUInt64BE(8 + row * 8)),
  );
}
