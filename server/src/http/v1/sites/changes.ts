import Type, { type Static } from 'typebox';
import {
  listChanges,
  type SiteChange,
  type SiteEpisode,
} from '../../../domain/exchange/sites/index.ts';
import { embedUrl, listenUrl } from '../../../domain/foundation/addresses.ts';
import type { Installation } from '../../../domain/foundation/context.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { pageSize } from '../../requests/parameters.ts';
import { defineKeyedRoute } from '../keyed/keyed-route.ts';
import { keyedResponses } from '../keyed/responses.ts';
import {
  noAudio,
  presentArtwork,
  presentAudio,
  presentPeople,
  presentTranscript,
} from '../present.ts';
import type * as schemas from './changes-schemas.ts';
import { after, SiteChangePage } from './changes-schemas.ts';
import { siteParams } from './site-route.ts';

export const changesRoute = defineKeyedRoute({
  path: '/v1/me/sites/:site_id/changes',
  action: 'site.read_changes',
  params: siteParams,
  query: Type.Object({ after, limit: pageSize(100) }),
  id: 'listSiteChanges',
  tag: 'Connected sites',
  summary: 'What a connected site should show, from a position onward',
  description: `Apply the changes in order, keep \`cursor\`, and request again with it as \`after\` until the page is empty. Only the newest change of each episode is included, so apply it whatever came before. A page may have fewer changes than \`limit\` if their texts are long. An \`after\` that this site was never given is 400 with \`reason\` \`unknown_position\`: start again at 0.

An episode is in the feed from the second of its publication. A paused or suspended podcast stays as it was. 403 \`plan_upgrade_required\` if none of the site's podcasts is on a plan that includes the API; the changes wait. Every call is recorded; pings announce only changes after the last one.`,
  responses: keyedResponses('A page of changes.', SiteChangePage),
  async answer(ctx, { params, query }) {
    const { after: position = 0, limit = 20 } = query;
    const call = { after: position, limit };
    const page = await listChanges(ctx, params.site_id.toLowerCase(), call);
    return { cursor: page.cursor, data: presentChanges(ctx.installation, page.changes) };
  },
});

type Change = Static<typeof schemas.SiteChange>;

function presentChanges(hosts: Installation, changes: readonly SiteChange[]): Change[] {
  return changes.map((change) => presentChange(hosts, change));
}

function presentChange(hosts: Installation, change: SiteChange): Change {
  if (change.contentHash === null) return { ...wireNames(change), type: 'tombstone' };
  const { episode, ...rest } = change;
  const shown = presentSiteEpisode(hosts, change.episodeId, episode);
  return { ...wireNames(rest), type: 'upsert', episode: shown };
}

function presentSiteEpisode(
  hosts: Installation,
  id: string,
  { season, audio, artwork, people, podcastSlug, ...rest }: SiteEpisode,
): NonNullable<Change['episode']> {
  const { transcriptLanguage, transcriptHasTimes = true, ...episode } = rest;
  return {
    ...wireNames(episode),
    ai_content: episode.aiContent ?? null,
    season_number: season,
    audio: audio === null ? noAudio : presentAudio(hosts, id, audio),
    artwork: presentArtwork(hosts, artwork),
    links: { listen: listenUrl(hosts, podcastSlug, episode.slug), embed: embedUrl(hosts, id) },
    people: presentPeople(hosts, people),
    transcript: presentTranscript(hosts, id, transcriptLanguage, transcriptHasTimes),
  };
}
