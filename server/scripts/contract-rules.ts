import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The numbered rules of docs/contract, and who cites them. */

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Rule {
  id: string;
  /** The name of its file in docs/contract. */
  page: string;
  /** On one line. */
  text: string;
}

interface Citation {
  id: string;
  /** The path of the file from the repository's root. */
  file: string;
  isTest: boolean;
}

const notRules = ['README.md', 'untested.md'];
const plannedPage = 'planned.md';

/** All rules, by page and number as the pages have them. */
export function readRules(): Rule[] {
  return globSync('docs/contract/*.md', { cwd: root })
    .sort()
    .map((path) => ({ path, page: path.slice(path.lastIndexOf('/') + 1) }))
    .filter(({ page }) => !notRules.includes(page))
    .flatMap(({ path, page }) => readItems(path).map(([id, text]) => ({ id, page, text })));
}

/** The rules that this version must obey: all but those of what is not built yet. */
export const isBuilt = (rule: Rule) => rule.page !== plannedPage;

/** Every place in code, tests and documents that names a rule, once for each file. */
export function findCitations(rules: readonly Rule[]): Citation[] {
  const prefixes = [...new Set(rules.map((rule) => rule.id.split('-')[0]))];
  const cited = new RegExp(`\\b(?:${prefixes.join('|')})-\\d+\\b`, 'g');
  return filesThatCite().flatMap((file) => {
    const text = readFileSync(`${root}/${file}`, 'utf8');
    const ids = [...(text.match(cited) ?? []), ...idsAlone(text)];
    return [...new Set(ids)].map((id) => ({ id, file, isTest: isTest(file) }));
  });
}

/** The ids of comments that contain nothing else, so that a mistyped prefix is noticed there. */
const idsAlone = (text: string) =>
  [...text.matchAll(/\/\/ ((?:[A-Z]+-\d+(?:, |$))+)$/gm)].flatMap(([, ids = '']) =>
    ids.split(', '),
  );

const isTest = (file: string) => /\.test\.tsx?$|\/test\//.test(file);

function filesThatCite(): string[] {
  return globSync(
    ['*.md', 'docs/**/*.md', '{bench,dashboard,player,plugins,server}/**/*.{md,php,sql,ts,tsx}'],
    {
      cwd: root,
      exclude: ['**/node_modules', '**/dist', 'server/test/contract.test.ts'],
    },
  ).sort();
}

/** The items `- **ID** text` of a page. Their text ends at the next item, heading or table. */
function readItems(path: string): [string, string][] {
  const text = readFileSync(`${root}/${path}`, 'utf8');
  return [...text.matchAll(/^- \*\*([A-Z]+-\d+)\*\* (.+(?:\n {2}\S.*)*)/gm)].map(
    ([, id = '', rule = '']) => [id, rule.replaceAll(/\s+/g, ' ')],
  );
}
