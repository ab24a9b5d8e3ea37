import createClient, { type Middleware } from 'openapi-fetch';
import { ApiError, readRefusal } from './errors.ts';
import type { paths } from './schema.d.ts';

/** Throws every refusal and every failure as an ApiError, so callers get data or an exception. */
const throwErrors: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await readRefusal(response);
  },
  onError({ error }) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    return new ApiError({ status: 0, code: 'offline', message: 'The server did not respond.' });
  },
};

/** The private API with the types of its OpenAPI document. */
export const api = createClient<paths>({ baseUrl: window.location.origin });
api.use(throwErrors);

interface Outcome<T> {
  readonly data?: T;
  readonly error?: unknown;
}

/** The body of a success; failures were thrown before. */
export async function bodyOf<T>(request: Promise<Outcome<T>>): Promise<T> {
  const { data } = await request;
  return data as T;
}

/** The `data` of a success. */
export async function dataOf<T>(request: Promise<Outcome<{ data: T }>>): Promise<T> {
  const { data } = await bodyOf(request);
  return data;
}
