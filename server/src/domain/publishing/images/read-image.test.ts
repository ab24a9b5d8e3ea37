import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { onReferenceMachine } from '../../../../test/reference-machine.ts';
import { artworkWarnings, comfortableImageBytes, type ImageRefusal, variantSize } from './image.ts';
import { measureSimilarity } from './measure-similarity.ts';
import { maxImageBytes, readImage } from './read-image.ts';

type Make = (width: number, height: number, alpha?: boolean) => ReturnType<typeof sharp>;

/** A picture with a dark left half, so that turning it shows. */
const picture: Make = (width, height, alpha = false) => {
  const channels = alpha ? 4 : 3;
  const light = alpha ? { r: 250, g: 200, b: 90, alpha: 0.3 } : { r: 250, g: 200, b: 90 };
  const dark = {
    create: { width: Math.ceil(width / 2), height, channels, background: '#102030' },
  } as const;
  return sharp({ create: { width, height, channels, background: light } }).composite([
    { input: dark, left: 0, top: 0 },
  ]);
};
const gps = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' } };

describe('pictures that are kept byte for byte', () => {
  it.each([
    ['a JPEG', () => picture(1400, 1400).jpeg().toBuffer(), 'image/jpeg', 'jpg'],
    ['a PNG', () => picture(1500, 1500).png().toBuffer(), 'image/png', 'png'],
    [
      'a PNG one can see through',
      () => picture(300, 200, true).png().toBuffer(),
      'image/png',
      'png',
    ],
    ['the largest', () => picture(3000, 3000).jpeg().toBuffer(), 'image/jpeg', 'jpg'],
    [
      'harmless notes',
      () =>
        picture(200, 200)
          .withExif({ IFD0: { Copyright: 'x' } })
          .jpeg()
          .toBuffer(),
      'image/jpeg',
      'jpg',
    ],
  ])('%s', async (_name, make, contentType, extension) => {
    const input = await make();
    const prepared = await readImage(input);
    expect(prepared.bytes.equals(input)).toBe(true);
    expect(prepared).toMatchObject({ contentType, extension });
    expect(prepared.sha256).toBe(createHash('sha256').update(input).digest('hex'));
    const { width, height } = await sharp(input).metadata();
    expect(prepared).toMatchObject({ width, height });
  });
});

describe('pictures of more than 512 kB', () => {
  const side = 1400;
  const random = (length: number): Buffer => {
    let last = 1;
    return Buffer.from(
      Array.from({ length }, () => {
        last = (last * 48_271) % 2_147_483_647;
        return last % 256;
      }),
    );
  };
  const noise = (channels: 3 | 4) =>
    sharp(random(side * side * channels), { raw: { width: side, height: side, channels } });
  /** Soft shapes with some grain. */
  async function photograph() {
    const few = sharp(random(60 * 60 * 3), { raw: { width: 60, height: 60, channels: 3 } });
    const data = await few.resize(side, side, { kernel: 'cubic' }).raw().toBuffer();
    const grain = random(data.length);
    for (let at = 0; at < data.length; at += 1) {
      data[at] = Math.min(255, (data[at] as number) + (grain[at] as number) / 42);
    }
    return sharp(data, { raw: { width: side, height: side, channels: 3 } });
  }

  it.each([
    ['JPEG', async () => (await photograph()).jpeg({ quality: 97 }).toBuffer()],
    ['PNG', async () => (await photograph()).png().toBuffer()],
  ])(
    'pictures of more than 512 kB become smaller JPEGs that look the same: a photograph as %s',
    async (_name, make) => {
      const input = await make();
      expect(input.length).toBeGreaterThan(comfortableImageBytes);
      const prepared = await readImage(input);
      expect(prepared.bytes.length).toBeLessThanOrEqual(comfortableImageBytes);
      expect(prepared).toMatchObject({ contentType: 'image/jpeg', extension: 'jpg', width: side });
      const data = await sharp(input).raw().toBuffer();
      const other = await sharp(prepared.bytes).raw().toBuffer();
      const size = { width: side, height: side, channels: 3 };
      expect(measureSimilarity({ data, ...size }, other)).toBeGreaterThan(0.95);
      // The same again changes nothing more.
      expect((await readImage(prepared.bytes)).bytes.equals(prepared.bytes)).toBe(true);
    },
  );

  it.each([
    ['noise, which would lose visibly', () => noise(3).png().toBuffer()],
    ['what one can see through', () => noise(4).png().toBuffer()],
  ])('pictures of more than 512 kB are kept: %s', async (_name, make) => {
    const input = await make();
    expect((await readImage(input)).bytes.equals(input)).toBe(true);
  });
});

