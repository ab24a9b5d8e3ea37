import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TObject } from 'typebox';
import type { ErrorDetail } from '../domain/errors.ts';
import { HttpError } from './errors.ts';

/** No coercion, and every complaint: what is refused is named, all of it at once. */
const ajv = new Ajv({ allErrors: true, verbose: true, strict: true });

export type InputCheck = (params: object, query: object) => void;

/**
 * Checks path and query together, so that one answer names every wrong parameter. Throws
 * `invalid_request`. Integers of the query come out as numbers.
 */
export function createInputCheck(schemas: { params?: TObject; query?: TObject }): InputCheck {
  const checkParams = schemas.params && ajv.compile(schemas.params);
  const checkQuery = schemas.query && ajv.compile(schemas.query);
  return (params, query) => {
    if (schemas.query !== undefined) {
      readIntegers(query as Record<string, unknown>, schemas.query);
    }
    const errors = [...complaints(checkParams, params), ...complaints(checkQuery, query)];
    if (errors.length > 0) throw invalidInput(errors);
  };
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

/** All complaints of the schemas as the envelope's `details`, one for each wrong field. */
function invalidInput(errors: readonly ErrorObject[]): HttpError {
  const byField = new Map<string, ErrorDetail>();
  for (const error of errors) {
    const field = fieldOf(error);
    if (!byField.has(field)) byField.set(field, { field, message: wordsFor(error) });
  }
  const details = [...byField.values()];
  const names = details.map((detail) => detail.field).join(', ');
  const message = `The request is wrong in ${names}.`;
  return new HttpError({ status: 400, code: 'invalid_request', message, details });
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath.split('/').slice(1);
  const named = error.params['missingProperty'] ?? error.params['additionalProperty'];
  return (typeof named === 'string' ? [...path, named] : path).join('.');
}

/** A schema's own `errorMessage`-like words stand in its description. */
function wordsFor({ keyword, params, message = 'is wrong', parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'required':
    case 'minLength':
      return 'This is required.';
    case 'additionalProperties':
      return 'There is no such property.';
    case 'type':
      return params['type'] === 'integer' ? 'This is one whole number.' : 'This is given once.';
    case 'enum':
      return `This is one of ${(params['allowedValues'] as string[]).join(', ')}.`;
    case 'minimum':
      return `This is ${params['limit']} or more.`;
    case 'maximum':
      return `This is ${params['limit']} or less.`;
    case 'pattern':
      return parentSchema?.['description'] ?? `This ${message}.`;
    default:
      return `This ${message}.`;
  }
}
