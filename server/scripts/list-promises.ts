/** What the OpenAPI document of `/v1` promises, one line each, to compare it with earlier versions (REQ-29). */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}
interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema?: Schema } };
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/** Sorted. A field, parameter or value that is renamed or removed, or has another type, changes its line. */
export function listPromises({ paths, components }: ApiDocument): string[] {
  const lines = Object.entries(components.schemas).flatMap(([name, schema]) =>
    promisesOf(name, schema),
  );
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { parameters = [], requestBody, responses }] of Object.entries(
      operations,
    )) {
      const endpoint = `${method.toUpperCase()} ${path}`;
      for (const parameter of parameters) {
        const { $ref } = parameter;
        const known = $ref === undefined ? parameter : components.parameters[nameOf($ref)];
        lines.push(...(known ? promisesOfParameter(endpoint, known) : []));
      }
      const sent = schemaOf(requestBody);
      if (sent) {
        lines.push(
          `${endpoint} requires ${[...(sent.required ?? [])].sort().join(', ') || 'nothing'}`,
        );
        lines.push(...promisesOf(`${endpoint} body`, sent));
      }
      for (const [status, response] of Object.entries(responses)) {
        const body = schemaOf(response);
        if (!body) continue;
        lines.push(
          `${endpoint} ${status}: ${typeOf(body)}`,
          ...promisesOf(`${endpoint} ${status}`, body),
        );
      }
    }
  }
  return [...new Set(lines)].sort();
}

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);
const schemaOf = (message: Content | undefined) => message?.content?.['application/json']?.schema;

function promisesOfParameter(endpoint: string, parameter: Parameter): string[] {
  const { name, in: place, required = false, schema } = parameter;
  const promise = `${endpoint} ${place} ${name}`;
  return [
    `${promise}: ${typeOf(schema)}${required ? ', required' : ''}`,
    ...valuesOf(promise, schema),
  ];
}

/** Of the fields of a schema, at any depth; those of a named schema are listed under its name. */
function promisesOf(name: string, schema: Schema): string[] {
  if (schema.$ref !== undefined) return [];
  const fields = Object.entries(schema.properties ?? {}).flatMap(([field, its]) => [
    `${name}.${field}: ${typeOf(its)}${schema.required?.includes(field) ? '' : ', or missing'}`,
    ...promisesOf(`${name}.${field}`, its),
  ]);
  return [
    ...valuesOf(name, schema),
    ...fields,
    ...(schema.anyOf ?? []).flatMap((one) => promisesOf(name, one)),
    ...(schema.items ? promisesOf(`${name}[]`, schema.items) : []),
  ];
}

const valuesOf = (name: string, schema: Schema) =>
  (schema.enum ?? []).map((value) => `${name} has the value ${JSON.stringify(value)}`);

function typeOf({ $ref, type = [], anyOf = [], items }: Schema): string {
  if ($ref !== undefined) return nameOf($ref);
  const types = [...[type].flat(), ...anyOf.map(typeOf)].sort().join(' or ');
  return items ? `${types || 'any value'} of ${typeOf(items)}` : types || 'any value';
}
