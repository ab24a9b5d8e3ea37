import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Figure, Group, Part } from '../bench.ts';
import { makeTempFolder } from '../temp-folder.ts';
import { openPages, type PublicPage, pictureHost } from './open-pages.ts';

/**
 * Not a dependency, because it takes 180 MB. `LIGHTHOUSE` names a folder where this version is installed;
 * otherwise npx installs it.
 */
const version = '13.5.0';

const aims = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 } as const;
type Category = keyof typeof aims;

export const lighthousePart: Part = {
  name: 'lighthouse',
  about: `the scores of Lighthouse ${version}, on its own slow telephone (LIGHTHOUSE: its folder)`,
  async measure({ signal, say }) {
    await using folder = await makeTempFolder();
    await using opened = await openPages(join(folder.path, 'data'), signal);
    const groups: Group[] = [];
    for (const page of opened.pages) {
      say(`  ${page.name}`);
      groups.push(await examine(page, join(folder.path, 'report.json'), signal));
    }
    return groups;
  },
};

interface Report {
  readonly categories: Record<Category, { score: number; auditRefs: { id: string }[] }>;
  readonly audits: Record<string, { title: string; score: number | null; displayValue?: string }>;
}

async function examine({ name, url, isIndexed }: PublicPage, path: string, signal: AbortSignal) {
  const flags = [
    ...[url, '--quiet', '--output=json', `--output-path=${path}`],
    `--blocked-url-patterns=${pictureHost}/*`,
    `--only-categories=${Object.keys(aims).join(',')}`,
    `--chrome-flags=--headless=new --no-sandbox`,
  ];
  const folder = process.env['LIGHTHOUSE'];
  const [command, ...before] =
    folder === undefined
      ? ['npx', '--yes', `lighthouse@${version}`]
      : [process.execPath, join(folder, 'node_modules/lighthouse/cli/index.js')];
  await promisify(execFile)(command, [...before, ...flags], { signal });
  const { categories, audits }: Report = JSON.parse(await readFile(path, 'utf8'));
  const figures = (Object.keys(aims) as Category[]).map((category): Figure => {
    const { score, auditRefs } = categories[category];
    const found = auditRefs
      .map(({ id }) => ({ id, ...audits[id] }))
      .filter((audit) => typeof audit.score === 'number' && audit.score < 1)
      .map(({ id, displayValue = '' }) => `${id} ${displayValue}`.trim());
    const note = score === 1 ? '' : found.join(', ');
    const value = score * 100;
    if (category === 'seo' && isIndexed === false) {
      return { name: category, value, unit: 'ratio', note: `not to be found: ${note}` };
    }
    return { name: category, value, unit: 'ratio', aim: { atLeast: aims[category] }, note };
  });
  return { title: name, figures };
}
