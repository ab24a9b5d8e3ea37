import { listUnwantedEmails, setUnwantedEmails } from '../../../domain/foundation/emails/index.ts';
import {
  deleteOwnAccount,
  readAccountOverview,
  readOwnData,
} from '../../../domain/service/departure/index.ts';
import { utcDayOf } from '../../../lib/utc-day.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { presentAccountOverview, presentEmailChoices, presentOwnData } from '../present-account.ts';
import { ok } from '../response.ts';
import { ChooseEmails, EmailChoices } from '../schemas/account.ts';
import { AccountExport, AccountOverview, DeleteAccount } from '../schemas/departure.ts';
import { clearSession } from '../set-session.ts';

export const accountRoutes: readonly Route[] = [
  defineEndpoint('GET /app/api/account', {
    id: 'getAccount',
    summary: "The user's plan with its limits, and current usage",
    response: ok(AccountOverview),
    handle: async ({ ctx }) => presentAccountOverview(await readAccountOverview(ctx)),
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
  defineEndpoint('GET /app/api/account/export', {
    id: 'exportAccount',
    summary: 'Everything stored about the user, except their shows',
    response: ok(AccountExport),
    async handle(caller, { reply }) {
      const now = caller.ctx.clock.now();
      const name = `account-${utcDayOf(now)}.json`;
      reply.header('Content-Disposition', `attachment; filename="${name}"`);
      return presentOwnData(caller, await readOwnData(caller.ctx), now);
    },
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
