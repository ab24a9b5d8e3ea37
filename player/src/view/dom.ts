import { followSchemes } from '../../../server/src/lib/follow-apps.ts';

type Value = string | number | boolean | null | undefined | ((event: Event) => void);

/**
 * Creates an element. Functions become listeners (`onclick`), true and false set and omit an
 * attribute. Parses no markup and sets no `style` attribute: a page's policy may forbid both.
 * Buttons need no type, because forms of the page end at the shadow root.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else set(element, name, value);
  }
  element.append(...children);
  return element;
}

/** Allowed link targets: web pages and podcast apps. The data may contain anything. */
const goodAddress = new RegExp(`^(http|${followSchemes.join('|')}):`, 'i');

/** Sets or removes an attribute, unless it already has that value. */
export function set(element: Element, name: string, value: Exclude<Value, object>): void {
  const text = value === true ? '' : String(value ?? '');
  const isNone = value === false || value === null || value === undefined;
  if (isNone || (name === 'href' && !goodAddress.test(text))) element.removeAttribute(name);
  else if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Changes the text only if it differs, to keep the reader's selection. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets the label for screen readers and the tooltip. */
export function setLabel(element: Element, text: string): void {
  set(element, 'aria-label', text);
  set(element, 'title', text);
}
