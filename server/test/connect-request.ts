import { createHash } from 'node:crypto';

/** The verifier that belongs to the challenge of `connectPath`. */
export const codeVerifier = 'a-verifier-of-43-characters-as-plugins-make';

/** The parameters with which a plugin sends its admin here; undefined leaves one out. */
export function connectParameters(
  changes: Readonly<Record<string, string | undefined>> = {},
): [string, string][] {
  const home = 'https://blog.example.com/';
  const parameters = {
    site_url: home,
    rest_root: `${home}wp-json/`,
    admin_url: `${home}wp-admin/admin.php?page=podstead`,
    redirect_uri: `${home}wp-admin/admin.php?page=podstead&tab=1`,
    state: 'state-of-the-plugin',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    site_name: 'Ana’s blog',
    ...changes,
  };
  return Object.entries(parameters).filter((pair): pair is [string, string] => {
    return pair[1] !== undefined;
  });
}

export function connectPath(changes?: Readonly<Record<string, string | undefined>>): string {
  return `/connect?${new URLSearchParams(connectParameters(changes)).toString()}`;
}
