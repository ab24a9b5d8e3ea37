import { type VariantBoxPx, variantBoxesPx } from '../../domain/publishing/images/index.ts';
import { tryParseLanguage } from '../../lib/language.ts';
import { isUuid } from '../../lib/uuid.ts';

export interface FileName<Extension extends string> {
  /** A UUID in lower case. */
  readonly id: string;
  readonly extension: Extension;
}

/**
 * Reads `{uuid}.{extension}`, the last segment of a file's URL. Every file has one URL (the
 * contract), so other spellings give undefined; otherwise clients could make the server cache one
 * file under many names.
 */
export function tryParseFileName<Extension extends string>(
  segment: string,
  extensions: readonly Extension[],
): FileName<Extension> | undefined {
  const id = segment.slice(0, uuidChars);
  const extension = extensions.find((known) => segment.slice(uuidChars) === `.${known}`);
  return extension === undefined || !isCanonicalUuid(id) ? undefined : { id, extension };
}

/** Reads `{uuid}.{language}.{extension}`; the language only in its canonical spelling (BCP 47). */
export function tryParseFileNameInLanguage<Extension extends string>(
  segment: string,
  extensions: readonly Extension[],
): (FileName<Extension> & { readonly language: string }) | undefined {
  const from = uuidChars + 1;
  const language = segment.slice(from, segment.indexOf('.', from));
  if (language === '' || tryParseLanguage(language) !== language) return undefined;
  const rest = segment.slice(from + language.length);
  const file = tryParseFileName(segment.slice(0, uuidChars) + rest, extensions);
  const isWhole = segment[uuidChars] === '.';
  return file === undefined || !isWhole ? undefined : { ...file, language };
}

/** Reads `{width}.jpg`, the name of a smaller copy of a picture. */
export function tryParseVariantName(segment: string): VariantBoxPx | undefined {
  return variantBoxesPx.find((width) => segment === `${width}.jpg`);
}

/** All our URLs have UUIDs in lower case. */
export function isCanonicalUuid(text: string): boolean {
  return isUuid(text) && text === text.toLowerCase();
}

const uuidChars = 36;
