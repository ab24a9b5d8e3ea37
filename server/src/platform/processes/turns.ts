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

/** Of owners that have turns for the sake of one client at once. */
const mostOwnersOfClient = 8;

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

/** What waits, in its order: what goes first, then the rest. */
class Queue {
  readonly #first = new Set<Waiting>();
  /** What may be refused. */
  readonly rest = new Set<Waiting>();

  get size(): number {
    return this.#first.size + this.rest.size;
  }

  add(waiting: Waiting): void {
    this.#partFor(waiting).add(waiting);
  }

  delete(waiting: Waiting): void {
    this.#partFor(waiting).delete(waiting);
  }

  *[Symbol.iterator](): Generator<Waiting> {
    yield* this.#first;
    yield* this.rest;
  }

  #partFor({ goesFirst }: Claim): Set<Waiting> {
    return goesFirst === true ? this.#first : this.rest;
  }
}

interface WaitingClient {
  /** In how many owners' queues it is. */
  ownerCount: number;
  /** Its queues for other owners, who have no turns for its sake yet, in the order in which they will. */
  readonly later: Map<string, Queue>;
}

/**
 * The order of what waits. Owners take turns, and so do the clients of an owner: the second claim of a client comes
 * after the first of every other. What goes first does so among the claims of its client alone. So nobody who comes
 * again and again holds up others. An owner who has had a turn, or who comes with nothing waiting, is last: coming
 * back is neither an advantage nor a loss.
 *
 * A client that waits for many owners waits for a few of them at a time, in turns. Others would otherwise wait until
 * each of these owners has had a turn.
 */
class Round {
  /** In the order of their turns, each with its clients in that of theirs. */
  readonly #owners = new Map<string, Map<string | undefined, Queue>>();
  readonly #clients = new Map<string | undefined, WaitingClient>();

  add(waiting: Waiting): void {
    const { owner, client } = waiting;
    const found = this.#find(waiting);
    const queue = found ?? new Queue();
    queue.add(waiting);
    if (found === undefined) this.#comeLast(owner, client, queue);
  }

  delete(waiting: Waiting): void {
    const { owner, client } = waiting;
    const queue = this.#find(waiting);
    queue?.delete(waiting);
    if (queue?.size !== 0) return;
    this.#remove(owner, client);
    this.#admit(client);
  }

  /** Removes and returns what is next of the first owner that may begin. */
  shift(mayBegin: (owner: string) => boolean): Waiting | undefined {
    for (const [owner, clients] of this.#owners) {
      if (!mayBegin(owner)) continue;
      const [[client, queue] = []] = clients;
      const [waiting] = queue ?? [];
      if (queue === undefined || waiting === undefined) continue;
      queue.delete(waiting);
      this.#remove(owner, client);
      if (this.#owners.delete(owner)) this.#owners.set(owner, clients);
      if (queue.size > 0) this.#comeLast(owner, client, queue);
      else this.#admit(client);
      return waiting;
    }
    return undefined;
  }

  #find({ owner, client }: Claim): Queue | undefined {
    return this.#owners.get(owner)?.get(client) ?? this.#clients.get(client)?.later.get(owner);
  }

  #comeLast(owner: string, client: string | undefined, queue: Queue): void {
    const { later } = this.#ensure(client);
    later.set(owner, queue);
    this.#admit(client);
  }

  #remove(owner: string, client: string | undefined): void {
    const clients = this.#owners.get(owner);
    const of = this.#ensure(client);
    if (clients?.delete(client)) of.ownerCount -= 1;
    else of.later.delete(owner);
    if (clients?.size === 0) this.#owners.delete(owner);
  }

  #ensure(client: string | undefined): WaitingClient {
    const of = this.#clients.get(client) ?? { ownerCount: 0, later: new Map() };
    this.#clients.set(client, of);
    return of;
  }

  /** Lets owners have turns for the sake of this client while it may have more. */
  #admit(client: string | undefined): void {
    const of = this.#ensure(client);
    for (const [owner, queue] of of.later) {
      if (client !== undefined && of.ownerCount === mostOwnersOfClient) return;
      of.later.delete(owner);
      of.ownerCount += 1;
      const clients = this.#owners.get(owner) ?? new Map<string | undefined, Queue>();
      this.#owners.set(owner, clients.set(client, queue));
    }
    if (of.ownerCount === 0) this.#clients.delete(client);
  }
}

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
  readonly #long = new Round();
  readonly #short = new Round();
  /** By owner, in both rounds. */
  readonly #waiting = new Map<string, Queue>();
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
    const { signal } = claim;
    if (this.#stopReason !== undefined) throw this.#stopReason;
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { ...claim, begin: resolve, refuse: reject };
    const leave = () => this.#leave(waiting, signal?.reason);
    signal?.addEventListener('abort', leave);
    this.#add(waiting);
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
    for (const waiting of this.#all()) this.#leave(waiting, reason);
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
    const own = () => [...(this.#waiting.get(owner) ?? [])];
    const mayLeave = this.#waiting.get(owner)?.rest ?? new Set();
    if (mayLeave.size > this.#mostWaitingOfOwner) {
      // Without clients it is the newest. A flood of refusals should cost little.
      const isAlone = newest.client === undefined;
      const last = () => this.#lastOfGreediest([...mayLeave], newest, clientOf, countOf);
      this.#refuse(isAlone ? newest : last());
    }
    if (heldBytes === 0) return;
    while (heldBy(own()) > mostHeldBytes.ofOwner) {
      if (!this.#refuse(this.#lastOfGreediest(own(), newest, clientOf, heldBy))) break;
    }
    while (heldBy(this.#all()) > mostHeldBytes.ofAll) {
      if (!this.#refuse(this.#lastOfGreediest(this.#all(), newest, ownerOf, heldBy))) break;
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

  #all(): Waiting[] {
    return [...this.#waiting.values()].flatMap((queue) => [...queue]);
  }

  #roundOf({ isLong }: Claim): Round {
    return isLong === true ? this.#long : this.#short;
  }

  #add(waiting: Waiting): void {
    this.#roundOf(waiting).add(waiting);
    const own = this.#waiting.get(waiting.owner) ?? new Queue();
    own.add(waiting);
    this.#waiting.set(waiting.owner, own);
  }

  /** Its owner keeps the turn, if more waits. */
  #leave(waiting: Waiting, reason: unknown): void {
    this.#roundOf(waiting).delete(waiting);
    this.#forget(waiting);
    waiting.refuse(reason);
  }

  #forget(waiting: Waiting): void {
    const own = this.#waiting.get(waiting.owner);
    own?.delete(waiting);
    if (own?.size === 0) this.#waiting.delete(waiting.owner);
  }

  #next(): void {
    const mayBegin = (owner: string) => this.#mayBegin(owner);
    while (this.#begun.size < this.#most) {
      const long = this.#isLongFree() ? this.#long.shift(mayBegin) : undefined;
      const waiting = long ?? this.#short.shift(mayBegin);
      if (!waiting) return;
      this.#forget(waiting);
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

  #mayBegin(owner: string): boolean {
    if (this.#resting.has(owner)) return false;
    const begun = [...this.#begun].filter((claim) => claim.owner === owner);
    return begun.length < this.#mostOfOwner;
  }
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
