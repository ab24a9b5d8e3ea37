import type { Static } from 'typebox';
import Type from 'typebox';
import {
  embedUrl,
  feedUrl,
  listenUrl,
  mediaUrl,
  memberAudioPath,
  memberImagePath,
  playerUrl,
} from '../../../../domain/foundation/addresses.ts';
import type { Installation } from '../../../../domain/foundation/context.ts';
import { episodeStatuses, episodeTypes } from '../../../../domain/foundation/enumerations.ts';
import {
  confirmations,
  type EpisodeDraft as Draft,
  type Episode,
  episodeSorts,
  type ShowEpisode,
  statusesAfter,
} from '../../../../domain/publishing/episodes/index.ts';
import {
  episodesChanges,
  type EpisodeOutcome as Outcome,
} from '../../../../domain/service/shows/index.ts';
import { episodeFields } from '../../../../lib/fields/episode-fields.ts';
import { maxEpisodesAtOnce } from '../../../../lib/limits.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import { failureOf, type HttpFailure } from '../../../http-errors.ts';
import { cursor, pageSize } from '../../../requests/parameters.ts';
import {
  closed,
  elementSchemas,
  fieldSchemas,
  id,
  moment,
  named,
  nullable,
  optional,
  Pagination,
  searched,
  translatable,
} from '../../field-schemas.ts';
import { SeenRevision } from '../../revision.ts';

const text = Type.String();
const status = Type.Enum([...episodeStatuses], { type: 'string' });
const type = Type.Enum([...episodeTypes], { type: 'string' });
const mayBecome = {
  may_become: Type.Array(status, {
    description: 'The statuses that the member may set. A scheduled episode may get another time.',
  }),
};
const confirmation = Type.Enum([...confirmations], { type: 'string' });
const statusChoices = {
  ...mayBecome,
  to_confirm: Type.Array(confirmation, {
    description: 'What a request that publishes or schedules it names in `confirm`.',
  }),
};
const confirm = Type.Optional(
  Type.Array(confirmation, {
    maxItems: confirmations.length,
    description:
      'What the user knows and wants: an episode without audio is public on its page and in the API, but not in the feed. A missing one is refused; the detail has its name as `reason`.',
  }),
);
const revision = Type.Integer({ description: 'The ETag, as a number.' });

export const listParameters = Type.Object({
  q: searched('Words in the title, or parts of them.'),
  status: Type.Optional(status),
  sort: Type.Optional(
    Type.Enum([...episodeSorts], { type: 'string', description: 'Default: newest.' }),
  ),
  limit: pageSize(100),
  cursor,
});

const EpisodeListItem = named('EpisodeListItem', {
  id,
  podcast_id: id,
  slug: text,
  title: text,
  status,
  season: nullable(Type.Integer()),
  episode_number: Type.Integer(),
  episode_type: type,
  published_at: nullable(moment),
  scheduled_for: nullable(moment),
  created_at: moment,
  duration_seconds: nullable(Type.Number()),
  has_audio: Type.Boolean(),
  artwork_url: nullable(text),
  downloads_7d: nullable(
    Type.Integer({ description: 'Downloads of the seven UTC days before today.' }),
  ),
  revision,
  ...statusChoices,
});

export const EpisodeCounts = Type.Object(
  Object.fromEntries(episodeStatuses.map((each) => [each, Type.Integer()])) as Record<
    (typeof episodeStatuses)[number],
    ReturnType<typeof Type.Integer>
  >,
);

export const EpisodeList = Type.Object({
  data: Type.Array(EpisodeListItem),
  /** Counts of all statuses, independent of filters; only on the first page. */
  counts: Type.Optional(EpisodeCounts),
  pagination: Pagination,
});

const { episode_number: number, ...fields } = fieldSchemas(episodeFields);
const elements = elementSchemas('episode');

export const EpisodeDraft = named('EpisodeDraft', {
  id,
  podcast_id: id,
  ...fields,
  episode_number: number,
  ...elements,
  number_given: Type.Boolean({ description: 'Whether the number is shown to listeners.' }),
  guid: text,
  status,
  published_at: nullable(moment),
  scheduled_for: nullable(moment),
  intended_published_at: nullable(moment),
  created_at: moment,
  updated_at: moment,
  revision,
  artwork: nullable(Type.Object({ id, url: text })),
  audio: nullable(
    Type.Object({
      content_type: text,
      size_bytes: nullable(Type.Integer()),
      duration_seconds: nullable(Type.Number()),
      sha256: nullable(text),
      is_external: Type.Boolean(),
      file_url: text,
    }),
  ),
  waveform: Type.Union([
    Type.Object({ duration_seconds: Type.Number(), peaks: Type.Array(Type.Integer()) }),
    Type.Enum(['pending'], { type: 'string' }),
    Type.Null(),
  ]),
  links: Type.Object({
    listen: text,
    embed: text,
    player_script: text,
    feed: text,
    media: nullable(text),
  }),
  transcript: nullable(Type.Object({ language: text, segment_count: Type.Integer() })),
  has_transcript: Type.Boolean({ description: 'Also set for members who may not read it.' }),
  chapter_count: Type.Integer(),
  may: Type.Object({
    edit: Type.Boolean(),
    set_audio: Type.Boolean({
      description:
        'Add audio or replace it. The first audio of a published episode also needs the right to publish.',
    }),
    remove_audio: Type.Boolean({
      description:
        "Only members who may publish can remove a published or scheduled episode's audio.",
    }),
    publish: Type.Boolean(),
    delete: Type.Boolean(),
    people: Type.Boolean(),
    transcript: Type.Boolean(),
    read_transcript: Type.Boolean(),
  }),
  ...statusChoices,
});

