import type { Static } from 'typebox';
import type { Installation } from '../../domain/foundation/context.ts';
import type { AnalyticsMeta } from './figures.ts';

/** How downloads are counted, in the words of every analytics response. */
export function describeMethodology({
  baseUrl,
}: Installation): Static<typeof AnalyticsMeta>['methodology'] {
  return {
    source: 'first_party',
    guideline: 'IAB Tech Lab Podcast Measurement Technical Guidelines 2.2',
    certified: false,
    download_definition:
      'One download for each hashed pair of IP address and user agent, episode and UTC day, after bots and data centers are filtered out. It counts once the requests of that day have received at least 60 seconds of audio, or the whole audio if it is shorter; each byte of the file counts once.',
    unique_listener_definition:
      'One hashed pair of IP address and user agent that has at least one download on that UTC day. Listeners are never added up across days: the hash changes every day.',
    day_boundary: 'UTC',
    docs_url: `${baseUrl}/docs/counting`,
  };
}
