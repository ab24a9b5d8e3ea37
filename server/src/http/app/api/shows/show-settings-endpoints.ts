import type { Static } from 'typebox';
import Type from 'typebox';
import {
  feedUrl,
  latestEmbedUrl,
  listenUrl,
  memberImagePath,
  playerUrl,
} from '../../../../domain/foundation/addresses.ts';
import type { Context, Installation } from '../../../../domain/foundation/context.ts';
import { podcastStatuses } from '../../../../domain/foundation/enumerations.ts';
import { setHeaderImage, setPodcastArtwork } from '../../../../domain/publishing/images/index.ts';
import {
  activatePodcast,
  checkPodcast,
  editPodcast,
  endMove,
  movePodcast,
  type PodcastChanges,
  type PodcastSettings,
  pausePodcast,
  readElements,
  readPodcastSettings,
  type StartedPodcast,
  startPodcast,
} from '../../../../domain/publishing/podcasts/index.ts';
import { readFirstSteps } from '../../../../domain/service/home/index.ts';
import { deleteOwnPodcast } from '../../../../domain/service/shows/index.ts';
import { podcastFields } from '../../../../lib/fields/podcast-fields.ts';
import { domainNames, wireNames } from '../../../../lib/wire-names.ts';
import { showColor } from '../../../pages/color.ts';
import { clientLeaves } from '../../../responses/while-awaited.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import {
  closed,
  elementSchemas,
  fieldSchemas,
  id,
  moment,
  named,
  nullable,
  optional,
  password,
} from '../../field-schemas.ts';
import { ok, revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import { FirstSteps } from '../home-endpoints.ts';
import { ShowRights } from '../podcasts-endpoints.ts';

/** A show as its members see and edit it. The domain checks bounds and choices. */

const text = Type.String();
const optionalText = nullable(text);
const flag = Type.Boolean();
const status = Type.Enum([...podcastStatuses], { type: 'string' });

const {
  new_feed_url: newFeedUrl,
  hosting_type: hostingType,
  team_keys: teamKeys,
  ...fields
} = fieldSchemas(podcastFields);
const elements = elementSchemas('show');

const EditShow = closed(optional({ ...fields, ...elements }));

const StartShow = closed({
  title: text,
  /** Default: made from the title, with a number if that is taken. */
  slug: Type.Optional(text),
  author: Type.Optional(text),
  description: Type.Optional(text),
  language: Type.Optional(text),
  timezone: Type.Optional(text),
  category: Type.Optional(optionalText),
  subcategory: Type.Optional(optionalText),
  explicit: Type.Optional(flag),
});

const MoveShow = closed({ new_feed_url: text });

const DeleteShow = closed({
  slug: Type.String({ description: 'The current slug, typed by the owner.' }),
  current_password: password,
});

/** Without a name, because a schema can't have the same name twice. */
const Picture = Type.Object({
  id,
  /** For members. Add `?width=160`, `320` or `640` for a smaller copy. */
  url: text,
  content_type: text,
  width: Type.Integer(),
  height: Type.Integer(),
  color: nullable(Type.String({ description: 'Its main color, #rrggbb; null if it is in grays.' })),
});

const ShowSettings = named('ShowSettings', {
  id,
  revision: Type.Integer(),
  guid: text,
  status,
  may_become: Type.Array(status, {
    description:
      'The statuses to which the user may set the show. A moved show may get another URL.',
  }),
  /** overage or operator; null: the show is not suspended. */
  suspended_for: nullable(text),
  ...fields,
  new_feed_url: newFeedUrl,
  hosting_type: hostingType,
  team_keys: teamKeys,
  ...elements,
  /** The number of elements of the namespace in the feed that are not a field. */
  extra_element_count: Type.Integer(),
  artwork: nullable(Picture),
  /** Behind the title on its page. */
  header_image: nullable(Picture),
  own_color: Type.String({ description: 'The color of pages and players if none is chosen.' }),
  links: Type.Object({ listen: text, feed: text, latest_player: text, player_script: text }),
  /** These addresses redirect to the current one. */
  previous_slugs: Type.Array(text),
  /** The plan shows "powered by", whatever the setting says. */
  always_powered_by: flag,
  role: text,
  role_name: text,
  may: ShowRights,
  created_at: moment,
});

function presentShow(
  hosts: Installation,
  { membership, extraElements, artwork, headerImage, ...show }: PodcastSettings,
): Static<typeof ShowSettings> {
  return {
    ...wireNames(show),
    role: membership.role,
    role_name: membership.roleName,
    own_color: showColor({ ...show, artwork, brandColor: null }),
    ...wireNames(readElements('show', extraElements)),
    extra_element_count: extraElements.length,
    artwork: presentPicture(artwork),
    header_image: presentPicture(headerImage),
    links: {
      listen: listenUrl(hosts, show),
      feed: feedUrl(hosts, show),
      latest_player: latestEmbedUrl(hosts, show.slug),
      player_script: playerUrl(hosts),
    },
  };
}

const presentPicture = (picture: PodcastSettings['artwork']) =>
  picture && { ...wireNames(picture), url: memberImagePath(picture) };

const path = '/app/api/podcasts';

export const settingsRoutes: readonly Route[] = [
  defineEndpoint(`POST ${path}`, {
    id: 'createPodcast',
    summary: 'Creates a show; only a title is required',
    body: { json: StartShow },
    response: revised(ShowSettings, 201),
    check: (_http, { body, refuse }) => refuse(...checkPodcast(domainNames(body))),
    async handle({ ctx }, { body }) {
      const { id } = await startPodcast(ctx, domainNames(body) as StartedPodcast);
      return readShow(ctx, id);
    },
  }),
  defineEndpoint(`GET ${path}/:podcastId`, {
    id: 'getPodcast',
    summary: 'A show with everything that its members edit',
    response: revised(ShowSettings),
    handle: ({ ctx }, { params: { podcastId } }) => readShow(ctx, podcastId),
  }),
  defineEndpoint(`PATCH ${path}/:podcastId`, {
    id: 'editPodcast',
    summary: 'Changes the given fields of a show',
    body: { json: EditShow },
    response: revised(ShowSettings),
    check: (_http, { body, refuse }) => refuse(...checkPodcast(readFields(body))),
    async handle({ ctx }, { params: { podcastId }, body, request }) {
      await editPodcast(ctx, podcastId, readFields(body), readExpectation(request));
      return readShow(ctx, podcastId);
    },
  }),
  defineEndpoint(`DELETE ${path}/:podcastId`, {
    id: 'deletePodcast',
    summary: 'Permanently deletes a show with all its episodes and files',
    body: { json: DeleteShow },
    handle({ ctx }, { params: { podcastId }, body, request }) {
      const { slug, current_password: currentPassword } = body;
      const expectation = readExpectation(request);
      return deleteOwnPodcast(ctx, podcastId, { slug, currentPassword, ...expectation });
    },
  }),
];

function readFields(body: object): PodcastChanges {
  return domainNames(body) as PodcastChanges;
}

/** The current show with its revision, the response to every write. */
async function readShow(ctx: Context, podcastId: string) {
  return presentShow(ctx.installation, await readPodcastSettings(ctx, podcastId));
}

export const artworkRoute = defineEndpoint('DELETE /app/api/podcasts/:podcastId/artwork', {
  id: 'removePodcastArtwork',
  summary: 'Removes the artwork of a show',
  response: revised(ShowSettings),
  async handle({ ctx }, { params: { podcastId }, request }) {
    await setPodcastArtwork(ctx, podcastId, null, readExpectation(request));
    return readShow(ctx, podcastId);
  },
});

export const headerImageRoute = defineEndpoint('DELETE /app/api/podcasts/:podcastId/header-image', {
  id: 'removeHeaderImage',
  summary: "Removes the picture behind the title on a show's page",
  response: revised(ShowSettings),
  async handle({ ctx }, { params: { podcastId }, request }) {
    await setHeaderImage(ctx, podcastId, null, readExpectation(request));
    return readShow(ctx, podcastId);
  },
});

export const firstStepsRoute = defineEndpoint('GET /app/api/podcasts/:podcastId/first-steps', {
  id: 'getFirstSteps',
  summary: 'The steps that a new show needs to find listeners, and which are done',
  response: ok(FirstSteps),
  async handle({ ctx, session }, { http, params: { podcastId }, reply }) {
    const read = () => readFirstSteps(ctx, podcastId);
    const steps = await http.longReads.run(session.userId, clientLeaves(reply), read);
    return { steps: wireNames(steps) };
  },
});

export const statusRoutes: readonly Route[] = [
  defineEndpoint(`POST ${path}/:podcastId/pause`, {
    id: 'pausePodcast',
    summary: 'Takes a show off the public pages; its feed stays as it is',
    response: revised(ShowSettings),
    async handle({ ctx }, { params: { podcastId }, request }) {
      await pausePodcast(ctx, podcastId, readExpectation(request));
      return readShow(ctx, podcastId);
    },
  }),
  defineEndpoint(`POST ${path}/:podcastId/resume`, {
    id: 'resumePodcast',
    summary: 'Makes a draft or a paused show public',
    response: revised(ShowSettings),
    async handle({ ctx }, { params: { podcastId }, request }) {
      await activatePodcast(ctx, podcastId, readExpectation(request));
      return readShow(ctx, podcastId);
    },
  }),
  defineEndpoint(`POST ${path}/:podcastId/move`, {
    id: 'movePodcast',
    summary: 'Redirects all subscribers to a feed elsewhere; repeat it to correct the URL',
    body: { json: MoveShow },
    response: revised(ShowSettings),
    async handle({ ctx }, { params: { podcastId }, body, request }) {
      const { new_feed_url: newFeedUrl } = body;
      await movePodcast(ctx, podcastId, { newFeedUrl, ...readExpectation(request) });
      return readShow(ctx, podcastId);
    },
  }),
  defineEndpoint(`POST ${path}/:podcastId/stay`, {
    id: 'endPodcastMove',
    summary: 'Ends a move: the feed is here again',
    response: revised(ShowSettings),
    async handle({ ctx }, { params: { podcastId }, request }) {
      await endMove(ctx, podcastId, readExpectation(request));
      return readShow(ctx, podcastId);
    },
  }),
];
