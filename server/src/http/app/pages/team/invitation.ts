import { signUpByInvitation } from '../../../../domain/access/sessions/index.ts';
import { appPages } from '../../../../domain/foundation/addresses.ts';
import { roleOf } from '../../../../domain/foundation/permissions/index.ts';
import {
  acceptInvitation,
  declineInvitation,
  getInvitation,
  type ReceivedInvitation,
} from '../../../../domain/publishing/podcasts/index.ts';
import type { Page } from '../../../pages/page.ts';
import { type Html, html } from '../../../responses/html.ts';
import type { Route } from '../../../route.ts';
import { isSignedIn, type Requester } from '../../requester.ts';
import { seeOther } from '../../response.ts';
import { setSession } from '../../session-cookie.ts';
import { accountFields, NewAccountForm } from '../account-fields.ts';
import { leadToApp, withDone } from '../done.ts';
import { renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import { type FormState, tokenOf } from '../form-state.ts';
import { createFrontPage } from '../frame.ts';
import { createUsedOfferPage, ifLinkValid } from '../invalid-link-page.ts';
import { renderMoment } from '../moment.ts';
import { type Asked, anyRequester, signInFirst } from '../page-route.ts';
import {
  isFor,
  renderDeclining,
  renderSignInAs,
  renderSignUpAs,
  TokenForm,
} from './answer-email.ts';

const path = appPages.invitation;
const signUpPath = `${path}/sign-up`;
const declinePath = `${path}/decline`;

type AnyAsked = Pick<Asked<Requester>, 'requester' | 'reply'>;

/** The target of an invitation's link. Accepting requires an account with the invited address. */
async function showInvitation({ requester, reply }: AnyAsked, state: FormState): Promise<Page> {
  const token = tokenOf(state);
  const invitation = await ifLinkValid(getInvitation(requester.ctx, token));
  if (invitation === undefined) {
    return createUsedOfferPage(reply, requester, {
      what: 'the invitation',
      askAgain: html`ask the person who invited you for a new one.`,
    });
  }
  return createFrontPage({
    title: `Invitation to ${invitation.podcastTitle}`,
    state,
    body: html`<p><strong>${invitation.inviterName}</strong> invites you to work on this podcast. Your role
will be: <strong>${roleOf(invitation).roleName}</strong>.</p>
${renderJoining(requester, invitation, state)}
${renderDeclining(declinePath, token)}
<p class="meta">The invitation expires on ${renderMoment(invitation.expiresAt)}.</p>
`,
  });
}

function renderJoining(
  requester: Requester,
  { email, hasAccount }: ReceivedInvitation,
  state: FormState,
): Html {
  const token = tokenOf(state);
  if (isFor(requester, email)) {
    const accept = { action: path, fields: [], hidden: { token }, submit: 'Accept' };
    return renderForm(accept, state);
  }
  const here = `${path}?token=${token}`;
  if (hasAccount === null) return renderSignUpAs(requester, email, here);
  if (hasAccount) return renderSignInAs(requester, email, here);
  const signUp = {
    action: signUpPath,
    fields: accountFields(requester.ctx.installation),
    hidden: { token },
    username: email,
    submit: 'Create my account and join',
  };
  return html`<p>To join, create an account for <strong>${email}</strong>.</p>
${renderForm(signUp, state)}`;
}

const acceptPage = defineFormPage({
  path,
  authenticate: anyRequester,
  form: TokenForm,
  begunWith: ['token'],
  show: showInvitation,
  async submit({ requester }, { token }) {
    if (!isSignedIn(requester)) return signInFirst(`${path}?token=${token}`);
    await acceptInvitation(requester.ctx, token);
    return leadToApp('joined');
  },
});

const signUpForm = defineFormPage({
  path: signUpPath,
  shownAt: path,
  authenticate: anyRequester,
  form: NewAccountForm,
  show: showInvitation,
  async submit({ requester: { ctx, client }, reply }, { accepts_terms: acceptsTerms, ...given }) {
    setSession(ctx, reply, await signUpByInvitation(ctx, { ...given, acceptsTerms, client }));
    return leadToApp('joined');
  },
});

const declineForm = defineFormPage({
  path: declinePath,
  shownAt: path,
  authenticate: anyRequester,
  form: TokenForm,
  show: showInvitation,
  async submit({ requester: { ctx } }, { token }) {
    await declineInvitation(ctx, token);
    return seeOther(withDone(appPages.signIn, 'declined'));
  },
});

export const invitationPages: readonly Route[] = [...acceptPage, ...signUpForm, ...declineForm];
