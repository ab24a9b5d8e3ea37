import type { Static } from 'typebox';
import { type OptionalEmail, optionalEmails } from '../../domain/foundation/emails/index.ts';
import type { AccountOverview, OwnData } from '../../domain/service/departure/index.ts';
import { wireNames } from '../../lib/wire-names.ts';
import {
  presentAccount,
  presentImport,
  presentKey,
  presentMyPodcast,
  presentSession,
  presentSite,
} from './present.ts';
import type { SignedInRequester } from './requester.ts';
import type { EmailChoices } from './schemas/account.ts';
import type * as schemas from './schemas/departure.ts';

/** From the domain's types to those of the private API, for the account as a whole. */

export function presentAccountOverview({
  plan,
  planState,
  month,
  usage,
  storage,
  overage,
}: AccountOverview): Static<typeof schemas.AccountOverview> {
  return {
    plan: {
      id: plan.id,
      name: plan.name,
      state: planState,
      api: plan.api,
      requests_per_minute: plan.requestsPerMinute ?? null,
      analytics_history_days: plan.analyticsHistoryDays ?? null,
      advanced_analytics: plan.advancedAnalytics,
      engagement_imports: plan.engagementImports,
      monthly_downloads: plan.monthlyDownloads ?? null,
    },
    usage: { month, ...wireNames(usage) },
    storage: {
      ...wireNames(storage),
      used_bytes: storage.audioBytes + storage.imageBytes,
      included_bytes: storage.includedBytes ?? null,
    },
    overage: overage === undefined ? null : wireNames(overage),
  };
}

export function presentEmailChoices(
  unwanted: readonly OptionalEmail[],
): Static<typeof EmailChoices> {
  return { optional: [...optionalEmails], unwanted: [...unwanted] };
}

export function presentOwnData(
  requester: SignedInRequester,
  data: OwnData,
  now: Date,
): Static<typeof schemas.AccountExport> {
  const { user, account } = presentAccount(requester, data.account);
  return {
    exported_at: now.toISOString(),
    user,
    account,
    podcasts: data.podcasts.map(presentMyPodcast),
    sessions: data.sessions.map((session) => presentSession(session, requester.session.id)),
    keys: data.keys.map((key) => presentKey(key, now)),
    sites: data.sites.map(presentSite),
    imports: data.imports.map(presentImport),
    emails: presentEmailChoices(data.unwantedEmails),
  };
}
