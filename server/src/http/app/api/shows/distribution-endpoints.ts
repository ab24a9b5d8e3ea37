import Type from 'typebox';
import { readFeedNotifications } from '../../../../domain/exchange/feed-notifications/index.ts';
import type { Context } from '../../../../domain/foundation/context.ts';
import { directoryStatuses } from '../../../../domain/foundation/enumerations.ts';
import {
  checkListings,
  checkPrefixesOfShow,
  readHealth,
  readListings,
  setListings,
} from '../../../../domain/publishing/distribution/index.ts';
import { readPodcast } from '../../../../domain/publishing/podcasts/index.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import { clientLeaves } from '../../../responses/while-awaited.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { closed, id, named, nullable, translatable } from '../../field-schemas.ts';
import { ok, revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';

/** The rules that a show must meet, and the directories that list it. */

const text = Type.String();
const source = Type.Enum(['apple', 'spotify', 'psp1'], {
  type: 'string',
  description: "Apple Podcasts, Spotify, or the Podcast Standards Project's PSP-1.",
});
const rule = { rule: text, sources: Type.Array(source), title: text };

const Finding = named('HealthFinding', {
  ...rule,
  severity: Type.Enum(['error', 'warning', 'advice'], {
    type: 'string',
    description: `error: apps refuse or cannot play it. warning: they show it badly, or not to
everybody. advice: it is recommended.`,
  }),
  message: text,
  ...translatable,
  what_to_do: text,
  /** Null if the problem concerns the show itself. */
  episodes: nullable(
    Type.Object({
      count: Type.Integer(),
      /** The newest of these episodes, at most twenty. */
      first: Type.Array(Type.Object({ id, title: text })),
    }),
  ),
});

const Health = named('Health', {
  findings: Type.Array(Finding),
  passed: Type.Array(Type.Object(rule)),
});

const PrefixCheck = named('PrefixCheck', {
  problem: Type.Enum(['none', 'nothing', 'unreachable', 'elsewhere', 'insecure'], {
    type: 'string',
    description:
      'nothing: there was nothing to check, because the show has no prefixes or no public audio.',
  }),
  host: nullable(Type.String({ description: 'Where the problem is.' })),
});

const status = Type.Enum([...directoryStatuses], { type: 'string' });

const SetDirectories = closed({
  directories: Type.Array(closed({ directory: text, status, url: nullable(text) }), {
    maxItems: 50,
  }),
});

const Directory = named('Directory', {
  directory: text,
  name: text,
  status,
  url: nullable(text),
  /** The hosts of the directory's pages. */
  hosts: Type.Array(text),
  submit_url: nullable(text),
  /** Whether the directory sends an email to the address in the feed. */
  needs_owner_email: Type.Boolean(),
  steps: Type.Array(text),
});

const Directories = named('Directories', {
  revision: Type.Integer(),
  directories: Type.Array(Directory),
});

const moment = nullable(Type.String({ format: 'date-time' }));

const FeedNotifications = named('FeedNotifications', {
  channels: Type.Array(
    named('FeedNotification', {
      channel: Type.Enum(['podcast_index', 'podping', 'hub'], { type: 'string' }),
      url: nullable(Type.String({ description: 'Of a hub.' })),
      is_told: Type.Boolean({
        description: 'False: it is not told while the show is as it is, for example paused.',
      }),
      told_at: moment,
      sent_at: moment,
      last_status: nullable(Type.Integer()),
      last_error: nullable(
        Type.String({ description: 'Null if the last request succeeded, or if there was none.' }),
      ),
      next_at: moment,
    }),
  ),
  subscribers: nullable(Type.Object({ count: Type.Integer(), failing: Type.Integer() })),
});

const path = '/app/api/podcasts/:podcastId';

export const distributionRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}/health`, {
    id: 'getPodcastHealth',
    summary: 'Problems that apps and directories may find in a show and its episodes',
    response: ok(Health),
    async handle({ ctx, session }, { http, params: { podcastId }, reply }) {
      const read = () => readHealth(ctx, podcastId);
      return wireNames(await http.longReads.run(session.userId, clientLeaves(reply), read));
    },
  }),
  defineEndpoint(`POST ${path}/prefixes/check`, {
    id: 'checkPrefixes',
    summary: "Checks now whether a show's measurement prefixes redirect to its audio",
    response: ok(PrefixCheck),
    handle: async ({ ctx }, { params: { podcastId } }) =>
      wireNames(await checkPrefixesOfShow(ctx, podcastId)),
  }),
  defineEndpoint(`GET ${path}/directories`, {
    id: 'listDirectories',
    summary: 'All directories, how a show is submitted to each, and its state there',
    response: revised(Directories),
    handle: ({ ctx }, { params: { podcastId } }) => readDirectories(ctx, podcastId),
  }),
  defineEndpoint(`GET ${path}/feed-notifications`, {
    id: 'getFeedNotifications',
    summary: 'Who is told of changes of the feed, and how that went',
    response: ok(FeedNotifications),
    handle: async ({ ctx }, { params: { podcastId } }) =>
      wireNames(await readFeedNotifications(ctx, podcastId)),
  }),
  defineEndpoint(`PUT ${path}/directories`, {
    id: 'setDirectories',
    summary: 'Sets the state of a show in each directory; omitted ones become "to do"',
    body: { json: SetDirectories },
    response: revised(Directories),
    check(_http, { body, refused, refuse }) {
      if (refused.size === 0) refuse(...checkListings(body.directories ?? []));
    },
    async handle({ ctx }, { params: { podcastId }, body, request }) {
      await setListings(ctx, podcastId, body.directories, readExpectation(request));
      return readDirectories(ctx, podcastId);
    },
  }),
];

async function readDirectories(ctx: Context, podcastId: string) {
  const { revision } = await readPodcast(ctx, podcastId);
  return { revision, directories: wireNames(await readListings(ctx, podcastId)) };
}
