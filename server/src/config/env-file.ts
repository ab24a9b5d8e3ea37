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
 * read NODE_EXTRA_CA_CERTS by now, so its certificates are loaded here. Returns a warning for each
 * line that has no effect, without its text, which may be a secret.
 */
export function loadEnvFile(path: string, env: NodeJS.ProcessEnv): string[] {
  const text = readFileSync(path, 'utf8');
  const files = filesOf.get(env) ?? new Map<string, string>();
  filesOf.set(env, files);
  const wasUnset = !env['NODE_EXTRA_CA_CERTS'];
  for (const [name, value] of Object.entries(parseEnv(text))) {
    // An empty variable counts as unset.
    if (env[name]) continue;
    env[name] = value;
    files.set(name, path);
  }
  const certificates = env['NODE_EXTRA_CA_CERTS'];
  if (wasUnset && certificates)
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificates, 'utf8')]);
  return findMeaninglessLines(text).map(
    (number) => `Line ${number} of ${path} has no effect: it is not NAME=value.`,
  );
}

/** Comments, and values in quotes, which may have several lines. */
const commentOrQuoted = /^[ \t]*#.*|=[ \t]*(["'`])[\s\S]*?\1/gm;

/** The numbers of the lines that Node's parser leaves out; the first is 1. */
function findMeaninglessLines(text: string): number[] {
  const lines = text
    .replace(commentOrQuoted, (part) => `=${part.replace(/[^\n]/g, '')}`)
    .split('\n');
  return lines.flatMap((line, index) =>
    line.trim() === '' || line.includes('=') || line.trim().startsWith('#') ? [] : [index + 1],
  );
}
