import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { playerScript } from '../../embed/player-script.ts';
import { renderPlayerDocs } from './player-page.ts';

const page = renderPlayerDocs('https://play.example', 'https://pod.example').text;
const player = new URL('../../../../../player/src/', import.meta.url);
const types = readFileSync(new URL('../index.d.ts', player), 'utf8');
const read = (folder: string) =>
  readdirSync(new URL(folder, player))
    .map((name) => readFileSync(new URL(folder + name, player), 'utf8'))
    .join('\n');
const found = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].flatMap(([, names = '']) => names.split(' '))),
];

it("the documentation of the player has this installation's URL and version in its examples", () => {
  expect(page).toContain('src=&quot;https://play.example/player/v1.js&quot;');
  expect(page).toContain(`https://play.example/player/${playerScript.fileName}`);
  expect(page).toContain(playerScript.integrity);
  expect(page).not.toMatch(/(podcasts|files)\.example\.com|VERSION|INTEGRITY/);
});

it('shows a policy for the hosts of player and files', () => {
  expect(page).toContain('script-src https://play.example/player/;');
  expect(page).toContain('connect-src https://play.example https://pod.example;');
  expect(page).toContain('img-src https://pod.example; media-src https://pod.example<');
  const ofOne = renderPlayerDocs('https://pod.example', 'https://pod.example').text;
  expect(ofOne).toContain('connect-src https://pod.example;');
});

it("reserves the player's height in every example, and names every column", () => {
  const players = page.match(/&lt;podstead-player [\s\S]*?&gt;/g) ?? [];
  expect(players).toHaveLength(3);
  for (const player of players) expect(player).toMatch(/min-?height/i);
  expect(page).not.toContain('<th></th>');
});

it('links to its sections', () => {
  const [, contents = ''] = /<nav class="contents"[^>]*>(.*?)<\/nav>/s.exec(page) ?? [];
  const ids = found(contents, /href="#([\w-]+)"/g);
  expect(ids).toContain('integrity-and-policies');
  for (const id of ids) expect(page).toContain(`<h2 id="${id}">`);
});

it('documents every attribute, part, custom property and failure', () => {
  const options = readFileSync(new URL('options.ts', player), 'utf8');
  const [, listed = ''] = /export const attributes = \[(.*?)\]/s.exec(options) ?? [];
  const failures = /export type PlayerFailure =(.*?);/s.exec(types);
  const names = [
    ...found(listed, /'(\w+)'/g),
    ...found(read('view/'), /\bpart: '([\w -]+)'/g),
    ...found(read('styles/'), /var\((--podstead-\w+)/g),
    ...found(failures?.[1] ?? '', /'(\w+)'/g),
  ];
  expect(names.length).toBeGreaterThan(25);
  for (const name of names) expect(page, name).toContain(`<code>${name}`);
});

it('documents every event and method', () => {
  const [, union = ''] = /export type PlayerEventName =(.*?);/s.exec(types) ?? [];
  const events = found(union, /'(\w+)'/g);
  const [, element = ''] = /interface PodsteadPlayerElement .*?\{(.*?)\n\}/s.exec(types) ?? [];
  const members = found(element, /^ {2}(?:readonly )?(?!addEvent)([a-z]\w*)[(:]/gm);
  expect(events).toContain('timeupdate');
  expect(members).toContain('playbackRate');
  for (const name of [...events, ...members]) expect(page, name).toContain(`<code>${name}`);
});
