import { removeAudio, setEpisodeArtwork } from '../../../../domain/media/index.ts';
import { defineRoute, type Route } from '../../../route.ts';
import { forSignedIn } from '../../requester.ts';
import { ok } from '../../responses.ts';
import { readExpectation } from '../../revision.ts';
import { EpisodeDraft } from '../../schemas/episodes.ts';
import { ids } from '../../schemas/fields.ts';
import { answerDraft } from './answer-draft.ts';

const removal = { ...forSignedIn, method: 'DELETE', params: ids('episodeId') } as const;

/** Files of an episode are set with finished uploads (`upload-uses.ts`), and removed here. */
export const episodeFileRoutes: readonly Route[] = [
  defineRoute({
    ...removal,
    path: '/app/api/episodes/:episodeId/audio',
    operation: {
      id: 'removeAudio',
      summary: 'Removes the audio of an episode',
      responses: ok(EpisodeDraft),
    },
    async handle(_http, { caller: { ctx }, params: { episodeId }, request }) {
      await removeAudio(ctx, episodeId, readExpectation(request));
      return answerDraft(ctx, episodeId);
    },
  }),
  defineRoute({
    ...removal,
    path: '/app/api/episodes/:episodeId/artwork',
    operation: {
      id: 'removeEpisodeArtwork',
      summary: 'Gives an episode the artwork of its show again',
      responses: ok(EpisodeDraft),
    },
    async handle(_http, { caller: { ctx }, params: { episodeId }, request }) {
      await setEpisodeArtwork(ctx, episodeId, null, readExpectation(request));
      return answerDraft(ctx, episodeId);
    },
  }),
];
