import { describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { CentralDirectory, dataDescriptor, localHeader, type ZipFile } from './zip-records.ts';

const gib = 2 ** 30;
const file = (name: string, hasLongSizes = false): ZipFile => {
  const modifiedAt = new Date('2026-03-10T12:00:00Z');
  return { name: Buffer.from(name), modifiedAt, isDeflated: false, hasLongSizes };
};
const content = (sizeBytes: number) => ({ crc32: 0, sizeBytes, storedBytes: sizeBytes });

/** The values of the Zip64 field at the end of a record; it follows the field of the time. */
const longValues = (record: Buffer, values: number) =>
  Array.from({ length: values }, (_, index) =>
    Number(record.readBigUInt64LE(record.length - 8 * (values - index))),
  );

/** The records alone. */
function directoryOf(...files: Parameters<CentralDirectory['add']>[]): Buffer {
  const directory = new CentralDirectory();
  for (const parts of files) directory.add(...parts);
  return Buffer.concat([...directory.write(0)].slice(0, -1));
}

describe('the records of a zip archive', () => {
  it.each([
    ['small files near the beginning', file('a'), 5, 5, undefined],
    ['the last offset of 32 bits', file('a'), 5, 2 ** 32 - 2, undefined],
    ['the first offset of 64 bits', file('a'), 5, 2 ** 32 - 1, [5, 5, 2 ** 32 - 1]],
    ['a large file', file('a', true), 5 * gib, 0, [5 * gib, 5 * gib, 0]],
    ['a large file of unknown size', file('a'), 5 * gib, 7 * gib, [5 * gib, 5 * gib, 7 * gib]],
    ['a file that remained small', file('a', true), 5, 0, [5, 5, 0]],
  ])(
    'sizes and offsets have 64 bits where they are needed: %s',
    (_, described, sizeBytes, offset, long) => {
      const record = directoryOf([described, content(sizeBytes), offset]);
      expect(record).toHaveLength(46 + 1 + 9 + (long === undefined ? 0 : 28));
      expect(record.readUInt16LE(6)).toBe(long === undefined ? 20 : 45);
      expect(record.readUInt32LE(42)).toBe(long === undefined ? offset : 0xffff_ffff);
      if (long !== undefined) expect(longValues(record, 3)).toEqual(long);
    },
  );

  it('a data descriptor has the sizes that the header announces, or those it needs', () => {
    expect(dataDescriptor(file('a'), content(5))).toHaveLength(16);
    expect(dataDescriptor(file('a', true), content(5))).toHaveLength(24);
    const unannounced = dataDescriptor(file('a'), content(5 * gib));
    expect(longValues(unannounced, 2)).toEqual([5 * gib, 5 * gib]);
    expect(localHeader(file('a'))).toHaveLength(30 + 1 + 9);
    expect(longValues(localHeader(file('a', true)), 2)).toEqual([0, 0]);
  });

  it('the time of a file is in the range of the format', () => {
    const at = (time: string) => localHeader({ ...file('a'), modifiedAt: new Date(time) });
    const dateOf = (header: Buffer) => header.readUInt16LE(12);
    expect(dateOf(at('1970-01-01T00:00:00Z'))).toBe((1 << 5) | 1);
    expect(dateOf(at('2200-01-01T00:00:00Z'))).toBe((127 << 9) | (12 << 5) | 31);
    expect(at('2038-01-19T03:14:07Z').readInt32LE(36)).toBe(2 ** 31 - 1);
    expect(at('2038-01-19T03:14:08Z')).toHaveLength(30 + 1);
  });

  it('the central directory is written in pieces of at most 64 KiB', () => {
    const directory = new CentralDirectory();
    for (let index = 0; index < 100_000; index += 1) {
      directory.add(file(`episodes/${index}/episode.json`), content(5), index);
    }
    const pieces = [...directory.write(5 * gib)];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(65_536);
    const end = pieces.at(-1) as Buffer;
    const recordBytes = Buffer.concat(pieces).length - end.length;
    expect(end).toHaveLength(56 + 20 + 22);
    expect(Number(end.readBigUInt64LE(32))).toBe(100_000);
    expect(Number(end.readBigUInt64LE(40))).toBe(recordBytes);
    expect(Number(end.readBigUInt64LE(48))).toBe(5 * gib);
    expect(Number(end.readBigUInt64LE(56 + 8))).toBe(5 * gib + recordBytes);
  });

  it('the central directory is readable with more than 65,535 files', async () => {
    const directory = new CentralDirectory();
    for (let index = 0; index < 65_540; index += 1) directory.add(file(`${index}`), content(5), 0);
    const zip = await fromBufferPromise(Buffer.concat([...directory.write(0)]));
    expect(zip.entryCount).toBe(65_540);
    let names = 0;
    for await (const { fileName } of zip.eachEntry()) {
      if (fileName === `${names}`) names += 1;
    }
    expect(names).toBe(65_540);
  });

  it('a name may have 65,535 bytes', () => {
    const record = directoryOf([file('a'.repeat(65_535)), content(5), 0]);
    expect(record.readUInt16LE(28)).toBe(65_535);
    expect(() => localHeader(file('a'.repeat(65_536)))).toThrow(RangeError);
  });
});
