import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../../platform/log/log.ts';
import type { HttpContext } from '../http-context.ts';
import { internalFailure } from '../http-errors.ts';
import { isLeftBehind, outageOf, pathForLog } from '../responses/error-handling.ts';
import { FailureLog } from '../responses/failure-log.ts';
import { writeFailure } from '../responses/failure-response.ts';

/** Handles a request before the framework. */
export interface EarlyHandler {
  /**
   * Whether it has responded; if not, the next step does. An error costs this request only, also if
   * the promise rejects after the response has begun.
   */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): boolean | Promise<boolean>;
}

const requestIds = new WeakMap<IncomingMessage, string>();

/** The id that a request got when it arrived. */
export function requestIdOf(request: IncomingMessage): string {
  return requestIds.get(request) ?? randomUUID();
}

/**
 * Handles each request with the first of these steps that responds, else with `handle`. Nothing
 * that they throw reaches Node, which would end the process: the request gets a neutral 500, or its
 * connection is closed if its response has begun.
 */
export function isolateRequests(
  http: Pick<HttpContext, 'ctx' | 'counts' | 'closing'>,
  stepsFor: (request: IncomingMessage, response: ServerResponse) => readonly EarlyHandler[],
  handle: RequestListener,
): RequestListener {
  const { log, installation } = http.ctx;
  const failures = new FailureLog();
  const fail = ({ request, response, requestId }: Exchange, err: unknown) => {
    if (response.destroyed && isLeftBehind(http, err)) return;
    const path = pathForLog(request.url);
    failures.note(outageOf(err)?.message, (counted) =>
      log.error({ err, requestId, path, ...counted }, 'a request failed before it was routed'),
    );
    if (response.headersSent || response.destroyed) response.destroy();
    else {
      const group = writeFailure(request, response, requestId, internalFailure, installation);
      http.counts.add(group.name, internalFailure.status);
    }
  };
  const failSafely = (exchange: Exchange, err: unknown) =>
    isolate(log, exchange.request.socket, () => fail(exchange, err));
  const next = (exchange: Exchange, steps: readonly EarlyHandler[], from: number): void => {
    const { request, response, requestId } = exchange;
    for (let at = from; at < steps.length; at += 1) {
      const responded = steps[at]?.handle(request, response, requestId) ?? false;
      if (responded === true) return;
      if (responded !== false) {
        responded
          .then((hasResponded) => {
            if (!hasResponded) next(exchange, steps, at + 1);
          })
          .catch((error: unknown) => failSafely(exchange, error));
        return;
      }
    }
    requestIds.set(request, requestId);
    handle(request, response);
  };
  return (request, response) => {
    const exchange = { request, response, requestId: randomUUID() };
    try {
      next(exchange, stepsFor(request, response), 0);
    } catch (error) {
      failSafely(exchange, error);
    }
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
}

/** Runs a callback about one connection. An error is logged and closes this connection only. */
export function isolate(log: Log, socket: Duplex, act: () => void): void {
  try {
    act();
  } catch (err) {
    socket.destroy();
    log.error({ err }, 'a connection failed');
  }
}
