import { getUserByEmail } from '../domain/accounts/index.ts';
import {
  checkPodcastChange,
  makePodcast,
  podcastChangeFields,
  readPodcastChange,
} from '../domain/seeding/changes/index.ts';
import { slugify } from '../lib/slug.ts';
import { UsageError } from './arguments.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import { describePodcast } from './describe-podcast.ts';
import { podcastFieldsElsewhere } from './fields-elsewhere.ts';
import { findArtworkWarnings, printWarnings } from './listing-warnings.ts';
import { nameSlugOption } from './name-slug-option.ts';
import type { PodcastCreate } from './podcast-commands.ts';
import { readTypedValues, refuseTypedValues } from './read-typed-values.ts';

export const run: RunOnApp<PodcastCreate> = async ({ ctx }, args, io) => {
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
  if (slug === undefined) throw new UsageError('This title makes no slug. Use --slug.');
  refuseTypedValues(problems, checkPodcastChange({ ...change, slug, title }));
  const owner = await getUserByEmail(ctx, args.owner);
  const made = makePodcast(ctx, { owner, slug, title }, change, folder);
  const podcast = await nameSlugOption(made);
  printWarnings(io, await findArtworkWarnings(ctx, podcast.artworkId));
  printJson(io, await describePodcast(ctx, podcast));
};
