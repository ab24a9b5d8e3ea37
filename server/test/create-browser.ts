import type { Response } from 'light-my-request';
import type { User } from '../src/domain/foundation/accounts/index.ts';
import {
  addMember,
  type GivenRole,
  type Podcast,
} from '../src/domain/publishing/podcasts/index.ts';
import { createTestApp, type TestApp } from './create-test-app.ts';
import { makeUser, testPassword } from './make.ts';

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A user's browser on our own pages: keeps the cookie, and sends an Origin header. */
export interface Browser {
  get(url: string): Promise<Response>;
  /** Follows the redirect of a response to a form. */
  follow(response: Response): Promise<Response>;
  /** Sends a request to the private API. */
  send(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** Submits a form. */
  submit(url: string, fields?: Fields): Promise<Response>;
  /** `name=value`; undefined without a cookie. */
  readonly cookie: string | undefined;
  signIn(email: string): Promise<void>;
}

interface BrowserOptions {
  readonly address?: string;
  /** Headers of every request, which replace its own. */
  readonly headers?: Readonly<Record<string, string>>;
}

export function createBrowser(app: TestApp, options: BrowserOptions = {}): Browser {
  const { address = '198.51.100.7', headers = {} } = options;
  let cookie: string | undefined;
  const request = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    given: {
      payload?: string;
      type?: string;
      referer?: string;
      headers?: Readonly<Record<string, string>>;
    } = {},
  ) => {
    const response = await app.request({
      method,
      url,
      remoteAddress: address,
      headers: {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        ...(method === 'GET' ? {} : { origin: 'http://test.local' }),
        ...(given.referer === undefined ? {} : { referer: given.referer }),
        ...(given.type === undefined ? {} : { 'content-type': given.type }),
        ...(cookie === undefined ? {} : { cookie }),
        ...headers,
        ...given.headers,
      },
      ...(given.payload === undefined ? {} : { payload: given.payload }),
    });
    const [set] = [response.headers['set-cookie'] ?? []].flat();
    if (set !== undefined) cookie = set.includes('Max-Age=0') ? undefined : set.split(';', 1)[0];
    return response;
  };
  const submit: Browser['submit'] = (url, fields = {}) => {
    const pairs = Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, one] as [string, string]),
    );
    return request('POST', url, {
      payload: new URLSearchParams(pairs).toString(),
      type: 'application/x-www-form-urlencoded',
    });
  };
  return {
    get: (url) => request('GET', url),
    follow: (response) =>
      request('GET', String(response.headers['location']), { referer: 'http://test.local/app/x' }),
    send: (method, url, body, headers = {}) =>
      request(method, url, {
        headers,
        ...(body !== undefined && { payload: JSON.stringify(body), type: 'application/json' }),
      }),
    submit,
    get cookie() {
      return cookie;
    },
    async signIn(email) {
      const response = await submit('/app/sign-in', { email, password: testPassword });
      if (response.statusCode !== 303) throw new Error(`not signed in: ${response.body}`);
    },
  };
}

/** The browser of a signed-in user. Each has its own address, because attempts are limited. */
export async function openSignedIn(app: TestApp, { id, email }: User): Promise<Browser> {
  const [high = 0, low = 0] = Buffer.from(id.slice(-4), 'hex');
  const browser = createBrowser(app, { address: `198.18.${high}.${low}` });
  await browser.signIn(email);
  return browser;
}

/** The same for a new member of a podcast. */
export async function openMember(
  app: TestApp,
  podcast: Podcast,
  role: GivenRole['role'],
): Promise<Browser> {
  const user = await makeUser(app.ctx);
  await addMember(app.ctx, { podcastId: podcast.id, userId: user.id, role });
  return openSignedIn(app, user);
}

/** An app with a signed-in user. */
export async function openOwner() {
  const app = await createTestApp();
  const owner = await makeUser(app.ctx);
  return { app, owner, browser: await openSignedIn(app, owner) };
}
