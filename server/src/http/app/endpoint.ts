import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';
import { notFound } from '../../domain/foundation/errors.ts';
import { isUuid } from '../../lib/uuid.ts';
import type { HttpContext } from '../http-context.ts';
import { listedOf, openPage, type PageRequest } from '../requests/page-request.ts';
import { whileAwaited } from '../responses/while-awaited.ts';
import { type Body, type CheckInput, defineRoute, type Given, type Route } from '../route.ts';
import { closed, id, ids } from './field-schemas.ts';
import {
  forAnyRequester,
  forSignedIn,
  type Requester,
  type SignedInRequester,
} from './requester.ts';
import { nothing, type Response } from './response.ts';

/** An endpoint of the private API. `C`: the caller. `K`, `R`: results of `check` and `handle`. */
interface Endpoint<P extends TObject, Q extends TObject, B extends Body | undefined, C, K, R> {
  /** Its name in the OpenAPI document. */
  readonly id: string;
  readonly summary: string;
  /** Default: every parameter of the path is an id. */
  readonly params?: P;
  readonly query?: Q;
  /** Default: an empty object for POST, otherwise none. */
  readonly body?: B;
  /** Makes the response from the result of `handle`; default: `nothing`. */
  readonly response?: Response<R>;
  /**
   * If the client leaves while the work waits for a process that reads a file, or for a turn to write much, it is
   * given up: it has changed nothing yet, and the client can request it again.
   */
  readonly mayBeAbandoned?: boolean;
  readonly check?: (
    http: HttpContext,
    input: CheckInput<Static<P>, Static<Q>, Given<B>, C>,
  ) => K | Promise<K>;
  readonly handle: (
    caller: C,
    input: Input<Static<P>, Static<Q>, Given<B>, K>,
  ) => NoInfer<R> | Promise<NoInfer<R>>;
}

interface Input<P, Q, B, K> {
  readonly http: HttpContext;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly checked: K;
  /** The requested page of a list. */
  readonly page: PageRequest;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** `GET /app/api/imports/:importId` */
type Address = `${Route['method']} ${string}`;

type IdsOf<A extends string> = TObject<Record<NameIn<A>, typeof id>>;
type NameIn<A extends string> = A extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NameIn<Rest>
  : A extends `${string}:${infer Name}`
    ? Name
    : never;

interface Audience<C> {
  readonly access: Route['access'];
  readonly authenticate: (
    http: HttpContext,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<C>;
}

const definerFor =
  <C extends Requester>(audience: Audience<C>) =>
  <
    const A extends Address,
    P extends TObject = IdsOf<A>,
    Q extends TObject = TObject,
    B extends Body | undefined = undefined,
    K = undefined,
    R = unknown,
  >(
    address: A,
    endpoint: Endpoint<P, Q, B, C, K, R>,
  ): Route => {
    const [method, path] = address.split(' ') as [Route['method'], string];
    const { summary, query, check, response = nothing, handle } = endpoint;
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const params: TObject = endpoint.params ?? ids(...names);
    const body = endpoint.body ?? (method === 'POST' ? { json: closed({}) } : undefined);
    return defineRoute({
      access: audience.access,
      async authenticate(http, request, reply) {
        const caller = await audience.authenticate(http, request, reply);
        requireIds(params, request.params as Record<string, string>);
        return caller;
      },
      method,
      path,
      params,
      ...(query && { query }),
      ...(body && { body }),
      operation: { id: endpoint.id, summary, responses: response.responses },
      async check(http, input) {
        const of = listedOf(input.params, input.caller.session?.userId ?? '');
        const page = openPage(http, { path, parameters: query, of }, input);
        return { page, checked: (await check?.(http, input as never)) as K };
      },
      async handle(http, { caller, checked, ...input }) {
        const acting = endpoint.mayBeAbandoned
          ? { ...caller, ctx: whileAwaited(caller.ctx, input.reply) }
          : caller;
        const result = await handle(acting, { ...input, ...checked, http } as never);
        return response.respond(result);
      },
    });
  };

/** A path with something else in the place of an id names nothing, like one with an unknown id. */
function requireIds(schema: TObject, params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params)) {
    if (schema.properties[name] === id && !isUuid(value)) throw notFound(name.replace(/Id$/, ''));
  }
}

/** For signed-in users. */
export const defineEndpoint = definerFor<SignedInRequester>(forSignedIn);

/** For visitors, signed in or not. */
export const defineOpenEndpoint = definerFor<Requester>(forAnyRequester);
