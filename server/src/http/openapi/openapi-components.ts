import type { TSchema } from 'typebox';
import { withoutNullBranch } from '../responses/serializers.ts';
import { type ApiHeader, apiHeaders, type HeaderDescription } from '../v1/headers.ts';

export type Json = Record<string, unknown>;

type Kind = 'schemas' | 'responses' | 'parameters' | 'headers';

/** The named parts of an OpenAPI document, collected while the rest refers to them. */
export class Components {
  readonly #parts: Record<Kind, Map<string, Json>> = {
    schemas: new Map(),
    responses: new Map(),
    parameters: new Map(),
    headers: new Map(),
  };

  asJson(): Json {
    const kinds = Object.entries(this.#parts).map(([kind, parts]) => [
      kind,
      Object.fromEntries(parts),
    ]);
    return Object.fromEntries(kinds);
  }

  /** A reference to a part, which is described the first time it is requested. */
  refer(kind: Kind, name: string, describe: () => Json): Json {
    const parts = this.#parts[kind];
    if (!parts.has(name)) {
      // Registered before it is described, because a part may refer to itself.
      parts.set(name, {});
      parts.set(name, describe());
    }
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** The header's name, and the reference. */
  referToHeader(header: ApiHeader): [string, Json] {
    const { name, description, schema, optional }: HeaderDescription = apiHeaders[header];
    const reference = this.refer('headers', header, () => ({
      description,
      required: optional !== true,
      schema: this.inline(schema),
    }));
    return [name, reference];
  }

  /** Replaces each named schema, at any depth, by a reference to a component. */
  inline(schema: TSchema): unknown {
    const { $id, ...rest } = schema as TSchema & { $id?: string };
    if ($id === undefined) return this.#inlineParts(rest);
    return this.refer('schemas', $id, () => this.#inlineParts(rest));
  }

  #inlineParts(schema: TSchema): Json {
    const parts = Object.entries(withoutNullBranch(schema)).map(([key, value]) => [
      key,
      this.#inlineKeyword(key, value),
    ]);
    return Object.fromEntries(parts);
  }

  #inlineKeyword(key: string, value: unknown): unknown {
    if (key === 'items') return this.inline(value as TSchema);
    if (key === 'anyOf') return (value as TSchema[]).map((part) => this.inline(part));
    if (key !== 'properties') return value;
    const properties = Object.entries(value as Record<string, TSchema>);
    return Object.fromEntries(properties.map(([name, part]) => [name, this.inline(part)]));
  }
}
