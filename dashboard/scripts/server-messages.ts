import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { translateTemplate } from '../../server/src/domain/foundation/emails/translate-template.ts';
import { readPo } from '../../server/src/lib/read-po.ts';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'server/src');
const emails = 'domain/foundation/emails';
/** `{locale}`: the language of a catalog. */
export const serverCatalogs = 'server/src/domain/foundation/translations/{locale}.po';

/** Where the server says something that only `say`, `write` and `message` mark. */
const speaking = [
  'http/app/pages/**/*.ts',
  'http/pages/home-page.ts',
  'domain/publishing/podcasts/team/*.ts',
  `${emails}/*.ts`,
];
const call = /\b(?:say|write|message)\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g;

/** The English texts of pages without scripts and of emails that the app's catalogs do not have. */
export function listServerMessages(): readonly string[] {
  const ofApp = readPo(readFileSync(join(root, 'dashboard/src/words/en.po'), 'utf8'));
  const found = new Set([...listMarked(), ...listOfTemplates()]);
  // A paragraph that is only a value has nothing to translate.
  return [...found].filter((text) => !ofApp.has(text) && !/^\{\w+\}$/.test(text)).sort();
}

function listMarked(): readonly string[] {
  const files = globSync(speaking, { cwd: source }).filter((file) => !file.endsWith('.test.ts'));
  return files.flatMap((file) => {
    const code = readFileSync(join(source, file), 'utf8');
    return [...code.matchAll(call)].map(([, literal = '']) => readLiteral(literal));
  });
}

/** The value of a string literal of TypeScript. */
function readLiteral(literal: string): string {
  const content = literal.slice(1, -1).replaceAll("\\'", "'");
  return JSON.parse(`"${literal.startsWith("'") ? content.replaceAll('"', '\\"') : content}"`);
}

function listOfTemplates(): readonly string[] {
  const found: string[] = [];
  for (const file of globSync(`${emails}/templates/*.md`, { cwd: source })) {
    translateTemplate(readFileSync(join(source, file), 'utf8'), (text) => {
      found.push(text);
      return text;
    });
  }
  return found;
}
