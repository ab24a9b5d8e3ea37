import { getPlan, type Plan } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { DomainError, notFound, requireFound } from '../errors.ts';
import { type KeyPrincipal, requireKey, type UserPrincipal } from '../principal.ts';
import type { EpisodeRelation, KeyRelation, Membership, Relation, Resource } from '../relation.ts';
import { type Action, isSiteAction, ruleOf, type SiteAction, scopeOf } from './actions.ts';
import { selectKeyRelation, selectPodcastIdOfEpisode, selectRelation } from './relations.sql.ts';
import { administeringRoles, type MemberRole, roleOf, seesAllEpisodes } from './roles.ts';

/** What `authorize` returns: the caller's role, and limits on what they see. */
export interface Grant {
  readonly podcastId: string;
  readonly membership: Membership;
  /** Sees only the episodes that credit this user; undefined: sees all. */
  readonly creditedUserId: string | undefined;
  /** The plan whose limits apply; undefined for the operator and the system, who have none. */
  readonly plan: Plan | undefined;
  /** The quota that a key's read counts against; undefined if no key asks. */
  readonly quota: PlanQuota | undefined;
}

/** All keyed reads of one account's podcasts share this quota. */
export interface PlanQuota {
  readonly accountId: string;
  readonly requestsPerMinute: number;
}

const asOwner: Membership = { role: 'owner', roleName: null, capabilities: null };

/**
 * Every verb that reads or writes data of a podcast's members begins with this. Throws, in the
 * order of AUTH-5: `insufficient_scope`; `not_found` if the caller is not a member or does
 * not see the episode, exactly as if it did not exist; `plan_upgrade_required`; `forbidden`. It
 * runs one statement, or none if a key's request names the resource.
 */
export async function authorize(ctx: Context, action: Action, resource: Resource): Promise<Grant> {
  const { principal, db } = ctx;
  switch (principal.kind) {
    case 'operator':
    case 'system':
      return grantAll(ctx, resource);
    case 'public':
      throw notFound(nameOf(resource));
    case 'user': {
      const relation = await selectRelation(db, principal.userId, resource);
      return decide(principal, action, relation, nameOf(resource));
    }
    default: {
      requireScope(ctx, action);
      const relation = isRequested(principal, resource)
        ? principal.requested?.relation
        : await selectKeyRelation(db, principal.key.id, resource);
      return decide(principal, action, relation, 'podcast or episode that this key can access');
    }
  }
}

/**
 * Throws for a key without the action's scope, before the response reveals anything about a podcast.
 */
export function requireScope(
  ctx: Pick<Context, 'principal'>,
  action: Action | SiteAction,
): KeyPrincipal {
  const principal = requireKey(ctx);
  const isOfSites = isSiteAction(action);
  if (isOfSites && principal.kind !== 'site') {
    throw new DomainError('insufficient_scope', 'This is for the keys of connected sites.');
  }
  const scope = isOfSites ? scopeOf(action) : ruleOf(action).scope;
  if (scope === undefined) throw forbidden('API keys can only read.');
  if (principal.key.scopes.includes(scope)) return principal;
  throw new DomainError('insufficient_scope', `This key does not have the scope ${scope}.`);
}

/** Throws for a site's key that is not registered yet: it may only register. */
export function requireRegistered(principal: KeyPrincipal): void {
  if (principal.kind !== 'site' || principal.site !== undefined) return;
  throw forbidden("This key's site is not registered yet: POST /v1/me/sites.");
}

/** Throws not_found for what the caller must not know of; `what` names it in the message. */
export function decide(
  principal: UserPrincipal | KeyPrincipal,
  action: Action,
  relation: Relation | undefined,
  what: string,
): Grant {
  if (relation?.membership === undefined) throw notFound(what);
  const { podcastId, membership, episode, key } = relation;
  const plan = getPlan(relation.plan);
  const withKey = principal.kind !== 'user';
  if (withKey && key?.isCovered !== true) throw notFound(what);
  const seesAll = seesAllEpisodes(membership);
  if (episode !== undefined && !seesAll && !episode.isCredited) throw notFound(what);
  const quota = key && requireApi(key, plan);
  const circumstances = { withKey, sharesTranscript: episode?.sharesTranscript === true };
  const refusal = findRoleRefusal(roleOf(membership), action, circumstances);
  if (refusal !== undefined) throw forbidden(refusal);
  const creditedUserId = seesAll ? undefined : principal.userId;
  return { podcastId, membership, creditedUserId, plan, quota };
}

