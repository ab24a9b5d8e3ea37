import { appPages } from '../../../../domain/addresses.ts';
import { endConnection, getSite } from '../../../../domain/sites/index.ts';
import { html } from '../../../html.ts';
import { seeOther } from '../../answers.ts';
import { closed, ids } from '../../schemas/fields.ts';
import { sayingDone } from '../done.ts';
import { renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import { createSettingsPage } from '../frame.ts';
import { signedInRequester } from '../page-route.ts';
import { renderSiteAddress } from './site-address.ts';

const path = appPages.sites;

export const disconnectSitePage = defineFormPage({
  path: `${path}/:siteId/disconnect`,
  params: ids('siteId'),
  authenticate: signedInRequester,
  form: closed({}),
  async show({ requester, params: { siteId } }, state) {
    const site = await getSite(requester.ctx, siteId);
    const form = {
      action: `${path}/${site.id}/disconnect`,
      fields: [],
      submit: 'Disconnect the site',
      look: 'danger' as const,
    };
    return createSettingsPage(requester, {
      title: 'Disconnect a site',
      path,
      state,
      body: html`<p>${renderSiteAddress(site.siteUrl)}</p>
<p>The site can read nothing from now on. Posts that it has made stay on the site. You can connect it
again later, and it then continues with the same posts.</p>
${renderForm(form, state)}<p><a href="${path}/${site.id}">Back to the site</a></p>
`,
    });
  },
  async submit({ requester, params: { siteId } }) {
    await endConnection(requester.ctx, siteId);
    return seeOther(sayingDone(path, 'site-disconnected'));
  },
});
