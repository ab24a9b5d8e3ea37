import Type from 'typebox';
import {
  cancelImport,
  confirmFeedCode,
  getImport,
  listImports,
  reopenImport,
  requestImport,
  sendFeedCode,
} from '../../../domain/imports/index.ts';
import { sessionCaching } from '../../payload.ts';
import { defineRoute, type Route } from '../../route.ts';
import { openPage } from '../../v1/page-request.ts';
import { cursor, pageSize } from '../../v1/parameters.ts';
import { readTimePosition, writeTimePosition } from '../../v1/time-position.ts';
import { answerData, answerNothing } from '../answers.ts';
import { presentImport } from '../present.ts';
import { forSignedIn } from '../requester.ts';
import { created, nothing, ok, page } from '../responses.ts';
import { closed, ids } from '../schemas/fields.ts';
import {
  ConfirmFeedCode,
  Import,
  ListedImport,
  RequestImport,
  SendFeedCode,
  SentCode,
} from '../schemas/imports.ts';

const path = '/app/api/imports';
const parameters = Type.Object({ limit: pageSize(100), cursor });

const recordRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path,
    query: parameters,
    operation: {
      id: 'listImports',
      summary: 'A page of imports, newest first',
      responses: page(ListedImport),
    },
    check: (http, input) =>
      openPage(http, { path, parameters, of: input.caller.session.userId }, input),
    async handle(_http, { caller: { ctx }, checked: page }) {
      const after = page.after && readTimePosition(page.after);
      const { items, next } = await listImports(ctx, { limit: page.limit, after });
      const body = {
        data: items.map(presentImport),
        pagination: page.next(next && writeTimePosition(next)),
      };
      return { kind: 'json', body, caching: sessionCaching };
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path,
    body: { json: RequestImport },
    operation: {
      id: 'requestImport',
      summary: 'Requests an import; background work carries it out',
      responses: created(Import),
    },
    async handle(_http, { caller: { ctx }, body }) {
      const { copy_audio: copyAudio = true, dry_run: dryRun = false, ...given } = body;
      const { overwrite = false } = given;
      const requested = await requestImport(ctx, { ...given, overwrite, copyAudio, dryRun });
      return answerData(presentImport(requested));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path: `${path}/:importId`,
    params: ids('importId'),
    operation: { id: 'getImport', summary: 'An import as it stands', responses: ok(Import) },
    async handle(_http, { caller: { ctx }, params: { importId } }) {
      return answerData(presentImport(await getImport(ctx, importId)));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: `${path}/:importId/cancel`,
    params: ids('importId'),
    body: { json: closed({}) },
    operation: { id: 'cancelImport', summary: 'Ends an import', responses: ok(Import) },
    async handle(_http, { caller: { ctx }, params: { importId } }) {
      return answerData(presentImport(await cancelImport(ctx, importId)));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: `${path}/:importId/resume`,
    params: ids('importId'),
    body: { json: closed({}) },
    operation: { id: 'resumeImport', summary: 'Takes an import up again', responses: ok(Import) },
    async handle(_http, { caller: { ctx }, params: { importId } }) {
      return answerData(presentImport(await reopenImport(ctx, importId, { wake: true })));
    },
  }),
];

/** How a user proves that they own a locked feed. */
const codeRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/feed-codes',
    body: { json: SendFeedCode },
    operation: {
      id: 'sendFeedCode',
      summary: 'Emails a code to the owner of a locked feed',
      responses: created(SentCode),
    },
    async handle(_http, { caller: { ctx, session }, body: { url } }) {
      const owner = { email: session.email };
      const { id, sentTo, expiresAt } = await sendFeedCode(ctx, { url, owner });
      return answerData({ id, sent_to: sentTo, expires_at: expiresAt.toISOString() });
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/feed-codes/:codeId/confirm',
    params: ids('codeId'),
    body: { json: ConfirmFeedCode },
    operation: {
      id: 'confirmFeedCode',
      summary: 'Proves by the code whose feed it is',
      responses: nothing,
    },
    async handle(_http, { caller: { ctx }, params: { codeId }, body: { code } }) {
      await confirmFeedCode(ctx, { id: codeId, code });
      return answerNothing;
    },
  }),
];

export const importRoutes: readonly Route[] = [...recordRoutes, ...codeRoutes];
