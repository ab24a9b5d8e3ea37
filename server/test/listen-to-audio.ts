import { once } from 'node:events';
import { get, request as startRequest } from 'node:http';
import { connect } from 'node:net';

/** A client of an audio address. */
export interface Listener {
  /** The address that a trusted proxy reports. */
  readonly address: string;
  readonly userAgent: string;
}

export interface HeardResponse {
  readonly status: number;
  readonly bytes: number;
}

type Headers = Readonly<Record<string, string>>;

/** Reads a response to its end, over a connection of its own. */
export async function listen(
  url: string,
  listener: Listener,
  headers: Headers = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<HeardResponse> {
  const request = startRequest(url, {
    agent: false,
    method,
    headers: { ...headersOf(listener), ...headers },
  }).end();
  const [response] = await once(request, 'response');
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  return { status: response.statusCode, bytes };
}

/** Reads this many bytes of a response and closes the connection. */
export async function breakOff(
  url: string,
  listener: Listener,
  afterBytes: number,
  headers: Headers = {},
): Promise<void> {
  const request = get(url, { agent: false, headers: { ...headersOf(listener), ...headers } });
  const [response] = await once(request, 'response');
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes >= afterBytes) break;
  }
  request.destroy();
}

/** Reads a whole response by HTTP/1.0, where the end of the connection ends it. */
export async function listenByHttp10(url: string, listener: Listener): Promise<string> {
  const { hostname, port, pathname, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({ Host: host, ...headersOf(listener) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`GET ${pathname} HTTP/1.0\r\n${head}\r\n`);
  let text = '';
  for await (const chunk of socket) text += (chunk as Buffer).toString('latin1');
  return text;
}

function headersOf({ address, userAgent }: Listener): Headers {
  return { 'X-Forwarded-For': address, 'User-Agent': userAgent };
}
