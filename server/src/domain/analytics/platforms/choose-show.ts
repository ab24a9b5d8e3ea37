import { invalid } from '../../errors.ts';
import type { PlatformFile, PlatformShow } from './platform-figures.ts';

const mostNamed = 5;

/**
 * Chooses the show of a file by the podcast's title. A file of one show is taken under any name,
 * because shows are renamed; of several, the one with the title.
 */
export function chooseShow({ shows }: PlatformFile, title: string): PlatformShow {
  const [only, ...others] = shows;
  if (only === undefined) throw invalid('file', 'The file has a header and no rows.');
  if (others.length === 0) return only;
  const wanted = simplify(title);
  const named = shows.filter(({ name }) => name !== undefined && simplify(name) === wanted);
  if (named[0] !== undefined && named.length === 1) return named[0];
  const names = shows.slice(0, mostNamed).map(({ name = 'no name' }) => `"${name}"`);
  const more = shows.length > mostNamed ? ` and ${shows.length - mostNamed} more` : '';
  const message = `The file has several shows, none or more than one of them named "${title}".`;
  throw invalid('file', `${message} Found: ${names.join(', ')}${more}.`);
}

/** For a file that names one show under another title: it is the podcast's if an episode is. */
export function refuseForeignShow(show: PlatformShow, title: string, matched: number): void {
  const isOurs = show.name === undefined || simplify(show.name) === simplify(title);
  if (isOurs || matched > 0) return;
  throw invalid('file', `The file is of the show "${show.name}", not of "${title}".`);
}

const simplify = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
