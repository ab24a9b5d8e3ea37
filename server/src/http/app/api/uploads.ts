import Type from 'typebox';
import { getUpload, listUploads, removeUpload } from '../../../domain/uploads/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { forSignedIn } from '../requester.ts';
import { nothing, ok } from '../responses.ts';
import { ids } from '../schemas/fields.ts';
import { Upload } from '../schemas/uploads.ts';
import { exchangeTus, uploadsPath } from '../uploads/exchange-tus.ts';

const params = ids('uploadId');
const onePath = `${uploadsPath}/:uploadId`;

/** Files in pieces, by the tus protocol 1.0: creation, termination, expiration. */
export const uploadRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path: uploadsPath,
    operation: {
      id: 'listUploads',
      summary: "The user's uploads that are not part of a podcast yet",
      responses: ok(Type.Array(Upload)),
    },
    handle: async (_http, { caller: { ctx } }) => answerData(wireNames(await listUploads(ctx))),
  }),
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: uploadsPath,
    body: 'stream',
    operation: {
      id: 'createUpload',
      summary: 'Begins an upload, as tus describes it',
      responses: { 201: { description: 'Created: its address is in Location' } },
    },
    handle: (http, { caller: { ctx }, request, reply }) =>
      exchangeTus(http, { request, reply, ctx }),
  }),
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path: onePath,
    params,
    operation: {
      id: 'getUpload',
      summary: 'An upload; HEAD answers how far it has come, as tus describes it',
      responses: ok(Upload),
    },
    async handle(http, { caller: { ctx }, request, reply, params: { uploadId } }) {
      if (request.method === 'HEAD') return await exchangeTus(http, { request, reply, ctx });
      return answerData(wireNames(await getUpload(ctx, uploadId)));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'PATCH',
    path: onePath,
    params,
    body: 'stream',
    operation: {
      id: 'appendToUpload',
      summary: 'Continues an upload, as tus describes it',
      responses: { 204: { description: 'Received: Upload-Offset says how far it has come' } },
    },
    handle: (http, { caller: { ctx }, request, reply }) =>
      exchangeTus(http, { request, reply, ctx }),
  }),
  defineRoute({
    ...forSignedIn,
    method: 'DELETE',
    path: onePath,
    params,
    operation: {
      id: 'removeUpload',
      summary: 'Cancels an upload and removes its bytes',
      responses: nothing,
    },
    async handle(_http, { caller: { ctx }, reply, params: { uploadId } }) {
      await removeUpload(ctx, uploadId);
      reply.header('Tus-Resumable', '1.0.0');
      return answerNothing;
    },
  }),
];
