import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TObject } from 'typebox';
import type { ErrorDetail, SaidMessage } from '../domain/errors.ts';
import { pathOf, wordsFor } from '../domain/schema-errors.ts';
import { HttpError } from './errors.ts';

/** No coercion, and every complaint: what is refused is named, all of it at once. */
const ajv = new Ajv({ allErrors: true, verbose: true, strict: true });

/** The response stays small, however much is wrong: more than any form of ours has fields. */
const maxDetails = 50;

/** A request's parameters and body, as they came. */
export interface GivenInput {
  readonly params: object;
  readonly query: object;
  readonly body?: object | undefined;
}

/** What of it fits the schemas, and what does not. */
export interface SchemaVerdict {
  readonly fitting: GivenInput;
  /** Names of the parameters and properties that are left out of it. */
  readonly refused: ReadonlySet<string>;
  readonly details: readonly ErrorDetail[];
}

type Schemas = { readonly [part in keyof GivenInput]?: TObject | undefined };

/** Checks path, query and body together. Integers of the query come out as numbers. */
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

/** The schema is compiled with the first value, as those of responses are (`serializers.ts`). */
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

/** A wrong part of a field makes the whole of it unfit. A name may itself contain a dot. */
const topFieldOf = (error: ErrorObject) => pathOf(error)[0] ?? '';

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
    if (!byField.has(field)) byField.set(field, { field, ...sentenceFor(error) });
  }
  return [...byField.values()];
}

/** The refusal of input that is wrong in these fields. */
export function invalidInput(wrong: readonly ErrorDetail[]): HttpError {
  const details = wrong.slice(0, maxDetails);
  const names = details.map(({ field }) => field).join(', ');
  const more = wrong.length - details.length;
  const message = `The request is wrong in ${names}${more > 0 ? ` and ${more} more` : ''}.`;
  return new HttpError({ status: 400, code: 'invalid_request', message, details });
}

const fieldOf = (error: ErrorObject) => pathOf(error).join('.');

function sentenceFor(error: ErrorObject): SaidMessage {
  // In a query or a form a name that comes twice is a list.
  const twice = error.keyword === 'type' && Array.isArray(error.data);
  return twice ? { message: 'Give this only once.' } : wordsFor(error);
}
