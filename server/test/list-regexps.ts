import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export interface FoundRegexp {
  /** `server/src/lib/slug.ts:7 /…/`. */
  readonly name: string;
  /** All of its file. */
  readonly text: string;
  readonly source: string;
  readonly flags: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const isOfTests = /\.(?:test|d)\.ts$/;

/** All literal regular expressions of the server and the player. */
export function listRegexps(): FoundRegexp[] {
  const files = globSync(['server/src/**/*.ts', 'player/src/**/*.ts'], { cwd: root });
  return files.filter((file) => !isOfTests.test(file)).flatMap(readFile);
}

function readFile(file: string): FoundRegexp[] {
  const source = readFileSync(`${root}/${file}`, 'utf8');
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
  const found: FoundRegexp[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
      found.push({
        name: `${file}:${line} ${node.text}`,
        text: source,
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
