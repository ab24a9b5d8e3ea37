import { cleanBody } from './clean-html.ts';
import { parseHtml } from './disarm-html.ts';

/** Converts text that was copied in a word processor or on a page to show notes. */
export function cleanPasted(html: string): string {
  const body = parseHtml(html);
  makeWordLists(body);
  for (const element of [...body.querySelectorAll('[data-style], b')].reverse()) {
    readStyle(element);
  }
  return cleanBody(body).html.replaceAll('&nbsp;', ' ');
}

/** Word processors use styles instead of elements. Google Docs puts a `b` around everything. */
function readStyle(element: Element): void {
  const style = stylesOf(element);
  const fontWeight = style.get('font-weight') ?? '';
  const decoration = style.get('text-decoration-line') ?? style.get('text-decoration') ?? '';
  const name = element.localName;
  const isBold = /^(bold|bolder|[6-9]00)$/.test(fontWeight);
  const tags = [
    isBold && name === 'span' ? 'strong' : '',
    style.get('font-style') === 'italic' && name === 'span' ? 'em' : '',
    // A link is underlined anyway.
    decoration.includes('underline') && element.closest('a') === null && name === 'span' ? 'u' : '',
    decoration.includes('line-through') ? 's' : '',
    style.get('vertical-align') === 'super' ? 'sup' : '',
    style.get('vertical-align') === 'sub' ? 'sub' : '',
  ].filter((tag) => tag !== '');
  for (const tag of tags) wrapContent(element, tag);
  const isOnlyAWrapper = name === 'b' && /^(normal|[1-5]00)$/.test(fontWeight);
  if (isOnlyAWrapper) element.replaceWith(...element.childNodes);
}

function stylesOf(element: Element): ReadonlyMap<string, string> {
  const declarations = (element.getAttribute('data-style') ?? '').toLowerCase().split(';');
  return new Map(
    declarations.map((declaration) => {
      const [name = '', value = ''] = declaration.split(':', 2);
      return [name.trim(), value.trim()];
    }),
  );
}

function wrapContent(element: Element, tag: string): void {
  const wrapper = element.ownerDocument.createElement(tag);
  wrapper.append(...element.childNodes);
  element.append(wrapper);
}

/** Word writes lists as paragraphs with a style and a typed bullet. */
function makeWordLists(body: HTMLElement): void {
  let lists: HTMLElement[] = [];
  for (const paragraph of body.querySelectorAll<HTMLElement>('p')) {
    const level = levelOf(paragraph);
    if (level === undefined) {
      lists = [];
      continue;
    }
    const marker = takeMarker(paragraph);
    const item = body.ownerDocument.createElement('li');
    item.append(...paragraph.childNodes);
    lists = lists.slice(0, level);
    while (lists.length < level) {
      const list = body.ownerDocument.createElement(/\w[.)]/.test(marker) ? 'ol' : 'ul');
      const parent = lists.at(-1);
      if (parent === undefined) paragraph.before(list);
      else (parent.lastElementChild ?? parent).append(list);
      lists.push(list);
    }
    lists.at(-1)?.append(item);
    paragraph.remove();
  }
}

const mostLevels = 9;

function levelOf(paragraph: HTMLElement): number | undefined {
  const level = /mso-list:[^;]{0,40}?level(\d)/i.exec(
    paragraph.getAttribute('data-style') ?? '',
  )?.[1];
  return level === undefined ? undefined : Math.min(mostLevels, Math.max(1, Number(level)));
}

/** The bullet or number that Word writes for browsers without its lists. */
function takeMarker(paragraph: HTMLElement): string {
  const marker = paragraph.querySelector(
    '[data-style*="mso-list:Ignore" i], [data-style*="mso-list: Ignore" i]',
  );
  const text = marker?.textContent ?? '';
  marker?.remove();
  return text.trim();
}
