import { resolve } from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import type { TProperties, TSchema } from 'typebox';
import { isLanguageTag } from '../../../../lib/language-tag.ts';
import { parseJson } from '../../../../lib/parse-json.ts';
import { tryParseMoment } from '../../../../lib/time.ts';
import { DomainError, type ErrorDetail, type SaidMessage } from '../../../foundation/errors.ts';
import { findNul, nulRefusal, pathOf, wordsFor } from '../../../foundation/schema-errors.ts';
import { readBounded, type SeedFolder, tryExplainFile } from './named-files.ts';
import { entry } from './schema-parts.ts';

/** The values typed as `FIELD=VALUE`, by field. */
export type TypedValues = ReadonlyMap<string, string>;

export interface ReadValues<Change> {
  /** The fields with valid values. */
  readonly change: Change;
  /** Problems of the other fields. */
  readonly problems: readonly ErrorDetail[];
}

type ReadChange<Change> = (typed: TypedValues, folder: SeedFolder) => Promise<ReadValues<Change>>;

// More than a list of people needs.
const maxListBytes = 1024 * 1024;

/**
 * Converts typed values to those of a seed file. `null` or nothing clears an optional field; a file
 * is given by its path; a list is separated by commas, or is JSON, inline or in a file.
 */
export function valueReader<Change>(properties: TProperties): ReadChange<Change> {
  const checkSchema = compileSchema(entry(properties));
  return async (typed, folder) => {
    const values: Record<string, unknown> = {};
    const problems: ErrorDetail[] = [];
    for (const [field, text] of typed) {
      const form = properties[field];
      if (form === undefined) {
        problems.push({ field, message: 'Unknown field.' });
        continue;
      }
      const read = await readValue(form, text, folder);
      if ('problem' in read) problems.push({ field, message: read.problem });
      else values[field] = read.value;
    }
    problems.push(...checkSchema(values));
    const wrong = new Set(problems.map(({ field }) => field.split(/[.[]/, 1)[0]));
    const sound = Object.entries(values).filter(([field]) => !wrong.has(field));
    return { change: Object.fromEntries(sound) as Change, problems };
  };
}

type Read = { readonly value: unknown } | { readonly problem: string };

async function readValue(form: TSchema, text: string, folder: SeedFolder): Promise<Read> {
  const { type, items } = form as { type?: string | readonly string[]; items?: TSchema };
  const types = [type].flat();
  const isEmpty = text === '' || text === 'null';
  if (isEmpty && types.includes('null')) return { value: null };
  if (types.includes('boolean'))
    return { value: text === 'false' ? false : text === 'true' || text };
  // Text that is not a number stays text, which the schema refuses.
  if (types.includes('integer')) return { value: /^\d{1,15}$/.test(text) ? Number(text) : text };
  if (types.includes('object'))
    return text.startsWith('{') ? readJson(text) : { value: { file: text } };
  if (!types.includes('array')) return { value: text };
  if (isEmpty) return { value: [] };
  if (text.startsWith('[')) return readJson(text);
  if ((items as { type?: string } | undefined)?.type === 'object')
    return await readJsonFile(text, folder);
  return { value: text.split(',').map((part) => part.trim()) };
}

async function readJsonFile(path: string, folder: SeedFolder): Promise<Read> {
  try {
    return readJson((await readBounded(resolve(folder.path, path), maxListBytes)).toString('utf8'));
  } catch (error) {
    const problem = tryExplainFile(error);
    if (problem === undefined) throw error;
    return { problem };
  }
}

function readJson(text: string): Read {
  try {
    return { value: parseJson(text) };
  } catch {
    return { problem: 'This is not valid JSON.' };
  }
}

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
export function compileSchema(schema: TSchema): (value: unknown) => ErrorDetail[] {
  const isValid = ajv.compile(schema);
  return (value) => {
    if (isValid(value)) {
      const nul = findNul(value);
      return nul === undefined ? [] : [{ field: fieldOf(nul), ...nulRefusal }];
    }
    // For alternatives, report the alternative rather than each branch.
    return (isValid.errors ?? [])
      .filter(({ schemaPath, keyword }) => keyword !== 'if' && !schemaPath.includes('/oneOf/'))
      .map((error) => ({ field: fieldOf(pathOf(error)), ...sentenceFor(error) }));
  };
}

/** `podcasts`, `0`, `titel` → `podcasts[0].titel` */
function fieldOf(path: readonly string[]): string {
  const steps = path.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`));
  return steps.join('').replace(/^\./, '') || 'the file';
}

const formatWords: Readonly<Record<string, string>> = {
  moment: 'This must be a time: ISO 8601 with a zone, or relative as -36h or +2s.',
  language: 'A language is written as in BCP 47, such as en or de-AT.',
};

function sentenceFor(error: ErrorObject): SaidMessage {
  const words = error.keyword === 'format' ? formatWords[error.params['format']] : undefined;
  return words === undefined ? wordsFor(error) : { message: words };
}

export function refuseChange(what: string, details: readonly ErrorDetail[]): DomainError {
  const count = details.length === 1 ? 'one value is' : `${details.length} values are`;
  return new DomainError('invalid', `The ${what} was not saved, because ${count} invalid.`, {
    details,
  });
}
