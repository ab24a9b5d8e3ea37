import type { App } from '../../server/src/app.ts';
import { createUser } from '../../server/src/domain/foundation/accounts/index.ts';
import { addPerson } from '../../server/src/domain/publishing/people/index.ts';
import { createPodcast, type Podcast } from '../../server/src/domain/publishing/podcasts/index.ts';
import { sanitizeShowNotes } from '../../server/src/lib/html/sanitize-show-notes.ts';
import { insertEpisodes } from './fill-show.sql.ts';
import { makeNotes } from './make-notes.ts';

export interface ShowSize {
  readonly slug: string;
  readonly episodes: number;
  /** Length of each episode's show notes, as HTML. */
  readonly notesChars: number;
  /** The number of different show notes. */
  readonly distinctNotes: number;
}

const batchSize = 1_000;

/** Makes a show with a host and this many episodes. Inserts episodes directly, which is faster. */
export async function fillShow(
  app: App,
  size: ShowSize,
  signal: AbortSignal,
): Promise<Podcast & { readonly ownerId: string }> {
  const { ctx } = app;
  const owner = await createUser(ctx, {
    email: `${size.slug}@example.com`,
    password: 'correct horse battery staple',
    name: 'Ana',
  });
  const description = 'Every hour of the night, and what could be heard in it. '.repeat(8);
  const show = await createPodcast(ctx, {
    slug: size.slug,
    title: 'Night Signals',
    description,
    category: 'Science',
    owner,
  });
  await addPerson(ctx, { podcastId: show.id, name: 'Ana', bio: 'Listens at night.' });
  for (let from = 1; from <= size.episodes; from += batchSize) {
    signal.throwIfAborted();
    const to = Math.min(size.episodes, from + batchSize - 1);
    const notes = Array.from({ length: Math.min(size.distinctNotes, batchSize) }, (_, i) =>
      sanitizeShowNotes(makeNotes((from + i) % size.distinctNotes, size.notesChars)),
    );
    const { episodes: count } = size;
    await insertEpisodes(ctx.db, { podcastId: show.id, from, to, count, notes });
  }
  return { ...show, ownerId: owner.id };
}
