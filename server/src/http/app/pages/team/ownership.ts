import {
  acceptOwnership,
  declineOwnership,
  getOwnershipOffer,
  type ReceivedOffer,
} from '../../../../domain/podcasts/index.ts';
import { type Html, html } from '../../../html.ts';
import type { Page } from '../../../pages/page.ts';
import type { Route } from '../../../route.ts';
import { seeOther } from '../../answers.ts';
import { AcceptOwnership, ByLetter } from '../../schemas/team.ts';
import { isSignedIn, type Visitor } from '../../visitor.ts';
import { createDeadLinkPage, ifLinkLives } from '../dead-link-page.ts';
import { sayingDone } from '../done.ts';
import { renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import { type FormState, tokenOf } from '../form-state.ts';
import { createFrontPage } from '../frame.ts';
import { renderMoment } from '../moment.ts';
import { type Asked, anyVisitor, signInFirst } from '../page-route.ts';
import { isFor, renderDeclining, renderSignInAs } from './answer-letter.ts';

const path = '/app/ownership';
const declinePath = `${path}/decline`;

type AnyAsked = Pick<Asked<Visitor, never>, 'visitor' | 'reply'>;

/** Where the letter leads in which an owner offers a podcast. */
async function showOffer({ visitor, reply }: AnyAsked, state: FormState): Promise<Page> {
  const token = tokenOf(state);
  const offer = await ifLinkLives(getOwnershipOffer(visitor.ctx, token));
  if (offer === undefined) {
    return createDeadLinkPage(reply, html`Ask the podcast's owner for another offer.`);
  }
  return createFrontPage({
    title: `${offer.podcastTitle} is offered to you`,
    state,
    body: html`<p><strong>${offer.ownerName}</strong> would hand the podcast over to you. It moves to your
account and its plan, with everything that is in it; ${offer.ownerName} stays as an admin, and you say who
works on it.</p>
${renderAccepting(visitor, offer, state)}
${renderDeclining(declinePath, token)}
<p class="meta">The offer is good until ${renderMoment(offer.expiresAt)}.</p>
`,
  });
}

function renderAccepting(visitor: Visitor, offer: ReceivedOffer, state: FormState): Html {
  const { email, hasAccount } = offer;
  const token = tokenOf(state);
  if (isFor(visitor, email)) {
    const accept = {
      action: path,
      fields: [
        {
          kind: 'check' as const,
          name: 'team_keys',
          label: 'Members of the team may read the podcast with their API keys',
          hint: 'You can change this later.',
        },
      ],
      hidden: { token },
      submit: 'Accept the podcast',
    };
    return renderForm(accept, state);
  }
  if (hasAccount) return renderSignInAs(visitor, email, `${path}?token=${token}`);
  if (!visitor.ctx.installation.signUp) {
    return html`<p>You need an account with <strong>${email}</strong> for that. Ask whoever runs this service
for one, then open the link in this letter again.</p>
`;
  }
  return html`<p>You need an account for that. <a href="/app/sign-up?${new URLSearchParams({ email }).toString()}">Sign up</a>
with <strong>${email}</strong>, then open the link in this letter again.</p>
`;
}

const acceptPage = defineFormPage({
  path,
  admit: anyVisitor,
  form: AcceptOwnership,
  begunWith: ['token'],
  show: showOffer,
  async submit({ visitor }, { token, team_keys: teamKeys }) {
    if (!isSignedIn(visitor)) return signInFirst(`${path}?token=${token}`);
    await acceptOwnership(visitor.ctx, { token, teamKeys });
    return seeOther(sayingDone('/app/podcasts', 'handed-over'));
  },
});

const declineForm = defineFormPage({
  path: declinePath,
  shownAt: path,
  admit: anyVisitor,
  form: ByLetter,
  show: showOffer,
  async submit({ visitor: { ctx } }, { token }) {
    await declineOwnership(ctx, token);
    return seeOther(sayingDone('/app/sign-in', 'offer-declined'));
  },
});

export const ownershipPages: readonly Route[] = [...acceptPage, ...declineForm];
