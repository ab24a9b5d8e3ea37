import {
  deleteOwnAccount,
  readAccountOverview,
  readOwnData,
} from '../../../domain/departure/index.ts';
import { listUnwantedEmails, setUnwantedEmails } from '../../../domain/emails/index.ts';
import { utcDayOf } from '../../../lib/utc-day.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { clearSession } from '../carry-session.ts';
import { presentAccountOverview, presentEmailChoices, presentOwnData } from '../present-account.ts';
import { forSignedIn } from '../requester.ts';
import { nothing, ok } from '../responses.ts';
import { ChooseEmails, EmailChoices } from '../schemas/account.ts';
import { AccountExport, AccountOverview, DeleteAccount } from '../schemas/departure.ts';

export const accountRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path: '/app/api/account',
    operation: {
      id: 'getAccount',
      summary: 'The plan of the user with its limits, and what they use',
      responses: ok(AccountOverview),
    },
    async handle(_http, { caller: { ctx } }) {
      return answerData(presentAccountOverview(await readAccountOverview(ctx)));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path: '/app/api/account/emails',
    operation: {
      id: 'getEmailChoices',
      summary: 'Which optional emails the user does not want',
      responses: ok(EmailChoices),
    },
    async handle(_http, { caller: { ctx } }) {
      return answerData(presentEmailChoices(await listUnwantedEmails(ctx)));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'PUT',
    path: '/app/api/account/emails',
    body: { json: ChooseEmails },
    operation: {
      id: 'chooseEmails',
      summary: 'Sets which optional emails the user does not want',
      responses: nothing,
    },
    async handle(_http, { caller: { ctx }, body: { unwanted } }) {
      await setUnwantedEmails(ctx, unwanted);
      return answerNothing;
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path: '/app/api/account/export',
    operation: {
      id: 'exportAccount',
      summary: 'Everything known of the user, apart from their shows',
      responses: ok(AccountExport),
    },
    async handle(_http, { caller, reply }) {
      const now = caller.ctx.clock.now();
      const name = `account-${utcDayOf(now)}.json`;
      reply.header('Content-Disposition', `attachment; filename="${name}"`);
      return answerData(presentOwnData(caller, await readOwnData(caller.ctx), now));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/account/deletion',
    body: { json: DeleteAccount },
    operation: {
      id: 'deleteAccount',
      summary: 'Deletes the account of the user, for ever',
      responses: nothing,
    },
    async handle(_http, { caller: { ctx }, body, reply }) {
      const { current_password: currentPassword, with_shows: withShows = false } = body;
      await deleteOwnAccount(ctx, { currentPassword, withShows });
      clearSession(ctx, reply);
      return answerNothing;
    },
  }),
];
