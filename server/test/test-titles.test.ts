import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

/**
 * First words of titles that make no sense alone: prepositions, conjunctions, relative pronouns, a bare
 * negation, and verbs whose subject is elsewhere. A report of failures, a search and an outline show the
 * title of a test, or of a `describe`, without the other.
 */
const fragmentStarts = new Set([
  ...['about', 'after', 'against', 'at', 'before', 'beside', 'between', 'beyond', 'by', 'during'],
  ...['for', 'from', 'in'],
  ...['into', 'of', 'on', 'over', 'since', 'to', 'under', 'until', 'with', 'within', 'without'],
  ...['and', 'as', 'because', 'but', 'if', 'or', 'so', 'than', 'unless', 'when', 'where', 'while'],
  ...['that', 'which', 'who', 'whom', 'whose', 'also', 'nor', 'not'],
  ...['am', 'are', 'be', 'can', 'cannot', 'could', 'do', 'does', 'had', 'has', 'have', 'is', 'may'],
  ...['might', 'must', 'should', 'was', 'were', 'will', 'would'],
]);

it('every title of a test or a describe makes sense alone', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const files = globSync('{server,player,dashboard,plugins}/**/*.test.{ts,tsx}', {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  });
  const titles = files.flatMap((file) =>
    titlesIn(readFileSync(`${root}/${file}`, 'utf8')).map((title) => ({ file, title })),
  );
  expect(titles.length).toBeGreaterThan(3000);
  const fragments = titles.filter(({ title }) => {
    return fragmentStarts.has(/^[a-z]+\b/.exec(title)?.[0] ?? '');
  });
  expect(fragments).toEqual([]);
});

it('titles of `it`, `test`, `describe` and their tables are found', () => {
  const source = `
    it('one', () => it.skipIf(x)(\`two \${x}\`, f)); test.each([['not one']])("three", f);
    it.each\`a\`('four', f); describe.skipIf(x)('five', f); test.clock.set('not one'); is.it('not one')`;
  expect(titlesIn(source)).toEqual(['one', 'two ', 'three', 'four', 'five']);
});

/** Titles that are literals; of templates what precedes their first value. */
function titlesIn(source: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) titles.push(title.text);
      if (title !== undefined && ts.isTemplateExpression(title)) titles.push(title.head.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.test.ts', source, ts.ScriptTarget.Latest));
  return titles;
}

/** `it`, `it.each(…)`, `describe.runIf(…)` and the like, also with `each` of a tagged template. */
function isTest(called: ts.Expression): boolean {
  if (ts.isIdentifier(called)) return ['it', 'test', 'describe'].includes(called.text);
  if (ts.isTaggedTemplateExpression(called)) return isTestWith(called.tag, ['each', 'for']);
  return ts.isCallExpression(called)
    ? isTestWith(called.expression, ['each', 'for', 'runIf', 'skipIf'])
    : isTestWith(called, ['only', 'skip', 'concurrent', 'sequential', 'todo']);
}

function isTestWith(called: ts.Expression, modifiers: readonly string[]): boolean {
  if (!ts.isPropertyAccessExpression(called) || !modifiers.includes(called.name.text)) return false;
  return isTest(called.expression);
}
