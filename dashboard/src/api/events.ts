/** Server-sent events, and regular requests if they do not work. */
export interface EventHandlers {
  /** Handlers by the name of the event. */
  readonly on: Readonly<Record<string, (data: unknown) => void>>;
  /** Called from time to time while events do not arrive: ask for the present state. */
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

/** A stream that begins with what has changed since a position. */
export interface Stream {
  readonly urlSince: (position: string) => string;
  /** Where it begins, and later what it has reached: the id of the last event that has one. */
  position: string;
}

/**
 * Listens to a stream of events. While the browser reconnects, and if the server refuses the
 * stream, it asks regularly. The result ends it.
 */
export function watchEvents(
  stream: Stream,
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
    const opened = tools.open(stream.urlSince(stream.position));
    source = opened;
    opened.addEventListener('open', () => stopWaiting());
    opened.addEventListener('error', () => {
      stopWaiting();
      poll();
    });
    for (const [name, listen] of Object.entries(on)) {
      opened.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        listen(JSON.parse(data));
        if (lastEventId !== '') stream.position = lastEventId;
      });
    }
  };
  connect();
  return () => {
    stopWaiting();
    source?.close();
  };
}
