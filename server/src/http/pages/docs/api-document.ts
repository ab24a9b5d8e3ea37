/** What of an OpenAPI document the reference shows. `describeApi` makes it; nothing else does. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A part, or a reference to one among the components. */
export type Ref<T> = T | { readonly $ref: string };

interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Ref<ApiParameter>[];
  readonly responses: Readonly<Record<string, Ref<ApiResponse>>>;
  /** Ways to sign in; none, or an empty list: the operation is open to all. */
  readonly security?: readonly object[];
}

export interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Ref<ApiSchema>;
  readonly example?: unknown;
}

export interface ApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, ApiBody>>;
}

interface ApiBody {
  readonly schema: Ref<ApiSchema>;
  readonly example?: unknown;
}

export interface ApiSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Ref<ApiSchema>[];
  readonly items?: Ref<ApiSchema>;
  readonly properties?: Readonly<Record<string, Ref<ApiSchema>>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

export interface Operation extends ApiOperation {
  readonly method: string;
  readonly path: string;
}

/** Every operation but HEAD, which is GET without a body. */
export function listOperations(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'head')
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** The part a reference names; `#/components/{kind}/{name}` are all there are. */
export function resolve<T>(document: ApiDocument, part: Ref<T>): T {
  const name = nameOf(part);
  if (name === undefined) return part as T;
  const [, , kind = '', key = ''] = (part as { $ref: string }).$ref.split('/');
  const found = document.components[kind]?.[key];
  if (found === undefined) throw new Error(`The document refers to ${kind}/${key}, not in it`);
  return resolve(document, found as Ref<T>);
}

/** What a reference calls its part; undefined for a part that stands in its place. */
export function nameOf(part: unknown): string | undefined {
  const ref = (part as { $ref?: string }).$ref;
  return ref?.split('/').at(-1);
}
