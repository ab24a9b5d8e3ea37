import Type from 'typebox';
import { type FoundImport, getImport } from '../../../domain/exchange/imports/index.ts';
import { notFound } from '../../../domain/foundation/errors.ts';
import { listContentChanges } from '../../../domain/publishing/episodes/index.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { withoutNullBranches } from '../../responses/serializers.ts';
import { clientLeaves } from '../../responses/while-awaited.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { streamImport } from '../events/follow-import.ts';
import { followPodcast } from '../events/follow-podcast.ts';
import { decodePosition, encodePosition } from '../events/position.ts';
import { serveEvents } from '../events/serve-events.ts';
import { written } from '../response.ts';
import { Import, presentImport } from './imports-endpoints.ts';

const response = written({ 200: { description: 'text/event-stream' } });
const podcast = Type.Optional(Type.String({ description: 'The id of the podcast to watch.' }));
const since = Type.Optional(
  Type.String({
    description:
      "A position: from the app's page, or an event's id. The stream begins with the changes since then. Default: now.",
  }),
);
const importSchema: Record<string, unknown> = { ...withoutNullBranches(Import) };

/** Streams of changes. If a stream is refused, clients poll. */
export const eventRoutes: readonly Route[] = [
  defineEndpoint('GET /app/api/events', {
    id: 'watchPodcast',
    summary: 'A stream of changes: of the podcast itself, and of its episodes',
    query: Type.Object({ podcast, since }),
    response,
    async handle(caller, { http, query, ...input }) {
      const { ctx } = caller;
      const podcastId = query.podcast?.toLowerCase() ?? '';
      if (!isUuid(podcastId)) throw notFound('podcast');
      // A browser that reconnects sends the id of the last event with the URL of the first request.
      const position = [input.request.headers['last-event-id'] ?? query.since].flat()[0];
      const from = position === undefined ? undefined : decodePosition(http, position);
      const left = clientLeaves(input.reply);
      const inTurn = <T>(read: () => Promise<T>) =>
        http.eventReads.run(caller.session.userId, left, read);
      // After a restart of the server, all windows open their streams again at once.
      const found = await inTurn(() => listContentChanges(ctx, podcastId, from));
      const isLost = position !== undefined && from === undefined;
      const first = isLost ? { ...found, changed: undefined } : found;
      const positionOf = (snapshot: string) => encodePosition(http, snapshot);
      return serveEvents(http, { ...input, caller }, (stream, sendEvents) =>
        followPodcast(ctx, { podcastId, first }, { stream, sendEvents, positionOf, inTurn }),
      );
    },
  }),
  defineEndpoint('GET /app/api/imports/:importId/events', {
    id: 'watchImport',
    summary: "A stream of an import's states",
    response,
    async handle(caller, { http, params: { importId }, ...input }) {
      const { ctx } = caller;
      const found = await getImport(ctx, importId);
      const serialize = input.reply.compileSerializationSchema(importSchema);
      const write = (now: FoundImport) => serialize(presentImport(now));
      return serveEvents(http, { ...input, caller }, (stream, sendEvents) =>
        streamImport(ctx, found, { stream, sendEvents, write }),
      );
    },
  }),
];
