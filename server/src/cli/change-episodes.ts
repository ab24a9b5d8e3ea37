import { extname, resolve } from 'node:path';
import { marked } from 'marked';
import type { Context } from '../domain/foundation/context.ts';
import type { EpisodeType } from '../domain/foundation/enumerations.ts';
import { storeAndCommit } from '../domain/foundation/store-and-commit.ts';
import {
  attachStoredAudio,
  findAudio,
  storeAudioCopy,
  takeFileChapters,
} from '../domain/publishing/audio/index.ts';
import {
  archiveEpisode,
  createEpisode,
  deleteEpisode,
  type Episode,
  getEpisode,
  publishEpisode,
  unpublishEpisode,
} from '../domain/publishing/episodes/index.ts';
import { getPodcast } from '../domain/publishing/podcasts/index.ts';
import { describeLeftOut, findTranscriptFacts } from '../domain/publishing/transcripts/index.ts';
import {
  changeEpisode,
  checkEpisodeChange,
  episodeChangeFields,
  readEpisodeChange,
} from '../domain/service/shows/edits/index.ts';
import { plainTextToHtml } from '../lib/html/plain-text-to-html.ts';
import { slugify } from '../lib/slug.ts';
import { openRegularFile } from '../platform/files/open-regular-file.ts';
import { UsageError } from './arguments.ts';
import { type CommandIo, printJson, printLine } from './command-io.ts';
import { confirmDeletion } from './confirm-deletion.ts';
import { describeEpisode } from './describe-episode.ts';
import { CommandError } from './describe-failure.ts';
import type { EpisodeRuns } from './episode-commands.ts';
import { findArtworkWarnings, printWarnings } from './listing-warnings.ts';
import {
  getPodcastByRef,
  readEpisodeId,
  readMomentOption,
  readWholeNumberOption,
} from './option-values.ts';
import { printedEpisode } from './present.ts';
import { episodeFieldsElsewhere, readTypedValues, refuseTypedValues } from './read-typed-values.ts';

