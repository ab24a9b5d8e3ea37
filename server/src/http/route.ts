import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorDetail } from '../domain/errors.ts';
import type { HttpContext } from './http-context.ts';
import type { Caching, ExtraHeaders, Payload } from './payload.ts';
import type { Entry } from './podcast-cache.ts';
import type { ApiTag } from './v1/about.ts';
import type { ErrorStatus } from './v1/error-responses.ts';
import type { ApiHeader } from './v1/headers.ts';

/** Who may ask. Every route says; a test walks the list. */
export type Access =
  | 'public' // anyone, from anywhere
  | 'key' // whoever holds an API key
  | 'visitor' // browsers on our own pages, signed in or not
  | 'session'; // browsers on our own pages, signed in

/**
 * What a body has to be; any other type is refused unread, and so is JSON of more than 64 KB, or of
 * more than `maxBytes`. A handler checks its form itself. A stream
 * is of any type and length, not read yet, and for the handler to bound: one that stops reading it
 * can still answer.
 */
export type Body = { readonly json: TObject; readonly maxBytes?: number } | 'form' | 'stream';

export interface ResponseDescription {
  readonly description: string;
  readonly schema?: TSchema;
  /** Beside those that every answer of the API has. */
  readonly headers?: readonly ApiHeader[];
}

/** What names an endpoint of the private API in its OpenAPI document, and what it answers there. */
export interface PrivateOperation {
  readonly id: string;
  readonly summary?: string;
  /** By status, errors aside. What a body has and its schema does not name is not sent. */
  readonly responses: Readonly<Record<number, ResponseDescription>>;
}

/** The same of the public API, for its readers. */
export interface Operation extends PrivateOperation {
  readonly tag: ApiTag;
  readonly summary: string;
  /** Markdown: what the summary and the schemas leave unsaid. */
  readonly description: string;
  /** What an API key must hold for it; none: any key will do. */
  readonly scope?: string;
  /** The errors it gives beside those that every endpoint can give. */
  readonly errors?: readonly ErrorStatus[];
}

export type Answer =
  /** Public unless `caching` says otherwise; the status is the reply's. */
  | {
      readonly kind: 'json';
      readonly body: object;
      readonly caching?: Caching;
      /** The ETag of a podcast or an episode, also after a write. No 304: more than it counts may change. */
      readonly revision?: number | undefined;
    }
  | {
      readonly kind: 'text';
      readonly contentType: string;
      readonly text: string;
      readonly caching?: Caching;
      readonly headers?: ExtraHeaders;
      /** As above. */
      readonly revision?: number;
    }
  /** Done, and there is nothing to say of it; no cache keeps that. */
  | { readonly kind: 'nothing' }
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

export interface RouteInput<P, Q, B = undefined, C = undefined, K = undefined> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly caller: C;
  /** What the route's `check` has returned. */
  readonly checked: K;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** What a route's `check` works on. Fields that the schemas have refused are left out of it. */
export interface CheckInput<P, Q, B = undefined, C = undefined> {
  readonly params: Partial<P>;
  readonly query: Partial<Q>;
  readonly body: Partial<B>;
  readonly caller: C;
  /** The names of the fields left out, which tells them from those that did not come. */
  readonly refused: ReadonlySet<string>;
  /** Adds wrong fields to the answer; of a field that is refused already, nothing. */
  readonly refuse: (...details: readonly ErrorDetail[]) => void;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `:name` stands for a parameter. */
  readonly path: string;
  readonly access: Access;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: Body;
  /** Pages and files have none. */
  readonly operation?: PrivateOperation | Operation;
  /**
   * Who asks, or a refusal: before parameters are looked at and a body is read. What it gives is
   * the handler's `caller`.
   */
  readonly authenticate?: (
    http: HttpContext,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<unknown>;
  /**
   * What no schema can say, of params, query and body alike: dates, ranges, cursors. Runs in one
   * step with the schemas, whatever they refuse, so that one answer names every wrong field. What
   * it returns is the handler's `checked`; what it throws counts only where no field is wrong.
   */
  readonly check?: (http: HttpContext, input: CheckInput<never, never, never, never>) => unknown;
  readonly handle: (
    http: HttpContext,
    input: RouteInput<never, never, never, never, never>,
  ) => Promise<Answer>;
}

type Given<B extends Body | undefined> = B extends { readonly json: infer S extends TObject }
  ? Static<S>
  : B extends 'form'
    ? FormFields
    : B extends 'stream'
      ? Readable
      : undefined;

/** A route as data; the schemas give the handler's input its types. */
export function defineRoute<
  P extends TObject,
  Q extends TObject,
  B extends Body | undefined = undefined,
  C = undefined,
  K = undefined,
>(
  route: Omit<Route, 'handle' | 'params' | 'query' | 'body' | 'authenticate' | 'check'> & {
    readonly params?: P;
    readonly query?: Q;
    readonly body?: B;
    readonly authenticate?: (
      http: HttpContext,
      request: FastifyRequest,
      reply: FastifyReply,
    ) => Promise<C>;
    readonly check?: (
      http: HttpContext,
      input: CheckInput<Static<P>, Static<Q>, Given<B>, C>,
    ) => K | Promise<K>;
    readonly handle: (
      http: HttpContext,
      input: RouteInput<Static<P>, Static<Q>, Given<B>, C, K>,
    ) => Promise<Answer>;
  },
): Route {
  return route as unknown as Route;
}
