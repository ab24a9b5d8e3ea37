import { feedUrl } from '../../../domain/addresses.ts';
import { tryNormalizeLink } from '../../../lib/html/link.ts';
import { type Html, html } from '../../html.ts';
import { renderCopyField } from './copy-field.ts';
import { followApps } from './follow-apps.ts';
import { renderPanel } from './panel.ts';
import type { View } from './view.ts';

/**
 * Ways to follow the show: known apps, the app registered for feeds, and the feed's URL for all
 * others.
 */
export function renderFollow({ hosts, show, words }: View): Html {
  const feed = feedUrl(hosts, show.slug);
  const apps = followApps.map(
    ([name, toAddress]) => html`<li><a class="app" href="${toAddress(feed)}">${name}</a></li>
`,
  );
  return renderPanel(
    words.html('follow'),
    html`<p class="label">${words.html('apps')}</p>
<ul class="apps">
${apps}<li><a class="app" href="${feed.replace(/^https?:/, 'feed:')}">${words.html('openInReader')}</a></li>
<li><a class="app" href="${feed}" type="application/rss+xml">RSS</a></li>
</ul>
${renderCopyField(words, { id: 'feed', label: words.html('feedAddress'), value: feed })}`,
  );
}

/** The show's own website. */
export function renderWebsite({ show, words }: View): Html | undefined {
  return renderButton(show.websiteUrl, words.html('website'));
}

/** The page where listeners support the show, with the makers' own label if they set one. */
export function renderSupport({ show, words }: View): Html | undefined {
  const { fundingText, fundingUrl } = show;
  const text = fundingText === null ? '' : fundingText.trim();
  return renderButton(fundingUrl, text === '' ? words.html('support') : html`${text}`);
}

function renderButton(address: string | null, text: Html): Html | undefined {
  const href = tryNormalizeLink(address ?? '', ['http:', 'https:']);
  return href === undefined
    ? undefined
    : html`<a class="button" href="${href}" rel="noopener">${text}</a>
`;
}
