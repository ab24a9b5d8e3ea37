import type { RedirectRule, RedirectTable } from '../context.ts';
import type { Address, ColorScheme } from './address.ts';
import publishedHosts from './redirect-hosts.json' with { type: 'json' };

const ENTRY_PROPERTIES = new Set(['host', 'paths', 'default_scheme']);
/** Whole segments, each with at most one placeholder for one or more characters. */
const PATH = /^\/(?:[^/{}]*(?:\{[a-z]+\}[^/{}]*)?\/)+$/;
const PATH_CHARACTERS = /^[!-~]+$/;
const FORBIDDEN_IN_PATH = /[?#\\]|\/\//;

/**
 * Checks and compiles the content of a file in the form of `redirect-hosts.json`. Throws an Error
 * that names every wrong entry.
 */
export function parseRedirectTable(json: unknown): RedirectTable {
  if (!Array.isArray(json)) throw new Error('A table of redirect hosts is a list');
  const table = new Map<string, RedirectRule>();
  const problems: string[] = [];
  for (const [position, value] of json.entries()) {
    const entry = readEntry(value);
    if (typeof entry === 'string') problems.push(`entry ${position + 1}: ${entry}`);
    else if (table.has(entry.host)) problems.push(`entry ${position + 1}: ${entry.host} again`);
    else table.set(entry.host, entry);
  }
  if (problems.length > 0) throw new Error(`Redirect hosts: ${problems.join('; ')}`);
  return table;
}

/** The twelve hosts of version 1. They must never change. */
export const PUBLISHED_REDIRECTS = parseRedirectTable(publishedHosts);

/** The length of the path's prefix to remove, and its rule. */
export function findRedirect(
  address: Address,
  table: RedirectTable,
): { readonly prefixLength: number; readonly defaultScheme: ColorScheme } | undefined {
  const rule = table.get(address.hostname);
  // Only the default port matches: `host` includes any other port.
  if (rule === undefined || address.host !== address.hostname) return undefined;
  for (const prefix of rule.prefixes) {
    const match = prefix.exec(address.path);
    if (match === null) continue;
    return {
      prefixLength: match[0].length,
      defaultScheme: rule.defaultScheme ?? address.scheme,
    };
  }
  return undefined;
}

/** An entry, or what is wrong with it. */
function readEntry(value: unknown): (RedirectRule & { host: string }) | string {
  if (typeof value !== 'object' || value === null) return 'not an object';
  const entry: Record<string, unknown> = { ...value };
  const unknown = Object.keys(entry).find((name) => !ENTRY_PROPERTIES.has(name));
  if (unknown !== undefined) return `unknown property ${unknown}`;

  const { host, paths, default_scheme: defaultScheme } = entry;
  if (typeof host !== 'string' || URL.parse(`https://${host}/`)?.hostname !== host) {
    return 'host must be a hostname in lower case, without port';
  }
  if (defaultScheme !== undefined && defaultScheme !== 'http' && defaultScheme !== 'https') {
    return 'default_scheme must be http or https';
  }
  if (!Array.isArray(paths) || paths.length === 0 || !paths.every(isPathPattern)) {
    return 'paths must be a list of patterns such as /track/{id}/';
  }
  return { host, prefixes: paths.map(compilePath), defaultScheme };
}

function isPathPattern(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    PATH.test(value) &&
    PATH_CHARACTERS.test(value) &&
    !FORBIDDEN_IN_PATH.test(value)
  );
}

function compilePath(pattern: string): RegExp {
  const source = pattern
    .split(/\{[a-z]+\}/)
    .map((literal) => literal.replace(/[^\w/]/g, '\\$&'))
    .join('[^/]+');
  return new RegExp(`^${source}`);
}
