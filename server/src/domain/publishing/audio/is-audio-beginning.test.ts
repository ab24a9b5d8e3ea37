import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { isAudioBeginning } from './is-audio-beginning.ts';
import { makeTone } from './make-tone.ts';

const headBytes = 16_384;

it('recognizes the beginnings of all formats', async () => {
  const tone = await buffer(makeTone(5));
  expect(isAudioBeginning(tone.subarray(0, headBytes))).toBe(true);
  expect(isAudioBeginning(Buffer.concat([Buffer.alloc(4_000), tone.subarray(0, 9_000)]))).toBe(
    true,
  );
  for (const mark of ['ID3\u0004', 'fLaC', 'OggS', 'RIFF....WAVE', '....ftypM4A ']) {
    expect(isAudioBeginning(Buffer.from(mark.padEnd(100, '\0'), 'latin1')), mark).toBe(true);
  }
});

it('isAudioBeginning does not recognize other files', () => {
  for (const mark of [
    '%PDF-1.7',
    'PK\u0003\u0004',
    '\x89PNG\r\n\x1a\n',
    '<!doctype html>',
    'WEBVTT',
  ]) {
    const file = Buffer.from(mark.padEnd(headBytes, ' text'), 'latin1');
    expect(isAudioBeginning(file), mark).toBe(false);
  }
  const taken = Array.from({ length: 50 }, () => isAudioBeginning(randomBytes(headBytes)));
  expect(taken.filter(Boolean).length).toBeLessThan(5);
});
