import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { PublicPodcastState } from '../podcasts/index.ts';
import type { PeoplePosition, RosterMember } from './person.ts';

export interface PersonRow {
  readonly person: RosterMember;
  readonly position: number;
  readonly show: PublicPodcastState;
}

interface PeoplePage {
  readonly after: PeoplePosition | undefined;
  readonly limit: number;
}

/** From `people person` and `images photo`, with the id, role and group of what credits them. */
const personOf = (credit: 'person' | 'credit') => sql`json_build_object(
  'id', ${sql.ref(`${credit}.id`)}, 'name', person.name, 'role', ${sql.ref(`${credit}.role`)},
  'group', ${sql.ref(`${credit}.group`)}, 'linkUrl', person.link_url, 'bio', person.bio,
  'photo', case when photo.id is not null then
    json_build_object('id', photo.id, 'contentType', photo.content_type) end) as person`;

const showState = sql`json_build_object('status', p.status,
  'statusBeforeSuspension', p.status_before_suspension) as show`;

const from = (alias: 'person' | 'credit', after: PeoplePosition | undefined) =>
  after === undefined
    ? sql`true`
    : sql`(${sql.ref(`${alias}.position`)}, ${sql.ref(`${alias}.id`)})
        > (${after.position}, ${after.id})`;

/** Along people_of_podcast. */
export async function selectRoster(
  db: Db,
  podcastId: string,
  { after, limit }: PeoplePage,
): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select ${personOf('person')}, person.position, ${showState}
    from people person
    join podcasts p on p.id = person.podcast_id
    left join images photo on photo.id = person.photo_id
    where person.podcast_id = ${podcastId} and person.roster and ${from('person', after)}
    order by person.position, person.id limit ${limit}`.execute(db);
  return rows;
}

/** Along episode_credits_in_order, or people_of_podcast where the episode has none of its own. */
export async function selectCredits(
  db: Db,
  episodeId: string,
  { after, limit }: PeoplePage,
): Promise<(PersonRow & { readonly publicFrom: Date | null })[]> {
  const { rows } = await sql<PersonRow & { publicFrom: Date | null }>`
    select named.person, named.position, ${showState}, e.public_from as "publicFrom"
    from episodes e
    join podcasts p on p.id = e.podcast_id
    cross join lateral (
      (select ${personOf('credit')}, credit.position, credit.id from episode_credits credit
        join people person on person.id = credit.person_id
        left join images photo on photo.id = person.photo_id
        where credit.episode_id = e.id and ${from('credit', after)}
        order by credit.position, credit.id limit ${limit})
      union all
      (select ${personOf('person')}, person.position, person.id from people person
        left join images photo on photo.id = person.photo_id
        where person.podcast_id = e.podcast_id and person.roster and ${from('person', after)}
          and not exists (select from episode_credits own where own.episode_id = e.id)
        order by person.position, person.id limit ${limit})
    ) named
    where e.id = ${episodeId}
    order by named.position, named.id`.execute(db);
  return rows;
}
