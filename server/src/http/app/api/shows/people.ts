import type { Context } from '../../../../domain/context.ts';
import {
  checkPeople,
  type GivenPerson,
  readPeople,
  setPeople,
  setPersonPhoto,
} from '../../../../domain/people/index.ts';
import { readPodcast } from '../../../../domain/podcasts/index.ts';
import { domainNames } from '../../../../lib/wire-names.ts';
import { type Answer, defineRoute, type Route } from '../../../route.ts';
import { presentPerson } from '../../present-show.ts';
import { forSignedIn } from '../../requester.ts';
import { ok } from '../../responses.ts';
import { answerRevision, readExpectation } from '../../revision.ts';
import { ids } from '../../schemas/fields.ts';
import { SetPeople, ShowPeople } from '../../schemas/shows.ts';

const shared = {
  ...forSignedIn,
  path: '/app/api/podcasts/:podcastId/people',
  params: ids('podcastId'),
} as const;

const readRoute = defineRoute({
  ...shared,
  method: 'GET',
  operation: {
    id: 'listPeople',
    summary: 'Everybody whom a show knows, in the order of its roster',
    responses: ok(ShowPeople),
  },
  handle: (_http, { caller: { ctx }, params: { podcastId } }) => answerPeople(ctx, podcastId),
});

const setRoute = defineRoute({
  ...shared,
  method: 'PUT',
  body: { json: SetPeople },
  operation: {
    id: 'setPeople',
    summary: 'Replaces the people of a show; those without credits who are left out are deleted',
    responses: ok(ShowPeople),
  },
  check(_http, { body, refused, refuse }) {
    const isChecked = [...refused].some((field) => field.startsWith('people'));
    if (!isChecked) refuse(...checkPeople(readList(body)));
  },
  async handle(_http, { caller: { ctx }, params: { podcastId }, body, request }) {
    await setPeople(ctx, podcastId, readList(body), readExpectation(request));
    return answerPeople(ctx, podcastId);
  },
});

const removePhotoRoute = defineRoute({
  ...forSignedIn,
  method: 'DELETE',
  path: '/app/api/podcasts/:podcastId/people/:personId/photo',
  params: ids('podcastId', 'personId'),
  operation: {
    id: 'removePersonPhoto',
    summary: 'Removes the photo of somebody whom a show credits',
    responses: ok(ShowPeople),
  },
  async handle(_http, { caller: { ctx }, params, request }) {
    await setPersonPhoto(ctx, params, null, readExpectation(request));
    return answerPeople(ctx, params.podcastId);
  },
});

function readList({ people = [] }: { readonly people?: readonly object[] }): GivenPerson[] {
  return domainNames(people) as unknown as GivenPerson[];
}

async function answerPeople(ctx: Context, podcastId: string): Promise<Answer> {
  // The revision first: a change in between is seen as one.
  const { revision } = await readPodcast(ctx, podcastId);
  const people = await readPeople(ctx, podcastId);
  const body = { revision, people: people.map(presentPerson) };
  return answerRevision(body);
}

export const peopleRoutes: readonly Route[] = [readRoute, setRoute, removePhotoRoute];
