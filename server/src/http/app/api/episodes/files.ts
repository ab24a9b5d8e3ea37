import { removeAudio } from '../../../../domain/publishing/audio/index.ts';
import { setEpisodeArtwork } from '../../../../domain/publishing/images/index.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import { EpisodeDraft } from '../../schemas/episodes.ts';
import { readDraft } from './read-draft.ts';

const path = '/app/api/episodes/:episodeId';

/** Files of an episode are set with finished uploads (`upload-uses.ts`), and removed here. */
export const episodeFileRoutes: readonly Route[] = [
  defineEndpoint(`DELETE ${path}/audio`, {
    id: 'removeAudio',
    summary: 'Removes the audio of an episode',
    response: revised(EpisodeDraft),
    async handle({ ctx }, { params: { episodeId }, request }) {
      await removeAudio(ctx, episodeId, readExpectation(request));
      return readDraft(ctx, episodeId);
    },
  }),
  defineEndpoint(`DELETE ${path}/artwork`, {
    id: 'removeEpisodeArtwork',
    summary: 'Gives an episode the artwork of its show again',
    response: revised(EpisodeDraft),
    async handle({ ctx }, { params: { episodeId }, request }) {
      await setEpisodeArtwork(ctx, episodeId, null, readExpectation(request));
      return readDraft(ctx, episodeId);
    },
  }),
];
