import { expect, it } from 'vitest';
import { tryParseAudioTarget } from './audio-target.ts';

const id = '01968f3e-7a10-7cc2-9d0c-0b1c2d3e4f50';
const episode = (marker?: string, framingHost?: string) => ({
  ...{ kind: 'episode', episodeId: id, marker, framingHost },
});

it.each([
  [`/media/${id}/f/one.mp3`, episode('f')],
  [`/media/${id}/one.mp3?download=1`, episode()],
  [`/media/${id}/p/one.mp3?r=blog.example&x=1`, episode('p', 'blog.example')],
  [`/media/${id}/p/one.mp3?r=a.example&r=b.example`, episode('p')],
  [`https://cdn.example/media/${id}/l/one.m4a`, episode('l')],
  [`/stored/audio/${id}.mp3`, { kind: 'blob', key: `audio/${id}.mp3` }],
  [`/bucket/a/prefix/audio/${id}.opus?x-amz-date=1`, { kind: 'blob', key: `audio/${id}.opus` }],
])('finds audio at %s', (target, found) => {
  expect(tryParseAudioTarget(target)).toEqual(found);
});

it.each([
  '/',
  '/feeds/show.xml',
  `/media/${id}/x/one.mp3`,
  `/media/${id}/f/`,
  `/media/${id.toUpperCase()}/f/one.mp3`,
  `/images/${id}.jpg`,
  `/audio/${id}.mp3/x`,
  `/media/${id}/f/${'x'.repeat(9_000)}`,
])('finds none at %s', (target) => {
  expect(tryParseAudioTarget(target)).toBeUndefined();
});
