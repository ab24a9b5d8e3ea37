/** The type that `wireNames` returns for `T`: snake_case names, dates as ISO 8601 text. */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { -readonly [Name in keyof T as SnakeCase<Name & string>]: Wire<T[Name]> }
      : T;

/** The name in snake_case. */
export type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : Name;

/** Converts all names in a value to snake_case and all dates to text, at any depth. */
export function wireNames<T>(value: T): Wire<T> {
  return rename(value) as Wire<T>;
}

export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function rename(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(rename);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [wireName(name), rename(inner)]),
  );
}

/** The type that `domainNames` returns for `T`: the reverse of `Wire`, but dates stay texts. */
export type Unwired<T> = T extends readonly (infer Item)[]
  ? Unwired<Item>[]
  : T extends object
    ? { -readonly [Name in keyof T as CamelCase<Name & string>]: Unwired<T[Name]> }
    : T;

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** Converts all names in a value from snake_case, at any depth. */
export function domainNames<T>(value: T): Unwired<T> {
  return unwire(value) as Unwired<T>;
}

function unwire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwire);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(/_[a-z]/g, ([, letter = '']) => letter.toUpperCase()),
      unwire(inner),
    ]),
  );
}
