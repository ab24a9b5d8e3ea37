import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static, type TObject } from 'typebox';
import type { Context } from '../../../domain/foundation/context.ts';
import {
  authorize,
  type KeyedAction,
  requireRegistered,
  requireScope,
  type SiteAction,
  scopeOf,
} from '../../../domain/foundation/permissions/index.ts';
import type { KeyPrincipal } from '../../../domain/foundation/principal.ts';
import type { Resource } from '../../../domain/foundation/relation.ts';
import type { InTurn } from '../../../domain/foundation/take-turn.ts';
import { isUuid } from '../../../lib/uuid.ts';
import type { HttpContext } from '../../http-context.ts';
import { turnOf } from '../../limits/turn-of.ts';
import { authenticateKey } from '../../requests/authenticate-key.ts';
import { listedOf, openPage, type PageRequest } from '../../requests/page-request.ts';
import { episodeId, podcastId } from '../../requests/parameters.ts';
import { type Caching, keyedCaching } from '../../responses/payload.ts';
import { type CheckInput, defineRoute, type Operation, type Route } from '../../route.ts';
import { consumeFromAccount, consumeFromPlan } from './quota.ts';

/** An endpoint for keys. Its success has the only 2xx status in its responses. */
interface KeyedRoute<P extends TObject, Q extends TObject, B extends TObject, K, Named = unknown>
  extends Omit<Operation, 'scope'> {
  /** Default: GET. */
  readonly method?: Route['method'];
  readonly path: string;
  /** The action, which implies the required scope; undefined: any key may call it. */
  readonly action?: KeyedAction | SiteAction;
  /** True if a site's key may call it before it is registered. */
  readonly registers?: true;
  readonly params?: P;
  readonly query?: Q;
  /** The schema of a JSON body. */
  readonly body?: B;
  /** Default: the caching of all keyed responses. */
  readonly caching?: Caching;
  /** Runs as in every route, after the cursor of a list is checked. */
  readonly check?: (
    http: HttpContext,
    input: CheckInput<Static<P>, Static<Q>, Static<B>, KeyPrincipal>,
  ) => K | Promise<K>;
  /**
   * Returns the body of the response. `ctx.principal` is the key, which may do less than its user.
   */
  readonly respond: (
    ctx: Context,
    input: Input<Static<P>, Static<Q>, Static<B>, K> & Named,
  ) => Promise<object>;
}

interface Input<P, Q, B, K> {
  readonly http: HttpContext;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly checked: K;
  /** The requested page of a list. */
  readonly page: PageRequest;
  readonly reply: FastifyReply;
  /** For what reads a whole show. */
  readonly inTurn: InTurn;
}

/** An endpoint that concerns no podcast in particular. */
export function defineKeyedRoute<
  P extends TObject,
  Q extends TObject,
  B extends TObject,
  K = undefined,
>(route: KeyedRoute<P, Q, B, K>): Route {
  return define(route, undefined);
}

const podcastParams = Type.Object({ podcast_id: podcastId });

/** `episodeId` is the query's parameter `episode_id`, for endpoints that have it. */
interface NamedPodcast {
  readonly podcastId: string;
  readonly episodeId: string | undefined;
}

/**
 * An endpoint about the podcast that `:podcast_id` in the path names, or about one episode of it: its
 * query may have a parameter `episode_id`.
 */
export function definePodcastRoute<Q extends TObject, B extends TObject, K = undefined>(
  route: KeyedRoute<typeof podcastParams, Q, B, K, NamedPodcast> & About,
): Route {
  const { action } = route;
  const respond: KeyedRoute<typeof podcastParams, Q, B, K>['respond'] = async (ctx, input) => {
    const podcastId = input.params.podcast_id.toLowerCase();
    const { episode_id: given } = input.query as EpisodeFilter;
    const episodeId = hasEpisodeFilter(route.query) ? given?.toLowerCase() : undefined;
    await authorizeAndCount(ctx, input, action, { podcastId, ...(episodeId && { episodeId }) });
    return route.respond(ctx, { ...input, podcastId, episodeId });
  };
  return define({ ...route, params: podcastParams, respond }, 'podcast_id');
}

interface EpisodeFilter {
  readonly episode_id?: string;
}

