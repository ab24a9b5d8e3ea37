import type { Static } from 'typebox';
import Type from 'typebox';
import { changeEmail, changePassword } from '../../../domain/access/sessions/index.ts';
import {
  type Account,
  acceptTerms,
  changeProfile,
  getOwnAccount,
  planNameOf,
} from '../../../domain/foundation/accounts/index.ts';
import {
  findEmails,
  listUnwantedEmails,
  type OptionalEmail,
  optionalEmails,
  setUnwantedEmails,
} from '../../../domain/foundation/emails/index.ts';
import {
  deleteOwnAccount,
  type AccountOverview as Overview,
  readAccountOverview,
} from '../../../domain/service/departure/index.ts';
import { languageIds } from '../../../lib/languages.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { clientLeaves } from '../../responses/while-awaited.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { closed, email, id, moment, named, nullable, password } from '../field-schemas.ts';
import type { SignedInRequester } from '../requester.ts';
import { ok } from '../response.ts';
import { clearSession, setSession } from '../session-cookie.ts';

/** The profile, and the account as a whole: its plan and its end. */

const Language = Type.Enum([...languageIds], { type: 'string' });
const ChangeProfile = closed({
  name: Type.Optional(Type.String()),
  /** Of emails, and of the app in all browsers. */
  language: Type.Optional(Language),
});
const ChangeEmail = closed({ email, current_password: password });
const ChangePassword = closed({ current_password: password, password });
const AcceptTerms = closed({ version: Type.String() });

const OptionalEmails = Type.Array(Type.Enum([...optionalEmails], { type: 'string' }));
export const EmailChoices = named('EmailChoices', {
  /** The emails that a user may turn off. */
  optional: OptionalEmails,
  unwanted: OptionalEmails,
});
const ChooseEmails = closed({ unwanted: OptionalEmails });

export const Me = named('Me', {
  user: Type.Object({
    id,
    name: Type.String(),
    email: Type.String(),
    /** Null until the user has one. */
    language: nullable(Language),
  }),
  account: Type.Object({
    plan: Type.String(),
    plan_name: Type.String(),
    plan_state: Type.String(),
  }),
  terms: Type.Object({
    /** Null if there are no terms. */
    version: nullable(Type.String()),
    url: nullable(Type.String()),
    accepted: Type.Boolean(),
  }),
  session: Type.Object({ id }),
  /** Where the operator finds emails, which are not sent without `SMTP_URL`; null: they are sent. */
  unsent_emails_folder: nullable(Type.String()),
});

const limit = nullable(Type.Integer({ description: 'Null: none.' }));

/** The plan's downloads of this month are used from 80 % on. */
export const Overage = Type.Object({
  kind: Type.String({ description: 'downloads_near or downloads_exceeded.' }),
  downloads: Type.Integer(),
  monthly_downloads: Type.Integer(),
  is_suspended: Type.Boolean({ description: 'Shows of the account are suspended for it now.' }),
  suspends_at: nullable(
    Type.String({
      format: 'date-time',
      description: 'When that begins; null: not this month. If the limit is near: the earliest.',
    }),
  ),
  renews_on: Type.String({ description: 'YYYY-MM-DD, UTC: the count starts again.' }),
});

const AccountOverview = named('AccountOverview', {
  plan: Type.Object({
    id: Type.String(),
    name: Type.String(),
    state: Type.String({ description: 'active or lapsed.' }),
    api: Type.Boolean(),
    requests_per_minute: limit,
    analytics_history_days: limit,
    advanced_analytics: Type.Boolean(),
    engagement_imports: Type.Boolean(),
    monthly_downloads: limit,
  }),
  /** The usage of all shows that the user owns. */
  usage: Type.Object({
    month: Type.String({ description: 'The first day of the month, UTC: YYYY-MM-DD.' }),
    downloads: Type.Integer({ description: 'Downloads in the month.' }),
    shows: Type.Integer(),
    episodes: Type.Integer(),
  }),
  storage: Type.Object({
    used_bytes: Type.Integer({
      description: 'Audio and images of all shows that the user owns.',
    }),
    audio_bytes: Type.Integer(),
    image_bytes: Type.Integer(),
    upload_bytes: Type.Integer({
      description:
        'Unfinished and unused uploads, until they are used or expire: the whole files of the owner, and what has arrived of others.',
    }),
    included_bytes: nullable(
      Type.Integer({
        description: 'Set by the plan; null: no limit. A GB has 1,000,000,000 bytes.',
      }),
    ),
    is_near: Type.Boolean({ description: 'Whether 90 % of it is used.' }),
  }),
  /** Null below 80 % of the downloads of the plan. */
  overage: nullable(Overage),
  /** Of the whole installation; null: the user is not its operator. */
  backup: nullable(
    Type.Object({
      made_at: nullable(moment),
      is_overdue: Type.Boolean({ description: 'Daily backups have failed for two days.' }),
    }),
  ),
});

