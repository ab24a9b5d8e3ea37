const sessionTargets = [
  'any',
  'read-write',
  'read-only',
  'primary',
  'standby',
  'prefer-standby',
] as const;

/** Which servers are suitable: libpq's `target_session_attrs`. */
export type SessionTarget = (typeof sessionTargets)[number];

export interface DatabaseServer {
  /** For messages: host and port, without credentials. */
  readonly name: string;
  /** A URL of this server alone, without the parameters that choose among several. */
  readonly url: string;
}

/** What a URL in the form of libpq names. */
export interface DatabaseUrl {
  /** In the order of the URL; at least one. */
  readonly servers: readonly DatabaseServer[];
  readonly target: SessionTarget;
  /** `load_balance_hosts=random`: tried in random order. */
  readonly isShuffled: boolean;
  /** For each attempt; undefined: not given. */
  readonly connectTimeoutMs: number | undefined;
}

const shape = /^(postgres(?:ql)?:\/\/)([^/?#]*)([^?#]*)(?:\?([^#]*))?/;
const choosing = ['target_session_attrs', 'load_balance_hosts', 'connect_timeout'] as const;
const DEFAULT_PORT = '5432';

/**
 * Reads `postgres://user:password@a:5432,b:5433/db?target_session_attrs=read-write`. Hosts and ports may also
 * be the parameters `host` and `port`. Throws an Error that completes a sentence about the setting and
 * repeats no credentials. The URLs of the result may still be invalid.
 */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const [, scheme = '', authority = '', path = '', query] = shape.exec(text) ?? [];
  const parameters = new URLSearchParams(query ?? '');
  const hosts = listHosts(authority, parameters, text);
  const servers =
    hosts === undefined
      ? [{ name: nameOf(authority, parameters), url: withoutChoice(text, parameters) }]
      : hosts.map(({ host, port }) => ({
          name: `${decoded(host)}:${port}`,
          url: urlOf({ scheme, authority, path, parameters }, host, port),
        }));
  return {
    servers,
    target: targetOf(parameters, servers.length > 1),
    isShuffled: isShuffled(parameters),
    connectTimeoutMs: connectTimeoutOf(parameters),
  };
}

interface HostAndPort {
  readonly host: string;
  readonly port: string;
}

/** Undefined: there is one host, which stays where it is in the URL. */
function listHosts(
  authority: string,
  parameters: URLSearchParams,
  text: string,
): readonly HostAndPort[] | undefined {
  const ports = parameters.get('port')?.split(',');
  const given = parameters.get('host') ?? '';
  if (given.includes(',')) return withPorts(given.split(','), ports);
  const list = authority.slice(authority.lastIndexOf('@') + 1);
  // Else the comma is of a password with a character that ends the host.
  const isOfHosts = authority.includes('@') || !(text.split('?')[0] ?? '').includes('@');
  if (given === '' && list.includes(',') && isOfHosts) {
    const hosts = list.split(',').map(splitPort);
    return ports === undefined
      ? checked(hosts)
      : withPorts(
          hosts.map(({ host }) => host),
          ports,
        );
  }
  if (ports !== undefined && ports.length > 1) throw unequal(ports.length, 1);
  return undefined;
}

function withPorts(
  hosts: readonly string[],
  ports: readonly string[] | undefined,
): readonly HostAndPort[] {
  const [first = '', ...others] = ports ?? [];
  if (others.length > 0 && others.length + 1 !== hosts.length)
    throw unequal(others.length + 1, hosts.length);
  const portAt = (at: number) => (others.length === 0 ? first : (ports?.[at] ?? ''));
  return checked(hosts.map((host, at) => ({ host, port: portAt(at) || DEFAULT_PORT })));
}

function unequal(ports: number, hosts: number): Error {
  return new Error(
    `names ${ports} ports for ${hosts === 1 ? 'one host' : `${hosts} hosts`}: name one port for each host, ` +
      'or one for all',
  );
}

/** `a`, `a:5433`, `[::1]` or `[::1]:5433`. */
function splitPort(text: string): HostAndPort {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(text) ?? [];
  return { host, port: port || DEFAULT_PORT };
}

function checked(hosts: readonly HostAndPort[]): readonly HostAndPort[] {
  for (const { host, port } of hosts) {
    if (host === '') throw new Error('names an empty host in its list');
    const number = Number(port);
    if (!/^\d+$/.test(port) || number < 1 || number > 65_535)
      throw new Error(`names a port that is not a number from 1 to 65535`);
  }
  return hosts;
}

function urlOf(
  parts: {
    readonly scheme: string;
    readonly authority: string;
    readonly path: string;
    readonly parameters: URLSearchParams;
  },
  host: string,
  port: string,
): string {
  const credentials = parts.authority.slice(0, parts.authority.lastIndexOf('@') + 1);
  const rest = new URLSearchParams(parts.parameters);
  for (const name of [...choosing, 'host', 'port']) rest.delete(name);
  const tail = rest.size === 0 ? '' : `?${rest}`;
  // A folder of sockets, or an IPv6 address as the parameter has it.
  const isPath = host.startsWith('/');
  const spelled = isPath ? encodeURIComponent(host) : host;
  const bracketed = /^[^[].*:/.test(spelled) ? `[${spelled}]` : spelled;
  return `${parts.scheme}${credentials}${bracketed}:${port}${parts.path}${tail}`;
}

/** The same text, unless it has such parameters: nothing else about it may change. */
function withoutChoice(text: string, parameters: URLSearchParams): string {
  if (!choosing.some((name) => parameters.has(name))) return text;
  const rest = new URLSearchParams(parameters);
  for (const name of choosing) rest.delete(name);
  const [beforeQuery = ''] = text.split('?');
  return rest.size === 0 ? beforeQuery : `${beforeQuery}?${rest}`;
}

function nameOf(authority: string, parameters: URLSearchParams): string {
  const { host, port } = splitPort(authority.slice(authority.lastIndexOf('@') + 1));
  const given = parameters.get('host') || decoded(host) || 'localhost';
  return `${given}:${parameters.get('port') || port}`;
}

function decoded(host: string): string {
  try {
    return decodeURIComponent(host);
  } catch {
    return host;
  }
}

/** Podstead writes, so of several servers it needs the one that accepts that. */
function targetOf(parameters: URLSearchParams, areSeveral: boolean): SessionTarget {
  const given = parameters.get('target_session_attrs');
  if (given === null || given === '') return areSeveral ? 'read-write' : 'any';
  const target = sessionTargets.find((name) => name === given);
  if (target === undefined)
    throw new Error(
      `has an unknown target_session_attrs: it is one of ${sessionTargets.join(', ')}`,
    );
  return target;
}

function isShuffled(parameters: URLSearchParams): boolean {
  const given = parameters.get('load_balance_hosts') ?? 'disable';
  if (given !== 'disable' && given !== 'random')
    throw new Error('has an unknown load_balance_hosts: it is disable or random');
  return given === 'random';
}

/** Zero and less mean no limit in libpq. Here each attempt has one: the default. */
function connectTimeoutOf(parameters: URLSearchParams): number | undefined {
  const given = parameters.get('connect_timeout');
  if (given === null || given === '') return undefined;
  const seconds = Number(given);
  if (!/^-?\d+$/.test(given) || seconds > 3_600)
    throw new Error('has a connect_timeout that is not a whole number of seconds up to 3600');
  return seconds <= 0 ? undefined : seconds * 1_000;
}
