import type { App } from '../server/src/app.ts';
import { createUser } from '../server/src/domain/foundation/accounts/index.ts';
import { attachTone } from '../server/src/domain/publishing/audio/index.ts';
import { drawWaveforms } from '../server/src/domain/publishing/audio/waveforms/draw-waveforms.ts';
import { createEpisode } from '../server/src/domain/publishing/episodes/index.ts';
import { createPodcast } from '../server/src/domain/publishing/podcasts/index.ts';
import { openInstallation, type Place } from './installation/open-installation.ts';

/**
 * A published episode with a tone of 32 kbit/s; resolves with the path of its audio. Its waveform is
 * drawn here, because a server would take time and 45 MB for it while it is measured.
 */
export async function makeAudio({ ctx }: App, toneSeconds: number): Promise<string> {
  const owner = await createUser(ctx, {
    email: 'ana@example.com',
    password: 'correct horse battery staple',
    name: 'Ana',
  });
  const podcast = await createPodcast(ctx, { slug: 'show', title: 'Show', owner });
  const { id } = await createEpisode(ctx, {
    podcastId: podcast.id,
    slug: 'one',
    title: 'One',
    status: 'published',
    publishedAt: new Date(Date.now() - 3_600_000),
  });
  await attachTone(ctx, id, toneSeconds);
  await drawWaveforms(ctx, new AbortController().signal);
  return `/media/${id}/f/one.mp3`;
}

/** The same in a new installation; with the key of the stored file. */
export async function storeAudio(
  place: Place,
  toneSeconds: number,
): Promise<{ readonly path: string; readonly blobKey: string }> {
  await using app = await openInstallation(place);
  const path = await makeAudio(app, toneSeconds);
  const { rows } = await app.database.pool.query('select blob_key from audio_files');
  return { path, blobKey: rows[0].blob_key };
}
