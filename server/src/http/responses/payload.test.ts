import { randomBytes } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bytesOf, createPayload } from './payload.ts';

const decoders = {
  identity: (bytes: Buffer) => bytes,
  gzip: gunzipSync,
  br: brotliDecompressSync,
};

describe('createPayload', () => {
  it.each([0, 1, 600, 9_000, 300_000])('returns %i bytes unchanged', async (length) => {
    const body = Buffer.alloc(length, 'Ünï¢ødé \u0000 ☃ 🎙 ');
    const { variants } = await createPayload('text/plain', body);
    for (const [coding, decode] of Object.entries(decoders)) {
      const variant = variants[coding as keyof typeof decoders];
      const bytes = bytesOf(variant);
      const plain = variant === variants.identity ? bytes : decode(bytes);
      expect(plain.equals(body), coding).toBe(true);
      expect(variant.headers).toContain(String(bytes.length));
    }
  });

  it('sends what was compressed before', async () => {
    const body = Buffer.alloc(9_000, 'text');
    const compressed = { gzip: gzipSync(body, { level: 1 }), br: brotliCompressSync(body) };
    const { variants } = await createPayload('text/plain', body, { compressed });
    expect(bytesOf(variants.gzip)).toEqual(compressed.gzip);
    expect(bytesOf(variants.br)).toEqual(compressed.br);
  });

  it('keeps of a larger body no more than its own bytes', async () => {
    const { variants } = await createPayload('text/plain', randomBytes(9_000).toString('base64'));
    const { identity, gzip, br } = variants;
    expect(new Set([identity, gzip, br]).size).toBe(3);
    for (const variant of [identity, gzip, br]) {
      const { length, buffer } = bytesOf(variant);
      expect([length > 8_192, buffer.byteLength]).toEqual([true, length]);
    }
  });
});
