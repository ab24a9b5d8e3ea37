import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCollection, ownCases } from './collections.ts';

/** How a browser parses an http or https URL, in the form of the web platform's own tests. */
interface UrlCase {
  readonly input: string;
  /** The URL that `input` is relative to. */
  readonly base?: string | null;
  readonly failure?: true;
  readonly protocol?: string;
  readonly host?: string;
  readonly hostname?: string;
}

/** Absolute URLs: our own, and those of the collection on machines that have it. */
export function readUrlCases(): readonly UrlCase[] {
  const collection = findCollection('urls');
  const files = [join(ownCases, 'urls/hosts.json')];
  if (collection !== undefined) files.push(join(collection, 'whatwg-http.json'));
  const cases = files.flatMap((file): UrlCase[] => JSON.parse(readFileSync(file, 'utf8')));
  return cases.filter(({ base = null }) => base === null);
}
