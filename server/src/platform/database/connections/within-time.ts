const slices = 4;

export class NoResponseError extends Error {
  constructor(timeoutMs: number) {
    super(`no response from the database in ${timeoutMs} ms`);
    this.name = 'NoResponseError';
  }
}

/**
 * The result of `work`, or NoResponseError after the timeout. A process that was blocked itself gets
 * one more slice of time, because the response may be unread in its socket.
 */
export async function withinTime<Result>(
  work: Promise<Result>,
  timeoutMs: number,
): Promise<Result> {
  const late = Promise.withResolvers<never>();
  let passed = 0;
  const timer = setInterval(() => {
    passed += 1;
    if (passed < slices) return;
    late.reject(new NoResponseError(timeoutMs));
  }, timeoutMs / slices);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearInterval(timer);
  }
}
