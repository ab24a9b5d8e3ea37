import { html } from '../html.ts';
import { defineRoute } from '../route.ts';
import { readStyle } from './assets.ts';
import { drawOnce } from './draw-once.ts';
import { createPage, type Page } from './page.ts';
import { paletteStyle } from './palette.ts';

const style = paletteStyle(null, 'auto') + readStyle('base.css', 'home.css');

const answerHome = drawOnce(() => renderHome());

/** `/`: what this is. Which shows live here is theirs to tell. */
export const homeRoute = defineRoute({
  method: 'GET',
  path: '/',
  access: 'public',
  handle: (web) => answerHome(web.ctx.installation.baseUrl),
});

function renderHome(): Page {
  return createPage({
    language: 'en',
    title: 'Podstead',
    head: html`<meta name="description" content="Podcasts are hosted here with Podstead.">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">`,
    body: html`<main>
<img src="/favicon.svg" width="72" height="72" alt="">
<h1>Podstead</h1>
<p class="lede">Podcasts are at home here.</p>
<p>This installation hosts shows and their episodes: feeds for every podcast app, pages to listen
at, players for other sites, and an API to build on. Each show tells its own address; there is no
list of them here.</p>
<ul>
<li><a href="/app">Your account</a></li>
<li><a href="/docs">How to use the API</a></li>
<li><a href="/docs/changelog">What has changed</a></li>
<li><a href="/v1/openapi.json">The API for machines (OpenAPI)</a></li>
</ul>
</main>
`,
    style,
  });
}
