import type { Route } from '../../server/src/http/route.ts';
import { createRoutes } from '../../server/src/http/routes.ts';
import { mutate, oddText, type Random } from './random.ts';
import { type Hints, valueFor } from './values.ts';
import type { World } from './world.ts';

export interface FuzzedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const routes = createRoutes({});
const ending =
  /sign-out|account\/deletion|api\/password|DELETE \/app\/api\/(?:sessions|podcasts\/:\w+|episodes\/:\w+)$/;
const mostLearned = 500;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const token = /(?<=["=/])[A-Za-z0-9_-]{43}(?=["&/])/g;

/** Makes requests from the table of routes, with what exists and what earlier responses have named. */
export class RequestMaker implements Hints {
  readonly #random: Random;
  readonly #origin: string;
  #world: World;
  readonly #ids: string[] = [];
  readonly #tokens: string[] = [];
  readonly #paths: string[] = [];

  constructor(random: Random, origin: string, world: World) {
    this.#random = random;
    this.#origin = origin;
    this.#world = world;
  }

  set world(world: World) {
    this.#world = world;
  }

  /** Remembers ids, tokens and addresses in a response. */
  learn(text: string): void {
    const urls = text.split(`${this.#origin}/`).slice(1);
    this.#remember(
      this.#paths,
      urls.map((url) => `/${/^[^"'<>\s]*/.exec(url)?.[0] ?? ''}`),
    );
    this.#remember(this.#ids, text.match(uuid) ?? []);
    this.#remember(this.#tokens, text.match(token) ?? []);
  }

  #remember(list: string[], found: readonly string[]): void {
    for (const one of found.slice(0, 5)) {
      if (list.length < mostLearned) list.push(one);
      else list[this.#random.below(mostLearned)] = one;
    }
  }

  known(name: string): string | undefined {
    const random = this.#random;
    const plain = name.replace(/[-_]/g, '').toLowerCase();
    const { values } = this.#world;
    if (/slug|^ref$/.test(plain)) return random.pick(values['slug'] ?? []);
    if (/password/.test(plain)) return random.pick(values['password'] ?? []);
    if (/email/.test(plain)) return random.pick(values['email'] ?? []);
    if (/challenge/.test(plain)) return random.pick(values['challenge'] ?? []);
    if (/token|^code$|state|verifier/.test(plain) && this.#tokens.length > 0)
      return random.pick(this.#tokens);
    for (const kind of ['podcast', 'episode', 'user', 'key']) {
      const ids = values[kind] ?? [];
      if (plain.startsWith(kind) && ids.length > 0 && random.chance(0.9)) return random.pick(ids);
    }
    if (/id$/.test(plain) || plain === 'episode') return this.#anyId();
    if (plain === 'file') return this.#fileName();
    if (/url|uri|root|site/.test(plain)) {
      const path = random.pick(['/feeds/x.xml', '/', '/listen/one', '/wp-json/']);
      return random.chance(0.5) ? `https://blog.example${path}` : this.#origin + path;
    }
    return undefined;
  }

  #anyId(): string {
    const all = [...this.#ids.slice(-50), ...Object.values(this.#world.values).flat()];
    return this.#random.pick(all);
  }

  #fileName(): string {
    const extension = this.#random.pick([
      'xml',
      'mp3',
      'vtt',
      'srt',
      'json',
      'txt',
      'png',
      'jpg',
      'js',
      'html',
    ]);
    const name = this.#random.chance(0.5) ? this.#anyId() : this.known('slug');
    return `${name}.${extension}`;
  }

  make(): FuzzedRequest {
    const random = this.#random;
    if (random.chance(0.15) && this.#paths.length > 0)
      return this.#replay(random.pick(this.#paths));
    const route = this.#pickRoute();
    const method = random.chance(0.93)
      ? this.#methodOf(route)
      : random.pick([
          'GET',
          'HEAD',
          'POST',
          'PUT',
          'DELETE',
          'OPTIONS',
          'PATCH',
          'TRACE',
          'PROPFIND',
        ]);
    let target = this.#pathOf(route) + this.#queryOf(route.query);
    if (random.chance(0.05)) target = mutate(random, target);
    const { body, type } = this.#bodyOf(route, method);
    return { method, target, headers: this.#headersFor(route, type), body };
  }

  /** Rarely one that ends the sessions of the requests to come. */
  #pickRoute(): Route {
    const route = this.#random.pick(routes);
    const isRare = ending.test(`${route.method} ${route.path}`) && this.#random.chance(0.98);
    return isRare ? this.#random.pick(routes) : route;
  }

  #replay(path: string): FuzzedRequest {
    const random = this.#random;
    const target = random.chance(0.15) ? mutate(random, path) : path;
    return {
      method: random.pick(['GET', 'GET', 'HEAD']),
      target,
      headers: this.#headersFor(undefined, undefined),
      body: undefined,
    };
  }

  #methodOf({ method }: Route): string {
    return method === 'GET' && this.#random.chance(0.2) ? 'HEAD' : method;
  }

  #pathOf({ path }: Route): string {
    const random = this.#random;
    return path
      .split('/')
      .map((segment) => {
        if (segment === '*') return random.pick(['podcasts', 'x/y', '']);
        if (!segment.startsWith(':')) return segment;
        const value = random.chance(0.9)
          ? (this.known(segment.slice(1)) ?? this.#anyId())
          : oddText(random);
        return random.chance(0.05) ? value : encode(value);
      })
      .join('/');
  }

  #queryOf(schema: Route['query']): string {
    const random = this.#random;
    if (schema === undefined)
      return random.chance(0.03) ? `?${encode(oddText(random))}=${encode(oddText(random))}` : '';
    const given = valueFor(random, schema, this);
    if (typeof given !== 'object' || given === null) return `?${encode(String(given))}`;
    const pairs = Object.entries(given).map(
      ([name, value]) => `${encode(name)}=${encode(textOf(value))}`,
    );
    if (random.chance(0.03)) pairs.push(...pairs);
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  }

  #bodyOf({ body }: Route, method: string): { body: string | undefined; type: string | undefined } {
    const random = this.#random;
    if (body === undefined || method === 'GET' || method === 'HEAD') {
      return random.chance(0.01)
        ? { body: oddText(random), type: 'text/plain' }
        : { body: undefined, type: undefined };
    }
    if (body === 'stream')
      return { body: 'x'.repeat(random.below(3_000)), type: 'application/offset+octet-stream' };
    if (typeof body === 'string') {
      const names = [
        'email',
        'password',
        'new_password',
        'name',
        'token',
        'next',
        'podcast',
        'state',
        'decision',
        'code_challenge',
      ];
      const fields = names
        .filter(() => random.chance(0.5))
        .map((name): [string, string] => [name, this.known(name) ?? oddText(random)]);
      return {
        body: new URLSearchParams(fields).toString(),
        type: 'application/x-www-form-urlencoded',
      };
    }
    const value = JSON.stringify(valueFor(random, body.json, this)) ?? '';
    return { body: random.chance(0.05) ? mutate(random, value) : value, type: 'application/json' };
  }

  #headersFor(route: Route | undefined, type: string | undefined): Record<string, string> {
    const random = this.#random;
    const headers: Record<string, string> = {};
    if (type !== undefined)
      headers['content-type'] = random.chance(0.98) ? type : headerText(oddText(random));
    const { cookies, secrets } = this.#world;
    const access = route?.access ?? 'public';
    if (access === 'session' || access === 'visitor' || random.chance(0.05)) {
      headers['origin'] = random.chance(0.98) ? this.#origin : 'https://evil.example';
      if (random.chance(0.95)) headers['cookie'] = random.pick(cookies);
    }
    if (access === 'key' || random.chance(0.03)) {
      headers['authorization'] =
        `Bearer ${random.chance(0.95) ? random.pick(secrets) : headerText(oddText(random))}`;
    }
    if (route?.path.includes('/uploads') === true && random.chance(0.9)) this.#addTus(headers);
    for (const [name, values] of Object.entries(optionalHeaders)) {
      if (!random.chance(rareHeaders.has(name) ? 0.005 : 0.08)) continue;
      const value = random.chance(0.8) ? random.pick(values) : headerText(oddText(random));
      headers[name] = value;
    }
    if (random.chance(0.4)) headers['if-match'] = `"${random.below(5)}"`;
    return headers;
  }

  #addTus(headers: Record<string, string>): void {
    const random = this.#random;
    const metadata = {
      purpose: 'audio',
      podcast_id: this.known('podcast') ?? '',
      episode_id: this.known('episode') ?? '',
      filename: 'a.mp3',
    };
    const purpose = random.pick(['audio', 'artwork', 'transcript', 'chapters', 'image', 'x']);
    Object.assign(headers, {
      'tus-resumable': '1.0.0',
      'upload-length': String(random.chance(0.9) ? random.below(5_000) : -1),
      'upload-offset': String(random.chance(0.8) ? 0 : random.below(9_000)),
      'upload-metadata': Object.entries({ ...metadata, purpose })
        .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
        .join(','),
    });
  }
}

