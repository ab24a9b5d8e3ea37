import { Ajv, type ErrorObject } from 'ajv';
import type { TSchema } from 'typebox';
import { isLanguageTag } from '../../../../lib/language-tag.ts';
import { tryParseMoment } from '../../../../lib/time.ts';
import type { ErrorDetail, SaidMessage } from '../../../foundation/errors.ts';
import { findNul, nulRefusal, pathOf, wordsFor } from '../../../foundation/schema-errors.ts';

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
