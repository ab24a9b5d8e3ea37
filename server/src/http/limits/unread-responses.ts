import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Smaller bodies are not counted: the connections of one client are limited. */
export const smallestBytes = 64 * 1024;

/** As much as two of the largest feeds. */
const defaultMostBytes = 96 * 1024 * 1024;

/** How often the progress of clients is looked at. */
const defaultLookEveryMs = 5_000;

/**
 * A client that takes this much in `readingLooks` is reading: 6 kB a second, less than a slow phone. The
 * system takes the bytes for it in steps of up to 1.5 MB.
 */
export const readingBytes = 256 * 1024;
const readingLooks = 8;

/** A client is new for so long. The system takes the first megabytes even if it reads nothing. */
const newLooks = 4;

/** Those that are cut off first come first. */
const states = ['idle', 'new', 'reading'] as const;
type State = (typeof states)[number];
const idle = states.indexOf('idle');

/** A network's bodies beyond this part of the limit count as idle, but never all of them. */
const networkShare = 1 / 4;

interface Unread {
  readonly network: string;
  readonly socket: Socket;
  readonly body: Buffer;
}

/** A body for which clients of one network wait. */
interface Claim {
  readonly network: string;
  readonly body: Buffer;
  /** Of the most active of these clients: an index of `states`. */
  readonly ownRank: number;
  /** The same within the network's share, beyond it idle. */
  rank: number;
  /** All unread bytes of the network. */
  networkBytes: number;
}

/** The responses on one connection. */
interface Connection {
  readonly responses: Set<Unread>;
  progress: Progress;
}

interface Progress {
  /** The number of looks when it began, and when its client was last seen reading. */
  readonly begunAt: number;
  readonly readAt?: number;
  /** What had been taken then, or at the first look. */
  readonly takenBytes?: number;
}

/**
 * Limits the memory of large responses that their clients have not read. Each version of a body counts
 * once, however many clients read it. Beyond the limit, bodies that nobody reads are given up first,
 * then those of new clients, and at last those that somebody reads. What a network has beyond its share
 * counts as not read. Among these bodies, the client network with the most bytes loses the connections
 * of its oldest one, so a client that reads nothing, or little of many bodies, costs others nothing.
 */
