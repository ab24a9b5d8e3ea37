import { expect, it } from 'vitest';
import { printOf } from '../plan/imported-values.ts';
import { printTranscript } from './print-transcript.ts';

it('a transcript matches the fingerprint that earlier imports have stored', async () => {
  const segments = [
    { startMs: 0, endMs: 1000, speaker: 'Ana "A"', text: 'Hello \u2028 there' },
    { startMs: 1000, endMs: 2500, speaker: '', text: 'Bye' },
  ];
  const plain = ['en', segments.map((s) => [s.startMs, s.endMs, s.speaker, s.text])];
  expect(await printTranscript({ language: 'en', segments })).toEqual(printOf(plain));
  expect(await printTranscript({ language: 'en', segments: [] })).toEqual(printOf(['en', []]));
  expect(await printTranscript(undefined)).toEqual(printOf(undefined));
});
