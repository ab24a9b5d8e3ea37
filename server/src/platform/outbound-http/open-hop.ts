import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { addressNotAllowed } from './checked-lookup.ts';
import { toOutboundError } from './outbound-failure.ts';
import { flattenHeaders } from './outbound-headers.ts';
import { OutboundError } from './outbound-http.ts';

/** One request of an exchange: the first, or one a redirect led to. */
export interface Hop {
  readonly url: URL;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface HopAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Readable;
  /** Ends the connection; to be called when the body is done with, however it ended. */
  close(): void;
}

export interface HopRules {
  readonly isAllowed: (address: string) => boolean;
  /** Gives allowed addresses only. */
  readonly lookup: LookupFunction;
  readonly signal: AbortSignal;
}

/** For resolving, connecting, TLS and the server's thinking together. */
const headTimeoutMs = 30_000;

/**
 * Sends one request over a connection of its own and resolves with the answer's head. Nothing is
 * pooled: hosts are strangers, seldom met twice, and a pool would grow with their number.
 *
 * Node's own client and not undici: in undici 7 (and Node 24's fetch) a server that closes while
 * the body waits for its reader ends our process, by an assertion nothing can catch
 * (nodejs/undici#5360).
 */
export async function openHop(hop: Hop, rules: HopRules): Promise<HopAnswer> {
  const request = startRequest(hop, rules);
  const close = () => {
    request.destroy();
  };
  // Errors after the answer's head are told by its body; here they would end the process.
  request.on('error', () => {});
  const timer = setTimeout(() => {
    const message = `${hop.url.host} did not answer within ${headTimeoutMs} ms`;
    request.destroy(new OutboundError('timeout', message));
  }, headTimeoutMs);
  try {
    const answer = await sendRequest(request, hop.body);
    const headers = flattenHeaders(answer.headers);
    return { status: answer.statusCode ?? 0, headers, body: answer, close };
  } catch (error) {
    close();
    if (rules.signal.aborted) throw rules.signal.reason;
    throw toOutboundError(error, hop.url.host);
  } finally {
    clearTimeout(timer);
  }
}

function startRequest(hop: Hop, { isAllowed, lookup, signal }: HopRules): ClientRequest {
  const { url, method, headers } = hop;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // The lookup is not asked about what is an address already.
  if (isIP(host) !== 0 && !isAllowed(host)) throw addressNotAllowed(host);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  // `agent: false` is an agent for this request alone: no pool, no proxy of the environment.
  const options = { method, headers, lookup, signal, agent: false, autoSelectFamily: true };
  const request = send(url, options);
  request.on('socket', (socket) => {
    // Before anything is sent, look once more at what was really connected to.
    socket.once('connect', () => {
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && !isAllowed(remoteAddress)) {
        request.destroy(addressNotAllowed(host));
      }
    });
  });
  return request;
}

function sendRequest(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.once('response', resolve);
  request.once('error', reject);
  // A 101 nobody asked for, say: closed without an answer and without an error.
  request.once('close', () => reject(new Error('closed without an answer')));
  request.end(body);
  return promise;
}
