import type { Static } from 'typebox';
import { memberImagePath } from '../../../../domain/foundation/addresses.ts';
import type { Context } from '../../../../domain/foundation/context.ts';
import { editCredits, readEpisodeCredits } from '../../../../domain/publishing/people/index.ts';
import { domainNames, wireNames } from '../../../../lib/wire-names.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import { EpisodePeople, SetEpisodePeople } from '../../schemas/episode-parts.ts';

const path = '/app/api/episodes/:episodeId/people';
const response = revised(EpisodePeople);

async function read(ctx: Context, episodeId: string): Promise<Static<typeof EpisodePeople>> {
  const { people, known, revision } = await readEpisodeCredits(ctx, episodeId);
  return {
    people: wireNames(people),
    known: known.map(({ photoId, ...person }) => ({
      ...wireNames(person),
      photo_url: photoId === null ? null : memberImagePath({ id: photoId }, 160),
    })),
    revision,
  };
}

export const episodePeopleRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}`, {
    id: 'getEpisodePeople',
    summary: 'The people that an episode credits itself, and those that it could credit',
    response,
    handle: ({ ctx }, { params: { episodeId } }) => read(ctx, episodeId),
  }),
  defineEndpoint(`PUT ${path}`, {
    id: 'setEpisodePeople',
    summary: 'Sets the people that an episode credits; an empty list: the roster of the show',
    body: { json: SetEpisodePeople },
    response,
    async handle({ ctx }, { params: { episodeId }, body: { people }, request }) {
      await editCredits(ctx, episodeId, domainNames(people), readExpectation(request));
      return read(ctx, episodeId);
    },
  }),
];
