import { get, type IncomingMessage } from 'node:http';

export interface ReceivedEvent {
  readonly name: string;
  readonly data: unknown;
  readonly id: string | undefined;
}

/** A client of server-sent events over a real connection. */
export interface EventWatch extends Disposable {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly events: readonly ReceivedEvent[];
  /** The whole received text, with comments. */
  readonly text: () => string;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
}

export async function watchEvents(
  url: string,
  cookie: string,
  lastEventId?: string,
): Promise<EventWatch> {
  const headers = {
    cookie,
    accept: 'text/event-stream',
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  const request = get(url, { agent: false, headers });
  request.on('error', () => {});
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject);
  });
  let text = '';
  const events: ReceivedEvent[] = [];
  let read = 0;
  response.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    for (;;) {
      const end = text.indexOf('\n\n', read);
      if (end === -1) return;
      const received = /^event: (.*)\ndata: (.*)(?:\nid: (.*))?$/.exec(text.slice(read, end));
      const [, name, data, id] = received ?? [];
      if (name !== undefined) events.push({ name, data: JSON.parse(data ?? 'null'), id });
      read = end + 2;
    }
  });
  const ended = new Promise<void>((resolve) => {
    response.on('close', () => resolve()).on('error', () => resolve());
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    text: () => text,
    ended,
    [Symbol.dispose]: () => request.destroy(),
  };
}
