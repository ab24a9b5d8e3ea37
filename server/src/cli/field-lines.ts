import { type FieldList, seedNameOf } from '../lib/fields/field.ts';

const longestLine = 100;

/** Lines of help that name the fields of a list, under their names in seed files, and `others`. */
export function fieldLines(list: FieldList, others: readonly string[]): string[] {
  const names = [
    ...Object.entries(list).map(([name, field]) => seedNameOf(name, field)),
    ...others,
  ];
  const lines = [''];
  for (const word of `Fields, as in seed files: ${names.join(', ')}.`.split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trimStart();
    if (line.length <= longestLine) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines;
}
