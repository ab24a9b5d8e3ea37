import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Caching, ExtraHeaders, Payload } from './payload.ts';
import type { Entry } from './podcast-cache.ts';
import type { ApiTag } from './v1/about.ts';
import type { ErrorStatus } from './v1/error-responses.ts';
import type { ApiHeader } from './v1/headers.ts';
import type { Web } from './web.ts';

/** Who may ask. Every route says; a test walks the list. */
export type Access =
  | 'public' // anyone, from anywhere
  | 'key' // whoever holds an API key
  | 'visitor' // browsers on our own pages, signed in or not
  | 'session'; // browsers on our own pages, signed in

/** What a body has to be; any other type is refused unread. A handler checks its form itself. */
export type Body = { readonly json: TObject } | 'form';

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
  /** What an API key must hold for it; none: any key will do. */
  readonly scope?: string;
  /** By status, errors aside. */
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** The errors it gives beside those that every endpoint can give. */
  readonly errors?: readonly ErrorStatus[];
}

export type Answer =
  /** Public unless `caching` says otherwise; the status is the reply's. */
  | { readonly kind: 'json'; readonly body: object; readonly caching?: Caching }
  | {
      readonly kind: 'text';
      readonly contentType: string;
      readonly text: string;
      readonly caching?: Caching;
      readonly headers?: ExtraHeaders;
    }
  /** Ready already, and true for as long as the process runs. */
  | { readonly kind: 'payload'; readonly payload: Payload }
  | { readonly kind: 'cached'; readonly entry: Entry<Payload> }
  | {
      readonly kind: 'redirect';
      readonly status: 301 | 302 | 303;
      readonly location: string;
      readonly caching?: Caching;
    }
  /** The handler has written to the reply itself. */
  | { readonly kind: 'sent' };

/** Fields of a form as they came; a name that comes twice is a list. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

export interface RouteInput<P, Q, B = undefined, C = undefined> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly caller: C;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `:name` stands for a parameter. */
  readonly path: string;
  readonly access: Access;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: Body;
  readonly operation?: Operation;
  /** Shapes of its JSON by status, where no operation says them. */
  readonly answers?: Readonly<Record<number, TSchema>>;
  /**
   * Who asks, or a refusal: before parameters are looked at and a body is read. What it gives is
   * the handler's `caller`.
   */
  readonly admit?: (web: Web, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  readonly handle: (web: Web, input: RouteInput<never, never, never, never>) => Promise<Answer>;
}

type Given<B extends Body | undefined> = B extends { readonly json: infer S extends TObject }
  ? Static<S>
  : B extends 'form'
    ? FormFields
    : undefined;

/** A route as data; the schemas give the handler's input its types. */
export function defineRoute<
  P extends TObject,
  Q extends TObject,
  B extends Body | undefined = undefined,
  C = undefined,
>(
  route: Omit<Route, 'handle' | 'params' | 'query' | 'body' | 'admit'> & {
    readonly params?: P;
    readonly query?: Q;
    readonly body?: B;
    readonly admit?: (web: Web, request: FastifyRequest, reply: FastifyReply) => Promise<C>;
    readonly handle: (
      web: Web,
      input: RouteInput<Static<P>, Static<Q>, Given<B>, C>,
    ) => Promise<Answer>;
  },
): Route {
  return route as unknown as Route;
}
