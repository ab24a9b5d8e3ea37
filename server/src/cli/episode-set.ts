import {
  changeEpisode,
  checkEpisodeChange,
  episodeChangeFields,
  readEpisodeChange,
} from '../domain/seeding/changes/index.ts';
import type { RunOnApp } from './command.ts';
import { printJson } from './command-io.ts';
import { describeEpisode } from './describe-episode.ts';
import type { EpisodeSet } from './episode-commands.ts';
import { episodeFieldsElsewhere } from './fields-elsewhere.ts';
import { findArtworkWarnings, printWarnings } from './listing-warnings.ts';
import { readEpisodeId } from './option-values.ts';
import { readTypedValues, refuseTypedValues } from './read-typed-values.ts';
import { sayPrivateTranscripts } from './say-private-transcripts.ts';

export const run: RunOnApp<EpisodeSet> = async ({ ctx }, { id, values }, io) => {
  const episodeId = readEpisodeId(id);
  const folder = { path: io.cwd };
  const typed = readTypedValues(values, episodeChangeFields, episodeFieldsElsewhere);
  const { change, problems } = await readEpisodeChange(typed, folder);
  refuseTypedValues(problems, checkEpisodeChange(change, ctx.clock.now()));
  io.signal.throwIfAborted();
  const episode = await changeEpisode(ctx, episodeId, change, folder);
  if (change.artwork !== undefined) {
    printWarnings(io, await findArtworkWarnings(ctx, episode.artworkId));
  }
  const { transcript, other_transcripts: others, status } = change;
  const concernsTranscripts = transcript !== undefined || others !== undefined;
  if (concernsTranscripts || status === 'published' || status === 'scheduled') {
    await sayPrivateTranscripts(ctx, io, episode);
  }
  printJson(io, await describeEpisode(ctx, episode));
};
