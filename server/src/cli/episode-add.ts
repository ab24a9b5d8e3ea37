import { resolve } from 'node:path';
import { createEpisode, type EpisodeType } from '../domain/episodes/index.ts';
import { attachStoredAudio, storeAndCommit, storeAudioCopy } from '../domain/media/index.ts';
import { slugify } from '../lib/slug.ts';
import { UsageError } from './arguments.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import { describeEpisode } from './describe-episode.ts';
import type { EpisodeAdd } from './episode-commands.ts';
import { getPodcastByRef } from './get-podcast-by-ref.ts';
import { readMoment, readWholeNumber } from './option-values.ts';
import { readNotes } from './read-notes.ts';

export const run: RunOnApp<EpisodeAdd> = async (app, args, io) => {
  const { ctx } = app;
  const { title } = args;
  if (args.publish && args.schedule !== undefined) {
    throw new UsageError('Use either --publish or --schedule, not both.');
  }
  const number = readWholeNumber('--episode', args.episode);
  const fields = {
    title,
    slug: slugify(title) ?? `episode-${number ?? 'untitled'}`,
    season: readWholeNumber('--season', args.season) ?? null,
    episodeType: args.type ?? ('full' satisfies EpisodeType),
    ...(number === undefined ? {} : { episodeNumber: number }),
    ...readPublication(args, ctx.clock.now()),
  };
  const podcast = await getPodcastByRef(ctx, args.podcast);
  const showNotesHtml =
    args.notes === undefined ? null : await readNotes(resolve(io.cwd, args.notes));
  const episode = await storeAndCommit(
    ctx,
    (storing) => storeAudioCopy(storing, resolve(io.cwd, args.audio)),
    async (tx, audio) => {
      io.signal.throwIfAborted();
      const made = await createEpisode(tx, {
        ...fields,
        showNotesHtml,
        podcastId: podcast.id,
        onTakenSlug: 'number',
      });
      await attachStoredAudio(tx, made.id, audio);
      return made;
    },
  );
  printJson(io, await describeEpisode(ctx, episode));
};

function readPublication(args: { publish: boolean; schedule: string | undefined }, now: Date) {
  if (args.publish) return { status: 'published' } as const;
  if (args.schedule === undefined) return { status: 'draft' } as const;
  const scheduledFor = readMoment('--schedule', args.schedule, now);
  return { status: 'scheduled', scheduledFor } as const;
}
