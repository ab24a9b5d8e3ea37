import type { IncomingMessage } from 'node:http';

/** Enough for JSON, for forms, and for bodies that no handler reads. */
const deadlineMs = 30_000;

interface Deadline {
  start(): void;
  stop(): void;
}

const deadlines = new WeakMap<IncomingMessage, Deadline>();

/**
 * Calls `end` if the body of a request takes more than 30 s to arrive. Node's own `requestTimeout`
 * allows no exceptions, and a streamed body takes the time it needs.
 */
export function startBodyDeadline(request: IncomingMessage, end: () => void): void {
  if (!hasBody(request)) return;
  let timer: NodeJS.Timeout | undefined;
  const deadline: Deadline = {
    start() {
      timer = setTimeout(() => request.complete || end(), deadlineMs).unref();
    },
    stop: () => clearTimeout(timer),
  };
  deadlines.set(request, deadline);
  request.once('close', deadline.stop);
  deadline.start();
}

/** Suspends the deadline while a handler reads the body at its own pace. */
export async function withoutBodyDeadline<T>(
  request: IncomingMessage,
  handle: () => Promise<T>,
): Promise<T> {
  const deadline = deadlines.get(request);
  deadline?.stop();
  try {
    return await handle();
  } finally {
    // Drops the rest of the body, within the same time, so that the connection can be used again.
    // Node does that itself only if no part of the body was read.
    if (!request.complete && !request.destroyed) {
      deadline?.start();
      request.resume();
    }
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
