import { openHttpHost } from '../../server/test/hosts/http-host.ts';
import { answerParent } from '../answer-parent.ts';

// All channels, and all subscribers of the hub. It notes when each was notified of each feed.

/** Milliseconds since the epoch, by the request's path without its query and the feed that it names. */
const toldAtMs = new Map<string, number>();
let bytes = 0;

const host = await openHttpHost((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://receiver');
  let form = '';
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (pathname === '/hub') form += chunk;
  });
  request.on('end', () => {
    const feed = searchParams.get('url') ?? new URLSearchParams(form).get('hub.url') ?? '';
    toldAtMs.set(`${pathname} ${feed}`, Date.now());
    response.writeHead(204).end();
  });
});

answerParent(host.port, {
  count: () => toldAtMs.size,
  bytes: () => bytes,
  times: () => [...toldAtMs],
  forget: () => {
    toldAtMs.clear();
    bytes = 0;
  },
});
