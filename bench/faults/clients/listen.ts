import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  addressOf,
  plans,
  type RangeRequest,
  rangeOf,
  requestRange,
} from '../../downloads/ranges.ts';
import { Asker, type Client, dataOf, type Surroundings } from './client.ts';

/**
 * Responses that ended this shortly before a kill may not be in the journal yet, because a busy
 * disk delays writes. They are requested again.
 */
const uncertainMs = 2_000;
const countedWithinMs = 120_000;

/** A request of a listener, on the UTC day of the first one. */
interface Job {
  readonly request: RangeRequest;
  readonly listener: number;
  readonly day: string;
}

interface Heard {
  readonly job: Job;
  readonly server: number;
  readonly endedAtMs: number;
}

const utcDay = () => new Date().toISOString().slice(0, 10);

/**
 * Listeners whose downloads are known, and must all be counted once. Of a listener who is interrupted by
 * midnight, nobody knows whether it is none, one, or one on each day.
 */
export class Listeners implements Client {
  readonly name = 'listen';
  readonly #around: Surroundings;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #again: Job[] = [];
  readonly #atMidnight = new Set<number>();
  #recent: Heard[] = [];
  #turn = 0;
  #listeners = 0;
  readonly #isComparable: boolean;
  downloads = 0;

  /** `isComparable`: whether statistics of the last days have all downloads. */
  constructor(around: Surroundings, isComparable: boolean) {
    this.#around = around;
    this.#isComparable = isComparable;
  }

  /** Of this process, at this moment. */
  noteKill(server: number): void {
    const since = Date.now() - uncertainMs;
    this.#recent = this.#recent.filter(({ endedAtMs }) => endedAtMs >= since);
    this.#again.push(...this.#recent.filter((one) => one.server === server).map(({ job }) => job));
  }

  async step(): Promise<void> {
    const { heard } = this.#around.world;
    this.#listeners += 1;
    const [listener, day] = [this.#listeners, utcDay()];
    const address = addressOf(this.#listeners);
    const plan = plans[this.#listeners % plans.length]!;
    const path = heard.paths[this.#listeners % heard.paths.length]!;
    if (plan.counts) this.downloads += 1;
    for (const part of plan.ranges) {
      const request = { path, range: rangeOf(heard, part), address };
      await this.#hear({ request, listener, day });
    }
    await this.#hearAgain();
    await sleep(30);
  }

  async check(): Promise<void> {
    const { findings, world } = this.#around;
    await this.#hearAgain();
    this.#agent.destroy();
    if (!this.#isComparable) return;
    const asker = new Asker(this.#around);
    const path = `/app/api/podcasts/${world.heard.id}/analytics/downloads?preset=7d`;
    const untilMs = Date.now() + countedWithinMs;
    let counted = Number.NaN;
    const isExpected = () => Math.abs(counted - this.downloads) <= this.#atMidnight.size;
    while (!isExpected() && Date.now() < untilMs) {
      await sleep(500);
      const answer = await asker.ask(path);
      if (answer?.status === 200)
        counted = dataOf<{ totals: { downloads: number } }>(answer).totals.downloads;
    }
    findings.count('downloads made', this.downloads);
    findings.count('downloads counted', counted);
    if (!isExpected())
      findings.problem(`${counted} downloads are counted, ${this.downloads} were made`);
  }

  async #hearAgain(): Promise<void> {
    for (let job = this.#again.pop(); job !== undefined; job = this.#again.pop())
      await this.#hear(job);
  }

  async #hear(job: Job): Promise<void> {
    const { fleet } = this.#around;
    const { request, listener, day } = job;
    for (;;) {
      this.#turn += 1;
      const server = fleet.pick(this.#turn);
      const isWhole =
        server !== undefined && (await requestRange(server.url, request, this.#agent));
      // The kernel may still deliver a response of a killed process.
      if (utcDay() !== day) this.#atMidnight.add(listener);
      if (isWhole && fleet.urlOf(server.index) === server.url) {
        this.#recent.push({ job, server: server.index, endedAtMs: Date.now() });
        if (this.#recent.length > 1_000) this.#recent = this.#recent.slice(-500);
        return;
      }
      await sleep(20);
    }
  }
}
