import { type PageChoices, previewChoices } from '../../../../domain/public/catalogue/index.ts';
import { readShowPreview } from '../../../pages/listen/listen-routes.ts';
import { clientLeaves } from '../../../responses/while-awaited.ts';
import type { FormFields } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { pageResponse, written } from '../../response.ts';

/** A form sends it into a frame, because a page keeps its own policy only if a response brings it. */
export const pagePreviewRoute = defineEndpoint('POST /app/api/podcasts/:podcastId/page-preview', {
  id: 'previewPage',
  summary: "A show's page with values that are not saved, for a frame of the dashboard",
  body: 'long form',
  response: written({ 200: { description: 'A page without scripts' } }),
  async handle({ ctx }, { http, params: { podcastId }, body, reply }) {
    const show = await previewChoices(ctx, podcastId, readChoices(body));
    return pageResponse(await readShowPreview(http, show, clientLeaves(reply)));
  },
});

/** Missing fields are as they are saved. Empty ones have no value. */
function readChoices(fields: FormFields): PageChoices {
  const read = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' ? value : undefined;
  };
  const [sections, text, theme, color] = [
    read('page_sections'),
    read('page_text'),
    read('page_theme'),
    read('brand_color'),
  ];
  return {
    ...(sections !== undefined && { pageSections: sections.split(',') }),
    ...(text !== undefined && { pageText: text || null }),
    ...(theme !== undefined && { pageTheme: theme }),
    ...(color !== undefined && { brandColor: color || null }),
    // The domain checks them.
  } as PageChoices;
}
