import Type from 'typebox';
import {
  type PlatformPosition,
  platformSources,
  readPlatformImport,
} from '../../../../domain/analytics/index.ts';
import type { CursorPosition } from '../../../../lib/cursor.ts';
import { cursor, pageSize } from '../../parameters.ts';
import { Pagination } from '../../schemas.ts';
import { definePodcastRoute } from '../keyed-route.ts';
import { keyedResponses } from '../responses.ts';
import { PlatformImport, presentPlatformImport } from './platform-import.ts';

const source = Type.Enum([...platformSources], {
  type: 'string',
  description: 'The platform',
  examples: ['apple'],
});

export const platformsRoute = definePodcastRoute({
  path: '/v1/me/podcasts/:podcast_id/analytics/platforms',
  action: 'platforms.read',
  query: Type.Object({ source, limit: pageSize(100), cursor }),
  operation: {
    id: 'getMyPlatformImport',
    tag: 'Your analytics',
    summary: 'Figures imported from another platform',
    description:
      'What the owner imported last from Apple Podcasts Connect or Spotify for Creators, as these platforms count. `cursor` walks `data.episodes`, in the order of the file. An import replaces the one before of its source; a cursor of the one before is then refused. Needs a plan with engagement imports.',
    responses: keyedResponses(
      'The last import of the source.',
      Type.Object({ data: PlatformImport, pagination: Pagination }),
    ),
  },
  async answer(ctx, { podcastId, query, page }) {
    const after = page.after && toPosition(page.after);
    const { limit } = page;
    const imported = await readPlatformImport(ctx, {
      ...{ podcastId, after, limit },
      source: query.source,
    });
    const { next } = imported;
    return {
      data: presentPlatformImport(imported),
      pagination: page.next(next && [next.importId, next.position]),
    };
  },
});

function toPosition([importId, position]: CursorPosition): PlatformPosition {
  return { importId: String(importId), position: Number(position) };
}
