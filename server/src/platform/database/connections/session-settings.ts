const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5 * 60_000;

/**
 * What our statements and the parsers of their results rely on, whatever the configuration of the
 * server, `options` in the URL or PGOPTIONS say. No JIT: it takes longer than any of our statements
 * saves by it.
 */
export const reliedSettings: Readonly<Record<string, string | number>> = {
  client_encoding: `'UTF8'`,
  timezone: `'UTC'`,
  datestyle: `'ISO, YMD'`,
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: 1,
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  default_transaction_isolation: `'read committed'`,
  jit: 'off',
};

/** In milliseconds. */
export const sessionLimits = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
};

/**
 * Statements rather than startup parameters, which poolers refuse. Limits of time among the
 * parameters of the URL take precedence.
 */
export function sessionSettings(url: string): string {
  const given = new URLSearchParams(url.split('?')[1]);
  const missing = Object.entries(sessionLimits).filter(([name]) => !given.has(name));
  return [...Object.entries(reliedSettings), ...missing]
    .map(([name, value]) => `set ${name} = ${value};`)
    .join('');
}