/** Most requests with these headers are refused at once. */
const rareHeaders: ReadonlySet<string> = new Set(['content-encoding', 'expect', 'upgrade']);
const optionalHeaders: Readonly<Record<string, readonly string[]>> = {
  range: [
    'bytes=0-',
    'bytes=0-9',
    'bytes=-5',
    'bytes=9-1',
    'bytes=0-0,2-2',
    'bytes=99999999-',
    `bytes=${'0-1,'.repeat(500)}0-0`,
  ],
  'if-none-match': ['*', '"x"', 'W/"x"', '""'],
  'if-modified-since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'x'],
  'if-range': ['"x"', 'Thu, 01 Jan 2099 00:00:00 GMT'],
  accept: ['*/*', 'text/html', 'application/json', 'text/event-stream'],
  'accept-encoding': ['gzip', 'br', 'identity;q=0', '*;q=0', 'gzip;q=0.5, br;q=1'],
  'accept-language': ['de', 'en-US,en;q=0.9', '*', 'x-y-z;q=2'],
  'content-encoding': ['gzip', 'identity'],
  'x-forwarded-for': ['198.51.100.1', 'x', ', ,', '::1'],
  'user-agent': ['Overcast/3.0', 'Googlebot/2.1', ''],
  referer: ['https://example.com/', 'x'],
  'sec-fetch-site': ['same-origin', 'cross-site'],
  'last-event-id': ['1'],
  expect: ['100-continue', 'x'],
  upgrade: ['websocket', 'h2c'],
};

/** Also works for lone surrogates, which no percent-encoding has. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Without the characters that Node refuses to send. */
function headerText(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
}
