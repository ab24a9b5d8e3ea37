import { isShortUrl } from '../../../lib/web-url.ts';
import type { DirectoryStatus } from '../../foundation/enumerations.ts';
import type { ErrorDetail, SaidMessage } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import list from './directories.json' with { type: 'json' };

/** A directory of podcasts, and how a show gets into it. */
export interface Directory {
  readonly id: string;
  readonly name: string;
  /** Its pages are there. */
  readonly hosts: readonly string[];
  /** Null: there is nothing to submit. */
  readonly submitUrl: string | null;
  /** It sends an email to the address in the feed. */
  readonly needsOwnerEmail: boolean;
  readonly steps: readonly string[];
}

/** How far a show has come in a directory. */
export interface Listing {
  readonly directory: string;
  readonly status: DirectoryStatus;
  /** The show's page there. */
  readonly url: string | null;
}

/** Those with the most listeners first. */
export const directories: readonly Directory[] = list;

/** Id and name, those with the most listeners first. */
export const directoryNames = directories.map(({ id, name }) => [id, name] as const);

const byId = new Map(directories.map((directory) => [directory.id, directory]));

/** Checks all entries of a list at once. */
export function checkListings(listings: readonly Listing[]): ErrorDetail[] {
  const seen = new Set<string>();
  return listings.flatMap(({ directory: id, url }, index) => {
    const refuse = (field: string, said: SaidMessage): ErrorDetail[] => [
      { field: `directories[${index}].${field}`, ...said },
    ];
    const directory = byId.get(id);
    if (directory === undefined)
      return refuse('directory', { message: 'There is no such directory.' });
    if (seen.has(id))
      return refuse('directory', { message: 'The list has this directory already.' });
    seen.add(id);
    if (url === null || isPageOf(directory, url)) return [];
    const hosts = directory.hosts.slice(0, 3).join(', ');
    return refuse('url', sayRefusal('directory_page', { hosts }));
  });
}

function isPageOf({ hosts }: Directory, address: string): boolean {
  const url = isShortUrl(address) ? URL.parse(address) : null;
  return (
    url !== null &&
    url.protocol === 'https:' &&
    url.port === '' &&
    url.username + url.password === '' &&
    url.pathname !== '/' &&
    hosts.includes(url.hostname)
  );
}
