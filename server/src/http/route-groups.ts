/** A group of paths, and the rules for all requests to it. The first match wins. */
export interface RouteGroup {
  readonly name:
    | 'keyed'
    | 'sites'
    | 'app'
    | 'api'
    | 'embed'
    | 'player'
    | 'file'
    | 'feed'
    | 'home'
    | 'operations'
    | 'page';
  /** Browsers of other sites may read the response. */
  readonly cors: boolean;
  /** Counts against the public limit of a client address. */
  readonly limited: boolean;
  /** The form of errors: the envelope of the API, pages for people, or a line for developers. */
  readonly errors: 'json' | 'page' | 'text';
}

const routeGroups: readonly (RouteGroup & { readonly path: RegExp })[] = [
  { name: 'keyed', path: /^\/v1\/me(?:[/?]|$)/, cors: false, limited: false, errors: 'json' },
  { name: 'sites', path: /^\/v1\/sites(?:[/?]|$)/, cors: false, limited: false, errors: 'json' },
  {
    name: 'app',
    path: /^\/app\/api(?:[/?]|$)/,
    cors: false,
    limited: false,
    errors: 'json',
  },
  { name: 'api', path: /^\/v1(?:[/?]|$)/, cors: true, limited: true, errors: 'json' },
  { name: 'embed', path: /^\/(?:ep|latest)\//, cors: true, limited: true, errors: 'page' },
  // A preview is computed for each request. Its files do not count against the limit.
  {
    name: 'page',
    path: /^\/preview\/[^/?]*(?:\?|$)/,
    cors: false,
    limited: true,
    errors: 'page',
  },
  // Searches and further pages of the directory.
  { name: 'home', path: /^\/\?/, cors: false, limited: true, errors: 'page' },
  // Each may be a request to another server.
  { name: 'page', path: /^\/comments\//, cors: false, limited: true, errors: 'page' },
  { name: 'player', path: /^\/player\//, cors: true, limited: false, errors: 'json' },
  {
    name: 'file',
    path: /^\/(?:media|transcripts|chapters|waveforms|images|cards)\//,
    cors: true,
    limited: false,
    errors: 'json',
  },
  {
    name: 'operations',
    path: /^\/(?:healthz|readyz)(?:\?|$)/,
    cors: false,
    limited: false,
    errors: 'json',
  },
  { name: 'feed', path: /^\/hub(?:\?|$)/, cors: false, limited: false, errors: 'text' },
  { name: 'feed', path: /^\/feeds\//, cors: true, limited: false, errors: 'json' },
];

const page: RouteGroup = { name: 'page', cors: false, limited: false, errors: 'page' };

/** Those that an own domain of a show has. Its other paths are pages, or none. */
const atDomain: ReadonlySet<string> = new Set(['embed', 'player', 'file', 'page']);

/** `url` is a request target: a path, perhaps with a query. */
export function routeGroupOf(url: string): RouteGroup {
  if (url.startsWith('/@')) return groupAtDomain(url.slice(url.indexOf('/', 2)));
  return routeGroups.find((group) => group.path.test(url)) ?? page;
}

/** `url`: without the host (`targetByHost`). */
function groupAtDomain(url: string): RouteGroup {
  const own = /^\/feed\.xml(?:\?|$)/.test(url) ? '/feeds/' : url;
  const group = routeGroups.find(({ path }) => path.test(own));
  return group !== undefined && (atDomain.has(group.name) || own === '/feeds/') ? group : page;
}
