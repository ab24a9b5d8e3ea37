import Type from 'typebox';
import { platformSources } from '../../../../domain/audience/analytics/index.ts';
import {
  episodeExample,
  id,
  named,
  nullable,
  podcastExample,
  someMoment,
  text,
  values,
} from '../../../described-fields.ts';

/** The last import of a platform's figures, with the names of the API. */

const count = (description: string, example: number) =>
  Type.Optional(Type.Integer({ minimum: 0, description, examples: [example] }));

const figures = {
  plays: count('How often play was pressed.', 1972),
  time_listened_seconds: count('Apple: the time that people listened, in seconds.', 1_407_060),
  followers: count('People who follow the show, on the last day of the file.', 9430),
  engaged_listeners: count('Apple: people who heard 20 minutes or 40 % of an episode.', 360),
  streams: count('Spotify: plays of at least 60 seconds.', 1530),
  listeners: count('Spotify: people who listened.', 990),
};

const Figures = (description: string) => Type.Object(figures, { description });

export const PlatformImport = named('PlatformImport', 'Figures as another platform counted them.', {
  podcast_id: id('The podcast.', podcastExample),
  source: values(platformSources, 'The platform.', 'apple'),
  imported_at: nullable(
    someMoment('2026-03-31T14:05:12.000Z'),
    'When the owner imported the file; null: nothing was imported.',
  ),
  as_of: nullable(
    Type.String({ format: 'date', examples: ['2026-03-30'] }),
    'The last day of the figures; null if the file does not say, or nothing was imported.',
  ),
  show_metrics: Figures(
    "The show's figures: only those that the file contains, so it may be empty. If the file lists episodes, plays, streams and times are their totals. Numbers of people are never added up.",
  ),
  episodes: Type.Array(
    Type.Object({
      episode_id: nullable(
        Type.String({ format: 'uuid', examples: [episodeExample] }),
        'The episode here; null if none, or more than one, was found by GUID, title or date.',
      ),
      title: text('The title on the platform.', 'First light'),
      metrics: Figures("The episode's figures: only those that the file contains."),
    }),
    { description: "A page of the file's episodes, in its order." },
  ),
});
