import { OutboundError } from './outbound-http.ts';

/**
 * Maps a network error to one of the port's reasons. Everything except a timeout counts as
 * `unreachable`: DNS, TCP, TLS, broken HTTP, a body that does not decode.
 */
export function toOutboundError(error: unknown, host: string): unknown {
  if (error instanceof OutboundError || !(error instanceof Error)) return error;
  const code = (error as NodeJS.ErrnoException).code ?? error.name;
  // An invalid header is the caller's bug, not a network error.
  if (code === 'ERR_INVALID_CHAR' || code === 'ERR_INVALID_HTTP_TOKEN') return error;
  const reason = code === 'ETIMEDOUT' ? 'timeout' : 'unreachable';
  return new OutboundError(reason, `${host}: ${code}`, { cause: error });
}
