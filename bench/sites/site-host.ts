import type { Certificate } from '../../server/test/hosts/certificate.ts';
import { openHttpHost } from '../../server/test/hosts/http-host.ts';
import { answerParent, readInput } from '../answer-parent.ts';

// One HTTPS server for all sites. It accepts every ping at once, like a fast site.

const told = new Set<string>();
const host = await openHttpHost((request, response) => {
  told.add(request.url ?? '');
  request.resume();
  response.writeHead(204).end();
}, readInput<Certificate>());

answerParent(host.port, {
  told: () => told.size,
  forget: () => told.clear(),
});
