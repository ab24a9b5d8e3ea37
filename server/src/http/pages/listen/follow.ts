import { feedUrl } from '../../../domain/addresses.ts';
import { tryNormaliseLink } from '../../../lib/html/link.ts';
import { type Html, html } from '../../html.ts';
import { renderCopyField } from './copy-field.ts';
import type { View } from './view.ts';

/**
 * Ways to follow the show. Which apps a listener has is not for us to guess: the feed's address,
 * and the two schemes that any app may have registered for.
 */
export function renderFollow({ hosts, show, words }: View): Html {
  const feed = feedUrl(hosts, show.slug);
  return html`<details class="panel"><summary class="button more">${words.html('follow')}</summary><div class="sheet">
${renderCopyField(words, { id: 'feed', label: words.html('feedAddress'), value: feed })}
<p class="links"><a href="podcast:${feed.replace(/^https?:/, '')}">${words.html('openInApp')}</a> <a href="feed:${feed}">${words.html('openInReader')}</a> <a href="${feed}" type="application/rss+xml">RSS</a></p>
</div></details>
`;
}

/** The show's own website. */
export function renderWebsite({ show, words }: View): Html | undefined {
  return renderButton(show.websiteUrl, words.html('website'));
}

/** The page where listeners support the show, in its makers' words where they gave some. */
export function renderSupport({ show, words }: View): Html | undefined {
  const { fundingText, fundingUrl } = show;
  const text = fundingText === null ? '' : fundingText.trim();
  return renderButton(fundingUrl, text === '' ? words.html('support') : html`${text}`);
}

function renderButton(address: string | null, text: Html): Html | undefined {
  const href = tryNormaliseLink(address ?? '', ['http:', 'https:']);
  return href === undefined
    ? undefined
    : html`<a class="button" href="${href}" rel="noopener">${text}</a>
`;
}
