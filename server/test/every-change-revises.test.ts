import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const domain = fileURLToPath(new URL('../src/domain', import.meta.url));

/** Files that announce changes of fields that members do not edit. */
const exempt: readonly string[] = [
  'access/keys/cut-off-podcast-keys.ts', // keys of an API
  'publishing/audio/waveforms/draw-waveforms.ts', // drawn from the audio
];

it('every file that announces a change of a podcast or an episode makes a revision', () => {
  const forgetful = globSync('**/*.ts', { cwd: domain }).filter((file) => {
    if (file.endsWith('.test.ts') || exempt.includes(file)) return false;
    const text = readFileSync(`${domain}/${file}`, 'utf8');
    const announces = /announceChange\([^)]*'(?:podcast|episode)\.(?:status_)?changed'/.test(text);
    return announces && !/\brevise\(/.test(text);
  });
  expect(forgetful).toEqual([]);
});

it('every exempt file announces a change', () => {
  for (const file of exempt) {
    expect(readFileSync(`${domain}/${file}`, 'utf8')).toContain('announceChange(');
  }
});
