/** A token with integer parameters, as `account;q=600;w=60`. */
interface FieldItem {
  readonly token: string;
  readonly parameters: Readonly<Record<string, number>>;
}

/** Writes an item of RFC 9651, for `RateLimit-Policy` and `RateLimit`; keeps the order. */
export function formatFieldItem({ token, parameters }: FieldItem): string {
  const written = Object.entries(parameters).map(([name, value]) => `;${name}=${value}`);
  return token + written.join('');
}
