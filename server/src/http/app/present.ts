import type { Static } from 'typebox';
import { type Key, keyRightsOf, keyStateOf } from '../../domain/access/keys/index.ts';
import type { Session } from '../../domain/access/sessions/index.ts';
import {
  type FoundImport,
  importRightsOf,
  type ListedImport,
} from '../../domain/exchange/imports/index.ts';
import { endOf, isConnected, type ListedSite, mayStay } from '../../domain/exchange/sites/index.ts';
import { type Account, planNameOf } from '../../domain/foundation/accounts/index.ts';
import { findEmails } from '../../domain/foundation/emails/index.ts';
import { roleOf } from '../../domain/foundation/permissions/index.ts';
import type { MyPodcast } from '../../domain/publishing/podcasts/index.ts';
import { wireNames } from '../../lib/wire-names.ts';
import type { SignedInRequester } from './requester.ts';
import type { Me } from './schemas/account.ts';
import type * as imports from './schemas/imports.ts';
import type * as keys from './schemas/keys.ts';
import type * as podcasts from './schemas/podcasts.ts';
import type * as sessions from './schemas/sessions.ts';
import type * as sites from './schemas/sites.ts';

/**
 * From the domain's types to those of the private API, where more than names is different. A
 * route's response schema leaves out the fields that it does not name.
 */

export function presentAccount(
  { ctx, session }: SignedInRequester,
  account: Account,
): Static<typeof Me> {
  const { terms } = ctx.installation;
  return {
    user: {
      id: session.userId,
      name: session.userName,
      email: session.email,
      language: session.language,
    },
    account: {
      plan: account.plan,
      plan_name: planNameOf(account.plan),
      plan_state: account.planState,
    },
    terms: {
      version: terms?.version ?? null,
      url: terms?.url ?? null,
      accepted: terms === undefined || session.acceptedTerms === terms.version,
    },
    session: { id: session.id },
    unsent_emails_folder: findEmails(ctx.installation) ?? null,
  };
}

export function presentSession(
  session: Session,
  currentId: string,
): Static<typeof sessions.Session> {
  return { ...wireNames(session), current: session.id === currentId };
}

export function presentMyPodcast(podcast: MyPodcast): Static<typeof podcasts.MyPodcast> {
  return presentHolder({ ...podcast, ...podcast.membership });
}

/** A member or an invitation: adds the name of its role and all capabilities. */
export function presentHolder<Holder extends Parameters<typeof roleOf>[0]>(holder: Holder) {
  return wireNames({ ...holder, ...roleOf(holder) });
}

export function presentKey(key: Key, now: Date): Static<typeof keys.Key> {
  return { ...wireNames({ ...key, ...keyRightsOf(key, now) }), state: keyStateOf(key, now) };
}

export function presentSite(site: ListedSite): Static<typeof sites.Site> {
  return {
    ...wireNames(site),
    shows: site.shows.map((show) => ({ ...show, may_stay: mayStay(show) })),
    is_connected: isConnected(site),
    ended_at: endOf(site)?.toISOString() ?? null,
  };
}

/** Includes the report if there is one. */
export function presentImport(
  found: ListedImport | FoundImport,
): Static<typeof imports.ListedImport> {
  const { progress, podcastId, podcastSlug, podcastTitle, error } = found;
  return {
    ...wireNames({ ...found, ...importRightsOf(found) }),
    podcast:
      podcastId === null
        ? null
        : { id: podcastId, slug: podcastSlug ?? '', title: podcastTitle ?? '' },
    url: found.sourceUrl,
    progress: { ...progress, total: progress.total ?? null, title: progress.title ?? null },
    error: error === null ? null : { reason: found.errorReason, message: error },
  };
}
