import Type from 'typebox';
import {
  platformSources,
  readPlatformImport,
} from '../../../../domain/audience/analytics/index.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import { pageParameters } from '../../../requests/parameters.ts';
import { byImportedRow } from '../../../requests/positions.ts';
import { Pagination } from '../../schemas.ts';
import { definePodcastRoute } from '../keyed-route.ts';
import { keyedResponses } from '../responses.ts';
import { PlatformImport } from './platform-import.ts';

const source = Type.Enum([...platformSources], {
  type: 'string',
  description: 'The platform',
  examples: ['apple'],
});

export const platformsRoute = definePodcastRoute({
  path: '/v1/me/podcasts/:podcast_id/analytics/platforms',
  action: 'platforms.read',
  query: Type.Object({ source, ...pageParameters }),
  id: 'getMyPlatformImport',
  tag: 'Your analytics',
  summary: 'Figures imported from another platform',
  description:
    "The owner's last import from Apple Podcasts Connect or Spotify for Creators, as these platforms count. `cursor` pages through `data.episodes`, in the order of the file. A new import replaces the last one from its source, whose cursors are then refused. Needs a plan with engagement imports.",
  responses: keyedResponses(
    'The last import of the source.',
    Type.Object({ data: PlatformImport, pagination: Pagination }),
  ),
  async answer(ctx, { podcastId, query: { source }, page }) {
    const { pagination, ...imported } = await page.find(byImportedRow, (query) =>
      readPlatformImport(ctx, { ...query, podcastId, source }),
    );
    return { data: wireNames(imported), pagination };
  },
});
