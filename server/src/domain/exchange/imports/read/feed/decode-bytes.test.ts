import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFeed } from '../../../../../../test/parse-feed.ts';
import { createByteDecoder } from './decode-bytes.ts';

function decode(bytes: Buffer, charset?: string, size = bytes.length || 1): string {
  const decoder = createByteDecoder(charset);
  let text = '';
  for (let at = 0; at < bytes.length; at += size)
    text += decoder.write(bytes.subarray(at, at + size));
  return text + decoder.end();
}

function feed(title: string, encoding?: string): string {
  const declared = encoding === undefined ? '' : ` encoding="${encoding}"`;
  return `<?xml version="1.0"${declared}?><rss><channel><title>${title}</title></channel></rss>`;
}

const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('the encoding of a feed', () => {
  const cases: readonly (readonly [string, Buffer, string | undefined, string])[] = [
    ['none said', Buffer.from(feed('Größe ✓')), undefined, 'Größe ✓'],
    ['UTF-8 declared', Buffer.from(feed('Größe', 'utf8')), undefined, 'Größe'],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${feed('Größe')}`), 'iso-8859-1', 'Größe'],
    ['ISO-8859-1', Buffer.from(feed('Größe', 'ISO-8859-1'), 'latin1'), undefined, 'Größe'],
    ['behind blank lines', Buffer.from(`\n\n${feed('ö', 'latin1')}`, 'latin1'), undefined, 'ö'],
    ['windows-1252', Buffer.from(feed('\x93Hi\x94', 'windows-1252'), 'latin1'), undefined, '“Hi”'],
    ['KOI8-R by charset alone', Buffer.from(feed('\xcd\xc9\xd2'), 'latin1'), 'KOI8-R', 'мир'],
    ['charset before declaration', Buffer.from(feed('\xe9', 'koi8-r'), 'latin1'), 'latin1', 'é'],
    ['UTF-8 declared, charset wrong', Buffer.from(feed('é', 'UTF-8')), 'iso-8859-1', 'é'],
    [
      'UTF-16LE with a mark',
      Buffer.from(`\uFEFF${feed('é✓', 'utf-16')}`, 'utf16le'),
      undefined,
      'é✓',
    ],
    ['UTF-16BE with a mark', bigEndian(`\uFEFF${feed('é✓')}`), undefined, 'é✓'],
    ['UTF-16LE without', Buffer.from(feed('é✓'), 'utf16le'), undefined, 'é✓'],
    ['UTF-16BE without', bigEndian(feed('é✓')), undefined, 'é✓'],
    ['UTF-16 declared and untrue', Buffer.from(feed('é', 'UTF-16')), 'utf-16', 'é'],
    ['an unknown encoding', Buffer.from(feed('é', 'x-none')), 'nonsense', 'é'],
  ];

  it.each(cases)('the encoding of a feed is detected: %s', async (_name, bytes, charset, title) => {
    expect((await parseFeed(bytes, { charset })).podcast.title).toBe(title);
    expect(decode(bytes, charset, 1)).toBe(decode(bytes, charset));
  });
});

describe('UTF-8', () => {
  it('UTF-8 is decoded correctly in chunks of any size', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 2_000 }),
        fc.integer({ min: 1, max: 9 }),
        (text, size) => {
          const bytes = Buffer.from(`x${text}`);
          expect(decode(bytes, undefined, size)).toBe(bytes.toString());
        },
      ),
    );
  });

  it('decodes each invalid byte as windows-1252', () => {
    const bytes = Buffer.concat([
      Buffer.from('aé'),
      Buffer.from([0x93, 0xe9]),
      Buffer.from('b✓'),
      Buffer.from([0xe2, 0x9c]),
      Buffer.from('c'),
      Buffer.from([0xf0, 0x9f]),
    ]);
    expect(decode(bytes)).toBe('aé“éb✓âœcðŸ');
    for (const size of [1, 2, 3, 5]) expect(decode(bytes, undefined, size)).toBe(decode(bytes));
  });
});
