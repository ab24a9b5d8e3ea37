import Type, { type Static } from 'typebox';
import {
  type SiteEpisode as ChangedEpisode,
  type SiteChange as FoundChange,
  listChanges,
  tombstoneReasons,
} from '../../../domain/exchange/sites/index.ts';
import { embedUrl, listenUrl } from '../../../domain/foundation/addresses.ts';
import type { Installation } from '../../../domain/foundation/context.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import {
  episodeExample,
  id,
  moment,
  named,
  nullable,
  part,
  podcastExample,
  someText,
  values,
} from '../../openapi/described-fields.ts';
import { pageSize } from '../../requests/parameters.ts';
import { defineKeyedRoute } from '../keyed/keyed-route.ts';
import {
  noAudio,
  presentArtwork,
  presentAudio,
  presentPeople,
  presentTranscript,
} from '../present-public.ts';
import { episodeFields, episodeTexts } from '../public-schemas.ts';
import { keyedResponses } from '../responses.ts';
import { siteParams } from './site-route.ts';

/** The schemas of a site's change feed, with the names of the API. */

const { id: _, season_number: number, artwork, people, ...shared } = episodeFields;

const SiteEpisode = named('SiteEpisode', 'An episode as its post should show it.', {
  ...shared,
  ...episodeTexts,
  season_number: nullable(
    Type.Integer({ minimum: 0, maximum: 9999, examples: [1] }),
    'Null for a show without seasons.',
  ),
  artwork: part('A square picture: its own, else that of the podcast.', artwork.properties),
  people,
  transcript: nullable(
    shared.transcript.anyOf[0],
    'Null if none is published, or if the site includes none.',
  ),
});

const seq = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] });

const changeFields = {
  seq: seq('Number of the change: higher than that of every earlier change for this site.', 1042),
  episode_id: id('The id of the episode.', episodeExample),
  podcast_id: id('The id of its podcast.', podcastExample),
  changed_at: moment('When the change became due for the site.', '2026-03-01T05:00:00.000Z'),
};

const SiteChange = named('SiteChange', 'The newest change of one episode.', {
  ...changeFields,
  type: values(
    ['upsert', 'tombstone'],
    '`upsert`: show the episode like this. `tombstone`: no longer show it.',
    'upsert',
  ),
  content_hash: nullable(
    someText('oPABJrIU3uTp5mLK-4wrZdl2KnKJpKaPI3r5elT6wuY'),
    "The hash of an upsert's content. Null in a tombstone.",
  ),
  episode: Type.Optional(SiteEpisode),
  reason: Type.Optional(
    values(
      tombstoneReasons,
      'The reason for a tombstone. `unpublished`: the episode may come back. `deleted`: it will not. `show_removed`: the site can no longer access the episode; keep the post, but do not update it.',
      'unpublished',
    ),
  ),
});

const SiteChangePage = Type.Object({
  cursor: seq('The next `after`: the last `seq` of the page, or `after` if it is empty.', 1042),
  data: Type.Array(SiteChange, { description: 'By `seq`, ascending.' }),
});

const after = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'The last `seq` that was applied; 0 starts with the whole catalog',
    examples: [1021],
  }),
);

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
  async respond(ctx, { params, query }) {
    const { after: position = 0, limit = 20 } = query;
    const call = { after: position, limit };
    const page = await listChanges(ctx, params.site_id.toLowerCase(), call);
    return { cursor: page.cursor, data: presentChanges(ctx.installation, page.changes) };
  },
});

type Change = Static<typeof SiteChange>;

function presentChanges(hosts: Installation, changes: readonly FoundChange[]): Change[] {
  return changes.map((change) => presentChange(hosts, change));
}

function presentChange(hosts: Installation, change: FoundChange): Change {
  if (change.contentHash === null) return { ...wireNames(change), type: 'tombstone' };
  const { episode, ...rest } = change;
  const shown = presentSiteEpisode(hosts, change.episodeId, episode);
  return { ...wireNames(rest), type: 'upsert', episode: shown };
}

function presentSiteEpisode(
  hosts: Installation,
  id: string,
  { season, audio, artwork, people, podcastSlug, podcastDomain, ...rest }: ChangedEpisode,
): NonNullable<Change['episode']> {
  const { transcriptLanguage, transcriptHasTimes = true, ...episode } = rest;
  const show = { slug: podcastSlug, domain: podcastDomain ?? null };
  return {
    ...wireNames(episode),
    ai_content: episode.aiContent ?? null,
    season_number: season,
    audio: audio === null ? noAudio : presentAudio(hosts, id, audio),
    artwork: presentArtwork(hosts, artwork),
    links: { listen: listenUrl(hosts, show, episode.slug), embed: embedUrl(hosts, id) },
    people: presentPeople(hosts, people),
    transcript: presentTranscript(hosts, id, transcriptLanguage, transcriptHasTimes),
  };
}
