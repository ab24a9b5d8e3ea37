import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createPendingActions, type PendingAction, undoMs } from './pending-actions.ts';

let stored: Map<string, string>;
let carriedOut: string[];
let failures: unknown[];
let refuse: boolean;
beforeEach(() => {
  vi.useFakeTimers();
  stored = new Map();
  carriedOut = [];
  failures = [];
  refuse = false;
  return () => vi.useRealTimers();
});

const open = () =>
  createPendingActions({
    storage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
    },
    now: () => Date.now(),
    handlers: {
      episode: async ({ id }: PendingAction, { keepalive }) => {
        if (refuse) throw new Error('refused');
        carriedOut.push(keepalive ? `${id} at once` : id);
      },
    },
    onFailure: (_action, error) => void failures.push(error),
  });
const deletion = (id: string) => ({ id, kind: 'episode', values: {} });

describe('createPendingActions', () => {
  it('carries an action out after its time, once', async () => {
    const actions = open();
    actions.add(deletion('a'));
    await vi.advanceTimersByTimeAsync(undoMs - 1);
    expect(carriedOut).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(carriedOut).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(undoMs * 3);
    expect(carriedOut).toEqual(['a']);
    expect(actions.list()).toEqual([]);
  });

  it('createPendingActions does not carry out an undone action', async () => {
    const actions = open();
    actions.add(deletion('a'));
    actions.undo('a');
    await vi.advanceTimersByTimeAsync(undoMs * 2);
    expect(carriedOut).toEqual([]);
  });

  it('continues after a reload', async () => {
    open().add(deletion('a'));
    vi.clearAllTimers();
    const reopened = open();
    expect(reopened.list().map(({ id }) => id)).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(undoMs);
    expect(carriedOut).toEqual(['a']);
    expect(open().list()).toEqual([]);
  });

  it('sends waiting actions when the page is left', async () => {
    const actions = open();
    actions.add(deletion('a'));
    actions.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(carriedOut).toEqual(['a at once']);
  });

  it('reports a refusal, and does not try for ever', async () => {
    refuse = true;
    const actions = open();
    actions.add(deletion('a'));
    await vi.advanceTimersByTimeAsync(undoMs * 5);
    expect(failures).toHaveLength(1);
    expect(actions.list()).toEqual([]);
  });

  it.each(['{', '7', '[7]', '[{"id":1}]'])('starts empty with %s in the storage', (text) => {
    stored.set('podstead:pending', text);
    expect(open().list()).toEqual([]);
  });
});
