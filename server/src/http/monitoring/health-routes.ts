import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../domain/foundation/context.ts';
import { DomainError } from '../../domain/foundation/errors.ts';
import { ReadOnlyDatabaseError } from '../../platform/database/connections/read-only.ts';
import { noStore } from '../responses/payload.ts';
import { defineRoute, type Route } from '../route.ts';

/** Checks of the parts that the service needs. Each rejects with the reason if its part fails. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

/** Supervisors usually wait for ten seconds. */
const mostCheckMs = 5_000;
/** Everybody may ask, and a check writes into the store. Balancers ask about once a second. */
const keptMs = 2_000;

interface Options {
  readonly limitMs?: number;
  readonly nowMs?: () => number;
}

/**
 * `/healthz`: the process is alive. `/readyz`: all parts that it needs work, or did less than two seconds
 * ago (PAGE-11).
 */
export function createHealthRoutes(checks: ReadinessChecks, options: Options = {}): Route[] {
  const parts = Object.entries(checks).map(([name, check]) => new Part(name, check, options));
  return [
    defineRoute({
      method: 'GET',
      path: '/healthz',
      access: 'public',
      async handle(_http, { reply }) {
        reply.header('Cache-Control', noStore).send({ status: 'ok' });
        return { kind: 'sent' };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/readyz',
      access: 'public',
      async handle({ ctx, stopping }, { reply }) {
        if (stopping.aborted)
          throw new DomainError('service_unavailable', 'Not ready: the process is stopping.');
        const problems = await Promise.all(parts.map((part) => part.findProblem(ctx)));
        const away = problems.filter((problem) => problem !== undefined);
        if (away.length > 0) {
          throw new DomainError('service_unavailable', `Not ready: ${away.join(', ')}.`);
        }
        const names = parts.map(({ name }) => name);
        reply.header('Cache-Control', noStore).send({ status: 'ready', checks: names });
        return { kind: 'sent' };
      },
    }),
  ];
}

/** A part of the service. Requests within `keptMs` share one check, so that none pile up. */
class Part {
  readonly name: string;
  readonly #check: () => Promise<void>;
  readonly #limitMs: number;
  readonly #nowMs: () => number;
  #underWay: Promise<void> | undefined;
  #found: Promise<string | undefined> | undefined;
  /** Of `#found`, from its end on. */
  #keptUntilMs = Number.POSITIVE_INFINITY;
  #isAway = false;

  constructor(name: string, check: () => Promise<void>, options: Options) {
    this.name = name;
    this.#check = check;
    this.#limitMs = options.limitMs ?? mostCheckMs;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** The name of the part with the reason, if it fails. */
  async findProblem(ctx: Context): Promise<string | undefined> {
    if (this.#nowMs() >= this.#keptUntilMs) this.#found = undefined;
    this.#found ??= this.#findNow(ctx);
    return await this.#found;
  }

  /** Logs only that this has changed. */
  async #findNow({ log }: Context): Promise<string | undefined> {
    this.#keptUntilMs = Number.POSITIVE_INFINITY;
    try {
      await this.#checkInTime();
      if (this.#isAway) log.info(`${this.name} is available again`);
      this.#isAway = false;
      return undefined;
    } catch (error) {
      if (!this.#isAway) log.warn({ err: error }, `${this.name} is unavailable`);
      this.#isAway = true;
      const reason = reasonOf(error);
      return reason === undefined ? this.name : `${this.name} (${reason})`;
    } finally {
      this.#keptUntilMs = this.#nowMs() + keptMs;
    }
  }

  async #checkInTime(): Promise<void> {
    this.#underWay ??= this.#check().finally(() => {
      this.#underWay = undefined;
    });
    await within(this.#limitMs, this.#underWay);
  }
}

/** Rejects with TooSlowError after so many milliseconds, or as `checked` does before. */
async function within(limitMs: number, checked: Promise<void>): Promise<void> {
  const impatience = new AbortController();
  const late = sleep(limitMs, undefined, { signal: impatience.signal }).then(() => {
    throw new TooSlowError(`no response in ${limitMs} ms`);
  });
  await Promise.race([checked, late]).finally(() => {
    late.catch(() => undefined);
    impatience.abort();
  });
}

/** Which parts work now, for /metrics. Logs nothing: /readyz does. */
export async function checkParts(
  checks: ReadinessChecks,
  limitMs = mostCheckMs,
): Promise<{ readonly part: string; readonly isUp: boolean }[]> {
  const parts = Object.entries(checks).map(async ([part, check]) => {
    const isUp = await within(limitMs, check()).then(
      () => true,
      () => false,
    );
    return { part, isUp };
  });
  return await Promise.all(parts);
}

class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/** Only reasons that reveal nothing of the installation: everybody may ask. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof TooSlowError) return 'no response';
  return error instanceof ReadOnlyDatabaseError ? 'read-only' : undefined;
}
