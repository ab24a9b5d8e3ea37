import { expect, test } from 'vitest';
import { type DataFile, packImage, unpackImage } from './image-format.ts';

const files: readonly DataFile[] = [
  ['base', null],
  ['base/1', new Uint8Array([0, 255, 1])],
  ['empty', new Uint8Array()],
];

test('an image restores every file and folder, in order', () => {
  expect(
    unpackImage(packImage(files)).map(([path, content]) => [path, content && [...content]]),
  ).toEqual([
    ['base', null],
    ['base/1', [0, 255, 1]],
    ['empty', []],
  ]);
});

test.each([
  ['cut', (image: Uint8Array) => image.subarray(0, -1)],
  [
    'changed',
    (image: Uint8Array) => image.map((byte, i) => (i === image.length - 1 ? ~byte : byte)),
  ],
])('a %s image is refused', (_name, damage) => {
  expect(() => unpackImage(damage(packImage(files)))).toThrow();
});
