import type { IncomingMessage } from 'node:http';

export type HostProblem = 'missing' | 'repeated' | 'malformed';

/** `uri-host [":" port]` of RFC 9112 §3.2: a name, or an address in brackets. */
const wellFormed =
  /^(?:(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+|\[[\da-f:.]+\]|\[v[\da-f]+\.[\w.~!$&'()*+,;=:-]+\])(?::\d*)?$/i;

/**
 * Checks the `Host` of a request (RFC 9112 §3.2); undefined if it is valid. HTTP/1.1 requires one.
 * A proxy may read another of several hosts than we do, so several are refused. An empty one counts
 * as missing, because an http address has a host.
 */
export function hostProblem(request: IncomingMessage): HostProblem | undefined {
  const { rawHeaders, httpVersionMajor, httpVersionMinor } = request;
  let hosts = 0;
  let host = '';
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length !== 4 || (name !== 'Host' && name.toLowerCase() !== 'host')) continue;
    hosts += 1;
    host = rawHeaders[i + 1] ?? '';
  }
  if (hosts > 1) return 'repeated';
  if (host !== '') return wellFormed.test(host) ? undefined : 'malformed';
  const needsHost = httpVersionMajor > 1 || httpVersionMinor >= 1;
  return needsHost ? 'missing' : undefined;
}
