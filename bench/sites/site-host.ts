import type { Certificate } from '../../server/test/hosts/certificate.ts';
import { openHttpHost } from '../../server/test/hosts/http-host.ts';
import { answerParent, readInput } from '../answer-parent.ts';

// All sites on one HTTPS server, which takes every ping at once, as a quick site does.

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
