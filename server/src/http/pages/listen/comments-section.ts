import type { Comment } from '../../../domain/public/comments/index.ts';
import { type Html, html } from '../../responses/html.ts';
import { formatDate, formatExactDate, formatNumber } from '../format.ts';
import { renderArtwork } from './picture.ts';
import { renderProse } from './prose.ts';
import type { View } from './view.ts';

/**
 * The comments themselves are elsewhere: the episode's page never waits for another server. The script
 * of the page replaces this link with them.
 */
export function renderCommentsLink({ words }: View, url: string): Html {
  return html`<p class="comments-link"><a class="button" href="${url}" data-comments>${words.html('comments')}</a></p>
`;
}

/** Comments, or that there are none; undefined: they could not be read, which a script shows only to who asked. */
export function renderComments(
  view: View,
  postUrl: string,
  comments: readonly Comment[] | undefined,
): Html {
  const { show, words } = view;
  const host = new URL(postUrl).host;
  const answer = html`<p class="actions"><a class="button" href="${postUrl}" rel="nofollow noopener">${words.html('answerAt', { host })}</a></p>
`;
  if (comments === undefined)
    return html`<section class="comments-away"><p>${words.html('commentsAway')}</p>${answer}</section>
`;
  return html`<section class="comments" aria-labelledby="comments">
<h2 id="comments">${words.html('comments')}${comments.length > 0 && html` <span class="count">${formatNumber(comments.length, show.language)}</span>`}</h2>
${
  comments.length === 0
    ? html`<p class="meta">${words.html('noComments')}</p>
`
    : html`<ol class="list">
${comments.map((comment) => renderComment(view, comment))}</ol>
`
}${answer}</section>
`;
}

/** Pictures of authors would be loaded from their servers, which would learn who reads this. */
function renderComment(view: View, comment: Comment): Html {
  const { hosts, show } = view;
  const { name, account, url, depth, warning } = comment;
  const at = new Date(comment.at);
  const text = renderProse(comment.html);
  const exact = formatExactDate(at, show.language, show.timezone);
  return html`<li class="comment depth-${depth}">${renderArtwork(hosts, null, name, { boxPx: 160, className: 'face' })}<div>
<p><b dir="auto">${name}</b> <span class="meta" dir="ltr">${account}</span></p>
<p class="meta"><a href="${url}" rel="nofollow noopener"><time datetime="${comment.at}" title="${exact}">${formatDate(at, show.language, show.timezone)}</time></a></p>
${warning === null ? text : html`<details><summary class="fold" dir="auto">${warning}</summary>${text}</details>`}
</div></li>
`;
}
