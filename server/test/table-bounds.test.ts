import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8');

const page = read('docs/tables.md');
const schema = read('server/schema.sql');
const sources = globSync('server/src/**/*.ts', { cwd: root });
const tables = [...schema.matchAll(/^create table (\w+) /gm)].map(([, name = '']) => name);
const rows = [...page.matchAll(/^\| `(\w+)` \| (.+?) \| `(\w+)`(?: in `([\w./-]+)`)? \|$/gm)].map(
  ([, table = '', bound = '', name = '', file]) => ({ table, bound, name, file }),
);

describe('docs/tables.md', () => {
  it('docs/tables.md has a bound for each table, or says that no request adds to it', () => {
    const [, others = ''] = page.split('## Not by requests of others');
    const named = [...others.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    expect([...rows.map(({ table }) => table), ...named].toSorted()).toEqual(tables.toSorted());
    // No line of a table that the pattern above has skipped.
    expect(page.match(/^\| `/gm)).toHaveLength(rows.length);
  });

  it.each(rows)('docs/tables.md names what bounds $table: $name', ({ name, file }) => {
    const files = sources.filter((path) => path.endsWith(`/${file}`));
    const text = file === undefined ? schema : files.map(read).join('\n');
    expect(text).toMatch(new RegExp(String.raw`\b${name}\b`));
  });
});
