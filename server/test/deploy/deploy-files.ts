import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';

export const deployFolder = fileURLToPath(new URL('../../../deploy/', import.meta.url));

export function readDeployFile(name: string): string {
  return readFileSync(`${deployFolder}${name}`, 'utf8');
}

/** Of a file as `compose.env`: names and values. */
export function readDeployEnv(name: string): Readonly<Record<string, string>> {
  return parseEnv(readDeployFile(name)) as Record<string, string>;
}

/** The documents of a YAML file. Throws for what is not YAML, and for a name that a mapping has twice. */
export function readDocuments<Document>(name: string): Document[] {
  return parseAllDocuments(readDeployFile(name)).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS() as Document;
  });
}

export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, object>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** compose.yaml with the values of compose.env, as Compose reads both. */
export function readCompose(): ComposeFile {
  const values = readDeployEnv('compose.env');
  const fill = (text: string) =>
    text.replaceAll(/\$\$|\$\{(\w+)(?::\?[^}]*)?\}/g, (whole, name?: string) => {
      if (name === undefined) return '$';
      const value = values[name];
      if (value === undefined) throw new Error(`compose.env has no value for ${whole}`);
      return value;
    });
  const reviver = (_: unknown, value: unknown) => (typeof value === 'string' ? fill(value) : value);
  return parse(readDeployFile('compose.yaml'), reviver, { merge: true }) as ComposeFile;
}

/** An object of Kubernetes, as far as tests look into it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: PodSpec;
    };
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  };
}

export interface PodSpec {
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly automountServiceAccountToken?: boolean;
  readonly securityContext?: SecurityContext & { readonly sysctls?: readonly object[] };
  readonly volumes?: readonly Readonly<Record<string, unknown>>[];
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom?: readonly Readonly<Record<string, { readonly name: string }>>[];
  readonly ports?: readonly { readonly name: string; readonly hostPort?: number }[];
  readonly securityContext?: SecurityContext;
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources?: {
    readonly requests?: { readonly memory?: string };
    readonly limits?: { readonly memory?: string };
  };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface SecurityContext {
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly readOnlyRootFilesystem?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly privileged?: boolean;
  readonly procMount?: string;
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  readonly seccompProfile?: { readonly type: string };
}

const manifestFiles = [
  'kubernetes/settings.yaml',
  'kubernetes/migrate.yaml',
  'kubernetes/podstead.yaml',
] as const;

export function readManifests(): Manifest[] {
  return manifestFiles.flatMap((file) => readDocuments<Manifest>(file));
}
