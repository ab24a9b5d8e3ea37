/** Server-sent events, and what is done without them. */
export interface EventHandlers {
  /** By the name of the event. */
  readonly on: Readonly<Record<string, (data: unknown) => void>>;
  /** Something may have been missed: the present state is to be asked for. */
  readonly onGap: () => void;
}

export interface EventTools {
  readonly open: (url: string) => EventSource;
  readonly after: (milliseconds: number, work: () => void) => () => void;
}

const browserTools: EventTools = {
  open: (url) => new EventSource(url),
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Between two looks where events do not come: too many windows, a proxy that holds them back. */
const pollMs = 15_000;
/** A stream that is refused is asked for again with every so many looks. */
const looksBeforeRetry = 4;
/** `EventSource.CLOSED`: the browser does not try again. */
const closed = 2;

/**
 * Listens to an address of events. While the browser connects again, and where the server refuses, it
 * asks from time to time. The result ends it.
 */
export function watchEvents(
  url: string,
  { on, onGap }: EventHandlers,
  tools: EventTools = browserTools,
): () => void {
  let stopWaiting = () => {};
  let source: EventSource | undefined;
  let looks = 0;
  const poll = () => {
    stopWaiting = tools.after(pollMs, () => {
      onGap();
      looks += 1;
      if (source?.readyState === closed && looks % looksBeforeRetry === 0) connect();
      poll();
    });
  };
  const connect = () => {
    source?.close();
    const opened = tools.open(url);
    source = opened;
    let isFirst = looks === 0;
    opened.addEventListener('open', () => {
      stopWaiting();
      // Between two connections, changes are not told.
      if (!isFirst) onGap();
      isFirst = false;
    });
    opened.addEventListener('error', () => {
      stopWaiting();
      poll();
    });
    for (const [name, tell] of Object.entries(on)) {
      opened.addEventListener(name, ({ data }: MessageEvent<string>) => tell(JSON.parse(data)));
    }
  };
  connect();
  return () => {
    stopWaiting();
    source?.close();
  };
}
