import type { IncomingMessage, ServerResponse } from 'node:http';
import { createOutboundHttp } from '../src/platform/outbound-http/create-outbound-http.ts';
import type { OutboundHttp, OutboundRequest } from '../src/platform/outbound-http/outbound-http.ts';
import { openHttpHost } from './hosts/http-host.ts';

export interface Plugins extends AsyncDisposable {
  /** The real client, but every address leads to this host. */
  readonly outbound: OutboundHttp;
  /** The requested addresses, with their options. */
  readonly requests: { readonly url: string; readonly asked: OutboundRequest }[];
  /** How the plugins respond from now on. */
  respond: (request: IncomingMessage, response: ServerResponse) => void;
  /** Shortens the time that a plugin has. */
  timeoutMs: number | undefined;
}

/** Responds to a challenge as a plugin does. */
export function respondWithChallenge(codeChallenge: string): Plugins['respond'] {
  return (_request, response) => {
    response.setHeader('Content-Type', 'application/json; charset=UTF-8');
    response.end(JSON.stringify({ code_challenge: codeChallenge, plugin: 'podstead' }));
  };
}

/**
 * The plugins of all sites, called through the real outbound client. The host uses http, because
 * tests have neither port 443 nor certificates for every name.
 */
export async function openPlugins(): Promise<Plugins> {
  const plugins = {
    respond: (_: IncomingMessage, response: ServerResponse) => {
      response.writeHead(404).end();
    },
    timeoutMs: undefined as number | undefined,
    requests: [] as Plugins['requests'],
  };
  const host = await openHttpHost((request, response) => plugins.respond(request, response));
  const client = createOutboundHttp({ allow: ['127.0.0.1'], userAgent: 'Podstead/1.0' });
  const redirect = (address: string, asked: OutboundRequest) => {
    plugins.requests.push({ url: address, asked });
    const { pathname, search } = new URL(address);
    const { timeoutMs = asked.timeoutMs } = plugins;
    const local = { ...asked, timeoutMs, httpsOnly: false };
    return [`${host.url}${pathname}${search}`, local] as const;
  };
  const outbound: OutboundHttp = {
    request: (address, asked) => client.request(...redirect(address, asked)),
    fetchBytes: (address, asked) => client.fetchBytes(...redirect(address, asked)),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
  return Object.assign(plugins, {
    outbound,
    async [Symbol.asyncDispose]() {
      await outbound[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
    },
  });
}