export class UnreadResponses {
  readonly #networkOf: (request: IncomingMessage) => string;
  readonly #mostBytes: number;
  readonly #lookEveryMs: number;
  readonly #onClosed: () => void;
  /** In the order in which they began. */
  readonly #unread = new Set<Unread>();
  readonly #connections = new WeakMap<Socket, Connection>();
  /** The number of responses that have each body. */
  readonly #responsesOf = new Map<Buffer, number>();
  #bytes = 0;
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: {
    networkOf: (request: IncomingMessage) => string;
    mostBytes?: number;
    lookEveryMs?: number;
    /** Called when connections are closed. */
    onClosed?: () => void;
  }) {
    this.#networkOf = options.networkOf;
    this.#mostBytes = options.mostBytes ?? defaultMostBytes;
    this.#lookEveryMs = options.lookEveryMs ?? defaultLookEveryMs;
    this.#onClosed = options.onClosed ?? (() => undefined);
  }

  /** The bytes of all bodies that are not read yet. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts `body` until the system has taken it. Call it when it has been written to `response` at least in part. */
  add(request: IncomingMessage, response: ServerResponse, body: Buffer | string): void {
    if (typeof body === 'string' || body.length < smallestBytes) return;
    const { socket } = request;
    const isTaken = response.writableEnded && response.writableLength === 0;
    if (isTaken || response.destroyed || socket.destroyed) return;
    const unread: Unread = { network: this.#networkOf(request), socket, body };
    this.#unread.add(unread);
    const responses = this.#responsesOf.get(body) ?? 0;
    if (responses === 0) this.#bytes += body.length;
    this.#responsesOf.set(body, responses + 1);
    this.#responsesOn(socket).add(unread);
    response.once('finish', () => this.#remove(unread));
    this.#timer ??= setInterval(() => this.#look(), this.#lookEveryMs).unref();
    while (this.#bytes > this.#mostBytes) this.#closeOldest();
  }

  #responsesOn(socket: Socket): Set<Unread> {
    const progress: Progress = { begunAt: this.#looks };
    const known = this.#connections.get(socket);
    if (known !== undefined) {
      if (known.responses.size === 0) known.progress = progress;
      return known.responses;
    }
    const responses = new Set<Unread>();
    this.#connections.set(socket, { responses, progress });
    // A pipelined response that waits for its turn is not told that its connection is closed.
    socket.once('close', () => {
      for (const unread of responses) this.#remove(unread);
    });
    return responses;
  }

  #remove(unread: Unread): void {
    if (!this.#unread.delete(unread)) return;
    const { body, socket } = unread;
    this.#connections.get(socket)?.responses.delete(unread);
    if (this.#unread.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    const left = (this.#responsesOf.get(body) ?? 1) - 1;
    if (left > 0) {
      this.#responsesOf.set(body, left);
      return;
    }
    this.#responsesOf.delete(body);
    this.#bytes -= body.length;
  }

  /** Notes which clients read. */
  #look(): void {
    this.#looks += 1;
    for (const { socket } of this.#unread) {
      const connection = this.#connections.get(socket);
      if (connection === undefined) continue;
      const { begunAt, takenBytes: before } = connection.progress;
      const takenBytes = takenBytesOf(socket);
      if (before === undefined) {
        // A whole interval later, the system has taken what it takes for any client.
        if (this.#looks - begunAt > 1) connection.progress = { begunAt, takenBytes };
      } else if (takenBytes - before >= readingBytes) {
        connection.progress = { begunAt, takenBytes, readAt: this.#looks };
      }
    }
  }

  #stateOf(socket: Socket): State {
    const { begunAt, readAt } = this.#connections.get(socket)?.progress ?? { begunAt: this.#looks };
    if (readAt !== undefined) return this.#looks - readAt < readingLooks ? 'reading' : 'idle';
    return this.#looks - begunAt < newLooks ? 'new' : 'idle';
  }

  #closeOldest(): void {
    const { network, body } = this.#chooseBody();
    const all = [...this.#unread].filter((unread) => unread.network === network);
    for (const { socket } of all.filter((unread) => unread.body === body)) {
      socket.destroy();
      // Its close event comes later.
      for (const unread of this.#connections.get(socket)?.responses ?? []) this.#remove(unread);
    }
    this.#onClosed();
  }

  #chooseBody(): Claim {
    const claims = this.#rankClaims();
    // Closing one of several clients of a body frees nothing, so the highest rank decides.
    const rankOf = new Map<Buffer, number>();
    for (const { body, rank } of claims) {
      rankOf.set(body, Math.max(rank, rankOf.get(body) ?? 0));
    }
    const lowest = Math.min(...rankOf.values());
    const candidates = claims.filter(({ body }) => rankOf.get(body) === lowest);
    return candidates.reduce((chosen, claim) => {
      if (claim.networkBytes !== chosen.networkBytes)
        return claim.networkBytes > chosen.networkBytes ? claim : chosen;
      return claim.network === chosen.network && claim.ownRank < chosen.ownRank ? claim : chosen;
    });
  }

  /** One claim for each body of each network, in the order in which they began. */
  #rankClaims(): Claim[] {
    const claims = this.#listClaims();
    const networksOf = Map.groupBy(claims, ({ body }) => body);
    // What several networks read counts in part for each of them.
    const bytesOf = ({ body }: Claim) => body.length / (networksOf.get(body)?.length ?? 1);
    for (const own of Map.groupBy(claims, ({ network }) => network).values()) {
      let bytes = 0;
      // The best first, and of those of the same rank the newest.
      for (const claim of own.toReversed().sort((a, b) => b.ownRank - a.ownRank)) {
        const isFirst = bytes === 0;
        bytes += bytesOf(claim);
        claim.rank = isFirst || bytes <= this.#mostBytes * networkShare ? claim.ownRank : idle;
      }
      for (const claim of own) claim.networkBytes = bytes;
    }
    return claims;
  }

  #listClaims(): Claim[] {
    const claims = new Map<string, Map<Buffer, Claim>>();
    for (const { network, socket, body } of this.#unread) {
      const own = claims.get(network) ?? new Map<Buffer, Claim>();
      claims.set(network, own);
      const ownRank = Math.max(states.indexOf(this.#stateOf(socket)), own.get(body)?.ownRank ?? 0);
      own.set(body, { network, body, ownRank, rank: ownRank, networkBytes: 0 });
    }
    return [...claims.values()].flatMap((own) => [...own.values()]);
  }
}

/** Node has no public property for this: `bytesWritten` also counts what waits. */
export function takenBytesOf(socket: Socket): number {
  const { _handle: handle } = socket as {
    readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
