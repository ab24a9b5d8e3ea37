import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { languageIds } from '../../server/src/lib/languages.ts';
import { readPo } from '../../server/src/lib/read-po.ts';
import { listServerMessages, serverCatalogs } from './server-messages.ts';

/**
 * `npm run words`: writes the catalogs of what the server says. Keeps the translations of messages that
 * it still says; new ones are empty.
 */
const messages = listServerMessages();
for (const language of languageIds.filter((id) => id !== 'en')) {
  const path = join(import.meta.dirname, '../..', serverCatalogs.replace('{locale}', language));
  const before = existsSync(path) ? readPo(readFileSync(path, 'utf8')) : new Map<string, string>();
  const entries = messages.map((message) => writeEntry(message, before.get(message) ?? ''));
  writeFileSync(path, `${[writeHeader(language), ...entries].join('\n\n')}\n`);
  const missing = messages.filter((message) => !before.has(message)).length;
  if (missing > 0) process.stdout.write(`${path}: ${missing} to translate\n`);
}

function writeHeader(language: string): string {
  const fields = ['Content-Type: text/plain; charset=utf-8', `Language: ${language}`];
  return `msgid ""\nmsgstr ""\n${fields.map((field) => JSON.stringify(`${field}\n`)).join('\n')}`;
}

function writeEntry(message: string, translation: string): string {
  return `msgid ${JSON.stringify(message)}\nmsgstr ${JSON.stringify(translation)}`;
}
