import Type from 'typebox';
import { readShowNotes } from '../../../domain/publishing/episodes/index.ts';
import { readTranscriptPage } from '../../../domain/publishing/transcripts/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { pageParameters } from '../../requests/parameters.ts';
import { Pagination } from '../public-schemas.ts';
import { keyedResponses } from '../responses.ts';
import { defineEpisodeRoute } from './keyed-route.ts';
import { ShowNotes, TranscriptPage } from './keyed-schemas.ts';
import { presentTranscriptPage } from './present-keyed.ts';

export const showNotesRoute = defineEpisodeRoute({
  path: '/v1/me/episodes/:episode_id/show-notes',
  action: 'episodes.read',
  id: 'getMyShowNotes',
  tag: 'Your episodes',
  summary: 'The show notes of an episode',
  description: 'As plain text and as sanitized HTML, without the rest of the episode.',
  responses: keyedResponses('The show notes.', Type.Object({ data: ShowNotes })),
  async respond(ctx, { episodeId }) {
    return { data: wireNames({ episodeId, ...(await readShowNotes(ctx, episodeId)) }) };
  },
});

export const transcriptRoute = defineEpisodeRoute({
  path: '/v1/me/episodes/:episode_id/transcript',
  action: 'transcript.read',
  query: Type.Object(pageParameters),
  id: 'getMyTranscript',
  tag: 'Your episodes',
  summary: 'The transcript of an episode, in pages',
  description:
    "Also if it is not published. 404 for an episode without one. If the key's user lacks `episodes.transcript_settings`, the key can read it only if the episode shares it with co-hosts.",
  responses: keyedResponses(
    'A page of segments.',
    Type.Object({ data: TranscriptPage, pagination: Pagination }),
  ),
  async respond(ctx, { episodeId, page }) {
    const [position] = page.after ?? [];
    const after = position === undefined ? undefined : Number(position);
    const transcript = await readTranscriptPage(ctx, episodeId, { after, limit: page.limit });
    const { next } = transcript;
    return {
      data: presentTranscriptPage(episodeId, transcript),
      pagination: page.next(next === undefined ? undefined : [next]),
    };
  },
});
