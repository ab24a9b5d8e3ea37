import { readFileSync } from 'node:fs';
import { lexer, type Token } from 'marked';
import type { LetterTemplate } from './letter-templates.ts';

export interface ReadTemplate {
  readonly subject: string;
  /** Markdown as marked reads it; its texts still hold placeholders. */
  readonly body: readonly Token[];
}

const known = new Map<LetterTemplate, ReadTemplate>();

/** A template as its file says it, read once. */
export function readTemplate(name: LetterTemplate): ReadTemplate {
  const template = known.get(name) ?? parseTemplate(name);
  known.set(name, template);
  return template;
}

function parseTemplate(name: LetterTemplate): ReadTemplate {
  const source = readFileSync(new URL(`templates/${name}.md`, import.meta.url), 'utf8');
  const endOfSubject = source.indexOf('\n');
  return { subject: source.slice(0, endOfSubject), body: lexer(source.slice(endOfSubject)) };
}
