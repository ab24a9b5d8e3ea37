import { Ajv, type ErrorObject } from 'ajv';
import { tryParseMoment } from '../../lib/time.ts';
import type { ErrorDetail } from '../errors.ts';
import { type World, WorldSchema } from './schema.ts';

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  formats: {
    // Whether a moment is one does not depend on when it is asked.
    moment: (text) => tryParseMoment(text, new Date()) !== undefined,
    language: isLanguage,
  },
});
const hasForm = ajv.compile<World>(WorldSchema);

/** Every way in which a value has not the form of a world; none: it is one. */
export function checkForm(value: unknown): ErrorDetail[] {
  if (hasForm(value)) {
    return [
      ...findNul(value.users, 'users'),
      ...findNul(value.podcasts, 'podcasts'),
      ...findNul(value.keys, 'keys'),
    ];
  }
  const errors = hasForm.errors ?? [];
  // Of two alternatives the alternative is the problem, not each of its halves.
  return errors
    .filter(({ schemaPath, keyword }) => keyword !== 'if' && !schemaPath.includes('/oneOf/'))
    .map((error) => ({ field: pathOf(error), message: wordsFor(error) }));
}

/** JSON knows the character U+0000; the database holds no text with it. */
function* findNul(value: unknown, path: string): Generator<ErrorDetail> {
  if (typeof value === 'string') {
    if (value.includes('\0')) yield { field: path, message: 'This holds the character U+0000.' };
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* findNul(item, `${path}[${index}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) yield* findNul(item, `${path}.${name}`);
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
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
};

const formatWords: Readonly<Record<string, string>> = {
  moment: 'This is a time: ISO 8601 with a zone, or relative as -36h or +2s.',
  language: 'A language is written as in BCP 47, such as en or de-AT.',
};

function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

function wordsFor({ keyword, params, message = 'is wrong', parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'This is required.';
    case 'additionalProperties':
      return 'There is no such property.';
    case 'type':
      return `This is ${[params['type']]
        .flat()
        .map((type) => typeNames[type] ?? type)
        .join(' or ')}.`;
    case 'enum':
      return `This is one of ${(params['allowedValues'] as string[]).join(', ')}.`;
    case 'format':
      return formatWords[params['format']] ?? `This ${message}.`;
    case 'minimum':
      return `This is ${params['limit']} or more.`;
    case 'maximum':
      return `This is ${params['limit']} or less.`;
    case 'minLength':
      return 'This is not empty.';
    case 'maxLength':
      return `This has at most ${params['limit']} characters.`;
    case 'pattern':
    case 'oneOf':
      return `This has ${parentSchema?.['description']}.`;
    default:
      return `This ${message}.`;
  }
}
