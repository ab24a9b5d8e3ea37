import Type from 'typebox';
import { hasUsers } from '../../domain/foundation/accounts/index.ts';
import { appPages } from '../../domain/foundation/addresses.ts';
import type { Context, Installation } from '../../domain/foundation/context.ts';
import { findEmails } from '../../domain/foundation/emails/index.ts';
import { type Html, html } from '../responses/html.ts';
import { publicCaching } from '../responses/payload.ts';
import { defineRoute } from '../route.ts';
import { readStyle } from './assets.ts';
import { respondWithDirectory } from './directory/directory-routes.ts';
import { createPage, type Page, pageType } from './page.ts';
import { type PageWords, pageWords } from './page-words.ts';
import { paletteStyle } from './palette.ts';
import { preferredAppLanguage } from './preferred-language.ts';

const style = paletteStyle(null, 'auto') + readStyle('base.css', 'actions.css', 'home.css');

/**
 * `/`: describes the service, or how to set it up as long as nobody has an account. It lists the shows
 * only if the operator wants a directory; otherwise their owners publish the URLs.
 */
export const homeRoute = defineRoute({
  method: 'GET',
  path: '/',
  access: 'public',
  query: Type.Object({
    q: Type.Optional(Type.Unknown()),
    category: Type.Optional(Type.Unknown()),
    cursor: Type.Optional(Type.Unknown()),
  }),
  async handle(http, { request, query, reply }) {
    const { ctx } = http;
    const { signUp, publicDirectory } = ctx.installation;
    const isSetUp = await isInUse(ctx);
    if (publicDirectory && isSetUp) return respondWithDirectory(http, query, request, reply);
    const folder = findEmails(ctx.installation);
    const words = pageWords(preferredAppLanguage(request.headers['accept-language']));
    const { text, headers } = isSetUp
      ? renderHome(words, signUp)
      : renderSetUp(words, signUp, folder);
    return { kind: 'text', contentType: pageType, text, headers, caching: homeCaching };
  },
});

/** Installations that had users when they were last asked. */
const inUse = new WeakSet<Installation>();

/** Whether somebody has an account. Asked until then: the directory needs no statement for it. */
async function isInUse(ctx: Context): Promise<boolean> {
  if (!inUse.has(ctx.installation) && (await hasUsers(ctx))) inUse.add(ctx.installation);
  return inUse.has(ctx.installation);
}

const homeCaching = { ...publicCaching, vary: `Accept-Language, ${publicCaching.vary}` };

function renderHome(words: PageWords, signUp: boolean): Page {
  return renderPage(
    words,
    html`<p class="lede">${words.write('Podcast hosting')}</p>
<p>${words.write('This service hosts podcasts: feeds for podcast apps, listen pages, players for websites, and an API. It has no public directory; every show shares its own address.')}</p>
<p class="actions">${renderButton(appPages.home, words.say('Sign in'))}${
      signUp && html` ${renderButton(appPages.signUp, words.say('Create account'))}`
    }</p>
`,
  );
}

function renderButton(path: string, label: string): Html {
  return html`<a class="button" href="${path}">${label}</a>`;
}

/**
 * The first account has no more rights than others, and is created like them: whoever comes first
 * gains nothing over those who come later.
 */
function renderSetUp(words: PageWords, signUp: boolean, emailsFolder: string | undefined): Page {
  return renderPage(
    words,
    html`<p class="lede">${words.write('Podstead is running. Nobody has an account yet.')}</p>
${signUp ? renderSteps(words, emailsFolder) : renderCommand(words)}
`,
  );
}

function renderSteps(words: PageWords, emailsFolder: string | undefined): Html {
  return html`<ol>
<li>${words.write('Create the first account with your email address.')}</li>
<li>${words.write('Open the link in the email that confirms it.')}${
    emailsFolder !== undefined &&
    html` ${words.write('Emails are not sent yet, because <code>SMTP_URL</code> is not set: find the message in <code>{folder}</code>.', { folder: emailsFolder })}`
  }</li>
<li>${words.write('Start a show, or import one from its feed.')}</li>
</ol>
<p class="actions">${renderButton(appPages.signUp, words.say('Create the first account'))}</p>`;
}

function renderCommand(words: PageWords): Html {
  return html`<p>${words.write('Sign-up is closed (<code>SIGN_UP=off</code>). Create the first account on the command line:')}</p>
<p dir="ltr"><code>npm run -s podstead -- user create --email you@example.com</code></p>
<p class="actions">${renderButton(appPages.home, words.say('Sign in'))}</p>`;
}

function renderPage(words: PageWords, body: Html): Page {
  const description = words.say('A podcast hosting service, powered by Podstead.');
  const page = createPage({
    language: words.language,
    title: 'Podstead',
    head: html`<meta name="description" content="${description}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">`,
    body: html`<main>
<img src="/favicon.svg" width="72" height="72" alt="">
<h1>Podstead</h1>
${body}<ul class="docs">
<li><a href="/docs">${words.say('API documentation')}</a></li>
<li><a href="/docs/changelog">${words.say('API changelog')}</a></li>
<li><a href="/v1/openapi.json">${words.say('OpenAPI document')}</a></li>
</ul>
</main>
`,
    style,
  });
  return { ...page, headers: { ...page.headers, 'Content-Language': words.language } };
}
