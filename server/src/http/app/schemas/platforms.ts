import Type from 'typebox';
import { platformSources } from '../../../domain/audience/analytics/index.ts';
import { id, moment, named, nullable } from './fields.ts';

export const platformParams = Type.Object({
  podcastId: id,
  source: Type.Enum([...platformSources], { type: 'string', description: 'The platform.' }),
});

/** Only what the file contains. Apple has no streams and listeners, Spotify no times and engagement. */
const Figures = Type.Object(
  Object.fromEntries(
    [
      ...['plays', 'streams', 'listeners', 'followers'],
      ...['time_listened_seconds', 'engaged_listeners'],
    ].map((name) => [name, Type.Optional(Type.Integer())]),
  ),
);

/** The last import, with a page of its episodes. */
export const PlatformImport = named('PlatformFigures', {
  podcast_id: id,
  source: Type.String(),
  /** Null if nothing was imported. */
  imported_at: nullable(moment),
  /** The last day of the figures. */
  as_of: nullable(Type.String()),
  show_metrics: Figures,
  episodes: Type.Array(
    Type.Object({ episode_id: nullable(id), title: Type.String(), metrics: Figures }),
  ),
  /** False: the plan of the podcast does not let its team import a file. */
  included_in_plan: Type.Boolean(),
  may_import: Type.Boolean(),
});

export const PlatformImportReport = named('PlatformImportReport', {
  podcast_id: id,
  source: Type.String(),
  imported_at: moment,
  rows: Type.Integer(),
  matched: Type.Integer(),
  /** The first titles in the file that match no episode. */
  unmatched: Type.Array(Type.String()),
  unmatched_count: Type.Integer(),
  /** The import of the source that is gone; null: there was none. */
  replaced: nullable(Type.Object({ imported_at: moment, as_of: nullable(Type.String()) })),
});
