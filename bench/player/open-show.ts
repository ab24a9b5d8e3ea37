import { type App, createApp } from '../../server/src/app.ts';
import { choosePort } from '../../server/src/cli/demo/choose-port.ts';
import { createConfig } from '../../server/src/config/config.ts';
import { parseSettings, readEnvironment } from '../../server/src/config/environment.ts';
import { createUser } from '../../server/src/domain/foundation/accounts/index.ts';
import { attachTone } from '../../server/src/domain/publishing/audio/index.ts';
import { drawWaveforms } from '../../server/src/domain/publishing/audio/waveforms/draw-waveforms.ts';
import { createEpisode } from '../../server/src/domain/publishing/episodes/index.ts';
import { attachImage, setPodcastArtwork } from '../../server/src/domain/publishing/images/index.ts';
import { createPodcast } from '../../server/src/domain/publishing/podcasts/index.ts';
import { startHttp } from '../../server/src/start-http.ts';
import { drawPicture } from './draw-picture.ts';

export interface ListedEpisode {
  readonly id: string;
  readonly title: string;
  readonly audioUrl: string;
}

export interface BenchShow extends AsyncDisposable {
  readonly app: App;
  readonly url: string;
  readonly pictureUrl: string;
  readonly episodes: readonly ListedEpisode[];
}

const toneSeconds = 60;

/** An installation with a show of this many episodes, with real pictures, waveforms and audio. */
export async function openShow(
  dataDir: string,
  count: number,
  signal: AbortSignal,
): Promise<BenchShow> {
  await using opened = new AsyncDisposableStack();
  const port = await choosePort(0, '127.0.0.1');
  const environment = {
    DATA_DIR: dataDir,
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    PUBLIC_RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
  };
  const app = opened.use(
    await createApp(createConfig(parseSettings(readEnvironment(environment)))),
  );
  const { ctx } = app;
  const { baseUrl: url } = ctx.installation;
  const owner = await createUser(ctx, {
    email: 'ana@example.com',
    password: 'correct horse battery staple',
    name: 'Ana',
  });
  const show = await createPodcast(ctx, { slug: 'signals', title: 'Night Signals', owner });
  const picture = await attachImage(ctx, { podcastId: show.id, bytes: await drawPicture() });
  await setPodcastArtwork(ctx, show.id, picture.id);
  const episodes: ListedEpisode[] = [];
  for (let number = 1; number <= count; number += 1) {
    const [slug, title] = [`signal-${number}`, `Signal number ${number}`];
    const input = { podcastId: show.id, slug, title, status: 'published' } as const;
    const { id } = await createEpisode(ctx, { ...input, publishedAt: new Date(number * 1000) });
    await attachTone(ctx, id, toneSeconds);
    episodes.push({ id, title, audioUrl: `${url}/media/${id}/p/${slug}.mp3` });
  }
  await drawWaveforms(ctx, signal);
  opened.use(await startHttp(app));
  const resources = opened.move();
  return {
    app,
    url,
    pictureUrl: `${url}/images/${picture.id}/320.jpg`,
    episodes,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
