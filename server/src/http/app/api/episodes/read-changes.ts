import type { Static } from 'typebox';
import type { EpisodeChanges } from '../../../../domain/episodes/index.ts';
import { checkEpisode } from '../../../../domain/episodes/index.ts';
import type { ErrorDetail } from '../../../../domain/errors.ts';
import type { UpdateEpisode } from '../../schemas/episodes.ts';

type Body = Partial<Static<typeof UpdateEpisode>>;

/** The fields of a body under the names of the domain; those left out are undefined. */
export function readChanges(body: Body): EpisodeChanges {
  const { episode_number: number } = body;
  const changes = {
    slug: body.slug,
    title: body.title,
    subtitle: body.subtitle,
    description: body.description,
    showNotesHtml: body.show_notes_html,
    season: body.season,
    seasonName: body.season_name,
    episodeDisplay: body.episode_display,
    episodeType: body.episode_type,
    explicit: body.explicit,
    itunesTitle: body.itunes_title,
    itunesBlock: body.itunes_block,
    linkUrl: body.link_url,
    shareTranscriptWithCohosts: body.share_transcript_with_cohosts,
    publishTranscript: body.publish_transcript,
    ...(number === null ? { numberGiven: false } : { episodeNumber: number }),
  };
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as EpisodeChanges;
}

/** The domain names two fields as the command line does. */
const names: Readonly<Record<string, string>> = { episode: 'episode_number', type: 'episode_type' };

export function checkChanges(changes: EpisodeChanges): ErrorDetail[] {
  return checkEpisode(changes).map((detail) => ({
    ...detail,
    field: names[detail.field] ?? detail.field,
  }));
}
