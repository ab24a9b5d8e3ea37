import { regionOfBlock } from '../../lib/client-network.ts';
import { ProcessError } from './job.ts';

export interface TurnLimits {
  /** How many turns an owner has at once; by default all but one. */
  readonly mostOfOwner?: number;
  /** How many more of an owner's claims may wait; by default 200. */
  readonly mostWaitingOfOwner?: number;
}

/** Of the files in memory of one owner, and of all of them. */
const mostHeldBytes = { ofOwner: 64 * 1024 * 1024, ofAll: 256 * 1024 * 1024 } as const;

/** Who had turns last is known of so many clients. */
const mostRemembered = 10_000;

export interface Claim {
  readonly owner: string;
  /** For whom it is, among those who share the turns of its owner: the block of a show's reader (`blockOfNetwork`). */
  readonly client?: string | undefined;
  /** It may take minutes. */
  readonly isLong?: boolean | undefined;
  /**
   * It is before what else its client has waiting, and is never refused: a step of what has begun, or
   * something short.
   */
  readonly goesFirst?: boolean | undefined;
  /** What it keeps in memory while it waits. */
  readonly heldBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Waiting extends Claim {
  readonly begin: () => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * Owners in the order of their turns, with what each has waiting. An owner who has had a turn, or
 * who comes with nothing waiting, is last: coming back is neither an advantage nor a loss.
 */
type Round = Map<string, readonly Waiting[]>;

/**
 * Decides who works next: at most `most` at once, of which one owner has at most `mostOfOwner` (by
 * default all but one), and what takes long has half. Owners take turns: those with long work among
 * each other, because a turn with a short file must not cost the turn with a long one. So do the clients
 * of an owner within its turns, so that none of them takes all of these.
 */
export class Turns {
  readonly #most: number;
  readonly #mostOfOwner: number;
  readonly #mostWaitingOfOwner: number;
  readonly #begun = new Set<Claim>();
  readonly #long: Round = new Map();
  readonly #short: Round = new Map();
  /** By client, the least recent first: the number of the last turn. */
  readonly #lastTurns = new Map<string, number>();
  #turnCount = 0;
  readonly #resting = new Map<string, NodeJS.Timeout>();
  #stopReason: Error | undefined;

  constructor(most: number, limits: TurnLimits = {}) {
    this.#most = most;
    this.#mostOfOwner = limits.mostOfOwner ?? most - 1;
    this.#mostWaitingOfOwner = limits.mostWaitingOfOwner ?? 200;
  }

  /**
   * Waits for a turn, which lasts until it is disposed. Rejects with the signal's reason, and if too
   * much waits: of its client, if the owner has several.
   */
  async take(claim: Claim): Promise<Disposable> {
    const { owner, signal } = claim;
    if (this.#stopReason !== undefined) throw this.#stopReason;
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { ...claim, begin: resolve, refuse: reject };
    const leave = () => this.#leave(waiting, signal?.reason);
    signal?.addEventListener('abort', leave);
    const round = this.#roundOf(waiting);
    round.set(owner, insert(round.get(owner) ?? [], waiting));
    this.#next();
    if (!this.#begun.has(waiting)) this.#refuseTooMuch(waiting);
    await promise.finally(() => signal?.removeEventListener('abort', leave));
    return {
      [Symbol.dispose]: () => {
        this.#begun.delete(waiting);
        this.#next();
      },
    };
  }

  /** Lets only others have turns for so long. What the owner has begun continues. */
  rest(owner: string, forMs: number): void {
    clearTimeout(this.#resting.get(owner));
    const end = () => {
      this.#resting.delete(owner);
      this.#next();
    };
    this.#resting.set(owner, setTimeout(end, forMs).unref());
  }

  /** Refuses what waits, and all that comes. */
  stop(reason: Error): void {
    this.#stopReason = reason;
    for (const round of [this.#long, this.#short]) {
      for (const waiting of [...round.values()].flat()) waiting.refuse(reason);
      round.clear();
    }
  }

  /**
   * If an owner has too much waiting after this claim came, refuses the last claims of its client who has
   * most. If all owners together keep too much in memory, those of the owner who keeps most. On a tie, of a
   * client in whose region most waits, then of whoever had a turn last. So nobody can have others refused:
   * neither many clients who come again and again, nor one who comes from a new block each time.
   */
  #refuseTooMuch(newest: Waiting): void {
    const { owner, heldBytes = 0, goesFirst = false } = newest;
    if (goesFirst) return;
    const own = () => [this.#long, this.#short].flatMap((round) => round.get(owner) ?? []);
    const mayLeave = own().filter((one) => !one.goesFirst);
    if (mayLeave.length > this.#mostWaitingOfOwner) {
      this.#refuse(this.#lastOfGreediest(mayLeave, newest, clientOf, countOf));
    }
    if (heldBytes === 0) return;
    while (heldBy(own()) > mostHeldBytes.ofOwner) {
      if (!this.#refuse(this.#lastOfGreediest(own(), newest, clientOf, heldBy))) break;
    }
    while (heldBy(this.#waiting()) > mostHeldBytes.ofAll) {
      if (!this.#refuse(this.#lastOfGreediest(this.#waiting(), newest, ownerOf, heldBy))) break;
    }
  }

  /** The newest if it is of the greediest. Undefined if nobody's claims may leave. */
  #lastOfGreediest(
    all: readonly Waiting[],
    newest: Waiting,
    whose: (waiting: Waiting) => string | undefined,
    weigh: (claims: readonly Waiting[]) => number,
  ): Waiting | undefined {
    const mayLeave = all.filter((one) => !one.goesFirst && weigh([one]) > 0);
    const regions = Map.groupBy(mayLeave, regionOf);
    const groups = [...Map.groupBy(mayLeave, whose).values()].map((claims) => ({
      claims,
      weight: weigh(claims),
      weightOfRegion: Math.max(...claims.map((claim) => weigh(regions.get(regionOf(claim)) ?? []))),
      lastTurn: Math.max(...claims.map((claim) => this.#lastTurns.get(nameOf(claim)) ?? 0)),
      hasNewest: claims.includes(newest),
    }));
    const [greediest] = groups.sort(
      (one, other) =>
        other.weight - one.weight ||
        other.weightOfRegion - one.weightOfRegion ||
        other.lastTurn - one.lastTurn ||
        Number(other.hasNewest) - Number(one.hasNewest),
    );
    return greediest?.hasNewest ? newest : greediest?.claims.at(-1);
  }

  #refuse(waiting: Waiting | undefined): boolean {
    if (waiting !== undefined) this.#leave(waiting, tooMuch());
    return waiting !== undefined;
  }

  #waiting(): Waiting[] {
    return [this.#long, this.#short].flatMap((round) => [...round.values()].flat());
  }

  #roundOf({ isLong }: Claim): Round {
    return isLong === true ? this.#long : this.#short;
  }

  /** Its owner keeps the turn, if more waits. */
  #leave(waiting: Waiting, reason: unknown): void {
    const round = this.#roundOf(waiting);
    const others = round.get(waiting.owner)?.filter((one) => one !== waiting) ?? [];
    if (others.length > 0) round.set(waiting.owner, others);
    else round.delete(waiting.owner);
    waiting.refuse(reason);
  }

  #next(): void {
    while (this.#begun.size < this.#most) {
      const waiting = (this.#isLongFree() && this.#shift(this.#long)) || this.#shift(this.#short);
      if (!waiting) return;
      this.#begun.add(waiting);
      this.#remember(nameOf(waiting));
      waiting.begin();
    }
  }

  #remember(client: string): void {
    this.#turnCount += 1;
    this.#lastTurns.delete(client);
    this.#lastTurns.set(client, this.#turnCount);
    if (this.#lastTurns.size <= mostRemembered) return;
    const [oldest] = this.#lastTurns.keys();
    if (oldest !== undefined) this.#lastTurns.delete(oldest);
  }

  #isLongFree(): boolean {
    return [...this.#begun].filter(({ isLong }) => isLong).length < this.#most / 2;
  }

  #shift(round: Round): Waiting | undefined {
    for (const [owner, waiting] of round) {
      if (this.#resting.has(owner)) continue;
      const begun = [...this.#begun].filter((claim) => claim.owner === owner);
      if (begun.length >= this.#mostOfOwner) continue;
      round.delete(owner);
      if (waiting.length > 1) round.set(owner, waiting.slice(1));
      return waiting[0];
    }
    return undefined;
  }
}

/**
 * Clients take turns: the second claim of one comes after the first of every other. What goes first does so
 * among the claims of its client alone, so that nobody who comes again and again holds up others.
 */
function insert(all: readonly Waiting[], waiting: Waiting): Waiting[] {
  const places = insertFairly(all, waiting);
  if (!waiting.goesFirst) return places;
  const own = all.filter(({ client }) => client === waiting.client);
  const steps = own.filter(({ goesFirst }) => goesFirst).length;
  const ordered = own.toSpliced(steps, 0, waiting).values();
  return places.map((one) => (one.client === waiting.client ? (ordered.next().value ?? one) : one));
}

function insertFairly(all: readonly Waiting[], waiting: Waiting): Waiting[] {
  const ownCount = all.filter(({ client }) => client === waiting.client).length;
  const counts = new Map<string | undefined, number>();
  let at = 0;
  for (const [index, { client }] of all.entries()) {
    const count = counts.get(client) ?? 0;
    counts.set(client, count + 1);
    if (count <= ownCount) at = index + 1;
  }
  return all.toSpliced(at, 0, waiting);
}

const ownerOf = ({ owner }: Claim) => owner;
const clientOf = ({ client }: Claim) => client;
const nameOf = ({ owner, client = '' }: Claim) => `${owner} ${client}`;
const regionOf = ({ client }: Claim) => client && regionOfBlock(client);
const countOf = ({ length }: readonly Claim[]) => length;

const tooMuch = () => new ProcessError('busy', 'Too many files are waiting to be read.');

function heldBy(claims: readonly Claim[]): number {
  return claims.reduce((sum, { heldBytes = 0 }) => sum + heldBytes, 0);
}
