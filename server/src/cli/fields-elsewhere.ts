/**
 * Fields that commands print and seed files contain, but `set` does not change: where to change
 * them.
 */

const api = 'in the private API, /app/api';

export const podcastFieldsElsewhere = {
  id: 'It never changes.',
  guid: 'It never changes: apps know the show by it.',
  created_at: 'It never changes.',
  previous_slugs: 'Changing the slug adds the old one; they are permanent.',
  owner: `The owner transfers the podcast ${api}.`,
  members: `Change the team ${api}.`,
  episodes: 'See episode add, episode set and episode delete.',
};

export const episodeFieldsElsewhere = {
  id: 'It never changes.',
  podcast_id: 'It never changes.',
  guid: 'It never changes: apps know the episode by it.',
  created_at: 'It never changes.',
  source: 'Only an import or a seed file sets it.',
};
