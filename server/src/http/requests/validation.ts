import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TObject } from 'typebox';
import type { ErrorDetail, SaidMessage } from '../../domain/foundation/errors.ts';
import { pathOf, wordsFor } from '../../domain/foundation/schema-errors.ts';
import { HttpError } from '../http-errors.ts';

/** Converts no types, and reports all errors at once. */
const ajv = new Ajv({ allErrors: true, verbose: true, strict: true });

/** Limits the size of the response. None of our forms has so many fields. */
const maxDetails = 50;

/** A request's parameters and body, unchecked. */
export interface GivenInput {
  readonly params: object;
  readonly query: object;
  readonly body?: object | undefined;
}

/** The valid part of the input, and its errors. */
export interface SchemaVerdict {
  readonly fitting: GivenInput;
  /** The names of refused parameters and properties. */
  readonly refused: ReadonlySet<string>;
  readonly details: readonly ErrorDetail[];
}

type Schemas = { readonly [part in keyof GivenInput]?: TObject | undefined };

/** Checks path, query and body together. Converts integers of the query to numbers. */
export function createSchemaCheck(schemas: Schemas): (given: GivenInput) => SchemaVerdict {
  const checkParams = createPartCheck(schemas.params);
  const checkQuery = createPartCheck(schemas.query);
  const checkBody = createPartCheck(schemas.body);
  return ({ params, query, body }) => {
    if (schemas.query !== undefined) {
      readIntegers(query as Record<string, unknown>, schemas.query);
    }
    const errors = [checkParams(params), checkQuery(query), checkBody(body ?? {})] as const;
    const details = describe(errors.flat());
    const refused = new Set(errors.flat().map(topFieldOf));
    if (details.length === 0) return { fitting: { params, query, body }, refused, details };
    const fitting = {
      params: leaveOut(errors[0], params),
      query: leaveOut(errors[1], query),
      body: body && leaveOut(errors[2], body),
    };
    return { fitting, refused, details };
  };
}

/** Compiles the schema with the first value, as for responses (`serializers.ts`). */
function createPartCheck(schema: TObject | undefined): (value: object) => readonly ErrorObject[] {
  if (schema === undefined) return () => [];
  let isFitting: ValidateFunction | undefined;
  return (value) => {
    isFitting ??= ajv.compile(schema);
    return isFitting(value) ? [] : (isFitting.errors ?? []);
  };
}

function leaveOut(errors: readonly ErrorObject[], value: object): object {
  const wrong = new Set(errors.map(topFieldOf));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)));
}

/** If a part of a field is wrong, the whole field is refused. A name may contain a dot. */
const topFieldOf = (error: ErrorObject) => pathOf(error)[0] ?? '';

/**
 * Converts numbers in a query from text. Only plain decimal digits are converted, so the schema
 * refuses forms such as `1e1` and ` 5`.
 */
function readIntegers(query: Record<string, unknown>, schema: TObject): void {
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = query[name];
    const integer = 'type' in property && property.type === 'integer';
    if (integer && typeof text === 'string' && /^-?\d{1,100}$/.test(text))
      query[name] = Number(text);
  }
}

/** The errors of the schemas, one for each wrong field. */
function describe(errors: readonly ErrorObject[]): ErrorDetail[] {
  const byField = new Map<string, ErrorDetail>();
  // For a union, reports one error instead of one for each alternative.
  for (const error of errors.filter(({ schemaPath }) => !schemaPath.includes('/anyOf/'))) {
    const field = fieldOf(error);
    if (!byField.has(field)) byField.set(field, { field, ...sentenceFor(error) });
  }
  return [...byField.values()];
}

/** The refusal of input that is wrong in these fields. */
export function invalidInput(wrong: readonly ErrorDetail[]): HttpError {
  const details = wrong.slice(0, maxDetails);
  const names = details.map(({ field }) => field).join(', ');
  const more = wrong.length - details.length;
  const message = `The request is invalid: ${names}${more > 0 ? ` and ${more} more` : ''}.`;
  return new HttpError({ status: 400, code: 'invalid_request', message, details });
}

const fieldOf = (error: ErrorObject) => pathOf(error).join('.');

function sentenceFor(error: ErrorObject): SaidMessage {
  // In a query or a form, a repeated name is a list.
  const twice = error.keyword === 'type' && Array.isArray(error.data);
  return twice ? { message: 'This may be given only once.' } : wordsFor(error);
}