describe('pictures that are written anew', () => {
  it('pictures that are written anew lose the place where they were taken, and all other metadata', async () => {
    for (const input of [
      await picture(400, 400)
        .withExif({ ...gps, IFD0: { Copyright: 'x' } })
        .jpeg()
        .toBuffer(),
      await picture(400, 400).withExif(gps).png().toBuffer(),
      await picture(400, 400)
        .withXmp('<x xmlns:exif="e"><exif:GPSLatitude>52,31.2N</exif:GPSLatitude></x>')
        .jpeg()
        .toBuffer(),
    ]) {
      const { bytes } = await readImage(input);
      expect(bytes.equals(input)).toBe(false);
      const { exif, xmp, iptc } = await sharp(bytes).metadata();
      expect({ exif, xmp, iptc }).toEqual({ exif: undefined, xmp: undefined, iptc: undefined });
    }
  });

  it('pictures that are written anew are upright', async () => {
    const input = await picture(600, 400).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const prepared = await readImage(input);
    expect(prepared).toMatchObject({ width: 400, height: 600, contentType: 'image/jpeg' });
    // After a quarter turn to the right, the left half is above, also in the variants.
    for (const bytes of [prepared.bytes, prepared.variants[0]!.bytes]) {
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      const top = data[Math.floor(info.width / 2) * 3]!;
      const bottom = data[data.length - Math.floor(info.width / 2) * 3]!;
      expect(top).toBeLessThan(60);
      expect(bottom).toBeGreaterThan(200);
    }
    expect((await sharp(prepared.bytes).metadata()).orientation).toBeUndefined();
  });

  it.each([
    ['a large JPEG', () => picture(4500, 3000).jpeg().toBuffer(), 'image/jpeg', 3000, 2000],
    ['WebP', () => picture(500, 300).webp().toBuffer(), 'image/jpeg', 500, 300],
    [
      'WebP one can see through',
      () => picture(500, 300, true).webp().toBuffer(),
      'image/png',
      500,
      300,
    ],
    [
      'WebP with an idle alpha channel',
      () =>
        sharp({ create: { width: 90, height: 90, channels: 4, background: '#334455' } })
          .webp()
          .toBuffer(),
      'image/jpeg',
      90,
      90,
    ],
    ['AVIF', () => picture(500, 300).avif({ effort: 0 }).toBuffer(), 'image/jpeg', 500, 300],
    ['GIF', () => picture(120, 90).gif().toBuffer(), 'image/jpeg', 120, 90],
    [
      'a JPEG for print',
      () => picture(200, 200).toColorspace('cmyk').jpeg().toBuffer(),
      'image/jpeg',
      200,
      200,
    ],
  ])('%s', async (_name, make, contentType, width, height) => {
    const prepared = await readImage(await make());
    expect(prepared).toMatchObject({ contentType, width, height });
    const written = await sharp(prepared.bytes).metadata();
    expect(written).toMatchObject({ width, height, space: 'srgb' });
    expect(`image/${written.format}`).toBe(contentType);
  });

  it('pictures that are written anew are the first frame of an animation', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#0000ff'].map((background) =>
        sharp({ create: { width: 64, height: 64, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const input = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(input).metadata()).pages).toBe(2);
    const prepared = await readImage(input);
    expect(prepared).toMatchObject({ width: 64, height: 64 });
    const { dominant } = await sharp(prepared.bytes).stats();
    expect(dominant.r).toBeGreaterThan(dominant.b);
  });
});

/** The box of a WebP file. */
function riff(name: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length & 1)]);
}

/** The same frame of one color again and again. */
async function webpAnimation(side: number, frames: number): Promise<Buffer> {
  const create = { width: side, height: side, channels: 3, background: '#336699' } as const;
  const still = await sharp({ create }).webp({ lossless: true, effort: 0 }).toBuffer();
  const last = Buffer.alloc(3);
  last.writeUIntLE(side - 1, 0, 3);
  const frame = riff('ANMF', Buffer.alloc(6), last, last, Buffer.alloc(4), still.subarray(12));
  return riff(
    'RIFF',
    Buffer.from('WEBP'),
    riff('VP8X', Buffer.from([2, 0, 0, 0]), last, last),
    riff('ANIM', Buffer.alloc(6)),
    Buffer.alloc(frame.length * frames, frame),
  );
}

it('an animation costs as much as its first frame', async () => {
  const input = await webpAnimation(2000, 2000);
  expect(await sharp(input, { limitInputPixels: false }).metadata()).toMatchObject({ pages: 2000 });
  const before = process.cpuUsage();
  expect(await readImage(input)).toMatchObject({ width: 2000, height: 2000 });
  const { user, system } = process.cpuUsage(before);
  // Unpacking all frames takes minutes.
  expect(onReferenceMachine((user + system) / 1000)).toBeLessThan(8_000);
});

