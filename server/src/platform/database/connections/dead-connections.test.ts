import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeadConnections, type WatchedConnection } from './dead-connections.ts';
import { NoResponseError } from './within-time.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

/** Watches a connection that waits for a response; `readStates` is what the server reports. */
function watch(readStates: () => Promise<ReadonlyMap<number, string | null>>) {
  const connection = {
    waitingSinceMs: performance.now() as number | undefined,
    backendPid: 7,
    bytesRead: 0,
    destroy: vi.fn(() => {
      connection.waitingSinceMs = undefined;
    }),
  };
  const asked = vi.fn(readStates);
  const onDead = vi.fn();
  const onSilence = vi.fn();
  const connections = [connection satisfies WatchedConnection];
  new DeadConnections(connections, asked, { onDead, onSilence });
  return { connection, asked, onDead, onSilence };
}

const says = (state: string | null) => async () => new Map([[7, state]]);

describe('DeadConnections', () => {
  it.each(['idle', 'idle in transaction', 'idle in transaction (aborted)'])(
    'ends a connection whose server is %s, after a second check',
    async (state) => {
      const { connection, onDead } = watch(says(state));
      await pass(1);
      expect(connection.destroy).not.toHaveBeenCalled();
      await pass(1);
      expect(connection.destroy).toHaveBeenCalledOnce();
      expect(onDead).toHaveBeenCalledWith(connection);
    },
  );

  it('ends a connection that the server no longer knows', async () => {
    const { connection } = watch(async () => new Map());
    await pass(2);
    expect(connection.destroy).toHaveBeenCalledOnce();
  });

  it.each(['active', 'fastpath function call', null])(
    'keeps a connection whose server says %s, for any time',
    async (state) => {
      const { connection } = watch(says(state));
      await pass(60);
      expect(connection.destroy).not.toHaveBeenCalled();
    },
  );

  it('keeps a connection that receives bytes', async () => {
    const { connection } = watch(async () => {
      connection.bytesRead += 1;
      return new Map([[7, 'idle']]);
    });
    await pass(60);
    expect(connection.destroy).not.toHaveBeenCalled();
  });

  it('sends no check while all responses come within a second', async () => {
    const { connection, asked } = watch(says('idle'));
    for (let i = 0; i < 20; i += 1) {
      connection.waitingSinceMs = performance.now();
      await pass(0.5);
    }
    connection.waitingSinceMs = undefined;
    await pass(60);
    expect(asked).not.toHaveBeenCalled();
  });

  it('waiting connections are ended if a new connection gets no response either', async () => {
    const { connection } = watch(() => Promise.reject(new NoResponseError(2_000)));
    await pass(1);
    expect(connection.destroy).toHaveBeenCalledOnce();
  });

  it('says that a server is silent, and asks it until it responds', async () => {
    let isSilent = true;
    const { asked, onSilence } = watch(async () => {
      if (isSilent) throw new NoResponseError(2_000);
      return new Map([[7, 'idle']]);
    });
    await pass(3);
    expect(onSilence.mock.calls).toEqual([
      [undefined, true],
      [undefined, true],
      [undefined, true],
    ]);
    isSilent = false;
    await pass(1);
    expect(onSilence).toHaveBeenLastCalledWith(undefined, false);
    asked.mockClear();
    await pass(60);
    expect(asked).not.toHaveBeenCalled();
  });

  it('a server that refuses new connections, or sends bytes to others, is not silent', async () => {
    const { connection, onSilence } = watch(async () => {
      connection.bytesRead += 1;
      throw new NoResponseError(2_000);
    });
    await pass(60);
    expect(onSilence).not.toHaveBeenCalled();
    const refusing = watch(() => Promise.reject(new Error('too many clients')));
    await pass(60);
    expect(refusing.onSilence).not.toHaveBeenCalled();
  });

  it('keeps a connection if the server refuses the new one', async () => {
    const { connection } = watch(() => Promise.reject(new Error('too many clients')));
    await pass(60);
    expect(connection.destroy).not.toHaveBeenCalled();
  });
});
