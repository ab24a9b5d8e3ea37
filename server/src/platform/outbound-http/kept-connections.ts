import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** Shorter than the pause after which most servers close a connection. */
const usualIdleMs = 4_000;
/** Of all hosts together. */
const usualMostIdle = 256;
/** As many as a queue sends to one host at once. */
const mostIdleOfHost = 16;

/**
 * Connections that are used for several requests to the same host and port: the agents of Node's client, with
 * limits. A connection that has no request for a few seconds is closed, and so is each above the limit.
 */
export class KeptConnections implements Disposable {
  readonly #http: HttpAgent;
  readonly #https: HttpsAgent;

  constructor({ idleMs = usualIdleMs, mostIdle = usualMostIdle } = {}) {
    const options = { keepAlive: true, timeout: idleMs, maxFreeSockets: mostIdleOfHost };
    [this.#http, this.#https] = [new HttpAgent(options), new HttpsAgent(options)];
    const agents = [this.#http, this.#https];
    for (const agent of agents) {
      const keep = agent.keepSocketAlive.bind(agent);
      // Called when a request has ended; false closes the connection.
      agent.keepSocketAlive = (socket) => countIdle(agents) < mostIdle && keep(socket);
    }
  }

  agentFor(protocol: string): HttpAgent {
    return protocol === 'https:' ? this.#https : this.#http;
  }

  [Symbol.dispose](): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

function countIdle(agents: readonly HttpAgent[]): number {
  const lists = agents.flatMap(({ freeSockets }) => Object.values(freeSockets));
  return lists.reduce((sum, sockets = []) => sum + sockets.length, 0);
}
