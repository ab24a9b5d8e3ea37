import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commands } from '../src/cli/commands.ts';

/** Everything that the documents name exists. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const documents = globSync(
  ['*.md', 'docs/**/*.md', '{bench,dashboard,player,plugins,server}/**/README.md'],
  { cwd: root, exclude: ['**/node_modules/**'] },
).map((file) => [file, read(file)] as const);
const files = globSync(['*', '{.ci,bench,dashboard,deploy,docs,player,plugins,server}/**/*'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
});
const all = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

describe('documents', () => {
  it.each(documents)('%s has no broken links', (document, text) => {
    const links = [...all(text, /\]\(([^)#:]+)\)/g), ...all(text, /src="([^":]+)"/g)];
    for (const link of links) {
      // The server makes its pages about itself of these files: /docs/sites of docs/sites.md.
      const file = link.startsWith('/docs/') ? `${link}.md` : join(dirname(document), link);
      expect(existsSync(join(root, file)), link).toBe(true);
    }
  });

  it('documents name existing files, by the end of their path', () => {
    const named = documents.flatMap(([, text]) =>
      all(text, /`(\w[\w./-]+\/[\w.-]+[.](?:ts|json|cjs|yaml|sql|md))`/g),
    );
    expect(named).toContain('config/settings.ts');
    for (const name of named.filter((name) => !name.includes('NNNN'))) {
      expect(
        files.some((file) => `/${file}`.endsWith(`/${name}`)),
        name,
      ).toBe(true);
    }
  });

  it('documents name existing scripts and commands', () => {
    const text = documents.map(([, text]) => text).join('\n');
    const scriptsOf = (folder: string) => JSON.parse(read(join(folder, 'package.json'))).scripts;
    for (const [, name = '', workspace = '.'] of text.matchAll(
      /npm run (?:-s )?([\w:-]+)(?: -w (\w+))?/g,
    )) {
      expect(scriptsOf(workspace)).toHaveProperty([name]);
    }
    const known = commands.map((command) => command.name);
    const typed = all(text, /(?:npm run -s podstead --|^podstead) ([a-z]+(?: [a-z]+)?)/gm);
    expect(typed).toContain('user create');
    for (const words of typed) {
      const [family = ''] = words.split(' ', 1);
      const isKnown =
        known.includes(family) || known.some((name) => `${name} `.startsWith(`${words} `));
      expect(isKnown, words).toBe(true);
    }
  });
});

const isContract = (file: string) => file.startsWith('docs/contract/');

// LIM-14
it('no document or description of the API promises an availability in percent', () => {
  const promise =
    /\b\d+(?:\.\d+)? ?%[^.]*\b(?:available|availability|uptime)\b|\b(?:availability|uptime)\b(?:[^.]|\.\d)*%|\bSLA\b/i;
  expect('The API has an availability of 99.9 %.').toMatch(promise);
  const texts = [...documents, ['v1.json', read('server/openapi/v1.json')] as const];
  const promising = texts.filter(([file, text]) => !isContract(file) && promise.test(text));
  expect(promising.map(([file]) => file)).toEqual([]);
});

describe('decision records', () => {
  const folder = 'docs/decisions';
  const records = globSync('0*.md', { cwd: join(root, folder) }).sort();

  it('decision records have consecutive numbers, and the index lists all of them', () => {
    expect(records.map((name) => Number(name.slice(0, 4)))).toEqual(
      records.map((_, index) => index + 1),
    );
    expect(all(read(join(folder, 'README.md')), /\]\((0\d{3}-.+?\.md)\)/g)).toEqual(records);
  });

  it.each(records)('%s has its title, and says whether it is in force', (name) => {
    const text = read(join(folder, name));
    expect(text).toMatch(new RegExp(`^# ${name.slice(0, 4)}: `));
    expect(text).toMatch(/^Status: (?:in force|(?:partly )?superseded by \[\d{4}\])/m);
  });
});

describe('the front pages', () => {
  it.each([
    ['README.md', 8],
    ['ARCHITECTURE.md', 10],
  ])('%s has at most %d kB', (file, kilobytes) => {
    expect(Buffer.byteLength(read(file))).toBeLessThanOrEqual(kilobytes * 1000);
  });
});
