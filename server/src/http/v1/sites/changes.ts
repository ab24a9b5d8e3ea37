import Type from 'typebox';
import { listChanges } from '../../../domain/exchange/sites/index.ts';
import { pageSize } from '../../requests/parameters.ts';
import { defineKeyedRoute } from '../keyed/keyed-route.ts';
import { keyedResponses } from '../keyed/responses.ts';
import { after, SiteChangePage } from './changes-schemas.ts';
import { presentChanges } from './present-changes.ts';
import { siteParams } from './site-route.ts';

export const changesRoute = defineKeyedRoute({
  path: '/v1/me/sites/:site_id/changes',
  action: 'site.read_changes',
  params: siteParams,
  query: Type.Object({ after, limit: pageSize(100) }),
  id: 'listSiteChanges',
  tag: 'Connected sites',
  summary: 'What a connected site should show, from a position on',
  description: `Apply the changes in their order, keep \`cursor\`, and ask again with it as \`after\` until the page is empty. Only the newest change of an episode is there, so apply it whatever came before. A page may have fewer changes than \`limit\` if their texts are long. An \`after\` that this site was not given is 400 with \`reason\` \`unknown_position\`: start again at 0.

An episode is in the feed from the second of its publication. A podcast that is paused or suspended stays as it was. 403 \`plan_upgrade_required\` if none of the site's podcasts may be read for its plan; the changes wait. Every call is noted; a ping tells only what lies beyond the last one.`,
  responses: keyedResponses('A page of changes.', SiteChangePage),
  async answer(ctx, { params, query }) {
    const { after: position = 0, limit = 20 } = query;
    const call = { after: position, limit };
    const page = await listChanges(ctx, params.site_id.toLowerCase(), call);
    return { cursor: page.cursor, data: presentChanges(ctx.installation, page.changes) };
  },
});
