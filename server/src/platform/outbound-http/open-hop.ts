import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { KeptConnections } from './kept-connections.ts';
import type { LookupAddresses } from './lookup-addresses.ts';
import { flattenHeaders } from './outbound-headers.ts';
import { type OutboundBody, OutboundError, toOutboundError } from './outbound-http.ts';
import type { AddressFilter } from './public-address.ts';

/** One request of an exchange: the first, or one after a redirect. */
export interface Hop {
  readonly url: URL;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: OutboundBody | undefined;
}

export interface HopResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Readable;
  /** Ends the connection; call it when the body is no longer needed. */
  close(): void;
}

export interface HopRules {
  readonly isAllowed: AddressFilter;
  readonly lookupAddresses: LookupAddresses;
  /** Undefined: those of the system. */
  readonly authority: string | undefined;
  readonly connectTimeoutMs: number | undefined;
  readonly signal: AbortSignal;
  /** For requests to hosts that get many; undefined: a connection for this request alone. */
  readonly kept: KeptConnections | undefined;
}

/** For DNS, connecting, TLS and the server's response time together. */
const headTimeoutMs = 30_000;

/**
 * Sends one request and resolves with the response's head. It has a connection of its own, unless `kept`
 * is given: most hosts are used once. Uses Node's client rather than undici: in undici 7 (and Node 24's
 * fetch), a server that closes while the body is unread ends our process with an assertion
 * (nodejs/undici#5360).
 */
export async function openHop(hop: Hop, rules: HopRules): Promise<HopResponse> {
  const request = startRequest(hop, rules);
  try {
    return await send(request, hop, rules);
  } catch (error) {
    // The server had closed the connection when the request arrived (RFC 9112 §9.3.1).
    const wasClosed = request.reusedSocket && isReset(error) && !rules.signal.aborted;
    if (!wasClosed) throw error;
    const fresh = { ...rules, kept: undefined };
    return await send(startRequest(hop, fresh), hop, fresh);
  }
}

function isReset(error: unknown): boolean {
  const { cause } = error as Error;
  return ['ECONNRESET', 'EPIPE'].includes((cause as NodeJS.ErrnoException | undefined)?.code ?? '');
}

async function send(request: ClientRequest, hop: Hop, rules: HopRules): Promise<HopResponse> {
  let response: IncomingMessage | undefined;
  const close = () => {
    const isOver = response?.complete === true && request.writableFinished;
    // The connection is free when the end has been read.
    if (rules.kept !== undefined && isOver) response?.resume();
    else request.destroy();
  };
  // Later errors are reported by the body; unhandled here, they would end the process.
  request.on('error', () => {});
  const fail = (after: string) => () =>
    request.destroy(new OutboundError('timeout', `${hop.url.host} did not ${after}`));
  const timer = setTimeout(fail(`respond within ${headTimeoutMs} ms`), headTimeoutMs);
  const { connectTimeoutMs = headTimeoutMs } = rules;
  const connecting = setTimeout(fail(`connect within ${connectTimeoutMs} ms`), connectTimeoutMs);
  request.on('socket', (socket) => {
    const connected = hop.url.protocol === 'https:' ? 'secureConnect' : 'connect';
    if (request.reusedSocket) clearTimeout(connecting);
    else socket.once(connected, () => clearTimeout(connecting));
  });
  try {
    response = await sendRequest(request, hop.body);
    const headers = flattenHeaders(response.headers);
    return { status: response.statusCode ?? 0, headers, body: response, close };
  } catch (error) {
    close();
    if (rules.signal.aborted) throw rules.signal.reason;
    throw toOutboundError(error, hop.url.host);
  } finally {
    clearTimeout(timer);
    clearTimeout(connecting);
  }
}

function startRequest(
  hop: Hop,
  { isAllowed, lookupAddresses, authority, signal, kept }: HopRules,
): ClientRequest {
  const { url, method, headers } = hop;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port) || (isSecure ? 443 : 80);
  // Node does not call the lookup for IP addresses.
  if (isIP(host) !== 0 && !isAllowed(host, port)) throw addressNotAllowed(host);
  const lookup = createCheckedLookup(isAllowed, port, lookupAddresses);
  const send = isSecure ? httpsRequest : httpRequest;
  // `false` is an agent for this request only. Neither uses a proxy of the environment.
  const agent = kept?.agentFor(url.protocol) ?? false;
  const options = {
    ...{ method, headers, lookup, signal, agent, autoSelectFamily: true },
    ...(authority === undefined ? {} : { ca: authority }),
  };
  const request = send(url, options);
  request.on('socket', (socket) => {
    // Checks the connected address again before sending anything.
    const check = () => {
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && !isAllowed(remoteAddress, port)) {
        request.destroy(addressNotAllowed(host));
      }
    };
    if (request.reusedSocket) check();
    else socket.once('connect', check);
  });
  return request;
}

function sendRequest(
  request: ClientRequest,
  body: OutboundBody | undefined,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.once('response', resolve);
  request.once('error', reject);
  // For example an unrequested 101: closed without a response or an error.
  request.once('close', () => reject(new Error('closed without a response')));
  if (typeof body === 'string' || body === undefined) request.end(body);
  else sendPieces(request, body);
  return promise;
}

/** The pieces may be those of many requests: only what the server reads is copied for this one. */
function sendPieces(request: ClientRequest, pieces: readonly Buffer[]): void {
  request.setHeader(
    'Content-Length',
    pieces.reduce((sum, { length }) => sum + length, 0),
  );
  Readable.from(pieces).pipe(request);
}

/**
 * Resolves a host name for a connection to `port`, keeping only addresses that pass `isAllowed`. The
 * socket connects to a checked address without resolving again, so DNS rebinding has no effect.
 */
function createCheckedLookup(
  isAllowed: AddressFilter,
  port: number,
  lookupAddresses: LookupAddresses,
): LookupFunction {
  return (hostname, options, callback) => {
    findAllowed(hostname, (address) => isAllowed(address, port), lookupAddresses).then(
      (found) => {
        const { address, family } = found[0];
        if (options.all === true) callback(null, found);
        else callback(null, address, family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

interface FoundAddress {
  address: string;
  family: number;
}

async function findAllowed(
  hostname: string,
  isAllowed: (address: string) => boolean,
  lookupAddresses: LookupAddresses,
): Promise<[FoundAddress, ...FoundAddress[]]> {
  const addresses = await lookupAddresses(hostname);
  const found = addresses.filter(isAllowed).map((address) => ({ address, family: isIP(address) }));
  const [first, ...others] = found;
  if (first !== undefined) return [first, ...others];
  if (addresses.length > 0) throw addressNotAllowed(hostname);
  throw new OutboundError('unreachable', `${hostname} has no address`);
}

function addressNotAllowed(host: string): OutboundError {
  return new OutboundError('address_not_allowed', `${host} is not on the public internet`);
}
