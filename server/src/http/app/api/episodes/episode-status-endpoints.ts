import type { EpisodeStatus } from '../../../../domain/foundation/enumerations.ts';
import type { ErrorDetail } from '../../../../domain/foundation/errors.ts';
import {
  archiveEpisode,
  type EarlierStatus,
  publishEpisode,
  restoreStatus,
  scheduleEpisode,
  unpublishEpisode,
} from '../../../../domain/publishing/episodes/index.ts';
import { tryParseTimestamp } from '../../../../lib/time.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import {
  EpisodeState,
  PublishEpisode,
  presentState,
  RestoreStatus,
  ScheduleEpisode,
} from './episode-shapes.ts';

/** Reads a time from a field of a body. Refuses other text, and returns undefined for it. */
function readMoment(
  field: string,
  text: string | undefined,
  refuse: (detail: ErrorDetail) => void,
): Date | undefined {
  if (text === undefined) return undefined;
  const moment = tryParseTimestamp(text);
  if (moment === undefined) {
    refuse({ field, message: 'This must be an ISO 8601 time with a zone.' });
  }
  return moment;
}

type Refuse = (detail: ErrorDetail) => void;
interface WireStatus {
  readonly status: EpisodeStatus;
  readonly published_at: string | null;
  readonly scheduled_for: string | null;
}

/**
 * Reads the status and the dates to which an episode returns; the schema requires the status.
 * `within` names the item of a list.
 */
export function readEarlierStatus(
  body: Partial<WireStatus>,
  refuse: Refuse,
  within = '',
): EarlierStatus {
  const read = (name: 'published_at' | 'scheduled_for') =>
    readMoment(within + name, body[name] ?? undefined, refuse) ?? null;
  return {
    status: body.status as EpisodeStatus,
    publishedAt: read('published_at'),
    scheduledFor: read('scheduled_for'),
  };
}

const path = '/app/api/episodes/:episodeId';
const response = revised(EpisodeState);

export const episodeStatusRoutes: readonly Route[] = [
  defineEndpoint(`POST ${path}/publish`, {
    id: 'publishEpisode',
    summary: 'Publishes an episode now, or with a past date',
    body: { json: PublishEpisode },
    response,
    check: (_http, { body, refuse }) => readMoment('published_at', body.published_at, refuse),
    async handle({ ctx }, { params: { episodeId }, body, request, checked: publishedAt }) {
      const options = { ...readExpectation(request), publishedAt, confirmed: body.confirm };
      return presentState(await publishEpisode(ctx, episodeId, options));
    },
  }),
  defineEndpoint(`POST ${path}/schedule`, {
    id: 'scheduleEpisode',
    summary: 'Schedules an episode',
    body: { json: ScheduleEpisode },
    response,
    check: (_http, { body, refuse }) => readMoment('scheduled_for', body.scheduled_for, refuse),
    async handle({ ctx }, { params: { episodeId }, body, request, checked: at }) {
      const options = { ...readExpectation(request), confirmed: body.confirm };
      // The schema requires the field.
      return presentState(await scheduleEpisode(ctx, episodeId, at as Date, options));
    },
  }),
  defineEndpoint(`POST ${path}/unpublish`, {
    id: 'unpublishEpisode',
    summary: 'Makes an episode a draft',
    response,
    handle: async ({ ctx }, { params: { episodeId }, request }) =>
      presentState(await unpublishEpisode(ctx, episodeId, readExpectation(request))),
  }),
  defineEndpoint(`POST ${path}/archive`, {
    id: 'archiveEpisode',
    summary: 'Archives an episode',
    response,
    handle: async ({ ctx }, { params: { episodeId }, request }) =>
      presentState(await archiveEpisode(ctx, episodeId, readExpectation(request))),
  }),
  defineEndpoint(`POST ${path}/restore-status`, {
    id: 'restoreStatus',
    summary: 'Undoes a status change, with its dates; an episode that was waiting becomes a draft',
    body: { json: RestoreStatus },
    response,
    check: (_http, { body, refuse }) => readEarlierStatus(body, refuse),
    async handle({ ctx }, { params: { episodeId }, body, request, checked: before }) {
      const options = { ...readExpectation(request), confirmed: body.confirm };
      return presentState(await restoreStatus(ctx, episodeId, before, options));
    },
  }),
];
