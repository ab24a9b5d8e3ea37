import { expect, it } from 'vitest';
import { detectExternalType } from './external-type.ts';

it.each([
  ['https://a.example/1.mp3', 'audio/mpeg', 'audio/mpeg'],
  ['https://a.example/1', 'Audio/MP3; x=1', 'audio/mpeg'],
  ['https://a.example/1.m4a', null, 'audio/mp4'],
  ['https://a.example/1.mp3', 'application/octet-stream', 'audio/mpeg'],
  ['https://a.example/1.mp3?x=.jpg', 'text/html', 'audio/mpeg'],
  ['https://a.example/play/123', null, 'audio/mpeg'],
  ['https://a.example/play.php?id=1', null, 'audio/mpeg'],
  ['https://a.example/film.mp4', 'video/mp4', 'video/mp4'],
  ['https://a.example/film.mov', null, 'video/quicktime'],
  ['https://a.example/1.mp3', 'application/pdf', 'audio/mpeg'],
])('tells the type of %s, declared as %s: %s', (url, declared, type) => {
  expect(detectExternalType(url, declared)?.contentType).toBe(type);
});

it.each([
  ['https://a.example/cover.jpg', 'image/jpeg'],
  ['https://a.example/cover.jpg', null],
  ['https://a.example/1.wma', 'audio/x-ms-wma'],
  ['https://a.example/1.wma', null],
  ['https://a.example/page', 'text/html'],
  ['https://a.example/notes.pdf', 'application/pdf'],
  ['https://a.example/notes.pdf', null],
  ['https://a.example/notes', 'application/pdf'],
])('%s, declared as %s, is not audio that we know', (url, declared) => {
  expect(detectExternalType(url, declared)).toBeUndefined();
});
