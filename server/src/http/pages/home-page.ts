import { hasUsers } from '../../domain/foundation/accounts/index.ts';
import { appPages } from '../../domain/foundation/addresses.ts';
import { findEmails } from '../../domain/foundation/emails/index.ts';
import { type Html, html } from '../responses/html.ts';
import { defineRoute } from '../route.ts';
import { readStyle } from './assets.ts';
import { createPage, createPagePayload, type Page } from './page.ts';
import { paletteStyle } from './palette.ts';

const style = paletteStyle(null, 'auto') + readStyle('base.css', 'actions.css', 'home.css');

/**
 * `/`: describes the service, or how to set it up as long as nobody has an account. It lists no
 * shows; their owners publish the addresses.
 */
export const homeRoute = defineRoute({
  method: 'GET',
  path: '/',
  access: 'public',
  async handle({ ctx }) {
    const { signUp } = ctx.installation;
    const folder = findEmails(ctx.installation);
    const page = (await hasUsers(ctx)) ? renderHome(signUp) : renderSetUp(signUp, folder);
    return { kind: 'payload', payload: await createPagePayload(page) };
  },
});

function renderHome(signUp: boolean): Page {
  return renderPage(html`<p class="lede">Podcast hosting</p>
<p>This service hosts podcasts: feeds for podcast apps, listen pages, players for websites, and an
API. It has no public directory; every show shares its own address.</p>
<p class="actions"><a class="button" href="${appPages.home}">Sign in</a>${
    signUp && html` <a class="button" href="${appPages.signUp}">Create account</a>`
  }</p>
`);
}

/**
 * The first account has no more rights than others, and is made like them: whoever comes first
 * gains nothing over those who come later.
 */
function renderSetUp(signUp: boolean, emailsFolder: string | undefined): Page {
  return renderPage(html`<p class="lede">Podstead runs. Nobody has an account yet.</p>
${
  signUp
    ? html`<ol>
<li>Create the first account with your email address.</li>
<li>Open the link in the email that confirms it.${
        emailsFolder !== undefined &&
        html` Emails are not sent yet, because <code>SMTP_URL</code> is not set: find the message in
<code>${emailsFolder}</code>.`
      }</li>
<li>Start a show, or import one from its feed.</li>
</ol>
<p class="actions"><a class="button" href="${appPages.signUp}">Create the first account</a></p>`
    : html`<p>Sign-up is closed (<code>SIGN_UP=off</code>). Create the first account on the command line:</p>
<p><code>npm run -s podstead -- user create --email you@example.com</code></p>
<p class="actions"><a class="button" href="${appPages.home}">Sign in</a></p>`
}
`);
}

function renderPage(body: Html): Page {
  return createPage({
    language: 'en',
    title: 'Podstead',
    head: html`<meta name="description" content="A podcast hosting service, powered by Podstead.">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">`,
    body: html`<main>
<img src="/favicon.svg" width="72" height="72" alt="">
<h1>Podstead</h1>
${body}<ul class="docs">
<li><a href="/docs">API documentation</a></li>
<li><a href="/docs/changelog">API changelog</a></li>
<li><a href="/v1/openapi.json">OpenAPI document</a></li>
</ul>
</main>
`,
    style,
  });
}
