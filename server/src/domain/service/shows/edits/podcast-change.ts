import Type, { type Static, type TObject } from 'typebox';
import { findUserByEmail, type User } from '../../../foundation/accounts/index.ts';
import type { Context } from '../../../foundation/context.ts';
import { podcastStatuses } from '../../../foundation/enumerations.ts';
import type { ErrorDetail } from '../../../foundation/errors.ts';
import { storeAndCommit } from '../../../foundation/store-and-commit.ts';
import {
  attachImage,
  prepareImage,
  setHeaderImage,
  setPodcastArtwork,
} from '../../../publishing/images/index.ts';
import { checkPeople, type NewPerson, setPeople } from '../../../publishing/people/index.ts';
import {
  checkCategories,
  checkPodcast,
  createPodcast,
  getPodcast,
  type Podcast,
  setPodcastStatus,
  updatePodcast,
} from '../../../publishing/podcasts/index.ts';
import { podcastElementSchemas } from './edited-elements.ts';
import { podcastSchemas, readPodcastFields } from './edited-fields.ts';
import { readNamedImage, type SeedFolder, tryField } from './named-files.ts';
import { refuseChange, valueReader } from './read-values.ts';
import { entry, list, NullablePath, oneOf, personProperties } from './schema-parts.ts';

const PersonChange = entry(personProperties);
type PersonChange = Static<typeof PersonChange>;

/** The changeable fields of a podcast, under the names of seed files. */
const properties = {
  ...podcastSchemas,
  ...podcastElementSchemas,
  artwork: Type.Optional(NullablePath),
  header_image: Type.Optional(NullablePath),
  people: list(PersonChange),
  status: Type.Optional(oneOf(podcastStatuses)),
};
const PodcastChange = entry(properties);
export type PodcastChange = Static<typeof PodcastChange>;

export const podcastChangeFields: readonly string[] = Object.keys(properties);
export const readPodcastChange = valueReader<PodcastChange>(properties);

/** Checks values that need no database. */
export function checkPodcastChange(change: PodcastChange): ErrorDetail[] {
  return [
    ...checkPodcast(readPodcastFields(change)),
    ...checkPeople((change.people ?? []).map(readPerson)),
  ];
}

/**
 * Changes a podcast, all or nothing. Throws a DomainError with all problems. Paths are relative to
 * `folder`; a person's `user` is the email address of a user.
 */
export async function changePodcast(
  ctx: Context,
  podcastId: string,
  change: PodcastChange,
  folder: SeedFolder,
): Promise<Podcast> {
  return await storeAndCommit(
    ctx,
    async () => prepare(ctx, change, await getPodcast(ctx, podcastId), folder),
    async (tx, userIds) => {
      await setFields(tx, podcastId, change);
      await setBelongings(tx, podcastId, change, { folder, userIds });
      return await getPodcast(tx, podcastId);
    },
  );
}

/** Creates a podcast from the same fields. */
export async function addPodcast(
  ctx: Context,
  input: { readonly owner: User; readonly slug: string; readonly title: string },
  change: PodcastChange,
  folder: SeedFolder,
): Promise<Podcast> {
  const { slug, title } = input;
  return await storeAndCommit(
    ctx,
    () => prepare(ctx, { slug, title, ...change }, noCategories, folder),
    async (tx, userIds) => {
      const { status = 'active' } = change;
      const fields = readPodcastFields(change);
      const first = status === 'draft' || status === 'moved' ? status : 'active';
      const { id } = await createPodcast(tx, { ...fields, ...input, status: first });
      await setBelongings(tx, id, change, { folder, userIds });
      await setPodcastStatus(tx, id, status);
      return await getPodcast(tx, id);
    },
  );
}

type Categories = Pick<Podcast, 'category' | 'subcategory' | 'otherCategories'>;
const noCategories: Categories = { category: null, subcategory: null, otherCategories: [] };

/** New categories must be Apple's. Imported ones that do not change stay. */
function checkNewCategories(change: PodcastChange, before: Categories): ErrorDetail[] {
  const fields = readPodcastFields(change);
  const { category, subcategory, otherCategories } = { ...before, ...fields };
  return checkCategories({ category, subcategory, otherCategories }).filter(({ field }) => {
    const [name = ''] = field.split('[', 1);
    return change[name as keyof PodcastChange] != null;
  });
}

