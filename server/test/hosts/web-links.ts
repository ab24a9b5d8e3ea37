import { Parser } from 'htmlparser2';

/** A link of a document or of its headers, with an absolute URL. */
export interface WebLink {
  readonly rel: string;
  readonly url: string;
}

/** The hubs and the canonical URL that a resource names, and where it names them. */
export interface DiscoveredTopic {
  readonly hubs: readonly string[];
  readonly self: string | undefined;
  readonly from: 'headers' | 'document';
}

/** WebSub, section 4: the headers first; the document only if they name no hub. */
export async function discoverTopic(response: Response): Promise<DiscoveredTopic> {
  const text = await response.text();
  const headers = parseLinkHeader(response.headers.get('link') ?? '', response.url);
  const type = response.headers.get('content-type') ?? '';
  const from = headers.some(({ rel }) => rel === 'hub') ? 'headers' : 'document';
  const links = from === 'headers' ? headers : readLinkElements(text, type, response.url);
  const urls = (rel: string) => links.filter((link) => link.rel === rel).map(({ url }) => url);
  const [self, ...others] = urls('self');
  if (others.length > 0) throw new Error('There is more than one link with rel=self');
  return { hubs: urls('hub'), self, from };
}

/** RFC 8288, section 3. A link with several relations is several links. */
export function parseLinkHeader(header: string, base: string): readonly WebLink[] {
  const links: WebLink[] = [];
  let rest = header;
  while (rest.includes('<')) {
    rest = rest.slice(rest.indexOf('<') + 1);
    const end = rest.indexOf('>');
    if (end === -1) break;
    const url = new URL(rest.slice(0, end), base).href;
    rest = rest.slice(end + 1);
    const parameters = rest.slice(0, endOfLink(rest));
    rest = rest.slice(parameters.length);
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    for (const name of (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/)) {
      if (name !== '') links.push({ rel: name, url });
    }
  }
  return links;
}

/** The position of the comma after the parameters; commas in quotes don't end them. */
function endOfLink(text: string): number {
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\' && quoted) at += 1;
    else if (character === '"') quoted = !quoted;
    else if (character === ',' && !quoted) return at;
  }
  return text.length;
}

/** `atom:link` of an XML feed, `link` of an HTML page. */
function readLinkElements(text: string, type: string, base: string): readonly WebLink[] {
  const isXml = /[/+]xml\b/.test(type) && !type.startsWith('application/xhtml');
  const links: WebLink[] = [];
  let depthOfItems = 0;
  const parser = new Parser(
    {
      onopentag(name, { rel, href }) {
        if (name === 'item' || name === 'entry' || name === 'body') depthOfItems += 1;
        const isLink = name === 'link' || (isXml && name === 'atom:link');
        if (!isLink || depthOfItems > 0 || rel === undefined || href === undefined) return;
        for (const one of rel.toLowerCase().split(/\s+/)) {
          links.push({ rel: one, url: new URL(href, base).href });
        }
      },
      onclosetag(name) {
        if (name === 'item' || name === 'entry' || name === 'body') depthOfItems -= 1;
      },
    },
    { xmlMode: isXml, decodeEntities: true },
  );
  parser.end(text);
  return links;
}
