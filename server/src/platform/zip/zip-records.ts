/** The longest value of a field with 32 bits; it means that the value is in a Zip64 field. */
const full32 = 0xffff_ffff;
const full16 = 0xffff;
const pieceBytes = 64 * 1024;

/** What is known of a file before its content has been read. */
export interface ZipFile {
  /** In UTF-8, at most 65,535 bytes. */
  readonly name: Buffer;
  readonly modifiedAt: Date;
  readonly isDeflated: boolean;
  /** Whether its header announces sizes of 64 bits. */
  readonly hasLongSizes: boolean;
}

export interface ZipContent {
  readonly crc32: number;
  readonly sizeBytes: number;
  /** The size in the archive. */
  readonly storedBytes: number;
}

/** Precedes the content, so it has no checksum and no sizes: they are in the data descriptor. */
export function localHeader(file: ZipFile): Buffer {
  const extra = Buffer.concat([
    timeField(file.modifiedAt),
    file.hasLongSizes ? longField(0, 0) : Buffer.alloc(0),
  ]);
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  describeFile(header, 4, file, file.hasLongSizes);
  if (file.hasLongSizes) header.fill(0xff, 18, 26);
  header.writeUInt16LE(file.name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, file.name, extra]);
}

/** Follows the content. */
export function dataDescriptor(file: ZipFile, content: ZipContent): Buffer {
  const isLong = hasLongDescriptor(file, content);
  const descriptor = Buffer.alloc(isLong ? 24 : 16);
  descriptor.write('PK\x07\x08', 'latin1');
  descriptor.writeUInt32LE(content.crc32, 4);
  if (isLong) {
    writeUInt64(descriptor, content.storedBytes, 8);
    writeUInt64(descriptor, content.sizeBytes, 16);
  } else {
    descriptor.writeUInt32LE(content.storedBytes, 8);
    descriptor.writeUInt32LE(content.sizeBytes, 12);
  }
  return descriptor;
}

/**
 * If a file of unknown size turns out to be large, the header has not announced it. Readers that
 * follow the central directory don't mind.
 */
function hasLongDescriptor(file: ZipFile, { sizeBytes, storedBytes }: ZipContent): boolean {
  return file.hasLongSizes || sizeBytes >= full32 || storedBytes >= full32;
}

/**
 * The end of an archive: a record for each file, and where they begin. It keeps the bytes of the
 * records and nothing else: about 100 bytes for a file.
 */
export class CentralDirectory {
  readonly #pieces: Buffer[] = [];
  #last = Buffer.alloc(0);
  #lastBytes = 0;
  #sizeBytes = 0;
  #files = 0;

  /** `offset`: where its local header is in the archive. */
  add(file: ZipFile, content: ZipContent, offset: number): void {
    const record = directoryRecord(file, content, offset);
    if (this.#lastBytes + record.length > this.#last.length) {
      this.#pieces.push(this.#last.subarray(0, this.#lastBytes));
      this.#last = Buffer.alloc(Math.max(pieceBytes, record.length));
      this.#lastBytes = 0;
    }
    this.#lastBytes += record.copy(this.#last, this.#lastBytes);
    this.#sizeBytes += record.length;
    this.#files += 1;
  }

  /** Its bytes, if it begins at `offset`, in pieces of about 64 kB. */
  *write(offset: number): Generator<Buffer> {
    yield* this.#pieces;
    yield this.#last.subarray(0, this.#lastBytes);
    yield endRecords(this.#files, this.#sizeBytes, offset);
  }
}

function directoryRecord(file: ZipFile, content: ZipContent, offset: number): Buffer {
  const isLong = hasLongDescriptor(file, content) || offset >= full32;
  const extra = Buffer.concat([
    timeField(file.modifiedAt),
    isLong ? longField(content.sizeBytes, content.storedBytes, offset) : Buffer.alloc(0),
  ]);
  const record = Buffer.alloc(46);
  record.write('PK\x01\x02', 'latin1');
  record.writeUInt16LE((unix << 8) | 63, 4);
  describeFile(record, 6, file, isLong);
  record.writeUInt32LE(content.crc32, 16);
  record.writeUInt32LE(isLong ? full32 : content.storedBytes, 20);
  record.writeUInt32LE(isLong ? full32 : content.sizeBytes, 24);
  record.writeUInt16LE(file.name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt16LE(regularFile, 40);
  record.writeUInt32LE(isLong ? full32 : offset, 42);
  return Buffer.concat([record, file.name, extra]);
}

const unix = 3;
/** The mode `rw-r--r--`. */
const regularFile = 0o100644;
const descriptorFollows = 1 << 3;
const nameIsUtf8 = 1 << 11;
const deflated = 8;

/** Ten bytes that both headers have: version needed, flags, compression, time and date. */
function describeFile(header: Buffer, at: number, file: ZipFile, isLong: boolean): void {
  header.writeUInt16LE(isLong ? 45 : 20, at);
  header.writeUInt16LE(descriptorFollows | nameIsUtf8, at + 2);
  header.writeUInt16LE(file.isDeflated ? deflated : 0, at + 4);
  const { time, date } = dosTime(file.modifiedAt);
  header.writeUInt16LE(time, at + 6);
  header.writeUInt16LE(date, at + 8);
}

const firstDosMs = Date.UTC(1980, 0, 1);
const lastDosMs = Date.UTC(2107, 11, 31, 23, 59, 58);

/** In steps of two seconds. The format has no time zone for it; ours is UTC. */
function dosTime(at: Date): { readonly time: number; readonly date: number } {
  const utc = new Date(Math.min(Math.max(at.getTime(), firstDosMs), lastDosMs));
  return {
    time: (utc.getUTCHours() << 11) | (utc.getUTCMinutes() << 5) | (utc.getUTCSeconds() >> 1),
    date: ((utc.getUTCFullYear() - 1980) << 9) | ((utc.getUTCMonth() + 1) << 5) | utc.getUTCDate(),
  };
}

/** The exact time, which most readers prefer; nothing if 32 bits are too short for it. */
function timeField(at: Date): Buffer {
  const seconds = Math.floor(at.getTime() / 1000);
  if (Math.abs(seconds) > 0x7fff_ffff) return Buffer.alloc(0);
  const field = Buffer.alloc(9);
  field.write('UT', 'latin1');
  field.writeUInt16LE(5, 2);
  field.writeUInt8(1, 4);
  field.writeInt32LE(seconds, 5);
  return field;
}

/** The Zip64 field of a file. The fields of 32 bits in its header are full then. */
function longField(...values: number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(1);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) writeUInt64(field, value, 4 + 8 * index);
  return field;
}

function endRecords(files: number, sizeBytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Math.min(files, full16), 8);
  end.writeUInt16LE(Math.min(files, full16), 10);
  end.writeUInt32LE(Math.min(sizeBytes, full32), 12);
  end.writeUInt32LE(Math.min(offset, full32), 16);
  if (files < full16 && sizeBytes < full32 && offset < full32) return end;
  const long = Buffer.alloc(56);
  long.write('PK\x06\x06', 'latin1');
  writeUInt64(long, long.length - 12, 4);
  long.writeUInt16LE((unix << 8) | 63, 12);
  long.writeUInt16LE(45, 14);
  writeUInt64(long, files, 24);
  writeUInt64(long, files, 32);
  writeUInt64(long, sizeBytes, 40);
  writeUInt64(long, offset, 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  writeUInt64(locator, offset + sizeBytes, 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([long, locator, end]);
}

function writeUInt64(buffer: Buffer, value: number, at: number): void {
  buffer.writeBigUInt64LE(BigInt(value), at);
}
