import { ImageError } from './image.ts';

export type ImageKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif';

/** Recognizes the kind by the first bytes. Throws ImageError for kinds that are not accepted. */
export function detectImageKind(bytes: Buffer): ImageKind {
  const kind = kinds.find(({ isMine }) => isMine(bytes));
  if (kind !== undefined) return kind.kind;
  const refused = refusedKinds.find(({ isMine }) => isMine(bytes));
  if (refused !== undefined) {
    const instead = 'send a JPEG, PNG, WebP, GIF or AVIF file';
    throw new ImageError('unsupported', `${refused.name} images are not accepted; ${instead}.`);
  }
  throw new ImageError(
    'not_an_image',
    'The file is not an image. Send a JPEG, PNG, WebP, GIF or AVIF file.',
  );
}

type Test = (bytes: Buffer) => boolean;

const begins =
  (mark: string, at = 0): Test =>
  (bytes) =>
    bytes.toString('latin1', at, at + mark.length) === mark;
const all =
  (...tests: readonly Test[]): Test =>
  (bytes) =>
    tests.every((test) => test(bytes));
/** ISO base media with this major or compatible brand. */
const brands =
  (...names: readonly string[]): Test =>
  (bytes) => {
    if (!begins('ftyp', 4)(bytes)) return false;
    const end = Math.min(bytes.readUInt32BE(0), 256, bytes.length);
    const list = bytes.toString('latin1', 8, end);
    return names.some((name) => list.includes(name));
  };

const kinds: readonly { kind: ImageKind; isMine: Test }[] = [
  { kind: 'jpeg', isMine: begins('\xff\xd8\xff') },
  { kind: 'png', isMine: begins('\x89PNG\r\n\x1a\n') },
  { kind: 'webp', isMine: all(begins('RIFF'), begins('WEBP', 8)) },
  { kind: 'gif', isMine: (bytes) => begins('GIF87a')(bytes) || begins('GIF89a')(bytes) },
  { kind: 'avif', isMine: brands('avif', 'avis') },
];

const refusedKinds: readonly { name: string; isMine: Test }[] = [
  { name: 'SVG', isMine: (bytes) => /<svg[\s>]/i.test(bytes.toString('latin1', 0, 4096)) },
  { name: 'HEIC', isMine: brands('heic', 'heix', 'mif1', 'msf1') },
  { name: 'TIFF', isMine: (bytes) => begins('II*\0')(bytes) || begins('MM\0*')(bytes) },
  { name: 'BMP', isMine: all(begins('BM'), begins('\0\0\0\0', 6)) },
  { name: 'JPEG XL', isMine: (bytes) => begins('\xff\x0a')(bytes) || begins('JXL ', 4)(bytes) },
];
