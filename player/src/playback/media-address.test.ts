import { describe, expect, it } from 'vitest';
import { markMediaAddress } from './media-address.ts';

const id = '0197a3c4-5d21-7b8e-9f10-6a2b3c4d5e6f';
const base = `https://pods.example/media/${id}`;

describe('markMediaAddress', () => {
  it('puts the marker between the episode and the file', () => {
    expect(markMediaAddress(`${base}/a.mp3`, id, { marker: 'p' })).toBe(`${base}/p/a.mp3`);
    expect(markMediaAddress(`${base}/a.mp3`, id, { marker: 'l' })).toBe(`${base}/l/a.mp3`);
  });

  it('names the page around a frame', () => {
    expect(
      markMediaAddress(`${base}/a.mp3`, id, { marker: 'p', framedBy: 'blog.example:8080' }),
    ).toBe(`${base}/p/a.mp3?r=blog.example%3A8080`);
  });

  it.each([
    '',
    'https://elsewhere.example/audio/a.mp3',
    `https://pods.example/media/${id.replace('0', '1')}/a.mp3`,
    `${base}/p/a.mp3`,
    `${base}/a.mp3?x=1`,
  ])('leaves %j alone', (url) => {
    expect(markMediaAddress(url, id, { marker: 'p', framedBy: 'blog.example' })).toBe(url);
  });
});
