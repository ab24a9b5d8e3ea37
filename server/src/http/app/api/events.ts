import Type from 'typebox';
import { listContentChanges } from '../../../domain/episodes/index.ts';
import { notFound } from '../../../domain/errors.ts';
import { type FoundImport, getImport } from '../../../domain/imports/index.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { withoutNullBranches } from '../../null-branch.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { followImport } from '../events/follow-import.ts';
import { followPodcast } from '../events/follow-podcast.ts';
import { serveEvents } from '../events/serve-events.ts';
import { presentImport } from '../present.ts';
import { written } from '../response.ts';
import { Import } from '../schemas/imports.ts';

const response = written({ 200: { description: 'text/event-stream' } });
const podcast = Type.Optional(Type.String({ description: 'The id of the podcast to watch.' }));
const importSchema: Record<string, unknown> = { ...withoutNullBranches(Import) };

/** Streams of changes. If a stream is refused, clients poll. */
export const eventRoutes: readonly Route[] = [
  defineEndpoint('GET /app/api/events', {
    id: 'watchPodcast',
    summary: 'A stream of changes: of the podcast itself, and of its episodes',
    query: Type.Object({ podcast }),
    response,
    async handle(caller, { http, query, ...input }) {
      const { ctx } = caller;
      const podcastId = query.podcast?.toLowerCase() ?? '';
      if (!isUuid(podcastId)) throw notFound('podcast');
      const { snapshot } = await listContentChanges(ctx, podcastId, undefined);
      return serveEvents(http, { ...input, caller }, (stream, sendEvents) =>
        followPodcast(ctx, { podcastId, snapshot }, { stream, sendEvents }),
      );
    },
  }),
  defineEndpoint('GET /app/api/imports/:importId/events', {
    id: 'watchImport',
    summary: 'A stream of the states of an import',
    response,
    async handle(caller, { http, params: { importId }, ...input }) {
      const { ctx } = caller;
      const found = await getImport(ctx, importId);
      const serialize = input.reply.compileSerializationSchema(importSchema);
      const write = (now: FoundImport) => serialize(presentImport(now));
      return serveEvents(http, { ...input, caller }, (stream, sendEvents) =>
        followImport(ctx, found, { stream, sendEvents, write }),
      );
    },
  }),
];
