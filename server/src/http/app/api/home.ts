import Type from 'typebox';
import { listHomeShows, readAccountNeeds } from '../../../domain/service/home/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { cursor, pageSize } from '../../requests/parameters.ts';
import { byCreation } from '../../requests/positions.ts';
import { defineEndpoint } from '../endpoint.ts';
import { presentHomeShow } from '../present-show.ts';
import { whole } from '../response.ts';
import { searched } from '../schemas/fields.ts';
import { Home } from '../schemas/home.ts';

/** Runs three statements for any number of shows, besides that of the session. */
export const homeRoute = defineEndpoint('GET /app/api/home', {
  id: 'getHome',
  summary: 'The shows that the user works on, their newest figures, and what needs attention',
  query: Type.Object({
    q: searched('Part of a title or slug.'),
    limit: pageSize(50),
    cursor,
  }),
  response: whole(Home, 'A page'),
  async handle({ ctx }, { query: { q: title }, page }) {
    const shows = await page.read(
      byCreation,
      (query) => listHomeShows(ctx, { ...query, title }),
      presentHomeShow,
    );
    const isFirst = page.after === undefined;
    return { ...shows, account_needs: isFirst ? wireNames(await readAccountNeeds(ctx)) : null };
  },
});
