import { type ElementOwner, elementsOf } from '../lib/fields/feed-elements.ts';
import { type FieldList, seedNameOf } from '../lib/fields/field.ts';
import { wireName } from '../lib/wire-names.ts';

const longestLine = 100;

/**
 * Lines of help that name the fields and feed elements of shows or episodes, under their names in seed
 * files, and `others`.
 */
export function fieldLines(
  owner: ElementOwner,
  list: FieldList,
  others: readonly string[],
): string[] {
  const names = [
    ...Object.entries(list).map(([name, field]) => seedNameOf(name, field)),
    ...elementsOf(owner).map(([name]) => wireName(name)),
    ...others,
  ];
  return wrapLines(`Fields, as in seed files: ${names.join(', ')}.`);
}

function wrapLines(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trimStart();
    if (line.length <= longestLine) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines;
}
