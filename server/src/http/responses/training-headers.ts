import type { AiTraining } from '../../domain/foundation/enumerations.ts';
import type { ExtraHeaders } from './payload.ts';

const robotsTag = 'X-Robots-Tag';

/**
 * The headers with what a show says to those who train AI models (PAGE-18): to crawlers, and by the TDM
 * Reservation Protocol. Directives for crawlers that are there already stay.
 */
export function withTrainingHeaders(
  headers: ExtraHeaders,
  { aiTraining }: { readonly aiTraining: AiTraining },
): ExtraHeaders {
  if (aiTraining === 'allow') return headers;
  const directives = [headers[robotsTag] ?? [], 'noai', 'noimageai'].flat();
  return { ...headers, [robotsTag]: directives.join(', '), 'tdm-reservation': '1' };
}

/** What only a 200 has, and what a 304 has as well: caches replace stored headers by those of a 304. */
export function divideHeaders(
  headers: ExtraHeaders,
  show: Parameters<typeof withTrainingHeaders>[1],
) {
  const { [robotsTag]: directives, ...extra } = headers;
  const given = directives === undefined ? {} : { [robotsTag]: directives };
  return { extra, lasting: withTrainingHeaders(given, show) };
}
