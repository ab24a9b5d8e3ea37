import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Payload } from './payload.ts';
import type { Entry } from './podcast-cache.ts';
import type { ApiTag } from './v1/about.ts';
import type { ErrorStatus } from './v1/error-responses.ts';
import type { ApiHeader } from './v1/headers.ts';
import type { Web } from './web.ts';

/** Who may ask. Every route says; a test walks the list. */
export type Access = 'public';

export interface ResponseDescription {
  readonly description: string;
  readonly schema?: TSchema;
  /** Beside those that every answer of the API has. */
  readonly headers?: readonly ApiHeader[];
}

/** What the OpenAPI document says of a route; routes without it are not part of the API. */
export interface Operation {
  readonly id: string;
  readonly tag: ApiTag;
  readonly summary: string;
  /** Markdown: what the summary and the schemas leave unsaid. */
  readonly description: string;
  /** By status, errors aside. */
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** The errors it gives beside those that every endpoint can give. */
  readonly errors?: readonly ErrorStatus[];
}

export type Answer =
  | { readonly kind: 'json'; readonly body: object }
  | { readonly kind: 'text'; readonly contentType: string; readonly text: string }
  /** Ready already, and true for as long as the process runs. */
  | { readonly kind: 'payload'; readonly payload: Payload }
  | { readonly kind: 'cached'; readonly entry: Entry<Payload> }
  | { readonly kind: 'redirect'; readonly status: 301 | 302; readonly location: string }
  /** The handler has written to the reply itself. */
  | { readonly kind: 'sent' };

export interface RouteInput<P, Q> {
  readonly params: P;
  readonly query: Q;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface Route {
  readonly method: 'GET';
  /** `:name` stands for a parameter. */
  readonly path: string;
  readonly access: Access;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly operation?: Operation;
  readonly handle: (web: Web, input: RouteInput<never, never>) => Promise<Answer>;
}

/** A route as data; the schemas give the handler's input its types. */
export function defineRoute<P extends TObject, Q extends TObject>(
  route: Omit<Route, 'handle' | 'params' | 'query'> & {
    readonly params?: P;
    readonly query?: Q;
    readonly handle: (web: Web, input: RouteInput<Static<P>, Static<Q>>) => Promise<Answer>;
  },
): Route {
  return route as unknown as Route;
}
