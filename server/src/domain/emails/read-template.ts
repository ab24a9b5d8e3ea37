import { readFileSync } from 'node:fs';
import { lexer, type Token } from 'marked';
import type { EmailTemplate } from './email-templates.ts';

export interface ReadTemplate {
  readonly subject: string;
  /** Parsed by marked; texts still contain placeholders. */
  readonly body: readonly Token[];
}

const known = new Map<EmailTemplate, ReadTemplate>();

/** Reads and parses a template file once. */
export function readTemplate(name: EmailTemplate): ReadTemplate {
  const template = known.get(name) ?? parseTemplate(name);
  known.set(name, template);
  return template;
}

function parseTemplate(name: EmailTemplate): ReadTemplate {
  const source = readFileSync(new URL(`templates/${name}.md`, import.meta.url), 'utf8');
  const endOfSubject = source.indexOf('\n');
  return { subject: source.slice(0, endOfSubject), body: lexer(source.slice(endOfSubject)) };
}
