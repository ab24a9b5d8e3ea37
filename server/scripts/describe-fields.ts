import { episodeFields } from '../src/lib/fields/episode-fields.ts';
import {
  type ElementName,
  type ElementValue,
  type ElementValues,
  type FeedElement,
  feedElements,
} from '../src/lib/fields/feed-elements.ts';
import { type Field, type FieldList, seedNameOf } from '../src/lib/fields/field.ts';
import { podcastFields } from '../src/lib/fields/podcast-fields.ts';
import { wireName } from '../src/lib/wire-names.ts';

const head = `# Fields of podcasts and episodes

The fields that members edit, under their names in seed files and in the commands \`podcast set\` and
\`episode set\`. A field without a value is null. \`npm run docs\` writes this page.
`;

/**
 * The text of docs/fields.md: each field with its kind, its default, its element in the feed and its
 * meaning, and each feed element with its values.
 */
export function describeFields(): string {
  const elements = Object.entries(feedElements) as [ElementName, FeedElement][];
  return [
    head,
    ...section('Podcasts', podcastFields),
    ...section('Episodes', episodeFields),
    elementsHead,
    ...elements.map(elementSection),
  ].join('\n');
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

const elementsHead = `## Feed elements

Elements of the Podcasting 2.0 namespace beside the fields. Each is a JSON list under its name, in seed files, commands and the
private API: \`podcast set SLUG location='[{"text": "Oslo", "geo": "geo:59.91,10.75"}]'\`. A list replaces all elements of its
name, and an empty one removes them. Missing values are not written.
`;

function elementSection([name, spec]: [ElementName, FeedElement]): string {
  const { element, within, on, most, about, values } = spec;
  const owners = on.map((owner) => (owner === 'show' ? 'podcasts' : 'episodes')).join(' and ');
  const place = within === undefined ? code(element) : `${code(element)} in ${code(within)}`;
  const columns = '| value | form | required | in the element |\n|---|---|---|---|';
  return `### \`${wireName(name)}\`

${about}
${place}; in ${owners}, up to ${most.toLocaleString('en')}.

${columns}
${valueRows(values).join('\n')}
`;
}

function valueRows(values: ElementValues, prefix = ''): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = `${prefix}${wireName(name)}`;
    const cells = [code(field), formOf(value), value.required ? 'yes' : '', placeOf(name, value)];
    const inner = value.kind === 'elements' ? valueRows(value.values, `${field}[].`) : [];
    return [`| ${cells.join(' | ')} |`, ...inner];
  });
}

function placeOf(name: string, value: ElementValue): string {
  if (value.kind === 'elements') return code(value.element);
  if (value.kind === 'expiry') return 'not in the feed; in podcasts only';
  return value.isText ? 'text' : code(value.attribute ?? name);
}

function formOf(value: ElementValue): string {
  switch (value.kind) {
    case 'text':
      return `text of up to ${value.max.toLocaleString('en')} characters`;
    case 'choice':
      return Object.keys(value.choices).map(code).join(', ');
    case 'whole':
      return `whole number from ${value.min} to ${value.max.toLocaleString('en')}`;
    case 'elements':
      return `list of up to ${value.most}`;
    default:
      return formNames[value.kind];
  }
}

const formNames: Readonly<
  Record<Exclude<ElementValue['kind'], 'text' | 'choice' | 'whole' | 'elements'>, string>
> = {
  flag: 'true or false',
  seconds: 'seconds, with up to three decimals',
  moment: 'time',
  expiry: 'time after which the element is not in the feed',
  day: 'day or time, as ISO 8601',
  url: 'http or https URL',
  uri: 'URL',
  medium: 'medium',
  guid: 'UUID',
  amount: 'decimal number, as text',
  tokens: 'words, separated by spaces',
  ratio: 'ratio, such as `16/9`',
  country: 'country code of two letters',
  geo: '`geo:` URI (RFC 5870)',
  osm: 'OpenStreetMap object, such as `R406091`',
  rrule: 'recurrence rule (RFC 5545)',
  'media type': 'media type',
};

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
      return field.max === undefined
        ? 'HTML'
        : `HTML of at most ${field.max.toLocaleString('en')} characters`;
    case 'arrangement':
      return `list of ${field.choices.map(code).join(', ')}; always with ${code(field.always)}`;
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