export const FieldChange = named('FieldChange', {
  field: text,
  by: nullable(Type.String({ description: 'Who changed it last; null: the service.' })),
  by_you: Type.Boolean({ description: 'By the requesting user, in another window.' }),
  at: moment,
});

export const CreateEpisode = closed({ title: text, slug: Type.Optional(text) });

export const UpdateEpisode = closed({
  ...optional({ ...fields, ...elements }),
  episode_number: Type.Optional(
    nullable(Type.Integer({ description: 'Null: no number is shown to listeners.' })),
  ),
});

/** The response to a change of the status. */
export const EpisodeState = named('EpisodeState', {
  id,
  status,
  published_at: nullable(moment),
  scheduled_for: nullable(moment),
  revision,
  ...mayBecome,
});

export const PublishEpisode = closed({ published_at: Type.Optional(moment), confirm });
export const ScheduleEpisode = closed({ scheduled_for: moment, confirm });

const earlierStatus = {
  status,
  published_at: nullable(moment),
  scheduled_for: nullable(moment),
};
export const RestoreStatus = closed({ ...earlierStatus, confirm });
export const RestoreEpisodes = closed({
  episodes: Type.Array(closed({ id, revision: SeenRevision, ...earlierStatus }), {
    minItems: 1,
    maxItems: maxEpisodesAtOnce,
  }),
  confirm,
});

export const ChangeEpisodes = closed({
  action: Type.Enum([...episodesChanges], { type: 'string' }),
  ids: Type.Array(id, { minItems: 1, maxItems: maxEpisodesAtOnce }),
});

export const EpisodeOutcome = named('EpisodeOutcome', {
  id,
  done: Type.Boolean(),
  /** Null for a deleted episode, and for one that was refused. */
  revision: nullable(Type.Integer()),
  status: nullable(status),
  error: nullable(
    Type.Object({
      code: text,
      message: text,
      ...translatable,
      reason: Type.Optional(Type.String({ description: 'As `details[].reason` of an error.' })),
    }),
  ),
});

export const PreviewLink = named('PreviewLink', { url: text, expires_at: moment });

type ListItem = Static<typeof EpisodeList>['data'][number];

export function presentShowEpisode(episode: ShowEpisode): ListItem {
  const { durationMs, artwork, downloads7d, ...rest } = episode;
  return {
    ...wireNames(rest),
    duration_seconds: toSeconds(durationMs),
    artwork_url: artwork && memberImagePath(artwork, 160),
    downloads_7d: downloads7d,
  };
}

export function presentDraft(hosts: Installation, draft: Draft): Static<typeof EpisodeDraft> {
  const { artwork, audio, waveform, podcastSlug, podcastDomain, elements, ...rest } = draft;
  const show = { slug: podcastSlug, domain: podcastDomain };
  return {
    ...wireNames({ ...rest, ...elements }),
    artwork: artwork && { id: artwork.id, url: memberImagePath(artwork) },
    audio: audio && {
      content_type: audio.contentType,
      size_bytes: audio.sizeBytes,
      duration_seconds: toSeconds(audio.durationMs),
      sha256: audio.sha256,
      is_external: audio.isExternal,
      file_url: memberAudioPath(draft),
    },
    waveform: presentWaveform(waveform),
    links: {
      listen: listenUrl(hosts, show, draft.slug),
      embed: embedUrl(hosts, draft.id),
      player_script: playerUrl(hosts),
      feed: feedUrl(hosts, show),
      media:
        audio?.fileName == null
          ? null
          : mediaUrl(hosts, { episodeId: draft.id, fileName: audio.fileName }),
    },
  };
}

function presentWaveform(waveform: Draft['waveform']) {
  if (waveform === null || waveform === 'pending') return waveform;
  return { duration_seconds: waveform.durationMs / 1000, peaks: [...waveform.peaks] };
}

/** After a change of the status by a member who may make another one. */
export function presentState(episode: Episode): Static<typeof EpisodeState> {
  return { ...wireNames(episode), may_become: [...statusesAfter(episode.status)] };
}

export function presentOutcome(outcome: Outcome): Static<typeof EpisodeOutcome> {
  if ('refused' in outcome) {
    const failure = failureOf(outcome.refused);
    const nothing = { revision: null, status: null };
    return { id: outcome.id, done: false, ...nothing, error: presentRefusal(failure) };
  }
  const { id, episode } = outcome;
  const { revision = null, status = null } = episode ?? {};
  return { id, done: true, revision, status, error: null };
}

function presentRefusal({ code, message, messageKey, values, details }: HttpFailure) {
  const reason = details?.[0]?.reason;
  return {
    code,
    message,
    ...(messageKey !== undefined && { message_key: messageKey, values: { ...values } }),
    ...(reason !== undefined && { reason }),
  };
}

function toSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}
