import { type Context, transact } from '../domain/context.ts';
import {
  archiveEpisode,
  type Episode,
  getEpisode,
  publishEpisode,
  scheduleEpisode,
  unpublishEpisode,
  updateEpisode,
} from '../domain/episodes/index.ts';
import { defineAppCommand } from './command.ts';
import { printJson } from './command-io.ts';
import { type Publication, readChanges, settableFields } from './episode-changes.ts';
import { readEpisodeId } from './option-values.ts';
import { presentEpisode } from './present.ts';

export const episodeSet = defineAppCommand({
  name: 'episode set',
  about: 'Changes fields of an episode, all of them or none.',
  notes: [
    `Fields: ${settableFields.join(', ')}.`,
    'null empties subtitle, show_notes_html and season. published_at publishes, scheduled_for',
    'schedules; times are ISO 8601 with a zone, or relative as -36h.',
  ].join('\n'),
  operands: {
    id: { about: 'the episode' },
    changes: { label: 'FIELD=VALUE', about: 'as title="A new one"', repeated: true },
  },
  async run(app, { id, changes }, io) {
    const episodeId = readEpisodeId(id);
    const { fields, publication } = readChanges(changes, app.ctx.clock.now());
    const episode = await transact(app.ctx, async (tx) => {
      if (Object.keys(fields).length > 0) await updateEpisode(tx, episodeId, fields);
      await changePublication(tx, episodeId, publication);
      return await getEpisode(tx, episodeId);
    });
    printJson(io, presentEpisode(episode));
  },
});

async function changePublication(
  ctx: Context,
  episodeId: string,
  { status, publishedAt, scheduledFor }: Publication,
): Promise<Episode | undefined> {
  if (status === 'published') return await publishEpisode(ctx, episodeId, { publishedAt });
  if (status === 'draft') return await unpublishEpisode(ctx, episodeId);
  if (status === 'archived') return await archiveEpisode(ctx, episodeId);
  return scheduledFor && (await scheduleEpisode(ctx, episodeId, scheduledFor));
}
