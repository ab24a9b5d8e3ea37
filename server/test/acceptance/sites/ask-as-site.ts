import type { Response } from 'light-my-request';
import type { TestApp } from '../../create-test-app.ts';

/** The versions that every plugin here reports. */
export const siteVersions = { plugin_version: '1.0.0', wp_version: '6.9', php_version: '8.4.1' };

/** Posts as a plugin does. */
export function postWithKey(
  app: TestApp,
  secret: string,
  url: string,
  body: object,
): Promise<Response> {
  return app.request({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
}

interface Refusal {
  readonly error?: {
    readonly code: string;
    readonly details?: readonly { readonly field: string; readonly reason?: string }[];
  };
}

/** The status, and the code of an error: `403 forbidden`. */
export function codeOf(response: Response): string {
  const { error } = response.json() as Refusal;
  return error === undefined ? String(response.statusCode) : `${response.statusCode} ${error.code}`;
}

/** The wrong fields that a response names, with their reasons. */
export function wrongOf(response: Response): string {
  const { details = [] } = (response.json() as Refusal).error ?? {};
  return details.map(({ field, reason }) => (reason ? `${field} ${reason}` : field)).join(', ');
}
