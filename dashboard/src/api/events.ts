/** Server-sent events, and regular requests if they do not work. */
export interface EventHandlers {
  /** Handlers by the name of the event. */
  readonly on: Readonly<Record<string, (data: unknown) => void>>;
  /** Called when events may have been missed: ask for the present state. */
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

/**
 * The pause between two requests if events do not arrive: too many windows, or a proxy that
 * buffers.
 */
const pollMs = 15_000;
/** After so many requests, a refused stream is opened again. */
const looksBeforeRetry = 4;
/** `EventSource.CLOSED`: the browser does not try again. */
const closed = 2;

/**
 * Listens to a stream of events. While the browser reconnects, and if the server refuses the
 * stream, it asks regularly. The result ends it.
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
    opened.addEventListener('open', () => {
      stopWaiting();
      // Changes between two connections were missed, and those since the page read its data.
      onGap();
    });
    opened.addEventListener('error', () => {
      stopWaiting();
      poll();
    });
    for (const [name, listen] of Object.entries(on)) {
      opened.addEventListener(name, ({ data }: MessageEvent<string>) => listen(JSON.parse(data)));
    }
  };
  connect();
  return () => {
    stopWaiting();
    source?.close();
  };
}
