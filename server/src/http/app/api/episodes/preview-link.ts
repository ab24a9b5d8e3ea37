import {
  createPreviewLink,
  findPreviewLink,
  revokePreviewLink,
} from '../../../../domain/public/previews/index.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { created, ok } from '../../response.ts';
import { PreviewLink } from '../../schemas/episodes.ts';
import { nullable } from '../../schemas/fields.ts';

const path = '/app/api/episodes/:episodeId/preview-link';

export const previewLinkRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}`, {
    id: 'getPreviewLink',
    summary: "The secret URL of an episode's preview, if there is one",
    response: ok(nullable(PreviewLink)),
    handle: async ({ ctx }, { params: { episodeId } }) =>
      wireNames((await findPreviewLink(ctx, episodeId)) ?? null),
  }),
  defineEndpoint(`POST ${path}`, {
    id: 'createPreviewLink',
    summary: 'Creates a new secret URL for thirty days, which replaces the previous one',
    response: created(PreviewLink),
    handle: async ({ ctx }, { params: { episodeId } }) =>
      wireNames(await createPreviewLink(ctx, episodeId)),
  }),
  defineEndpoint(`DELETE ${path}`, {
    id: 'revokePreviewLink',
    summary: 'Ends the preview of an episode',
    handle: ({ ctx }, { params: { episodeId } }) => revokePreviewLink(ctx, episodeId),
  }),
];
