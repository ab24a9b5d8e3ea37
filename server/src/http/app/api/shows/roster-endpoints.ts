import type { Static } from 'typebox';
import Type from 'typebox';
import { memberImagePath } from '../../../../domain/foundation/addresses.ts';
import type { Context } from '../../../../domain/foundation/context.ts';
import {
  checkPeople,
  type GivenPerson,
  type Person,
  readPeople,
  setPeople,
  setPersonPhoto,
} from '../../../../domain/publishing/people/index.ts';
import { readPodcast } from '../../../../domain/publishing/podcasts/index.ts';
import { peopleLimits } from '../../../../lib/limits.ts';
import { mapInSlices } from '../../../../lib/time-slices.ts';
import { domainNames, wireNames } from '../../../../lib/wire-names.ts';
import { clientLeaves } from '../../../responses/while-awaited.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { closed, id, named, nullable } from '../../field-schemas.ts';
import { revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';

/** A show as its members see and edit it. The domain checks bounds and choices. */

const text = Type.String();

const optionalText = nullable(text);

const flag = Type.Boolean();

const personFields = {
  name: text,
  /** A role of the Podcasting 2.0 taxonomy, in lower case. */
  role: text,
  group: text,
  bio: optionalText,
  link_url: optionalText,
  /** Whether the person is on the roster: credited on episodes that name nobody. */
  roster: flag,
  /** The team member who is this person. A co-host sees the episodes that credit them. */
  user_id: nullable(id),
};

const ShowPerson = named('ShowPerson', {
  id,
  ...personFields,
  photo: nullable(Type.Object({ id, url: text })),
});

const SetPeople = closed({
  people: Type.Array(
    closed({
      /** Missing for a new person, or for one known by name. */
      id: Type.Optional(id),
      /** The id of a new person, made by the client. */
      new_id: Type.Optional(id),
      name: text,
      role: Type.Optional(text),
      group: Type.Optional(text),
      bio: Type.Optional(optionalText),
      link_url: Type.Optional(optionalText),
      roster: Type.Optional(flag),
      user_id: Type.Optional(nullable(id)),
      /** A picture of the podcast. */
      photo_id: Type.Optional(nullable(id)),
    }),
    { maxItems: peopleLimits.known },
  ),
});

const ShowPeople = named('ShowPeople', {
  revision: Type.Integer(),
  people: Type.Array(ShowPerson),
});

function presentPerson({ photoId, ...person }: Person): Static<typeof ShowPerson> {
  const photo = photoId === null ? null : { id: photoId, url: memberImagePath({ id: photoId }) };
  return { ...wireNames(person), photo };
}

/** Everybody whom a show may know with all texts. */
const maxBytes = 3 * 1024 * 1024;

const path = '/app/api/podcasts/:podcastId/people';
const response = revised(ShowPeople);

export const peopleRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}`, {
    id: 'listPeople',
    summary: 'All people of a show, in the order of its roster',
    response,
    // 5,000 people take the main thread a tenth of a second.
    handle: ({ ctx, session }, { http, params: { podcastId }, reply }) =>
      http.longReads.run(session.userId, clientLeaves(reply), () => read(ctx, podcastId)),
  }),
  defineEndpoint(`PUT ${path}`, {
    id: 'setPeople',
    summary: 'Replaces the people of a show; omitted people without credits are deleted',
    body: { json: SetPeople, maxBytes },
    response,
    async check(_http, { body: { people = [] }, refused, refuse }) {
      const list = (await mapInSlices(people, domainNames)) as GivenPerson[];
      const isChecked = [...refused].some((field) => field.startsWith('people'));
      if (!isChecked) refuse(...checkPeople(list));
      return list;
    },
    async handle({ ctx }, { params: { podcastId }, checked: list, request }) {
      await setPeople(ctx, podcastId, list, readExpectation(request));
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

async function read(ctx: Context, podcastId: string) {
  // Read first: after a change in between, this revision is outdated and a write is refused.
  const { revision } = await readPodcast(ctx, podcastId);
  const people = await readPeople(ctx, podcastId);
  return { revision, people: await mapInSlices(people, presentPerson) };
}
