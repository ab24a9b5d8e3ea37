import { episodeFields } from '../src/lib/fields/episode-fields.ts';
import { type Field, type FieldList, seedNameOf } from '../src/lib/fields/field.ts';
import { podcastFields } from '../src/lib/fields/podcast-fields.ts';

const head = `# Fields of podcasts and episodes

The fields that members edit, under their names in seed files and in the commands \`podcast set\` and
\`episode set\`. A field without a value is null. \`npm run docs\` writes this page.
`;

/** The text of docs/fields.md: each field with its kind, its default, its element in the feed and its meaning. */
export function describeFields(): string {
  return [head, ...section('Podcasts', podcastFields), ...section('Episodes', episodeFields)].join(
    '\n',
  );
}

function section(title: string, list: FieldList): string[] {
  const rows = Object.entries(list).map(([name, field]) => {
    const cells = [
      code(seedNameOf(name, field)),
      kindOf(field),
      defaultOf(field),
      code(field.feed),
    ];
    return `| ${[...cells, field.about].join(' | ')} |`;
  });
  const columns = '| field | value | default | in the feed | meaning |\n|---|---|---|---|---|';
  return [`## ${title}\n\n${columns}\n${rows.join('\n')}\n`];
}

const code = (text: string | undefined) => (text === undefined ? '' : `\`${text}\``);

function kindOf(field: Field): string {
  switch (field.kind) {
    case 'text':
      return `text of ${field.min ?? 0} to ${field.max.toLocaleString('en')} characters`;
    case 'number':
      return `whole number from 0 to ${field.max.toLocaleString('en')}`;
    case 'choice':
      return field.choices.map(code).join(', ');
    case 'flag':
      return 'true or false';
    case 'html':
      return 'HTML';
    case 'url':
      return 'http or https URL';
    default:
      return field.kind;
  }
}

function defaultOf(field: Field): string {
  if (field.default !== undefined) return code(JSON.stringify(field.default));
  return field.nullable === true ? code('null') : '';
}
