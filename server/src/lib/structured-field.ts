/** A token with integer parameters, as `account;q=600;w=60`. */
export interface FieldItem {
  readonly token: string;
  readonly parameters: Readonly<Record<string, number>>;
}

/**
 * Writes a list of RFC 9651, for `RateLimit-Policy` and `RateLimit`; keeps the order of parameters.
 */
export function formatFieldList(items: readonly FieldItem[]): string {
  return items
    .map(({ token, parameters }) => {
      const written = Object.entries(parameters).map(([name, value]) => `;${name}=${value}`);
      return token + written.join('');
    })
    .join(', ');
}
