import { Ajv, type ErrorObject } from 'ajv';
import type { TSchema } from 'typebox';
import { isLanguageTag } from '../../lib/language-tag.ts';
import { tryParseMoment } from '../../lib/time.ts';
import type { ErrorDetail } from '../errors.ts';

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  formats: {
    // Whether a text is a valid time does not depend on the present.
    moment: (text) => tryParseMoment(text, new Date()) !== undefined,
    language: isLanguageTag,
  },
});

/** Compiles a schema to a function that reports all violations by path. */
export function compileForm(schema: TSchema): (value: unknown) => ErrorDetail[] {
  const hasForm = ajv.compile(schema);
  return (value) => {
    if (hasForm(value)) return [...findNul(value, '')];
    // For alternatives, report the alternative rather than each branch.
    return (hasForm.errors ?? [])
      .filter(({ schemaPath, keyword }) => keyword !== 'if' && !schemaPath.includes('/oneOf/'))
      .map((error) => ({ field: pathOf(error), message: wordsFor(error) }));
  };
}

/** JSON allows U+0000; the database does not. */
function* findNul(value: unknown, path: string): Generator<ErrorDetail> {
  if (typeof value === 'string') {
    if (value.includes('\0'))
      yield { field: path, message: 'This must not contain the character U+0000.' };
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* findNul(item, `${path}[${index}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value))
      yield* findNul(item, path === '' ? name : `${path}.${name}`);
  }
}

/** `/podcasts/0/episodes/2` and `titel` → `podcasts[0].episodes[2].titel` */
function pathOf({ instancePath, params }: ErrorObject): string {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named = params['missingProperty'] ?? params['additionalProperty'];
  if (typeof named === 'string') steps.push(named);
  const path = steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('');
  return path.replace(/^\./, '') || 'the file';
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
};

const formatWords: Readonly<Record<string, string>> = {
  moment: 'This must be a time: ISO 8601 with a zone, or relative as -36h or +2s.',
  language: 'A language is written as in BCP 47, such as en or de-AT.',
};

function wordsFor({ keyword, params, message = 'is wrong', parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'This is required.';
    case 'additionalProperties':
      return 'There is no such property.';
    case 'type':
      return `This must be ${[params['type']]
        .flat()
        .map((type) => typeNames[type] ?? type)
        .join(' or ')}.`;
    case 'enum':
      return `This must be one of ${(params['allowedValues'] as string[]).join(', ')}.`;
    case 'format':
      return formatWords[params['format']] ?? `This ${message}.`;
    case 'minimum':
      return `This must be ${params['limit']} or more.`;
    case 'maximum':
      return `This must be ${params['limit']} or less.`;
    case 'minLength':
      return 'This must not be empty.';
    case 'maxLength':
      return `This must have at most ${params['limit']} characters.`;
    case 'pattern':
    case 'oneOf':
      return `This must have ${parentSchema?.['description']}.`;
    default:
      return `This ${message}.`;
  }
}
