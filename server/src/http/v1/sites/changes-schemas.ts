import Type from 'typebox';
import { tombstoneReasons } from '../../../domain/sites/index.ts';
import {
  episodeExample,
  id,
  moment,
  nullable,
  podcastExample,
  someText,
  values,
} from '../fields.ts';
import { episodeFields, episodeTexts } from '../schemas.ts';

/** The shapes of a site's change feed, in the wire's names. */

const { id: _, season_number: number, artwork, people, ...shared } = episodeFields;

const SiteEpisode = Type.Object(
  {
    ...shared,
    ...episodeTexts,
    season_number: nullable(
      Type.Integer({ minimum: 0, maximum: 9999, examples: [1] }),
      'Null for a show without seasons.',
    ),
    artwork: Type.Object(artwork.properties, {
      description: 'A square picture: its own, else that of the podcast.',
    }),
    people,
    transcript: nullable(
      shared.transcript.anyOf[0],
      'Null where its makers publish none, or the site includes none.',
    ),
  },
  { $id: 'SiteEpisode', description: 'An episode as its post should show it.' },
);

const seq = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] });

const changeFields = {
  seq: seq('Number of the change: higher than that of every earlier change of this site.', 1042),
  episode_id: id('Of the episode.', episodeExample),
  podcast_id: id('Of its podcast.', podcastExample),
  changed_at: moment('When the site had to be told.', '2026-03-01T05:00:00.000Z'),
};

export const SiteChange = Type.Object(
  {
    ...changeFields,
    type: values(
      ['upsert', 'tombstone'],
      '`upsert`: show the episode like this. `tombstone`: show it no more.',
      'upsert',
    ),
    content_hash: nullable(
      someText('oPABJrIU3uTp5mLK-4wrZdl2KnKJpKaPI3r5elT6wuY'),
      'Of an upsert: the same content has the same hash. Null in a tombstone.',
    ),
    episode: Type.Optional(SiteEpisode),
    reason: Type.Optional(
      values(
        tombstoneReasons,
        'Of a tombstone. `unpublished`: it may come back. `deleted`: it does not. `show_removed`: the site may not read the episode any more; keep the post and let it go.',
        'unpublished',
      ),
    ),
  },
  { $id: 'SiteChange', description: 'The newest change of one episode.' },
);

export const SiteChangePage = Type.Object({
  cursor: seq('The next `after`: the last `seq` of the page, or `after` if it is empty.', 1042),
  data: Type.Array(SiteChange, { description: 'By `seq`, ascending.' }),
});

export const after = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'The last `seq` that was applied; 0 begins with the whole catalogue',
    examples: [1021],
  }),
);
