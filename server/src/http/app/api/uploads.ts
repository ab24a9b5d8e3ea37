import Type from 'typebox';
import { getUpload, listUploads, removeUpload } from '../../../domain/publishing/uploads/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { ok, written } from '../response.ts';
import { Upload } from '../schemas/uploads.ts';
import { exchangeTus, uploadsPath } from '../uploads/exchange-tus.ts';

const onePath = `${uploadsPath}/:uploadId` as const;

/** Files in pieces, by the tus protocol 1.0: creation, termination, expiration. */
export const uploadRoutes: readonly Route[] = [
  defineEndpoint(`GET ${uploadsPath}`, {
    id: 'listUploads',
    summary: "The user's uploads that are not part of a podcast yet",
    response: ok(Type.Array(Upload)),
    handle: async ({ ctx }) => wireNames(await listUploads(ctx)),
  }),
  defineEndpoint(`POST ${uploadsPath}`, {
    id: 'createUpload',
    summary: 'Begins an upload, as in tus',
    body: 'stream',
    response: written({ 201: { description: 'Created: its URL is in Location' } }),
    handle: ({ ctx }, { http, ...exchange }) => exchangeTus(http, { ...exchange, ctx }),
  }),
  defineEndpoint(`GET ${onePath}`, {
    id: 'getUpload',
    summary: 'An upload; HEAD returns its offset, as in tus',
    response: written(ok(Upload).responses),
    async handle({ ctx }, { http, params: { uploadId }, ...exchange }) {
      if (exchange.request.method === 'HEAD') return exchangeTus(http, { ...exchange, ctx });
      return ok(Upload).answer(wireNames(await getUpload(ctx, uploadId)));
    },
  }),
  defineEndpoint(`PATCH ${onePath}`, {
    id: 'appendToUpload',
    summary: 'Continues an upload, as in tus',
    body: 'stream',
    response: written({
      204: { description: 'Received: Upload-Offset is the number of bytes so far' },
    }),
    handle: ({ ctx }, { http, ...exchange }) => exchangeTus(http, { ...exchange, ctx }),
  }),
  defineEndpoint(`DELETE ${onePath}`, {
    id: 'removeUpload',
    summary: 'Cancels an upload and removes its bytes',
    async handle({ ctx }, { reply, params: { uploadId } }) {
      await removeUpload(ctx, uploadId);
      reply.header('Tus-Resumable', '1.0.0');
    },
  }),
];
