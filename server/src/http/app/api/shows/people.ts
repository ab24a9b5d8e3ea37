import type { Context } from '../../../../domain/foundation/context.ts';
import {
  checkPeople,
  type GivenPerson,
  readPeople,
  setPeople,
  setPersonPhoto,
} from '../../../../domain/publishing/people/index.ts';
import { readPodcast } from '../../../../domain/publishing/podcasts/index.ts';
import { domainNames } from '../../../../lib/wire-names.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { presentPerson } from '../../present-show.ts';
import { revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import { SetPeople, ShowPeople } from '../../schemas/shows.ts';

const path = '/app/api/podcasts/:podcastId/people';
const response = revised(ShowPeople);

export const peopleRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}`, {
    id: 'listPeople',
    summary: 'All people of a show, in the order of its roster',
    response,
    handle: ({ ctx }, { params: { podcastId } }) => read(ctx, podcastId),
  }),
  defineEndpoint(`PUT ${path}`, {
    id: 'setPeople',
    summary: 'Replaces the people of a show; omitted people without credits are deleted',
    body: { json: SetPeople },
    response,
    check(_http, { body, refused, refuse }) {
      const isChecked = [...refused].some((field) => field.startsWith('people'));
      if (!isChecked) refuse(...checkPeople(readList(body)));
    },
    async handle({ ctx }, { params: { podcastId }, body, request }) {
      await setPeople(ctx, podcastId, readList(body), readExpectation(request));
      return read(ctx, podcastId);
    },
  }),
  defineEndpoint(`DELETE ${path}/:personId/photo`, {
    id: 'removePersonPhoto',
    summary: 'Removes the photo of a person whom a show credits',
    response,
    async handle({ ctx }, { params, request }) {
      await setPersonPhoto(ctx, params, null, readExpectation(request));
      return read(ctx, params.podcastId);
    },
  }),
];

function readList({ people = [] }: { readonly people?: readonly object[] }): GivenPerson[] {
  return domainNames(people) as unknown as GivenPerson[];
}

async function read(ctx: Context, podcastId: string) {
  // Read first: after a change in between, this revision is outdated and a write is refused.
  const { revision } = await readPodcast(ctx, podcastId);
  const people = await readPeople(ctx, podcastId);
  return { revision, people: people.map(presentPerson) };
}
