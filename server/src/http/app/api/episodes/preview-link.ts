import {
  createPreviewLink,
  findPreviewLink,
  revokePreviewLink,
} from '../../../../domain/previews/index.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import { defineRoute, type Route } from '../../../route.ts';
import { answerData, answerNothing } from '../../answers.ts';
import { forSignedIn } from '../../requester.ts';
import { created, nothing, ok } from '../../responses.ts';
import { PreviewLink } from '../../schemas/episodes.ts';
import { closed, ids, nullable } from '../../schemas/fields.ts';

const path = '/app/api/episodes/:episodeId/preview-link';
const params = ids('episodeId');

const readRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path,
  params,
  operation: {
    id: 'getPreviewLink',
    summary: 'The secret address of the preview of an episode, if there is one',
    responses: ok(nullable(PreviewLink)),
  },
  async handle(_http, { caller: { ctx }, params: { episodeId } }) {
    const link = await findPreviewLink(ctx, episodeId);
    return answerData(link === undefined ? null : wireNames(link));
  },
});

const createRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path,
  params,
  body: { json: closed({}) },
  operation: {
    id: 'createPreviewLink',
    summary: 'Makes a new secret address for thirty days, in place of the one before it',
    responses: created(PreviewLink),
  },
  async handle(_http, { caller: { ctx }, params: { episodeId } }) {
    return answerData(wireNames(await createPreviewLink(ctx, episodeId)));
  },
});

const revokeRoute = defineRoute({
  ...forSignedIn,
  method: 'DELETE',
  path,
  params,
  operation: {
    id: 'revokePreviewLink',
    summary: 'Ends the preview of an episode',
    responses: nothing,
  },
  async handle(_http, { caller: { ctx }, params: { episodeId } }) {
    await revokePreviewLink(ctx, episodeId);
    return answerNothing;
  },
});

export const previewLinkRoutes: readonly Route[] = [readRoute, createRoute, revokeRoute];
