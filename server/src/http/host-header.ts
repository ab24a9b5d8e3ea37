import type { IncomingMessage } from 'node:http';

export type HostProblem = 'missing' | 'repeated' | 'malformed';

/** `uri-host [":" port]` of RFC 9112 §3.2: a name, or an address in brackets. */
const wellFormed =
  /^(?:(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+|\[[\da-f:.]+\]|\[v[\da-f]+\.[\w.~!$&'()*+,;=:-]+\])(?::\d*)?$/i;

/**
 * What is wrong with the `Host` of a request (RFC 9112 §3.2): none where HTTP/1.1 wants one, or more
 * than one, of which a proxy in front may have read another than we do, or one that names no host.
 * An empty one counts as none: an http address has a host. Undefined: nothing.
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
