import type { Static } from 'typebox';
import Type from 'typebox';
import { memberImagePath } from '../../../../domain/foundation/addresses.ts';
import type { Context } from '../../../../domain/foundation/context.ts';
import { editCredits, readEpisodeCredits } from '../../../../domain/publishing/people/index.ts';
import { peopleLimits } from '../../../../lib/limits.ts';
import { mapInSlices } from '../../../../lib/time-slices.ts';
import { domainNames, wireNames } from '../../../../lib/wire-names.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { closed, id, named, nullable } from '../../field-schemas.ts';
import { revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';

const text = Type.String();

const revision = Type.Integer({ description: 'The revision of the episode.' });

const KnownPerson = named('KnownPerson', {
  id,
  name: text,
  role: text,
  group: text,
  roster: Type.Boolean(),
  link_url: nullable(text),
  photo_url: nullable(text),
});

/** Empty `people`: the episode has the show's roster. */
const EpisodePeople = named('EpisodePeople', {
  people: Type.Array(Type.Object({ person_id: id, name: text, role: text, group: text })),
  known: Type.Array(KnownPerson),
  revision,
});

/** A known person, or a name, which may be that of a new person. */
const SetEpisodePeople = closed({
  people: Type.Array(
    closed({
      person_id: Type.Optional(id),
      name: Type.Optional(text),
      role: Type.Optional(text),
      group: Type.Optional(text),
    }),
    { maxItems: peopleLimits.credits },
  ),
});

const path = '/app/api/episodes/:episodeId/people';
const response = revised(EpisodePeople);

async function read(ctx: Context, episodeId: string): Promise<Static<typeof EpisodePeople>> {
  const { people, known, revision } = await readEpisodeCredits(ctx, episodeId);
  return {
    people: wireNames(people),
    known: await mapInSlices(known, ({ photoId, ...person }) => ({
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
