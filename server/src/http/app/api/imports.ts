import Type from 'typebox';
import {
  cancelImport,
  confirmFeedCode,
  getImport,
  listImports,
  reopenImport,
  requestImport,
  sendFeedCode,
} from '../../../domain/exchange/imports/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { pageParameters } from '../../requests/parameters.ts';
import { byCreation } from '../../requests/positions.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { presentImport } from '../present.ts';
import { created, ok, page } from '../response.ts';
import {
  ConfirmFeedCode,
  Import,
  ListedImport,
  RequestImport,
  SendFeedCode,
  SentCode,
} from '../schemas/imports.ts';

const path = '/app/api/imports';

const recordRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}`, {
    id: 'listImports',
    summary: 'A page of imports, newest first',
    query: Type.Object(pageParameters),
    response: page(ListedImport),
    handle: ({ ctx }, { page }) =>
      page.read(byCreation, (query) => listImports(ctx, query), presentImport),
  }),
  defineEndpoint(`POST ${path}`, {
    id: 'requestImport',
    summary: 'Requests an import, which runs in the background',
    body: { json: RequestImport },
    response: created(Import),
    async handle({ ctx }, { body }) {
      const { copy_audio: copyAudio = true, dry_run: dryRun = false, ...given } = body;
      const { overwrite = false } = given;
      return presentImport(await requestImport(ctx, { ...given, overwrite, copyAudio, dryRun }));
    },
  }),
  defineEndpoint(`GET ${path}/:importId`, {
    id: 'getImport',
    summary: 'The state of an import',
    response: ok(Import),
    handle: async ({ ctx }, { params: { importId } }) =>
      presentImport(await getImport(ctx, importId)),
  }),
  defineEndpoint(`POST ${path}/:importId/cancel`, {
    id: 'cancelImport',
    summary: 'Cancels an import',
    response: ok(Import),
    handle: async ({ ctx }, { params: { importId } }) =>
      presentImport(await cancelImport(ctx, importId)),
  }),
  defineEndpoint(`POST ${path}/:importId/resume`, {
    id: 'resumeImport',
    summary: 'Continues an import',
    response: ok(Import),
    handle: async ({ ctx }, { params: { importId } }) =>
      presentImport(await reopenImport(ctx, importId, { wake: true })),
  }),
];

/** How a user proves that they own a locked feed. */
const codeRoutes: readonly Route[] = [
  defineEndpoint('POST /app/api/feed-codes', {
    id: 'sendFeedCode',
    summary: 'Emails a code to the owner of a locked feed',
    body: { json: SendFeedCode },
    response: created(SentCode),
    handle: async ({ ctx, session: { email } }, { body: { url } }) =>
      wireNames(await sendFeedCode(ctx, { url, owner: { email } })),
  }),
  defineEndpoint('POST /app/api/feed-codes/:codeId/confirm', {
    id: 'confirmFeedCode',
    summary: 'Confirms the code, which proves that the user owns the feed',
    body: { json: ConfirmFeedCode },
    handle: ({ ctx }, { params: { codeId }, body: { code } }) =>
      confirmFeedCode(ctx, { id: codeId, code }),
  }),
];

export const importRoutes: readonly Route[] = [...recordRoutes, ...codeRoutes];
