import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../foundation/context.ts';
import { isOwnHost } from './domain.ts';
import { selectVerifiedDomains, type VerifiedDomain } from './domains.sql.ts';

/** All are read again so often: an announcement can get lost. */
const reloadMs = 20_000;
/** How long they are trusted without the database (DOMAIN-6). */
const mostAgeMs = 3_600_000;
const retryMs = 1_000;
const mostWaitMs = 1_000;

/**
 * The verified domains, in memory: every request looks its host up. Changes arrive by announcements. What
 * a request gets is decided by its show as it is now, so a name that is no longer the show's is not served
 * for longer than responses from caches.
 */
export class OwnDomains implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #unsubscribe: () => void;
  readonly #podcasts = new Map<string, string>();
  readonly #hosts = new Map<string, string>();
  readonly #changed = new Set<string>();
  #allChanged = true;
  #loadedAtMs = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#unsubscribe = ctx.announcements.subscribe({
      onChange: (podcastId) => {
        this.#changed.add(podcastId);
        this.#load();
      },
      onGap: () => {
        this.#allChanged = true;
        this.#load();
      },
    });
  }

  /** If the database is away, none are known until it is back. */
  static async open(ctx: Context): Promise<OwnDomains> {
    const domains = new OwnDomains(ctx);
    domains.#load();
    await domains.settled();
    return domains;
  }

  /** The show whose verified domain this is. */
  find(host: string): string | undefined {
    return this.#podcasts.get(host);
  }

  get size(): number {
    return this.#podcasts.size;
  }

  /** Whether they were read in the last hour. */
  isCurrent(): boolean {
    return this.#nowMs() - this.#loadedAtMs < mostAgeMs;
  }

  /** Resolves when all changes announced until now are known, or can't be read. */
  async settled(): Promise<void> {
    while (this.#loading !== undefined) await this.#loading;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
    // The end of the connections ends a statement that gets no response.
    await Promise.race([this.#loading, sleep(mostWaitMs, undefined, { ref: false })]);
  }

  #nowMs(): number {
    return this.#ctx.clock.now().getTime();
  }

  #schedule(afterMs: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#allChanged = true;
      this.#load();
    }, afterMs).unref();
  }

  /** One reading at a time; what changes in the meantime is read by the next. */
  #load(): void {
    if (this.#isClosed || this.#loading !== undefined) return;
    this.#loading = this.#readAll().finally(() => {
      this.#loading = undefined;
      if (this.#changed.size > 0) this.#load();
    });
  }

  async #readAll(): Promise<void> {
    try {
      await this.#read();
      this.#schedule(reloadMs);
    } catch {
      // The database is away, which others report.
      this.#allChanged = true;
      this.#changed.clear();
      this.#schedule(retryMs);
    }
  }

  async #read(): Promise<void> {
    while (this.#allChanged || this.#changed.size > 0) {
      const ids = this.#allChanged ? undefined : [...this.#changed];
      this.#allChanged = false;
      this.#changed.clear();
      const startedMs = this.#nowMs();
      const domains = await selectVerifiedDomains(this.#ctx.db, ids);
      this.#keep(domains, ids);
      if (ids === undefined) this.#loadedAtMs = startedMs;
    }
  }

  #keep(domains: readonly VerifiedDomain[], ids: readonly string[] | undefined): void {
    for (const podcastId of ids ?? [...this.#hosts.keys()]) {
      const host = this.#hosts.get(podcastId);
      if (host === undefined) continue;
      this.#hosts.delete(podcastId);
      if (this.#podcasts.get(host) === podcastId) this.#podcasts.delete(host);
    }
    for (const { host, podcastId } of domains) {
      // BASE_URL may have changed since.
      if (isOwnHost(this.#ctx.installation, host)) continue;
      this.#hosts.set(podcastId, host);
      this.#podcasts.set(host, podcastId);
    }
  }
}