const DeleteAccount = closed({
  current_password: password,
  /** Deletes the user's own shows, too; without it, an account that owns any is refused. */
  with_shows: Type.Optional(Type.Boolean()),
});

export const meRoutes: readonly Route[] = [
  defineEndpoint('GET /app/api/me', {
    id: 'getMe',
    summary: 'Who is signed in',
    response: ok(Me),
    handle: async (caller) => presentAccount(caller, await getOwnAccount(caller.ctx)),
  }),
  defineEndpoint('PATCH /app/api/me', {
    id: 'changeProfile',
    summary: "Changes the user's name or language",
    body: { json: ChangeProfile },
    handle: ({ ctx }, { body }) => changeProfile(ctx, body),
  }),
  defineEndpoint('POST /app/api/me/email', {
    id: 'changeEmail',
    summary: 'Emails a link to the new email address, which changes once the link is opened',
    body: { json: ChangeEmail },
    handle: ({ ctx, client }, { body: { email, current_password: currentPassword } }) =>
      changeEmail(ctx, { email, currentPassword, client }),
  }),
  defineEndpoint('POST /app/api/password', {
    id: 'changePassword',
    summary: 'Changes the password; all other sessions end',
    body: { json: ChangePassword },
    async handle({ ctx, client }, { body, reply }) {
      const { current_password: currentPassword, password } = body;
      setSession(ctx, reply, await changePassword(ctx, { currentPassword, password, client }));
    },
  }),
  defineEndpoint('POST /app/api/terms', {
    id: 'acceptTerms',
    summary: 'Accepts the current terms',
    body: { json: AcceptTerms },
    handle: ({ ctx }, { body }) => acceptTerms(ctx, body),
  }),
];

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

function presentAccountOverview({
  plan,
  planState,
  month,
  usage,
  storage,
  overage,
  backup,
}: Overview): Static<typeof AccountOverview> {
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
    backup: backup === undefined ? null : wireNames(backup),
  };
}

export function presentEmailChoices(
  unwanted: readonly OptionalEmail[],
): Static<typeof EmailChoices> {
  return { optional: [...optionalEmails], unwanted: [...unwanted] };
}

export const accountRoutes: readonly Route[] = [
  defineEndpoint('GET /app/api/account', {
    id: 'getAccount',
    summary: "The user's plan with its limits, and current usage",
    response: ok(AccountOverview),
    // It counts the episodes of all shows.
    async handle({ ctx, session }, { http, reply }) {
      const read = () => readAccountOverview(ctx);
      return presentAccountOverview(
        await http.longReads.run(session.userId, clientLeaves(reply), read),
      );
    },
  }),
  defineEndpoint('GET /app/api/account/emails', {
    id: 'getEmailChoices',
    summary: 'The optional emails that the user does not want',
    response: ok(EmailChoices),
    handle: async ({ ctx }) => presentEmailChoices(await listUnwantedEmails(ctx)),
  }),
  defineEndpoint('PUT /app/api/account/emails', {
    id: 'chooseEmails',
    summary: 'Sets which optional emails the user does not want',
    body: { json: ChooseEmails },
    handle: ({ ctx }, { body: { unwanted } }) => setUnwantedEmails(ctx, unwanted),
  }),
  defineEndpoint('POST /app/api/account/deletion', {
    id: 'deleteAccount',
    summary: "Permanently deletes the user's account",
    body: { json: DeleteAccount },
    async handle({ ctx }, { body, reply }) {
      const { current_password: currentPassword, with_shows: withShows = false } = body;
      await deleteOwnAccount(ctx, { currentPassword, withShows });
      clearSession(ctx, reply);
    },
  }),
];
