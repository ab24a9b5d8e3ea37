import type { Static } from 'typebox';
import { memberImagePath } from '../../../../domain/addresses.ts';
import type { Context } from '../../../../domain/context.ts';
import {
  type EpisodeCredits,
  editCredits,
  readEpisodeCredits,
} from '../../../../domain/people/index.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import { defineRoute, type Route } from '../../../route.ts';
import { forSignedIn } from '../../requester.ts';
import { ok } from '../../responses.ts';
import { answerRevision, readExpectation } from '../../revision.ts';
import { EpisodePeople, SetEpisodePeople } from '../../schemas/episode-parts.ts';
import { ids } from '../../schemas/fields.ts';

const path = '/app/api/episodes/:episodeId/people';
const params = ids('episodeId');
const responses = ok(EpisodePeople);

function present({ people, known, revision }: EpisodeCredits): Static<typeof EpisodePeople> {
  return {
    people: people.map(wireNames),
    known: known.map(({ photoId, ...person }) => ({
      ...wireNames(person),
      photo_url: photoId === null ? null : memberImagePath({ id: photoId }, 160),
    })),
    revision,
  };
}

const answer = async (ctx: Context, episodeId: string) =>
  answerRevision(present(await readEpisodeCredits(ctx, episodeId)));

const readRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path,
  params,
  operation: {
    id: 'getEpisodePeople',
    summary: 'Whom an episode credits itself, and whom it could credit',
    responses,
  },
  handle: (_http, { caller: { ctx }, params: { episodeId } }) => answer(ctx, episodeId),
});

const setRoute = defineRoute({
  ...forSignedIn,
  method: 'PUT',
  path,
  params,
  body: { json: SetEpisodePeople },
  operation: {
    id: 'setEpisodePeople',
    summary: 'Sets whom an episode credits; nobody: the roster of the show',
    responses,
  },
  async handle(_http, { caller: { ctx }, params: { episodeId }, body, request }) {
    const people = body.people.map(({ person_id: personId, ...person }) => ({
      ...person,
      personId,
    }));
    await editCredits(ctx, episodeId, people, readExpectation(request));
    return answer(ctx, episodeId);
  },
});

export const episodePeopleRoutes: readonly Route[] = [readRoute, setRoute];
