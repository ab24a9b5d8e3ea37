import { escapeXml } from '../../../lib/escape.ts';
import type { ExtraElement } from '../../publishing/podcasts/index.ts';
import { writeAttributes } from './xml.ts';

/**
 * Writes elements that we only pass on, each on its own line. Names were checked on import; values
 * are escaped. No space is added, so texts do not change.
 */
export function writeExtraElements(elements: readonly ExtraElement[]): string {
  return elements.map((element) => `${writeElement(element)}\n`).join('');
}

function writeElement({ name, attributes, text, children }: ExtraElement): string {
  const start = `<${name}${writeAttributes(attributes)}`;
  const content = escapeXml(text) + children.map(writeElement).join('');
  return content === '' ? `${start}/>` : `${start}>${content}</${name}>`;
}
