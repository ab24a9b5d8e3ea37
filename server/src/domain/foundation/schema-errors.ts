import type { ErrorObject } from 'ajv';
import type { SaidMessage } from './errors.ts';
import { sayRefusal } from './refusals.ts';

/** The names and indices that lead to the wrong value; an empty list stands for the whole input. */
export function pathOf({ instancePath, params }: ErrorObject): readonly string[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named = params['missingProperty'] ?? params['additionalProperty'];
  return typeof named === 'string' ? [...path, named] : path;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/**
 * What is wrong, as one sentence. Where a pattern or alternatives do not fit, it is the schema's
 * description, which must be a sentence.
 */
export function wordsFor({ keyword, params, message, parentSchema }: ErrorObject): SaidMessage {
  switch (keyword) {
    case 'required':
    case 'minLength':
      return sayRefusal('required');
    case 'additionalProperties':
      return { message: 'Unknown property.' };
    case 'type':
      return { message: `This must be ${typesOf(params)}.` };
    case 'enum':
      return sayRefusal('one_of', { values: (params['allowedValues'] as string[]).join(', ') });
    case 'minimum':
      return sayRefusal('at_least', { limit: params['limit'] });
    case 'maximum':
      return sayRefusal('at_most', { limit: params['limit'] });
    case 'maxLength':
      return sayRefusal('max_length', { limit: params['limit'] });
    case 'pattern':
    case 'anyOf':
    case 'oneOf':
      return { message: parentSchema?.['description'] ?? choicesOf(parentSchema, message) };
    default:
      return { message: `This ${message ?? 'is wrong'}.` };
  }
}

function typesOf(params: ErrorObject['params']): string {
  return nameTypes([params['type']].flat());
}

const nameTypes = (types: readonly string[]) =>
  types.map((type) => typeNames[type] ?? type).join(' or ');

interface Choice {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
}

/** What a union allows: its values, or the types of its alternatives. */
function choicesOf(schema: ErrorObject['parentSchema'], message = 'is wrong'): string {
  const choices: readonly Choice[] = schema?.['anyOf'] ?? schema?.['oneOf'] ?? [];
  const named = choices.map(({ const: only, enum: values, type }) => {
    if (only !== undefined) return String(only);
    return values?.join(' or ') ?? (type === undefined ? '' : nameTypes([type].flat()));
  });
  const isKnown = named.length > 0 && !named.includes('');
  return isKnown ? `This must be ${named.join(' or ')}.` : `This ${message}.`;
}

export const nulRefusal = sayRefusal('no_nul');

interface Part {
  readonly value: unknown;
  readonly name: string;
  readonly parent: Part | undefined;
}

/**
 * The path to a text with a NUL character: JSON allows it, the database does not. Takes any JSON,
 * however deep: it does not recurse.
 */
export function findNul(input: unknown): readonly string[] | undefined {
  const open: Part[] = [{ value: input, name: '', parent: undefined }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { value } = part;
    if (typeof value === 'string' && value.includes('\0')) return namesOf(part);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, child] of Object.entries(value)) {
      open.push({ value: child, name, parent: part });
    }
  }
  return undefined;
}

function namesOf(part: Part): readonly string[] {
  const names: string[] = [];
  for (let at = part; at.parent !== undefined; at = at.parent) names.push(at.name);
  return names.reverse();
}