function hasEpisodeFilter(query: TObject | undefined): boolean {
  return query !== undefined && 'episode_id' in query.properties;
}

const episodeParams = Type.Object({ episode_id: episodeId });

/** An endpoint about the episode that `:episode_id` in the path names. */
export function defineEpisodeRoute<Q extends TObject, B extends TObject, K = undefined>(
  route: KeyedRoute<typeof episodeParams, Q, B, K, { readonly episodeId: string }> & About,
): Route {
  const { action } = route;
  const respond: KeyedRoute<typeof episodeParams, Q, B, K>['respond'] = async (ctx, input) => {
    const episodeId = input.params.episode_id.toLowerCase();
    await authorizeAndCount(ctx, input, action, { episodeId });
    return route.respond(ctx, { ...input, episodeId });
  };
  return define({ ...route, params: episodeParams, respond }, 'episode_id');
}

/** A route about one podcast or episode must state its action. */
interface About {
  readonly action: KeyedAction;
}

/**
 * These lines follow the order of checks in AUTH-5. The server refuses a key in the address before
 * any route; `authenticate` runs before the parameters are checked and a body is read.
 */
function define<P extends TObject, Q extends TObject, B extends TObject, K>(
  route: KeyedRoute<P, Q, B, K>,
  target: 'podcast_id' | 'episode_id' | undefined,
): Route {
  const { method = 'GET', path, action, params, query: parameters, caching = keyedCaching } = route;
  return defineRoute({
    method,
    path,
    access: 'key',
    ...(params && { params }),
    ...(parameters && { query: parameters }),
    ...(route.body && { body: { json: route.body } }),
    operation: describe(route, action, params !== undefined),
    async authenticate(http, request, reply) {
      const principal = await authenticateKey(
        http,
        request,
        reply,
        requestedBy(request, target, parameters),
      );
      await consumeFromAccount(http, request, reply, principal);
      if (!route.registers) requireRegistered(principal);
      if (action !== undefined) requireScope({ principal }, action);
      return principal;
    },
    async check(http, input) {
      const of = listedOf(input.params, input.caller.userId);
      const page = openPage(http, { path, parameters, of }, input);
      return { page, checked: (await route.check?.(http, input)) as K };
    },
    async handle(http, { checked, caller: principal, ...input }) {
      const ctx = { ...http.ctx, principal };
      const inTurn = turnOf(http, principal.userId, input.reply);
      return {
        kind: 'json',
        body: await route.respond(ctx, { ...input, ...checked, http, inTurn }),
        caching,
      };
    },
  });
}

/**
 * This continues the order of checks in AUTH-5: reach (404), then the owner's plan, team keys and
 * role (403), then the plan's quota (429). The verb authorizes again, without another statement;
 * this call only keeps the order.
 */
async function authorizeAndCount(
  ctx: Context,
  { http, reply }: Pick<Input<never, never, never, never>, 'http' | 'reply'>,
  action: KeyedAction,
  resource: Resource,
): Promise<void> {
  const { quota } = await authorize(ctx, action, resource);
  if (quota !== undefined) await consumeFromPlan(http, reply, quota);
}

/**
 * Returns the resource that the path names, so that one statement loads the key and its relation to
 * it.
 */
function requestedBy(
  { params, query }: FastifyRequest,
  name: 'podcast_id' | 'episode_id' | undefined,
  parameters: TObject | undefined,
): Resource | undefined {
  const id = name && (params as Record<string, string | undefined>)[name]?.toLowerCase();
  if (id === undefined || !isUuid(id)) return undefined;
  if (name === 'episode_id') return { episodeId: id };
  const { episode_id: given } = query as { readonly episode_id?: unknown };
  if (typeof given !== 'string' || !hasEpisodeFilter(parameters)) return { podcastId: id };
  const episodeId = given.toLowerCase();
  return isUuid(episodeId) ? { podcastId: id, episodeId } : undefined;
}

function describe(
  { id, tag, summary, description, responses, errors = [] }: Operation,
  action: KeyedAction | SiteAction | undefined,
  hasTarget: boolean,
): Operation {
  return {
    ...{ id, tag, summary, description, responses },
    ...(action !== undefined && { scope: scopeOf(action) }),
    errors: hasTarget ? [...errors, 404] : errors,
  };
}
