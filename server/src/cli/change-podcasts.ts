import { getUserByEmail } from '../domain/foundation/accounts/index.ts';
import { DomainError } from '../domain/foundation/errors.ts';
import { getPodcast, resumePodcast, suspendPodcast } from '../domain/publishing/podcasts/index.ts';
import {
  addPodcast,
  changePodcast,
  checkPodcastChange,
  podcastChangeFields,
  readPodcastChange,
} from '../domain/service/shows/edits/index.ts';
import { deletePodcast } from '../domain/service/shows/index.ts';
import { slugify } from '../lib/slug.ts';
import { UsageError } from './arguments.ts';
import { printJson, printLine } from './command-io.ts';
import { confirmDeletion } from './confirm-deletion.ts';
import { describePodcast } from './describe-podcast.ts';
import { findArtworkWarnings, listCategoryWarnings, printWarnings } from './listing-warnings.ts';
import { getPodcastByRef } from './option-values.ts';
import type { PodcastRuns } from './podcast-commands.ts';
import { podcastFieldsElsewhere, readTypedValues, refuseTypedValues } from './read-typed-values.ts';

export const create: PodcastRuns['create'] = async ({ ctx }, args, io) => {
  const folder = { path: io.cwd };
  const known = podcastChangeFields.filter((field) => field !== 'slug' && field !== 'title');
  const elsewhere = {
    ...podcastFieldsElsewhere,
    slug: 'Use --slug.',
    title: 'Use --title.',
    owner: 'Use --owner.',
  };
  const typed = readTypedValues(args.values, known, elsewhere);
  const { change, problems } = await readPodcastChange(typed, folder);
  const { title } = args;
  const slug = args.slug ?? slugify(title);
  if (slug === undefined) throw new UsageError('No slug can be made from this title. Use --slug.');
  refuseTypedValues(problems, checkPodcastChange({ slug, title, ...change }));
  const owner = await getUserByEmail(ctx, args.owner);
  const made = addPodcast(ctx, { owner, slug, title }, change, folder);
  const podcast = await nameSlugOption(made);
  printWarnings(io, await findArtworkWarnings(ctx, podcast.artworkId));
  printJson(io, await describePodcast(ctx, podcast));
};

export const set: PodcastRuns['set'] = async ({ ctx }, { podcast, values }, io) => {
  const folder = { path: io.cwd };
  const typed = readTypedValues(values, podcastChangeFields, podcastFieldsElsewhere);
  const { change, problems } = await readPodcastChange(typed, folder);
  refuseTypedValues(problems, checkPodcastChange(change));
  const { id } = await getPodcastByRef(ctx, podcast);
  io.signal.throwIfAborted();
  const changed = await changePodcast(ctx, id, change, folder);
  if (change.artwork !== undefined) {
    printWarnings(io, await findArtworkWarnings(ctx, changed.artworkId));
  }
  if (change.category !== undefined || change.subcategory !== undefined) {
    printWarnings(io, listCategoryWarnings(changed));
  }
  printJson(io, await describePodcast(ctx, changed));
};

export const remove: PodcastRuns['remove'] = async ({ ctx }, args, io) => {
  const { id, slug, title } = await getPodcastByRef(ctx, args.podcast);
  const what = `the podcast ${JSON.stringify(title)} (${slug}) with all its episodes, files and people`;
  await confirmDeletion(io, { what, isConfirmed: args.yes, withoutTerminal: 'refuse' });
  const { episodes } = await deletePodcast(ctx, id);
  printLine(io, `Deleted ${what}.`);
  printJson(io, { id, slug, title, episodes, deleted: true });
};

export const suspend: PodcastRuns['suspend'] = async ({ ctx }, args, io) => {
  const { id } = await getPodcastByRef(ctx, args.slug);
  await suspendPodcast(ctx, id);
  const { slug, status } = await getPodcast(ctx, id);
  printJson(io, { id, slug, status });
};

export const resume: PodcastRuns['resume'] = async ({ ctx }, args, io) => {
  const { id } = await getPodcastByRef(ctx, args.slug);
  await resumePodcast(ctx, id);
  const { slug, status } = await getPodcast(ctx, id);
  printJson(io, { id, slug, status });
};

/** Adds the option to a refusal of a slug that is taken. */
async function nameSlugOption<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (!error.details.some(({ reason }) => reason === 'slug_taken')) throw error;
    const details = error.details.map((detail) => {
      if (detail.reason !== 'slug_taken') return detail;
      return { ...detail, message: `${detail.message} Use --slug.` };
    });
    const message = details.length === 1 ? (details[0]?.message ?? '') : error.message;
    throw new DomainError(error.kind, message, { details, cause: error });
  }
}
