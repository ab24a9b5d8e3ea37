import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static, type TObject } from 'typebox';
import {
  type Caller,
  decideAccess,
  type GrantedAccess,
  type Need,
  refuseScope,
  type Scope,
  type Target,
} from '../../../domain/keys/index.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { authenticate } from '../../authenticate.ts';
import { keyedCaching } from '../../payload.ts';
import { defineRoute, type Operation, type Route } from '../../route.ts';
import type { Web } from '../../web.ts';
import { openPage, type PageRequest } from '../page-request.ts';
import { episodeId, podcastId } from '../parameters.ts';
import { takeFromAccount, takeFromPlan } from './allowance.ts';

interface KeyedRoute<Q extends TObject, Input> {
  readonly path: string;
  /** What the key must hold; none: any key will do. */
  readonly scope?: Scope;
  readonly query?: Q;
  readonly operation: Operation;
  /** The body of the answer. `web.ctx` stays the public's: a key may do nothing in its user's name. */
  readonly read: (web: Web, input: Input) => Promise<object>;
}

interface Input<Q> {
  readonly caller: Caller;
  readonly query: Q;
  /** Which page of a list is asked for. */
  readonly page: PageRequest;
}

interface ReachedInput<Q> extends Input<Q> {
  readonly access: GrantedAccess;
  readonly podcastId: string;
}

/** A read that concerns no podcast in particular. */
export function defineKeyedRoute<Q extends TObject>(route: KeyedRoute<Q, Input<Static<Q>>>): Route {
  return define(route, undefined, (web, _reply, input) => route.read(web, input));
}

/** A read of the podcast that `:podcast_id` in the path names. */
export function definePodcastRoute<Q extends TObject>(
  route: KeyedRoute<Q, ReachedInput<Static<Q>>> & { readonly need: Need },
): Route {
  return define(route, { podcast_id: podcastId }, async (web, reply, input) =>
    route.read(web, await reach(web, reply, input, route.need)),
  );
}

/** A read of the episode that `:episode_id` in the path names. */
export function defineEpisodeRoute<Q extends TObject>(
  route: KeyedRoute<Q, ReachedInput<Static<Q>> & { readonly episodeId: string }> & {
    readonly need: Need;
  },
): Route {
  return define(route, { episode_id: episodeId }, async (web, reply, input) => {
    const reached = await reach(web, reply, input, route.need);
    return route.read(web, { ...reached, episodeId: input.targetId });
  });
}

/**
 * The order of decisions.md §2 is the order of these lines. A key in the address is refused by the
 * server before any route; `admit` runs before the parameters are checked and a body is read.
 */
function define<Q extends TObject>(
  route: Omit<KeyedRoute<Q, never>, 'read'>,
  target: Readonly<Record<string, typeof podcastId>> | undefined,
  answer: (web: Web, reply: FastifyReply, input: TargetInput<Static<Q>>) => Promise<object>,
): Route {
  const { path, scope, query: parameters } = route;
  const params = Type.Object(target ?? {});
  return defineRoute({
    method: 'GET',
    path,
    access: 'key',
    params,
    ...(parameters && { query: parameters }),
    operation: describe(route.operation, scope, target !== undefined),
    async admit(web, request, reply) {
      const caller = await authenticate(web, request, targetOf(request));
      await takeFromAccount(web, reply, caller);
      if (scope !== undefined) refuseScope(caller, scope);
      return caller;
    },
    async handle(web, { params, query, caller, reply }) {
      const [named = caller.userId] = Object.values<string>(params);
      const targetId = named.toLowerCase();
      const page = openPage(web, { path, parameters, of: targetId }, query);
      const body = await answer(web, reply, { caller, query, page, targetId });
      return { kind: 'json', body, caching: keyedCaching };
    },
  });
}

interface TargetInput<Q> extends Input<Q> {
  /** What the path names; the user, where it names nothing. */
  readonly targetId: string;
}

/** Goes on from there: reach (404), the owning plan, team keys and role (403), its allowance (429). */
async function reach<Q>(
  web: Web,
  reply: FastifyReply,
  { caller, query, page }: Input<Q>,
  need: Need,
): Promise<ReachedInput<Q>> {
  const access = decideAccess(caller.access, need);
  await takeFromPlan(web, reply, access);
  return { caller, query, page, access, podcastId: access.podcastId };
}

/** What the path names, so that the key and what stands between it and that are one statement. */
function targetOf(request: FastifyRequest): Target | undefined {
  const { podcast_id, episode_id } = request.params as Record<string, string | undefined>;
  if (episode_id !== undefined && isUuid(episode_id)) return { episodeId: episode_id };
  if (podcast_id !== undefined && isUuid(podcast_id)) return { podcastId: podcast_id };
  return undefined;
}

function describe(operation: Operation, scope: Scope | undefined, hasTarget: boolean): Operation {
  return {
    ...operation,
    ...(scope !== undefined && { scope }),
    ...(hasTarget && { errors: [404] }),
  };
}
