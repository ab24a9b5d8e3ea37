import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tryParseFileName, tryParseFileNameInLanguage } from './file-name.ts';

const id = '0197a3c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f';
const extensions = ['vtt', 'json'] as const;

it('reads the id and the extension', () => {
  expect(tryParseFileName(`${id}.vtt`, extensions)).toEqual({ id, extension: 'vtt' });
});

it.each([
  `${id}.vtt.junk`,
  `${id}.vtt.`,
  `${id}..vtt`,
  `${id}.VTT`,
  `${id}.srt`,
  `${id}vtt`,
  `${id}.`,
  id,
  `${id.toUpperCase()}.vtt`,
  `{${id}}.vtt`,
  ` ${id}.vtt`,
  'x.vtt',
  '',
])('reads nothing of %j', (segment) => {
  expect(tryParseFileName(segment, extensions)).toBeUndefined();
});

it('accepts only the canonical name of each file', () => {
  const near = fc.string({ unit: fc.constantFrom(...`${id}.VTvtjson`), maxLength: 45 });
  const segments = fc.oneof(
    near,
    fc.uuid().map((uuid) => `${uuid}.json`),
  );
  fc.assert(
    fc.property(segments, (segment) => {
      const read = tryParseFileName(segment, extensions);
      expect(read === undefined || `${read.id}.${read.extension}` === segment).toBe(true);
    }),
  );
});

it.each(['de', 'pt-BR', 'zh-Hant-TW', 'en-x-vtt'])('reads the language %s', (language) => {
  const expected = { id, language, extension: 'vtt' };
  expect(tryParseFileNameInLanguage(`${id}.${language}.vtt`, extensions)).toEqual(expected);
});

it.each([
  `${id}.vtt`,
  `${id}.DE.vtt`,
  `${id}.pt-br.vtt`,
  `${id}.pt_BR.vtt`,
  `${id}.iw.vtt`,
  `${id}..vtt`,
  `${id}.de`,
  `${id}.de.`,
  `${id}.de..vtt`,
  `${id}.de.vtt.vtt`,
  `${id}-de.vtt`,
  `${id}.de.srt`,
  `${id}.d e.vtt`,
  `${id}.${'de-'.repeat(1000)}.vtt`,
  id,
  '',
])('reads no language of %j', (segment) => {
  expect(tryParseFileNameInLanguage(segment, extensions)).toBeUndefined();
});
