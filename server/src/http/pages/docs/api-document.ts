/** The parts of an OpenAPI document that the reference shows. Only `describeApi` writes it. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A part, or a reference to a component. */
export type Ref<T> = T | { readonly $ref: string };

interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Ref<ApiParameter>[];
  readonly requestBody?: ApiRequestBody;
  readonly responses: Readonly<Record<string, Ref<ApiResponse>>>;
  /** Authentication schemes; empty or missing: the operation is public. */
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

export interface ApiRequestBody {
  readonly required: boolean;
  readonly content: Readonly<Record<string, ApiBody>>;
}

export interface ApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, ApiBody>>;
}

export interface ApiBody {
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
  readonly additionalProperties?: boolean;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

export interface Operation extends ApiOperation {
  readonly method: string;
  readonly path: string;
}

/** All operations but HEAD, which is GET without a body. */
export function listOperations(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'head')
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** Resolves a reference. All have the form `#/components/{kind}/{name}`. */
export function resolve<T>(document: ApiDocument, part: Ref<T>): T {
  const name = nameOfReference(part);
  if (name === undefined) return part as T;
  const [, , kind = '', key = ''] = (part as { $ref: string }).$ref.split('/');
  const found = document.components[kind]?.[key];
  if (found === undefined) throw new Error(`The document has a broken reference to ${kind}/${key}`);
  return resolve(document, found as Ref<T>);
}

/** The name of a reference; undefined for an inline part. */
export function nameOfReference(part: unknown): string | undefined {
  const ref = (part as { $ref?: string }).$ref;
  return ref?.split('/').at(-1);
}
