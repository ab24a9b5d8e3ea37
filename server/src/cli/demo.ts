import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '../app.ts';
import { type Config, createConfig } from '../config/config.ts';
import { parseSettings, readDotEnv, readEnvironment } from '../config/environment.ts';
import { createKey } from '../domain/access/keys/index.ts';
import { importFeed } from '../domain/exchange/imports/index.ts';
import { createUser } from '../domain/foundation/accounts/index.ts';
import { docsUrl, feedUrl, latestEmbedUrl, listenUrl } from '../domain/foundation/addresses.ts';
import { userScopes } from '../domain/foundation/enumerations.ts';
import { getPodcastBySlug } from '../domain/publishing/podcasts/index.ts';
import { processExists } from '../platform/database/process-identity.ts';
import { startServer } from '../processes.ts';
import { type CommandIo, printJson } from './command-io.ts';
import { choosePort, readPosition } from './demo/choose-port.ts';
import { countDemoDownloads } from './demo/demo-downloads.ts';
import { openOrigin } from './demo/origin.ts';
import type { DemoRuns } from './process-commands.ts';
import { createProgressLine } from './progress-line.ts';
import { untilStopped } from './serve.ts';

const email = 'demo@example.com';
const slug = 'static-and-starlings';

export const demo: DemoRuns['demo'] = async (_args, io, open) => {
  await using folder = await makeTemporaryFolder();
  const config = await configureDemo(folder.path);
  io.stderr.write('Creating a temporary installation. This takes a few seconds.\n');
  await using installation = await open(config);
  const { app } = installation;
  const password = randomBytes(9).toString('base64url');
  const { id: userId } = await createUser(app.ctx, { email, password, name: 'Demo' });
  const podcastId = await importShow(app, io);
  await countDemoDownloads(app, podcastId);
  const { secret } = await createKey(app.ctx, {
    userId,
    name: 'Demo',
    scopes: userScopes,
    podcasts: 'all',
    expiresInDays: 30,
  });
  await using server = await startServer(app);
  const { folder: emails } = config.mail;
  const shown = { podcastId, password, key: secret, emails, dataDir: folder.path };
  io.stderr.write(describe(app, shown));
  printJson(io, { event: 'listening', url: server.url, baseUrl: app.config.baseUrl });
  await untilStopped(io.signal);
};

/**
 * Reads only the addresses to listen on from the environment, so the real installation is not
 * affected.
 */
async function configureDemo(dataDir: string): Promise<Config> {
  const wanted = readPosition(readEnvironment(process.env, readDotEnv(process.env)));
  const { host: HOST, metricsPort } = wanted;
  const env = {
    HOST,
    PORT: String(await choosePort(wanted.port, HOST)),
    ...(metricsPort && { METRICS_PORT: String(await choosePort(metricsPort, HOST)) }),
    DATA_DIR: dataDir,
    // The show comes from a server in this process.
    OUTBOUND_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  };
  return createConfig(parseSettings(readEnvironment(env)));
}

/** Returns the podcast's id. */
async function importShow({ ctx }: App, io: CommandIo): Promise<string> {
  await using origin = await openOrigin(ctx.clock.now());
  using progress = createProgressLine(io);
  await importFeed(ctx, {
    source: { url: origin.feedUrl },
    owner: { email },
    slug,
    copyAudio: true,
    signal: io.signal,
    onProgress: (state) => progress.show(state),
  });
  return (await getPodcastBySlug(ctx, slug)).id;
}

/** None without METRICS_PORT. */
function metricsPage({ config: { baseUrl, http } }: App): (readonly [string, string])[] {
  if (http.metricsPort === undefined) return [];
  const page = new URL('/metrics', baseUrl);
  page.port = String(http.metricsPort);
  return [[page.href, 'its metrics']];
}

interface Shown {
  readonly podcastId: string;
  readonly password: string;
  readonly key: string;
  /** The folder in which emails are files. */
  readonly emails: string;
  readonly dataDir: string;
}

function describe(app: App, { podcastId, password, key, emails, dataDir }: Shown): string {
  const { installation: hosts } = app.ctx;
  const { baseUrl } = hosts;
  const podcast = `${baseUrl}/v1/podcasts/${slug}`;
  const analytics = `${baseUrl}/v1/me/podcasts/${podcastId}/analytics`;
  const show = { slug, domain: null };
  const listen = listenUrl(hosts, show);
  const pages = [
    [listen, "the show's page"],
    [latestEmbedUrl(hosts, slug), 'the player that other sites embed'],
    [feedUrl(hosts, show), 'the feed for podcast apps'],
    [docsUrl(hosts, 'player'), 'how to embed it'],
    [docsUrl(hosts), "the API's reference"],
    [docsUrl(hosts, 'counting'), 'how downloads are counted'],
    [`${baseUrl}/app`, "the show owner's account"],
    ...metricsPage(app),
  ] as const;
  const width = Math.max(...pages.map(([address]) => address.length));
  return `
Podstead is running with a show imported from a feed. Its audio is plain tones.

Open
${pages.map(([address, what]) => `  ${address.padEnd(width)}  ${what}`).join('\n')}

Try
  curl '${podcast}'
  curl '${podcast}/episodes?season=2&limit=2'
  curl '${analytics}/breakdowns?dimension=apps' -H 'Authorization: Bearer ${key}'
  DATA_DIR='${dataDir}' npm run -s podstead -- episode list ${slug}

The show belongs to ${email}, password ${password}.
Emails are not sent but saved in ${emails}
Its downloads of the last 200 days are made up. Press Ctrl-C to stop and delete everything.

`;
}

interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

const prefix = 'podstead-demo-';

/**
 * A folder that is deleted when this process ends. The next demo deletes folders of killed
 * processes.
 */
async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  await removeLeftovers();
  const path = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const removeNow = () => rmSync(path, { recursive: true, force: true });
  process.on('exit', removeNow);
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true });
      process.off('exit', removeNow);
    },
  };
}

async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || processExists(Number(pid))) continue;
    // Folders of other users stay.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}
