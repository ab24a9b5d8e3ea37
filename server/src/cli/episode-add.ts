import { resolve } from 'node:path';
import { createEpisode, type EpisodeType, episodeTypes } from '../domain/episodes/index.ts';
import { attachStoredAudio, storeAndCommit, storeAudioCopy } from '../domain/media/index.ts';
import { slugify } from '../lib/slug.ts';
import { UsageError } from './arguments.ts';
import { defineAppCommand } from './command.ts';
import { printJson } from './command-io.ts';
import { getPodcastByRef } from './get-podcast-by-ref.ts';
import { readMoment, readWholeNumber } from './option-values.ts';
import { presentEpisode } from './present.ts';
import { readNotes } from './read-notes.ts';

export const episodeAdd = defineAppCommand({
  name: 'episode add',
  about: 'Makes an episode with its audio: a draft, unless it is published or scheduled.',
  notes: [
    'Notes may be HTML (.html), Markdown (.md) or plain text. TIME is ISO 8601 with a zone, or',
    'relative as +2h; one in the past is due at once. The audio file stays where it is.',
  ].join('\n'),
  operands: { podcast: { about: 'its slug or id' } },
  options: {
    title: { value: 'T', about: 'of the episode', required: true },
    audio: { value: 'FILE', about: 'MP3, M4A, AAC, Ogg, Opus, FLAC or WAV', required: true },
    notes: { value: 'FILE', about: 'show notes' },
    season: { value: 'N', about: '0 to 9999; default: the show has none' },
    episode: { value: 'N', about: 'default: the highest so far, plus one' },
    type: { value: 'T', about: 'default full', choices: episodeTypes },
    publish: { about: 'publish it now' },
    schedule: { value: 'TIME', about: 'have it come out by itself' },
  },
  async run(app, args, io) {
    const { ctx } = app;
    const { title } = args;
    if (args.publish && args.schedule !== undefined) {
      throw new UsageError('--publish and --schedule exclude each other.');
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
    printJson(io, presentEpisode(episode));
  },
});

function readPublication(args: { publish: boolean; schedule: string | undefined }, now: Date) {
  if (args.publish) return { status: 'published' } as const;
  if (args.schedule === undefined) return { status: 'draft' } as const;
  const scheduledFor = readMoment('--schedule', args.schedule, now);
  return { status: 'scheduled', scheduledFor } as const;
}
