import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { parseEnv } from 'node:util';

/** The file that each variable came from, to report the source of a setting. */
const filesOf = new WeakMap<NodeJS.ProcessEnv, Map<string, string>>();

/** The file that set this variable; undefined: it was in the environment. */
export function fileOfVariable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return filesOf.get(env)?.get(name);
}

/**
 * Adds the variables of a service's environment file to `env`; existing variables win. Node has
 * read NODE_EXTRA_CA_CERTS by now, so its certificates are loaded here.
 */
export function loadEnvFile(path: string, env: NodeJS.ProcessEnv): void {
  const files = filesOf.get(env) ?? new Map<string, string>();
  filesOf.set(env, files);
  const wasUnset = !env['NODE_EXTRA_CA_CERTS'];
  for (const [name, value] of Object.entries(parseEnv(readFileSync(path, 'utf8')))) {
    // An empty variable counts as unset.
    if (env[name]) continue;
    env[name] = value;
    files.set(name, path);
  }
  const certificates = env['NODE_EXTRA_CA_CERTS'];
  if (!wasUnset || !certificates) return;
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificates, 'utf8')]);
}
