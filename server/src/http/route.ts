import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorDetail } from '../domain/foundation/errors.ts';
import type { Entry } from './cache/podcast-cache.ts';
import type { HttpContext } from './http-context.ts';
import type { Caching, ExtraHeaders, Payload } from './responses/payload.ts';
import type { ApiTag } from './v1/about.ts';
import type { ErrorStatus } from './v1/error-responses.ts';
import type { ApiHeader } from './v1/headers.ts';

/** Who may call a route. Every route states it, which a test checks. */
export type Access =
  | 'public' // anyone, from anywhere
  | 'key' // holders of an API key
  | 'visitor' // browsers on our own pages, signed in or not
  | 'session'; // browsers on our own pages, signed in

/**
 * The type of a request's body; other types are refused unread. JSON may have 64 KB, or `maxBytes`; a form
 * 64 KB, and a long one 256 KB. The handler of a form checks its fields itself. A stream has any type and
 * length and is not read yet: the handler limits it, and can still respond if it stops reading.
 */
export type Body =
  | { readonly json: TObject; readonly maxBytes?: number }
  | 'form'
  | 'long form'
  | 'stream';

export interface ResponseDescription {
  readonly description: string;
  readonly schema?: TSchema;
  /** Headers besides those of every response of the API. */
  readonly headers?: readonly ApiHeader[];
}

/** Describes an endpoint of the private API for its OpenAPI document. */
export interface PrivateOperation {
  readonly id: string;
  readonly summary?: string;
  /** By status, without errors. Fields of a body that its schema does not name are not sent. */
  readonly responses: Readonly<Record<number, ResponseDescription>>;
}

/** The same for the public API, with more for its readers. */
export interface Operation extends PrivateOperation {
  readonly tag: ApiTag;
  readonly summary: string;
  /** Markdown, with details that the summary and the schemas do not contain. */
  readonly description: string;
  /** The scope that an API key needs; undefined: any key may call it. */
  readonly scope?: string;
  /** Its errors besides those of every endpoint. */
  readonly errors?: readonly ErrorStatus[];
}

export type RouteResponse =
  /** Cached publicly unless `caching` is set. The status is that of the reply. */
  | {
      readonly kind: 'json';
      readonly body: object;
      readonly caching?: Caching;
      /** The ETag of a podcast or an episode, also after a write. Never 304: more may change. */
      readonly revision?: number | undefined;
    }
  | {
      readonly kind: 'text';
      readonly contentType: string;
      readonly text: string;
      readonly caching?: Caching;
      readonly headers?: ExtraHeaders;
      /** What a 304 has, too: caches replace stored headers by those. */
      readonly lasting?: ExtraHeaders;
      /** As above. */
      readonly revision?: number;
    }
  /** Success without a body, which no cache stores. */
  | { readonly kind: 'nothing' }
  /** A prepared response that stays valid while the process runs. */
  | {
      readonly kind: 'payload';
      readonly payload: Payload;
      /** As above. */
      readonly revision?: number;
    }
  | { readonly kind: 'cached'; readonly entry: Entry<Payload> }
  | {
      readonly kind: 'redirect';
      readonly status: 301 | 302 | 303 | 308;
      readonly location: string;
      readonly caching?: Caching;
    }
  /** The handler has written to the reply itself. */
  | { readonly kind: 'sent' };

/** The fields of a form, not parsed; a repeated name is a list. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

export interface RouteInput<P, Q, B = undefined, C = undefined, K = undefined> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly caller: C;
  /** The result of the route's `check`. */
  readonly checked: K;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The input of a route's `check`, without fields that the schemas have refused. */
export interface CheckInput<P, Q, B = undefined, C = undefined> {
  readonly params: Partial<P>;
  readonly query: Partial<Q>;
  readonly body: Partial<B>;
  readonly caller: C;
  /** The names of the refused fields, to distinguish them from missing ones. */
  readonly refused: ReadonlySet<string>;
  /** Adds wrong fields to the response, except those that are refused already. */
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
  /** Undefined for pages and files. */
  readonly operation?: PrivateOperation | Operation;
  /**
   * Finds the caller, or throws a refusal. It runs before parameters are checked and a body is
   * read. Its result is the handler's `caller`.
   */
  readonly authenticate?: (
    http: HttpContext,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<unknown>;
  /**
   * Checks rules that schemas cannot express (dates, ranges, cursors) in params, query and body. It
   * runs after the schemas even if they refuse fields, so that one response names every wrong field.
   * Its result is the handler's `checked`. Its refusals are thrown only if no field is wrong.
   */
  readonly check?: (http: HttpContext, input: CheckInput<never, never, never, never>) => unknown;
  readonly handle: (
    http: HttpContext,
    input: RouteInput<never, never, never, never, never>,
  ) => Promise<RouteResponse>;
}

export type Given<B extends Body | undefined> = B extends { readonly json: infer S extends TObject }
  ? Static<S>
  : B extends 'form' | 'long form'
    ? FormFields
    : B extends 'stream'
      ? Readable
      : undefined;

/** Defines a route as data. The types of the handler's input come from the schemas. */
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
    ) => Promise<RouteResponse>;
  },
): Route {
  return route as unknown as Route;
}
