import { expect, it } from 'vitest';
import {
  type EmbedLook,
  embedElementCode,
  embedFrameCode,
  embedHeight,
  isStart,
  plainLook,
} from './embed-code.ts';

const subject = {
  name: 'episode',
  id: 'ID',
  frameUrl: 'https://play.example/ep/ID',
  title: 'Tom & "Jerry" <3',
  scriptUrl: 'https://play.example/player/v1.js',
} as const;
const full: EmbedLook = {
  layout: 'compact',
  theme: 'dark',
  color: '#336699',
  start: '1:30',
  hasPlaylist: true,
};

it('the code of a player names only what was chosen, and escapes the title', () => {
  expect(embedFrameCode(subject, plainLook)).toBe(
    '<iframe src="https://play.example/ep/ID" title="Tom &amp; &quot;Jerry&quot; &lt;3" width="100%" height="180" frameborder="0" loading="lazy"></iframe>',
  );
  expect(embedElementCode(subject, plainLook)).toBe(
    '<podstead-player episode="ID" style="display:block;min-height:180px"></podstead-player><script async src="https://play.example/player/v1.js"></script>',
  );
});

it('the code of a player has the whole look', () => {
  expect(embedFrameCode(subject, full)).toContain(
    'src="https://play.example/ep/ID?layout=compact#t=1:30&amp;theme=dark&amp;color=336699&amp;playlist=5"',
  );
  expect(embedElementCode(subject, full)).toContain(
    '<podstead-player episode="ID" layout="compact" theme="dark" color="#336699" start="1:30" playlist="5"',
  );
  expect(embedHeight(full)).toBe(120 + 12 + 5 * 44);
});

it.each([
  ['90', true],
  ['1:30', true],
  ['1:02:03', true],
  ['1:61', false],
  ['', false],
  ['1:2:3:4', false],
  ['90"', false],
])('a player can start at “%s”: %s', (text, can) => {
  expect(isStart(text)).toBe(can);
});
