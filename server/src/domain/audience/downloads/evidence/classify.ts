import { utcDayOf } from '../../../../lib/utc-day.ts';
import type { Clients } from '../../../foundation/context.ts';
import type { AudioRequest, ClassifiedRequest, RejectionReason } from '../audio-request.ts';
import { isDataCenter } from '../clients/index.ts';
import type { OpenDays } from '../days.ts';

/** What the rules say of a request: whether it may count, and its app and device. */
export function classify(
  clients: Clients,
  request: AudioRequest,
  days: OpenDays,
): ClassifiedRequest {
  const { kind, app, device } = clients.identify(request.userAgent);
  const isFuture = utcDayOf(request.at) > days.last;
  const rejected = isFuture ? 'future' : (request.refusal ?? rejectClient(kind, request.network));
  return { ...request, rejected, app, device };
}

/** Why requests of this client do not count, if so. */
export function classifyClient(
  clients: Clients,
  { userAgent, network }: Pick<AudioRequest, 'userAgent' | 'network'>,
): RejectionReason | null {
  return rejectClient(clients.identify(userAgent).kind, network);
}

function rejectClient(kind: string, network: number | null): RejectionReason | null {
  if (kind === 'bot') return 'bot';
  return isDataCenter(network) ? 'data_center' : null;
}
