import { appPages } from '../../../../domain/addresses.ts';
import {
  endOtherSessions,
  endSession,
  listSessions,
  type Session,
} from '../../../../domain/sessions/index.ts';
import { type Html, html } from '../../../html.ts';
import type { Route } from '../../../route.ts';
import { seeOther } from '../../answers.ts';
import { ids } from '../../schemas/fields.ts';
import { describeBrowser } from '../describe-browser.ts';
import { sayingDone } from '../done.ts';
import { createSettingsPage } from '../frame.ts';
import { renderMoment } from '../moment.ts';
import { defineSettingsAction, defineSettingsPage } from '../page-route.ts';

const path = appPages.sessions;

const sessionsPage = defineSettingsPage({
  path,
  async show({ requester, done }) {
    const sessions = await listSessions(requester.ctx);
    const others = sessions.filter(({ id }) => id !== requester.session.id);
    return createSettingsPage(requester, {
      title: 'Sessions',
      path,
      done,
      body: html`<p>These browsers are signed in to your account. A browser that is not used for 30 days is
signed out automatically.</p>
<ul class="cards">${sessions.map((session) => renderSession(session, requester.session.id))}</ul>
${
  others.length > 0 &&
  html`<form method="post" action="${path}/end-others"><button class="button danger">Sign out everywhere else</button></form>`
}
`,
    });
  },
});

function renderSession(session: Session, currentId: string): Html {
  const { id, userAgent, createdAt, lastUsedAt } = session;
  const current = id === currentId;
  return html`<li class="card"><h2>${describeBrowser(userAgent)}${
    current && html` <span class="badge">this browser</span>`
  }</h2>
<p class="meta">Signed in ${renderMoment(createdAt)}, last used ${renderMoment(lastUsedAt)}</p>
${
  !current &&
  html`<form method="post" action="${path}/${id}/end"><button class="button small">Sign out</button></form>`
}</li>
`;
}

const endSessionAction = defineSettingsAction({
  path: `${path}/:sessionId/end`,
  shownAt: path,
  params: ids('sessionId'),
  async act({ requester: { ctx }, params: { sessionId } }) {
    await endSession(ctx, sessionId);
    return seeOther(sayingDone(path, 'ended'));
  },
});

const endOtherSessionsAction = defineSettingsAction({
  path: `${path}/end-others`,
  shownAt: path,
  async act({ requester: { ctx, session } }) {
    await endOtherSessions(ctx, session.id);
    return seeOther(sayingDone(path, 'others-ended'));
  },
});

export const sessionsPages: readonly Route[] = [
  sessionsPage,
  endSessionAction,
  endOtherSessionsAction,
];
