import { extname } from 'node:path';
import { marked } from 'marked';
import { plainTextToHtml } from '../lib/html/plain-text-to-html.ts';
import { openRegularFile } from '../platform/files/open-regular-file.ts';
import { CommandError } from './describe-failure.ts';

// More than the limit for show notes in HTML.
const maxBytes = 2 * 1024 * 1024;

/** Reads a file of show notes as HTML, by its extension. The verb sanitizes it. */
export async function readNotes(path: string): Promise<string> {
  await using file = await openRegularFile(path);
  const { size } = await file.stat();
  if (size > maxBytes) throw new CommandError(`${path} is too large for show notes.`);
  const text = (await file.readFile('utf8')).replace(/^\uFEFF/, '');
  const extension = extname(path).toLowerCase();
  if (extension === '.html' || extension === '.htm') return text;
  if (extension === '.md' || extension === '.markdown') return marked.parse(text, { async: false });
  return plainTextToHtml(text);
}
