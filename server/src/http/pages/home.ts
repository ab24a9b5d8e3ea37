import { html } from '../html.ts';
import { defineRoute } from '../route.ts';
import { readStyle } from './assets.ts';
import { createPage, type Page } from './page.ts';
import { paletteStyle } from './palette.ts';
import { renderOnce } from './render-once.ts';

const style = paletteStyle(null, 'auto') + readStyle('base.css', 'home.css');

const answerHome = renderOnce(() => renderHome());

/** `/`: describes the service. It lists no shows; their owners publish the addresses. */
export const homeRoute = defineRoute({
  method: 'GET',
  path: '/',
  access: 'public',
  handle: (http) => answerHome(http.ctx.installation.baseUrl),
});

function renderHome(): Page {
  return createPage({
    language: 'en',
    title: 'Podstead',
    head: html`<meta name="description" content="A podcast hosting service, powered by Podstead.">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">`,
    body: html`<main>
<img src="/favicon.svg" width="72" height="72" alt="">
<h1>Podstead</h1>
<p class="lede">Podcast hosting</p>
<p>This service hosts podcasts: feeds for podcast apps, listen pages, players for websites, and an
API. It has no public directory; every show shares its own address.</p>
<ul>
<li><a href="/app">Your account</a></li>
<li><a href="/docs">API documentation</a></li>
<li><a href="/docs/changelog">API changelog</a></li>
<li><a href="/v1/openapi.json">OpenAPI document</a></li>
</ul>
</main>
`,
    style,
  });
}
