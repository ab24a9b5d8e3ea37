/** The parts of a picture's metadata that may say where it was taken. */
export interface ImageMetadata {
  readonly exif?: Buffer | undefined;
  readonly xmp?: Buffer | undefined;
  readonly iptc?: Buffer | undefined;
}

/** Whether a picture says where it was taken. Metadata that cannot be read counts as a yes. */
export function containsLocation({ exif, xmp, iptc }: ImageMetadata): boolean {
  if (exif !== undefined && exifHasGps(exif)) return true;
  if (xmp !== undefined && /GPS|photoshop:City|LocationCreated/.test(xmp.toString('latin1'))) {
    return true;
  }
  return iptc !== undefined && iptcHasPlace(iptc);
}

const gpsInfo = 0x8825;
const exifMark = 'Exif\0\0';

function exifHasGps(exif: Buffer): boolean {
  const marked = exif.toString('latin1', 0, exifMark.length) === exifMark;
  const tiff = marked ? exif.subarray(exifMark.length) : exif;
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return true;
  const read16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return true;
  const entries = read16(first);
  if (first + 2 + entries * 12 > tiff.length) return true;
  for (let entry = 0; entry < entries; entry += 1) {
    if (read16(first + 2 + entry * 12) === gpsInfo) return true;
  }
  return false;
}

// IPTC-IIM record 2: city, sublocation, province, country code, country name.
const placeDatasets = new Set([90, 92, 95, 100, 101]);

function iptcHasPlace(iptc: Buffer): boolean {
  for (let at = 0; at + 3 < iptc.length; at += 1) {
    const isDataset = iptc[at] === 0x1c && iptc[at + 1] === 2;
    if (isDataset && placeDatasets.has(iptc[at + 2] ?? 0)) return true;
  }
  return false;
}
