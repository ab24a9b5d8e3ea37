import type { Static } from 'typebox';
import { type Account, getPlan } from '../../domain/accounts/index.ts';
import type { MyPodcast } from '../../domain/podcasts/index.ts';
import type { Session } from '../../domain/sessions/index.ts';
import { presentMembership } from './present-team.ts';
import type { Me } from './schemas/account.ts';
import type * as podcasts from './schemas/podcasts.ts';
import type * as sessions from './schemas/sessions.ts';
import type { SignedInVisitor } from './visitor.ts';

/** From the domain's types to what the private API calls them. */

export function presentMe({ ctx, session }: SignedInVisitor, account: Account): Static<typeof Me> {
  const { terms } = ctx.installation;
  return {
    user: { id: session.userId, name: session.userName, email: session.email },
    account: {
      plan: account.plan,
      plan_name: getPlan(account.plan).name,
      plan_state: account.planState,
    },
    terms: {
      version: terms?.version ?? null,
      url: terms?.url ?? null,
      accepted: terms === undefined || session.acceptedTerms === terms.version,
    },
    session: { id: session.id },
  };
}

export function presentSession(
  session: Session,
  currentId: string,
): Static<typeof sessions.Session> {
  return {
    id: session.id,
    user_agent: session.userAgent,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    current: session.id === currentId,
  };
}

export function presentMyPodcast(podcast: MyPodcast): Static<typeof podcasts.MyPodcast> {
  return {
    id: podcast.id,
    slug: podcast.slug,
    title: podcast.title,
    ...presentMembership(podcast.membership),
    status: podcast.status,
    hosting_type: podcast.hostingType,
    team_keys: podcast.teamKeys,
    created_at: podcast.createdAt.toISOString(),
  };
}