describe('variants', () => {
  it.each([
    [1400, 1400],
    [3000, 1001],
    [100, 50],
    [1, 1],
    [640, 2],
    [4999, 3333],
  ])('%i × %i', async (width, height) => {
    const prepared = await readImage(await picture(width, height).jpeg().toBuffer());
    expect(prepared.variants.map(({ boxPx }) => boxPx)).toEqual([160, 320, 640]);
    for (const variant of prepared.variants) {
      const { format, ...size } = await sharp(variant.bytes).metadata();
      expect(format).toBe('jpeg');
      expect(size).toMatchObject({ width: variant.width, height: variant.height });
      expect(variantSize(prepared, variant.boxPx)).toEqual({
        width: size.width,
        height: size.height,
      });
      expect(Math.max(size.width, size.height)).toBe(
        Math.min(variant.boxPx, Math.max(prepared.width, prepared.height)),
      );
    }
  });

  it.each([
    [1601, 900, [160, 320, 640, 1600]],
    [1600, 900, [160, 320, 640]],
  ])('a picture of %i × %i across a page has the copies %j', async (width, height, boxes) => {
    const input = await picture(width, height).jpeg().toBuffer();
    const { variants } = await readImage(input, { isWide: true });
    expect(variants.map(({ boxPx }) => boxPx)).toEqual(boxes);
    const { bytes = Buffer.alloc(0), boxPx } = variants.at(-1) ?? {};
    expect((await sharp(bytes).metadata()).width).toBe(boxPx);
  });

  it('variants are white where the picture is transparent', async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const input = await sharp({ create: { width: 50, height: 50, channels: 4, background: clear } })
      .png()
      .toBuffer();
    const prepared = await readImage(input);
    const { channels } = await sharp(prepared.variants[0]!.bytes).stats();
    expect(channels.map(({ min }) => min)).toEqual([255, 255, 255]);
  });
});

describe('refusals', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const jpeg = () => picture(800, 800).jpeg().toBuffer();
  /** The head of a PNG that claims a size, without pixels. */
  const pngHead = async (width: number, height: number) => {
    const bytes = Buffer.from(await picture(2, 2).png().toBuffer());
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
    return bytes;
  };

  const webpHead = async (width: number, height: number) => {
    const bytes = await picture(2, 2).webp({ lossless: true }).toBuffer();
    // 14 bits for each side.
    bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), bytes.indexOf('VP8L') + 9);
    return bytes;
  };
  const avifHead = async (width: number, height: number) => {
    const bytes = await picture(64, 64).avif({ effort: 0 }).toBuffer();
    const size = bytes.indexOf('ispe') + 8;
    bytes.writeUInt32BE(width, size);
    bytes.writeUInt32BE(height, size + 4);
    return bytes;
  };

  it.each<[string, ImageRefusal, () => Buffer | Promise<Buffer>]>([
    ['nothing', 'empty', () => Buffer.alloc(0)],
    ['text', 'not_an_image', () => Buffer.from('hello')],
    ['a page', 'not_an_image', () => Buffer.from('<!doctype html><title>404</title>')],
    ['SVG', 'unsupported', () => Buffer.from(svg)],
    [
      'SVG with a prologue',
      'unsupported',
      () => Buffer.from(`<?xml version="1.0"?>\n<!-- x -->${svg}`),
    ],
    ['TIFF', 'unsupported', () => picture(9, 9).tiff().toBuffer()],
    ['BMP', 'unsupported', () => Buffer.from('424d46000000000000003600000028000000', 'hex')],
    ['a JPEG mark and SVG', 'damaged', () => Buffer.from(`\xff\xd8\xff${svg}`, 'latin1')],
    ['a JPEG cut off', 'damaged', async () => (await jpeg()).subarray(0, 2000)],
    [
      'a PNG cut off',
      'damaged',
      async () => (await picture(900, 900).png().toBuffer()).subarray(0, 900),
    ],
    ['a mark and nothing more', 'damaged', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    [
      'too many bytes',
      'too_many_bytes',
      async () => Buffer.concat([await jpeg(), Buffer.alloc(maxImageBytes)]),
    ],
    ['too wide', 'too_many_pixels', () => picture(6001, 2).jpeg().toBuffer()],
    ['a bomb', 'too_many_pixels', () => pngHead(60_000, 60_000)],
    ['a long bomb', 'too_many_pixels', () => pngHead(1, 30_000_000)],
    ['a WebP bomb', 'too_many_pixels', () => webpHead(16_000, 16_000)],
    ['an AVIF bomb', 'too_many_pixels', () => avifHead(30_000, 30_000)],
    ['an AVIF of another size than it says', 'damaged', () => avifHead(5000, 5000)],
    ['an animation of too many frames', 'too_complex', () => webpAnimation(16, 2001)],
    ['a size that is not there', 'damaged', () => pngHead(5000, 5000)],
  ])('%s: %s', async (_name, reason, make) => {
    await expect(readImage(await make())).rejects.toMatchObject({ name: 'ImageError', reason });
  });
});

describe('artworkWarnings', () => {
  it.each([
    [1400, 1400, 0],
    [3000, 3000, 0],
    [1399, 1399, 1],
    [3001, 3001, 1],
    [1600, 1500, 1],
    [300, 200, 2],
    [3200, 900, 3],
  ])('%i × %i: %i', (width, height, count) => {
    expect(artworkWarnings({ width, height })).toHaveLength(count);
  });
});
