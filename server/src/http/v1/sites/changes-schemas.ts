import Type from 'typebox';
import { tombstoneReasons } from '../../../domain/exchange/sites/index.ts';
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
} from '../../described-fields.ts';
import { episodeFields, episodeTexts } from '../schemas.ts';

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

export const SiteChange = named('SiteChange', 'The newest change of one episode.', {
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

export const SiteChangePage = Type.Object({
  cursor: seq('The next `after`: the last `seq` of the page, or `after` if it is empty.', 1042),
  data: Type.Array(SiteChange, { description: 'By `seq`, ascending.' }),
});

export const after = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'The last `seq` that was applied; 0 starts with the whole catalog',
    examples: [1021],
  }),
);
