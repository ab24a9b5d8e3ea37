import type { EpisodeDraft } from '../../api/episode.ts';
import type { ServerState } from '../../editor/draft.ts';

/** The fields of the form, under the names of the API. */
export interface EpisodeFields {
  readonly title: string;
  readonly subtitle: string | null;
  readonly slug: string;
  readonly description: string;
  readonly show_notes_html: string | null;
  readonly season: number | null;
  readonly season_name: string | null;
  /** Null: the episode has no number. */
  readonly episode_number: number | null;
  readonly episode_display: string | null;
  readonly episode_type: EpisodeDraft['episode_type'];
  readonly explicit: boolean;
  readonly itunes_title: string | null;
  readonly itunes_block: boolean;
  readonly link_url: string | null;
  readonly share_transcript_with_cohosts: boolean;
  readonly publish_transcript: boolean;
}

export type FieldName = keyof EpisodeFields;

function fieldsOf(episode: EpisodeDraft): EpisodeFields {
  return {
    title: episode.title,
    subtitle: episode.subtitle,
    slug: episode.slug,
    description: episode.description,
    show_notes_html: episode.show_notes_html,
    season: episode.season,
    season_name: episode.season_name,
    episode_number: episode.number_given ? episode.episode_number : null,
    episode_display: episode.episode_display,
    episode_type: episode.episode_type,
    explicit: episode.explicit,
    itunes_title: episode.itunes_title,
    itunes_block: episode.itunes_block,
    link_url: episode.link_url,
    share_transcript_with_cohosts: episode.share_transcript_with_cohosts,
    publish_transcript: episode.publish_transcript,
  };
}

export function stateOf(episode: EpisodeDraft): ServerState {
  return { revision: episode.revision, fields: { ...fieldsOf(episode) } };
}

/** In these statuses the public sees changes at once, so the person decides when to save. */
export const isPublic = ({ status }: Pick<EpisodeDraft, 'status'>): boolean =>
  status === 'published';
