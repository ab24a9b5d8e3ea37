import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What is requested: a show that nobody changes, and the episodes of another that are saved. */
export interface LoadTargets {
  readonly url: string;
  readonly cookie: string;
  /** Of a show that nobody changes. */
  readonly quietPaths: readonly string[];
  /** `/media/…` with at least ninety seconds of the tone of seed files. */
  readonly audioPath: string;
  readonly savedEpisodeIds: readonly string[];
  /** Of all listeners, from 0 to 255: no other load has the same. */
  readonly network: number;
}

interface SavedEpisode {
  readonly id: string;
  /** Titles are numbers. The highest that was tried, and the highest that was acknowledged. */
  tried: number;
  acknowledged: number;
}

interface Asked {
  readonly status: number;
  readonly isWhole: boolean;
}

/** Ninety seconds: more than a download needs. */
const audioRange = 'bytes=0-359999';
const agentOfListeners = 'AntennaPod/3.4.0';
/** Each saved episode is saved so often. */
const savesPerSecond = 5;
const pauseAfterRefusalMs = 50;

/**
 * Sends reads, ranges of audio and saves at a steady rate, whether or not they succeed, and notes what
 * came of them. Each range is of another listener, so each whole one is a download.
 */
export class FailoverLoad {
  readonly reads: number[] = [];
  readonly saves: SavedEpisode[];
  /** By performance.now(): when saves were acknowledged. */
  readonly savedAtMs: number[] = [];
  readonly refusals = new Map<number, number>();
  /** The longest that a read took. */
  slowestReadMs = 0;
  delivered = 0;
  undelivered = 0;
  readonly #targets: LoadTargets;
  readonly #pathsRead = new Set<string>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #running: Promise<unknown>[] = [];
  readonly #stop = new AbortController();
  #listeners = 0;

  constructor(targets: LoadTargets) {
    this.#targets = targets;
    this.saves = targets.savedEpisodeIds.map((id) => ({ id, tried: 0, acknowledged: 0 }));
  }

  start({ readsPerSecond, rangesPerSecond }: { readsPerSecond: number; rangesPerSecond: number }) {
    this.#running.push(
      this.#pace(readsPerSecond, () => this.#read()),
      this.#pace(rangesPerSecond, () => this.#listen()),
      ...this.saves.map((episode) => this.#save(episode)),
    );
  }

  /** Resolves when all requests under way have ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
    this.#agent.destroy();
  }

  /** Whether each path and the audio have been delivered once: from then on, no read needs the database. */
  get hasReadAll(): boolean {
    return this.delivered > 0 && this.#pathsRead.size === this.#targets.quietPaths.length;
  }

  /** How many requests have been sent. */
  get requests(): number {
    const refused = [...this.refusals.values()].reduce((sum, count) => sum + count, 0);
    const audio = this.delivered + this.undelivered;
    return this.reads.length + audio + this.savedAtMs.length + refused;
  }

  /** When the first save was acknowledged after this moment, in ms after it; undefined: none yet. */
  firstSaveAfter(momentMs: number): number | undefined {
    const at = this.savedAtMs.find((savedAt) => savedAt >= momentMs);
    return at === undefined ? undefined : at - momentMs;
  }

  /** The longest time between two acknowledged saves of any episodes. */
  get longestPauseMs(): number {
    return this.savedAtMs
      .slice(1)
      .reduce((longest, at, n) => Math.max(longest, at - (this.savedAtMs[n] ?? at)), 0);
  }

  async #pace(perSecond: number, send: () => Promise<void>): Promise<void> {
    const under = new Set<Promise<void>>();
    const beginMs = performance.now();
    for (let sent = 0; !this.#stop.signal.aborted; sent += 1) {
      const sending = send().finally(() => under.delete(sending));
      under.add(sending);
      await sleep(Math.max(0, beginMs + ((sent + 1) * 1_000) / perSecond - performance.now()));
    }
    await Promise.all(under);
  }

  async #read(): Promise<void> {
    const { quietPaths } = this.#targets;
    const path = quietPaths[this.reads.length % quietPaths.length] ?? '/';
    const beginMs = performance.now();
    const { status } = await this.#send('GET', path, {});
    this.slowestReadMs = Math.max(this.slowestReadMs, performance.now() - beginMs);
    this.reads.push(status);
    if (status === 200) this.#pathsRead.add(path);
  }

  async #listen(): Promise<void> {
    this.#listeners += 1;
    const address = `10.${this.#targets.network}.${this.#listeners >>> 8}.${this.#listeners & 255}`;
    const headers = {
      ...{ 'x-forwarded-for': address, 'user-agent': agentOfListeners, range: audioRange },
    };
    const { status, isWhole } = await this.#send('GET', this.#targets.audioPath, headers);
    if (status === 206 && isWhole) this.delivered += 1;
    else this.undelivered += 1;
  }

  async #save(episode: SavedEpisode): Promise<void> {
    const { url, cookie } = this.#targets;
    const headers = { cookie, origin: url, 'if-match': '*', 'content-type': 'application/json' };
    while (!this.#stop.signal.aborted) {
      episode.tried += 1;
      const body = JSON.stringify({ title: String(episode.tried) });
      const sent = await this.#send('PATCH', `/app/api/episodes/${episode.id}`, headers, body);
      if (sent.status === 200 && sent.isWhole) {
        episode.acknowledged = episode.tried;
        this.savedAtMs.push(performance.now());
        await sleep(1_000 / savesPerSecond);
        continue;
      }
      this.refusals.set(sent.status, (this.refusals.get(sent.status) ?? 0) + 1);
      await sleep(pauseAfterRefusalMs);
    }
  }

  /** Status 0: there was no response. */
  #send(
    method: 'GET' | 'PATCH',
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Asked> {
    return new Promise((resolve) => {
      const url = this.#targets.url + path;
      const sent = request(url, { agent: this.#agent, method, headers }, (response) => {
        const status = response.statusCode ?? 0;
        response
          .on('end', () => resolve({ status, isWhole: response.complete }))
          .on('error', () => resolve({ status, isWhole: false }))
          .resume();
      });
      sent.on('error', () => resolve({ status: 0, isWhole: false })).end(body);
    });
  }
}