export const add: EpisodeRuns['add'] = async (app, args, io) => {
  const { ctx } = app;
  const { title } = args;
  if (args.publish && args.schedule !== undefined) {
    throw new UsageError('Use either --publish or --schedule, not both.');
  }
  const number = readWholeNumberOption('--episode', args.episode);
  const fields = {
    title,
    slug: slugify(title) ?? `episode-${number ?? 'untitled'}`,
    season: readWholeNumberOption('--season', args.season) ?? null,
    episodeType: args.type ?? ('full' satisfies EpisodeType),
    ...(number === undefined ? {} : { episodeNumber: number }),
    ...readPublication(args, ctx.clock.now()),
  };
  const podcast = await getPodcastByRef(ctx, args.podcast);
  const showNotesHtml =
    args.notes === undefined ? null : await readNotes(resolve(io.cwd, args.notes));
  const episode = await storeAndCommit(
    ctx,
    async (storing) => {
      await using audio = await openRegularFile(resolve(io.cwd, args.audio));
      return await storeAudioCopy(storing, audio);
    },
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
  await takeFileChapters(ctx, episode.id);
  printJson(io, await describeEpisode(ctx, await getEpisode(ctx, episode.id)));
};

function readPublication(args: { publish: boolean; schedule: string | undefined }, now: Date) {
  if (args.publish) return { status: 'published' } as const;
  if (args.schedule === undefined) return { status: 'draft' } as const;
  const scheduledFor = readMomentOption('--schedule', args.schedule, now);
  return { status: 'scheduled', scheduledFor } as const;
}

export const set: EpisodeRuns['set'] = async ({ ctx }, { id, values }, io) => {
  const episodeId = readEpisodeId(id);
  const folder = { path: io.cwd };
  const typed = readTypedValues(values, episodeChangeFields, episodeFieldsElsewhere);
  const { change, problems } = await readEpisodeChange(typed, folder);
  refuseTypedValues(problems, checkEpisodeChange(change, ctx.clock.now()));
  io.signal.throwIfAborted();
  const episode = await changeEpisode(ctx, episodeId, change, folder, (field, leftOut) => {
    printWarnings(io, [`${field}: ${describeLeftOut(leftOut)}`]);
  });
  if (change.artwork !== undefined) {
    printWarnings(io, await findArtworkWarnings(ctx, episode.artworkId));
  }
  const { transcript, other_transcripts: others, status } = change;
  const concernsTranscripts = transcript !== undefined || others !== undefined;
  if (concernsTranscripts || status === 'published' || status === 'scheduled') {
    await warnOfPrivateTranscripts(ctx, io, episode);
  }
  if (status !== undefined || change.audio === null) await warnOfMissingAudio(ctx, io, episode);
  printJson(io, await describeEpisode(ctx, episode));
};

export const publish: EpisodeRuns['publish'] = async ({ ctx }, { id }, io) => {
  const episode = await publishEpisode(ctx, readEpisodeId(id));
  await warnOfMissingAudio(ctx, io, episode);
  await warnOfPrivateTranscripts(ctx, io, episode);
  printJson(io, printedEpisode(episode));
};

export const unpublish: EpisodeRuns['unpublish'] = async (app, { id }, io) => {
  printJson(io, printedEpisode(await unpublishEpisode(app.ctx, readEpisodeId(id))));
};

export const archive: EpisodeRuns['archive'] = async (app, { id }, io) => {
  printJson(io, printedEpisode(await archiveEpisode(app.ctx, readEpisodeId(id))));
};

export const remove: EpisodeRuns['remove'] = async ({ ctx }, { id, yes }, io) => {
  const episodeId = readEpisodeId(id);
  const { title, slug, podcastId } = await getEpisode(ctx, episodeId);
  const podcast = await getPodcast(ctx, podcastId);
  const name = `the episode ${JSON.stringify(title)} (${slug}) of ${podcast.slug}`;
  const what = `${name} with its audio, transcripts and chapters`;
  // CLI-18 has the command without an option, so scripts need none.
  await confirmDeletion(io, { what, isConfirmed: yes, withoutTerminal: 'delete' });
  const deleted = await deleteEpisode(ctx, episodeId);
  printLine(io, `Deleted ${what}.`);
  printJson(io, { ...printedEpisode(deleted), deleted: true });
};

// More than the limit for show notes in HTML.
const maxBytes = 2 * 1024 * 1024;

/** Reads a file of show notes as HTML, by its extension. The verb sanitizes it. */
async function readNotes(path: string): Promise<string> {
  await using file = await openRegularFile(path);
  const { size } = await file.stat();
  if (size > maxBytes) throw new CommandError(`${path} is too large for show notes.`);
  const text = (await file.readFile('utf8')).replace(/^\uFEFF/, '');
  const extension = extname(path).toLowerCase();
  if (extension === '.html' || extension === '.htm') return text;
  if (extension === '.md' || extension === '.markdown') return marked.parse(text, { async: false });
  return plainTextToHtml(text);
}

/** Nothing else shows that the transcripts of a public episode are not public. */
async function warnOfPrivateTranscripts(
  ctx: Context,
  io: Pick<CommandIo, 'stderr'>,
  { id, publishTranscript }: Pick<Episode, 'id' | 'publishTranscript'>,
): Promise<void> {
  if (publishTranscript || (await findTranscriptFacts(ctx, id)) === undefined) return;
  const command = `episode set ${id} publish_transcript=true`;
  printLine(io, `The transcripts of this episode are not public. To publish them: ${command}`);
}

/** The app asks before such a publication; scripts must not wait for a response. */
async function warnOfMissingAudio(
  ctx: Context,
  io: Pick<CommandIo, 'stderr'>,
  { id, status }: Pick<Episode, 'id' | 'status'>,
): Promise<void> {
  if (status !== 'published' && status !== 'scheduled') return;
  if ((await findAudio(ctx, id)) !== undefined) return;
  const verb = status === 'published' ? 'is' : 'will be';
  printLine(
    io,
    `This episode has no audio: it ${verb} public on its page and in the API, but not in the feed.`,
  );
}
