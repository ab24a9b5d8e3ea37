/**
 * The elements that show notes may contain. The server removes all others, and the editor in the
 * browser supports all of these: both read these lists.
 */
export const showNotesElements: readonly string[] = [
  ...['p', 'div', 'br', 'hr', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ...['a', 'img', 'em', 'strong', 'b', 'i', 'u', 's', 'sub', 'sup', 'small'],
];

/** Those that a comment may contain. */
export const commentElements: readonly string[] = [
  ...['p', 'br', 'blockquote', 'pre', 'code', 'ul', 'ol', 'li', 'a', 'em', 'strong', 'b', 'i', 's'],
];

/** They become a `div`. */
export const divisionElements: readonly string[] = [
  'article',
  'section',
  'main',
  'header',
  'footer',
  'aside',
  'figure',
  'address',
  'center',
];

/** These are removed with their content. Of other unknown elements, the content stays. */
export const droppedElements: readonly string[] = [
  'script',
  'style',
  'textarea',
  'option',
  'xmp',
  'title',
  'noscript',
  'template',
  'iframe',
  'object',
  'svg',
  'math',
];

/** Schemes of links as `URL.protocol` has them; images load over https alone. */
export const linkProtocols: readonly string[] = ['http:', 'https:', 'mailto:'];

/** The `rel` of every link. */
export const linkRelation = 'nofollow noopener';
