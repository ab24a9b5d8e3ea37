const id3v1Bytes = 128;

/**
 * The length of the tag that begins at `at`; 0: there is none. ID3v2, APE (with its header), or
 * ID3v1. Tags are before, behind and, in joined files, between the frames.
 */
export function tagBytesAt(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first === 0x49) return id3v2BytesAt(bytes, at);
  if (first === 0x41) return apeBytesAt(bytes, at);
  if (first === 0x54) return bytes.toString('latin1', at, at + 3) === 'TAG' ? id3v1Bytes : 0;
  return 0;
}

/** The length of ID3v2 (any version) with header, padding and footer; 0 if none begins here. */
export function id3v2BytesAt(bytes: Buffer, at: number): number {
  if (at + 10 > bytes.length || bytes.toString('latin1', at, at + 3) !== 'ID3') return 0;
  const [major = 0xff, revision = 0xff, flags = 0] = bytes.subarray(at + 3, at + 6);
  if (major === 0xff || revision === 0xff) return 0;
  let size = 0;
  for (const byte of bytes.subarray(at + 6, at + 10)) {
    if (byte > 0x7f) return 0;
    size = size * 128 + byte;
  }
  const footer = (flags & 0x10) === 0 ? 0 : 10;
  return 10 + size + footer;
}

const apeIsHeader = 0x2000_0000;
const apeHasHeader = 0x8000_0000;

function apeBytesAt(bytes: Buffer, at: number): number {
  if (at + 32 > bytes.length || bytes.toString('latin1', at, at + 8) !== 'APETAGEX') return 0;
  const isHeader = (bytes.readUInt32LE(at + 20) & apeIsHeader) !== 0;
  return isHeader ? 32 + bytes.readUInt32LE(at + 12) : 0;
}

/**
 * The length of the tag at the end of `tail` (the file's last bytes). Call it again with the
 * shorter tail until it is 0. It may exceed the tail, because an APE tag's own length is not
 * checked here.
 */
export function trailingTagBytes(tail: Buffer): number {
  const v1 = tail.length - id3v1Bytes;
  if (v1 >= 0 && tail.toString('latin1', v1, v1 + 3) === 'TAG') return id3v1Bytes;
  const footer = tail.length - 32;
  if (footer >= 0 && tail.toString('latin1', footer, footer + 8) === 'APETAGEX') {
    const flags = tail.readUInt32LE(footer + 20);
    return tail.readUInt32LE(footer + 12) + ((flags & apeHasHeader) === 0 ? 0 : 32);
  }
  const lyrics = tail.length - 15;
  if (lyrics >= 0 && tail.toString('latin1', lyrics + 6) === 'LYRICS200') {
    const size = Number(tail.toString('latin1', lyrics, lyrics + 6));
    return Number.isInteger(size) && size > 0 ? size + 15 : 0;
  }
  return 0;
}
