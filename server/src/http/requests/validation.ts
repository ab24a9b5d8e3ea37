import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TObject } from 'typebox';
import type { ErrorDetail, SaidMessage } from '../../domain/foundation/errors.ts';
import { pathOf, wordsFor } from '../../domain/foundation/schema-errors.ts';
import { HttpError } from '../http-errors.ts';

/** They convert no types. The first one stops at the first error, the other one reports all of them. */
const untilFirst = new Ajv({ verbose: true, strict: true });
const forAll = new Ajv({ allErrors: true, verbose: true, strict: true });

/** Each may be an error, and 3 MB of JSON have room for a million. Our forms have fewer values. */
const mostValues = 5_000;

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
    const parts = [checkParams(params), checkQuery(query), checkBody(body ?? {})] as const;
    const details = describe(parts.flatMap(({ errors }) => errors));
    const refused = new Set(parts.flatMap((part) => [...part.refused]));
    if (details.length === 0) return { fitting: { params, query, body }, refused, details };
    const fitting = {
      params: leaveOut(parts[0], params),
      query: leaveOut(parts[1], query),
      body: body && leaveOut(parts[2], body),
    };
    return { fitting, refused, details };
  };
}

interface PartVerdict {
  readonly errors: readonly ErrorObject[];
  /** The names of refused parameters or properties. */
  readonly refused: ReadonlySet<string>;
}

const fittingPart: PartVerdict = { errors: [], refused: new Set() };

/** Compiles the schema with the first value, as for responses (`serializers.ts`). */
function createPartCheck(schema: TObject | undefined): (value: object) => PartVerdict {
  if (schema === undefined) return () => fittingPart;
  let isFitting: ValidateFunction | undefined;
  let findAll: ValidateFunction | undefined;
  return (value) => {
    isFitting ??= untilFirst.compile(schema);
    if (isFitting(value)) return fittingPart;
    const first = isFitting.errors ?? [];
    // What follows the first error is not checked, so nothing of it may be used.
    if (hasMoreValues(value, mostValues))
      return { errors: first, refused: new Set(Object.keys(schema.properties)) };
    findAll ??= forAll.compile(schema);
    const errors = findAll(value) ? first : (findAll.errors ?? first);
    return { errors, refused: new Set(errors.map(topFieldOf)) };
  };
}

/** Takes any JSON, however deep: it does not recurse. */
function hasMoreValues(input: object, most: number): boolean {
  const open = [input];
  let values = 0;
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const name in parent) {
      values += 1;
      if (values > most) return true;
      const value: unknown = parent[name as keyof object];
      if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
  return false;
}

function leaveOut({ refused }: PartVerdict, value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !refused.has(name)));
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
