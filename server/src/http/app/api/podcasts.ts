import Type from 'typebox';
import { listMyPodcasts } from '../../../domain/podcasts/index.ts';
import { sessionCaching } from '../../payload.ts';
import { defineRoute } from '../../route.ts';
import { openPage } from '../../v1/page-request.ts';
import { cursor, pageSize, podcastId } from '../../v1/parameters.ts';
import { readTimePosition, writeTimePosition } from '../../v1/time-position.ts';
import { presentMyPodcast } from '../present.ts';
import { forSignedIn } from '../requester.ts';
import { page } from '../responses.ts';
import { MyPodcast } from '../schemas/podcasts.ts';

const path = '/app/api/podcasts';
const parameters = Type.Object({
  limit: pageSize(100),
  cursor,
  /** Only this one. */
  podcast: Type.Optional(podcastId),
});

export const podcastsRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path,
  query: parameters,
  operation: {
    id: 'listPodcasts',
    summary: 'A page of the podcasts that the user works on',
    responses: page(MyPodcast),
  },
  check: (http, input) =>
    openPage(http, { path, parameters, of: input.caller.session.userId }, input),
  async handle(_http, { caller: { ctx }, query: { podcast }, checked: page }) {
    const after = page.after && readTimePosition(page.after);
    const { items, next } = await listMyPodcasts(ctx, {
      limit: page.limit,
      after,
      refs: podcast === undefined ? undefined : [podcast],
    });
    const body = {
      data: items.map(presentMyPodcast),
      pagination: page.next(next && writeTimePosition(next)),
    };
    return { kind: 'json', body, caching: sessionCaching };
  },
});
