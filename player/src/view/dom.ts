type Value = string | number | boolean | null | undefined | ((event: Event) => void);

/**
 * An element. Functions are listeners (`onclick`), true and false set and leave out an attribute.
 * No markup is parsed, and no `style` attribute set: both may be forbidden by the page. Buttons need
 * no type: the forms of a page end at the shadow root.
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

/** What may be led to: pages, and the apps that take a feed. Data may say anything. */
const goodAddress = /^(https?|podcast|pktc|overcast):/i;

/** Sets, or takes away, an attribute, if it is not so already. */
export function set(element: Element, name: string, value: Exclude<Value, object>): void {
  const text = value === true ? '' : String(value ?? '');
  const isNone = value === false || value === null || value === undefined;
  if (isNone || (name === 'href' && !goodAddress.test(text))) element.removeAttribute(name);
  else if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Leaves the node alone when it says so already, so that nothing selected in it is lost. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Names a button to those who hear it and to those who point at it. */
export function setLabel(element: Element, text: string): void {
  set(element, 'aria-label', text);
  set(element, 'title', text);
}
