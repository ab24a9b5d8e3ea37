import Type from 'typebox';
import { appPages } from '../../../../domain/foundation/addresses.ts';
import {
  declineOwnership,
  getOwnershipOffer,
  type ReceivedOffer,
} from '../../../../domain/publishing/podcasts/index.ts';
import { acceptOwnership } from '../../../../domain/service/shows/index.ts';
import type { Page } from '../../../pages/page.ts';
import { type Html, html } from '../../../responses/html.ts';
import type { Route } from '../../../route.ts';
import { closed } from '../../field-schemas.ts';
import { isSignedIn, type Requester } from '../../requester.ts';
import { seeOther } from '../../response.ts';
import { leadToApp, withDone } from '../done.ts';
import { renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import { type FormState, tokenOf } from '../form-state.ts';
import { createFrontPage } from '../frame.ts';
import { createUsedOfferPage, ifLinkValid } from '../invalid-link-page.ts';
import { renderMoment } from '../moment.ts';
import { type Asked, anyRequester, signInFirst } from '../page-route.ts';
import { isFor, renderDeclining, renderSignInAs, TokenForm } from './answer-email.ts';

const path = appPages.ownershipOffer;
const declinePath = `${path}/decline`;

type AnyAsked = Pick<Asked<Requester>, 'requester' | 'reply'>;

/** The target of the link in an offer of ownership. */
async function showOffer({ requester, reply }: AnyAsked, state: FormState): Promise<Page> {
  const token = tokenOf(state);
  const offer = await ifLinkValid(getOwnershipOffer(requester.ctx, token));
  if (offer === undefined) {
    return createUsedOfferPage(reply, requester, {
      what: 'the offer',
      askAgain: html`ask the podcast's owner for a new one.`,
    });
  }
  return createFrontPage({
    title: `Accept ${offer.podcastTitle}`,
    state,
    body: html`<p><strong>${offer.ownerName}</strong> would like to transfer this podcast to you. It moves to your
account and plan with all its content. You will manage its team; ${offer.ownerName} stays as an admin.</p>
${renderAccepting(requester, offer, state)}
${renderDeclining(declinePath, token)}
<p class="meta">The offer expires on ${renderMoment(offer.expiresAt)}.</p>
`,
  });
}

function renderAccepting(requester: Requester, offer: ReceivedOffer, state: FormState): Html {
  const { email, hasAccount } = offer;
  const token = tokenOf(state);
  if (isFor(requester, email)) {
    const accept = {
      action: path,
      fields: [
        {
          kind: 'check' as const,
          name: 'team_keys',
          label: 'Team members may read this podcast with their API keys',
          hint: 'You can change this later.',
        },
      ],
      hidden: { token },
      submit: 'Accept the podcast',
    };
    return renderForm(accept, state);
  }
  if (hasAccount) return renderSignInAs(requester, email, `${path}?token=${token}`);
  if (!requester.ctx.installation.signUp) {
    return html`<p>You need an account for <strong>${email}</strong>. Ask the operator of this service for one, then
open the link in the email again.</p>
`;
  }
  return html`<p>You need an account. <a href="${appPages.signUp}?${new URLSearchParams({ email }).toString()}">Sign up</a>
with <strong>${email}</strong>, then open the link in the email again.</p>
`;
}

const acceptPage = defineFormPage({
  path,
  authenticate: anyRequester,
  form: closed({ ...TokenForm.properties, team_keys: Type.Boolean() }),
  begunWith: ['token'],
  show: showOffer,
  async submit({ requester }, { token, team_keys: teamKeys }) {
    if (!isSignedIn(requester)) return signInFirst(`${path}?token=${token}`);
    await acceptOwnership(requester.ctx, { token, teamKeys });
    return leadToApp('handed-over');
  },
});

const declineForm = defineFormPage({
  path: declinePath,
  shownAt: path,
  authenticate: anyRequester,
  form: TokenForm,
  show: showOffer,
  async submit({ requester: { ctx } }, { token }) {
    await declineOwnership(ctx, token);
    return seeOther(withDone(appPages.signIn, 'offer-declined'));
  },
});

export const ownershipPages: readonly Route[] = [...acceptPage, ...declineForm];