function requireApi({ accountId, ...key }: KeyRelation, plan: Plan): PlanQuota {
  if (!key.planIncludesApi) {
    const reason = key.planState === 'lapsed' ? 'has lapsed' : 'does not include the API';
    throw new DomainError('plan_upgrade_required', `This podcast's plan ${reason}.`);
  }
  if (!key.isAllowed) {
    throw forbidden("This podcast's owner does not allow members to use API keys.");
  }
  const { requestsPerMinute } = plan;
  if (requestsPerMinute === undefined)
    throw new Error(`the plan ${plan.id} does not include the API`);
  return { accountId, requestsPerMinute };
}

async function grantAll({ db }: Context, { podcastId, episodeId }: Resource): Promise<Grant> {
  const found = podcastId ?? (await selectPodcastIdOfEpisode(db, episodeId));
  const unlimited = { creditedUserId: undefined, plan: undefined, quota: undefined };
  return { podcastId: requireFound(found, 'episode'), membership: asOwner, ...unlimited };
}

/** True if the relation was loaded with the key. */
function isRequested({ requested }: KeyPrincipal, resource: Resource): boolean {
  if (requested === undefined) return false;
  const { episodeId, podcastId } = requested.resource;
  return episodeId === resource.episodeId && podcastId === resource.podcastId;
}

function nameOf({ episodeId }: Resource): string {
  return episodeId === undefined ? 'podcast' : 'episode';
}

function forbidden(message: string): DomainError {
  return new DomainError('forbidden', message);
}

type Member = Pick<MemberRole, 'role' | 'capabilities'>;

/** Further facts for the rules; default: a signed-in user, and nothing is shared. */
interface Circumstances {
  readonly withKey?: boolean;
  readonly sharesTranscript?: boolean;
}

/** Whether a member may do this, with all episodes or with one that they see. */
export function allows(member: Member, action: Action, circumstances?: Circumstances): boolean {
  return findRoleRefusal(member, action, circumstances) === undefined;
}

/**
 * The same for one episode, by what was read with something that acts for the member. `isCredited`: the
 * episode credits them.
 */
export function allowsWithEpisode(
  membership: Membership,
  action: Action,
  { isCredited }: Pick<EpisodeRelation, 'isCredited'>,
): boolean {
  return allows(roleOf(membership), action) && (seesAllEpisodes(membership) || isCredited);
}

/** Why a member's role does not allow it, in a sentence; undefined: it is allowed. */
function findRoleRefusal(
  { role, capabilities }: Member,
  action: Action,
  { withKey = false, sharesTranscript = false }: Circumstances = {},
): string | undefined {
  const rule = ruleOf(action);
  const { capability, ownerOnly, administratorsOnly, unlessShared } = rule;
  if (ownerOnly === 'always' && role !== 'owner') return "Only the podcast's owner can do this.";
  if (ownerOnly === 'with a key' && withKey && role !== 'owner') {
    return "Only the podcast's owner can read this with a key.";
  }
  if (administratorsOnly && !administeringRoles.includes(role)) {
    return "Only the podcast's owner and admins can do this.";
  }
  if (rule.seesAllEpisodes && !capabilities.includes('episodes.view_all')) {
    return 'Your role on this podcast does not include episodes.view_all.';
  }
  if (capability === undefined || capabilities.includes(capability)) return undefined;
  if (unlessShared === undefined)
    return `Your role on this podcast does not include ${capability}.`;
  return sharesTranscript ? undefined : "This episode's transcript is not shared with you.";
}