type UserIds = ReadonlyMap<string, string>;

async function prepare(
  ctx: Context,
  change: PodcastChange,
  before: Categories,
  folder: SeedFolder,
): Promise<UserIds> {
  const users = await findUsers(ctx, change.people ?? []);
  const problems = [
    ...checkPodcastChange(change),
    ...checkNewCategories(change, before),
    ...users.problems,
    ...(await checkPictures(ctx, change, folder)),
  ];
  if (problems.length > 0) throw refuseChange('podcast', problems);
  return users.ids;
}

/** Changes everything outside the podcast's own row. */
async function setBelongings(
  tx: Context,
  podcastId: string,
  { artwork, header_image: header, people }: PodcastChange,
  place: { readonly folder: SeedFolder; readonly userIds: UserIds },
): Promise<void> {
  if (artwork !== undefined) {
    await setPodcastArtwork(tx, podcastId, await attach(tx, podcastId, artwork, place.folder));
  }
  if (header !== undefined) {
    const options = { isWide: true };
    const id = await attach(tx, podcastId, header, place.folder, options);
    await setHeaderImage(tx, podcastId, id);
  }
  if (people !== undefined) {
    await setPeople(tx, podcastId, await readPeople(tx, podcastId, people, place));
  }
}

/** A moved show needs its new URL first; one that returns may lose it. */
async function setFields(tx: Context, podcastId: string, change: PodcastChange): Promise<void> {
  const { status } = change;
  const fields = readPodcastFields(change);
  if (status !== undefined && status !== 'moved') await setPodcastStatus(tx, podcastId, status);
  if (Object.keys(fields).length > 0) await updatePodcast(tx, podcastId, fields);
  if (status === 'moved') await setPodcastStatus(tx, podcastId, status);
}

/** Null removes the image. */
async function attach(
  tx: Context,
  podcastId: string,
  path: string | null,
  folder: SeedFolder,
  options: { readonly isWide?: boolean } = {},
): Promise<string | null> {
  if (path === null) return null;
  const bytes = await readNamedImage(folder, path);
  return (await attachImage(tx, { podcastId, bytes, ...options })).id;
}

async function readPeople(
  tx: Context,
  podcastId: string,
  people: readonly PersonChange[],
  { folder, userIds }: { readonly folder: SeedFolder; readonly userIds: UserIds },
) {
  const read = [];
  for (const person of people) {
    const { user, photo } = person;
    read.push({
      ...readPerson(person),
      ...(user === undefined ? {} : { userId: user && (userIds.get(user) ?? null) }),
      ...(photo === undefined ? {} : { photoId: await attach(tx, podcastId, photo, folder) }),
    });
  }
  return read;
}

async function findUsers(ctx: Context, people: readonly PersonChange[]) {
  const ids = new Map<string, string>();
  const problems: ErrorDetail[] = [];
  for (const [index, { user }] of people.entries()) {
    if (user == null) continue;
    const found = await findUserByEmail(ctx, user);
    if (found !== undefined) ids.set(user, found.id);
    else problems.push({ field: `people[${index}].user`, message: `There is no user ${user}.` });
  }
  return { ids, problems };
}

async function checkPictures(
  ctx: Context,
  { artwork, header_image: header, people = [] }: PodcastChange,
  folder: SeedFolder,
): Promise<ErrorDetail[]> {
  const pictures = [
    { field: 'artwork', path: artwork },
    { field: 'header_image', path: header },
    ...people.map(({ photo }, index) => ({ field: `people[${index}].photo`, path: photo })),
  ];
  const problems: ErrorDetail[] = [];
  for (const { field, path } of pictures) {
    if (path == null) continue;
    const problem = await tryField(field, async () =>
      prepareImage(ctx, await readNamedImage(folder, path)),
    );
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

type PersonEntry = Static<TObject<typeof personProperties>>;

/** Converts a person for the verbs; the caller looks up user and photo. */
export function readPerson(entry: PersonEntry): Omit<NewPerson, 'podcastId'> {
  const { name, role, group, bio, link_url: linkUrl, roster } = entry;
  const given = Object.entries({ role, group, bio, linkUrl, roster }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...Object.fromEntries(given), name };
}
