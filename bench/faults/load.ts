import { setTimeout as sleep } from 'node:timers/promises';
import type { MailHost } from '../../server/test/hosts/mail-host.ts';
import { createInviter, createKeyMaker } from './clients/accounts.ts';
import type { Client, Surroundings } from './clients/client.ts';
import { createImporter, type SlowHost } from './clients/import.ts';
import { Listeners } from './clients/listen.ts';
import { createPublisher } from './clients/publish.ts';
import { createSaver } from './clients/save.ts';
import { createDuplicator, createExporter } from './clients/shows.ts';
import { createSiteReader } from './clients/site.ts';
import { createUploader } from './clients/upload.ts';

export interface Hosts {
  readonly mail: MailHost;
  readonly feeds: SlowHost;
}

/** All clients at once, each with one request at a time. */
export class Load {
  readonly #clients: readonly Client[];
  readonly #around: Surroundings;
  readonly #running: Promise<unknown>[];
  readonly #listeners: Listeners;

  constructor(around: Surroundings, { mail, feeds }: Hosts, { isClockTrue = true } = {}) {
    this.#around = around;
    const { saved, uploaded } = around.world;
    this.#listeners = new Listeners(around, isClockTrue);
    this.#clients = [
      ...saved.episodeIds.map((_, at) => createSaver(around, at)),
      ...uploaded.episodeIds.map((_, at) => createUploader(around, at, isClockTrue)),
      ...(isClockTrue ? [0, 1] : []).map((at) => createPublisher(around, at)),
      createImporter(around, feeds),
      createDuplicator(around),
      createExporter(around),
      createSiteReader(around),
      createKeyMaker(around),
      createInviter(around, mail),
      this.#listeners,
    ];
    this.#running = this.#clients.map((client) => this.#run(client));
  }

  noteKill(server: number): void {
    this.#listeners.noteKill(server);
  }

  /** Of listeners who heard enough. */
  get downloads(): number {
    return this.#listeners.downloads;
  }

  async #run(client: Client): Promise<void> {
    const { signal, findings } = this.#around;
    while (!signal.aborted) {
      try {
        await client.step();
      } catch (error) {
        findings.problem(`${client.name}: ${(error as Error).stack}`);
        await sleep(1_000);
      }
    }
  }

  /** After the faults: waits for the last steps, and checks what was promised. */
  async check(say: (text: string) => void): Promise<void> {
    await Promise.all(this.#running);
    for (const client of this.#clients) {
      say(`    checking ${client.name}`);
      await client.check?.();
    }
  }
}
