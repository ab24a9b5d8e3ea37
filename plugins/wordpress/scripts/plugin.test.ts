import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { zipPlugin } from './zip-plugin.ts';

const read = (name: string) =>
  readFileSync(new URL(`../podstead/${name}`, import.meta.url), 'utf8');

describe('the zip of the plugin', () => {
  it('the zip of the plugin has one folder with the plugin, its license and its translations', () => {
    const names = Object.keys(unzipSync(zipPlugin()));
    expect(names.every((name) => name.startsWith('podstead/'))).toBe(true);
    expect(names).toEqual(
      expect.arrayContaining([
        'podstead/podstead.php',
        'podstead/uninstall.php',
        'podstead/readme.txt',
        'podstead/LICENSE',
        'podstead/includes/class-podstead-sync.php',
        'podstead/languages/podstead.pot',
        'podstead/languages/podstead-de_DE.mo',
      ]),
    );
  });

  it('the zip of the plugin has the same bytes each time', () => {
    expect(Buffer.from(zipPlugin()).equals(zipPlugin())).toBe(true);
  });
});

describe('the version of the plugin', () => {
  it('the version of the plugin is the same everywhere', () => {
    const main = read('podstead.php');
    const [, header] = /^ \* Version: +(\S+)$/m.exec(main) ?? [];
    const [, constant] = /'PODSTEAD_VERSION', '(.*?)'/.exec(main) ?? [];
    const [, stable] = /^Stable tag: (\S+)$/m.exec(read('readme.txt')) ?? [];
    expect(header).toMatch(/^\d+\.\d+\.\d+$/);
    expect([constant, stable]).toEqual([header, header]);
  });
});

describe('translations', () => {
  const texts = (file: string) =>
    [...file.matchAll(/^msgid "(.+)"$/gm)].map(([, text]) => text).sort();

  it('translations have every text of the plugin', () => {
    const folder = fileURLToPath(new URL('../podstead/includes/', import.meta.url));
    const call = /\b(?:__|esc_html__|esc_attr__)\( '((?:[^'\\]|\\.)*)', 'podstead' \)/g;
    const used = globSync('*.php', { cwd: folder }).flatMap((name) =>
      [...read(`includes/${name}`).matchAll(call)].map(([, text]) => text),
    );
    expect(used.length).toBeGreaterThan(80);
    expect(texts(read('languages/podstead.pot'))).toEqual([...new Set(used)].sort());
  });

  it('translations are complete in German', () => {
    const german = read('languages/podstead-de_DE.po');
    expect(texts(german)).toEqual(texts(read('languages/podstead.pot')));
    expect(german).not.toMatch(/^msgstr ""\n(?!")/m);
    expect(german).not.toContain('fuzzy');
  });
});
