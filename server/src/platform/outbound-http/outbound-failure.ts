import { OutboundError } from './outbound-http.ts';

/**
 * What went wrong on the wire as one of the port's reasons. Whatever is neither a timeout nor told
 * already counts as `unreachable`: DNS, TCP, TLS, broken HTTP, a body that does not decode.
 */
export function toOutboundError(error: unknown, host: string): unknown {
  if (error instanceof OutboundError || !(error instanceof Error)) return error;
  const code = (error as NodeJS.ErrnoException).code ?? error.name;
  // A header that cannot be sent is the caller's mistake, not the network's.
  if (code === 'ERR_INVALID_CHAR' || code === 'ERR_INVALID_HTTP_TOKEN') return error;
  const reason = code === 'ETIMEDOUT' ? 'timeout' : 'unreachable';
  return new OutboundError(reason, `${host}: ${code}`, { cause: error });
}
