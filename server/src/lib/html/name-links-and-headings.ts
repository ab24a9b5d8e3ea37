const namelessLink =
  /<a href="[^"]*" rel="[^"]*">((?:\s|<\/?(?:em|strong|b|i|u|s|sub|sup|small)>|<br \/>)*)<\/a>/g;
const emptyHeading = /<(h[2-6])>(?:\s|<\/?(?:em|strong|b|i|u|s|sub|sup|small)>|<br \/>)*<\/\1>/g;
const namelessPicture =
  /(<a href="(https?:[^"]*)" rel="[^"]*">\s*<img src="[^"]*" alt=")("[^>]*>\s*<\/a>)/g;

/**
 * Takes sanitized HTML. Removes headings without text and the tags of links without text, because
 * screen readers cannot name them; a link of one image without a description gets its host's name.
 */
export function nameLinksAndHeadings(html: string): string {
  return html
    .replace(namelessLink, '$1')
    .replace(emptyHeading, '')
    .replace(namelessPicture, (_, start: string, href: string, end: string) => {
      return start + hostOf(href) + end;
    });
}

/** A readable host name. It comes from escaped HTML and stays escaped. */
function hostOf(href: string): string {
  return URL.parse(href)?.hostname.replace(/^www\./, '') ?? '';
}
