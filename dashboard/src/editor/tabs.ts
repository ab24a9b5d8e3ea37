/** The tabs in which one person has one episode open. */
export interface Tabs {
  /** Runs `work` while no other tab does. Without locks in the browser it runs at once. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Tells the other tabs that the stored draft has changed. */
  announce(): void;
  onAnnounced(listener: () => void): void;
  close(): void;
}

/**
 * Tabs that share a browser. Only one of them should save at a time, but nothing depends on it:
 * requests carry a revision, so two tabs that save at once lose nothing. So a tab that hangs is not
 * waited for long.
 */
export function openTabs(name: string): Tabs {
  const channel = new BroadcastChannel(name);
  let isClosed = false;
  return {
    exclusively: (work) => lockOrGoOn(name, work),
    announce() {
      // May be called after the screen was left.
      if (!isClosed) channel.postMessage('changed');
    },
    onAnnounced(listener) {
      channel.addEventListener('message', listener);
    },
    close() {
      isClosed = true;
      channel.close();
    },
  };
}

const mostWaitingMs = 15_000;

async function lockOrGoOn<T>(name: string, work: () => Promise<T>): Promise<T> {
  // Browsers have locks only on https and localhost.
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return work();
  let started = false;
  const start = () => {
    started = true;
    return work();
  };
  try {
    return await locks.request(name, { signal: AbortSignal.timeout(mostWaitingMs) }, start);
  } catch (error) {
    if (started) throw error;
    return work();
  }
}
