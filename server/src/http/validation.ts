import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Static, TObject } from 'typebox';
import type { ErrorDetail } from '../domain/errors.ts';
import { HttpError } from './errors.ts';

/** No coercion, and every complaint: what is refused is named, all of it at once. */
const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, keywords: ['refuse'] });

/** Says what is wrong with fields that are of their kind; others are left out, as if not given. */
type Refuse<Body> = (fields: Partial<Body>) => readonly ErrorDetail[];

/** Makes an object of which the domain says, beside the schema, what is wrong: all in one answer. */
export function refusing<S extends TObject>(schema: S, refuse: Refuse<Static<S>>): S {
  return { ...schema, refuse };
}

export type InputCheck = (given: {
  readonly params: object;
  readonly query: object;
  readonly body?: object | undefined;
}) => void;

/**
 * Checks path, query and body together, so that one answer names all that is wrong. Throws
 * `invalid_request`. Integers of the query come out as numbers.
 */
export function createInputCheck(schemas: {
  readonly params?: TObject | undefined;
  readonly query?: TObject | undefined;
  readonly body?: TObject | undefined;
}): InputCheck {
  const checkParams = schemas.params && ajv.compile(schemas.params);
  const checkQuery = schemas.query && ajv.compile(schemas.query);
  const checkBody = schemas.body && ajv.compile(schemas.body);
  return ({ params, query, body = {} }) => {
    if (schemas.query !== undefined) {
      readIntegers(query as Record<string, unknown>, schemas.query);
    }
    const errors = [
      ...complaints(checkParams, params),
      ...complaints(checkQuery, query),
      ...complaints(checkBody, body),
    ];
    const details = describe(errors);
    if (schemas.body !== undefined) details.push(...refuseRest(schemas.body, body, details));
    if (details.length > 0) throw invalidInput(details);
  };
}

function refuseRest(
  schema: TObject & { readonly refuse?: Refuse<object> },
  body: object,
  wrong: readonly ErrorDetail[],
): readonly ErrorDetail[] {
  const wrongFields = new Set(wrong.map(({ field }) => field.split('.', 1)[0]));
  const rest = Object.entries(body).filter(([name]) => !wrongFields.has(name));
  const refused = schema.refuse?.(Object.fromEntries(rest)) ?? [];
  return refused.filter(({ field }) => !wrongFields.has(field));
}

function complaints(check: ValidateFunction | undefined, value: object): readonly ErrorObject[] {
  return check === undefined || check(value) ? [] : (check.errors ?? []);
}

/**
 * Numbers in a query are text. Only plain decimal digits become numbers here, so that `1e1`, ` 5`
 * and the like are refused by the schema as what they are: not whole numbers.
 */
function readIntegers(query: Record<string, unknown>, schema: TObject): void {
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = query[name];
    const integer = 'type' in property && property.type === 'integer';
    if (integer && typeof text === 'string' && /^-?\d{1,100}$/.test(text))
      query[name] = Number(text);
  }
}

/** All complaints of the schemas, one for each wrong field. */
function describe(errors: readonly ErrorObject[]): ErrorDetail[] {
  const byField = new Map<string, ErrorDetail>();
  // Of a union only the whole is told, not why each of its parts does not fit.
  for (const error of errors.filter(({ schemaPath }) => !schemaPath.includes('/anyOf/'))) {
    const field = fieldOf(error);
    if (!byField.has(field)) byField.set(field, { field, message: wordsFor(error) });
  }
  return [...byField.values()];
}

function invalidInput(details: readonly ErrorDetail[]): HttpError {
  const names = details.map(({ field }) => field).join(', ');
  const message = `The request is wrong in ${names}.`;
  return new HttpError({ status: 400, code: 'invalid_request', message, details });
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath.split('/').slice(1);
  const named = error.params['missingProperty'] ?? error.params['additionalProperty'];
  return (typeof named === 'string' ? [...path, named] : path).join('.');
}

/** A schema's own `errorMessage`-like words stand in its description. */
function wordsFor(error: ErrorObject): string {
  const { keyword, params, message = 'is wrong', parentSchema } = error;
  switch (keyword) {
    case 'required':
    case 'minLength':
      return 'This is required.';
    case 'additionalProperties':
      return 'There is no such property.';
    case 'type':
      return wordsForType(String(params['type']), error.data);
    case 'enum':
      return `This is one of ${(params['allowedValues'] as string[]).join(', ')}.`;
    case 'minimum':
      return `This is ${params['limit']} or more.`;
    case 'maximum':
      return `This is ${params['limit']} or less.`;
    case 'pattern':
    case 'anyOf':
      return parentSchema?.['description'] ?? `This ${message}.`;
    default:
      return `This ${message}.`;
  }
}

function wordsForType(type: string, given: unknown): string {
  // In a query or a form a name that comes twice is a list.
  if (Array.isArray(given)) return 'This is given once.';
  const words: Readonly<Record<string, string>> = {
    integer: 'This is one whole number.',
    boolean: 'This is true or false.',
    array: 'This is a list.',
    string: 'This is a text.',
  };
  return words[type] ?? `This is ${type}.`;
}
