import Type from 'typebox';
import { listHomeShows, readAccountNeeds } from '../../../domain/home/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { sessionCaching } from '../../payload.ts';
import { defineRoute } from '../../route.ts';
import { openPage } from '../../v1/page-request.ts';
import { cursor, pageSize } from '../../v1/parameters.ts';
import { readTimePosition, writeTimePosition } from '../../v1/time-position.ts';
import { presentHomeShow } from '../present-show.ts';
import { forSignedIn } from '../requester.ts';
import { searched } from '../schemas/fields.ts';
import { Home } from '../schemas/home.ts';

const path = '/app/api/home';
const parameters = Type.Object({
  q: searched('Part of a title or slug.'),
  limit: pageSize(50),
  cursor,
});

/** Three statements beside that of the session, however many shows there are. */
export const homeRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path,
  query: parameters,
  operation: {
    id: 'getHome',
    summary: 'The shows that the user works on, their newest figures, and what needs attention',
    responses: { 200: { description: 'A page', schema: Home } },
  },
  check: (http, input) =>
    openPage(http, { path, parameters, of: input.caller.session.userId }, input),
  async handle(_http, { caller: { ctx }, query: { q: title }, checked: page }) {
    const after = page.after && readTimePosition(page.after);
    const { items, next } = await listHomeShows(ctx, { limit: page.limit, after, title });
    const body = {
      data: items.map(presentHomeShow),
      account_needs: after === undefined ? (await readAccountNeeds(ctx)).map(wireNames) : null,
      pagination: page.next(next && writeTimePosition(next)),
    };
    return { kind: 'json', body, caching: sessionCaching };
  },
});
