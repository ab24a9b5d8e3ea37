import type { Static } from 'typebox';
import Type from 'typebox';
import {
  cancelImport,
  confirmFeedCode,
  type FoundImport,
  getImport,
  importRightsOf,
  listImports,
  reopenImport,
  requestImport,
  type ListedImport as StoredImport,
  sendFeedCode,
} from '../../../domain/exchange/imports/index.ts';
import { maxChars } from '../../../lib/limits.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { pageParameters } from '../../requests/parameters.ts';
import { byCreation } from '../../requests/positions.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { closed, id, moment, named, nullable } from '../field-schemas.ts';
import { created, ok, page } from '../response.ts';

const address = Type.String({ maxLength: 2048, description: 'An http or https URL.' });
const slug = Type.String({ maxLength: maxChars.slug, description: 'A slug.' });

/**
 * `dry_run` only reports what would happen; `slug` is for a new show, `into` for an existing one.
 */
const RequestImport = closed({
  url: address,
  slug: Type.Optional(slug),
  into: Type.Optional(slug),
  copy_audio: Type.Optional(Type.Boolean()),
  overwrite: Type.Optional(Type.Boolean()),
  dry_run: Type.Optional(Type.Boolean()),
});

const SendFeedCode = closed({ url: address });

const ConfirmFeedCode = closed({
  code: Type.String({ maxLength: maxChars.feedCode, description: 'The code from the email.' }),
});

const SentCode = named('SentCode', {
  id,
  /** The first letter and the host of the address. */
  sent_to: Type.String(),
  expires_at: moment,
});

const Progress = named('Progress', {
  phase: Type.String(),
  done: Type.Integer(),
  total: nullable(Type.Integer()),
  title: nullable(Type.String()),
});

const importFields = {
  id,
  state: Type.String({ description: 'running, finished, failed or cancelled.' }),
  /** Null before the feed is read, after a dry run, and if the podcast was deleted. */
  podcast: nullable(Type.Object({ id, slug: Type.String(), title: Type.String() })),
  url: nullable(Type.String()),
  dry_run: Type.Boolean(),
  copy_audio: Type.Boolean(),
  overwrite: Type.Boolean(),
  progress: Progress,
  /** Why the import failed. */
  error: nullable(Type.Object({ reason: nullable(Type.String()), message: Type.String() })),
  may_cancel: Type.Boolean(),
  may_resume: Type.Boolean({
    description: 'Whether it can be started again, after it has failed or was cancelled.',
  }),
  created_at: moment,
  updated_at: moment,
};

export const ListedImport = named('ListedImport', importFields);

/** The report is the same as that of the command. */
export const Import = named('Import', {
  ...importFields,
  report: nullable(Type.Record(Type.String(), Type.Unknown())),
});

/** Includes the report if there is one. */
export function presentImport(found: StoredImport | FoundImport): Static<typeof ListedImport> {
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
